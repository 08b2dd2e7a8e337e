"""The 52 cards, and sets of them as 52-bit integers.

A card is ``rank * 4 + suit`` with rank 0 (3) to 12 (2) and suit 0 ♠, 1 ♣, 2 ♦, 3 ♥, so that the
strength order of Tiến Lên (rank first, then suit) is the order of the integers, and one rank is one
nibble of a card set. A *card set* is an ``int`` with bit ``card`` set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

RANKS: Final = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
SUITS: Final = ("S", "C", "D", "H")
SYMBOLS: Final = ("♠", "♣", "♦", "♥")

UNKNOWN: Final = "??"
"""A card that was dealt but that nobody recorded."""

OPEN: Final = "?"
"""In the place of a suit: nobody remembers it (``8?``)."""

TEXTS: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""Canonical text of each card, by its number."""

BITS: Final = {text: 1 << card for card, text in enumerate(TEXTS)}
"""The one-card set of each canonical text."""

DECK: Final = (1 << 52) - 1
SUIT_SETS: Final = tuple(0x1111111111111 << suit for suit in range(4))
BLACK: Final = SUIT_SETS[0] | SUIT_SETS[1]
RED: Final = SUIT_SETS[2] | SUIT_SETS[3]
TWOS: Final = 0xF << 48
THREES: Final = 0xF
THREE_OF_SPADES: Final = 1

_VARIATION_SELECTORS: Final = ("\ufe0f", "\ufe0e")


def _spellings() -> dict[str, int]:
    found: dict[str, int] = {}
    for card, text in enumerate(TEXTS):
        rank, suit = text[:-1], text[-1]
        symbol = SYMBOLS[card & 3]
        for name in {rank, rank.lower(), *(("T", "t") if rank == "10" else ())}:
            found[name + suit] = found[name + suit.lower()] = card
            for selector in ("", *_VARIATION_SELECTORS):
                found[name + symbol + selector] = card
                found[symbol + selector + name] = card
    return found


SPELLINGS: Final = _spellings()
"""Every accepted spelling of a card in a log, with the card's number."""


OPEN_RANKS: Final = {
    name + OPEN: rank
    for rank, text in enumerate(RANKS)
    for name in {text, text.lower(), *(("T", "t") if text == "10" else ())}
}
"""Every accepted spelling of a card whose suit nobody remembers, with the number of its rank."""


class SuitOpen(ValueError):
    """A card stands where its suit must be known, and nobody remembers it."""


def card_of(text: str) -> int | None:
    """The card that ``text`` spells, or None."""
    return SPELLINGS.get(text)


def cards_of(cards: int) -> Iterator[int]:
    """The cards of a set, weakest first."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def texts_of(cards: int) -> list[str]:
    """Canonical texts of a set's cards, weakest first."""
    return [TEXTS[card] for card in cards_of(cards)]


def told_of(cards: int, open_: int) -> list[str]:
    """As :func:`texts_of`; the cards of the set ``open_`` by their rank alone."""
    if not cards & open_:
        return texts_of(cards)
    return [RANKS[card >> 2] + OPEN if open_ >> card & 1 else TEXTS[card] for card in cards_of(cards)]


def symbols_of_texts(texts: Iterable[str]) -> str:
    """Canonical texts as people write them, weakest first as they stand: ``3♠ 8? 10♥``."""
    return " ".join(symbol_of(SPELLINGS[text]) if text in SPELLINGS else text for text in texts)


def symbols_of(cards: int) -> str:
    """A set as people write it: ``3♠ 10♥``."""
    return " ".join(symbol_of(card) for card in cards_of(cards))


def symbol_of(card: int) -> str:
    """One card as people write it: ``10♥``."""
    return RANKS[card >> 2] + SYMBOLS[card & 3]


def set_of(texts: Iterable[str]) -> int:
    """The set of the cards spelled in ``texts``.

    Raises SuitOpen on a card whose suit is not known, ValueError on what is no card.
    """
    cards = 0
    for text in texts:
        card = SPELLINGS.get(text)
        if card is None:
            if text in OPEN_RANKS:
                raise SuitOpen(text)
            raise ValueError(f"{text!r} is no card; expected a rank and a suit, like '10H' or '3♠'")
        cards |= 1 << card
    return cards
