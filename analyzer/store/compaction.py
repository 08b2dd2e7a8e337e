"""Many small segments → few large ones: the same rows under the same keys in one new version.

Attaching a segment costs 1 ms and its file at least 0.2 MB, so a database that takes in a hand at a time
would grow slow and large by its segments alone. Only neighbours are merged, their rows in their order:
the order of what is stored never changes, and the numbers of the quarantine rest on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import msgspec

from analyzer.store.database import Database, DatabaseBusy, Manifest, Segment, broken
from analyzer.store.draft import drafting
from analyzer.store.relations import columns, union
from analyzer.store.versions import KEEP, prune

SMALL: Final = 64 * 1024 * 1024
"""Bytes below which a segment is merged with its small neighbours (some 80,000 hands). No larger one is ever
written again, so that a hand is rewritten a bounded number of times however much is stored."""

MANY: Final = 64
"""So many segments that merging would spare are worth doing it unasked."""

_BYTES_A_HAND: Final = 2500
"""Of the logs, about: decides the size of the blocks."""


@dataclass(frozen=True, slots=True)
class Compaction:
    """What a compaction did."""

    before: Manifest
    after: Manifest
    """The same as ``before`` where there was nothing to merge."""
    pruned: int
    """Old versions that were let go of."""


def compact(database: Database, *, keep: int = KEEP, small: int = SMALL, wait: float = 0) -> Compaction:
    """Merges neighbouring segments smaller than ``small`` bytes, and keeps ``keep`` versions.

    Readers of any version are not disturbed. Raises DatabaseError.
    """
    with database.lock(wait) as base:
        return _compact(database, base, list(_runs(database, base, small)), keep)


def compact_if_needed(database: Database, *, keep: int = KEEP) -> Compaction | None:
    """What an ingest calls when it is done: compacts if small segments have become many.

    None where they have not, or where another process is writing, whose own turn will come. Raises
    DatabaseError.
    """
    if len(database.manifest().segments) <= MANY:
        return None
    try:
        with database.lock() as base:
            runs = list(_runs(database, base, SMALL))
            if sum(len(run) - 1 for run in runs) < MANY:
                return None
            return _compact(database, base, runs, keep)
    except DatabaseBusy:
        return None


def _runs(database: Database, manifest: Manifest, small: int) -> Iterator[list[Segment]]:
    """The neighbours to merge."""

    def is_small(segment: Segment) -> bool:
        try:
            return database.segment_path(segment.name).stat().st_size < small
        except OSError as error:
            raise broken(database.segment_path(segment.name), error) from None

    for merge, run in groupby(manifest.segments, is_small):
        if merge and len(segments := list(run)) > 1:
            yield segments


def _compact(database: Database, base: Manifest, runs: list[list[Segment]], keep: int) -> Compaction:
    manifest = base
    if runs:
        number = database.next_number() - 1
        segments = list(base.segments)
        with ExitStack() as drafts:
            for run in runs:
                number += 1
                part = msgspec.structs.replace(base, segments=tuple(run))
                draft = drafts.enter_context(drafting(database, part, number, part.hands * _BYTES_A_HAND))
                for table in columns():
                    draft.connection.execute(f"INSERT INTO draft.{table} BY NAME {union(table, run)}")
                at = segments.index(run[0])
                segments[at : at + len(run)] = [draft.finish()]
            manifest = database.publish(base, number, base.next_key, tuple(segments), made_by="compaction")
    return Compaction(base, manifest, prune(database, keep))
