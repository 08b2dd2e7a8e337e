"""Tính tiền: what each player won and lost, of what causes, and who pays whom; for an evening or for days."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import streamlit as st

from analyzer.locale import N_
from analyzer.store.database import DatabaseError
from analyzer.store.treasury import Books
from dashboards import data, entering, filters, money
from dashboards.data import Evening, Row
from dashboards.door import show_name
from dashboards.money import Scope
from dashboards.one_evening import show_evening
from dashboards.several_days import show_days
from dashboards.words import distinct, language, number, plain, say

VIEWS = {"evening": N_("One evening"), "days": N_("Several days")}
DAYS = 30  # that are added up at first: the latest ones


def choose(evenings: dict[Evening, Row], wanted: Evening | None) -> Evening:
    """The evening that is looked at, kept in the address."""
    titles = distinct(
        {
            evening: " · ".join([data.evening_title(row), say(N_("{n} hands"), n=number(row["hands"]))])
            for evening, row in evenings.items()
        },
        lambda evening: evening.club_id,
    )
    if st.session_state.get("evening") not in evenings:
        st.session_state["evening"] = wanted if wanted in evenings else next(iter(evenings))
    return st.selectbox(say(N_("Evening")), list(titles), format_func=titles.__getitem__, key="evening")


def choose_days(known: Books) -> Scope:
    """The club, the days that are added up, and which of their hands, kept in the address."""
    offered = filters.options(version)
    club = asked.get("club")
    club = club if club in offered.clubs else offered.clubs[0]
    bounds = money.days(version, club, known)
    offered = replace(offered, days=bounds)
    if bounds and "money-days" not in st.session_state and not {"from", "until"} & set(asked):
        asked["from"], asked["until"] = str(max(bounds[0], bounds[1] - timedelta(DAYS))), str(bounds[1])
    st.session_state["money-days"] = True  # from now on no days in the address are all days
    found = filters.choose(version, offered, "money", one_club=True)
    with st.container(horizontal=True):
        if bounds and (found.since, found.until) != bounds and (found.since or found.until):
            told = filters.address(replace(found, since=None, until=None))
            whole = {**told, "view": "days", "from": str(bounds[0]), "until": str(bounds[1])}
            st.page_link("views/money.py", label=say(N_("All days")), query_params=whole, width="content")
        if filters.is_narrowed(replace(found, since=None, until=None), offered, one_club=True):
            st.button(say(N_("Clear all filters")), on_click=filters.clear, type="tertiary")
    return Scope(found.club or "", None, found.since, found.until, replace(found, since=None, until=None))


version = data.open_version()
st.title(say(N_("Money")))
asked = st.query_params
wanted = Evening(asked.get("club", ""), asked["evening"]) if "evening" in asked else None
try:
    known = money.kept()
except DatabaseError as error:
    st.error(plain(error.message.render(language())))
    st.stop()
evenings = data.evenings(version, wanted)
evenings |= {Evening(row["club_id"], row["evening"]): row for row in money.emptied(version)}
if not evenings:
    data.say_no_hands()
    st.stop()

given = {key: asked.get(key) for key in ("view", "club", "evening")}
if given != st.session_state.get("money-given"):  # not what this page wrote: somebody followed a link
    for key in ("money-view", "money-days", "evening"):
        st.session_state.pop(key, None)
st.session_state.setdefault("money-view", "days" if asked.get("view") == "days" else "evening")
views = {key: say(text) for key, text in VIEWS.items()}
view = st.segmented_control(
    say(N_("What to add up")),
    list(views),
    format_func=views.__getitem__,
    key="money-view",
    required=True,
    label_visibility="collapsed",
)
entering.show_told()
show_name()
if view == "evening":
    evening = choose(evenings, wanted)
    club = evening.club_id
    address = {"club": club, "evening": evening.evening}
    if given != {"view": None, **address}:
        asked.from_dict({"lang": language(), **address})
else:
    scope = choose_days(known)
    club = scope.club
    asked["view"], asked["club"] = "days", club
st.session_state["money-given"] = {key: asked.get(key) for key in given}
bank = say(N_("the bank"))
names = distinct({**money.names(version, club, known), money.BANK: bank}, lambda player: player or bank)
if view == "evening":
    show_evening(version, evenings[evening], known, names)
else:
    show_days(version, scope, known, names)
