"""Kinds of combination, and the arithmetic on card sets that finds them.

Nothing here knows a house rule: a combination is one that *some* house knows. What a given table
allows, and what beats what there, is asked of :class:`analyzer.rules.house.House`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations as choose
from itertools import product
from typing import Final, NamedTuple

from analyzer.cards import TWOS, cards_of

SINGLE: Final = 1
PAIR: Final = 2
TRIPLE: Final = 3
FOUR: Final = 4
SEQUENCE: Final = 5
PAIRS: Final = 6

KIND_NAMES: Final = ("", "single", "pair", "triple", "four_of_a_kind", "sequence", "consecutive_pairs")

M1: Final = 0x1111111111111
M3: Final = 0x3333333333333
M5: Final = 0x5555555555555
M7: Final = 0x7777777777777
NO_TWOS: Final = (1 << 48) - 1
TO_EIGHT: Final = tuple((8 - count) * M1 for count in range(5))
"""What, added to nibbles that count cards, sets the highest bit of each that counts at least so many."""


class Combination(NamedTuple):
    """A kind, its length (cards of a sequence, pairs of a run, else 1) and its highest card."""

    kind: int
    length: int
    top: int


def classify(cards: int) -> Combination | None:
    """The combination that exactly these cards form in some house, or None."""
    if not cards:
        return None
    size = cards.bit_count()
    top = cards.bit_length() - 1
    bottom = (cards & -cards).bit_length() - 1
    span = (top >> 2) - (bottom >> 2) + 1
    if span == 1:
        return Combination(size, 1, top)
    if cards & TWOS:
        return None
    ranks = ranks_with(cards, 1)
    if ranks.bit_count() != span:
        return None
    if size == span and span >= 3:
        return Combination(SEQUENCE, span, top)
    if size == 2 * span and span >= 3 and ranks_with(cards, 2) == ranks and not ranks_with(cards, 3):
        return Combination(PAIRS, span, top)
    return None


def ranks_with(cards: int, count: int) -> int:
    """The lowest bit of each nibble (rank) that holds at least ``count`` cards."""
    twos = cards - ((cards >> 1) & M5)  # two bits count the lower two suits of a rank, two the others
    return ((((twos & M3) + ((twos >> 2) & M3)) + TO_EIGHT[count]) >> 3) & M1


def above_same_rank(cards: int, among: int) -> int:
    """The cards of ``cards`` that have a lower card of their rank in ``among``."""
    return cards & (((among & M7) << 1) | ((among & M3) << 2) | ((among & M1) << 3))


def pair_tops(cards: int) -> int:
    """The cards that can be the higher card of a pair."""
    return above_same_rank(cards, cards)


def triple_tops(cards: int) -> int:
    """The cards that can be the highest card of a triple."""
    return above_same_rank(cards, pair_tops(cards))


def run_ends(ranks: int, length: int) -> int:
    """Of rank bits, those that end a run of ``length`` (3 at least) consecutive ones; a two is in no run."""
    ranks &= NO_TWOS
    ends = (ranks << 8) & (ranks << 4) & ranks
    for _ in range(length - 3):
        ends = (ends << 4) & ranks
    return ends


def choices(cards: int, kind: int, length: int, above: int = -1) -> Iterator[int]:
    """Every subset of ``cards`` that is a combination of this kind and length, in no set order.

    Only those whose highest card is higher than the card ``above``.
    """
    lowest = max(above, 0) >> 2
    if kind <= FOUR:
        for rank in range(lowest, 13):
            held = list(cards_of(cards & (0xF << (rank * 4))))
            for chosen in choose(held, kind):
                if chosen[-1] > above:
                    yield sum(1 << card for card in chosen)
        return
    each = 1 if kind == SEQUENCE else 2
    per_rank = [
        [
            sum(1 << card for card in chosen)
            for chosen in choose(list(cards_of(cards & (0xF << (rank * 4)))), each)
        ]
        for rank in range(12)
    ]
    for end in range(max(lowest, length - 1), 12):
        highest = [chosen for chosen in per_rank[end] if chosen >> (above + 1)]
        if highest:
            yield from map(sum, product(*per_rank[end - length + 1 : end], highest))


def kinds_in(cards: int) -> Iterator[tuple[int, int]]:
    """Every (kind, length) that could occur in a set of this many cards."""
    size = cards.bit_count()
    for kind in (SINGLE, PAIR, TRIPLE, FOUR):
        if kind <= size:
            yield kind, 1
    for length in range(3, min(size, 12) + 1):
        yield SEQUENCE, length
    for length in range(3, min(size // 2, 12) + 1):
        yield PAIRS, length
