"""The lock of the one writer. It is the kernel's, so that of a dead process is free at once."""

from __future__ import annotations

import fcntl
import os
import time
from io import FileIO
from pathlib import Path
from typing import Final

PATIENCE: Final = 0.1
"""Seconds a writer tries in any case: who asks who is writing holds the lock for an instant."""


def acquire(file: FileIO, wait: float) -> str | None:
    """Locks a lock file, open for appending, until it is closed, and writes this process's id into it.

    Tries for ``wait`` seconds. Returns the process id of whoever holds the lock, None once it is ours.
    """
    deadline = time.monotonic() + max(wait, PATIENCE)
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return _name_of(file)
            time.sleep(0.02)
            continue
        file.truncate(0)
        file.write(b"%d\n" % os.getpid())
        return None


def holder(path: Path) -> str | None:
    """The process id of whoever holds the lock, ``?`` if it is not to be learnt; None if nobody does."""
    try:
        with open(path, "rb", buffering=0) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return _name_of(file)
    except OSError:
        pass
    return None


def _name_of(file: FileIO) -> str:
    file.seek(0)
    found = file.read(20).strip()
    return found.decode() if found.isdigit() else "?"
