"""What unknown cards leave open: had a passer surely, possibly, or surely not a legal play?

A seat with hidden cards holds its known cards and some ``count`` cards of the ``pool`` (the cards that
no known holding has); every such choice is a deal consistent with the log. *Certain* is what holds in
all of them, *possible* what holds in some. The search for a deal without a play is exact; where it
would take more than a fixed number of steps, or all searches for one hand together more than another,
it says so instead (``undecidable``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from typing import Final

import msgspec

from analyzer.cards import BLACK, RED, SUIT_SETS, THREE_OF_SPADES, THREES, TWOS, cards_of
from analyzer.combinations import FOUR, PAIR, PAIRS, SEQUENCE, SINGLE, TRIPLE
from analyzer.judge.findings import Certainty
from analyzer.judge.holdings import Holdings
from analyzer.judge.passes import Pass, end_chops
from analyzer.rules.house import House
from analyzer.rules.plays import LOOSE, TWO_TARGETS, Play

STEPS: Final = 20_000
"""Deals examined before the search gives up."""

TESTS: Final = 300_000
"""Pass tests made for one hand before it gives up for all the rest: a fraction of a second."""


class Effort:
    """How many pass tests may still be made for one hand."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = TESTS


IMPOSSIBLE: Final = 99


class Slot:
    """Part of a combination: ``count`` of the cards in ``among``, one of them in ``above`` if given."""

    __slots__ = ("above", "among", "count")

    def __init__(self, among: int, count: int, above: int = 0) -> None:
        self.among = among
        self.count = count
        self.above = above

    def missing(self, held: int, pool: int) -> int:
        """How many cards of the pool it takes at least to fill this slot."""
        have, get = held & self.among, pool & self.among
        if have.bit_count() + get.bit_count() < self.count:
            return IMPOSSIBLE
        need = max(0, self.count - have.bit_count())
        if self.above and not have & self.above:
            return max(need, 1) if get & self.above else IMPOSSIBLE
        return need


def certainty_of(house: House, dealt: Holdings, passes: Sequence[Pass], effort: Effort) -> Certainty | None:
    """Whether the seat had a legal play at one of these passes (all of one seat); None: in no deal."""
    pool, count = dealt.pool, dealt.hidden[passes[0].seat]
    if not count:
        return "certain" if any(_has_play(house, p, p.holding, True) for p in passes) else None
    if any(_has_play(house, p, p.holding, False) for p in passes):
        return "certain"
    if not any(_least_missing(house, p, pool) <= count for p in passes):
        return None
    if not house.finish_free and not _some_deal_has_play(house, passes, pool, count, effort):
        return None
    safe = _safe_deal_exists(house, passes, pool, count, effort)
    return "undecidable" if safe is None else "possible" if safe else "certain"


def _some_deal_has_play(house: House, passes: Sequence[Pass], pool: int, count: int, effort: Effort) -> bool:
    """Where going out on a two is no legal play: whether so small a holding can have another.

    Larger holdings are taken to: a play of theirs need not be their last.
    """
    small = [p for p in passes if p.holding.bit_count() + count <= 4]
    deals = comb(pool.bit_count(), count)
    if len(small) < len(passes) or deals > STEPS or effort.left < 0:
        return True
    effort.left -= deals * len(small)
    return any(
        _has_play(house, p, p.holding | sum(1 << card for card in chosen), True)
        for chosen in combinations(cards_of(pool), count)
        for p in small
    )


def _has_play(house: House, entry: Pass, holding: int, whole: bool) -> bool:
    if entry.at_end:
        return bool(end_chops(house, msgspec.structs.replace(entry, holding=holding), whole))
    return house.can_beat(holding, entry.top, whole)


def _safe_deal_exists(
    house: House, passes: Sequence[Pass], pool: int, count: int, effort: Effort
) -> bool | None:
    """Whether some ``count`` cards of the pool give no play at any of the passes; None: not worked out."""
    harmless = [
        card
        for card in cards_of(pool)
        if not any(_has_play(house, p, p.holding | 1 << card, False) for p in passes)
    ]
    steps = STEPS

    def extend(start: int, chosen: int, left: int) -> bool | None:
        nonlocal steps
        if left == 0:
            return True
        for index in range(start, len(harmless) - left + 1):
            steps -= 1
            effort.left -= len(passes)
            if steps < 0 or effort.left < 0:
                return None
            more = chosen | 1 << harmless[index]
            if any(_has_play(house, p, p.holding | more, left == 1) for p in passes):
                continue
            found = extend(index + 1, more, left - 1)
            if found is not False:
                return found
        return False

    return extend(0, 0, count)


def could_be_instant_win(house: House, opening: bool, held: int, pool: int, count: int) -> bool:
    """Whether some choice of hidden cards makes a holding an instant win of this hand."""
    return any(_cheapest(name, held, pool) <= count for name in house.instant_win_names(opening))


def _cheapest(name: str, held: int, pool: int) -> int:
    """The fewest cards of the pool that would complete the instant win of this id."""

    def need(among: int, number: int, above: int = 0) -> int:
        return Slot(among, number, above).missing(held, pool)

    def each(number: int) -> list[int]:
        return [need(0xF << (rank * 4), number) for rank in range(13)]

    def run(length: int, number: int) -> int:
        costs = each(number)[:12]
        return min(sum(costs[low : low + length]) for low in range(12 - length + 1))

    match name:
        case "four_threes":
            return need(THREES, 4)
        case "four_twos":
            return need(TWOS, 4)
        case "three_pairs_with_3s":
            return need(THREES, 2, THREE_OF_SPADES) + need(0xF0, 2) + need(0xF00, 2)
        case "six_pairs":
            return _six_pairs(each(2), each(4))
        case "five_consecutive_pairs":
            return run(5, 2)
        case "dragon":
            return run(12, 1)
        case "one_colour":
            return min(need(RED, 12), need(BLACK, 12))
        case "four_triples":
            return sum(sorted(each(3))[:4])
        case "two_fours":
            return sum(sorted(each(4))[:2])
        case _:
            return run(3, 3)


def _six_pairs(two: list[int], four: list[int]) -> int:
    """The cheapest six pairs, four of a kind counting as two of them."""
    best = [0, *[IMPOSSIBLE] * 6]
    for pair, both in zip(two, four, strict=True):
        for pairs in range(6, 0, -1):
            best[pairs] = min(best[pairs], best[pairs - 1] + pair, best[max(pairs - 2, 0)] + both)
    return best[6]


def _least_missing(house: House, entry: Pass, pool: int) -> int:
    """The fewest cards of the pool that would complete a legal play."""
    best = IMPOSSIBLE
    for slots in _patterns(house, entry):
        best = min(best, sum(slot.missing(entry.holding, pool) for slot in slots))
    return best


def _patterns(house: House, entry: Pass) -> Iterable[list[Slot]]:
    """Every way to beat (at the end: to chop) the top, as slots to fill."""
    top = entry.top
    if not entry.at_end or top.kind in (FOUR, PAIRS) or (house.two_over_two and top.target & TWO_TARGETS):
        yield from _of_shape(house, top)
    if top.target and top.target != LOOSE:
        for name in house.choppers(top, free_only=entry.at_end and entry.had_passed):
            yield from _bombs(house, name)


def _of_shape(house: House, top: Play) -> Iterable[list[Slot]]:
    higher = ~((1 << (top.strength + 1)) - 1) & ((1 << 52) - 1)
    first = top.top >> 2
    suit = top.top & 3
    if top.kind == SINGLE:
        yield [Slot(higher & (SUIT_SETS[suit] | TWOS) if house.by_suit else higher, 1)]
    elif top.kind in (PAIR, TRIPLE, FOUR):
        within = -1
        if house.by_suit and top.kind == PAIR:
            within = RED if top.cards & RED else BLACK
        elif house.by_suit and top.kind == TRIPLE:
            suits = (top.cards >> (first * 4)) & 0xF
            within = sum(SUIT_SETS[s] for s in range(4) if suits >> s & 1)
        for rank in range(first, 13):
            nibble = (0xF << (rank * 4)) & within
            if nibble & higher:
                yield [Slot(nibble, top.kind, nibble & higher)]
    elif top.kind == SEQUENCE:
        within = SUIT_SETS[suit] if house.by_suit else -1
        yield from _runs(within, top.length, 1, first, higher)
    else:
        for within in _run_colours(house, top):
            yield from _runs(within, top.length, 2, first, higher)


def _run_colours(house: House, top: Play | None = None) -> list[int]:
    if house.runs == "any":
        return [-1]
    if house.runs == "none":
        return []
    if top is not None and house.by_suit:
        return [RED if top.cards & RED else BLACK]
    return [BLACK, RED]


def _runs(within: int, length: int, each: int, lowest_end: int, higher: int) -> Iterable[list[Slot]]:
    for end in range(max(lowest_end, length - 1), 12):
        slots = [Slot((0xF << (rank * 4)) & within, each) for rank in range(end - length + 1, end)]
        last = (0xF << (end * 4)) & within
        if last & higher:
            yield [*slots, Slot(last, each, last & higher)]


def _bombs(house: House, name: str) -> Iterable[list[Slot]]:
    every = (1 << 52) - 1
    if name == "four_of_a_kind":
        for rank in range(13):
            yield [Slot(0xF << (rank * 4), 4)]
    elif name in ("one_suit_five", "one_suit_six"):
        for suit in SUIT_SETS:
            yield from _runs(suit, 5 if name == "one_suit_five" else 6, 1, 0, every)
    else:
        length = {"three_pairs": 3, "four_pairs": 4, "five_pairs": 5}[name]
        for within in _run_colours(house):
            yield from _runs(within, length, 2, 0, every)
