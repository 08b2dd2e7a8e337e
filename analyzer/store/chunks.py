"""One chunk of records → the columns it adds to the tables: all the work that needs no database.

Chunks are independent of each other. :func:`judge_chunk` gives the same for the same chunk in whatever
process, and both a chunk and its result can be pickled.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import IO, Any, Final, NamedTuple

import pyarrow as pa

from analyzer.judge.amounts import MOST, exact
from analyzer.judge.judging import Judgement, judge_all
from analyzer.locale import N_, Message
from analyzer.logs.carriers import Raw, Read, lines, read_raw, to_its_end
from analyzer.logs.refusal import Fault, Refusal
from analyzer.logs.sources import open_source
from analyzer.store.accounting import TOLD
from analyzer.store.rows import Rows, too_large

SIZE: Final = 1024 * 1024
"""Bytes of records in a chunk, more or less."""

BATCH: Final = 16
"""Records that are read, then judged, then made rows of, together (see judge_all), unless they are so large
that together they have more than ``BATCH_SIZE`` bytes: what is judged takes far more memory than its text."""

BATCH_SIZE: Final = 64 * 1024


class Chunk(NamedTuple):
    """Some records of one source that stand next to each other.

    They are ``content`` itself, whole lines or records that were cut out already, or, where it is None,
    the ``size`` bytes of whole lines from ``offset`` on in the file ``source``. ``line`` is how many lines
    stand before them.
    """

    source: str
    offset: int = 0
    size: int = 0
    line: int = 0
    content: bytes | list[Raw | Refusal] | None = None
    sha256: str | None = None
    """SHA-256 (hex) of all bytes of the file, where it is known beforehand."""

    @property
    def length(self) -> int:
        """Bytes of records in it."""
        if isinstance(self.content, list):
            return sum(len(raw.text) for raw in self.content if isinstance(raw, Raw))
        return self.size if self.content is None else len(self.content)


class Unjudged(NamedTuple):
    """A record that was read but not judged: refused, unless it is stored already or conflicts."""

    chunk: int
    """Which of the chunks it is in."""
    record: int
    """Number of records before it, in all the chunks."""
    hands: int
    """Number of hands before it."""
    club_id: str
    hand_id: str
    revision: int
    sha256: str
    raw: bytes
    refusal: Refusal


class Counts(NamedTuple):
    """What became of one chunk: ``records`` = ``hands`` + ``refused`` + those that were not judged."""

    records: int
    hands: int
    refused: int


class ChunkResult(NamedTuple):
    """What became of some chunks, judged together: ``counts`` has them one by one, tables all in one.

    The tables ``hands`` and ``quarantine`` are in the order of the records; tables without rows are left
    out. :mod:`analyzer.store.rows` tells their columns. ``refusals`` are the first of quarantine, told,
    each with the number of records before it.
    """

    counts: list[Counts]
    tables: dict[str, pa.Table]
    refusals: list[tuple[int, Message]]
    unjudged: list[Unjudged]

    @property
    def hands(self) -> int:
        """Rows of the table ``hands``."""
        return sum(counts.hands for counts in self.counts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with its tables in Arrow's own format: pickling each of their many small columns takes
        six times as long."""
        packed = {name: _packed(table) for name, table in self.tables.items()}
        return _unpacked, (self.counts, packed, self.refusals, self.unjudged)


def _packed(table: pa.Table) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue()


def _unpacked(
    counts: list[Counts],
    tables: dict[str, pa.Buffer],
    refusals: list[tuple[int, Message]],
    unjudged: list[Unjudged],
) -> ChunkResult:
    read = {name: pa.ipc.open_stream(packed).read_all() for name, packed in tables.items()}
    return ChunkResult(counts, read, refusals, unjudged)


def judge_chunk(*chunks: Chunk) -> ChunkResult:
    """Reads and judges every record of a chunk, or of several small ones, which is cheaper together.

    What cannot be read is in the result, told as refused.
    """
    with _seldom_collecting():
        return _judged(chunks)


def _judged(chunks: Sequence[Chunk]) -> ChunkResult:
    rows = Rows()
    counts: list[Counts] = []
    refusals: list[tuple[int, Message]] = []
    unjudged: list[Unjudged] = []
    number = 0
    for index, chunk in enumerate(chunks):
        first, hands, refused = number, rows.hands, rows.refused
        for batch in _batches(_raws(chunk)):
            found = [read_raw(chunk.source, raw) for raw in batch]
            judged = iter(judge_all([(one.hand, one.rules) for one in found if isinstance(one, Read)]))
            for read in found:
                if isinstance(read, Refusal):
                    rows.refuse(read)
                    if len(refusals) < TOLD:
                        refusals += [(number, message) for message in read.messages()]
                else:
                    sha256 = hashlib.sha256(read.canonical).hexdigest()
                    refusal = _add(read, next(judged), sha256, rows)
                    if refusal is not None:
                        hand = read.hand
                        named = *hand.identity, hand.revision_number, sha256
                        unjudged.append(Unjudged(index, number, rows.hands, *named, read.raw, refusal))
                number += 1
        counts.append(Counts(number - first, rows.hands - hands, rows.refused - refused))
    return ChunkResult(counts, rows.tables(), refusals, unjudged)


def _add(read: Read, judgement: Judgement | Exception, sha256: str, rows: Rows) -> Refusal | None:
    """Adds a judged hand to the rows; the refusal where that cannot be done."""
    if isinstance(judgement, Exception):  # one hand that the program fails on must not cost the others
        return Refusal.not_judged(read.place, judgement, read.raw)
    if (amount := too_large(judgement)) is None:
        rows.add(read, judgement, sha256)
        return None
    expected = Message(N_("amounts up to {most}"), most=exact(MOST))
    fault = Fault("amount_too_large", "stake", exact(amount), expected)
    return Refusal.of(read.place, fault, read.raw)


def _batches(raws: Iterator[Raw | Refusal]) -> Iterator[list[Raw | Refusal]]:
    batch: list[Raw | Refusal] = []
    size = 0
    for raw in raws:
        batch.append(raw)
        size += raw.size if isinstance(raw, Raw) else 0
        if len(batch) == BATCH or size >= BATCH_SIZE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _raws(chunk: Chunk) -> Iterator[Raw | Refusal]:
    if isinstance(chunk.content, list):
        return iter(chunk.content)
    return to_its_end(chunk.source, chunk.offset, _lines(chunk))


def _lines(chunk: Chunk) -> Iterator[Raw]:
    if chunk.content is not None:
        assert isinstance(chunk.content, bytes)
        yield from lines(BytesIO(chunk.content), chunk.line, chunk.offset)
        return
    with open_source(chunk.source) as file:
        file.seek(chunk.offset)
        yield from lines(_Section(file, chunk.size), chunk.line, chunk.offset)  # type: ignore[arg-type]


class _Section:
    """The next ``size`` bytes of a file, and no more."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self.file = file
        self.left = size

    def read1(self, size: int) -> bytes:
        """Some bytes; none at the end. Raises EOFError where the file ends before."""
        data = self.file.read(min(size, self.left))
        if self.left and not data:
            raise EOFError("the file became shorter while it was read")
        self.left -= len(data)
        return data


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Spares a tenth of the time: a chunk's many objects all live until it is done, and none is in a
    cycle, so looking through them for garbage finds nothing. They must be gone when this ends: what comes
    next may well be such a look."""
    usual = gc.get_threshold()
    gc.set_threshold(100_000, 50, 1000)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
