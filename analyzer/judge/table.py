"""The state of a table between two events, and what each kind of act does to it.

A transition trusts the log: it applies what was done, right or wrong. Whether it was right is asked
before, of :mod:`analyzer.judge.checks`. Seats and events are indices; sets of seats are bit sets.
"""

from __future__ import annotations

from typing import Final

from analyzer.cards import THREE_OF_SPADES
from analyzer.combinations import SINGLE
from analyzer.judge.debts import Duty, Link
from analyzer.judge.holdings import Holdings
from analyzer.judge.seats import AFTER, NOBODY
from analyzer.rules.house import House
from analyzer.rules.plays import PAIR_OF_TWOS, TWO_TARGETS, Play

STATE: Final = (
    "after",
    "auto_closed",
    "bad_finishes",
    "chained",
    "chains",
    "closed",
    "closed_before",
    "counts",
    "duty",
    "end_chopper",
    "exposed",
    "forfeited",
    "frozen",
    "hand_over",
    "has_played",
    "hoard",
    "holdings",
    "house",
    "kept_word",
    "known",
    "left",
    "live",
    "named",
    "on_table",
    "out",
    "out_events",
    "owned",
    "owner",
    "owner_before",
    "passed",
    "said_pass",
    "seats",
    "settled",
    "special",
    "started",
    "steal",
    "sweep",
    "sweeps_broken",
    "three_first",
    "top",
    "top_before",
    "trick",
    "turn",
    "uncut",
    "words",
)
"""What a table knows, by name."""


class Table:
    """One table in the middle of one hand."""

    __slots__ = STATE

    def __init__(self, house: House, dealt: Holdings) -> None:
        seats = len(dealt.dealt)
        self.house = house
        self.seats = seats
        self.after = AFTER[seats, house.step]
        self.holdings = list(dealt.dealt)
        self.owned = list(dealt.dealt)
        self.counts = [
            cards.bit_count() + hidden for cards, hidden in zip(dealt.dealt, dealt.hidden, strict=True)
        ]
        self.known = [hidden == 0 for hidden in dealt.hidden]
        self.on_table = 0
        self.live = (1 << seats) - 1
        self.out: list[int] = []
        self.out_events: list[int] = []
        self.left: list[int] = []
        self.frozen = 0
        self.has_played = 0
        self.turn = NOBODY
        self.started = False
        self.hand_over = False
        self.end_chopper = NOBODY
        self.top: Play | None = None
        self.owner = NOBODY
        self.passed = 0
        self.closed = False
        self.auto_closed = False
        self.trick = 0
        self.chains: list[list[Link]] = []
        self.settled: list[list[Link]] = []
        self.chained = False
        self.uncut = 0
        self.words = False
        """Whether something said may bind the next act."""
        self.named: dict[int, int] = {}
        self.said_pass = 0
        self.kept_word = 0
        """Seats that said pass in this trick and then passed."""
        self.steal: tuple[int, Play] | None = None
        self.closed_before = False
        self.top_before: Play | None = None
        self.owner_before = NOBODY
        self.bad_finishes: list[tuple[int, int, Play]] = []
        self.three_first = False
        self.special = house.sweep_broken or not house.pass_lock
        """Whether every play needs a closer look under these rules."""
        self.sweep = NOBODY
        self.sweeps_broken: list[tuple[int, int]] = []
        self.duty: Duty | None = None
        self.hoard: Duty | None = None
        self.forfeited: Duty | None = None
        self.exposed: list[int] = []

    @property
    def is_plain(self) -> bool:
        """Whether nothing is pending that the next act would have to be judged by."""
        return self.started and not (self.chains or self.words or self.auto_closed or self.hand_over)

    @property
    def is_sound(self) -> bool:
        """Whether each seat holds as many cards as it should, and every card is in one place; a card
        played that was not held, one dealt twice, or one that is unknown breaks that."""
        placed = self.on_table
        for held, count in zip(self.holdings, self.counts, strict=True):
            if held.bit_count() != count or held & placed:
                return False
            placed |= held
        return True

    # -- who is next -----------------------------------------------------------------------------

    def next_live(self, seat: int) -> int:
        """The next seat after ``seat`` that is still in the hand, or NOBODY."""
        return self.after[self.live & ~(1 << seat)][seat]

    def next_to_act(self, seat: int) -> int:
        """The next seat after ``seat`` that may still answer the top of this trick, or NOBODY."""
        return self.after[self.live & ~self.passed & ~(1 << self.owner)][seat]

    def is_lead(self, seat: int, play: Play) -> bool:
        """Whether a play now would begin a trick rather than answer the top."""
        top = self.top
        if top is None:
            return True
        return self.closed and (seat == self.turn or not self.is_free_chop(seat, play))

    def is_free_chop(self, seat: int, play: Play) -> bool:
        """Whether a play by this seat may chop the top although it is not its turn."""
        top = self.top
        return (
            top is not None
            and seat != self.owner
            and play.allowed
            and play.chops_freely(top)
            and not (self.closed and seat == self.turn)
        )

    def makes_link(self, play: Play) -> bool:
        """Whether laying this play on the top is a link of a chain of chops.

        A higher set of the top's own kind that begins no chain still continues one that the top ends.
        """
        top = self.top
        return top is not None and play.beats(top) and play.links_on(top, self.chained)

    # -- acts ------------------------------------------------------------------------------------

    def spend(self, seat: int, play: Play) -> None:
        """Takes cards out of a holding and puts them where everybody has seen them."""
        spent = (play.cards & ~self.on_table).bit_count()
        self.counts[seat] = max(0, self.counts[seat] - spent)
        self.holdings[seat] &= ~play.cards
        self.on_table |= play.cards

    def lay(self, event: int, seat: int, play: Play, fits: bool) -> None:
        """An act of playing that stands: it becomes the top of the trick.

        ``fits`` says that it had no beating fault (it is then a chop where the rules make it one).
        """
        top = self.top
        bit = 1 << seat
        self.top_before = top
        self.owner_before = self.owner
        self.closed_before = self.closed
        if top is None:
            self._begin_trick()
        elif self.closed:
            if self.is_lead(seat, play):
                self._begin_trick()
            else:
                self._answer(event, seat, play, top, fits)
            self.closed = self.auto_closed = False
        elif play.may_chop or self.chained or self.special or not fits:
            self._answer(event, seat, play, top, fits)
        cards = play.cards
        left = self.counts[seat] - (
            play.size if not cards & self.on_table else (cards & ~self.on_table).bit_count()
        )
        self.counts[seat] = left if left > 0 else 0
        self.holdings[seat] &= ~cards
        self.on_table |= cards
        self.started = True
        self.has_played |= bit
        self.top = play
        self.owner = seat
        if self.special:
            if not self.house.pass_lock:
                self.passed = 0
            if self.house.sweep_broken:
                self._watch_sweep(seat)
        if left <= 0 and self.live & bit:
            self.go_out(event, seat, play)
            if self.hand_over:
                return
        if play.closes and fits:
            self.auto_closed = True
            self._close()
            return
        turn = self.after[self.live & ~self.passed & ~bit][seat]
        if turn == NOBODY:
            self._close()
        else:
            self.turn = turn

    def _begin_trick(self) -> None:
        if self.chains:
            self.settled += self.chains
            self.chains = []
        self.chained = False
        self.trick += 1
        self.passed = 0
        self.sweep = NOBODY
        self.uncut = 0

    def _answer(self, event: int, seat: int, play: Play, top: Play, fits: bool) -> None:
        """What laying a play on the top means for chains and for a sweep."""
        if fits and self.sweep != NOBODY and self.sweep != seat:
            self.sweeps_broken.append((self.sweep, event))
        self.sweep = NOBODY
        if fits and seat != self.owner and self.makes_link(play):
            if not self.chained:
                self.chains.append([])
            chain = self.chains[-1]
            out = self.counts[self.owner] <= 0
            chain.append(
                Link(event, seat, self.owner, play, top, len(chain) + 1, out, self.uncut if not chain else 0)
            )
            self.chained = True
            if self.hoard is not None and self.hoard.target == self.owner:
                self.hoard = None
        else:
            self.chained = False
            two_on_two = play.target & TWO_TARGETS and top.target & TWO_TARGETS
            self.uncut = self.uncut + self.house.price(top) if two_on_two else 0

    def end_chop(self, event: int, seat: int, play: Play) -> None:
        """The last holder chops the play that ended the hand."""
        assert self.top is not None
        self._answer(event, seat, play, self.top, True)
        self.spend(seat, play)
        self.top = play
        self.owner = seat
        self.end_chopper = NOBODY
        if self.counts[seat] <= 0 and self.house.finish == "pay_each" and self.house.finishes_badly(play):
            self.bad_finishes.append((event, seat, play))

    def cannot_stand(self, event: int, seat: int, play: Play) -> None:
        """Cards that form no combination, or lie on the table already: the top stays as it was."""
        self.spend(seat, play)
        self.started = True
        self.has_played |= 1 << seat
        if self.counts[seat] <= 0 and self.live >> seat & 1:
            self.go_out(event, seat, play)
            if self.hand_over:
                return
        self._move_on(seat)

    def _move_on(self, seat: int) -> None:
        """Play continues from the seat after ``seat``, with the top as it is."""
        if self.top is None or self.closed:
            if self.turn == seat or self.turn == NOBODY or not self.live >> self.turn & 1:
                self.turn = self.next_live(seat)
            return
        turn = self.next_to_act(seat)
        if turn == NOBODY:
            self._close()
        else:
            self.turn = turn

    def decline(self, seat: int) -> None:
        """A pass."""
        if self.top is None or self.closed:
            if not self.auto_closed:
                self._move_on(seat)
            return
        self.passed |= 1 << seat
        self.kept_word |= self.said_pass & (1 << seat)
        turn = self.next_to_act(seat)
        if turn == NOBODY:
            self._close()
        else:
            self.turn = turn

    def _close(self) -> None:
        """The trick is won; its owner leads, or where it is out the next seat still in the hand."""
        self.closed = True
        if self.words:
            self.said_pass = self.kept_word = 0
            self.words = bool(self.named)
        owner = self.owner
        self.turn = owner if self.live >> owner & 1 else self.next_live(owner)

    def say(self, seat: int, named: int) -> None:
        """A seat in turn says that it passes (``named`` empty) or which cards it will play."""
        self.words = True
        self.kept_word &= ~(1 << seat)
        if named:
            self.named[seat] = named
        else:
            self.said_pass |= 1 << seat

    def bound(self, seat: int) -> bool:
        """Whether something this seat said may bind it."""
        return bool(self.said_pass >> seat & 1) or seat in self.named

    def heard(self, seat: int) -> None:
        """The seat has acted: the cards it had named no longer bind it."""
        if self.words:
            self.named.pop(seat, None)
            self.words = bool(self.named or self.said_pass)

    def depart(self, seat: int) -> None:
        """A seat gives up the rest of the hand; its play on the table stands."""
        self.live &= ~(1 << seat)
        self.left.append(seat)
        if self.live.bit_count() <= 1:
            self.hand_over = True
            self.end_chopper = NOBODY
        elif seat == self.turn:
            self._move_on(seat)
        elif self.top is not None and not self.closed and self.next_to_act(self.owner) == NOBODY:
            self._close()

    def steal_lead(self, seat: int, play: Play, fits: bool) -> None:
        """Three consecutive pairs before the first play take the lead (cướp cái)."""
        self.spend(seat, play)
        self.has_played |= 1 << seat
        if fits:
            self.steal = (seat, play)
            self.turn = seat

    def take_back(self, seat: int) -> bool:
        """The seat picks its last cards up again; False where they cannot be put back."""
        play = self.top
        if play is None or self.owner != seat or not self.live >> seat & 1 or self.top_before is play:
            return False
        if self.chained and self.chains:
            self.chains[-1].pop()
            self.chained = bool(self.chains[-1])
            if not self.chained:
                self.chains.pop()
        self.holdings[seat] |= play.cards & self.owned[seat]
        self.counts[seat] += play.size
        self.on_table &= ~play.cards
        if self.closed_before or self.top_before is None:
            self.trick -= 1
        if self.holdings[seat] == self.owned[seat]:
            self.has_played &= ~(1 << seat)
        self.top, self.owner, self.closed = self.top_before, self.owner_before, self.closed_before
        self.top_before = self.top
        self.auto_closed = False
        self.turn = seat
        return True

    def hand_over_cards(self, giver: int, receiver: int, cards: int) -> None:
        """Cards change hands before the first play (tribute); those on the table stay there."""
        cards &= ~self.on_table
        size = cards.bit_count()
        self.holdings[giver] &= ~cards
        self.owned[giver] &= ~cards
        self.counts[giver] -= size
        self.holdings[receiver] |= cards
        self.owned[receiver] |= cards
        self.counts[receiver] += size

    def put_away(self, seat: int, cards: int) -> None:
        """Cards leave a holding before the first play and are out of the hand; those on the table stay."""
        cards &= ~self.on_table
        self.counts[seat] -= cards.bit_count()
        self.holdings[seat] &= ~cards
        self.owned[seat] &= ~cards

    def note_spent(self, before: list[int]) -> None:
        """What follows from cards that left the holdings since these were ``before``, which it brings up
        to date. Only where every holding is known."""
        holdings = self.holdings
        for seat, held in enumerate(before):
            spent = held ^ holdings[seat]
            if spent:
                self.counts[seat] -= spent.bit_count()
                self.on_table |= spent
                self.has_played |= 1 << seat
                before[seat] = holdings[seat]

    # -- going out -------------------------------------------------------------------------------

    def go_out(self, event: int, seat: int, play: Play) -> None:
        """A seat has played its last card: it has its place, and the hand may be over."""
        house = self.house
        self.live &= ~(1 << seat)
        self.out.append(seat)
        self.out_events.append(event)
        if not house.finish_free and house.finishes_badly(play):
            self.bad_finishes.append((event, seat, play))
        if self.duty is not None and self.duty.target == seat and self.forfeited is None:
            self.forfeited = self.duty
        if len(self.out) == 1:
            self.three_first = play.kind == SINGLE and play.cards == THREE_OF_SPADES
            self._freeze()
            if house.first_out:
                self.hand_over = True
        remaining = self.live.bit_count()
        if remaining <= 1:
            self.hand_over = True
        if self.hand_over and remaining == 1 and not house.first_out and self.owner == seat:
            self.end_chopper = self.live.bit_length() - 1
        if house.hoarded_bomb:
            self._watch_hoard(event, seat, play)

    def _freeze(self) -> None:
        """At the moment the first seat is out, those that have played no card are frozen."""
        house = self.house
        if house.frozen == "none":
            return
        idle = self.live & ~self.has_played
        for seat in self.left:
            if not self.has_played >> seat & 1 and seat not in self.exposed:
                idle |= 1 << seat
        if idle.bit_count() == house.knobs.frozen.not_when_exactly:
            return
        self.frozen = idle
        self.live &= ~idle
        if idle and house.frozen == "village":
            self.hand_over = True

    def _watch_hoard(self, event: int, seat: int, play: Play) -> None:
        """Whether exactly one other seat could chop the twos that this seat went out on."""
        if not play.target & (TWO_TARGETS | PAIR_OF_TWOS):
            return
        able = [
            other
            for other in range(self.seats)
            if self.live >> other & 1
            and any(self.house.chops(self.holdings[other], play, bool(self.passed >> other & 1), False))
        ]
        if len(able) == 1:
            self.hoard = Duty("hoarded_bomb", able[0], event, seat)

    def _watch_sweep(self, seat: int) -> None:
        """Whether this seat alone has played and has exactly one combination left."""
        self.sweep = NOBODY
        holding = self.holdings[seat]
        if self.has_played == 1 << seat and self.known[seat] and self.house.read(holding).allowed:
            self.sweep = seat

    def finish_tricks(self) -> list[list[Link]]:
        """Every chain that is settled: of closed tricks, and of the last where the hand is over."""
        if self.hand_over or self.closed:
            self.settled += self.chains
            self.chains = []
        return self.settled
