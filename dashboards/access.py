"""Who looks at the pages, which clubs that person sees, and what that person may do.

On the loopback address, without a login, whoever sits at this machine is the organiser, under the name that
he or she gives. Everywhere else visitors log in (OpenID Connect), and the journal says what their e-mail
address may do. In doubt nobody may do anything.
"""

from __future__ import annotations

import getpass
import ipaddress
import os
import time
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

import streamlit as st

from analyzer.store.database import Database, DatabaseError
from analyzer.store.journal import Journal
from analyzer.store.roles import KIND, Role, address, roles
from analyzer.store.typed import unfit
from dashboards.browser import remembered_name

SESSION: Final = 12 * 60 * 60
"""Seconds after a login for which it holds: a long evening, and not the next one."""

NAME: Final = 100
"""Characters of a name that somebody gives."""

GIVEN: Final = "name-given"
"""Where a session keeps the name that was given in it; empty where it was taken back."""

FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Real-Ip")
"""Headers of a request that somebody's proxy passed on: it may come from anywhere."""


class Visitor(NamedTuple):
    """Somebody who may see something. ``clubs`` are those he may see; None for all."""

    name: str
    edits: bool
    clubs: frozenset[str] | None


class Refused(Enum):
    """Why somebody may see nothing."""

    NO_LOGIN = "others can reach this server, and no login is set up"
    LOGGED_OUT = "not logged in yet"
    EXPIRED = "logged in too long ago"
    UNPROVEN = "the provider does not vouch for the e-mail address"
    STRANGER = "logged in, without a role"
    UNREADABLE = "the journal with the roles cannot be read"


def folder() -> Path:
    """The database folder of this server."""
    return Path(os.environ.get("TIENLEN_DB") or "tienlen-db").absolute()


def visitor() -> Visitor | Refused:
    """Who looks at this page, or why that person may not."""
    if not login_is_set_up():
        local = _is_loopback(st.get_option("server.address")) and not _forwarded()
        return Visitor(given_name() or account_name(), True, None) if local else Refused.NO_LOGIN
    told = st.user.to_dict()
    if told.get("is_logged_in") is not True:
        return Refused.LOGGED_OUT
    if not _is_recent(told.get("iat")):
        return Refused.EXPIRED
    email = address(told.get("email"))
    if email is None or told.get("email_verified") not in (True, "true"):
        return Refused.UNPROVEN
    try:
        role = _roles().get(email)
    except DatabaseError:
        return Refused.UNREADABLE
    if role is None:
        return Refused.STRANGER
    return Visitor(email, True, None) if role.name == "organiser" else Visitor(email, False, role.clubs)


def editor() -> str | None:
    """The name under which this visitor's decisions are entered; None where the visitor may only look."""
    found = visitor()
    return found.name if isinstance(found, Visitor) and found.edits else None


def given_name() -> str:
    """The name that whoever sits at this machine gave, in this session or to this browser; empty if none."""
    told: str | None = st.session_state.get(GIVEN)
    return told if told is not None else read_name(remembered_name()) or ""


def read_name(text: str) -> str | None:
    """A name as it is kept; None for what is none: too long, or with characters that nobody sees."""
    name = " ".join(text.split())
    return name if unfit("by", name, NAME) is None else None


def account_name() -> str:
    """The account of this machine that the server runs under."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name, as in some containers
        return "organiser"


def clubs() -> frozenset[str] | None:
    """The clubs that this visitor may see; None for all of them."""
    found = visitor()
    return found.clubs if isinstance(found, Visitor) else frozenset()


def login_is_set_up() -> bool:
    """Whether visitors log in. A login file that has gone or cannot be read lets nobody in."""
    return bool(os.environ.get("TIENLEN_AUTH")) or (st.secrets.load_if_toml_exists() and "auth" in st.secrets)


def restricted_name(version: str, clubs: frozenset[str] | None) -> str:
    """The name of a version as it is seen by somebody who may see these clubs, all where None."""
    if clubs is None:
        return version
    return " ".join([version, "only", *sorted(quote(club, safe="") for club in clubs)])


def split_name(name: str) -> tuple[str, frozenset[str] | None]:
    """The version and the clubs of such a name."""
    version, only, clubs = name.partition(" only")
    return version, frozenset(map(unquote, clubs.split(" ")[1:])) if only else None


def _roles() -> Mapping[str, Role]:
    database = Database(folder())
    return _roles_at(str(database.path), Journal(database).state())


@st.cache_resource(max_entries=2, show_spinner=False)
def _roles_at(path: str, state: int) -> dict[str, Role]:
    return roles(Journal(Database(path)).entries(KIND))


def _is_recent(issued: object) -> bool:
    """Whether a login of this moment (seconds since 1970) still holds."""
    return isinstance(issued, int | float) and -300 <= time.time() - issued < SESSION


def _is_loopback(host: object) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _forwarded() -> bool:
    headers = st.context.headers
    return any(name in headers for name in FORWARDED)
