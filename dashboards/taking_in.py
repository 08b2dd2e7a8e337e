"""How a hand that was entered gets out of the page: as a file, or into the database like any other log."""

from __future__ import annotations

import io

import streamlit as st

from analyzer.locale import N_, Message
from analyzer.reports.drafting import DraftBroken, raw
from analyzer.reports.export import file_stem
from analyzer.reports.pasted import notation_of
from analyzer.store.accounting import IngestReport
from analyzer.store.database import Database, DatabaseError
from analyzer.store.ingest import ingest
from dashboards import access
from dashboards.tapping import current
from dashboards.words import language, plain, say

TOLD = "taken-in"


def offer_files(key: str, hand_id: str) -> None:
    """The log to download, as JSON and in notation; what is saved is what the browser has sent by then."""
    stem = file_stem(hand_id)
    with st.container(horizontal=True):
        st.download_button(
            say(N_("Download the log (.json)")),
            lambda: raw(current(key).log),
            f"{stem}.json",
            "application/json",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            say(N_("Download the notation (.van)")),
            lambda: notation_of(current(key)).encode(),
            f"{stem}.van",
            "text/plain",
            on_click="ignore",
            icon=":material/download:",
        )


def offer_to_take_in(key: str, finished: bool) -> None:
    """The button that takes the hand into the database; for organisers."""
    if access.editor() is None:
        return
    st.button(
        say(N_("Take into the database")),
        type="primary" if finished else "secondary",
        icon=":material/library_add:",
        on_click=_take_in,
        args=(key,),
    )
    if not finished:
        st.caption(say(N_("The hand is not over yet; taken in now, it stays as it is here.")))


def show_taken() -> None:
    """What became of the hand that was taken in last, with the way to its replay."""
    told = st.session_state.get(TOLD)
    if told is None:
        return
    report, hand_id, club = told
    if isinstance(report, Message):
        st.error(plain(report.render(language())))
        return
    refused = report.conflicting + report.quarantined
    (st.error if refused else st.success)(plain(report.line(language())))
    for message in (*report.refusals, *report.conflicts):
        st.error(plain(message.render(language())))
    if not refused:
        st.page_link(
            "views/replay.py",
            label=say(N_("To the replay of {hand}"), hand=plain(hand_id)),
            icon=":material/play_circle:",
            query_params={"hand": hand_id, **({"club": club} if club else {})},
        )


def _take_in(key: str) -> None:
    """Takes the hand in as one record from standard input, and keeps what came of it."""
    found: IngestReport | Message
    hand_id = club = ""
    try:
        # What is sent by now: the button may have been drawn for the table of a moment ago.
        draft = current(key)
        hand_id, club = draft.hand.hand_id, draft.hand.club_id
        if access.editor() is None:
            raise DatabaseError(N_("You may look at these hands, not add any."))
        found = ingest(["-"], Database(access.folder()), stdin=io.BytesIO(raw(draft.log)))
    except (DatabaseError, DraftBroken) as error:
        found = error.message
    st.session_state[TOLD] = found, hand_id, club
