"""The pages as `tienlen serve` serves them, on loopback, for as long as a test needs them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.request import urlopen

ROOT: Final = Path(__file__).parents[2]


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@contextmanager
def serving(folder: Path, database: Path, *options: str, port: int | None = None) -> Iterator[str]:
    """The address of a server over a database; its log is ``server.log`` in the folder."""
    port = port or free_port()
    command = [
        sys.executable,
        "-m",
        "analyzer",
        "serve",
        "--port",
        str(port),
        "--db",
        str(database),
        *options,
    ]
    log = folder / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=out, stderr=out
        )
    try:
        _wait(process, f"http://127.0.0.1:{port}/_stcore/health", log)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _wait(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    for _ in range(300):
        if process.poll() is not None:
            break
        try:
            with urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"the server did not start: {log.read_text('utf-8')}")
