"""Ghi ván: a hand is entered by tapping; or a stored one corrected, or tried another way from an event on."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analyzer.locale import N_, Message
from analyzer.reports.account import Account
from analyzer.reports.drafting import DraftBroken, Drafted, drafted, parse_draft, raw
from analyzer.reports.entry import entry_page
from analyzer.reports.pasted import pasted
from dashboards import access, correcting, data, trying
from dashboards.data import Row, Version
from dashboards.offering import kept_offer, version_or_none
from dashboards.taking_in import offer_files, offer_to_take_in, show_taken
from dashboards.tapping import current, sent, tapping_table
from dashboards.words import language, plain, say


def judged(key: str, against: Account | None = None) -> tuple[Drafted | None, dict[str, Any]]:
    """What the browser sent, and what is answered."""
    told = sent(key)
    answer: dict[str, Any] = {"lang": language(), "echo": None, "page": None, "failed": None, "text": None}
    if told is None:
        if st.session_state.get(key, {}).get("draft") is not None:
            answer["failed"] = Message(N_("What this browser sent cannot be read.")).both()
        return None, answer
    answer["echo"] = {"id": told.id, "version": told.version}
    draft = None
    try:
        draft = drafted(parse_draft(bytes(told.draft)))
        answer["page"] = entry_page(draft, against)
    except DraftBroken as error:
        answer["failed"] = error.message.both()
    if told.text is not None:
        found = pasted(told.text)
        answer["text"] = {"log": found.log, "problems": [each.both() for each in found.problems]}
    return draft, answer


@st.fragment
def enter(version: Version | None) -> None:
    """A new hand, from its deal to its end."""
    key = "entry"
    draft, answer = judged(key)
    known = kept_offer(version, repr(version), language())
    tapping_table(key, {**answer, "tried": None, "offer": known})
    show_taken()
    if draft is not None and answer["page"] is not None:
        st.subheader(say(N_("Keep the hand")))
        offer_files(key, draft.hand.hand_id)
        offer_to_take_in(key, answer["page"]["finished"])


@st.fragment
def what_if(version: Version, hand: Row, event: int) -> None:
    """A stored hand, tried another way."""
    played = trying.original(version, hand)
    event = min(event, len(played.hand.events))
    number = st.query_params.get("variation", "")
    chosen = next(
        (
            (n, told)
            for n, told, _ in trying.saved_of(hand)
            if str(n) == number and told.content_sha256 == hand["content_sha256"] and told.event == event
        ),
        None,
    )
    begin = trying.begin(played, event, chosen)
    key = f"tried-{begin['key']}"
    draft, answer = judged(key, played)
    tapping_table(key, {**answer, "tried": begin, "offer": None})
    trying.show_told()
    if draft is not None and draft.refused is None:
        trying.offer_to_save(key, hand, event, played)


@st.fragment
def correct(version: Version, hand: Row) -> None:
    """A stored hand, corrected by tapping."""
    if correcting.is_taken():
        st.rerun()  # all of the page: another revision is in force
    begin = correcting.begin(version, hand)
    if begin is None:
        st.warning(say(N_("This log holds what no browser can keep: correct it as text on its replay page.")))
        return
    key = f"mended-{begin['key']}"
    draft, answer = judged(key)
    known = kept_offer(version, repr(version), language())
    tapping_table(key, {**answer, "tried": begin, "offer": known})
    if draft is not None and draft.refused is None and draft.log != begin["base"]:
        correcting.show_correction(
            version, hand, raw(draft.log), say(N_("The log")), key, lambda: raw(current(key).log)
        )
    correcting.show_told(correcting.told())


def main() -> None:
    """The page."""
    asked = st.query_params.get("hand")
    if asked is None:
        st.title(say(N_("Enter a hand")))
        enter(version_or_none())
        return
    version = data.open_version()
    hand = data.find_hand(version, asked, st.query_params.get("club"))
    event = st.query_params.get("event", "0")
    if hand is None:
        st.title(say(N_("What if")))
        st.warning(say(N_("There is no hand {hand} in this database."), hand=plain(asked)))
        return
    if "correct" in st.query_params:
        st.title(say(N_("Correct the hand")))
        st.page_link(
            "views/replay.py",
            label=say(N_("Back to the replay: {hand}"), hand=plain(data.title(hand))),
            icon=":material/arrow_back:",
            query_params=data.address(hand),
        )
        told = correcting.told()
        if access.editor() is None:
            st.warning(say(N_("You may look at this hand, not correct it.")))
        else:
            correct(version, hand)
        correcting.show_told(told)
        return
    at = int(event) if event.isdecimal() and len(event) < 6 else 0
    st.title(say(N_("What if, from act {n} on"), n=at + 1))
    st.page_link(
        "views/replay.py",
        label=say(N_("Back to the replay: {hand}"), hand=plain(data.title(hand))),
        icon=":material/arrow_back:",
        query_params=data.address(hand, at),
    )
    what_if(version, hand, at)


main()
