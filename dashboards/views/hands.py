"""Ván bài: every hand, with search and filters; a hand opens in the replay."""

from __future__ import annotations

import streamlit as st

from analyzer.locale import N_
from analyzer.logs.codes import read_code
from dashboards import data
from dashboards.data import PAGE, Row
from dashboards.filters import choose, clear, is_narrowed, options
from dashboards.words import day, language, number, plain, say, signed


def show(hand: Row) -> None:
    """One hand of the list, in few elements: what a page costs is above all their number."""
    with st.container(border=True, gap="xsmall"):
        session = hand["session_id"] or hand["table_id"]
        about = plain(" · ".join([rules[hand["rules_id"]], *([session] if session else [])]))
        title = f"**{plain(data.title(hand))}** · {day(hand['played_on'])} · :gray[:small[{about}]]"
        link(hand, title, None, icon=":material/play_circle:")
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


def link(hand: Row, label: str, event: int | None, *, icon: str | None = None) -> None:
    """A link that opens a hand, at an event if one is given."""
    address = data.address(hand, event)
    st.page_link("views/replay.py", label=label, icon=icon, query_params=address)


version = data.open_version()
st.title(say(N_("Hands")))
offered = options(version)
if not offered.people:
    data.say_no_hands()
    st.stop()

rules = offered.rules
filters = choose(version, offered, "hands", search=True)
if filters.evening is not None:
    row = data.find_evening(version, filters.evening)
    name = data.evening_title(row) if row else filters.evening.evening
    st.caption(say(N_("Only the evening {evening}"), evening=plain(name)))
if (code := read_code(filters.text)) is not None:
    opened = data.find_hand(version, str(code), None)
    if opened is None:
        st.warning(say(N_("No hand in this database has the code {code}."), code=plain(str(code))))
    else:
        told = [say(N_("Open the replay")), data.title(opened)]
        if code.event is not None:
            told.append(say(N_("act {n}"), n=code.event + 1))
        link(opened, plain(" · ".join(told)), code.event, icon=":material/play_circle:")
    st.stop()
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
    if is_narrowed(filters, offered):
        st.button(say(N_("Clear all filters")), on_click=clear, type="tertiary")
    if pages > 1:
        st.number_input(say(N_("Page of {n}"), n=number(pages)), 1, pages, key=place, width=130)
for found in hands:
    show(found)
