"""The canonical form of a hand, and the digest that says whether two logs are the same.

Cards are spelled canonically and sorted within a holding, a play or a show; keys stand in the fixed
order of the types; absent keys and keys that begin with ``_`` are left out; amounts are written as their
shortest decimal. The SHA-256 of that JSON text is the hand's content hash.
"""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from analyzer.cards import SPELLINGS, TEXTS, UNKNOWN
from analyzer.logs.hand import Hand

_encoder: Final = msgspec.json.Encoder(decimal_format="number")
CACHE_LIMIT: Final = 16_384
"""How many card tuples a cache keeps: nearly all that recur, in a few megabytes."""


def canonical_cards(cards: tuple[str, ...]) -> tuple[str, ...] | None:
    """The cards spelled canonically, weakest first, unknown ones last; None where one is no card."""
    numbers = []
    unknown = 0
    for text in cards:
        card = SPELLINGS.get(text)
        if card is not None:
            numbers.append(card)
        elif text == UNKNOWN:
            unknown += 1
        else:
            return None
    numbers.sort()
    return tuple([TEXTS[card] for card in numbers] + [UNKNOWN] * unknown)


def canonical_holding(cards: tuple[str, ...]) -> tuple[str, ...] | None:
    """As :func:`canonical_cards`, quickly where all cards are known."""
    try:
        return tuple(map(TEXTS.__getitem__, sorted(map(SPELLINGS.__getitem__, cards))))
    except KeyError:
        return canonical_cards(cards)


def canonical_bytes(hand: Hand) -> bytes:
    """The canonical JSON of a hand whose cards are in canonical form already (as reading leaves them)."""
    return _encoder.encode(hand)


def content_sha256(hand: Hand) -> str:
    """The content hash (hex) of a hand as reading leaves it."""
    return hashlib.sha256(_encoder.encode(hand)).hexdigest()
