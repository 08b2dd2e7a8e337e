"""What the pages say: the reader's language, dates as they are written in it, and names made harmless."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, TypeVar

import streamlit as st
from babel.dates import format_date, format_time
from babel.numbers import format_decimal, format_percent

from analyzer.locale import LANGUAGES, N_, Message, translate
from analyzer.reports.money import format_amount, format_number, format_signed
from analyzer.reports.text import safe
from dashboards.browser import remembered_language

K = TypeVar("K")

NAMES: Final = {"vi": "Tiếng Việt", "en": "English"}

_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")

_ADDRESS: Final = re.compile(r"(?i)(https?:|www|@)")
"""What begins something that Streamlit makes a link of, escaped or not."""

_spoken: Final[ContextVar[str | None]] = ContextVar("spoken", default=None)
"""The language of the run of a page, which is asked for thousands of times, and slowly, of the session."""

_NO_BREAK: Final = "\u2060"
"""Shows nothing: after it nothing is taken for an address."""


def choose_language() -> str | None:
    """The switch in the sidebar; the language if the visitor has just chosen it, for the browser to keep.

    The address wins, so that a link shows what its sender saw; then comes what was chosen on an earlier
    visit, then the browser's language.
    """
    if "lang" not in st.session_state:
        asked = (st.query_params.get("lang"), remembered_language(), _browser())
        st.session_state["lang"] = next(lang for lang in asked if lang in LANGUAGES)
    # A widget that is drawn under another name on each run would lose its state: the label is bilingual.
    st.sidebar.segmented_control(
        "Ngôn ngữ · Language",
        LANGUAGES,
        format_func=NAMES.__getitem__,
        key="lang",
        required=True,
        on_change=lambda: st.session_state.update(lang_chosen=st.session_state["lang"]),
    )
    _spoken.set(st.session_state["lang"])
    if st.query_params.get("lang") != language():
        st.query_params["lang"] = language()
    chosen: str | None = st.session_state.get("lang_chosen")
    return chosen


def language() -> str:
    """The reader's language."""
    chosen = _spoken.get() or st.session_state.get("lang")
    return chosen if chosen in LANGUAGES else "vi"


def say(text: str, **values: Any) -> str:
    """A text of the catalogue in the reader's language, with values put in."""
    return Message(text, **values).render(language()) if values else translate(text, language())


def plain(text: object) -> str:
    """A text as Markdown that shows just that text: whatever a name holds, it is no markup and no link."""
    told = _ADDRESS.sub(rf"\1{_NO_BREAK}", level(" ".join(str(text).split())))
    return _PUNCTUATION.sub(r"\\\1", told)


def level(text: str) -> str:
    """A text that turns nobody's direction of writing and steers nothing: what would is shown as a sign."""
    return safe(text)


def distinct(labels: Mapping[K, str], *more: Callable[[K], str]) -> dict[K, str]:
    """Labels to choose by, no two the same (Streamlit knows a choice by its label alone): equal ones get
    what ``more`` tells of them, one after another, and at last a number."""
    told = {key: level(label) for key, label in labels.items()}
    for tell in more:
        often = Counter(told.values())
        told = {
            key: label if often[label] == 1 else f"{label} ({level(tell(key))})"
            for key, label in told.items()
        }
    seen: Counter[str] = Counter()
    found: dict[K, str] = {}
    for key, label in told.items():
        seen[label] += 1
        found[key] = label if seen[label] == 1 else f"{label} #{seen[label]}"
    return found


def paid(value: Decimal, currency: str) -> str:
    """An amount in the reader's language, never broken over two lines."""
    return format_amount(value, currency, language())


def signed(value: Decimal, currency: str) -> str:
    """An amount with its sign, never broken over two lines."""
    return format_signed(value, currency, language())


def number(value: int) -> str:
    """A number in the reader's language."""
    return format_number(value, language())


def percent(share: float) -> str:
    """A share of one as a percentage: ``31,4 %``."""
    return format_percent(share, "#,##0.0 %", locale=language())


def statistic(value: float) -> str:
    """A statistic that is no amount, to one decimal."""
    return format_decimal(value, "#,##0.0", locale=language())


def separators() -> str:
    """The decimal and the thousands sign, as plotly wants them."""
    return ",." if language() == "vi" else ".,"


def day(moment: date | None) -> str:
    """``29/11/2026`` in Vietnamese, ``29 Nov 2026`` in English."""
    if moment is None:
        return say(N_("no date"))
    return _date(moment.year, moment.month, moment.day, language())


@lru_cache(maxsize=5_000)
def _date(year: int, month: int, day: int, lang: str) -> str:
    pattern = "dd/MM/yyyy" if lang == "vi" else "d MMM yyyy"
    told: str = format_date(date(year, month, day), pattern, locale=lang)
    return told


def moment(text: str | None) -> str:
    """A log's own time, at the place where it was written: ``29/11/2026 20:15``."""
    if text is None:
        return say(N_("no date"))
    at = datetime.fromisoformat(text.upper().replace(" ", "T"))
    return f"{day(at)} {format_time(at, 'HH:mm', locale=language())}"


def _browser() -> str:
    """English for a browser set to English, else Vietnamese."""
    return "en" if (st.context.locale or "").lower().startswith("en") else "vi"
