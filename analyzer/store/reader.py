"""One version of a database, open for reading as one set of relations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import duckdb

from analyzer.store.database import Database, DatabaseBroken, Manifest, Segment
from analyzer.store.journal import Journal
from analyzer.store.relations import attach, columns, comments, connect, script, union
from analyzer.store.ruled import MONEY, moved, put_cases
from analyzer.store.rulings import KINDS, cases

if TYPE_CHECKING:
    import polars as pl

REFUSED: Final = ("source_path", "source_sha256", "source_offset", "quarantined_at", "reason")
"""What tells the rows of ``quarantine`` apart; those of ``mended`` name one by it."""


class Reader:
    """The relations of schema.sql and views.sql over the segments of one manifest.

    It shows the same version for as long as it is open. Every method may be called from any thread.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
        self.connection = connection
        self.manifest = manifest

    def frame(self, query: str, parameters: Mapping[str, Any] | None = None) -> pl.DataFrame:
        """The rows of a query, with ``$name`` parameters, as a polars frame."""
        with self.connection.cursor() as cursor:
            found: pl.DataFrame = cursor.sql(query, params=dict(parameters) if parameters else None).pl()
        return found

    def rows(self, query: str, parameters: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """The rows of a query as dicts; amounts are Decimals, times have their zone."""
        return list(self.stream(query, parameters))

    def stream(self, query: str, parameters: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """The same one by one, however many there are."""
        with self.connection.cursor() as cursor:
            result = cursor.execute(query, dict(parameters) if parameters else None)
            names = [column[0] for column in result.description]
            while rows := result.fetchmany(1000):
                for row in rows:
                    yield dict(zip(names, row, strict=True))

    def close(self) -> None:
        """Lets go of the segments."""
        self.connection.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_reader(database: Database, name: str | None = None) -> Reader:
    """Opens a version, by default the one in force, with what was ruled so far. Raises DatabaseError.

    Keep the reader for as long as :meth:`Database.current` tells its manifest's name, and nobody rules.
    """
    wanted = name or database.current()
    try:
        return _open(database, wanted)
    except DatabaseBroken:
        # An old version may go just before it is opened; once it is open its files stay readable.
        if name is not None or (newer := database.current()) == wanted:
            raise
    return _open(database, newer)


def _open(database: Database, name: str) -> Reader:
    manifest = database.manifest(name)
    found = cases(Journal(database).entries(*KINDS))
    connection = connect()
    connection.execute("SET python_enable_replacements = false")
    try:
        attach(connection, database, manifest.segments)
        money = moved(found.values())
        connection.execute((MONEY if money else "") + _relations(manifest.segments, money))
        connection.execute(script("views.sql"))
        connection.execute(_comments())
        if found:
            put_cases(connection, found.values())
    except BaseException:
        connection.close()
        raise
    return Reader(connection, manifest)


def _relations(segments: tuple[Segment, ...], money: bool) -> str:
    """A view for each stored table; of the hands two: every revision, and those in force.

    What is not in force, and what rulings moved (``money``: whether they did), is known beforehand and
    seldom more than a few rows, so leaving it out or adding it costs a look into a small hash table; a
    version without any is spared that, too.
    """
    statements = [f"CREATE TABLE superseded AS {union('superseded', segments)}"]
    in_force = "hand_key NOT IN (FROM superseded)" if _any("superseded", segments) else "true"
    for table, names in columns().items():
        if table == "superseded":
            continue
        source = f"FROM ({union(table, segments)})"
        if table == "hands":
            statements.append(f"CREATE VIEW revisions AS SELECT *, {in_force} AS in_force {source}")
        if table == "quarantine":
            source = _quarantine(segments)
        if "hand_key" in names:
            source += f" WHERE {in_force}"
        if table == "transfers" and money:
            source += " UNION ALL BY NAME FROM ruled.transfers"
        if table == "seats":
            source = AFTER.format(seats=source) if money else f"SELECT *, net AS judged_net {source}"
        statements.append(f"CREATE VIEW {table} AS {source}")
    return ";\n".join(statements)


AFTER: Final = (
    "SELECT seated.* REPLACE ((seated.net + coalesce(moved.amount, 0))::DECIMAL(18,3) AS net), "
    "seated.net AS judged_net FROM ({seats}) AS seated LEFT JOIN ruled.seats AS moved USING (hand_key, seat)"
)
"""The seats of hands, some of which were ruled on."""


def _quarantine(segments: tuple[Segment, ...]) -> str:
    """What was refused, numbered in the order in which it is stored, which no later version changes."""
    numbered = f"SELECT *, row_number() OVER () AS number FROM ({union('quarantine', segments)})"
    solved = "false"
    if _any("mended", segments):
        same = " AND ".join(f"mended.{name} IS NOT DISTINCT FROM refused.{name}" for name in REFUSED)
        solved = f"EXISTS (FROM ({union('mended', segments)}) AS mended WHERE {same})"
    return f"SELECT *, {solved} AS solved FROM ({numbered}) AS refused"


def _any(table: str, segments: tuple[Segment, ...]) -> bool:
    return any(segment.rows.get(table) for segment in segments)


def _comments() -> str:
    """The comments of the stored tables, for the views of the same names."""
    told = []
    for comment in comments():
        if comment.startswith("COMMENT ON COLUMN seats.net "):
            continue  # views.sql has another: rulings count
        if not comment.startswith("COMMENT ON TABLE superseded"):
            comment = comment.replace(" ON TABLE ", " ON VIEW ", 1)
        told.append(comment)
        if comment.startswith("COMMENT ON COLUMN hands."):
            told.append(comment.replace(" hands.", " revisions.", 1))
    return "".join(told)
