"""The database folder: immutable segments, a manifest for each version, and a pointer to the one in force.

::

    CURRENT             one line: the name of the manifest in force; replaced by rename
    manifests/          00000123.json: the segments of that version
    segments/           00000123.duckdb: written privately, renamed into place, never changed again
    journal/            what people decided
    lock                held by the one writer; names its process

A reader never waits for a writer nor the other way round: a version, once published, does not change.
Everything a killed writer may leave behind is out of every reader's sight, and the next writer removes it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Annotated, Final

import msgspec

from analyzer.locale import N_, Message
from analyzer.store.locking import acquire, holder
from analyzer.version import VERSION

SCHEMA: Final = 2
"""Version of the folder's layout and of schema.sql; a reader refuses a higher one.

An older folder is brought forward as it is read (a table or column that a segment has not is empty) and
for good by its next version. 2 has the table ``mended``, and manifests that say what made them.
"""

FOLDERS: Final = ("manifests", "segments", "journal")
TEMPORARY: Final = ".tmp"
"""Ends the name of every file that is not finished yet."""

NAME: Final = re.compile(r"[0-9]{8,18}")
"""The name of a version."""


class DatabaseError(Exception):
    """Something about the database folder that its user has to know; ``message`` says it."""

    def __init__(self, text: str, **values: object) -> None:
        self.message = Message(text, **values)
        super().__init__(self.message.render("en"))


class NoDatabase(DatabaseError):
    """There is nothing at this path, or nothing that is a database."""


class DatabaseTooNew(DatabaseError):
    """Written by a later version of the program."""


class DatabaseBusy(DatabaseError):
    """Another process is writing."""


class DatabaseBroken(DatabaseError):
    """A file of the database cannot be read, or is not what its manifest says."""


class Segment(msgspec.Struct, frozen=True):
    """One immutable DuckDB file. ``rows`` counts the rows of each table that has any."""

    name: Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{8,18}\.duckdb\Z")]
    sha256: str
    hands: int
    first_played_at: datetime | None
    last_played_at: datetime | None
    rows: dict[str, int]


class Manifest(msgspec.Struct, frozen=True):
    """One version of the database. Numbers only rise.

    ``parent`` is the version it was made from: for a rollback the one whose content it has again.
    """

    schema: int
    program: str
    number: int
    parent: int | None
    written_at: datetime
    next_key: int
    """The first hand_key that no segment of this version uses."""
    segments: tuple[Segment, ...]
    made_by: str | None = None
    """``ingest``, ``compaction`` or ``rollback``; None for the empty first version and in layout 1."""

    @property
    def name(self) -> str:
        """The version's name, and its file's."""
        return name_of(self.number)

    @property
    def hands(self) -> int:
        """Hands stored, every revision counted."""
        return sum(segment.hands for segment in self.segments)

    @property
    def in_force(self) -> int:
        """Hands stored, each counted once: of every hand one revision is in force."""
        return self.hands - sum(segment.rows.get("superseded", 0) for segment in self.segments)


class _Header(msgspec.Struct):
    """What can be read of a manifest of any version."""

    schema: int
    program: str = ""


def name_of(number: int) -> str:
    """The name of a version."""
    return f"{number:08d}"


class Database:
    """A database folder; nothing is read or made before a method is called."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def segment_path(self, name: str) -> Path:
        """Where a segment's file is."""
        return self.path / "segments" / name

    # -- reading ---------------------------------------------------------------------------------

    def current(self) -> str:
        """The name of the version in force: what a reader is cached under. Raises DatabaseError."""
        pointer = self.path / "CURRENT"
        try:
            name = pointer.read_text("ascii").strip()
        except (FileNotFoundError, NotADirectoryError):
            raise self._missing() from None
        except (OSError, UnicodeDecodeError) as error:
            raise broken(pointer, error) from None
        if not NAME.fullmatch(name):
            raise broken(pointer, ValueError(repr(name[:40])))
        return name

    def manifest(self, name: str | None = None) -> Manifest:
        """The manifest of a version, by default the one in force. Raises DatabaseError."""
        path = self.path / "manifests" / f"{name or self.current()}.json"
        try:
            raw = path.read_bytes()
            header = msgspec.json.decode(raw, type=_Header)
            if header.schema > SCHEMA:
                raise DatabaseTooNew(
                    N_(
                        "{path} was written by tienlen {program} with layout {found}; this program reads "
                        "layouts up to {known}. Install that version or a later one."
                    ),
                    path=self.path,
                    program=header.program,
                    found=header.schema,
                    known=SCHEMA,
                )
            return msgspec.json.decode(raw, type=Manifest)
        except (OSError, msgspec.DecodeError) as error:
            raise broken(path, error) from None

    def versions(self) -> list[str]:
        """The names of all versions kept, oldest first, without a look into their manifests."""
        names = (path.stem for path in (self.path / "manifests").glob("*.json"))
        return sorted(filter(NAME.fullmatch, names), key=int)

    def writer(self) -> str | None:
        """The process id of whoever is writing, ``?`` if it is not to be learnt; None if nobody is."""
        return holder(self.path / "lock")

    def _missing(self) -> NoDatabase:
        if not self.path.exists():
            return NoDatabase(
                N_("There is no database at {path}. Make one with: tienlen ingest PATH --db {path}"),
                path=self.path,
            )
        return NoDatabase(
            N_("{path} is not a tienlen database: a folder with a file CURRENT is expected."), path=self.path
        )

    # -- writing ---------------------------------------------------------------------------------

    @contextmanager
    def lock(self, wait: float = 0) -> Iterator[Manifest]:
        """Makes the caller the one writer, and tells the version in force; makes the folder if need be.

        Raises DatabaseBusy, with the writer's process id, where another one holds the lock for longer
        than ``wait`` seconds.
        """
        with self._open_lock() as file:
            try:
                if (pid := acquire(file, wait)) is not None:
                    raise DatabaseBusy(
                        N_("Process {pid} is writing to {path}. Wait until it is done, then run this again."),
                        path=self.path,
                        pid=pid,
                    )
                if not (self.path / "CURRENT").exists():
                    self._publish(Manifest(SCHEMA, VERSION, 0, None, datetime.now(UTC), 1, ()))
                manifest = self.manifest()
                self._clean()
            except OSError as error:
                raise broken(self.path, error) from None
            yield manifest

    def next_number(self) -> int:
        """The number of the next version. Only for the holder of the lock."""
        return 1 + int(self.versions()[-1])

    def publish(
        self,
        base: Manifest,
        number: int,
        next_key: int,
        segments: tuple[Segment, ...],
        *,
        made_by: str = "ingest",
        parent: Manifest | None = None,
    ) -> Manifest:
        """Puts a new version in force, by default one made from ``base``. Only for the holder of the lock.

        Each segment that is not in place yet is expected, whole and closed, under its name followed by
        ``.tmp``. A kill at any moment leaves either version in force, never something between.
        """
        manifest = Manifest(
            SCHEMA, VERSION, number, (parent or base).number, datetime.now(UTC), next_key, segments, made_by
        )
        try:
            for segment in segments:
                path = self.segment_path(segment.name)
                if not path.exists():
                    path.with_name(path.name + TEMPORARY).rename(path)
            sync(self.path / "segments")
            self._publish(manifest)
        except OSError as error:
            raise broken(self.path, error) from None
        return manifest

    def _publish(self, manifest: Manifest) -> None:
        text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
        replace(self.path / "manifests" / f"{manifest.name}.json", text)
        replace(self.path / "CURRENT", f"{manifest.name}\n".encode())

    def _open_lock(self) -> FileIO:
        """The lock file, in a folder with all that belongs into one; raises DatabaseError."""
        ours = {"CURRENT", "CURRENT" + TEMPORARY, "lock", *FOLDERS}
        try:
            if self.path.exists():
                found = {path.name for path in self.path.iterdir()} if self.path.is_dir() else {""}
                if "CURRENT" not in found and found - ours:
                    raise self._missing()
            for folder in FOLDERS:
                (self.path / folder).mkdir(parents=True, exist_ok=True)
            return open(self.path / "lock", "a+b", buffering=0)
        except OSError as error:
            raise broken(self.path, error) from None

    def _clean(self) -> None:
        """Removes what killed writers left: unfinished files, and segments of versions never written."""
        for folder in (self.path, self.path / "manifests", self.path / "segments"):
            for path in folder.glob(f"*{TEMPORARY}*"):
                discard(path)
        number = self.next_number()
        for path in (self.path / "segments").glob("*.duckdb"):
            if NAME.fullmatch(path.stem) and int(path.stem) >= number:
                path.unlink()


def discard(path: Path) -> None:
    """Removes an unfinished file, or a folder of them, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def seal(path: Path) -> str:
    """Brings a finished file safely to disk; its SHA-256 (hex).

    Only for a file that this process no longer has open in DuckDB: closing another handle would drop
    DuckDB's lock on it.
    """
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        os.fsync(file.fileno())
    return digest


def replace(path: Path, content: bytes) -> None:
    """Puts a file in the place of another, whole or not at all."""
    temporary = path.with_name(path.name + TEMPORARY)
    with open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(path)
    sync(path.parent)


def sync(folder: Path) -> None:
    """Makes the renames in a folder outlast a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def broken(path: Path, error: Exception) -> DatabaseBroken:
    """What to tell where a file of the database could not be read or written."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    why = why.rpartition("Original error: ")[2].partition("\n")[0]
    return DatabaseBroken(N_("{path} cannot be read or written: {why}."), path=path, why=why.rstrip("."))
