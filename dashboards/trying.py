"""What if: a stored hand played another way from an event on, and the named variations that were kept."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analyzer.locale import N_
from analyzer.reports.account import Account, make_account
from analyzer.reports.drafting import DraftBroken, cut, log_of
from analyzer.store.database import Database, DatabaseError
from analyzer.store.journal import Journal
from analyzer.store.variations import (
    DROPPED,
    NAME,
    SAVED,
    Dropping,
    Refused,
    Variation,
    may_drop,
    may_save,
    variations,
)
from dashboards import access, data
from dashboards.data import Row, Version
from dashboards.decisions import decisions
from dashboards.tapping import current
from dashboards.words import day, language, plain, say

TOLD = "variation-told"


def original(version: Version, hand: Row) -> Account:
    """The hand as it was played, under the rules it was stored with."""
    return make_account(*data.logged(version, hand))


def begin(played: Account, event: int, variation: tuple[int, Variation] | None) -> dict[str, Any]:
    """What the tapping table begins with: the acts before an event, and those of a variation after them."""
    hand, sha256 = played.hand, played.verdict.content_sha256
    number, told = variation or (0, None)
    steps = [{"do": "act", "event": each} for each in told.events] if told is not None else []
    return {
        "key": f"{sha256}/{event}/{number}",
        "base": cut(hand, event),
        "from": event,
        "steps": steps,
    }


def saved_of(hand: Row) -> list[tuple[int, Variation, str]]:
    """The named variations of a hand: number, what it is, and who kept it when."""
    try:
        found = variations(decisions(SAVED, DROPPED), hand["club_id"], hand["hand_id"])
    except DatabaseError:
        return []
    return [(entry.number, told, f"{entry.by}, {day(entry.at.date())}") for entry, told in found]


def offer_to_save(key: str, hand: Row, event: int, played: Account) -> None:
    """A name, and the button that keeps what was tried under it."""
    if access.editor() is None or not _tried(key, event, played):
        return
    with st.form("variation", border=False, clear_on_submit=True):
        st.text_input(say(N_("Name of the variation")), key="variation-name", max_chars=NAME)

        def save() -> None:
            name = " ".join(str(st.session_state.get("variation-name", "")).split())
            if not name:
                st.session_state[TOLD] = False, say(N_("Give the variation a name."))
                return
            events = _tried(key, event, played)
            if not events:
                st.session_state[TOLD] = False, say(N_("Nothing else was played here yet."))
                return
            told = Variation(
                hand["club_id"], hand["hand_id"], played.verdict.content_sha256, event, name, events
            )
            _enter(SAVED, told, may_save(told))

        st.form_submit_button(say(N_("Save as a variation")), on_click=save, icon=":material/bookmark_add:")


def _tried(key: str, event: int, played: Account) -> list[dict[str, Any]]:
    """The acts from an event on, as they were tried; none where the acts before it are not those that were
    played, or those after it are."""
    try:
        acts: list[dict[str, Any]] = log_of(current(key).hand)["events"]
    except DraftBroken:
        return []
    before, after = acts[:event], acts[event:]
    was: list[dict[str, Any]] = log_of(played.hand)["events"]
    return after if before == was[:event] and after != was[event:] else []


def show_saved(hand: Row) -> None:
    """The variations of a hand, each with its link, and a way to drop it."""
    show_told()
    found = saved_of(hand)
    if not found:
        return
    st.subheader(say(N_("Variations")))
    for number, told, who in found:
        with st.container(horizontal=True, vertical_alignment="center"):
            label = say(N_("{name}: from act {n} on"), name=told.name, n=told.event + 1)
            if told.content_sha256 == hand["content_sha256"]:
                st.page_link(
                    "views/entry.py",
                    label=plain(label),
                    icon=":material/alt_route:",
                    query_params={**data.address(hand, told.event), "variation": str(number)},
                )
            else:
                st.markdown(plain(label))
                st.caption(say(N_("made on an earlier revision of this hand")))
            st.caption(plain(say(N_("saved by {who}"), who=who)))
            if access.editor() is not None:
                with st.popover(say(N_("Drop")), type="tertiary"):
                    st.button(
                        say(N_("Drop the variation {name}"), name=plain(told.name)),
                        key=f"drop-{number}",
                        on_click=_enter,
                        args=(
                            DROPPED,
                            Dropping(hand["club_id"], number),
                            may_drop(hand["club_id"], hand["hand_id"], number),
                        ),
                    )


def _enter(kind: str, told: Variation | Dropping, check: Any) -> None:
    by = access.editor()
    try:
        if by is None:
            raise Refused(N_("You may look at this hand, not add to it."))
        Journal(Database(access.folder())).append(kind, told.data(), by, check)
        st.session_state[TOLD] = True, say(N_("Entered."))
    except DatabaseError as error:
        st.session_state[TOLD] = False, error.message.render(language())
    except ValueError as error:
        st.session_state[TOLD] = False, say(N_("This cannot be entered: {why}."), why=str(error))


def show_told() -> None:
    """What came of the last decision."""
    done, told = st.session_state.pop(TOLD, (True, None))
    if told is not None:
        (st.success if done else st.error)(plain(told))
