"""The bombs in what a player has left: the disjoint sets that cost the most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analyzer.cards import BLACK, RED, cards_of
from analyzer.combinations import NO_TWOS, ranks_with

Bombs = tuple[int, list[tuple[str, int, int]]]
"""A total price, and the (name, cards, price) of each bomb."""


def dearest_bombs(cards: int, runs: str, prices: Mapping[str, int]) -> Bombs:
    """Disjoint bombs of these cards with the greatest total price.

    ``runs`` is the knob ``combinations.consecutive_pairs``; ``prices`` are in thousandths of a stake.
    """
    known: dict[int, Bombs] = {}

    def dearest(cards: int) -> Bombs:
        found = known.get(cards)
        if found is None:
            best, parts = 0, list[tuple[str, int, int]]()
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
