"""What a player has left: its twos one by one, and of its bombs the disjoint sets that cost the most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from analyzer.cards import BLACK, RED, cards_of
from analyzer.combinations import NO_TWOS, ranks_with, run_ends

TWO_PRICES: Final = ("two_spades", "two_clubs", "two_diamonds", "two_hearts")

Leftover = tuple[str, int, int]
"""A price's name, the cards it is for, and the price, in thousandths of a stake."""

Bombs = tuple[int, list[Leftover]]
"""A total price, and each bomb."""


class Leftovers:
    """What the twos and bombs that are left cost in one house.

    ``runs`` is the knob ``combinations.consecutive_pairs``; ``prices`` are in thousandths of a stake.
    """

    __slots__ = ("prices", "runs", "twos")

    def __init__(self, runs: str, prices: Mapping[str, int]) -> None:
        self.runs = runs
        self.prices = prices
        self.twos = [self._twos(suits) for suits in range(16)]
        """For each set of suits (a bit a suit) the twos of these that have a price."""

    def parts(self, holding: int) -> list[Leftover]:
        """The twos and bombs in a holding that have a price."""
        twos, rest = self.twos[holding >> 48], holding & NO_TWOS
        if rest.bit_count() < 4 or not (ranks_with(rest, 4) or run_ends(ranks_with(rest, 2), 3)):
            return twos  # most often: no bomb at all
        bombs = dearest_bombs(rest, self.runs, self.prices)[1]
        return [*twos, *(bomb for bomb in bombs if bomb[2])]

    def _twos(self, suits: int) -> list[Leftover]:
        twos = [
            (name, 1 << (48 + suit), self.prices[name])
            for suit, name in enumerate(TWO_PRICES)
            if suits >> suit & 1
        ]
        return [two for two in twos if two[2]]


def dearest_bombs(cards: int, runs: str, prices: Mapping[str, int]) -> Bombs:
    """Disjoint bombs of these cards with the greatest total price.

    ``runs`` is the knob ``combinations.consecutive_pairs``; ``prices`` are in thousandths of a stake.
    """
    known: dict[int, Bombs] = {}

    def dearest(cards: int) -> Bombs:
        found = known.get(cards)
        if found is None:
            best, parts = 0, list[Leftover]()
            for name, bomb in _lowest_bombs(cards, runs):
                price = prices[name]
                value, others = dearest(cards & ~bomb & ~((bomb & -bomb) - 1))
                if value + price > best:
                    best, parts = value + price, [(name, bomb, price), *others]
            found = known[cards] = best, parts
        return found

    return dearest(cards)


def _lowest_bombs(cards: int, runs: str) -> Iterator[tuple[str, int]]:
    """Bombs of these cards, one for each way a rank can begin one; longer runs add no price."""
    for low in cards_of(ranks_with(cards, 4) & NO_TWOS):
        yield "four_of_a_kind", 0xF << low
    for colour in (0,) if runs == "any" else (BLACK, RED) if runs == "one_colour" else ():
        held = cards & colour if colour else cards
        pairs = ranks_with(held, 2) & NO_TWOS
        starts = pairs & (pairs >> 4) & (pairs >> 8)
        if starts:
            for low in cards_of(starts):
                yield "three_pairs", _lowest_run(held, low, 3)
            for low in cards_of(starts & (pairs >> 12)):
                yield "four_pairs", _lowest_run(held, low, 4)


def _lowest_run(cards: int, low: int, length: int) -> int:
    """The run of so many pairs from the rank that begins with card ``low``, of its lowest cards."""
    run = 0
    for first in range(low, low + 4 * length, 4):
        rank = cards & (0xF << first)
        one = rank & -rank
        rest = rank ^ one
        run |= one | (rest & -rest)
    return run
