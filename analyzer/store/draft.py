"""A segment being written: a private DuckDB file, beside the stored segments it must agree with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple

import duckdb
import pyarrow as pa

from analyzer.store.database import (
    TEMPORARY,
    Database,
    Manifest,
    Segment,
    broken,
    discard,
    name_of,
    seal,
)
from analyzer.store.relations import attach, columns, connect, quote, script, union
from analyzer.store.seen import Hashes, Seen

MEMORY: Final = "128MB"
"""What DuckDB may hold in memory while writing, beyond which it spills into the database folder."""

# Small row groups go to disk as soon as they are full, so that memory stays flat in one transaction however
# long; nobody reads the file before it is whole, so a write-ahead log would only be written twice.
_OPTIONS: Final = "ROW_GROUP_SIZE 16384, RECOVERY_MODE NO_WAL_WRITES"

_SMALL: Final = 4 * 1024 * 1024
"""Bytes of logs up to which a segment gets small blocks: one hand then takes 0.2 MB instead of 2.1 MB. In
a large segment they would cost more time and save nothing."""

_MOST_SEEN: Final = 20_000_000
"""Stored hands whose identities are kept in memory to tell new hands at once, 8 bytes each; where more are
stored already, every hand is looked up."""

_ONCE: Final = {
    "quarantine": ("source_path", "source_sha256", "source_offset", "reason", "raw"),
    "conflicts": ("club_id", "hand_id", "revision", "content_sha256"),
    "rule_sets": ("id", "sha256"),
}
"""Tables in which a row that is there already is not written again, and what tells such rows apart."""


_UNWRITABLE: Final = (
    duckdb.IOException,
    duckdb.FatalException,
    duckdb.TransactionException,
    duckdb.OutOfMemoryException,
)
"""As what DuckDB reports that a file cannot be written, depending on when it finds out."""


class Stored(NamedTuple):
    """One stored revision of a hand."""

    sha256: str
    key: int


Revisions = dict[int, Stored]
"""The revisions of one hand, by their number."""


class Draft:
    """The next segment. :meth:`finish` closes it; :meth:`discard` leaves nothing of it.

    ``size`` is how many bytes of logs will go into it, None if that is not known.
    """

    def __init__(self, database: Database, base: Manifest, number: int, size: int | None) -> None:
        self.name = f"{name_of(number)}.duckdb"
        self.path = database.segment_path(self.name + TEMPORARY)
        self.spill = database.segment_path(f"{self.name}{TEMPORARY}.spill")
        self.seen = Seen() if not base.hands else None
        self.asked = False
        self.keeps = base.hands <= _MOST_SEEN
        self.connection = connect(MEMORY, self.spill)
        self.connection.execute("SET threads = 1")  # more cost time here, and leave gaps in the file
        self.connection.execute("SET disabled_optimizers = 'build_side_probe_side'")  # insert says which
        # Row groups that wait for others to be written with are spilled meanwhile, and so written twice.
        self.connection.execute("SET write_buffer_row_group_count = 1")
        try:
            attach(self.connection, database, base.segments)
            options = _OPTIONS if size is None or size > _SMALL else f"{_OPTIONS}, BLOCK_SIZE 16384"
            self.connection.execute(f"ATTACH {quote(self.path)} AS draft ({options}); USE draft")
            self.connection.execute(script("schema.sql"))
            self.connection.execute("USE memory")
            for table in ("hands", *_ONCE):
                self.connection.execute(f"CREATE VIEW {table} AS {union(table, base.segments, 'draft')}")
            self.connection.execute("BEGIN")
        except BaseException:
            self.discard()
            raise

    def doubtful(self, hands: pa.Table) -> list[int]:
        """The rows that may be a hand stored already, or the same hand as another row; in rising order.

        All the others surely are new. What is asked here counts as stored from now on. The first time
        nothing is known of the versions before; finding out pays only where a second time comes.
        """
        if self.seen is not None:
            return self.seen.add(self._hashes(hands, "given")).nonzero()[0].tolist()
        if self.keeps and self.asked:
            self.seen = Seen(self._hashes(hands, "hands"))
            return self.doubtful(hands)
        self.asked = True
        return list(range(hands.num_rows))

    def _hashes(self, given: pa.Table, table: str) -> Hashes:
        query = f"SELECT hash(club_id, hand_id) AS hash FROM {table}"
        found: Hashes = self.connection.execute(query).fetchnumpy()["hash"]
        return found

    def known(self, identities: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Revisions]:
        """Every stored revision of these hands, what this draft holds already included."""
        clubs, hands = zip(*identities, strict=True)
        wanted = pa.table({"club_id": pa.array(clubs, pa.string()), "hand_id": pa.array(hands, pa.string())})
        found: dict[tuple[str, str], Revisions] = {}
        for club, hand, revision, sha256, key in self._with(
            wanted,
            "SELECT club_id, hand_id, revision, content_sha256, hand_key "
            "FROM hands SEMI JOIN given USING (club_id, hand_id)",
        ):
            found.setdefault((club, hand), {})[revision] = Stored(sha256, key)
        return found

    def logs(self, keys: Iterable[int]) -> dict[int, bytes]:
        """The stored records of these hands, by their key."""
        wanted = pa.table({"hand_key": pa.array(keys, pa.int64())})
        rows = self._with(wanted, "SELECT hand_key, log FROM hands SEMI JOIN given USING (hand_key)")
        return {key: log.encode() for key, log in rows}

    def insert(self, table: str, rows: pa.Table) -> None:
        """Adds rows, given by the names of their columns."""
        source = "FROM given"
        if (keys := _ONCE.get(table)) is not None:
            rows = rows.append_column("place", pa.array(range(rows.num_rows), pa.int64()))
            same = " AND ".join(f"stored.{key} IS NOT DISTINCT FROM given.{key}" for key in keys)
            source = (
                # Only what is given goes into a hash table: all that is stored might not fit in memory.
                f"SELECT given.* EXCLUDE (place) FROM given ANTI JOIN "
                f"(FROM {table} AS stored SEMI JOIN given ON {same}) AS stored ON {same} "
                f"QUALIFY row_number() OVER (PARTITION BY {', '.join(keys)} ORDER BY place) = 1 "
                "ORDER BY place"
            )
        self._with(rows, f"INSERT INTO draft.{table} BY NAME {source}")

    def finish(self) -> Segment:
        """Writes everything to disk and closes the file, which keeps its temporary name."""
        self.connection.execute("COMMIT")
        counts = ", ".join(f"(SELECT count(*) FROM draft.{table})" for table in columns())
        counted = self._row(f"SELECT {counts}")
        first, last = self._row("SELECT min(played_at), max(played_at) FROM draft.hands")
        self.connection.execute("CHECKPOINT draft; DETACH draft")
        self.connection.close()
        discard(self.spill)
        rows = {table: count for table, count in zip(columns(), counted, strict=True) if count}
        return Segment(self.name, seal(self.path), rows.get("hands", 0), first, last, rows)

    def discard(self) -> None:
        """Closes and removes the file, if it has not been put in place."""
        with suppress(duckdb.Error):
            self.connection.close()
        for path in (self.path, self.spill):
            discard(path)

    def _with(self, given: pa.Table, query: str) -> list[Any]:
        """Runs a query that reads the table ``given``, which DuckDB finds among this frame's variables.

        Registering it would keep every table alive until the transaction ends.
        """
        return self.connection.execute(query).fetchall()

    def _row(self, query: str) -> tuple[Any, ...]:
        return tuple(self.connection.execute(query).fetchall()[0])


@contextmanager
def drafting(database: Database, base: Manifest, number: int, size: int | None) -> Iterator[Draft]:
    """A draft of which nothing is left once it is published or something failed.

    Raises DatabaseBroken where its file cannot be written: a full disk, a folder that is read-only.
    """
    try:
        draft = Draft(database, base, number, size)
        try:
            yield draft
        finally:
            draft.discard()
    except _UNWRITABLE as error:
        raise broken(database.path, error) from None
