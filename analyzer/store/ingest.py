"""Logs → judged hands in the database, one new version each time, with every record accounted for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, Protocol, TypeVar

import pyarrow as pa

from analyzer.logs.carriers import STDIN, source_files
from analyzer.logs.refusal import Refusal
from analyzer.logs.sources import size_of
from analyzer.store.accounting import IngestProgress, IngestReport, SourceReport
from analyzer.store.chunks import SIZE, Chunk, ChunkResult
from analyzer.store.cutting import cut
from analyzer.store.database import Database
from analyzer.store.draft import Draft, drafting
from analyzer.store.rows import storable, table_of
from analyzer.store.settling import Origin, Settler
from analyzer.store.workers import Bundle, Workers

SMALL: Final = 8 * 1024 * 1024
"""Bytes of records up to which no worker is started: that would take longer than the work."""

_EACH: Final = 1024
"""Bytes of records that a chunk of its own costs as much as."""

Tag = TypeVar("Tag")


class Judges(Protocol):
    """Whatever judges bundles of chunks: the result of each, with its tag, in their order."""

    def judge(self, bundles: Iterable[tuple[Tag, Bundle]]) -> Iterator[tuple[Tag, ChunkResult]]: ...


class _Bundle(NamedTuple):
    """Chunks that are judged together, where each comes from, and up to which byte all is read with them."""

    origins: list[Origin]
    chunks: list[Chunk]
    reached: int

    @property
    def length(self) -> int:
        """Bytes of records in it."""
        return sum(chunk.length for chunk in self.chunks)


def ingest(
    sources: Sequence[str | Path] | Mapping[str, int],
    database: Database | str | Path,
    *,
    workers: int | Judges = 1,
    progress: Callable[[IngestProgress], None] | None = None,
    stdin: IO[bytes] | None = None,
    mends: Mapping[str, Any] | None = None,
    chunk_size: int = SIZE,
    small: int = SMALL,
) -> IngestReport:
    """Takes files, folders and ``-`` (standard input) into a database, which is made if there is none.

    Sources that are a mapping say of how many bytes a file of lines is to be read at most.
    More than one worker judges in processes of their own, where there is more than ``small`` bytes of
    records; chunks of ``chunk_size`` bytes go to them, or to whatever else is given to judge them. None of
    this changes the result. All of it becomes
    visible in one new version at the end; where the ingest is broken off, by Ctrl-C, an error or a kill,
    the version before stays in force and nothing is half done. Where every record is taken in, ``mends``
    becomes a row of the table ``mended``. Raises DatabaseError.
    """
    if not isinstance(database, Database):
        database = Database(database)
    run = _Ingest(sources, stdin, progress, chunk_size)
    with database.lock() as base:
        number = database.next_number()
        with drafting(database, base, number, run.total) as draft:
            next_key = run.read_all(draft, base.next_key, workers, small)
            if mends is not None and not run.report.conflicting + run.report.quarantined:
                draft.insert("mended", pa.Table.from_pylist([mends]))
            segment = draft.finish()
            manifest = database.publish(base, number, next_key, (*base.segments, segment))
    run.report.version = manifest.name
    return run.report


class _Ingest:
    """One run over some sources."""

    def __init__(
        self,
        paths: Sequence[str | Path] | Mapping[str, int],
        stdin: IO[bytes] | None,
        progress: Callable[[IngestProgress], None] | None,
        chunk_size: int,
    ) -> None:
        self.found = list(source_files(list(paths)))
        self.limits = paths if isinstance(paths, Mapping) else {}
        self.stdin = stdin
        self.progress = progress
        self.chunk_size = chunk_size
        self.report = IngestReport()
        files = [source for source in self.found if isinstance(source, str)]
        self.total = None if STDIN in files else sum(map(size_of, files))

    def read_all(self, draft: Draft, next_key: int, workers: int | Judges, small: int) -> int:
        """Reads every source to its end and writes what it gave; the next free key."""
        settler = Settler(draft, self.report, next_key)
        bundles: Iterable[_Bundle] = self._bundles()
        with ExitStack() as until:
            if isinstance(workers, int):
                first, rest = _split(iter(bundles), small)
                bundles = chain(first, rest or ())
                workers = until.enter_context(Workers(workers if rest is not None else 1))
            for bundle, result in workers.judge((bundle, bundle.chunks) for bundle in bundles):
                if settler.take(bundle.origins, result) and self.progress is not None:
                    path = bundle.origins[-1].source.path
                    self.progress(IngestProgress(path, bundle.reached, self.total, self.report))
        settler.settle()
        rows = [
            (storable(source.path), source.sha256, source.read_at, source.records, *source.values())
            for source in self.report.sources
        ]
        if rows:
            draft.insert("readings", table_of("readings", rows))
        return settler.next_key

    def _bundles(self) -> Iterator[_Bundle]:
        """All chunks in order, the small ones bundled."""
        origins: list[Origin] = []
        chunks: list[Chunk] = []
        size = reached = 0
        for origin, chunk, reached in self._chunks():
            origins.append(origin)
            chunks.append(chunk)
            size += chunk.length + _EACH
            if 2 * size >= self.chunk_size:  # cut at line ends, a full one is a little shorter
                yield _Bundle(origins, chunks, reached)
                origins, chunks, size = [], [], 0
        if chunks:
            yield _Bundle(origins, chunks, reached)

    def _chunks(self) -> Iterator[tuple[Origin, Chunk, int]]:
        """Every chunk, where it comes from, and up to which byte all is read with it."""
        done = 0
        for found in self.found:
            path = found if isinstance(found, str) else found.place.source
            source = SourceReport(path=path, read_at=datetime.now(UTC))
            self.report.sources.append(source)
            if isinstance(found, Refusal):
                yield Origin(source, None), Chunk(path, content=[found]), done
                continue
            for chunk, reached in cut(
                source, self.chunk_size, self.stdin, self.limits.get(path, sys.maxsize)
            ):
                yield Origin(source, source.sha256), chunk, done + reached
            done += size_of(path) if path != STDIN else 0


def _split(bundles: Iterator[_Bundle], small: int) -> tuple[list[_Bundle], Iterator[_Bundle] | None]:
    """The first bundles, up to more than ``small`` bytes, and the others, None where there are none."""
    first: list[_Bundle] = []
    size = 0
    for bundle in bundles:
        first.append(bundle)
        size += bundle.length
        if size > small:
            return first, bundles
    return first, None
