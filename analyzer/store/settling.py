"""Judged chunks → stored rows: what each record is to the hands stored so far, and the key it gets.

Hands that surely are new, which is nearly all, are never looked at one by one. The others are decided in
the order of the sources.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from analyzer.logs.refusal import Place
from analyzer.store.accounting import TOLD, IngestReport, SourceReport, Word
from analyzer.store.chunks import ChunkResult, Unjudged
from analyzer.store.conflicts import Conflict
from analyzer.store.declared import TABLES
from analyzer.store.draft import Draft, Stored
from analyzer.store.rows import HAND, Rows, table_of

HANDS: Final = 8192
"""Hands after which a batch is written: DuckDB takes large ones faster."""

BYTES: Final = 32 * 1024 * 1024
"""Bytes of columns after which a batch is written, however few hands they are."""


class _Record(NamedTuple):
    """A record that needs a look: a row of a chunk's hands, or one that was not judged."""

    club_id: str
    hand_id: str
    revision: int
    sha256: str
    row: int
    unjudged: Unjudged | None


class Origin(NamedTuple):
    """Where a chunk comes from, and what is to be told of its source's hash."""

    source: SourceReport
    sha256: str | None


class _Judged:
    """The result of some chunks on its way into the draft."""

    def __init__(self, origins: Sequence[Origin], result: ChunkResult) -> None:
        self.origins = origins
        self.result = result
        self.rejected: set[int] = set()
        """The rows of its hands that are not stored."""
        self.refused: list[Unjudged] = []
        self.words: list[dict[Word, int]] = [{"quarantined": counts.refused} for counts in result.counts]
        """For each chunk what became of its records, as far as they are not accepted."""
        self.ends = list(accumulate(counts.hands for counts in result.counts))

    def chunk_of(self, record: _Record) -> int:
        """Which chunk a record is in."""
        return record.unjudged.chunk if record.unjudged is not None else bisect_right(self.ends, record.row)


class Settler:
    """Takes the results of chunks in order and writes them in large batches."""

    def __init__(self, draft: Draft, report: IngestReport, next_key: int) -> None:
        self.draft = draft
        self.report = report
        self.next_key = next_key
        self.pending: list[_Judged] = []
        self.hands = self.size = 0

    def take(self, origins: Sequence[Origin], result: ChunkResult) -> bool:
        """One more result, and where its chunks come from; whether a batch was written."""
        self.pending.append(_Judged(origins, result))
        self.hands += result.hands
        self.size += sum(table.get_total_buffer_size() for table in result.tables.values())
        if self.hands < HANDS and self.size < BYTES:
            return False
        self.settle()
        return True

    def settle(self) -> None:
        """Decides and writes what was taken."""
        pieces, self.pending, self.hands, self.size = self.pending, [], 0, 0
        if not pieces:
            return
        at = datetime.now(UTC)
        conflicts, superseded = self._decide(pieces)
        tables: dict[str, list[pa.Table]] = {}
        for piece in pieces:
            for name, table in self._stored(piece, at):
                if table.num_rows:
                    tables.setdefault(name, []).append(table)
            self._count(piece)
        for name, parts in tables.items():
            self.draft.insert(name, pa.concat_tables(parts))
        if superseded:
            self.draft.insert("superseded", pa.table({"hand_key": pa.array(superseded, pa.int64())}))
        if conflicts:
            self._write_conflicts(conflicts, at)

    # -- deciding --------------------------------------------------------------------------------

    def _decide(self, pieces: list[_Judged]) -> tuple[list[Conflict], list[int]]:
        """Which hands are not stored, what they are instead, and which keys are superseded."""
        conflicts: list[Conflict] = []
        superseded: list[int] = []
        looked_at = self._looked_at(pieces)
        if not any(looked_at):
            return conflicts, superseded
        known = self.draft.known({record[:2] for records in looked_at for record in records})
        key = self.next_key
        for piece, records in zip(pieces, looked_at, strict=True):
            for record in records:
                revisions = known.setdefault(record[:2], {})
                stored = revisions.get(record.revision)
                chunk = piece.chunk_of(record)
                if stored is None and record.unjudged is not None:
                    word: Word = "quarantined"
                    piece.refused.append(record.unjudged)
                elif stored is None:
                    own = key + record.row - len(piece.rejected)
                    word = "superseded" if revisions else "accepted"
                    if revisions:
                        highest = max(revisions)
                        superseded.append(revisions[highest].key if record.revision > highest else own)
                    revisions[record.revision] = Stored(record.sha256, own)
                else:
                    word = "unchanged"
                    if stored.sha256 != record.sha256:
                        word = "conflicting"
                        conflicts.append(_conflict(piece, record, stored, max(revisions)))
                    if record.unjudged is None:
                        piece.rejected.add(record.row)
                piece.words[chunk][word] = piece.words[chunk].get(word, 0) + 1
            key += piece.result.hands - len(piece.rejected)
        return conflicts, superseded

    def _looked_at(self, pieces: list[_Judged]) -> list[list[_Record]]:
        """For each chunk, in order, the records that may not be new."""
        hands = [piece.result.tables.get("hands") for piece in pieces]
        others = [_identities(piece.result.unjudged) for piece in pieces]
        doubtful = self.draft.doubtful(
            pa.concat_tables(
                [table.select(["club_id", "hand_id"]) for table in hands if table is not None] + others
            )
        )
        found = []
        for piece, table in zip(pieces, hands, strict=True):
            count = table.num_rows if table is not None else 0
            rows = [row for row in doubtful if 0 <= row < count]
            doubtful = [row - count for row in doubtful if row >= count]
            records = list(_records(table, rows)) if rows else []
            records += (
                _Record(one.club_id, one.hand_id, one.revision, one.sha256, one.hands, one)
                for one in piece.result.unjudged
            )
            records.sort(key=lambda record: (record.row, record.unjudged is None))
            found.append(records)
        return found

    # -- writing ---------------------------------------------------------------------------------

    def _stored(self, piece: _Judged, at: datetime) -> Iterator[tuple[str, pa.Table]]:
        """The rows that a chunk adds to each table, with what only the writer knows."""
        tables = dict(piece.result.tables)
        refused = [tables.pop("quarantine", None)]
        chunks = [index for index, counts in enumerate(piece.result.counts) for _ in range(counts.refused)]
        if piece.refused:
            rows = Rows()
            for one in piece.refused:
                rows.refuse(one.refusal)
                chunks.append(one.chunk)
            refused.append(rows.tables()["quarantine"])
        if chunks:
            hashes = pa.array([piece.origins[index].sha256 for index in chunks], pa.string())
            table = pa.concat_tables(filter(None, refused)).append_column("source_sha256", hashes)
            if piece.refused:  # in the order of the records
                by = [("chunk", "ascending"), ("source_offset", "ascending")]
                table = table.append_column("chunk", pa.array(chunks)).sort_by(by).drop_columns(["chunk"])
            yield "quarantine", _with(table, quarantined_at=at)
        hands = tables.pop("hands", None)
        if hands is None:
            return
        keys, first = _keys(self.next_key, hands.num_rows, piece.rejected)
        self.next_key = first
        identity = {"hand_key": keys, "club_id": hands["club_id"], "hand_id": hands["hand_id"]}
        rejected = bool(piece.rejected)
        hands = hands.append_column("hand_key", keys)
        if rejected:
            hands = hands.filter(pc.is_valid(keys))
        yield "hands", _with(hands, ingested_at=at)
        rules = tables.pop("rule_sets")
        if rejected:
            rules = rules.filter(pc.is_in(rules["sha256"], pc.unique(hands["rules_sha256"])))
        yield "rule_sets", rules
        for name, table in tables.items():
            if name == "acts":
                own = identity
            else:
                index = table[HAND]
                table = table.drop_columns([HAND])
                own = {column: values.take(index) for column, values in identity.items()}
            for column, values in own.items():
                table = table.append_column(column, values)
            yield name, table.filter(pc.is_valid(table["hand_key"])) if rejected else table

    def _count(self, piece: _Judged) -> None:
        result = piece.result
        for (source, _), counts, words in zip(piece.origins, result.counts, piece.words, strict=True):
            words["accepted"] = words.get("accepted", 0) + counts.records - sum(words.values())
            for word, number in words.items():
                source.count(word, number)
                self.report.count(word, number)
        told = [
            *result.refusals,
            *((one.record, message) for one in piece.refused for message in one.refusal.messages()),
        ]
        told.sort(key=lambda refusal: refusal[0])
        self.report.refusals += [message for _, message in told[: TOLD - len(self.report.refusals)]]

    def _write_conflicts(self, conflicts: list[Conflict], at: datetime) -> None:
        logs = self.draft.logs({conflict.kept.key for conflict in conflicts})
        untold = TOLD - len(self.report.conflicts)
        self.report.conflicts.extend(conflict.message() for conflict in conflicts[:untold])
        rows = [conflict.row(logs[conflict.kept.key], at) for conflict in conflicts]
        self.draft.insert("conflicts", table_of("conflicts", rows))


def _identities(unjudged: list[Unjudged]) -> pa.Table:
    return pa.table(
        {
            "club_id": pa.array([one.club_id for one in unjudged], pa.string()),
            "hand_id": pa.array([one.hand_id for one in unjudged], pa.string()),
        }
    )


def _records(hands: pa.Table, rows: list[int]) -> Iterator[_Record]:
    names = ("club_id", "hand_id", "revision", "content_sha256")
    columns = (hands[name].take(rows).to_pylist() for name in names)
    for club, hand, revision, sha256, row in zip(*columns, rows, strict=True):
        yield _Record(club, hand, revision, sha256, row, None)


def _conflict(piece: _Judged, record: _Record, kept: Stored, highest: int) -> Conflict:
    if (one := record.unjudged) is not None:
        return Conflict(one.refusal.place, *record[:4], one.raw, kept, highest)
    names = ("source_line", "source_index", "source_offset", "log")
    hands = piece.result.tables["hands"]
    line, index, offset, log = (hands[name][record.row].as_py() for name in names)
    path = piece.origins[piece.chunk_of(record)].source.path
    return Conflict(Place(path, line, index, offset), *record[:4], log.encode(), kept, highest)


def _keys(first: int, count: int, rejected: set[int]) -> tuple[pa.Array, int]:
    """The keys of a chunk's hands, null for those that are not stored, and the next free key."""
    if not rejected:
        return pa.array(range(first, first + count), pa.int64()), first + count
    after = list(accumulate((row not in rejected for row in range(count)), initial=first))
    keys = [None if row in rejected else key for row, key in enumerate(after[:-1])]
    return pa.array(keys, pa.int64()), after[-1]


def _with(table: pa.Table, **constants: Any) -> pa.Table:
    """A table with columns of which every row has the same value."""
    types = {name: type_ for columns in TABLES.values() for name, type_ in columns.items()}
    for name, value in constants.items():
        table = table.append_column(name, pa.repeat(pa.scalar(value, types[name]), table.num_rows))
    return table
