"""What people decided: rulings, payments, aliases, closed evenings, settings. Only ever added to.

One line of JSON an entry, each with the SHA-256 of the line before it, so that a later change to any of
them is detected and named; the last one's stands in a file ``head`` beside them, so that a change to it, and
entries cut off the end, are noticed as well. (Whoever exchanges both files is found out by a head kept
elsewhere, as printed on an evening's sheet.) An entry is on disk before :meth:`Journal.append` returns. A
line that a killed writer left unfinished was never an entry: readers pass over it, the next writer removes
it; a head of the entry before the last is what one leaves that was killed in between.
The journal belongs to the database folder but to none of its versions: a rollback leaves it alone.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from analyzer.locale import N_
from analyzer.store.database import Database, DatabaseBroken, broken, replace, sync

MAX_ENTRY: Final = 64 * 1024
"""Bytes of one entry."""

START: Final = "0" * 64
"""What stands for the line before the first."""

KIND: Final = re.compile(r"[a-z_]{1,40}")

_encoder: Final = msgspec.json.Encoder(order="sorted", decimal_format="string")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One decision. ``number`` counts from 1; ``data`` is what the ``kind`` needs, amounts as exact texts."""

    number: int
    at: datetime
    by: str
    """Who decided: the name that a person gave or logged in with."""
    kind: str
    data: dict[str, Any]
    previous: str
    """SHA-256 (hex) of the line before."""


class Journal:
    """The journal of a database folder that exists; nothing is read or made before a method is called."""

    def __init__(self, database: Database) -> None:
        self.path = database.path / "journal" / "decisions.ndjson"

    def entries(self, *kinds: str) -> tuple[Entry, ...]:
        """All entries, or those of these kinds, in the order in which they were made.

        Raises DatabaseBroken, naming the line, where one is not what was written.
        """
        return tuple(entry for entry, _ in self._read() if not kinds or entry.kind in kinds)

    def state(self) -> int:
        """Something that differs whenever an entry was added: what readers are cached under."""
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise broken(self.path, error) from None

    def head(self, number: int | None = None) -> str:
        """The last entry's number and the SHA-256 of its line, ``12:ab…``; empty where there is none.

        Whoever keeps it can tell later whether an entry up to it was changed, or cut off the end. With a
        ``number`` it is the head as it was after that entry.
        """
        last = deque((e for e in self._read() if number is None or e[0].number <= number), maxlen=1)
        return f"{last[0][0].number}:{hashlib.sha256(last[0][1]).hexdigest()}" if last else ""

    @property
    def has_head(self) -> bool:
        """Whether the head stands in its file; a journal without entries needs none."""
        return bool(self._head_file())

    def holds(self, head: str) -> bool:
        """Whether the entries up to a head that somebody kept are those that it was taken from."""
        number, _, sha256 = head.partition(":")
        if not number.isdecimal() or not sha256:
            return False
        return any(
            str(entry.number) == number and hashlib.sha256(line).hexdigest().startswith(sha256.lower())
            for entry, line in self._read()
        )

    def append(
        self,
        kind: str,
        data: Mapping[str, Any],
        by: str,
        check: Callable[[tuple[Entry, ...]], None] | None = None,
    ) -> Entry:
        """Adds an entry and returns it when it is safely on disk.

        ``check`` is shown all entries so far, with nobody else adding meanwhile, and may refuse by raising.
        Raises DatabaseBroken where it cannot be written, ValueError where the entry is too large.
        """
        if not KIND.fullmatch(kind):
            raise ValueError(f"{kind!r} is no kind of entry")
        with self._lock():
            known = list(self._read())
            if check is not None:
                check(tuple(entry for entry, _ in known))
            last = known[-1] if known else None
            entry = Entry(
                last[0].number + 1 if last else 1,
                datetime.now(UTC),
                by,
                kind,
                dict(data),
                hashlib.sha256(last[1]).hexdigest() if last else START,
            )
            line = _encoder.encode(entry) + b"\n"
            if len(line) > MAX_ENTRY:
                raise ValueError(f"an entry of {len(line)} bytes; at most {MAX_ENTRY} are kept")
            self._write(sum(len(text) + 1 for _, text in known), line)
            with suppress(OSError):  # the entry is there all the same
                head = f"{entry.number}:{hashlib.sha256(line[:-1]).hexdigest()}\n"
                replace(self.path.with_name("head"), head.encode())
        return msgspec.json.decode(line, type=Entry)

    def _read(self) -> Iterator[tuple[Entry, bytes]]:
        """Each entry with its line; an unfinished last line is no entry."""
        try:
            # First the head: what is added meanwhile is more than it knows, never less.
            last, _, sha256 = self._head_file().partition(":")
            content = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise broken(self.path, error) from None
        previous, number = START, 0
        for number, line in enumerate(content.split(b"\n")[:-1], 1):
            try:
                entry = msgspec.json.decode(line, type=Entry)
            except msgspec.DecodeError as error:
                raise self._changed(number, str(error)) from None
            if entry.number != number or entry.previous != previous:
                raise self._changed(number, f"{entry.number}, {entry.previous[:12]}")
            previous = hashlib.sha256(line).hexdigest()
            if str(number) == last and previous != sha256:
                raise self._changed(number, previous[:12])
            yield entry, line
        if last.isdecimal() and number < int(last[:18]):
            raise self._changed(number + 1, "—")

    def _head_file(self) -> str:
        """The head that was written last; empty in a journal that has none yet."""
        try:
            return self.path.with_name("head").read_text("ascii").strip()
        except (FileNotFoundError, UnicodeDecodeError):
            return ""

    def _changed(self, number: int, found: str) -> DatabaseBroken:
        return DatabaseBroken(
            N_(
                "{path}, line {line}: this entry, or the one before it, is not what was written ({found}). "
                "Put it and the file head beside it back from a copy; the hands are not touched by this."
            ),
            path=self.path,
            line=number,
            found=found,
        )

    def _write(self, end: int, line: bytes) -> None:
        """Writes a line after the last whole one."""
        try:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o644)
            try:
                os.ftruncate(descriptor, end)
                os.lseek(descriptor, end, os.SEEK_SET)
                written = os.write(descriptor, line)
                if written != len(line):
                    os.ftruncate(descriptor, end)
                    raise OSError(28, os.strerror(28))
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            if end == 0:
                sync(self.path.parent)
        except OSError as error:
            raise broken(self.path, error) from None

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """One writer at a time; the next waits the moment that an entry takes."""
        try:
            self.path.parent.mkdir(exist_ok=True)
            descriptor = os.open(self.path.parent / "lock", os.O_WRONLY | os.O_CREAT, 0o644)
        except OSError as error:
            raise broken(self.path, error) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
