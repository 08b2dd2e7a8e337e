"""Phân xử: the dispute desk. Open cases, flagged hands that nobody looked at yet, and one hand's case."""

from __future__ import annotations

import streamlit as st

from analyzer.locale import N_
from analyzer.reports.account import make_account
from analyzer.reports.cases import CLOSED_EARLIER
from analyzer.store.database import DatabaseError
from dashboards import data, entering
from dashboards.data import PAGE, Row
from dashboards.decisions import known_cases
from dashboards.door import show_name
from dashboards.papers import offer_sheet
from dashboards.ruling import Desk, show_case
from dashboards.words import day, language, number, plain, say

STATES = {"open": N_("Open"), "flagged": N_("Flagged"), "closed": N_("Closed")}


def show_list() -> None:
    """The hands of one state, page by page."""
    titles = {state: say(text) for state, text in STATES.items()}
    asked = st.query_params.get("show")
    st.session_state.setdefault("case-state", asked if asked in STATES else "open")
    state = st.segmented_control(
        say(N_("Cases")),
        list(titles),
        format_func=titles.__getitem__,
        key="case-state",
        required=True,
        label_visibility="collapsed",
    )
    if asked != state:
        st.query_params["show"] = str(state)
    place = f"case-page-{state}"
    page = st.session_state.get(place, 1)
    rows = version.ask("cases", state=state, limit=PAGE, offset=PAGE * (page - 1))
    if not rows and page > 1:  # fewer than there were
        st.session_state[place] = 1
        rows = version.ask("cases", state=state, limit=PAGE, offset=0)
    if not rows:
        waiting = version.ask("cases", state="flagged", limit=1, offset=0) if state == "open" else []
        if waiting:
            text = N_("No case is open. {n} flagged hands wait for a decision: see “{title}”.")
            st.info(say(text, n=number(waiting[0]["total"]), title=titles["flagged"]))
        else:
            st.info(say(N_("There is none.")))
        return
    total = rows[0]["total"]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.markdown(say(N_("{n} hands"), n=number(total)), width="stretch")
        if (pages := -(-total // PAGE)) > 1:
            st.number_input(say(N_("Page of {n}"), n=number(pages)), 1, pages, key=place, width=130)
    for row in rows:
        show_row(row)


def show_row(row: Row) -> None:
    """A hand at the desk, and how its case stands."""
    where = [row["session_id"] or row["table_id"], row["club_id"]]
    counts = {
        N_("claims: {n}"): row["claims"],
        N_("decisions: {n}"): row["decisions"],
        N_("to be confirmed: {n}"): 0 if row["closed_earlier"] else row["unconfirmed"],
    }
    told = [say(text, n=number(count)) for text, count in counts.items() if count]
    if row["closed_earlier"]:
        told.append(say(CLOSED_EARLIER))
    if row["has_forfeit"]:
        told.append(say(N_("pays for the table")))
    label = f"**{plain(data.title(row))}** · {day(row['played_on'])}"
    with st.container(border=True, gap="xsmall"):
        asked = data.address(row)
        st.page_link("views/cases.py", label=label, icon=":material/balance:", query_params=asked)
        st.caption(plain(" · ".join(part for part in [*told, *where] if part)))


def show_hand(hand: Row) -> None:
    """One hand's case."""
    with st.container(horizontal=True, vertical_alignment="center", key="hand_head"):
        st.markdown(f"**{plain(data.title(hand))}** · {plain(hand['hand_id'])}", width="stretch")
        asked = data.address(hand)
        st.page_link(
            "views/replay.py", label=say(N_("Replay")), icon=":material/play_circle:", query_params=asked
        )
        evening = {"club": hand["club_id"], "evening": hand["evening"]}
        st.page_link(
            "views/money.py", label=say(N_("Money")), icon=":material/payments:", query_params=evening
        )
        offer_sheet(version, hand)
        st.page_link("views/cases.py", label=say(N_("All cases")), icon=":material/arrow_back:")
    with st.container():  # of its own: what comes after it keeps its place, and stays open, when it goes
        entering.show_told()
    show_name()
    key = (hand["club_id"], hand["hand_id"])
    case = known_cases().get(key) or data.no_case(hand)
    account = make_account(*data.logged(version, hand), case.ruled(hand["content_sha256"]))
    show_case(Desk(version, hand, case, account))


version = data.open_version()
st.title(say(N_("Rulings")))
wanted = st.query_params.get("hand")
hand = data.find_hand(version, wanted, st.query_params.get("club")) if wanted is not None else None
try:
    if wanted is None:
        show_list()
    elif hand is None:
        st.warning(say(N_("There is no hand {hand} in this database."), hand=plain(wanted)))
        st.page_link("views/cases.py", label=say(N_("All cases")), icon=":material/arrow_back:")
    else:
        show_hand(hand)
except DatabaseError as error:
    st.error(plain(error.message.render(language())))
