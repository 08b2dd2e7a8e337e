"""Combinations by their names (``đôi 9``, ``ba đôi thông 4 5 6``) → all their cards."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from analyzer.cards import RANKS, SYMBOLS
from analyzer.locale import N_, Message
from analyzer.logs.notation.problems import Trouble, asks

ANY: Final = 15
ACE: Final = RANKS.index("A")
_ONE_EACH: Final = {"pair": 2, "triple": 3, "four": 4}


@dataclass(frozen=True, slots=True)
class Card:
    """A card as typed: its rank, and as bits the suits it may have; none where ``?`` says that nobody knows.

    ``bare`` tells that nothing was said of the suit.
    """

    rank: int
    suits: int
    column: int
    typed: str = ""

    @property
    def bare(self) -> bool:
        """Whether nothing was said of the suit."""
        return self.suits == ANY

    @property
    def text(self) -> str:
        """The card as far as it is told: ``9♠``, ``9``, ``9?``."""
        if not self.suits:
            return RANKS[self.rank] + "?"
        if self.suits.bit_count() > 1:
            return RANKS[self.rank]
        return RANKS[self.rank] + SYMBOLS[self.suits.bit_length() - 1]


@dataclass(slots=True)
class Part:
    """A combination by its name (or cards without one), as far as read."""

    kind: str | None
    count: int | None
    column: int
    cards: list[Card] = field(default_factory=list)


def whole(part: Part) -> list[Card]:
    """The cards of a part: those that its name implies are added. Raises Trouble."""
    cards, kind = part.cards, part.kind
    if kind is None:
        return cards
    ranks = [card.rank for card in cards]
    if kind == "dragon":
        cards = cards or [Card(rank, ANY, part.column) for rank in range(ACE + 1)]
        return _counted(part, cards, 12)
    if not cards:
        raise Trouble(
            part.column, kind, Message(N_("the ranks of the combination after its name, such as đôi 9"))
        )
    if kind in _ONE_EACH:
        size = _ONE_EACH[kind]
        if len(set(ranks)) > 1 or len(cards) > size:
            raise Trouble(
                part.column,
                " ".join(card.text for card in cards),
                Message(N_("{n} cards of one rank"), n=size),
            )
        first = cards[0]
        if kind == "four" and not any(card.suits == 0 for card in cards):
            return [replace(first, suits=1 << suit) for suit in range(4)]
        more = first.suits if first.suits.bit_count() in (0, 2) else ANY
        return cards + [replace(first, suits=more)] * (size - len(cards))
    if kind == "pairs":
        return _pairs(part)
    if len(cards) < 3:
        raise Trouble(part.column, " ".join(card.text for card in cards), Message(N_("three cards or more")))
    return cards


def _pairs(part: Part) -> list[Card]:
    cards, count = part.cards, part.count
    ranks = [card.rank for card in cards]
    if len(cards) == 1 and count is not None:
        rank = ranks[0]
        runs = [range(rank, rank + count), range(rank - count + 1, rank + 1)]
        fitting = [run for run in runs if run[0] >= 0 and run[-1] <= ACE]
        raise asks(
            cards[0].column,
            cards[0].text,
            [" ".join(RANKS[r] * 2 for r in run) for run in fitting] or ["44 55 66"],
        )
    if len(set(ranks)) == len(ranks) and all(card.bare for card in cards):
        cards = [card for card in cards for _ in range(2)]
    if count is None and (len(cards) < 6 or len(cards) % 2):
        raise Trouble(part.column, " ".join(card.text for card in cards), Message(N_("three pairs or more")))
    return _counted(part, cards, len(cards) if count is None else 2 * count)


def _counted(part: Part, cards: list[Card], count: int) -> list[Card]:
    if len(cards) != count:
        raise Trouble(
            part.column,
            str(len(cards)),
            Message(N_("{n} cards, as many as the name of the combination says"), n=count),
        )
    return cards
