"""The bombs in what a player has left: the disjoint sets that cost the most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analyzer.cards import BLACK, RED


def dearest_bombs(cards: int, runs: str, prices: Mapping[str, int]) -> tuple[int, list[tuple[str, int, int]]]:
    """Disjoint bombs of these cards with the greatest total price: that price, and (name, cards, price).

    ``runs`` is the knob ``combinations.consecutive_pairs``; ``prices`` are in thousandths of a stake.
    """
    best, parts = 0, list[tuple[str, int, int]]()
    for name, bomb in _lowest_bombs(cards, runs):
        price = prices[name]
        value, others = dearest_bombs(cards & ~bomb & ~((bomb & -bomb) - 1), runs, prices)
        if value + price > best:
            best, parts = value + price, [(name, bomb, price), *others]
    return best, parts


def _lowest_bombs(cards: int, runs: str) -> Iterator[tuple[str, int]]:
    """Bombs of these cards, one for each way a rank can begin one; longer runs add no price."""
    for rank in range(12):
        nibble = cards & (0xF << (rank * 4))
        if nibble.bit_count() == 4:
            yield "four_of_a_kind", nibble
    for colour in (0,) if runs == "any" else (BLACK, RED) if runs == "one_colour" else ():
        held = cards & colour if colour else cards
        for length, name in ((3, "three_pairs"), (4, "four_pairs")):
            for low in range(12 - length + 1):
                run = 0
                for rank in range(low, low + length):
                    pair = _lowest_two(held & (0xF << (rank * 4)))
                    if not pair:
                        break
                    run |= pair
                else:
                    yield name, run


def _lowest_two(nibble: int) -> int:
    first = nibble & -nibble
    rest = nibble ^ first
    return first | (rest & -rest) if rest else 0
