"""Cài đặt: a club's clock and the start of its day, who has a role, and who decided what."""

from __future__ import annotations

from datetime import time
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

import msgspec
import streamlit as st

from analyzer.access import ROLE_NAMES
from analyzer.locale import N_
from analyzer.store.club_days import SETTING, Clock, clocks
from analyzer.store.database import Database, DatabaseError
from analyzer.store.journal import Journal
from analyzer.store.roles import KIND as ROLE
from analyzer.store.roles import roles
from analyzer.store.typed import unfit
from dashboards import data
from dashboards.access import (
    GIVEN,
    NAME,
    account_name,
    editor,
    folder,
    given_name,
    login_is_set_up,
    read_name,
)
from dashboards.decisions import decisions
from dashboards.history import kind_title, told
from dashboards.words import language, moment, number, plain, say

PAGE = 25


def club_title(club: str) -> str:
    """What a club is called."""
    return club or say(N_("no club"))


def choose_club() -> str | None:
    """The club whose settings are shown; None where there is none yet."""
    found = version.rows("SELECT DISTINCT club_id FROM hands ORDER BY club_id = '', club_id")
    clubs: list[str] = [row["club_id"] for row in found]
    if len(clubs) < 2:
        return clubs[0] if clubs else None
    asked = st.query_params.get("club")
    index = clubs.index(asked) if asked in clubs else 0
    chosen: str = st.selectbox(say(N_("Club")), clubs, index, format_func=club_title, key="settings-club")
    return chosen


@cache
def time_zones() -> list[str]:
    """The time zones that a club can be in."""
    return sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))


def club_day(club: str, by: str | None) -> Clock:
    """The club's clock, to set for whoever may; returns what holds now."""
    st.subheader(say(N_("The club's day")))
    st.caption(say(N_("An evening that goes on past midnight belongs to the day on which it began.")))
    now = clocks(decisions(SETTING)).get(club, Clock())
    if by is None:
        st.markdown(f"{plain(now.time_zone)} · **{now.day_starts}**")
        return now
    with st.form(f"day-{club}"):
        zones = time_zones()
        index = zones.index(now.time_zone) if now.time_zone in zones else None
        zone = st.selectbox(say(N_("Time zone")), zones, index, key=f"zone-{club}")
        starts = st.time_input(
            say(N_("A new day starts at")), time.fromisoformat(now.day_starts), step=900, key=f"starts-{club}"
        )
        pressed = st.form_submit_button(say(N_("Save")), type="primary")
    wanted = Clock(zone or now.time_zone, f"{starts:%H:%M}")
    if pressed and wanted != now:
        Journal(Database(folder())).append(SETTING, {"club": club, **msgspec.structs.asdict(wanted)}, by)
        st.success(say(N_("Saved, and entered under {name}."), name=plain(by)))
        return wanted
    return now


def your_name() -> None:
    """Where there is no login: the name under which decisions are entered from this browser."""
    if editor() is None or login_is_set_up():
        return
    st.subheader(say(N_("Your name")))

    def take() -> None:
        name = read_name(str(st.session_state["settings-name"]))
        if name is not None:
            st.session_state[GIVEN] = name

    typed = st.text_input(
        say(N_("Your name, for what you decide")),
        given_name(),
        max_chars=NAME,
        key="settings-name",
        placeholder=account_name(),
        on_change=take,
    )
    if (wrong := unfit("by", " ".join(str(typed).split()), NAME)) is not None:
        st.error(plain(wrong.render(language())))
    st.caption(say(N_("It stands with every decision that is entered from this browser.")))


def show_roles(zone: str) -> None:
    """Who may see and decide what, for organisers to know."""
    st.subheader(say(N_("Who may see and decide")))
    found = roles(decisions(ROLE))
    if not found:
        st.info(say(N_("Nobody has a role yet. On this machine itself no login is needed.")))
    for email, role in sorted(found.items()):
        seen = ", ".join(club_title(club) for club in sorted(role.clubs)) or say(N_("all clubs"))
        told = f"`{email}` · {say(ROLE_NAMES[role.name])} · {plain(seen)}"
        given = say(
            N_("given by {name}, {day}"),
            name=role.by,
            day=moment(role.at.astimezone(ZoneInfo(zone)).isoformat()),
        )
        with st.container(border=True, gap="xsmall"):
            st.markdown(told)
            st.caption(plain(given))
    st.caption(say(N_("Roles are given and taken away on the command line:")))
    st.code(
        "tienlen access grant an@example.com --role viewer --club ID\ntienlen access revoke an@example.com",
        language=None,
        wrap_lines=True,
    )


def show_history(zone: str) -> None:
    """Every decision, the latest first, with who and when."""
    st.subheader(say(N_("Who decided what, and when")))
    entries = decisions()[::-1]
    if not entries:
        st.info(say(N_("Nothing was decided yet: no payment, no ruling, no change of settings.")))
        return
    numbered = {entry.number: entry for entry in entries}
    pages = -(-len(entries) // PAGE)
    page = 1
    if pages > 1:
        label = say(N_("Page of {n}"), n=number(pages))
        page = st.number_input(label, 1, pages, key="history-page", width=130)
    for entry in entries[(page - 1) * PAGE : page * PAGE]:
        when = moment(entry.at.astimezone(ZoneInfo(zone)).isoformat())
        with st.container(border=True, gap="xsmall"):
            st.markdown(f"{when} · **{plain(kind_title(entry))}** · {plain(entry.by)}")
            st.markdown(plain(told(version, entry, numbered)))


version = data.open_version()
st.title(say(N_("Settings")))
by = editor()
your_name()
try:
    club = choose_club()
    if club is None:
        data.say_no_hands()
        clock = Clock()
    else:
        clock = club_day(club, by)
    if by is not None:
        show_roles(clock.time_zone)
    show_history(clock.time_zone)
except DatabaseError as error:
    st.error(plain(error.message.render(language())))
