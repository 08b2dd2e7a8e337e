"""Exact amounts as people read them, by language and currency."""

from __future__ import annotations

from decimal import Decimal

from analyzer.locale import N_, translate

NBSP = "\u00a0"
"""Keeps an amount and its currency on one line."""

UNITS = {"POINT": N_("points"), "CHIP": N_("chips")}


def format_number(value: Decimal | int, lang: str) -> str:
    """``1.000.000`` in Vietnamese, ``1,000,000`` in English; never rounded."""
    from babel.numbers import format_decimal

    return str(format_decimal(value, format="#,##0.###", locale=lang))


def format_amount(value: Decimal | int, currency: str, lang: str) -> str:
    """An amount with its currency: ``10.000 ₫``, ``4 điểm``."""
    number = format_number(value, lang)
    if currency in UNITS:
        return f"{number}{NBSP}{translate(UNITS[currency], lang)}"
    from babel.numbers import get_currency_symbol

    return f"{number}{NBSP}{get_currency_symbol(currency, locale=lang)}"


def format_signed(value: Decimal | int, currency: str, lang: str) -> str:
    """An amount with its sign always shown, and a true minus."""
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return sign + format_amount(value if value >= 0 else -value, currency, lang)
