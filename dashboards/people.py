"""Who is who, and which hand belongs to which day: what the journal says of it, for the pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from analyzer.store import people
from analyzer.store.club_days import SETTING, Clock, clocks
from analyzer.store.database import Database, DatabaseError
from analyzer.store.journal import Entry, Journal
from dashboards.words import language, plain


@dataclass(frozen=True)
class Known:
    """What the journal says at a moment; the same for as long as nothing is added."""

    aliases: Mapping[tuple[str, str], Entry]
    persons: Mapping[tuple[str, str], str]
    clocks: Mapping[str, Clock]

    def person(self, club: str, player: str) -> str:
        """The person that a player is."""
        return self.persons.get((club, player), player)

    def ids(self, club: str, person: str) -> list[str]:
        """Every player id of a person, the person's own first."""
        others = [key[1] for key, found in self.persons.items() if key[0] == club and found == person]
        return [person, *sorted(others)]

    def clock(self, club: str | None) -> Clock:
        """When a club's days begin."""
        return self.clocks.get(club or "", Clock())


def known(path: str) -> Known:
    """What the journal of a database says now; where it cannot be read, says why, and ends the page."""
    try:
        return _known(path, Journal(Database(path)).state())
    except DatabaseError as error:
        st.error(plain(error.message.render(language())))
        st.stop()


@st.cache_resource(max_entries=8, show_spinner=False)
def _known(path: str, state: int) -> Known:
    entries = Journal(Database(path)).entries(people.ALIAS, people.UNDONE, SETTING)
    return Known(people.aliases(entries), people.persons(entries), clocks(entries))
