"""Which suit a card has that was typed without one, or with a letter that two suits share.

A bare rank (``8``) is the card whose suit nobody remembers (``8?``), unless the player's holding lists just
as many cards of that rank as are named: then they are those. A letter or colour that may be two suits (``c``,
``đỏ``) is settled by that holding, else by where the other cards are; where both suits are left, this asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from analyzer.cards import OPEN_RANKS, RANKS, SPELLINGS, SYMBOLS, TEXTS
from analyzer.locale import N_, Message
from analyzer.logs.notation.named_sets import ANY, Card
from analyzer.logs.notation.problems import CARD, Trouble, asks

_SUITS: Final = tuple(1 << suit for suit in range(4))


@dataclass(slots=True)
class Held:
    """What is known of the cards so far: holdings where each is told, and which cards were spent by whom."""

    listed: dict[int, int] = field(default_factory=dict)
    """Seats of whose holding something is told → the cards of it that they still hold, as a card set."""
    whole: set[int] = field(default_factory=set)
    """Seats of whose holding every card is known."""
    dealt: dict[int, int] = field(default_factory=dict)
    """Every seat → the cards known to have been dealt to it."""
    spent: int = 0
    loose: set[tuple[int, int]] = field(default_factory=set)
    """Seat and rank of cards without a suit that a holding has or that left it: nothing is settled there."""
    last: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def deal(self, seat: int, cards: Sequence[str], size: int) -> None:
        """A holding as dealt."""
        known = [SPELLINGS[text] for text in cards if text in SPELLINGS]
        self.dealt[seat] = self.listed[seat] = sum({1 << card for card in known})
        self.loose |= {(seat, OPEN_RANKS[text]) for text in cards if text in OPEN_RANKS}
        if len(known) == len(cards) == size:
            self.whole.add(seat)

    def spend(self, seat: int, cards: Sequence[str], to: int | None = None) -> None:
        """Cards leave a holding; ``to`` is who gets them, where it is another seat."""
        self.last[seat] = tuple(cards)
        for text in cards:
            card = SPELLINGS.get(text)
            if card is None:
                self.loose.add((seat, OPEN_RANKS.get(text, -1)))
                if to is not None:
                    self.whole.discard(to)
                    self.loose.add((to, OPEN_RANKS.get(text, -1)))
                continue
            if seat in self.listed:
                self.listed[seat] &= ~(1 << card)
            if to is None:
                self.spent |= 1 << card
            else:
                self.dealt[seat] = self.dealt.get(seat, 0) & ~(1 << card)
                self.dealt[to] = self.dealt.get(to, 0) | 1 << card
                if to in self.listed:
                    self.listed[to] |= 1 << card

    def take_back(self, seat: int) -> None:
        """The seat picks its last cards up again."""
        for text in self.last.pop(seat, ()):
            card = SPELLINGS.get(text)
            if card is not None:
                self.spent &= ~(1 << card)
                if seat in self.listed:
                    self.listed[seat] |= 1 << card

    def elsewhere(self, seat: int | None) -> int:
        """Cards that this seat cannot hold: others were dealt them, or they lie on the table."""
        others = [cards for other, cards in self.dealt.items() if other != seat]
        return self.spent | sum_of(others)


def sum_of(sets: Sequence[int]) -> int:
    """The union of card sets."""
    union = 0
    for cards in sets:
        union |= cards
    return union


def fixed(cards: Sequence[Card]) -> int:
    """The card set of the cards whose suit is told."""
    return sum_of(
        [1 << (card.rank * 4 + card.suits.bit_length() - 1) for card in cards if card.suits in _SUITS]
    )


def settled(cards: Sequence[Card], listed: int, whole: bool, elsewhere: int, loose: set[int]) -> list[str]:
    """The canonical texts of cards, in the order typed. Raises Trouble where two suits are left.

    ``listed`` is what is known of the player's holding, ``whole`` whether that is all of it; ``elsewhere``
    the cards that cannot be his; ``loose`` the ranks of which he has, or laid down, a card without a suit.
    """
    suits = [card.suits for card in cards]
    for rank in {card.rank for card in cards if card.suits.bit_count() > 1}:
        places = [place for place, card in enumerate(cards) if card.rank == rank]
        if len(places) > 4:
            raise Trouble(
                cards[places[4]].column,
                f"{len(places)} × {RANKS[rank]}",
                Message(N_("at most four cards of one rank")),
                reason=CARD,
            )
        held = listed >> rank * 4 & ANY
        meant = held.bit_count() == len(places) and all(suits[place] & held for place in places)
        _settle(cards, suits, places, listed if rank not in loose and (whole or meant) else None, elsewhere)
    return [
        RANKS[card.rank] + "?" if chosen in (0, ANY) else TEXTS[card.rank * 4 + chosen.bit_length() - 1]
        for card, chosen in zip(cards, suits, strict=True)
    ]


def _settle(
    cards: Sequence[Card], suits: list[int], places: list[int], own: int | None, elsewhere: int
) -> None:
    """Settles the cards of one rank in ``suits``, as far as can be."""
    rank = cards[places[0]].rank
    shift = rank * 4
    doubtful = [place for place in places if suits[place].bit_count() == 2]
    for place in doubtful:
        if own is None:
            suits[place] = _rest(suits[place], ANY & ~(elsewhere >> shift))
    for place in doubtful:
        told = sum_of([suits[other] for other in places if other != place and suits[other] in _SUITS])
        suits[place] = _rest(suits[place], ANY & ~told)
    open_ = [place for place in places if suits[place].bit_count() > 1]
    if not open_ or (own is None and not any(place in doubtful for place in open_)):
        return
    told = sum_of([suits[place] for place in places if suits[place] in _SUITS])
    held = ANY if own is None else own >> shift & ANY
    choices = [[suit for suit in _SUITS if suit & suits[place] & held & ~told] for place in open_]
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for choice in product(*choices):
        if len(set(choice)) == len(choice):
            found.setdefault(frozenset(choice), choice)
    if len(found) == 1:
        for place, suit in zip(open_, next(iter(found.values())), strict=True):
            suits[place] = suit
        return
    asked = next((place for place in open_ if place in doubtful), None)
    if asked is not None:
        card = cards[asked]
        raise asks(
            card.column,
            card.typed,
            [RANKS[rank] + SYMBOLS[s.bit_length() - 1] for s in _SUITS if s & card.suits],
        )


def _rest(suits: int, allowed: int) -> int:
    """What of the suits is allowed; all of them where none is."""
    return suits & allowed or suits
