"""A set of cards as one house reads it, and what it may be laid on."""

from __future__ import annotations

from typing import Final

TWO_TARGETS: Final = 0xF
PAIR_OF_TWOS: Final = 1 << 4
THREE_PAIRS: Final = 1 << 5
FOUR_OF_A_KIND: Final = 1 << 6
FOUR_PAIRS: Final = 1 << 7
FIVE_PAIRS: Final = 1 << 8
LOOSE: Final = 1 << 9
BOMB_TARGETS: Final = THREE_PAIRS | FOUR_OF_A_KIND | FOUR_PAIRS | FIVE_PAIRS


class Play:
    """A set of cards as one house reads it.

    ``kind`` is 0 where no house knows the set; ``allowed`` says whether this house does. Two plays of one
    ``shape`` (kind, length and, in the North, suit or colour) compare by ``strength``. ``target`` is the
    bit under which the play can be chopped; ``over`` are the targets it may be laid on, ``links`` those on
    which that is a chop, ``free`` those it may chop at any time. ``own_link`` and ``own_free`` say the same
    of a lower play of its own shape. ``may_chop`` is false where laying the play can never matter to a
    chain of chops. *Plain* plays are allowed, matter to no chain and end no trick: one lies on another of
    its shape where its ``order`` is higher and under the other's ``limit``; the ``order`` of plays that are
    not plain is below zero, and of their ``limit`` 0. A single whose pass test is one shift of the holding
    has that shift as ``above`` (else 0). ``base`` is the lowest card of the lowest rank that an answer of
    the play's own shape can have.
    """

    __slots__ = (
        "above",
        "allowed",
        "base",
        "cards",
        "closes",
        "free",
        "kind",
        "length",
        "limit",
        "links",
        "may_chop",
        "order",
        "over",
        "own_free",
        "own_link",
        "shape",
        "size",
        "strength",
        "target",
        "top",
    )

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.size = cards.bit_count()
        self.kind = 0
        self.length = 0
        self.top = cards.bit_length() - 1
        self.allowed = False
        self.shape = 0
        self.strength = 0
        self.target = 0
        self.over = 0
        self.links = 0
        self.free = 0
        self.own_link = False
        self.own_free = False
        self.may_chop = False
        self.above = 0
        self.base = 0
        self.order = -1
        self.limit = 0
        self.closes = False

    def beats(self, top: Play) -> bool:
        """Whether this play may be laid on ``top``."""
        if self.shape == top.shape:
            return self.strength > top.strength
        return (self.over & top.target) != 0

    def chops(self, top: Play) -> bool:
        """Whether laying this play on ``top`` is a chop that can begin a chain."""
        if self.shape == top.shape:
            return self.own_link and top.target != LOOSE and self.strength > top.strength
        return (self.links & top.target) != 0

    def links_on(self, top: Play, chained: bool) -> bool:
        """Whether this play, if it beats ``top``, is a link of a chain that ``top`` may be the end of."""
        return self.chops(top) or (chained and self.shape == top.shape and top.target & BOMB_TARGETS != 0)

    def chops_freely(self, top: Play) -> bool:
        """Whether this play may chop ``top`` out of turn and after a pass."""
        if self.shape == top.shape:
            return self.own_free and self.strength > top.strength
        return (self.free & top.target) != 0
