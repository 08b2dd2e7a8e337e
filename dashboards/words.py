"""What the pages say: the reader's language, dates as they are written in it, and names made harmless."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

import streamlit as st
from babel.dates import format_date, format_time

from analyzer.locale import LANGUAGES, N_, Message, translate
from analyzer.reports.money import format_amount, format_number, format_signed

NAMES: Final = {"vi": "Tiếng Việt", "en": "English"}

_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")


def choose_language() -> None:
    """The switch in the sidebar. The choice is kept in the address and for as long as the page is open."""
    if "lang" not in st.session_state:
        asked = st.query_params.get("lang")
        st.session_state["lang"] = asked if asked in LANGUAGES else _browser()
    # A widget that is drawn under another name on each run would lose its state: the label is bilingual.
    st.sidebar.segmented_control(
        "Ngôn ngữ · Language", LANGUAGES, format_func=NAMES.__getitem__, key="lang", required=True
    )
    if st.query_params.get("lang") != language():
        st.query_params["lang"] = language()


def language() -> str:
    """The reader's language."""
    chosen = st.session_state.get("lang")
    return chosen if chosen in LANGUAGES else "vi"


def say(text: str, **values: Any) -> str:
    """A text of the catalogue in the reader's language, with values put in."""
    return Message(text, **values).render(language()) if values else translate(text, language())


def plain(text: object) -> str:
    """A text as Markdown that shows just that text: whatever a name holds, it is no markup and no link."""
    return _PUNCTUATION.sub(r"\\\1", " ".join(str(text).split()))


def paid(value: Decimal, currency: str) -> str:
    """An amount in the reader's language, never broken over two lines."""
    return format_amount(value, currency, language())


def signed(value: Decimal, currency: str) -> str:
    """An amount with its sign, never broken over two lines."""
    return format_signed(value, currency, language())


def number(value: int) -> str:
    """A number in the reader's language."""
    return format_number(value, language())


def day(moment: date | None) -> str:
    """``29/11/2026`` in Vietnamese, ``29 Nov 2026`` in English."""
    if moment is None:
        return say(N_("no date"))
    return format_date(moment, "dd/MM/yyyy" if language() == "vi" else "d MMM yyyy", locale=language())


def moment(text: str | None) -> str:
    """A log's own time, at the place where it was written: ``29/11/2026 20:15``."""
    if text is None:
        return say(N_("no date"))
    at = datetime.fromisoformat(text.upper().replace(" ", "T"))
    return f"{day(at)} {format_time(at, 'HH:mm', locale=language())}"


def _browser() -> str:
    """English for a browser set to English, else Vietnamese."""
    return "en" if (st.context.locale or "").lower().startswith("en") else "vi"
