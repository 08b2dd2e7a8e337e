"""One hand being played by made-up players, through the judge's own table.

The table says whose turn it is and what an act does to the trick, the house what may be played. Here
stands what a player may do, and what the log says when it is done; which of it is done is decided in
:mod:`analyzer.simulate.playing`.
"""

from __future__ import annotations

from copy import copy
from random import Random
from typing import Any, Final

from analyzer.cards import RANKS, SPELLINGS, THREES, TWOS, cards_of, texts_of
from analyzer.combinations import FOUR, PAIRS
from analyzer.judge.holdings import Holdings
from analyzer.judge.seats import NOBODY
from analyzer.judge.table import STATE, Table
from analyzer.rules.house import House
from analyzer.rules.plays import BOMB_TARGETS, PAIR_OF_TWOS, TWO_TARGETS, Play
from analyzer.simulate.deals import instant_winners
from analyzer.simulate.players import seat_styles, some_leads

Event = dict[str, Any]
"""One event of a log, in the public format."""

CHOPPABLE: Final = TWO_TARGETS | PAIR_OF_TWOS | BOMB_TARGETS
ACES: Final = 0xF << 44
HOW: Final = ("said", "button", "timeout")


class Game:
    """A hand in the middle of being played.

    ``lead`` is the log's own object. ``events`` grows; ``table`` is what the judge will see. Time is
    counted in tenths of a second since the deal.
    """

    def __init__(self, house: House, rng: Random, holdings: list[int], lead: dict[str, Any]) -> None:
        seats = len(holdings)
        self.house = house
        self.rng = rng
        self.lead = lead
        self.opening = lead["reason"] == "opening"
        self.dealt = holdings
        self.table = self._new_table()
        self.events: list[Event] = []
        self.styles = seat_styles(rng, seats)
        self.calls = rng.random() < (0.5 if house.knobs.conduct.call_going_out else 0.1)
        """Whether going out is called; always rightly."""
        self.timed = rng.random() < 0.5
        self.clock = 0
        self.since = 0
        """When the last play or pass was."""
        self.leaves_at = rng.randrange(2, 40) if rng.random() < 0.06 else -1
        """After so many events somebody leaves; -1 for nobody."""
        self.careless = NOBODY
        """A seat that does not mind keeping nothing but twos."""
        self.card = 0
        """What the first play must contain."""
        self.ready = False
        """Whether what comes before the first play is done."""
        self.done = False
        self.winners = instant_winners(house, holdings, self.opening)
        self.claimed = False
        self.redeal = house.knobs.instant_wins.four_twos == "redeal" and any(
            cards & TWOS == TWOS for cards in holdings
        )
        self.find_leader()

    def copy(self) -> Game:
        """This very moment, to come back to; the source of chance is shared."""
        other = copy(self)
        other.events = list(self.events)
        table = other.table = self._new_table()
        for name in STATE:
            value = getattr(self.table, name)
            setattr(table, name, value.copy() if isinstance(value, list | dict) else value)
        table.chains = [list(chain) for chain in table.chains]
        return other

    def _new_table(self) -> Table:
        holdings = self.dealt
        sizes = [cards.bit_count() for cards in holdings]
        return Table(self.house, Holdings(list(holdings), [0] * len(holdings), sizes, [], 0))

    # -- what is asked of the moment -------------------------------------------------------------

    def find_leader(self) -> None:
        """Gives the turn to the seat whose lead it is, by the holdings as they now are."""
        lead = self.house.knobs.lead
        if not self.opening:
            self.table.turn = self.lead["seat"]
            return
        threes_go = self.house.knobs.before.give_threes
        holdings = list(self.table.holdings)
        if threes_go:
            # A three that was put away still shows who leads.
            holdings = [now | (then & THREES) for now, then in zip(holdings, self.dealt, strict=True)]
        every = 0
        for cards in holdings:
            every |= cards
        wanted = every & -every
        if lead.card != "lowest" and every >> SPELLINGS[lead.card] & 1:
            wanted = 1 << SPELLINGS[lead.card]
        self.table.turn = next((seat for seat, cards in enumerate(holdings) if cards & wanted), 0)
        self.card = wanted & ~(THREES if threes_go else 0) if lead.must_play else 0

    @property
    def turn(self) -> int:
        """The seat whose turn it is to play or pass, or NOBODY: before, or after, the play."""
        return NOBODY if self.table.hand_over or not self.ready else self.table.turn

    @property
    def leading(self) -> bool:
        """Whether the seat in turn begins a trick."""
        return self.table.top is None or self.table.closed

    @property
    def required(self) -> int:
        """The card that the next play must contain, or nothing."""
        return 0 if self.table.started else self.card

    @property
    def free_seats(self) -> list[int]:
        """The seats still in the hand."""
        return [seat for seat in range(self.table.seats) if self.table.live >> seat & 1]

    def held(self, seat: int) -> int:
        """The cards a seat can still put down."""
        return self.table.holdings[seat] & ~self.table.on_table

    def sound(self, seat: int, play: Play) -> bool:
        """Whether a play keeps its seat out of `finished_with_two`, now and later.

        A seat left with nothing but twos would have to go out on them once the lead falls to it.
        """
        if self.house.finish == "allowed":
            return True
        rest = self.held(seat) & ~play.cards
        if not rest:
            return not self.house.finishes_badly(play)
        return bool(rest & ~TWOS) or seat == self.careless

    def leads(self, seat: int) -> list[Play]:
        """Some of the legal leads of a seat."""
        held = self.held(seat)
        plays = some_leads(self.house, held, self.required, self.rng)
        found = [play for play in plays if self.sound(seat, play)]
        if not found and not self.required:
            singles = [self.house.read(1 << card) for card in cards_of(held)]
            found = [play for play in singles if self.sound(seat, play)]
        return found

    def answers(self, seat: int) -> list[Play]:
        """The legal plays of a seat in turn on the top."""
        top = self.table.top
        held = self.held(seat)
        assert top is not None
        if not self.house.can_beat(held, top):
            return []
        return [play for play in self.house.answers(held, top) if self.sound(seat, play)]

    def free_chops(self, seat: int) -> list[Play]:
        """The plays with which a seat may chop the top out of turn or after a pass."""
        table, top, held = self.table, self.table.top, self.held(seat)
        if top is None or not top.target & CHOPPABLE or seat == table.owner:
            return []
        if not self.house.can_chop(held, top, free_only=True) and top.kind not in (FOUR, PAIRS):
            return []
        plays = self.house.answers(held, top)
        return [play for play in plays if table.is_free_chop(seat, play) and self.sound(seat, play)]

    def end_chops(self, seat: int) -> list[Play]:
        """The chops of the play that ended the hand, for its last holder."""
        table, top = self.table, self.table.top
        assert top is not None
        free_only = table.passed >> seat & 1
        return [
            play
            for play in self.house.answers(self.held(seat), top, whole=False)
            if (play.chops_freely(top) if free_only else table.makes_link(play))
        ]

    def due(self) -> int:
        """The cards that must be put away before the first play."""
        before = self.house.knobs.before
        four_threes = before.four_threes and any(cards & THREES == THREES for cards in self.dealt)
        return (THREES if before.give_threes else 0) | (TWOS if four_threes else 0)

    def gifts(self) -> list[tuple[int, int]]:
        """Every legal gift of tribute: (giver, card set of one), by the holdings now."""
        before = self.house.knobs.before
        kinds = (TWOS if before.tribute_two else 0) | (ACES if before.tribute_ace else 0)
        return [
            (seat, 1 << card)
            for seat in range(self.table.seats)
            for card in cards_of(self.held(seat) & kinds)
        ]

    def returns(self, receiver: int, gift: int) -> int:
        """The cards that the receiver of a gift may give back."""
        before = self.house.knobs.before
        limit = before.tribute_two if gift & TWOS else before.tribute_ace
        assert limit is not None
        return self.held(receiver) & ((1 << (RANKS.index(limit) * 4 + 4)) - 1)

    # -- acts ------------------------------------------------------------------------------------

    def add(self, event: Event, act: bool = False, late: bool = False) -> int:
        """Writes an event down and returns its index; ``late`` exceeds the time for an act."""
        if self.timed:
            rng, limit = self.rng, (self.house.seconds or 60) * 10
            if act:
                spent = min(limit, rng.randrange(5, 100) if rng.random() < 0.9 else rng.randrange(5, 700))
                if late:
                    spent = limit + rng.randrange(1, 200)
                self.clock = self.since = max(self.clock, self.since + spent)
            else:
                self.clock = min(self.clock + rng.randrange(8), self.since + limit)
            event["at"] = self.clock // 10 if self.clock % 10 == 0 else self.clock / 10
        self.events.append(event)
        return len(self.events) - 1

    def put(
        self,
        seat: int,
        play: Play,
        stands: bool = True,
        fits: bool = True,
        late: bool = False,
        called: bool = True,
    ) -> int:
        """A play, with the calls that belong to it unless not ``called``; returns its event's index.

        ``stands`` and ``fits`` are the judge's words for a play against the rules.
        """
        table = self.table
        calls = self.calls and called and table.live >> seat & 1
        goes_out = play.size >= table.counts[seat]
        early = self.rng.random() < 0.5
        if calls and goes_out and early:
            self.add({"type": "call", "seat": seat, "remaining": 0})
        index = self.add({"type": "play", "seat": seat, "cards": texts_of(play.cards)}, act=True, late=late)
        if stands:
            table.lay(index, seat, play, fits)
        else:
            table.cannot_stand(index, seat, play)
        if calls and goes_out and not early:
            self.add({"type": "call", "seat": seat, "remaining": 0})
        elif calls and table.counts[seat] == 1 and early:
            self.add({"type": "call", "seat": seat, "remaining": 1})
        return index

    def give_up(self, seat: int, late: bool = False) -> int:
        """A pass; returns its event's index."""
        event: Event = {"type": "pass", "seat": seat}
        if self.rng.random() < 0.3:
            event["how"] = self.rng.choice(HOW)
        index = self.add(event, act=True, late=late)
        self.table.decline(seat)
        return index

    def say(self, seat: int, play: Play | None) -> None:
        """Words before an act: the cards that will be played, or a pass."""
        event: Event = {"type": "say", "seat": seat, "meaning": "play" if play else "pass"}
        if play:
            event["cards"] = texts_of(play.cards)
        self.add(event)

    def exchange(self, giver: int, receiver: int, cards: int) -> int:
        """Cards change hands; returns the event's index."""
        index = self.add({"type": "exchange", "seat": giver, "to": receiver, "cards": texts_of(cards)})
        self.table.hand_over_cards(giver, receiver, cards)
        if not self.table.started:
            self.find_leader()
        return index

    def discard(self, seat: int, cards: int) -> int:
        """Cards are put away; returns the event's index."""
        self.table.put_away(seat, cards)
        return self.add({"type": "discard", "seat": seat, "cards": texts_of(cards)})

    def put_away(self, kept: int = 0) -> None:
        """Everybody puts away what is due, except the cards ``kept``."""
        due = self.due() & ~kept
        seats = [seat for seat in range(self.table.seats) if self.held(seat) & due]
        self.rng.shuffle(seats)
        for seat in seats:
            self.discard(seat, self.held(seat) & due)

    def leave(self, seat: int) -> None:
        """A seat gives up the rest of the hand."""
        self.add({"type": "leave", "seat": seat})
        self.table.depart(seat)
        self.leaves_at = -1
