"""Instant wins (tới trắng): what a holding is, wherever that counts."""

from __future__ import annotations

from typing import Final, get_args

from analyzer.cards import BLACK, THREE_OF_SPADES
from analyzer.combinations import M1, M3, M5, TO_EIGHT, ranks_with, run_ends
from analyzer.rules.knobs import InstantWin

INSTANT_WIN_ORDER: Final[tuple[InstantWin, ...]] = get_args(InstantWin)
"""Their names; the first that a holding is, is the one that is told."""

(
    FOUR_THREES,
    THREE_PAIRS_WITH_3S,
    FOUR_TWOS,
    SIX_PAIRS,
    FIVE_CONSECUTIVE_PAIRS,
    DRAGON,
    ONE_COLOUR,
    FOUR_TRIPLES,
    TWO_FOURS,
    THREE_CONSECUTIVE_TRIPLES,
) = [1 << bit for bit in range(len(INSTANT_WIN_ORDER))]


def instant_wins(holding: int) -> int:
    """Everything that a holding is, wherever it counts, as bits in the order of INSTANT_WIN_ORDER."""
    twos = holding - ((holding >> 1) & M5)
    counts = (twos & M3) + ((twos >> 2) & M3)  # as ranks_with counts them
    pairs = ((counts + TO_EIGHT[2]) >> 3) & M1
    fours = (counts >> 2) & M1
    n_pairs, n_fours = pairs.bit_count(), 0
    wins = 0
    if fours:
        n_fours = fours.bit_count()
        if fours & 1:
            wins |= FOUR_THREES
        if fours >> 48:
            wins |= FOUR_TWOS
        if n_fours >= 2:
            wins |= TWO_FOURS
    if n_pairs >= 3:
        if pairs & 0x111 == 0x111 and holding & THREE_OF_SPADES:
            wins |= THREE_PAIRS_WITH_3S
        if n_pairs + n_fours >= 6:
            wins |= SIX_PAIRS
        if n_pairs >= 5 and run_ends(pairs, 5):
            wins |= FIVE_CONSECUTIVE_PAIRS
        triples = ((counts + TO_EIGHT[3]) >> 3) & M1
        if triples and (n_triples := triples.bit_count()) >= 3:
            if n_triples >= 4:
                wins |= FOUR_TRIPLES
            if run_ends(triples, 3):
                wins |= THREE_CONSECUTIVE_TRIPLES
    elif n_pairs <= 1 and run_ends(ranks_with(holding, 1), 12):
        wins |= DRAGON
    n_black = (holding & BLACK).bit_count()
    if n_black >= 12 or holding.bit_count() - n_black >= 12:
        wins |= ONE_COLOUR
    return wins


def first_name(wins: int) -> str:
    """The name that is told of a holding that is all of these (not empty)."""
    return INSTANT_WIN_ORDER[(wins & -wins).bit_length() - 1]


def is_six_consecutive_pairs(holding: int) -> bool:
    """The stronger class of instant win, after which the losers' twos and bombs are counted."""
    return run_ends(ranks_with(holding, 2), 6) != 0
