"""Starting the dashboards as a process of their own, on the loopback address."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

import click

from analyzer.locale import N_, Message

BESIDE: Final = Path(__file__).resolve().parents[1]
"""Where this package lies, with the pages and the samples beside it, in a checkout as when installed."""

HOST: Final = "127.0.0.1"
PORTS_TRIED: Final = 20


def sample_folder() -> Path:
    """The folder of sample hands that comes with the program."""
    return BESIDE / "sample_logs"


def run_dashboards(db: Path, port: int, lang: str) -> int:
    """Serves the pages until they are stopped; returns the server's exit status."""
    if not (db / "CURRENT").is_file():
        told = Message(
            N_("{db} is no database yet. Take hands in first: tienlen ingest PATH --db {db}"), db=str(db)
        )
        click.echo(told.render(lang), err=True)
        return 2
    free = free_port(port)
    if free != port:
        click.echo(Message(N_("Port {port} is taken."), port=port).render(lang), err=True)
    if free is None:
        told = Message(
            N_("No port up to {last} is free. Name another: --port N"), last=port + PORTS_TRIED - 1
        )
        click.echo(told.render(lang), err=True)
        return 2
    port = free
    for stop in (signal.SIGTERM, signal.SIGHUP):  # the server must not outlive this process
        signal.signal(stop, lambda *_: sys.exit(0))
    address = f"http://{HOST}:{port}"
    click.echo(
        Message(N_("The dashboards are at {address} (Ctrl-C ends them)."), address=address).render(lang),
        err=True,
    )
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "streamlit", "run", str(app_path())),
            *("--server.address", HOST, "--server.port", str(port), "--server.headless", "true"),
            *("--browser.gatherUsageStats", "false"),
        ],
        env={**os.environ, "TIENLEN_DB": str(db.resolve()), "TIENLEN_LANG": lang},
        stdout=subprocess.DEVNULL,
    )
    try:
        if sys.stdout.isatty():
            click.launch(address)
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        if server.poll() is None:
            server.terminate()
            server.wait(10)


def app_path() -> Path:
    """The file that Streamlit runs."""
    return BESIDE / "dashboards" / "app.py"


def free_port(wanted: int) -> int | None:
    """The wanted port, or the next one that nobody uses; None where the ports after it are taken too."""
    for port in range(wanted, min(wanted + PORTS_TRIED, 65_536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return port
    return None
