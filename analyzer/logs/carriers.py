"""Files, folders and standard input → records, one at a time, in bounded memory.

``.json`` holds one hand or an array of hands (read element by element), ``.ndjson`` and ``.jsonl`` one
hand a line, ``.van`` hands in the text notation; ``.gz`` and ``.zst`` of each are read as they are. A path
that is named may also end in ``.txt``, which is notation too. One bad record never costs the file.
"""

from __future__ import annotations

import gzip
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple

import msgspec

from analyzer.locale import N_, Message
from analyzer.logs.hand import Hand
from analyzer.logs.notation import fault_of, read_chunk
from analyzer.logs.notation.hands import cut
from analyzer.logs.reading import MAX_RECORD, read
from analyzer.logs.refusal import RAW_LIMIT, Fault, Place, Refusal
from analyzer.logs.sources import is_address, open_source
from analyzer.rules.ruleset import RuleSet

CHUNK: Final = 1 << 18
STDIN: Final = "-"
SUFFIXES: Final = tuple(
    carrier + packing for carrier in (".json", ".ndjson", ".jsonl", ".van") for packing in ("", ".gz", ".zst")
)
ENDINGS: Final = ", ".join(SUFFIXES[::3]) + " (.gz, .zst)"
"""The same for people."""
DOCUMENTS: Final = (".json", ".json.gz", ".json.zst")
NOTATION: Final = (".van", ".van.gz", ".van.zst", ".txt")
NAMED: Final = (*SUFFIXES, ".txt")
"""Endings of a path that is named; what a folder holds as ``.txt`` is not taken for hands."""

_BOM: Final = b"\xef\xbb\xbf"
_MARK: Final = re.compile(rb'["{}\[\],\\\n]')


class Read(NamedTuple):
    """A record that was read: its hand, the rules it names, its canonical bytes and its own text."""

    place: Place
    hand: Hand
    rules: RuleSet
    canonical: bytes
    raw: bytes


class Raw(msgspec.Struct, frozen=True, gc=False):
    """The text of one record; ``size`` is its full length where ``text`` is only its beginning, ``hand`` its
    number (from 1) in a text of the notation."""

    line: int | None
    element: int | None
    offset: int
    text: bytes
    size: int
    hand: int | None = None


def source_files(paths: Sequence[str | Path]) -> Iterator[str | Refusal]:
    """The files that these paths name, folders walked in sorted order, ``-`` for standard input.

    A path that cannot be read comes back as a Refusal; an address is opened only when it is read. Inside
    folders only regular files with a known suffix are taken; links to folders are not followed, and a
    database folder is not walked into.
    """
    for path in paths:
        name = os.fspath(path)
        if name == STDIN:
            yield name
            continue
        if is_address(name):
            yield name if name.endswith(NAMED) else _unreadable(name, "an unknown kind of file")
            continue
        try:
            mode = os.stat(name).st_mode
        except OSError as error:
            yield _unreadable(name, error.strerror or str(error))
            continue
        if stat.S_ISDIR(mode):
            yield from _walk(name)
        elif not stat.S_ISREG(mode):
            yield _unreadable(name, "not a regular file")
        elif not name.endswith(NAMED):
            yield _unreadable(name, "an unknown kind of file")
        else:
            yield name


def _walk(top: str) -> Iterator[str | Refusal]:
    failed: list[OSError] = []
    for folder, folders, files in os.walk(top, onerror=failed.append):
        if "CURRENT" in files and "manifests" in folders:
            folders.clear()
            continue
        folders.sort()
        for error in failed:
            yield _unreadable(str(error.filename), error.strerror or str(error))
        failed.clear()
        for file in sorted(files):
            name = os.path.join(folder, file)
            if file.endswith(SUFFIXES) and os.path.isfile(name):
                yield name
    for error in failed:
        yield _unreadable(str(error.filename), error.strerror or str(error))


def _unreadable(name: str, why: str) -> Refusal:
    expected = Message(
        N_("a readable file ending in {suffixes}, a folder of such files, or -"),
        suffixes=ENDINGS,
    )
    return Refusal.of(Place(name, None, None, 0), Fault("unreadable", "", why, expected), b"")


def records(source: str, stdin: IO[bytes] | None = None) -> Iterator[Read | Refusal]:
    """Every record of one source; a source that breaks off in the middle ends with a Refusal."""
    for raw in raw_records(source, stdin):
        yield read_raw(source, raw)


def raw_records(source: str, stdin: IO[bytes] | None = None) -> Iterator[Raw | Refusal]:
    """The texts of :func:`records`, not read yet."""
    return to_its_end(source, 0, _cut(source, stdin))


def _cut(source: str, stdin: IO[bytes] | None) -> Iterator[Raw]:
    with _open(source, stdin) as stream:
        if source.endswith(DOCUMENTS):
            yield from _elements(stream)
        elif source.endswith(NOTATION):
            yield from typed(stream)
        else:
            yield from lines(stream)


def typed(stream: IO[bytes]) -> Iterator[Raw]:
    """The hands of a text in the notation."""
    for hand, (line, offset, text, size) in enumerate(cut(lambda: _more(stream), MAX_RECORD), 1):
        yield Raw(line, None, offset, text, size, hand)


def to_its_end(source: str, offset: int, found: Iterator[Raw]) -> Iterator[Raw | Refusal]:
    """What is found in a source from ``offset`` on, and a Refusal where it breaks off."""
    try:
        for raw in found:
            offset = raw.offset + raw.size
            yield raw
    except (OSError, EOFError, zlib.error, ValueError) as error:
        expected = Message(N_("a source that can be read to its end"))
        fault = Fault("unreadable", "", str(error) or type(error).__name__, expected)
        yield Refusal.of(Place(source, None, None, offset), fault, b"")


def place_of(source: str, raw: Raw) -> Place:
    """Where a record stands."""
    return Place(source, raw.line, raw.element, raw.offset, raw.hand)


def read_raw(source: str, raw: Raw | Refusal) -> Read | Refusal:
    """Reads the text of one record; a Refusal stays what it is."""
    if isinstance(raw, Refusal):
        return raw
    place = place_of(source, raw)
    if raw.size > MAX_RECORD:
        fault = Fault(
            "record_too_large",
            "",
            f"{raw.size} B",
            Message(N_("at most {n} bytes in one hand"), n=MAX_RECORD),
        )
        return Refusal.of(place, fault, raw.text)
    try:
        text = as_json(source, raw.text, raw.line)
        hand, rules, canonical = read(text)
    except Fault as fault:
        return Refusal.of(place, fault, raw.text)
    return Read(place, hand, rules, canonical, text)


def as_json(source: str, text: bytes, line: int | None) -> bytes:
    """A record as JSON: itself, unless its source holds notation, of which it begins on that line.

    Raises Fault, whose path is then the line and the column in the source.
    """
    if not source.endswith(NOTATION):
        return text
    reading = read_chunk(line or 1, 0, text, len(text))
    if reading.raw is None:
        raise fault_of(reading.problems)
    return reading.raw


@contextmanager
def _open(source: str, stdin: IO[bytes] | None) -> Iterator[IO[bytes]]:
    """The bytes of a source, unpacked; closed afterwards, but for standard input."""
    if source == STDIN:
        if stdin is None and sys.stdin is None:
            raise OSError("standard input is closed")
        yield stdin if stdin is not None else sys.stdin.buffer
        return
    with open_source(source) as stream:  # what unpacks it does not close it
        if source.endswith(".gz"):
            yield gzip.GzipFile(fileobj=stream)  # type: ignore[misc]
        elif source.endswith(".zst"):
            import pyarrow  # only here: it takes longer to import than most files to read

            yield pyarrow.input_stream(stream, compression="zstd")
        else:
            yield stream


def _more(stream: IO[bytes]) -> bytes:
    """The next bytes that are there: of a packed file that breaks off, all that can be unpacked."""
    return stream.read1(CHUNK)  # type: ignore[attr-defined,no-any-return]


# -- lines ---------------------------------------------------------------------------------------


def lines(stream: IO[bytes], number: int = 0, offset: int = 0) -> Iterator[Raw]:
    """The lines that are not blank; of one that is too long only the beginning is kept.

    ``number`` is how many lines stand before them in the source, and ``offset`` how many bytes.
    """
    rest = b""
    dropped = 0
    while chunk := _more(stream):
        if dropped:
            end = chunk.find(b"\n")
            if end < 0:
                dropped += len(chunk)
                continue
            number += 1
            yield Raw(number, None, offset, rest, dropped + end)
            offset += dropped + end + 1
            rest, dropped, chunk = b"", 0, chunk[end + 1 :]
        found = (rest + chunk).split(b"\n")
        rest = found.pop()
        for line in found:
            number += 1
            if line and number > 1 and line[-1:] == b"}":
                yield Raw(number, None, offset, line, len(line))
            else:
                yield from _line(line, number, offset)
            offset += len(line) + 1
        if len(rest) > MAX_RECORD:
            rest, dropped = rest[:RAW_LIMIT], len(rest)
    if dropped:
        yield Raw(number + 1, None, offset, rest, dropped)
    else:
        yield from _line(rest, number + 1, offset)


def _line(line: bytes, number: int, offset: int) -> Iterator[Raw]:
    if number == 1 and line.startswith(_BOM):
        line, offset = line[3:], 3
    line = line.rstrip(b"\r")
    if line and not line.isspace():
        yield Raw(number, None, offset, line, len(line))


# -- arrays --------------------------------------------------------------------------------------


def _elements(stream: IO[bytes]) -> Iterator[Raw]:
    """The hand of a ``.json`` file, or the elements of its array, found by their brackets alone.

    A raw line break cannot stand in a JSON text, so it also ends a text whose quote is missing: a
    broken element then costs itself only.
    """
    return _Elements(stream).run()


class _Elements:
    """A scanner over chunks; ``depth`` counts brackets inside the current element."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.buffer = b""
        self.base = 0
        self.size = 0

    def run(self) -> Iterator[Raw]:
        start = self._first()
        if start is None:
            return
        if self.buffer[start : start + 1] != b"[":
            yield from self._whole(start)
            return
        yield from self._array(start + 1)

    def _fill(self) -> bool:
        chunk = _more(self.stream)
        self.buffer += chunk
        return bool(chunk)

    def _first(self) -> int | None:
        """Where the first character of the document stands, past a BOM and white space."""
        while True:
            start = 3 if self.buffer.startswith(_BOM) else 0
            stripped = len(self.buffer) - len(self.buffer[start:].lstrip())
            if stripped < len(self.buffer) and (len(self.buffer) >= 3 or stripped > 0):
                return stripped
            if len(self.buffer) > MAX_RECORD:
                self.base += len(self.buffer)
                self.buffer = b""
            if not self._fill():
                stripped = len(self.buffer) - len(self.buffer[start:].lstrip())
                return stripped if stripped < len(self.buffer) else None

    def _whole(self, start: int) -> Iterator[Raw]:
        while len(self.buffer) - start <= MAX_RECORD:
            if not self._fill():
                text = self.buffer[start:].rstrip()
                yield Raw(1, None, self.base + start, text, len(text))
                return
        size = len(self.buffer) - start
        head = self.buffer[start : start + RAW_LIMIT]
        while chunk := _more(self.stream):
            size += len(chunk)
        yield Raw(1, None, self.base + start, head, size)

    def _array(self, position: int) -> Iterator[Raw]:
        index = 0
        depth = 0
        quoted = False
        start = position
        head = b""
        dropped = 0
        while True:
            match = _MARK.search(self.buffer, position)
            if match is None:
                position = len(self.buffer)
                if position - start > MAX_RECORD:
                    head = head or self.buffer[start : start + RAW_LIMIT]
                    dropped += position - start
                    self.base += position
                    self.buffer, position, start = b"", 0, 0
                elif start > CHUNK:
                    self.base += start
                    self.buffer, position, start = self.buffer[start:], position - start, 0
                if not self._fill():
                    text = self.buffer[start:].strip()
                    if text or dropped:
                        yield self._cut(index, start, position, head, dropped)
                    raise EOFError("the array is not closed")
                continue
            mark = match[0]
            at = match.start()
            position = at + 1
            if quoted:
                if mark == b"\\":
                    if position >= len(self.buffer) and not self._fill():
                        continue
                    position += 1
                elif mark == b'"' or mark == b"\n":
                    quoted = False
                continue
            if mark == b'"':
                quoted = True
            elif mark in b"{[":
                depth += 1
            elif mark in b"}]" and depth:
                depth -= 1
            elif mark == b"]" or (mark == b"," and not depth):
                text = self.buffer[start:at].strip()
                if text or dropped or mark == b",":
                    yield self._cut(index, start, at, head, dropped)
                    index += 1
                if mark == b"]":
                    yield from self._tail(position, index)
                    return
                start, head, dropped = position, b"", 0

    def _cut(self, index: int, start: int, end: int, head: bytes, dropped: int) -> Raw:
        """The element between two positions; where its beginning was dropped already, with its size."""
        body = self.buffer[start:end]
        lead = len(body) - len(body.lstrip()) if not dropped else 0
        text = body.strip()
        if dropped:
            return Raw(None, index, self.base + start - dropped, head, dropped + len(body))
        return Raw(None, index, self.base + start + lead, text, len(text))

    def _tail(self, position: int, index: int) -> Iterator[Raw]:
        """What stands after the array's end: nothing, or one record that cannot be read."""
        while not self.buffer[position:].strip():
            self.base += len(self.buffer)
            self.buffer, position = b"", 0
            if not self._fill():
                return
        yield Raw(
            None,
            index,
            self.base + position,
            self.buffer[position : position + RAW_LIMIT],
            len(self.buffer) - position,
        )
