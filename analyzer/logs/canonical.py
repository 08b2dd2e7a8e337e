"""The canonical form of a hand, and the digest that says whether two logs are the same.

Cards are spelled canonically and sorted within a holding, a play or a show; keys stand in the fixed
order of the types; absent keys and keys that begin with ``_`` are left out; amounts are written as their
shortest decimal. The SHA-256 of that JSON text is the hand's content hash.
"""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from analyzer.cards import OPEN, OPEN_RANKS, RANKS, SPELLINGS, TEXTS, UNKNOWN
from analyzer.logs.hand import Hand

_LAST: Final = 1 << 10
_NUMBERS: Final = {text: card for card, text in enumerate(TEXTS)}
_encoder: Final = msgspec.json.Encoder(decimal_format="number")
CACHE_LIMIT: Final = 16_384
"""How many card tuples a cache keeps: nearly all that recur, in a few megabytes."""


def canonical_cards(cards: tuple[str, ...]) -> tuple[str, ...] | None:
    """The cards spelled canonically, weakest first; None where one is no card.

    One whose suit nobody remembers comes after all others of its rank, an unknown one last.
    """
    numbers = []
    for text in cards:
        card = SPELLINGS.get(text)
        if card is not None:
            numbers.append(2 * card)
        elif text in OPEN_RANKS:
            numbers.append(8 * OPEN_RANKS[text] + 7)
        elif text == UNKNOWN:
            numbers.append(_LAST)
        else:
            return None
    numbers.sort()
    return tuple([_in_order(number) for number in numbers])


def _in_order(number: int) -> str:
    if number == _LAST:
        return UNKNOWN
    return RANKS[number >> 3] + OPEN if number & 1 else TEXTS[number >> 1]


def canonical_holding(cards: tuple[str, ...]) -> tuple[str, ...] | None:
    """As :func:`canonical_cards`, quickly where they are in canonical form already."""
    try:
        numbers = list(map(_NUMBERS.__getitem__, cards))
        if numbers == sorted(numbers):
            return cards
    except KeyError:
        pass
    return canonical_cards(cards)


def canonical_bytes(hand: Hand) -> bytes:
    """The canonical JSON of a hand whose cards are in canonical form already (as reading leaves them)."""
    return _encoder.encode(hand)


def content_sha256(hand: Hand) -> str:
    """The content hash (hex) of a hand as reading leaves it."""
    return hashlib.sha256(_encoder.encode(hand)).hexdigest()
