"""Deals: plain ones, and ones rigged so that what is rare at a table is common in a sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Final

from analyzer.cards import BLACK, DECK, RED, SPELLINGS, SUIT_SETS, THREE_OF_SPADES, THREES, TWOS, cards_of
from analyzer.rules.house import House
from analyzer.rules.instant_wins import INSTANT_WIN_ORDER

RIGGED: Final = 0.4
"""Share of deals in which bombs, twos or long sets are dealt on purpose."""

ALMOST_WON: Final = 0.04
"""Share of deals with a holding that some house knows as an instant win."""

Rig = Callable[[Random, House], int]


def _of_rank(rng: Random, rank: int, count: int, among: int = DECK) -> int:
    """So many cards of one rank, as a card set."""
    held = list(cards_of((0xF << (rank * 4)) & among))
    return sum(1 << card for card in rng.sample(held, count))


def _run(rng: Random, length: int, each: int, among: int = DECK, low: int | None = None) -> int:
    low = rng.randrange(12 - length + 1) if low is None else low
    return sum(_of_rank(rng, rank, each, among) for rank in range(low, low + length))


def _four(rng: Random, house: House) -> int:
    return 0xF << (rng.randrange(12) * 4)


def _pairs(rng: Random, house: House) -> int:
    """Three to six consecutive pairs; of one colour where only those count."""
    among = rng.choice((BLACK, RED)) if house.runs == "one_colour" else DECK
    return _run(rng, rng.choice((3, 3, 3, 4, 4, 5, 6)), 2, among)


def _twos(rng: Random, house: House) -> int:
    return _of_rank(rng, 12, rng.choice((1, 2, 2, 3)))


def _suited(rng: Random, house: House) -> int:
    return _run(rng, rng.randrange(3, 8), 1, SUIT_SETS[rng.randrange(4)])


def _same_colour(rng: Random, house: House) -> int:
    """Two pairs of one colour: what the North answers pairs with."""
    among = rng.choice((BLACK, RED))
    return sum(_of_rank(rng, rank, 2, among) for rank in rng.sample(range(12), 2))


def _opening_card(rng: Random, house: House) -> int:
    """The opening card in a set of its rank, sometimes in a run."""
    card = house.knobs.lead.card
    first = THREE_OF_SPADES if card == "lowest" else 1 << SPELLINGS[card]
    return first | _run(rng, rng.choice((1, 3, 4)), rng.choice((1, 2)), DECK & ~first, low=0)


BOMBS: Final[tuple[Rig, ...]] = (_four, _four, _pairs, _pairs, _pairs, _twos, _twos)
RIGS: Final[tuple[Rig, ...]] = (*BOMBS, _suited, _same_colour, _opening_card)


def instant_win_cards(name: str, rng: Random) -> int:
    """Cards that make a holding the instant win of this id."""
    if name == "four_threes":
        return THREES
    if name == "four_twos":
        return TWOS
    if name == "three_pairs_with_3s":
        return THREE_OF_SPADES | _of_rank(rng, 0, 1, DECK & ~THREE_OF_SPADES) | _run(rng, 2, 2, low=1)
    if name == "six_pairs":
        if rng.random() < 0.4:
            return _run(rng, 6, 2)
        return sum(_of_rank(rng, rank, 2) for rank in rng.sample(range(13), 6))
    if name == "five_consecutive_pairs":
        return _run(rng, 5, 2)
    if name == "dragon":
        return _run(rng, 12, 1)
    if name == "one_colour":
        return sum(1 << card for card in rng.sample(list(cards_of(rng.choice((BLACK, RED)))), 12))
    if name == "four_triples":
        return sum(_of_rank(rng, rank, 3) for rank in rng.sample(range(13), 4))
    if name == "two_fours":
        return sum(0xF << (rank * 4) for rank in rng.sample(range(13), 2))
    return _run(rng, 3, 3)


def deal(house: House, rng: Random, seats: int, wishes: Iterable[tuple[int, int]] = ()) -> list[int]:
    """One holding (card set) a seat. ``wishes`` are (seat, cards) granted before whatever else is rigged."""
    size = house.hand_size
    holdings = [0] * seats
    taken = 0
    grants = list(wishes)
    if rng.random() < ALMOST_WON:
        grants.append((rng.randrange(seats), instant_win_cards(rng.choice(INSTANT_WIN_ORDER), rng)))
    if wishes or rng.random() < RIGGED:
        grants += [
            (rng.randrange(seats), rng.choice(RIGS)(rng, house)) for _ in range(rng.randrange(1, seats + 2))
        ]
    for seat, cards in grants:
        if not cards & taken and (holdings[seat] | cards).bit_count() <= size:
            holdings[seat] |= cards
            taken |= cards
    rest = list(cards_of(DECK & ~taken))
    rng.shuffle(rest)
    for seat in range(seats):
        for _ in range(size - holdings[seat].bit_count()):
            holdings[seat] |= 1 << rest.pop()
    return holdings


def instant_winners(house: House, holdings: list[int], opening: bool) -> list[tuple[int, str]]:
    """The seats whose holding ends the deal, and by which instant win."""
    found = ((seat, house.instant_win(cards, opening)) for seat, cards in enumerate(holdings))
    return [(seat, name) for seat, name in found if name is not None]
