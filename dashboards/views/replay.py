"""Phát lại: one hand, step by step."""

from __future__ import annotations

import streamlit as st

from analyzer.locale import N_
from analyzer.logs.codes import read_code
from analyzer.reports.comparison import ASPECTS, cited_paths
from analyzer.reports.export import file_name, replay_file
from analyzer.reports.grounds import describe, ground_of
from analyzer.reports.rule_sheet import path_value
from analyzer.rules.loading import preset, preset_ids
from dashboards import data
from dashboards.data import Filters, Row
from dashboards.decisions import known_cases
from dashboards.papers import offer_sheet
from dashboards.revised import show_revisions
from dashboards.table import replay_table
from dashboards.trying import show_saved
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
    event = asked_event(hand)
    show_ruled(hand)
    replay_table(view, language(), event)
    with st.container(horizontal=True):
        with st.popover(say(N_("As a file")), icon=":material/download:"):
            offer_file(hand)
        offer_sheet(version, hand)
    show_saved(hand)
    show_revisions(version, hand)
    compare_rules(hand)


def asked_event(hand: Row) -> int:
    """The event that the address names, by itself or within a sheet's code; -1 is the deal."""
    told = st.query_params.get("event", "")
    code = read_code(st.query_params.get("hand", ""))
    if code is not None and not hand["content_sha256"].startswith(code.sha256):
        st.info(say(N_("The sheet was printed of an earlier revision; this is the one in force.")))
    if code is not None and not told:
        return -1 if code.event is None else code.event
    return int(told) if told.isdecimal() and len(told) < 6 else -1


def show_ruled(hand: Row) -> None:
    """The way to the hand's case, and whether rulings changed its money."""
    case = known_cases().get((hand["club_id"], hand["hand_id"]))
    label = say(N_("Case"))
    if case is not None:
        label += " · " + say(N_("closed") if case.closed else N_("open"))
        if case.earlier(hand["content_sha256"]):
            label += " · " + say(N_("ruled on an earlier revision"))
    if any(decision.moves for decision in data.ruled(hand)):
        label += " · " + say(N_("the money below is that after the rulings"))
    asked = data.address(hand)
    st.page_link("views/cases.py", label=label, icon=":material/balance:", query_params=asked)


def offer_file(hand: Row) -> None:
    """The replay as one file that opens offline, with or without the names."""
    st.caption(say(N_("The replay as one file: it opens on any phone, without a network.")))
    anonymous = st.checkbox(say(N_("Leave out names, ids, dates and notes")), key="anonymous")
    lang = language()
    st.download_button(
        say(N_("Save")),
        lambda: replay_file(
            *data.logged(version, hand), lang, names=not anonymous, ruled=data.ruled(hand)
        ).encode(),
        "van.html" if anonymous else file_name(hand["hand_id"]),
        "text/html",
        on_click="ignore",
        icon=":material/download:",
    )


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
            label=say(N_("They part at act {act}"), act=found.parts_at + 1),
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
