"""The versions of a database: what there is, going back to one, and letting go of old ones."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from analyzer.locale import N_
from analyzer.store.database import Database, DatabaseError, Manifest, broken, name_of
from analyzer.store.reader import open_reader

KEEP: Final = 10
"""How many versions are kept, that in force included, unless somebody says otherwise."""


class NoVersion(DatabaseError):
    """A version that is not there any more, or never was."""


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a database. ``writer`` is the process id of whoever is writing, if anybody is."""

    version: str
    layout: int
    program: str
    written_at: datetime
    versions: int
    segments: int
    hands: int
    """Every revision counted."""
    first_played_at: datetime | None
    last_played_at: datetime | None
    quarantined: int
    solved: int
    """How many of the quarantined records have been mended and taken in."""
    conflicts: int
    size: int
    """Bytes on disk, of every version."""
    writer: str | None


def status(database: Database) -> Status:
    """How a database stands. Raises DatabaseError."""
    with open_reader(database) as reader:
        (counts,) = reader.rows(
            "SELECT count(*) AS quarantined, count(*) FILTER (solved) AS solved, "
            "(SELECT count(*) FROM conflicts) AS conflicts FROM quarantine"
        )
        manifest = reader.manifest
    firsts = [segment.first_played_at for segment in manifest.segments if segment.first_played_at]
    lasts = [segment.last_played_at for segment in manifest.segments if segment.last_played_at]
    return Status(
        version=manifest.name,
        layout=manifest.schema,
        program=manifest.program,
        written_at=manifest.written_at,
        versions=len(database.versions()),
        segments=len(manifest.segments),
        hands=manifest.hands,
        first_played_at=min(firsts, default=None),
        last_played_at=max(lasts, default=None),
        size=sum(map(_size, database.path.rglob("*"))),
        writer=database.writer(),
        **counts,
    )


def history(database: Database) -> list[Manifest | DatabaseError]:
    """The manifests of all versions kept, newest first; for one that cannot be read, why.

    One that goes just now is left out.
    """
    found: list[Manifest | DatabaseError] = []
    for name in reversed(database.versions()):
        try:
            found.append(database.manifest(name))
        except DatabaseError as error:
            if name in database.versions():
                found.append(error)
    return found


def before(database: Database, manifest: Manifest) -> Manifest:
    """The version that stood before the last ingest into this one: what going back means by default.

    Compactions change nothing and are passed over; going back twice goes back two ingests. Raises
    DatabaseError.
    """
    while manifest.made_by in ("compaction", "rollback"):
        manifest = version(database, manifest.parent)
    return version(database, manifest.parent)


def rollback(database: Database, number: int | None = None, *, wait: float = 0) -> Manifest:
    """Puts the content of an older version in force again, as a new version; returns that.

    By default that :func:`before` the one in force. What people decided (the journal) stays as it is.
    Raises DatabaseError, NoVersion where the older one or a segment of it is gone.
    """
    with database.lock(wait) as base:
        target = before(database, base) if number is None else version(database, number)
        if target.number == base.number:
            raise DatabaseError(N_("Version {number} is in force already."), number=target.number)
        for segment in target.segments:
            if not database.segment_path(segment.name).is_file():
                raise NoVersion(
                    N_(
                        "Version {number} cannot be put in force: its segment {segment} is gone. What there "
                        "is: tienlen db versions --db {path}"
                    ),
                    number=target.number,
                    segment=segment.name,
                    path=database.path,
                )
        return database.publish(
            base,
            database.next_number(),
            base.next_key,
            target.segments,
            made_by="rollback",
            parent=target,
        )


def prune(database: Database, keep: int = KEEP) -> int:
    """Lets go of all but the newest ``keep`` versions, and of segments that none of these has.

    Only for the holder of the lock. Returns how many versions went. A reader that has one of them open
    keeps it: the kernel frees a file when its last reader has closed it. Raises DatabaseError, before any
    segment goes, where a manifest cannot be read.
    """
    current = database.current()
    old = [name for name in database.versions()[:-keep] if name != current]
    try:
        for name in old:
            (database.path / "manifests" / f"{name}.json").unlink()
        needed = set()
        for kept in history(database):
            if isinstance(kept, DatabaseError):
                raise kept
            needed |= {segment.name for segment in kept.segments}
        for path in (database.path / "segments").glob("*.duckdb"):
            if path.name not in needed:
                path.unlink()
    except OSError as error:
        raise broken(database.path, error) from None
    return len(old)


def version(database: Database, number: int | None) -> Manifest:
    """The manifest of a version that is kept. Raises DatabaseError, NoVersion where it is not."""
    name = name_of(number) if number is not None else ""
    if name not in database.versions():
        raise NoVersion(
            N_("There is no version {number} any more. What there is: tienlen db versions --db {path}"),
            number=number if number is not None else "—",
            path=database.path,
        )
    return database.manifest(name)


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size if path.is_file() else 0
    return 0
