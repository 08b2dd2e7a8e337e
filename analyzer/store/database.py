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

import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

import msgspec

from analyzer.locale import N_, Message
from analyzer.version import VERSION

SCHEMA: Final = 1
"""Version of the folder's layout and of schema.sql; a reader refuses a higher one."""

FOLDERS: Final = ("manifests", "segments", "journal")
TEMPORARY: Final = ".tmp"
NAME: Final = re.compile(r"[0-9]{8,18}")
"""The name of a version."""
"""Ends the name of every file that is not finished yet."""


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

    name: str
    sha256: str
    hands: int
    first_played_at: datetime | None
    last_played_at: datetime | None
    rows: dict[str, int]


class Manifest(msgspec.Struct, frozen=True):
    """One version of the database. ``parent`` is the version it was made from; numbers only rise."""

    schema: int
    program: str
    number: int
    parent: int | None
    written_at: datetime
    next_key: int
    """The first hand_key that no segment of this version uses."""
    segments: tuple[Segment, ...]

    @property
    def name(self) -> str:
        """The version's name, and its file's."""
        return name_of(self.number)

    @property
    def hands(self) -> int:
        """Hands stored, every revision counted."""
        return sum(segment.hands for segment in self.segments)


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
    def lock(self) -> Iterator[Manifest]:
        """Makes the caller the one writer, and tells the version in force; makes the folder if need be.

        The lock is the kernel's, so that of a dead process is free at once. Raises DatabaseBusy, with
        the writer's process id, where another one holds it.
        """
        with self._open_lock() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                raise DatabaseBusy(
                    N_("Process {pid} is writing to {path}. Wait until it is done, then run this again."),
                    path=self.path,
                    pid=file.read().strip() or "?",
                ) from None
            file.truncate(0)
            file.write(f"{os.getpid()}\n")
            file.flush()
            try:
                if not (self.path / "CURRENT").exists():
                    self._publish(Manifest(SCHEMA, VERSION, 0, None, datetime.now(UTC), 1, ()))
                manifest = self.manifest()
                self._clean()
            except OSError as error:
                raise broken(self.path, error) from None
            yield manifest

    def next_number(self) -> int:
        """The number of the next version. Only for the holder of the lock."""
        names = (path.stem for path in (self.path / "manifests").glob("*.json"))
        return 1 + max(int(name) for name in names if NAME.fullmatch(name))

    def publish(self, base: Manifest, number: int, next_key: int, segments: tuple[Segment, ...]) -> Manifest:
        """Puts a new version in force. Only for the holder of the lock.

        Each segment that ``base`` has not is expected, whole and closed, under its name followed by
        ``.tmp``. A kill at any moment leaves either version in force, never something between.
        """
        known = {segment.name for segment in base.segments}
        manifest = Manifest(SCHEMA, VERSION, number, base.number, datetime.now(UTC), next_key, segments)
        try:
            for segment in segments:
                if segment.name not in known:
                    path = self.segment_path(segment.name)
                    path.with_name(path.name + TEMPORARY).rename(path)
            _sync(self.path / "segments")
            self._publish(manifest)
        except OSError as error:
            raise broken(self.path, error) from None
        return manifest

    def _publish(self, manifest: Manifest) -> None:
        text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
        _replace(self.path / "manifests" / f"{manifest.name}.json", text)
        _replace(self.path / "CURRENT", f"{manifest.name}\n".encode())

    def _open_lock(self) -> IO[str]:
        """The lock file, in a folder with all that belongs into one; raises DatabaseError."""
        ours = {"CURRENT", "CURRENT" + TEMPORARY, "lock", *FOLDERS}
        try:
            if self.path.exists():
                found = {path.name for path in self.path.iterdir()} if self.path.is_dir() else {""}
                if "CURRENT" not in found and found - ours:
                    raise self._missing()
            for folder in FOLDERS:
                (self.path / folder).mkdir(parents=True, exist_ok=True)
            return open(self.path / "lock", "a+", encoding="ascii")
        except OSError as error:
            raise broken(self.path, error) from None

    def _clean(self) -> None:
        """Removes what killed writers left: unfinished files, and segments of versions never written."""
        for folder in (self.path, self.path / "manifests", self.path / "segments"):
            for path in folder.glob(f"*{TEMPORARY}*"):
                discard(path)
        versions = {path.stem for path in (self.path / "manifests").glob("*.json")}
        for path in (self.path / "segments").glob("*.duckdb"):
            if path.name[:8] not in versions:
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


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(path.name + TEMPORARY)
    with open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Makes the renames in a folder outlast a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def broken(path: Path, error: Exception) -> DatabaseBroken:
    """What to tell where a file of the database could not be read or written."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error).partition("\n")[0]
    return DatabaseBroken(N_("{path} cannot be read or written: {why}."), path=path, why=why.rstrip("."))
