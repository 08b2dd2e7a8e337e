"""Phát lại: one hand, step by step."""

from __future__ import annotations

import streamlit as st

from analyzer.locale import N_
from dashboards import data
from dashboards.data import Filters, Row
from dashboards.table import replay_table
from dashboards.words import day, language, moment, plain, say


def link_to_list() -> None:
    """The way back."""
    st.page_link("views/hands.py", label=say(N_("All hands")), icon=":material/arrow_back:")


def offer_hands() -> None:
    """What is shown where no hand was asked for."""
    st.title(say(N_("Replay")))
    latest = data.find_hands(version, Filters())[:5]
    if not latest:
        data.say_no_hands()
        return
    st.write(say(N_("Choose a hand in the list, or open one of the latest:")))
    for row in latest:
        names = ", ".join(player["name"] or player["player_id"] for player in row["players"])
        label = f"**{plain(data.title(row))}** · {day(row['played_on'])} · {plain(names)}"
        st.page_link("views/replay.py", label=label, query_params=data.address(row))
    link_to_list()


def show(hand: Row) -> None:
    """A hand, with the ways to its neighbours."""
    view = data.view(version, hand)
    with st.container(horizontal=True, vertical_alignment="center", key="hand_head"):
        title = data.title(hand)
        st.markdown(f"**{plain(title)}** · {moment(view['hand']['played_at'])}", width="stretch")
        evening = {"club": hand["club_id"], "evening": hand["evening"]}
        st.page_link("views/hands.py", label=say(N_("Evening")), icon=":material/list:", query_params=evening)
        before, after = data.neighbours(version, hand)
        for row, label, icon in (
            (before, say(N_("Previous hand")), ":material/chevron_left:"),
            (after, say(N_("Next hand")), ":material/chevron_right:"),
        ):
            if row is not None:
                st.page_link("views/replay.py", label=label, icon=icon, query_params=data.address(row))
    event = st.query_params.get("event", "")
    replay_table(view, language(), int(event) if event.isdecimal() else -1)


version = data.open_version()
asked = st.query_params.get("hand")
hand = data.find_hand(version, asked, st.query_params.get("club")) if asked is not None else None
if asked is None:
    offer_hands()
elif hand is None:
    st.title(say(N_("Replay")))
    st.warning(say(N_("There is no hand {hand} in this database."), hand=plain(asked)))
    link_to_list()
else:
    show(hand)
