"""Amounts of money: whole thousandths of the currency's unit, and how they are written."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

UNIT: Final = 1000
"""Thousandths in one unit of the currency."""

MOST: Final = 10**18 - 1
"""The greatest amount, in thousandths, that can be stored."""


def exact(thousandths: int) -> str:
    """Thousandths of a unit as the shortest exact decimal text."""
    sign = "-" if thousandths < 0 else ""
    whole, rest = divmod(abs(thousandths), UNIT)
    return f"{sign}{whole}" + (f".{rest:03d}".rstrip("0") if rest else "")


def amount_of(thousandths: int) -> Decimal:
    """Thousandths of a unit as an exact decimal without trailing zeros."""
    return Decimal(exact(thousandths))
