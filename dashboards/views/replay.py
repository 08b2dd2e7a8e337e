"""Phát lại: one hand, step by step."""

from __future__ import annotations

import streamlit as st

from analyzer.locale import N_
from analyzer.reports.comparison import ASPECTS, cited_paths
from analyzer.reports.grounds import describe, ground_of
from analyzer.reports.rule_sheet import path_value
from analyzer.rules.loading import preset, preset_ids
from dashboards import data
from dashboards.data import Filters, Row
from dashboards.table import replay_table
from dashboards.words import day, language, moment, plain, say, signed


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
    compare_rules(hand)


def compare_rules(hand: Row) -> None:
    """The same hand under another agreement: where the verdicts part, by which rule, and the money."""
    st.subheader(say(N_("Under other house rules")))
    titles = {preset(id_).title.get(language(), id_): id_ for id_ in preset_ids() if id_ != hand["rules_id"]}
    chosen = st.selectbox(
        say(N_("Compare with")),
        list(titles),
        None,
        placeholder=say(N_("choose house rules")),
        key=f"other-rules-{language()}",
    )
    if chosen is None:
        return
    found = data.comparison(version, hand, titles[chosen])
    if not found.differing:
        st.info(say(N_("The verdict is the same.")))
        return
    parts = ", ".join(say(ASPECTS[name]) for name in found.differing)
    st.markdown(say(N_("The verdicts differ in: {parts}"), parts=parts))
    if found.parts_at is not None:
        st.page_link(
            "views/replay.py",
            label=say(N_("They part at event {event}"), event=found.parts_at),
            query_params=data.address(hand, found.parts_at),
        )
    for seat, player in enumerate(found.hand.players):
        amounts = [
            f"{plain(rules.id)} **{signed(verdict.net[seat], found.hand.currency)}**"
            for rules, verdict in zip(found.rules, found.verdicts, strict=True)
        ]
        st.markdown(f"{plain(player.name or player.id)}: " + " · ".join(amounts))
    st.markdown(say(N_("Rules that alone change the verdict")))
    for path in [path for knob in found.knobs if knob.changes for path in cited_paths(found, knob.path)]:
        with st.container(border=True):
            st.markdown(f"**{plain(say(describe(path)))}** `{path}`")
            for rules in found.rules:
                value = plain(path_value(rules, path, language()))
                st.markdown(f"{plain(rules.id)}: **{value}**")
                st.caption(plain(ground_of(rules, path).cite(language())))


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
