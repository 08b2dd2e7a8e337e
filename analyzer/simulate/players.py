"""Ways of playing: which of its legal plays a made-up player makes, and when it passes instead."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from analyzer.cards import BLACK, DECK, RED, SUIT_SETS, TWOS
from analyzer.combinations import FOUR, NO_TWOS, PAIR, PAIRS, SEQUENCE, SINGLE, TRIPLE, ranks_with, run_ends
from analyzer.rules.house import House
from analyzer.rules.plays import Play


class Style(NamedTuple):
    """A way of playing; all numbers are shares of the occasions."""

    name: str
    passes: float
    """Passes although it could play."""
    longest: float
    """Leads its longest set."""
    weakest: float
    """Otherwise plays the weakest set it may; the rest of the time any."""
    chops: float
    """Chops where it can."""
    hoards: bool = False
    """Keeps twos and bombs while it has anything else."""


THRIFTY: Final = Style("thrifty", 0.06, 0.1, 0.95, 0.7)
GREEDY: Final = Style("greedy", 0.03, 0.9, 0.9, 0.8)
HOARDER: Final = Style("hoarder", 0.08, 0.3, 0.9, 0.95, hoards=True)
TIMID: Final = Style("timid", 0.55, 0.2, 0.9, 0.25)
SILENT: Final = Style("silent", 0.97, 0.2, 0.9, 0.05)
RANDOM: Final = Style("random", 0.15, 0.2, 0.1, 0.5)
CARELESS: Final = Style("careless", 0.02, 0.7, 0.9, 0.0, hoards=True)
"""Will be left with twos or a bomb and nothing else."""
STYLES: Final = (THRIFTY, THRIFTY, GREEDY, GREEDY, HOARDER, HOARDER, TIMID, SILENT, RANDOM)


def seat_styles(rng: Random, seats: int) -> list[Style]:
    """One style a seat; now and then a table of silent ones with one who plays (everybody freezes)."""
    if rng.random() < 0.08:
        styles = [SILENT] * seats
        styles[rng.randrange(seats)] = GREEDY
        return styles
    return [rng.choice(STYLES) for _ in range(seats)]


_SUBSETS: Final = tuple(
    tuple(
        tuple(
            sum(1 << suit for suit in chosen)
            for chosen in combinations([suit for suit in range(4) if nibble >> suit & 1], count)
        )
        for count in range(5)
    )
    for nibble in range(16)
)
"""The subsets with so many cards, per nibble (cards of one rank) and count."""


@cache
def _shapes(by_suit: bool, runs: str) -> tuple[tuple[int, int, int], ...]:
    """(kind, cards of each rank, cards it may be made of), where suits or colours must agree per suit."""
    suits = SUIT_SETS if by_suit else (DECK,)
    colours = (BLACK, RED)
    return (
        (SINGLE, 1, DECK),
        *((PAIR, 2, area) for area in (colours if by_suit else (DECK,))),
        (TRIPLE, 3, DECK),
        (FOUR, 4, DECK),
        *((SEQUENCE, 1, area) for area in suits),
        *((PAIRS, 2, area) for area in {"any": (DECK,), "one_colour": colours, "none": ()}[runs]),
    )


def _pick(held: int, rank: int, count: int, must: int, rng: Random) -> int:
    shift = rank * 4
    subsets: Sequence[int] = _SUBSETS[held >> shift & 0xF][count]
    needed = must >> shift & 0xF
    if needed:
        subsets = [subset for subset in subsets if subset & needed == needed]
    return subsets[int(rng.random() * len(subsets))] << shift


def _any_rank(ranks: int, rng: Random) -> int:
    """One of the ranks whose bit is set; the lowest one every other time."""
    if rng.random() >= 0.5:
        for _ in range(int(rng.random() * ranks.bit_count())):
            ranks &= ranks - 1
    return ((ranks & -ranks).bit_length() - 1) >> 2


def some_sets(held: int, must: int, rng: Random, by_suit: bool, runs: str) -> list[int]:
    """A set of each kind and suit that the holding has, containing the card ``must`` where given."""
    found = []
    must_rank = (must.bit_length() - 1) >> 2
    for kind, each, area in _shapes(by_suit, runs):
        mine = held & area
        if must and not mine & must:
            continue
        ranks = ranks_with(mine, each) if kind <= FOUR else ranks_with(mine, each) & NO_TWOS
        if not ranks or (must and not ranks >> (must_rank * 4) & 1):
            continue
        if kind <= FOUR:
            rank = must_rank if must else _any_rank(ranks, rng)
            found.append(_pick(mine, rank, each, must, rng))
            continue
        ends = run_ends(ranks, 3)
        if not ends:
            continue
        low = high = must_rank if must else _any_rank(ends, rng)
        while low and ranks >> (low * 4 - 4) & 1:
            low -= 1
        while ranks >> (high * 4 + 4) & 1:
            high += 1
        if high - low < 2:
            continue
        if rng.random() < 0.4:
            high, low = _shorter(low, high, must_rank if must else -1, rng)
        found.append(sum(_pick(mine, rank, each, must, rng) for rank in range(low, high + 1)))
    return found


def _shorter(low: int, high: int, must_rank: int, rng: Random) -> tuple[int, int]:
    """Part of a run, three ranks at least, with the rank it must keep; (high, low)."""
    while high - low > 2 and rng.random() < 0.7:
        if rng.random() < 0.5 and low != must_rank:
            low += 1
        elif high != must_rank:
            high -= 1
    return high, low


def some_leads(house: House, held: int, must: int, rng: Random) -> list[Play]:
    """Some of the legal leads of a holding, at least one of every kind it has a lead of."""
    plays = [house.read(cards) for cards in some_sets(held, must & held, rng, house.by_suit, house.runs)]
    return [play for play in plays if play.allowed]


def bombs_and_twos(held: int) -> int:
    """The cards of a holding that a hoarder keeps together: twos, fours of a kind, consecutive pairs."""
    ends = run_ends(ranks_with(held, 2), 3)
    return held & (TWOS | (ranks_with(held, 4) | ends | ends >> 4 | ends >> 8) * 15)


def choose_lead(style: Style, plays: list[Play], held: int, rng: Random) -> Play:
    """The lead that a player of this style makes from a holding."""
    if style.hoards:
        kept = bombs_and_twos(held)
        plays = [play for play in plays if not play.cards & kept] or plays
    if rng.random() < style.longest:
        return max(plays, key=lambda play: (play.size, -play.top))
    return _weakest_or_any(style, plays, rng)


def choose_answer(style: Style, plays: list[Play], top: Play, held: int, rng: Random) -> Play | None:
    """The answer that a player of this style makes to ``top``, or None where it rather passes."""
    if not plays or rng.random() < style.passes:
        return None
    chops = [play for play in plays if play.chops(top)]
    if chops and rng.random() < style.chops:
        return _weakest_or_any(style, chops, rng)
    if style.hoards:
        kept = bombs_and_twos(held)
        plays = [play for play in plays if not play.cards & kept]
    return _weakest_or_any(style, plays, rng) if plays else None


def _weakest_or_any(style: Style, plays: list[Play], rng: Random) -> Play:
    if rng.random() < style.weakest:
        return min(plays, key=lambda play: (play.size, play.cards))
    return plays[int(rng.random() * len(plays))]
