"""How cards whose suit nobody remembers (``8?``) may be given suits that the rest of the log allows.

A *way* of a rank is one choice of suits for all its open cards. Ranks do not touch each other here: a card
that is known, or that another act names, is not free for its own rank alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, islice
from typing import Final

import msgspec

from analyzer.cards import BITS, OPEN, OPEN_RANKS, RANKS, UNKNOWN, cards_of, set_of, texts_of
from analyzer.judge.hanging import Slot
from analyzer.logs.canonical import canonical_cards
from analyzer.logs.hand import (
    DiscardEvent,
    Event,
    ExchangeEvent,
    Hand,
    PlayEvent,
    SayEvent,
    ShowEvent,
    TakeBackEvent,
)

RANK_WAYS: Final = 60
"""Ways of one rank that are looked at."""

SLOTS: Final = 60
"""Acts of one rank whose suits are looked for one by one; no hand that was ever played has so many."""

Way = tuple[int, ...]
"""For each slot of a rank the card set that fills it."""


class OpenRank:
    """A rank with open suits: its slots, and the ways to fill them."""

    def __init__(self, rank: int, slots: list[Slot], ways: list[Way], cut: bool) -> None:
        self.rank = rank
        self.cut = cut
        """Whether there may be other ways."""
        self.slots = slots
        self.ways = ways
        self.varying = [k for k, cards in enumerate(zip(*ways, strict=True)) if len(set(cards)) > 1]
        """The slots that not every way fills alike."""


def open_ranks(hand: Hand) -> Iterator[OpenRank]:
    """The ranks of which some card's suit is open."""
    texts: set[str] = set()
    for holding in hand.deal or ():
        texts.update(text for text in holding or () if text in OPEN_RANKS)
    for event in hand.events:
        texts.update(text for text in _cards(event) if text in OPEN_RANKS)
    for rank in sorted(OPEN_RANKS[text] for text in texts):
        filling = _Filling(hand, rank)
        found = list(islice(filling.ways(), RANK_WAYS)) if len(filling.slots) <= SLOTS else []
        yield OpenRank(rank, filling.slots, found or [filling.any_way()], not 0 < len(found) < RANK_WAYS)


def _cards(event: Event) -> tuple[str, ...]:
    return getattr(event, "cards", None) or ()


class _Filling:
    """How the open cards of one rank may be given suits, one slot after the other.

    A seat plays what it was dealt, as far as that is known; a card is played once, and one that another
    act names outright is not free. A log that allows no such way is filled as far as it goes.
    """

    def __init__(self, hand: Hand, rank: int) -> None:
        self.hand = hand
        self.all = 0xF << 4 * rank
        text = RANKS[rank] + OPEN
        seats = range(len(hand.players))
        deal = hand.deal or [None] * len(hand.players)
        self.listed = [set_of(t for t in deal[s] or () if t in BITS) & self.all for s in seats]
        self.endless = [deal[s] is None or UNKNOWN in (deal[s] or ()) for s in seats]
        self.named = [0] * len(hand.players)
        """Per seat, what its acts name outright as put on the table or shown."""
        for event in hand.events:
            if isinstance(event, PlayEvent | DiscardEvent | ShowEvent):
                self.named[event.seat] |= self._named(event)
            elif isinstance(event, ExchangeEvent):  # before the first play, so that it is held ever after
                self.listed[event.seat] &= ~self._named(event)
                self.listed[event.to] |= self._named(event)
        self.slots = [Slot(s, None, count) for s in seats if (count := (deal[s] or ()).count(text))]
        self.said: dict[int, int] = {}
        """Event that names cards → the later play that keeps to it."""
        for index, event in enumerate(hand.events):
            count = _cards(event).count(text)
            if count and event.seat is not None:
                self.slots.append(Slot(event.seat, index, count))
                if type(event) is SayEvent:
                    kept = self._kept(index, event)
                    if kept is not None:
                        self.said[index] = kept

    def _named(self, event: Event) -> int:
        return set_of(text for text in _cards(event) if text in BITS) & self.all

    def _kept(self, index: int, said: SayEvent) -> int | None:
        """The play that has the ranks that were named, if it is the next of its seat."""
        for later in range(index + 1, len(self.hand.events)):
            event = self.hand.events[later]
            if type(event) is PlayEvent and event.seat == said.seat:
                return later if _ranks(event.cards) == _ranks(said.cards or ()) else None
        return None

    def ways(self) -> Iterator[Way]:
        """Every way, each slot filled with so many different cards as it has."""
        yield from self._extend(0, (), tuple(self.listed), 0, (0,) * len(self.listed))

    def any_way(self) -> Way:
        """The lowest suits, where not even that many cards exist."""
        return tuple(self._lowest(self.all, slot.size) for slot in self.slots)

    def _extend(
        self, place: int, chosen: Way, held: tuple[int, ...], spent: int, last: tuple[int, ...]
    ) -> Iterator[Way]:
        if place == len(self.slots):
            yield self._with_said(chosen)
            return
        slot = self.slots[place]
        if slot.event in self.said:
            yield from self._extend(place + 1, (*chosen, 0), held, spent, last)
            return
        spent = self._taken_back(place, spent, last)
        for cards in self._choices(slot, held, spent):
            now = list(held)
            now[slot.seat] |= cards
            gone, laid = spent, list(last)
            event = self.hand.events[slot.event] if slot.event is not None else None
            if isinstance(event, PlayEvent | DiscardEvent):
                gone |= cards
                laid[slot.seat] = cards
            elif isinstance(event, ExchangeEvent):
                now[slot.seat] &= ~cards
                now[event.to] |= cards
            yield from self._extend(place + 1, (*chosen, cards), tuple(now), gone, tuple(laid))

    def _taken_back(self, place: int, spent: int, last: tuple[int, ...]) -> int:
        """What lies on the table when a slot's event comes, after cards were picked up again."""
        before = self.slots[place - 1].event if place else None
        until = self.slots[place].event
        if until is None:
            return spent
        for event in self.hand.events[(before or 0) : until]:
            if type(event) is TakeBackEvent:
                spent &= ~last[event.seat]
        return spent

    def _choices(self, slot: Slot, held: tuple[int, ...], spent: int) -> Iterator[int]:
        """Card sets that may fill a slot: from the narrowest pool that is large enough."""
        seat, count = slot.seat, slot.size
        others = 0
        for other in range(len(held)):
            if other != seat:
                others |= held[other] | self.named[other]
        if slot.event is None:
            free = self.all & ~others & ~held[seat]
            needed = self.named[seat] & free
            if needed.bit_count() >= count:
                free, needed = needed, 0
            for cards in _subsets(free & ~needed, count - needed.bit_count()):
                yield cards | needed
            if free.bit_count() >= count:
                return
            pools = [self.all & ~held[seat], self.all]
        else:
            own = self._named(self.hand.events[slot.event])
            outside = self.all & ~others if self.endless[seat] else 0
            mine = (held[seat] | outside) & ~spent
            pools = [mine & ~self.named[seat], mine & ~own, held[seat] & ~own, self.all & ~spent & ~own]
            pools += [self.all & ~own, self.all]
        for pool in pools:
            if pool.bit_count() >= count:
                yield from _subsets(pool, count)
                return

    def _with_said(self, chosen: Way) -> Way:
        """A card that was named and then played is one card."""
        if not self.said:
            return chosen
        played = {slot.event: cards for slot, cards in zip(self.slots, chosen, strict=True)}

        def said(slot: Slot) -> int:
            assert slot.event is not None
            play = self.said[slot.event]
            cards = self._named(self.hand.events[play]) | played.get(play, 0)
            own = self._named(self.hand.events[slot.event])
            if (cards & ~own).bit_count() < slot.size:
                cards = self.all
            return self._lowest(cards & ~own, slot.size)

        return tuple(
            said(slot) if slot.event in self.said else cards
            for slot, cards in zip(self.slots, chosen, strict=True)
        )

    @staticmethod
    def _lowest(cards: int, count: int) -> int:
        return sum(1 << card for card in islice(cards_of(cards), count))


def _ranks(cards: tuple[str, ...]) -> list[str]:
    return sorted(text[:-1] for text in cards)


def _subsets(pool: int, count: int) -> Iterator[int]:
    for chosen in combinations(cards_of(pool), count):
        yield sum(1 << card for card in chosen)


def fill(hand: Hand, chosen: Iterable[tuple[OpenRank, Way]]) -> Hand:
    """The hand with suits for its open cards; the hand itself is left as it is."""
    deal = list(hand.deal) if hand.deal is not None else None
    events = list(hand.events)
    for rank, way in chosen:
        text = RANKS[rank.rank] + OPEN
        for slot, cards in zip(rank.slots, way, strict=True):
            suits = [text for card in cards_of(cards) for text in texts_of(1 << card)]
            if slot.event is None:
                assert deal is not None
                holding = deal[slot.seat]
                assert holding is not None
                deal[slot.seat] = _put(holding, text, suits)
            else:
                event = events[slot.event]
                events[slot.event] = msgspec.structs.replace(event, cards=_put(_cards(event), text, suits))
    return msgspec.structs.replace(hand, deal=deal, events=events)


def _put(cards: tuple[str, ...], text: str, suits: list[str]) -> tuple[str, ...]:
    """The cards with suits for those of a rank that are open; five of a rank have one suit twice."""
    rest = [card for card in cards if card != text]
    missing = cards.count(text) - len(suits)
    put = canonical_cards((*rest, *suits, *suits[:1] * missing))
    assert put is not None
    return put
