"""The revisions of a hand: who corrected it, when and why, and what differs between any two."""

from __future__ import annotations

import streamlit as st

from analyzer.locale import N_
from analyzer.revisions import revision_line, stored_version
from analyzer.store.revising import revisions_of
from dashboards import data
from dashboards.correcting import offer_to_correct, show_changes, show_told, told
from dashboards.data import Row, Version
from dashboards.people import known
from dashboards.words import language, plain, say


def show_revisions(version: Version, hand: Row) -> None:
    """Every revision of a hand, two of them compared, where it was ever corrected; and for whoever may decide
    the way to correct it.
    """
    rows = revisions_of(data.reader_of(version), hand["club_id"], hand["hand_id"])
    if len(rows) > 1:
        with st.expander(say(N_("Revisions ({n})"), n=len(rows)), icon=":material/history:"):
            zone = known(version.path).clock(hand["club_id"]).time_zone
            for row in rows:
                st.markdown(plain(revision_line(row, zone).render(language())))
            compare(version, hand, rows)
    offer_to_correct(version, hand)
    with st.container():  # of its own: what comes after it keeps its place, and stays open, when it goes
        show_told(told())


def compare(version: Version, hand: Row, rows: list[Row]) -> None:
    """What differs between any two revisions, and what that changed."""
    numbers = [row["revision"] for row in rows]
    key = f"{hand['club_id']}-{hand['hand_id']}-{numbers[-1]}"
    with st.container(horizontal=True):
        before, after = (
            st.selectbox(say(label), numbers, index, key=f"{side}-{key}", width=140)
            for side, label, index in (
                ("before", N_("From revision"), len(rows) - 2),
                ("after", N_("To revision"), len(rows) - 1),
            )
        )
    if before == after:
        st.caption(say(N_("Choose two different revisions.")))
        return
    by_number = {row["revision"]: row for row in rows}
    one, other = (stored_version(data.reader_of(version), by_number[n]) for n in (before, after))
    show_changes(version, hand, one, other)
