"""What each seat was dealt, as far as the log tells.

A holding is known from the deal; otherwise from everything the seat later plays, shows, discards or
gives away. What is left over is *hidden*: so many cards, nobody knows which.
"""

from __future__ import annotations

from analyzer.cards import BITS, DECK, UNKNOWN, set_of
from analyzer.logs.hand import ClaimEvent, DiscardEvent, ExchangeEvent, Hand, PlayEvent, ShowEvent


class Holdings:
    """Per seat: the cards known to have been dealt (52-bit set), how many more are hidden, and how
    many cards the deal lists. ``repeated`` are the (card, seat) dealt a second time; ``pool`` the
    cards of the deck that no known holding has."""

    # Written out: mypyc makes a native class of this, and of a dataclass one as slow as Python's.
    __slots__ = ("dealt", "hidden", "pool", "repeated", "sizes")

    def __init__(
        self,
        dealt: list[int],
        hidden: list[int],
        sizes: list[int],
        repeated: list[tuple[int, int]],
        pool: int,
    ) -> None:
        self.dealt = dealt
        self.hidden = hidden
        self.sizes = sizes
        self.repeated = repeated
        self.pool = pool

    @property
    def complete(self) -> bool:
        """Whether every holding is known."""
        return not any(self.hidden)


def derive(hand: Hand, hand_size: int) -> Holdings:
    """The holdings at the deal that the log implies."""
    dealt, hidden, sizes = [], [], []
    repeated: list[tuple[int, int]] = []
    seen = 0
    for seat in range(len(hand.players)):
        listed = hand.deal[seat] if hand.deal is not None else None
        if listed is None:
            cards, unknown, size = 0, hand_size, hand_size
        else:
            size = len(listed)
            unknown = 0
            try:
                cards = sum(map(BITS.__getitem__, listed))
            except KeyError:
                unknown = listed.count(UNKNOWN)
                cards = set_of([text for text in listed if text != UNKNOWN])
            if cards.bit_count() + unknown != size:
                cards = set_of([text for text in listed if text != UNKNOWN])
            if seen & cards or cards.bit_count() + unknown != size:
                repeated += _repeated(listed, seen, seat)
            seen |= cards
        dealt.append(cards)
        hidden.append(unknown)
        sizes.append(size)
    holdings = Holdings(dealt, hidden, sizes, repeated, DECK & ~seen)
    if any(hidden):
        _supply(hand, holdings)
        _exhaust(holdings)
    return holdings


def _repeated(listed: tuple[str, ...], seen: int, seat: int) -> list[tuple[int, int]]:
    """The cards of a holding that were dealt before, to this seat or an earlier one."""
    found = []
    for text in listed:
        bit = BITS.get(text, 0)
        if seen & bit:
            found.append((bit.bit_length() - 1, seat))
        seen |= bit
    return found


def _supply(hand: Hand, holdings: Holdings) -> None:
    """Unknown cards are supplied by the first seat that plays, shows, discards or gives them."""
    received = [0] * len(hand.players)
    for event in hand.events:
        if not isinstance(event, PlayEvent | ShowEvent | DiscardEvent | ExchangeEvent | ClaimEvent):
            continue
        seat = event.seat
        for text in event.cards or ():
            bit = BITS.get(text) or set_of((text,))
            if holdings.pool & bit and not received[seat] & bit and holdings.hidden[seat]:
                holdings.dealt[seat] |= bit
                holdings.hidden[seat] -= 1
                holdings.pool &= ~bit
            if type(event) is ExchangeEvent:
                received[event.to] |= bit


def _exhaust(holdings: Holdings) -> None:
    """Where one seat alone has hidden cards and exactly so many are left in the deck, it has those."""
    seats = [seat for seat, count in enumerate(holdings.hidden) if count]
    if (
        len(seats) == 1
        and len(holdings.dealt) * 13 == 52
        and holdings.hidden[seats[0]] == holdings.pool.bit_count()
    ):
        holdings.dealt[seats[0]] |= holdings.pool
        holdings.hidden[seats[0]] = 0
        holdings.pool = 0
