"""What people decided, as the journal has it, read anew only when something was added."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from analyzer.judge.rulings import Case
from analyzer.store.database import Database
from analyzer.store.journal import Entry, Journal
from analyzer.store.roles import KIND as ROLE
from analyzer.store.rulings import Key, cases
from dashboards.access import clubs, editor, folder


def decisions(*kinds: str) -> tuple[Entry, ...]:
    """The entries that this visitor may see, of these kinds or of all, oldest first. Raises DatabaseError.

    Those of a club are for whoever sees the club; who has which role is for organisers alone.
    """
    own, organiser = clubs(), editor() is not None
    database = Database(folder())
    return tuple(
        entry
        for entry in _entries(str(database.path), Journal(database).state())
        if (not kinds or entry.kind in kinds)
        and (organiser or entry.kind != ROLE)
        and (own is None or entry.data.get("club") in own)
    )


def known_cases() -> Mapping[Key, Case]:
    """(club, hand) → its case, of every hand that this visitor may see. Raises DatabaseError."""
    database, own = Database(folder()), clubs()
    found = _cases(str(database.path), Journal(database).state())
    return found if own is None else {key: case for key, case in found.items() if key[0] in own}


def last_ruling() -> int:
    """Number of the last entry that may have changed what any hand comes to; 0 if there is none."""
    database = Database(folder())
    found = _cases(str(database.path), Journal(database).state())
    return max((case.steps[-1].number for case in found.values()), default=0)


@st.cache_resource(max_entries=2, show_spinner=False)
def _cases(path: str, state: int) -> Mapping[Key, Case]:
    return cases(_entries(path, state))


@st.cache_resource(max_entries=2, show_spinner=False)
def _entries(path: str, state: int) -> tuple[Entry, ...]:
    return Journal(Database(path)).entries()
