"""Ván bài: every hand, with search and filters; a hand opens in the replay."""

from __future__ import annotations

from datetime import date

import streamlit as st

from analyzer.locale import N_
from dashboards import data
from dashboards.data import PAGE, Evening, Filters, Row
from dashboards.words import day, language, number, plain, say, signed

FILTERS = ("text", "player", "rules", "days", "violation", "forfeit")


def clear() -> None:
    """Takes every filter away."""
    st.query_params.from_dict({"lang": language()})
    for key in FILTERS:
        st.session_state.pop(key, None)


def begin() -> None:
    """What the filters start with when the page is opened: what a link asked for."""
    asked = st.query_params
    player = (asked.get("club", ""), asked.get("player", ""))
    for key, value in {
        "text": asked.get("text", ""),
        "player": player if player in people else None,
        "rules": asked.get("rules") if asked.get("rules") in rules else None,
        "violation": "violation" in asked,
        "forfeit": "forfeit" in asked,
    }.items():
        st.session_state.setdefault(key, value)


def choose() -> Filters:
    """The filters, as they are set."""
    hint = say(N_("player or hand"))
    text = st.text_input(say(N_("Search")), key="text", placeholder=hint, icon=":material/search:")
    first, last = data.days(version)
    chosen: tuple[date, ...] = ()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        player = st.selectbox(
            say(N_("Player")),
            list(people),
            format_func=people.__getitem__,
            index=None,
            key="player",
            placeholder=say(N_("everybody")),
        )
        rule_set = st.selectbox(
            say(N_("House rules")),
            list(rules),
            format_func=rules.__getitem__,
            index=None,
            key="rules",
            placeholder=say(N_("all of them")),
        )
        if first is not None and last is not None:
            chosen = st.date_input(
                say(N_("From – to")), [], first, last, format="DD/MM/YYYY", key="days", width=240
            )
        violation = st.checkbox(say(N_("has a violation")), key="violation")
        forfeit = st.checkbox(say(N_("has a forfeit")), key="forfeit")
    asked = st.query_params
    evening = Evening(asked.get("club", ""), asked["evening"]) if "evening" in asked else None
    if evening is not None:
        row = data.find_evening(version, evening)
        name = data.evening_title(row) if row else evening.evening
        st.caption(say(N_("Only the evening {evening}"), evening=plain(name)))
    since, until = (*chosen, None, None)[:2]
    return Filters(text, player, rule_set, since, until, evening, violation, forfeit)


def show(hand: Row) -> None:
    """One hand of the list."""
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            title = f"**{plain(data.title(hand))}** · {day(hand['played_on'])}"
            link(hand, title, None, icon=":material/play_circle:", width="stretch")
            session = hand["session_id"] or hand["table_id"]
            about = [rules[hand["rules_id"]], *([session] if session else [])]
            st.caption(plain(" · ".join(about)), width="content")
        seats = sorted(hand["players"], key=lambda seat: seat["place"] or seat["seat"])
        st.markdown(
            " · ".join(
                f"{plain(s['name'] or s['player_id'])} **{signed(s['net'], hand['currency'])}**"
                for s in seats
            )
        )
        if (flag := hand["flag"]) is not None:
            mark = ":red[✗]" if flag["severity"] == "error" else ":orange[!]"
            link(hand, f"{mark} {plain(flag[language()])}", flag["event"])
        if (forfeit := hand["forfeit"]) is not None:
            told = ":red[₫] " + say(N_("pays for the table"))
            if forfeit["certainty"] != "certain":  # nothing was charged
                told = ":orange[₫] " + say(N_("may have to pay for the table"))
            link(hand, told, forfeit["event"])


def link(
    hand: Row, label: str, event: int | None, *, icon: str | None = None, width: str = "content"
) -> None:
    """A link that opens a hand, at an event if one is given."""
    address = data.address(hand, event)
    st.page_link("views/replay.py", label=label, icon=icon, query_params=address, width=width)  # type: ignore[arg-type]


version = data.open_version()
st.title(say(N_("Hands")))
people = data.people(version)
if not people:
    data.say_no_hands()
    st.stop()

rules = data.rule_sets(version, language())
begin()
filters = choose()
place = f"page-{hash(filters)}"
hands = data.find_hands(version, filters, st.session_state.get(place, 1) - 1)
if not hands:
    st.info(say(N_("No hand passes these filters. Take one of them away, or all:")))
    st.button(say(N_("Clear all filters")), on_click=clear)
    st.stop()

count = hands[0]["total"]
pages = -(-count // PAGE)
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.markdown(say(N_("**{n}** hands"), n=number(count)), width="stretch")
    if filters != Filters():
        st.button(say(N_("Clear all filters")), on_click=clear, type="tertiary")
    if pages > 1:
        st.number_input(say(N_("Page of {n}"), n=number(pages)), 1, pages, key=place, width=130)
for found in hands:
    show(found)
