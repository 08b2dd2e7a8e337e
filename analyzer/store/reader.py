"""One version of a database, open for reading as one set of relations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb
import polars as pl

from analyzer.store.database import Database, Manifest, Segment
from analyzer.store.relations import attach, columns, comments, connect, script, union


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
        with self.connection.cursor() as cursor:
            result = cursor.execute(query, dict(parameters) if parameters else None)
            names = [column[0] for column in result.description]
            return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

    def close(self) -> None:
        """Lets go of the segments."""
        self.connection.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_reader(database: Database, name: str | None = None) -> Reader:
    """Opens a version, by default the one in force. Raises DatabaseError.

    Keep the reader for as long as :meth:`Database.current` tells its manifest's name.
    """
    manifest = database.manifest(name)
    connection = connect()
    connection.execute("SET python_enable_replacements = false")
    try:
        attach(connection, database, manifest.segments)
        connection.execute(_relations(manifest.segments))
        connection.execute(script("views.sql"))
        connection.execute(_comments())
    except BaseException:
        connection.close()
        raise
    return Reader(connection, manifest)


def _relations(segments: tuple[Segment, ...]) -> str:
    """A view for each stored table; of the hands two: every revision, and those in force.

    What is not in force is known beforehand and seldom more than a few rows, so leaving it out costs a
    look into a small hash table; a version without any is spared that, too.
    """
    statements = [f"CREATE TABLE superseded AS {union('superseded', segments)}"]
    any_superseded = any(segment.rows.get("superseded") for segment in segments)
    in_force = "hand_key NOT IN (FROM superseded)" if any_superseded else "true"
    for table, names in columns().items():
        if table == "superseded":
            continue
        source = f"FROM ({union(table, segments)})"
        if table == "hands":
            statements.append(f"CREATE VIEW revisions AS SELECT *, {in_force} AS in_force {source}")
        if "hand_key" in names:
            source += f" WHERE {in_force}"
        statements.append(f"CREATE VIEW {table} AS {source}")
    return ";\n".join(statements)


def _comments() -> str:
    """The comments of the stored tables, for the views of the same names."""
    told = []
    for comment in comments():
        if not comment.startswith("COMMENT ON TABLE superseded"):
            comment = comment.replace(" ON TABLE ", " ON VIEW ", 1)
        told.append(comment)
        if comment.startswith("COMMENT ON COLUMN hands."):
            told.append(comment.replace(" hands.", " revisions.", 1))
    return "".join(told)
