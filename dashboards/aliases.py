"""One person under several ids: shown with who said so and when, made and taken back."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

from analyzer.locale import N_
from analyzer.store import people
from analyzer.store.database import Database, DatabaseError
from analyzer.store.journal import Entry, Journal
from dashboards import players
from dashboards.access import editor
from dashboards.data import Version
from dashboards.filters import Options
from dashboards.people import known
from dashboards.words import day, language, plain, say

TROUBLE = "alias refused"
"""In the session: why the last alias was not entered."""


def show_aliases(version: Version, offered: Options, club: str, person: str) -> None:
    """The other ids of a person; whoever may edit can add one and take one back."""
    st.subheader(say(N_("One person, several ids")))
    _trouble()
    own = players.aliases_of(known(version.path), club, person)
    if not own:
        st.caption(say(N_("This person has no other id.")))
    for _, entry in own:
        _show(version, entry)
    if editor() is None:
        return
    others = [player for player in offered.persons(club) if player[1] != person]
    with st.form("alias", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        other = st.selectbox(
            say(N_("The same person also played as")),
            others,
            None,
            format_func=lambda player: f"{offered.people[player]} · {player[1]}",
            key=f"alias-{club}-{person}",
            placeholder=say(N_("choose a player")),
            width=320,
        )
        sent = st.form_submit_button(say(N_("Count as one person")), icon=":material/merge:")
    if sent and other is not None:
        _join(version, club, other[1], person)


def show_all_aliases(version: Version, offered: Options, club: str) -> None:
    """Every alias of a club."""
    entries = [entry for (of, _), entry in known(version.path).aliases.items() if of == club]
    if not entries:
        return
    st.subheader(say(N_("One person, several ids")))
    _trouble()
    for entry in entries:
        _show(version, entry)


def _show(version: Version, entry: Entry) -> None:
    """One alias, with who said so and when."""
    zone = known(version.path).clock(entry.data["club"]).time_zone
    told = say(
        N_("{player} counts as {person} · {by}, {day}"),
        player=plain(entry.data["player"]),
        person=plain(entry.data["is"]),
        by=plain(entry.by),
        day=day(entry.at.astimezone(ZoneInfo(zone)).date()),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(told, width="stretch")
        if editor() is not None:
            st.button(
                say(N_("Undo")),
                key=f"undo-{entry.number}",
                on_click=_enter,
                args=(version.path, people.UNDONE, {"alias": entry.number}),
            )


def _join(version: Version, club: str, player: str, person: str) -> None:
    """Enters an alias, unless the two were seen at one table."""
    who = known(version.path)
    together = players.met_oneself(version, club, who.ids(club, player), who.ids(club, person))
    if together:
        text = N_("{player} and {person} sat at one table in {n} hands: they are not one person.")
        st.session_state[TROUBLE] = say(text, player=player, person=person, n=together)
    else:
        _enter(version.path, people.ALIAS, {"club": club, "player": player, "is": person})
    st.rerun()


def _enter(path: str, kind: str, decided: dict[str, Any]) -> None:
    """Adds an entry to the journal; a refusal is told at the next run of the page."""
    by = editor()
    if by is None:
        return
    try:
        Journal(Database(path)).append(kind, decided, by, people.checked(kind, decided))
    except (people.AliasRefused, DatabaseError) as error:
        st.session_state[TROUBLE] = error.message.render(language())


def _trouble() -> None:
    if told := st.session_state.pop(TROUBLE, None):
        st.warning(plain(told))
