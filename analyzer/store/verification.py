"""Is a database what it says it is? Every file looked at, every count counted again.

Bytes are hashed before DuckDB opens anything: closing a handle would drop the locks of files that this
process has open. Nothing is written, so a database that is being written to can be verified; what a
writer is busy with, or a killed one has left, is told apart from what is wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from analyzer.locale import N_, Message
from analyzer.store.database import (
    FOLDERS,
    NAME,
    TEMPORARY,
    Database,
    DatabaseError,
    DatabaseTooNew,
    Manifest,
    Segment,
)
from analyzer.store.journal import Journal
from analyzer.store.proving import CHANGED, TOLD, Fault, named, prove_hands, prove_rulings
from analyzer.store.relations import alias, attach, columns, connect, union
from analyzer.store.rulings import KINDS, cases


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found; ``leftovers`` are files that the next writer or compaction removes.

    ``head`` is the journal's (:meth:`Journal.head`): whoever keeps it can ask for it later.
    """

    manifest: Manifest | None
    faults: list[Fault]
    leftovers: list[str]
    head: str = ""


_RESTORE: Final = Message(
    N_("Take the file from a backup, or go back to a version without it: tienlen db rollback")
)
_REPORT: Final = Message(N_("Go back to an older version (tienlen db rollback), and please report it"))
_POINTER: Final = Message(
    N_("Take the file from a backup, or write the name of an older version in manifests/ into CURRENT")
)
_NOT_NEEDED: Final = N_(
    "The version in force does not need it: take it from a backup, or do without and delete {files}"
)
_MOVE: Final = Message(N_("The database folder is no place for other files: move it elsewhere"))

_ROWS: Final[dict[str, tuple[str, str]]] = {
    N_("hands stored twice, or with two revisions in force: {n}"): (
        "revisions.hand_key",
        "SELECT hand_key FROM hands GROUP BY hand_key HAVING count(*) > 1 UNION ALL "
        "SELECT min(hand_key) FROM hands GROUP BY club_id, hand_id, revision HAVING count(*) > 1 UNION ALL "
        "SELECT min(hand_key) FROM hands ANTI JOIN superseded USING (hand_key) "
        "GROUP BY club_id, hand_id HAVING count(*) > 1",
    ),
    N_("hands without a revision in force: {n}"): (
        "superseded.hand_key",
        "SELECT DISTINCT club_id, hand_id FROM hands SEMI JOIN superseded USING (hand_key) "
        "EXCEPT SELECT club_id, hand_id FROM hands ANTI JOIN superseded USING (hand_key)",
    ),
    N_("hands with keys that later hands will get as well: {n}"): (
        "hands.hand_key",
        "SELECT hand_key FROM hands WHERE hand_key >= $next_key",
    ),
    N_("hands without a row for each seat: {n}"): (
        "seats",
        "SELECT hand_key FROM hands LEFT JOIN seats USING (hand_key) GROUP BY hand_key, player_count "
        "HAVING count(seat) <> player_count OR count(DISTINCT seat) <> player_count",
    ),
    N_("seats whose transfers do not add up to their net: {n}"): (
        "transfers.amount",
        "SELECT hand_key, seat FROM (FROM (SELECT hand_key, seat, net FROM seats) UNION ALL "
        "SELECT hand_key, to_seat, -amount FROM transfers WHERE to_seat IS NOT NULL UNION ALL "
        "SELECT hand_key, from_seat, amount FROM transfers WHERE from_seat IS NOT NULL) "
        "GROUP BY hand_key, seat HAVING sum(net) <> 0",
    ),
    N_("readings whose counts do not add up to their records: {n}"): (
        "readings",
        "FROM readings WHERE records <> accepted + unchanged + superseded + conflicting + quarantined",
    ),
}
"""What must never be found: the fault, where it stands, and the query that finds its rows."""


_CHAIN: Final = f"""
SELECT club_id, hand_id, max(revision) AS highest, max(revision) FILTER (current) AS in_force
FROM (SELECT club_id, hand_id, revision, hand_key NOT IN (FROM superseded) AS current FROM hands)
GROUP BY ALL HAVING highest <> in_force ORDER BY club_id, hand_id LIMIT {TOLD}
"""
"""The hands of which not the highest revision is in force."""


def verify(
    database: Database,
    *,
    judge: bool = False,
    head: str | None = None,
    progress: Callable[[int], object] | None = None,
) -> Verification:
    """Looks at every file of a database, every row in force and every hand's log. Raises NoDatabase.

    ``judge``: every verdict, too. ``head`` is a head of the journal that somebody kept. ``progress`` is told
    how many more hands were looked at.
    """
    name = database.current()
    faults: list[Fault] = []
    manifests = _manifests(database, name, faults)
    current = manifests.get(name)
    if current is None and not faults:
        what = Message(N_("it names version {name}, which is not there"), name=name)
        faults.append(Fault(str(database.path / "CURRENT"), what, _POINTER))
    all_read, whole = not faults, True
    users: dict[tuple[str, str], list[str]] = {}
    for manifest in manifests.values():
        for segment in manifest.segments:
            users.setdefault((segment.name, segment.sha256), []).append(manifest.name)
    for (segment_name, sha256), versions in users.items():
        what_is_wrong = _changed(database.segment_path(segment_name), sha256)
        if what_is_wrong is None or not any(version in database.versions() for version in versions):
            continue  # whole, or gone with the last of its versions just now
        whole = whole and name not in versions
        advice = _RESTORE if name in versions else _not_needed(versions)
        faults.append(Fault(str(database.segment_path(segment_name)), what_is_wrong, advice))
    if current is not None and whole:
        faults += _counted(database, current)
    if current is not None:
        faults += prove_hands(database, current.segments, deep=judge, progress=progress)
    journal, at_head = Journal(database), ""
    try:
        found = cases(journal.entries(*KINDS))
        at_head = journal.head()
        if found:
            every = {segment.name: segment for one in manifests.values() for segment in one.segments}
            faults += prove_rulings(database, every, found)
        if at_head and not journal.has_head:
            missing = Message(N_("its file head is gone, which would tell that entries were cut off its end"))
            compare = Message(
                N_("Compare the head told here with one that was kept, and enter a decision: it comes back")
            )
            faults.append(Fault(str(journal.path), missing, compare))
        if head is not None and not journal.holds(head):
            what = Message(N_("it does not have the entry {head} that was kept of it"), head=head)
            faults.append(Fault(str(journal.path), what, _RESTORE))
    except DatabaseError as error:
        faults.append(Fault(str(journal.path), error.message, _RESTORE))
    leftovers = []
    for path in _others(database, {segment_name for segment_name, _ in users}):
        is_segment = path.parent.name == "segments" and NAME.fullmatch(path.stem)
        if is_segment and not all_read:
            continue  # it may belong to a manifest that could not be read
        if is_segment or TEMPORARY in path.name:
            leftovers.append(str(path.relative_to(database.path)))
        else:
            faults.append(Fault(str(path), Message(N_("it is not part of a database")), _MOVE))
    return Verification(current, faults, leftovers, at_head)


def _manifests(database: Database, current: str, faults: list[Fault]) -> dict[str, Manifest]:
    found = {}
    for name in database.versions():
        path = database.path / "manifests" / f"{name}.json"
        advice = _POINTER if name == current else _not_needed([name])
        try:
            manifest = database.manifest(name)
        except DatabaseTooNew:
            faults.append(Fault(str(path), Message(N_("a later version of tienlen wrote it")), advice))
            continue
        except DatabaseError:
            if path.exists():
                faults.append(Fault(str(path), Message(N_("it cannot be read as a manifest")), advice))
            continue
        if manifest.name == name:
            found[name] = manifest
        else:
            what = Message(N_("it says that it is version {name}"), name=manifest.name)
            faults.append(Fault(str(path), what, advice))
    return found


def _changed(path: Path, sha256: str) -> Message | None:
    """What is wrong with the bytes of a segment; None if they are those that were written."""
    try:
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return Message(N_("it cannot be read: {why}"), why=error.strerror or str(error))
    if found == sha256:
        return None
    return Message(
        N_("its bytes changed: SHA-256 {found}, expected {expected}"), found=found, expected=sha256
    )


def _counted(database: Database, manifest: Manifest) -> Iterator[Fault]:
    """What is wrong with the rows of a version, whose segments are whole."""
    connection = connect()
    try:
        attach(connection, database, manifest.segments)
        for segment in manifest.segments:
            for table, found in _rows(connection, segment).items():
                if found != (expected := segment.rows.get(table, 0)):
                    what = Message(
                        N_("{table} has {found} rows, expected {expected}"),
                        table=table,
                        found=found,
                        expected=expected,
                    )
                    yield Fault(str(database.segment_path(segment.name)), what, _REPORT)
        for table in columns():
            connection.execute(f"CREATE VIEW {table} AS {union(table, manifest.segments)}")
        for text, (where, query) in _ROWS.items():
            given = {"next_key": manifest.next_key} if "$next_key" in query else None
            ((found,),) = connection.execute(f"SELECT count(*) FROM ({query})", given).fetchall()
            if found:
                yield Fault(where, Message(text, n=found), _REPORT)
        for club, hand, highest, in_force in connection.execute(_CHAIN).fetchall():
            text = N_("revision {in_force} is in force, though revision {highest} is stored")
            what = Message(text, in_force=in_force, highest=highest)
            yield Fault(named(club, hand), what, CHANGED)
    finally:
        connection.close()


def _rows(connection: duckdb.DuckDBPyConnection, segment: Segment) -> dict[str, int]:
    """How many rows a segment has of each table; one of an older layout has not all of them."""
    name = alias(segment)
    query = f"SELECT table_name FROM duckdb_tables() WHERE database_name = '{name}'"
    there = {table for (table,) in connection.execute(query).fetchall()}
    counts = ", ".join(
        f"(SELECT count(*) FROM {name}.{table})" if table in there else "0" for table in columns()
    )
    return dict(zip(columns(), connection.execute(f"SELECT {counts}").fetchall()[0], strict=True))


def _not_needed(versions: list[str]) -> Message:
    return Message(_NOT_NEEDED, files=", ".join(f"manifests/{version}.json" for version in versions))


def _others(database: Database, known: set[str]) -> Iterator[Path]:
    """Files that no version names; of the journal nothing is said."""
    for path in sorted(database.path.iterdir()):
        if path.name not in ("CURRENT", "lock", *FOLDERS):
            yield path
    for path in sorted((database.path / "manifests").glob("*")):
        if path.suffix != ".json" or not NAME.fullmatch(path.stem):
            yield path
    for path in sorted((database.path / "segments").glob("*")):
        if path.name not in known:
            yield path
