"""A hand's ruling sheet, to save and to print."""

from __future__ import annotations

import streamlit as st

from analyzer.locale import N_
from analyzer.reports.account import make_account
from analyzer.reports.ruling_sheet import ruling_sheet, sheet_name
from analyzer.store.database import Database
from analyzer.store.journal import Journal
from dashboards import data
from dashboards.data import Row, Version
from dashboards.decisions import known_cases
from dashboards.people import known
from dashboards.words import language, say


def offer_sheet(version: Version, hand: Row) -> None:
    """A button that saves the sheet as it is now: the same file that ``tienlen export ruling`` writes."""
    lang = language()
    # What depends on the visitor is asked now: the file is made later, outside of the visitor's session.
    case = known_cases().get((hand["club_id"], hand["hand_id"]))
    anchor = Journal(Database(version.path)).head(case.steps[-1].number) if case is not None else ""
    zone = known(version.path).clock(hand["club_id"]).time_zone
    log, rules = data.logged(version, hand)
    st.download_button(
        say(N_("Ruling sheet")),
        lambda: ruling_sheet(make_account(log, rules), lang, case, zone=zone, anchor=anchor).encode(),
        sheet_name(hand["hand_id"]),
        "text/html",
        on_click="ignore",
        icon=":material/print:",
        help=say(N_("All there is to know about this hand on one sheet, to print and to sign.")),
    )
