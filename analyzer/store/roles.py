"""Who may see which clubs, and who may decide: the journal's entries of kind ``role``.

The last entry about an address counts. A viewer sees the clubs of the entry and decides nothing; an
organiser sees all clubs and decides; ``none`` takes a role away. An address without an entry has no role.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final, Literal, NamedTuple, cast, get_args

from analyzer.locale import N_
from analyzer.store.database import Database, DatabaseError
from analyzer.store.journal import Entry, Journal

KIND: Final = "role"

RoleName = Literal["viewer", "organiser", "none"]
NAMES: Final[tuple[RoleName, ...]] = get_args(RoleName)

ADDRESS: Final = re.compile(r"[a-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[a-z0-9.-]{1,190}")
"""An e-mail address in lower case. ASCII alone: what looks alike in other scripts is another person."""


class RoleRefused(DatabaseError):
    """A role that cannot be given or taken; ``message`` says why."""


class Role(NamedTuple):
    """What one address may do. ``clubs`` are a viewer's; empty for others."""

    name: RoleName
    clubs: frozenset[str]
    by: str
    at: datetime


def roles(entries: Iterable[Entry]) -> dict[str, Role]:
    """E-mail address → role, of those that have one, from the journal's entries.

    An entry that this program cannot read takes the role away rather than leaving an older one.
    """
    found: dict[str, Role] = {}
    for entry in entries:
        if entry.kind != KIND or (email := address(entry.data.get("email"))) is None:
            continue
        found.pop(email, None)
        name, clubs = entry.data.get("role"), entry.data.get("clubs", [])
        if name in ("viewer", "organiser") and isinstance(clubs, list):
            own = frozenset(club for club in clubs if isinstance(club, str)) if name == "viewer" else ()
            found[email] = Role(cast(RoleName, name), frozenset(own), entry.by, entry.at)
    return found


def address(text: object) -> str | None:
    """An e-mail address as roles are kept under it; None for what is none."""
    if not isinstance(text, str) or not text.isascii():
        return None
    lower = text.strip().lower()
    return lower if ADDRESS.fullmatch(lower) else None


MOST_CLUB: Final = 256
"""Characters of a club's id, as logs may have them."""


def _is_text(text: str) -> bool:
    return text == text.encode("utf-8", "replace").decode()


def give(database: Database, email: str, name: RoleName, clubs: Iterable[str], by: str) -> Entry:
    """Enters a role in the journal. Raises RoleRefused, and DatabaseError where it cannot be written."""
    database.current()  # a journal belongs to a database that is there
    known = address(email)
    if known is None:
        raise RoleRefused(
            N_("{email} is no e-mail address. Write it as the login knows it, such as an@example.com."),
            email=repr(email),
        )
    own = sorted(set(clubs))
    if any(len(club) > MOST_CLUB or not _is_text(club) for club in own):
        raise RoleRefused(N_("A club's id has at most {n} characters, all of them text."), n=MOST_CLUB)
    if (name == "viewer") != bool(own):
        raise RoleRefused(
            N_("A viewer sees the clubs that are named with --club; an organiser sees all of them.")
        )
    journal = Journal(database)

    def has_role(entries: tuple[Entry, ...]) -> None:
        if name == "none" and known not in roles(entries):
            raise RoleRefused(N_("{email} has no role here: nothing to take away."), email=known)

    return journal.append(KIND, {"email": known, "role": name, "clubs": own}, by, has_role)
