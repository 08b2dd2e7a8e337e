"""Logs → judged hands in the database, one new version each time, with every record accounted for."""

from __future__ import annotations

import gc
import hashlib
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final, NamedTuple

import duckdb
import pyarrow as pa

from analyzer.judge.judging import judge
from analyzer.judge.settlement import exact
from analyzer.locale import N_, Message
from analyzer.logs.carriers import STDIN, Read, records, source_files
from analyzer.logs.reading import read as read_record
from analyzer.logs.refusal import Fault, Refusal
from analyzer.rules.house import house_of
from analyzer.rules.ruleset import RuleSet
from analyzer.store.accounting import TOLD, IngestProgress, IngestReport, SourceReport, Word
from analyzer.store.acts import to_json
from analyzer.store.database import Database, broken
from analyzer.store.differences import differences
from analyzer.store.draft import Draft, Revisions, Stored
from analyzer.store.rows import MOST, Batch, storable, too_large

RECORDS: Final = 1024
"""Records in a batch."""

BYTES: Final = 16 * 1024 * 1024
"""Bytes of records after which a batch is full, however few they are."""


class _Conflict(NamedTuple):
    read: Read
    sha256: str
    kept: Stored
    at: datetime

    def message(self) -> Message:
        """What was set aside, why, and how to have it taken."""
        return Message(
            N_(
                "{place}: hand {hand} is stored already and says something else there: the stored one stands "
                "and this one is set aside. Suggested fix: to correct the hand, write "
                '"revision": {next} into it.'
            ),
            place=str(self.read.place),
            hand=self.read.hand.hand_id,
            next=f'{{"number": {self.read.hand.revision_number + 1}}}',
        )


def ingest(
    sources: Sequence[str | Path],
    database: Database | str | Path,
    *,
    progress: Callable[[IngestProgress], None] | None = None,
    stdin: IO[bytes] | None = None,
) -> IngestReport:
    """Takes files, folders and ``-`` (standard input) into a database, which is made if there is none.

    All of it becomes visible in one new version at the end; where the ingest is broken off, by Ctrl-C,
    an error or a kill, the version before stays in force and nothing is half done. Raises DatabaseError.
    """
    if not isinstance(database, Database):
        database = Database(database)
    run = _Ingest(sources, stdin, progress)
    with database.lock() as base, _seldom_collecting():
        number = database.next_number()
        draft = Draft(database, base, number, run.total)
        try:
            run.read_all(draft, base.next_key)
            segment = draft.finish()
            manifest = database.publish(base, number, run.next_key, (*base.segments, segment))
        except duckdb.IOException as error:
            draft.discard()
            raise broken(database.path, error) from None
        except BaseException:
            draft.discard()
            raise
    run.report.version = manifest.name
    return run.report


class _Ingest:
    """One run: records gather in a batch, which is settled and written when it is full."""

    def __init__(
        self,
        paths: Sequence[str | Path],
        stdin: IO[bytes] | None,
        progress: Callable[[IngestProgress], None] | None,
    ) -> None:
        self.found = list(source_files(paths))
        self.stdin = stdin
        self.progress = progress
        self.report = IngestReport()
        self.pending: list[tuple[SourceReport, Read | Refusal]] = []
        self.size = 0
        self.rules: dict[tuple[str, str], RuleSet] = {}
        self.done = 0
        files = [source for source in self.found if isinstance(source, str)]
        self.total = None if STDIN in files else sum(map(_size, files))

    def read_all(self, draft: Draft, next_key: int) -> None:
        """Reads every source to its end and writes what it gave."""
        self.draft, self.next_key = draft, next_key
        for source in self.found:
            if isinstance(source, Refusal):
                self._take(self._source(source.place.source, None), source, 0)
            else:
                self._read(source)
        self._settle()
        self._write_sources()

    def _read(self, path: str) -> None:
        sha256 = None
        stream: _Hashed | None = None
        if path == STDIN:
            stream = _Hashed(self.stdin if self.stdin is not None else sys.stdin.buffer)
        else:
            with suppress(OSError), open(path, "rb") as file:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        source = self._source(path, sha256)
        packed = path.endswith((".gz", ".zst"))
        for record in records(path, stream):  # type: ignore[arg-type]
            self._take(source, record, 0 if packed else record.place.offset)
        if stream is not None:
            source.sha256 = stream.digest.hexdigest()
        else:
            self.done += _size(path)

    def _source(self, path: str, sha256: str | None) -> SourceReport:
        source = SourceReport(path=path, sha256=sha256, read_at=datetime.now(UTC))
        self.report.sources.append(source)
        return source

    def _take(self, source: SourceReport, record: Read | Refusal, offset: int) -> None:
        self.pending.append((source, record))
        self.size += len(record.raw)
        if len(self.pending) >= RECORDS or self.size >= BYTES:
            self._settle()
            if self.progress is not None:
                self.progress(IngestProgress(source.path, self.done + offset, self.total, self.report))

    # -- a full batch ----------------------------------------------------------------------------

    def _settle(self) -> None:
        """Decides of each pending record what it is, judges what is new, and writes it all."""
        pending, self.pending, self.size = self.pending, [], 0
        identities = {record.hand.identity for _, record in pending if isinstance(record, Read)}
        known = self.draft.known(identities) if identities else {}
        batch = Batch(self.next_key)
        conflicts: list[_Conflict] = []
        at = datetime.now(UTC)
        for source, record in pending:
            if isinstance(record, Read):
                revisions = known.setdefault(record.hand.identity, {})
                decided = self._decide(record, revisions, batch, conflicts, at)
            else:
                decided = record
            if isinstance(decided, Refusal):
                batch.refuse(decided, source.sha256, at)
                if len(self.report.refusals) < TOLD:
                    self.report.refusals.append(decided.message())
                decided = "quarantined"
            source.count(decided)
            self.report.count(decided)
        for table, rows in batch.tables():
            self.draft.insert(table, rows)
        self.next_key = batch.next_key
        if conflicts:
            self._write_conflicts(conflicts)

    def _decide(
        self, read: Read, revisions: Revisions, batch: Batch, conflicts: list[_Conflict], at: datetime
    ) -> Word | Refusal:
        """What one record is to the hands stored so far; its rows go into the batch if it is new."""
        sha256 = hashlib.sha256(read.canonical).hexdigest()
        number = read.hand.revision_number
        stored = revisions.get(number)
        if stored is not None:
            if stored.sha256 == sha256:
                return "unchanged"
            conflicts.append(_Conflict(read, sha256, stored, at))
            return "conflicting"
        try:
            judgement = judge(read.hand, house_of(read.rules))
        except Exception as error:  # one hand that the program fails on must not cost the others
            return Refusal.not_judged(read.place, error, read.raw)
        if (amount := too_large(judgement)) is not None:
            expected = Message(N_("amounts up to {most}"), most=exact(MOST))
            fault = Fault("amount_too_large", "stake", exact(amount), expected)
            return Refusal.of(read.place, fault, read.raw)
        key = batch.add(read, judgement, sha256, at)
        self.rules.setdefault((read.rules.id, read.rules.sha256), read.rules)
        word: Word = "accepted"
        if revisions:
            word = "superseded"
            highest = max(revisions)
            batch.rows["superseded"].append((revisions[highest].key if number > highest else key,))
        revisions[number] = Stored(sha256, key)
        return word

    def _write_conflicts(self, conflicts: list[_Conflict]) -> None:
        logs = self.draft.logs({conflict.kept.key for conflict in conflicts})
        rows = []
        untold = TOLD - len(self.report.conflicts)
        self.report.conflicts.extend(conflict.message() for conflict in conflicts[:untold])
        for read, sha256, kept, at in conflicts:
            told = differences(_canonical(logs[kept.key]), read.canonical)
            rows.append(
                {
                    "club_id": read.hand.club_id,
                    "hand_id": read.hand.hand_id,
                    "revision": read.hand.revision_number,
                    "kept_sha256": kept.sha256,
                    "content_sha256": sha256,
                    "found_at": at,
                    "source_path": storable(read.place.source),
                    "source_line": read.place.line,
                    "source_index": read.place.index,
                    "source_offset": read.place.offset,
                    "differences": to_json(told),
                    "log": read.raw.decode(),
                }
            )
        self.draft.insert("conflicts", pa.Table.from_pylist(rows))

    # -- the end ---------------------------------------------------------------------------------

    def _write_sources(self) -> None:
        rows = [
            (storable(source.path), source.sha256, source.read_at, source.records, *source.values())
            for source in self.report.sources
        ]
        batch = Batch(self.next_key)
        batch.rows["readings"] += rows
        for rules in self.rules.values():
            title, told = rules.title, to_json(rules.provenance)
            batch.rows["rule_sets"].append(
                (rules.id, rules.sha256, title.get("vi"), title.get("en"), rules.canonical, told)
            )
        for table, found in batch.tables():
            self.draft.insert(table, found)


def _canonical(log: bytes) -> bytes:
    """The canonical form of a stored record; the record itself where this program reads it no more."""
    try:
        return read_record(log)[2]
    except Fault:
        return log


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


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Spares a tenth of the time: a batch's many objects all live until it is written, and none is in a
    cycle, so looking through them for garbage again and again finds nothing."""
    usual = gc.get_threshold()
    gc.set_threshold(100_000, 50, 1000)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
