"""What a settlement is made of. Amounts are whole thousandths of the currency's unit."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from analyzer.judge.debts import Link
from analyzer.rules.leftovers import Leftover

Reason = Literal[
    "place",
    "chop",
    "rotten",
    "frozen",
    "instant_win",
    "forfeit",
    "card_count",
    "finish_with_two",
    "sweep_broken",
    "three_of_spades",
    "cap",
    "ruling",
]


class Left(msgspec.Struct, frozen=True, gc=False):
    """Twos and bombs left in a holding, as :class:`~analyzer.rules.leftovers.Leftovers` gives them."""

    parts: list[Leftover]


class Links(msgspec.Struct, frozen=True, gc=False):
    """The links of a chain that one transfer pays for; ``uncut`` is for the twos under the first."""

    chain: list[Link]
    paid: list[Link]
    uncut: int


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """``amount`` thousandths from a seat to a seat; None is the bank.

    ``cause`` is what the amount was made of, kept as it is; :func:`facts_of` tells it.
    """

    from_: int | None
    to: int | None
    amount: int
    reason: Reason
    event: int | None
    rule: str
    cause: Left | Links | int | None
    for_seat: int | None


class Chop(NamedTuple):
    """A link of a chain with its own price; ``paid`` where this victim pays."""

    link: Link
    amount: int
    paid: bool


class Settlement(NamedTuple):
    """Everything a hand costs: transfers in order, chops in order, and what each seat ends with."""

    transfers: list[Transfer]
    chops: list[Chop]
    net: list[int]
