"""Where the bytes of a source are: in a file of this machine, or wherever fsspec finds its address (``s3://…``)."""

from __future__ import annotations

import glob
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any


def is_address(source: str) -> bool:
    """Whether a source is named by an address instead of a path."""
    return "://" in source


def open_source(source: str) -> IO[bytes]:
    """A source open for reading, at its start. Raises OSError."""
    if not is_address(source):
        return open(source, "rb")
    files, path = _found(source)
    try:
        return io.BufferedReader(files.open(path, "rb"))
    except OSError:
        raise
    except Exception as error:  # whatever the library behind the address raises
        raise OSError(f"{type(error).__name__}: {error}") from None


def size_of(source: str) -> int:
    """Bytes of a source; none where that cannot be told."""
    try:
        if not is_address(source):
            return os.path.getsize(source)
        files, path = _found(source)
        return int(files.size(path) or 0)
    except Exception:
        return 0


def expand(patterns: Sequence[str | Path]) -> list[str]:
    """The sources that patterns with ``*``, ``?`` and ``[…]`` stand for, sorted; anything else as it is.

    An address of a folder stands for what lies in it. Raises OSError where an address cannot be read.
    """
    found: list[str] = []
    for pattern in map(str, patterns):
        if is_address(pattern):
            found += _expand_address(pattern)
        elif glob.has_magic(pattern) and not os.path.exists(pattern):
            found += sorted(glob.glob(pattern, recursive=True)) or [pattern]
        else:
            found.append(pattern)
    return found


def _expand_address(pattern: str) -> list[str]:
    files, path = _found(pattern)
    try:
        if glob.has_magic(path):
            paths = sorted(files.glob(path))
        elif files.isdir(path):
            paths = sorted(files.find(path))
        else:
            return [pattern]
    except OSError:
        raise
    except Exception as error:
        raise OSError(f"{pattern}: {type(error).__name__}: {error}") from None
    return [files.unstrip_protocol(path) for path in paths] or [pattern]


def _found(address: str) -> tuple[Any, str]:
    """The file system of an address and the path in it; raises OSError."""
    try:
        from fsspec.core import url_to_fs

        files, path = url_to_fs(address)
    except Exception as error:  # an unknown protocol, a library that is not installed, a bad address
        raise OSError(f"{type(error).__name__}: {error}") from None
    return files, path
