"""Exact amounts as people read them, by language and currency."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import Final

from analyzer.locale import N_, Message, translate
from analyzer.logs.notation.texts import fold
from analyzer.logs.notation.words import THOUSANDS

NBSP = "\u00a0"
"""Keeps an amount and its currency on one line."""

UNITS = {"POINT": N_("points"), "CHIP": N_("chips")}

REASONS: Final = {
    "place": N_("places"),
    "chop": N_("chops"),
    "rotten": N_("rotten cards"),
    "frozen": N_("frozen seats"),
    "instant_win": N_("instant wins"),
    "forfeit": N_("paying for the table"),
    "card_count": N_("cards left over"),
    "finish_with_two": N_("going out on a two"),
    "sweep_broken": N_("broken sweeps"),
    "three_of_spades": N_("the three of spades"),
    "cap": N_("the most that can be lost"),
    "ruling": N_("rulings"),
}
"""Reason of a transfer → the heading under which its amounts are added."""

_TYPED: Final = re.compile(
    rf"([0-9][0-9.,]{{0,25}}|[1-9][0-9]{{0,2}}(?: [0-9]{{3}}){{1,6}})"
    rf" ?({'|'.join(THOUSANDS)})? ?(?:₫|dong|vnd|d)?"
)
_SPOKEN: Final = re.compile(r"([0-9]{1,3})(k|tr)([1-9])(?=[^0-9]|$)")
"""``1tr5``, as it is said: a million and a half."""
_SEPARATORS: Final = {"vi": (".", ","), "en": (",", ".")}
"""What parts the thousands, and what stands before the decimals."""


@lru_cache(maxsize=20_000)
def format_number(value: Decimal | int, lang: str) -> str:
    """``1.000.000`` in Vietnamese, ``1,000,000`` in English; never rounded."""
    from babel.numbers import format_decimal

    return str(format_decimal(value, format="#,##0.###", locale=lang))


class Number(Message):
    """A number in the text of a message, written as the reader's language does."""

    __slots__ = ("value",)

    def __init__(self, value: Decimal | int) -> None:
        super().__init__("")
        self.value = value

    def render(self, lang: str) -> str:
        """The number in a language."""
        return format_number(self.value, lang)


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


class Amount(Message):
    """An amount in the text of a message: written by the reader's language."""

    __slots__ = ("currency", "signed", "value")

    def __init__(self, value: Decimal | int, currency: str, signed: bool = False) -> None:
        super().__init__("")
        self.value = value
        self.currency = currency
        self.signed = signed

    def render(self, lang: str) -> str:
        """The amount as people of this language write it."""
        told = format_signed if self.signed else format_amount
        return told(self.value, self.currency, lang)


def parse_amount(text: str, lang: str) -> Decimal | None:
    """An amount as a person types it: ``20k``, in Vietnamese ``1.000.000`` or ``2,5``; None for anything
    doubtful.

    Above zero, below 10^15, at most three places.
    """
    readings = _readings(text, lang)
    return readings[0] if len(readings) == 1 else None


def unclear_amount(text: str, lang: str) -> Message:
    """Why :func:`parse_amount` takes no amount from a text: what it may mean, else what is expected."""
    readings = [f"“{_typable(value, lang)}”" for value in _readings(text, lang)]
    if not readings:
        expected = N_("The amount {text} is not clear. Write it above zero, such as {whole} or {part}.")
        examples = {"whole": format_number(50_000, lang), "part": format_number(Decimal("2.5"), lang)}
        return Message(expected, text=repr(text), **examples)
    told = N_("The amount {text} can be read in two ways. Write {one} or {other}, whichever you mean.")
    return Message(told, text=repr(text), one=readings[0], other=readings[1])


def _readings(text: str, lang: str) -> list[Decimal]:
    """What an amount that somebody typed may mean: nothing, one amount, or two."""
    group, point = _SEPARATORS[lang]
    plain = _SPOKEN.sub(rf"\1{point}\3\2", _plain(" ".join(text.split())))
    match = _TYPED.fullmatch(plain)
    if match is None:
        return []
    number, times = match[1].replace(" ", ""), THOUSANDS.get(match[2], 0)
    grouped, own = _read(number, group, point)
    other_grouped, other = _read(number, point, group)
    if times:
        # ``1.5tr`` is no thousands in either language, ``1.500k`` may be, and nobody writes ``1.500.000k``.
        once = len(re.findall("[., ]", match[1])) < 2
        readings = {value.scaleb(times) for value in (own, other) if value is not None and once}
    elif own is not None:
        readings = {own} if grouped or other is None else {own, other}
    else:
        readings = {other} if other is not None and other_grouped else set()
    if readings and len(set(re.findall("[.,]", number))) == 2 and re.search(r"[.,]\d{3}$", number):
        readings.add(Decimal(re.sub("[.,]", "", number)))  # ``1.000,000``: a thousand, or a million
    return sorted(_shortest(value) for value in readings if 0 < value < 10**15 and value == round(value, 3))


def _plain(text: str) -> str:
    """A text of which letters alone are folded: a digit with a mark is none."""
    return "".join(
        fold(letter) if letter.isalpha() else letter for letter in unicodedata.normalize("NFC", text)
    )


def _shortest(value: Decimal) -> Decimal:
    whole = value.to_integral_value()
    return whole.quantize(Decimal(1)) if whole == value else value.normalize()


def _read(number: str, group: str, point: str) -> tuple[bool, Decimal | None]:
    """Whether a number has separated thousands, and what it is; None where it is not written so."""
    decimals = r"\d{1,3}|\d\d[1-9]0"  # four as _typable writes them
    match = re.fullmatch(rf"([1-9]\d{{0,2}}(?:\{group}\d{{3}})+|0|[1-9]\d*)(?:\{point}({decimals}))?", number)
    if match is None:
        return False, None
    return group in match[1], Decimal(f"{match[1].replace(group, '')}.{match[2] or 0}")


def _typable(value: Decimal, lang: str) -> str:
    """An amount so that it is read as just that: three decimals look like thousands, four do not."""
    told = format_number(value, lang)
    return told if parse_amount(told, lang) == value else told + "0"
