"""Starting the dashboards as a process of their own: for this machine alone, or for others after a login."""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

import click

from analyzer.auth_file import LOOPBACK, Auth, AuthFault, read_auth
from analyzer.locale import N_, Message

BESIDE: Final = Path(__file__).resolve().parents[1]
"""Where this package lies, with the pages and the samples beside it, in a checkout as when installed."""

HOST: Final = "127.0.0.1"
PORTS_TRIED: Final = 20


class CannotServe(Exception):
    """Why the pages are not served, and what to do; ``message`` says it."""

    def __init__(self, text: str, **values: object) -> None:
        self.message = Message(text, **values)
        super().__init__(self.message.render("en"))


def sample_folder() -> Path:
    """The folder of sample hands that comes with the program."""
    return BESIDE / "sample_logs"


def run_dashboards(db: Path, port: int, lang: str, host: str = HOST, auth_file: Path | None = None) -> int:
    """Serves the pages until they are stopped; returns the server's exit status.

    ``host`` is an address of this machine. One that is not loopback needs ``auth_file``, the login.
    """
    try:
        auth = read_auth(auth_file) if auth_file is not None else None
        check_host(host, auth)
        free = _find_port(db, host, port, auth)
    except (AuthFault, CannotServe) as fault:
        click.echo(fault.message.render(lang), err=True)
        return 2
    if free != port:
        click.echo(Message(N_("Port {port} is taken."), port=port).render(lang), err=True)
    if free is None:
        told = Message(
            N_("No port up to {last} is free. Name another: --port N"), last=port + PORTS_TRIED - 1
        )
        click.echo(told.render(lang), err=True)
        return 2
    for stop in (signal.SIGTERM, signal.SIGHUP):  # the server must not outlive this process
        signal.signal(stop, lambda *_: sys.exit(0))
    address = auth.address.replace("{port}", str(free)) if auth else f"http://{_in_address(host)}:{free}"
    told = Message(N_("The dashboards are at {address} (Ctrl-C ends them)."), address=address)
    click.echo(told.render(lang), err=True)
    if auth is not None and not _has_organiser(db):
        told = Message(N_("Nobody is organiser yet: tienlen access grant EMAIL --role organiser"))
        click.echo(told.render(lang), err=True)
    server = subprocess.Popen(
        command(host, free, auth),
        env={
            **os.environ,
            "TIENLEN_DB": str(db.resolve()),
            "TIENLEN_LANG": lang,
            "TIENLEN_AUTH": str(auth.file) if auth else "",
        },
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


def command(host: str, port: int, auth: Auth | None) -> list[str]:
    """What runs the server. Who gets in is said here, so that no setting of the machine can say otherwise."""
    options = {
        "server.address": [host],
        "server.port": [str(port)],
        "server.headless": ["true"],
        "server.enableCORS": ["true"],
        "server.enableXsrfProtection": ["true"],
        "server.trustedUserHeaders": ["{}"],
        "server.enableAgentApi": ["false"],
        # A page elsewhere could give its own name this machine's address, and be taken for this machine's.
        "server.allowedHosts": [*LOOPBACK, *([auth.host] if auth else [])],
        "client.showErrorDetails": ["none"],
        "browser.gatherUsageStats": ["false"],
    }
    if auth is not None:
        options["secrets.files"] = [str(auth.file)]
    flags = [part for name, values in options.items() for value in values for part in (f"--{name}", value)]
    return [sys.executable, "-m", "streamlit", "run", str(app_path()), *flags]


def check_host(host: str, auth: Auth | None) -> None:
    """Refuses an address that others can reach where there is no login. Raises CannotServe."""
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise CannotServe(
            N_("{host} is no IP address. Write one of this machine, such as 127.0.0.1 or 0.0.0.0."), host=host
        ) from None
    if not loopback and auth is None:
        raise CannotServe(
            N_(
                "Others can reach {host}, and there is no login: anybody could see and change everything. "
                "Set one up with --auth FILE.toml, or leave --host out."
            ),
            host=host,
        )


def app_path() -> Path:
    """The file that Streamlit runs."""
    return BESIDE / "dashboards" / "app.py"


def _find_port(db: Path, host: str, port: int, auth: Auth | None) -> int | None:
    if not (db / "CURRENT").is_file():
        raise CannotServe(
            N_("{db} is no database yet. Take hands in first: tienlen ingest PATH --db {db}"), db=str(db)
        )
    if auth is not None:  # the provider sends visitors back to one port only
        if free_port(port, host, 1) is None:
            raise CannotServe(
                N_("Port {port} of {host} cannot be listened on. Name another: --port N"),
                port=port,
                host=host,
            )
        return port
    return free_port(port, host)


def free_port(wanted: int, host: str = HOST, tried: int | None = None) -> int | None:
    """The wanted port, or the next one that nobody uses; None where the ports after it are taken too."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in range(wanted, min(wanted + (tried or PORTS_TRIED), 65_536)):
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    return None


def _has_organiser(db: Path) -> bool:
    from analyzer.store.database import Database, DatabaseError
    from analyzer.store.journal import Journal
    from analyzer.store.roles import KIND, roles

    try:
        found = roles(Journal(Database(db)).entries(KIND))
    except DatabaseError:
        return False
    return any(role.name == "organiser" for role in found.values())


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
