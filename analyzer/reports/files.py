"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def write_file(path: Path, content: bytes, *, replace: bool) -> None:
    """Writes a file; through a link to it. Raises FileExistsError where it is there and may not be replaced,
    OSError otherwise, and where it is no ordinary file (a device, a folder), which stays what it is."""
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not an ordinary file", str(path))
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".tienlen-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        if replace:
            os.replace(temporary, path)
        else:
            os.link(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)
