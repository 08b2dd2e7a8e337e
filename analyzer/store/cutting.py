"""Sources → chunks: a file of lines is cut at line ends by byte ranges, anything else record by record."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Final

from analyzer.logs.carriers import STDIN, Raw, raw_records
from analyzer.logs.refusal import Refusal
from analyzer.logs.sources import open_source
from analyzer.store.accounting import SourceReport
from analyzer.store.chunks import Chunk

LINES: Final = (".ndjson", ".jsonl")
"""Endings of the files that are cut by byte ranges."""


def cut(
    source: SourceReport, size: int, stdin: IO[bytes] | None = None, limit: int = sys.maxsize
) -> Iterator[tuple[Chunk, int]]:
    """The chunks of a source, of about ``size`` bytes, in order; its SHA-256 is set on the way.

    Beside each stands up to which byte of the file it reaches; of a packed file only its end is known.
    A source that cannot be read to its end has a Refusal as its last record. Of a file of lines no more
    than its first ``limit`` bytes are read.
    """
    if source.path == STDIN:
        stream = _Hashed(stdin) if (stdin := stdin or _stdin()) is not None else None
        for chunk in _gathered(source.path, size, stream):  # type: ignore[arg-type]
            yield chunk, 0
        source.sha256 = stream.digest.hexdigest() if stream is not None else None
    elif source.path.endswith(LINES):
        yield from _ranges(source, size, limit)
    else:
        with suppress(OSError), open_source(source.path) as file:
            source.sha256 = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
        for chunk in _gathered(source.path, size):
            yield chunk, 0


def _ranges(source: SourceReport, size: int, limit: int) -> Iterator[tuple[Chunk, int]]:
    """One pass over the bytes finds the hash and the cuts, a few words for each chunk."""
    digest = hashlib.sha256()
    cuts: list[tuple[int, int]] = []  # where a chunk ends, and how many lines stand before that
    position = lines = 0
    try:
        with open_source(source.path) as file:
            while block := file.read(min(size, limit - position)):
                digest.update(block)
                if end := block.rfind(b"\n") + 1:
                    lines += block.count(b"\n")
                    cuts.append((position + end, lines))
                position += len(block)
    except OSError:
        for chunk in _gathered(source.path, size):  # as far as it can be read, and then why not
            yield chunk, position
        return
    source.sha256 = digest.hexdigest()
    if not cuts or cuts[-1][0] < position:
        cuts.append((position, lines))
    start = line = 0
    for end, lines in cuts:
        yield Chunk(source.path, start, end - start, line, None, source.sha256), end
        start, line = end, lines


def _gathered(path: str, size: int, stream: IO[bytes] | None = None) -> Iterator[Chunk]:
    content: list[Raw | Refusal] = []
    length = 0
    for raw in raw_records(path, stream):
        content.append(raw)
        length += len(raw.text) if isinstance(raw, Raw) else 0
        if length >= size:
            yield Chunk(path, content=content)
            content, length = [], 0
    if content:
        yield Chunk(path, content=content)


class _Hashed(io.RawIOBase):
    """Standard input, whose bytes are hashed as they pass."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        """Some bytes; none at the end."""
        reader = getattr(self.stream, "read1", self.stream.read)
        data: bytes = reader(size)
        self.digest.update(data)
        return data


def _stdin() -> IO[bytes] | None:
    return sys.stdin.buffer if sys.stdin is not None else None
