"""Taking in the files of folders as they appear and grow, until somebody stops it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Final, NoReturn

from analyzer.logs.carriers import source_files
from analyzer.logs.reading import MAX_RECORD
from analyzer.store.accounting import IngestReport
from analyzer.store.cutting import LINES
from analyzer.store.database import DatabaseBusy

EVERY: Final = 1.0
"""Seconds between two looks."""

STILL: Final = 0.9
"""Seconds for which a file must not have changed before it is taken."""

STILL_LONGER: Final = 5.0
"""Seconds after which a last line without an end is taken for a whole one."""


@dataclass(slots=True)
class _File:
    """A file: its size and time of change, since when it has had them, and how much of it is taken."""

    stamp: tuple[int, int]
    since: float
    taken: int | None = None


class Watcher:
    """Looks at paths again and again. ``take`` is called with the files that are to be taken in, and how
    many bytes of each; it raises DatabaseBusy where that must wait."""

    def __init__(self, paths: Sequence[str], take: Callable[[dict[str, int]], IngestReport]) -> None:
        self.paths = paths
        self.take = take
        self.files: dict[str, _File] = {}

    def run(self, tell: Callable[[IngestReport | DatabaseBusy], None]) -> NoReturn:
        """Goes on until an exception ends it; tells of each round in which something was taken in.

        Where another process is writing to the database, that is told once and tried again.
        """
        busy = False
        while True:
            try:
                report = self.look(monotonic())
                busy = False
                if report is not None:
                    tell(report)
            except DatabaseBusy as error:
                if not busy:
                    tell(error)
                busy = True
            sleep(EVERY)

    def look(self, now: float) -> IngestReport | None:
        """One round, at the time ``now`` in seconds: takes in the files that have been still."""
        known, self.files = self.files, {}
        ready: dict[str, int] = {}
        for path in source_files(self.paths):
            if not isinstance(path, str):
                continue
            with suppress(OSError):  # gone since it was found
                found = os.stat(path)
                stamp = found.st_size, found.st_mtime_ns
                file = known.get(path) or _File(stamp, now)
                if file.stamp != stamp:
                    grown = found.st_size > file.stamp[0]
                    file = _File(stamp, now, file.taken if grown else None)
                self.files[path] = file
                size = _whole(path, found.st_size, now - file.since)
                if now - file.since >= STILL and size != file.taken:
                    ready[path] = size
        if not ready:
            return None
        report = self.take(ready)
        for path, size in ready.items():
            self.files[path].taken = size
        return report


def _whole(path: str, size: int, still: float) -> int:
    """How many bytes of a file are whole records, as far as its line ends tell. Raises OSError."""
    if not path.endswith(LINES) or still >= STILL_LONGER or not size:
        return size
    tail = min(size, MAX_RECORD + 1)
    with open(path, "rb") as file:
        file.seek(size - tail)
        end = file.read(tail).rfind(b"\n") + 1
    return size - tail + end if end or tail == size else size
