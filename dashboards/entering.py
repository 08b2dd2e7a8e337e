"""How a person's decision gets into the journal, and how the page then says what came of it.

Every button carries what was seen when it was drawn, so that a second click, or somebody else's on the
same page, is told so and enters nothing.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from analyzer.locale import N_
from analyzer.reports.money import unclear_amount
from analyzer.store.database import DatabaseError
from analyzer.store.treasury import Check, Decision, Refused
from dashboards import access, money
from dashboards.words import language, plain, say

TOLD: Final = "money-told"


def show_told() -> None:
    """What came of the last decision."""
    done, told = st.session_state.pop(TOLD, (True, None))
    if told is not None:
        (st.success if done else st.error)(plain(told))


def enter(kind: str, decision: Decision, check: Check) -> None:
    """Enters a decision in the journal, or keeps why not for :func:`show_told`."""
    by = access.editor()
    try:
        if by is None:
            raise Refused(N_("You may look at this club's money, not change it."))
        money.journal().append(kind, decision.data(), by, check)
        st.session_state[TOLD] = True, say(N_("Entered."))
    except (Refused, DatabaseError) as error:
        st.session_state[TOLD] = False, error.message.render(language())
    except ValueError as error:
        st.session_state[TOLD] = False, say(N_("This cannot be entered: {why}."), why=str(error))


def refuse(text: str) -> None:
    """Keeps why something was not entered."""
    st.session_state[TOLD] = False, say(text)


def amount_input(key: str, currency: str) -> None:
    """A field for an amount, as it is written in the reader's language."""
    example = "50.000" if language() == "vi" else "50,000"
    st.text_input(
        say(N_("Amount ({currency})"), currency=currency),
        key=f"{key}-amount",
        max_chars=30,
        placeholder=example,
    )


def refuse_amount(text: str) -> None:
    """What an amount that was typed may mean, or what it should look like."""
    st.session_state[TOLD] = False, unclear_amount(text, language()).render(language())
