"""The fold over a hand's events: what replayed, together with what was wrong.

Nothing is repaired and nothing stops the replay. For every act the checks are asked first (they see
the table before it), then the table takes the act as logged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from analyzer.cards import RANKS, SPELLINGS, THREES, TWOS, set_of
from analyzer.combinations import PAIRS, SINGLE
from analyzer.judge import checks
from analyzer.judge.checks import Act
from analyzer.judge.findings import ORDER, Finding
from analyzer.judge.holdings import Holdings, derive
from analyzer.judge.table import NOBODY, Duty, Link, Table
from analyzer.logs.hand import (
    CallEvent,
    ClaimEvent,
    CountEvent,
    DiscardEvent,
    Event,
    ExchangeEvent,
    Hand,
    LeaveEvent,
    PassEvent,
    PlayEvent,
    SayEvent,
    ShowEvent,
    TakeBackEvent,
)
from analyzer.rules.house import House, Play

ACES: Final = 0xF << 44


class Pass(NamedTuple):
    """A pass in turn, and what its seat held: kept where it had, or may have had, a legal play."""

    event: int
    seat: int
    holding: int
    top: Play
    trick: int
    at_end: bool
    """Whether only a chop of the play that ended the hand was still allowed."""
    had_passed: bool


class Frame(NamedTuple):
    """The table as it stood before an event (the last one: after all of them)."""

    holdings: tuple[int, ...]
    counts: tuple[int, ...]
    top: int
    owner: int
    passed: int
    frozen: int
    live: int
    out: tuple[int, ...]
    left: tuple[int, ...]
    turn: int
    closed: bool
    trick: int
    on_table: int
    hand_over: bool


@dataclass(slots=True)
class Replay:
    """What replayed of a hand. Lists are in the order of the events."""

    hand: Hand
    house: House
    dealt: Holdings
    table: Table
    findings: list[Finding] = field(default_factory=list)
    missed: list[Pass] = field(default_factory=list)
    unsure: list[Pass] = field(default_factory=list)
    """Passes that only unknown cards could decide."""
    winners: list[tuple[int, str]] = field(default_factory=list)
    """Instant winners in the order in which they are paid first, where the deal ended the hand."""
    redeal: bool = False
    leader: int = NOBODY
    opening: bool = False
    tricks: list[int] = field(default_factory=list)
    """For each event the number of the trick it belongs to, from 1; 0 before the first play."""

    @property
    def chains(self) -> list[list[Link]]:
        """Every chain of chops, unsettled ones included."""
        return self.table.settled + self.table.chains


def replay(hand: Hand, house: House, trace: list[Frame] | None = None) -> Replay:
    """Replays a hand under a house's rules.

    ``trace``, where given, receives one :class:`Frame` an event and a last one after them all.
    """
    dealt = derive(hand, house.hand_size)
    return _Fold(hand, house, dealt, trace).run()


class _Fold:
    """The fold's own state: what is needed between events and is not the table's."""

    __slots__ = (
        "before",
        "calls",
        "dealt",
        "findings",
        "four_threes",
        "gifts",
        "hand",
        "house",
        "last_act",
        "missed",
        "opening_card",
        "result",
        "table",
        "trace",
        "went_out",
    )

    def __init__(self, hand: Hand, house: House, dealt: Holdings, trace: list[Frame] | None) -> None:
        self.hand = hand
        self.house = house
        self.dealt = dealt
        self.table = Table(house, dealt)
        self.result = Replay(hand, house, dealt, self.table)
        self.findings = self.result.findings
        self.missed = self.result.missed
        self.trace = trace
        self.before: float | None = 0.0
        self.calls: list[tuple[int, int]] | None = None
        self.last_act = [NOBODY] * self.table.seats
        self.went_out: list[tuple[int, int, int]] = []
        self.gifts: list[tuple[int, int, str]] = []
        self.four_threes = any(cards & THREES == THREES for cards in dealt.dealt)
        self.opening_card = 0

    def run(self) -> Replay:
        table, result, trace = self.table, self.result, self.trace
        result.opening = self.hand.lead is not None and self.hand.lead.reason == "opening"
        self._deal()
        tricks = result.tricks
        plays = self.house._plays
        act, decline = self._play, self._pass
        for index, event in enumerate(self.hand.events):
            if trace is not None:
                trace.append(_frame(table))
            kind = type(event)
            if kind is PlayEvent:
                play = plays.get(event.cards)
                act(index, event, play if play is not None else self.house.play(event.cards))
            elif kind is PassEvent:
                decline(index, event)
            else:
                self._other(index, event)
            tricks.append(table.trick)
        if trace is not None:
            trace.append(_frame(table))
        self._end()
        return result

    def found(self, finding: Finding) -> None:
        self.findings.append(finding)

    # -- the deal --------------------------------------------------------------------------------

    def _deal(self) -> None:
        hand, house, dealt, result = self.hand, self.house, self.dealt, self.result
        for seat, size in enumerate(dealt.sizes):
            if size != house.hand_size:
                self.found(Finding.of("deal_wrong_size", None, seat, checks.deal_wrong_size(size, house.hand_size)))
        for card, seat in dealt.repeated:
            self.found(Finding.of("deal_duplicate_card", None, seat, checks.deal_duplicate_card(card)))
        self._find_leader()
        played = any(type(event) is PlayEvent for event in hand.events)
        if house.knobs.instant_wins.four_twos == "redeal":
            for seat, cards in enumerate(dealt.dealt):
                if checks.deal_needs_redeal(cards) is not None:
                    if played:
                        self.found(Finding.of("deal_needs_redeal", None, seat))
                    else:
                        result.redeal = True
        if hand.lead is None:
            self.found(Finding.of("lead_unverified", None, None, checks.lead_unverified()))
        holders = self._instant_wins()
        if holders and not result.redeal:
            if not played or self._claimed_before_play(holders):
                self._win(holders)
            else:
                claimants = {event.seat for event in hand.events if type(event) is ClaimEvent}
                for seat, name in holders:
                    if seat not in claimants:
                        facts = checks.instant_win_missed(name, result.opening)
                        self.found(Finding.of("instant_win_missed", None, seat, facts, rule=facts["rule"]))
        if result.redeal:
            self.table.hand_over = True

    def _instant_wins(self) -> list[tuple[int, str]]:
        opening = self.result.opening
        wins = self.house.knobs.instant_wins
        if not (wins.opening if opening else wins.other):
            return []
        return [
            (seat, name)
            for seat, cards in enumerate(self.dealt.dealt)
            if (name := self.house.instant_win(cards, opening)) is not None
        ]

    def _claimed_before_play(self, holders: list[tuple[int, str]]) -> bool:
        seats = {seat for seat, _ in holders}
        for event in self.hand.events:
            if type(event) is PlayEvent:
                return False
            if type(event) is ClaimEvent and event.seat in seats:
                return True
        return False

    def _win(self, holders: list[tuple[int, str]]) -> None:
        """The deal ends in an instant win. Acts before the claim that ends it change nothing."""
        table = self.table
        start = max(self.result.leader, 0)
        order = [(start + table.house.step * k) % table.seats for k in range(table.seats)]
        self.result.winners = sorted(holders, key=lambda held: order.index(held[0]))
        table.hand_over = True

    def _find_leader(self) -> None:
        """Whose right it is to lead, and what an opening play must contain."""
        lead, table, result = self.hand.lead, self.table, self.result
        self.opening_card = 0
        if lead is not None and lead.reason == "opening":
            result.leader = self._opening_leader()
        elif lead is not None and lead.seat is not None:
            result.leader = lead.seat
        if result.leader != NOBODY:
            table.turn = result.leader
        else:
            table.turn = next((event.seat for event in self.hand.events if type(event) is PlayEvent), NOBODY)

    def _opening_leader(self) -> int:
        """The holder of the opening card; where it was not dealt, of the lowest card dealt."""
        rules, table = self.house.knobs.lead, self.table
        gives = self.house.knobs.before.give_threes
        cards = self.dealt.dealt if gives else table.holdings
        if rules.card != "lowest":
            card = 1 << SPELLINGS[rules.card]
            holder = next((seat for seat in range(table.seats) if cards[seat] & card), NOBODY)
            whole_deck = table.seats * self.house.hand_size == 52
            if holder != NOBODY or whole_deck:
                self._require(card)
                return holder
        if not self.dealt.complete:
            known = [held & -held for held in cards if held]
            if rules.card != "lowest" or 1 not in known:
                return NOBODY
        low = min((held & -held for held in cards if held), default=0)
        if not low:
            return NOBODY
        self._require(low)
        return next(seat for seat in range(table.seats) if cards[seat] & low)

    def _require(self, card: int) -> None:
        must = self.house.knobs.lead.must_play
        put_away = THREES if self.house.knobs.before.give_threes else 0
        self.opening_card = card & ~put_away if must else 0

    # -- plays and passes ------------------------------------------------------------------------

    def _play(self, index: int, event: PlayEvent, play: Play) -> None:
        """One play. The condition below is what all checks on a play come to when none of them fires."""
        table, seat = self.table, event.seat
        top = table.top
        cards = play.cards
        if (
            seat == table.turn
            and table.started
            and not table.hand_over
            and play.allowed
            and not cards & ~table.owned[seat]
            and not cards & table.on_table
            and (top is None or table.closed or play.beats(top))
            and not table.said_pass
            and not table.named
            and not (table.house.finish != "allowed" and play.size >= table.counts[seat])
        ):
            fits = stands = True
        elif event.as_ == "steal_lead" and self._may_steal():
            self._steal(index, seat, play)
            return
        elif table.hand_over and self._end_chop(index, event, play):
            return
        else:
            stands, fits = self._judge(index, event, play)
            if table.hand_over:
                return
        if not table.started:
            self._first_play(index)
        if self.house.seconds is not None:
            self._time(index, event)
        if self.house.one_card_duty:
            self._one_card_duty(index, seat, play)
        held = table.live
        if stands:
            table.lay(index, seat, play, fits)
        else:
            table.cannot_stand(index, seat, play)
        if table.named or table.said_pass:
            table.named.pop(seat, None)
        if held & ~table.live & (1 << seat):
            self.went_out.append((index, seat, self.last_act[seat]))
        self.last_act[seat] = index

    def _judge(self, index: int, event: PlayEvent, play: Play) -> tuple[bool, bool]:
        """Asks every check of a play; whether it can stand, and whether it fits the top."""
        table, seat = self.table, event.seat
        act = Act(index, seat, play, table, self.result.leader, self.opening_card)
        for check in checks.TURN:
            facts = check(table, act)
            if facts is not None:
                self._fault(check.__name__, index, seat, facts)
                if check is checks.event_after_end:
                    return False, False
                break
        facts = checks.opening_card_missing(table, act)
        if facts is not None:
            self._fault("opening_card_missing", index, seat, facts)
        stands = fits = True
        for check in checks.CARDS:
            facts = check(table, act)
            if facts is not None:
                self._fault(check.__name__, index, seat, facts)
                stands = stands and check is checks.card_not_held
        if stands:
            for check in checks.BEATING:
                facts = check(table, act)
                if facts is not None:
                    self._fault(check.__name__, index, seat, facts)
                    fits = False
                    break
            facts = checks.finished_with_two(table, act)
            if facts is not None:
                severity = "error" if table.house.finish == "forbidden" else "warning"
                self.found(Finding.of("finished_with_two", index, seat, facts, severity=severity, rule=facts["rule"]))  # type: ignore[arg-type]
        for check in checks.WORDS:
            facts = check(table, act)
            if facts is not None:
                self._fault(check.__name__, index, seat, facts)
        return stands, fits

    def _fault(self, code: str, index: int, seat: int, facts: checks.Facts) -> None:
        rule = facts.get("rule")
        if code == "card_not_held" and not self._surely_not_held(seat, facts["cards"]):
            self.found(Finding.of(code, index, seat, facts, "possible"))
            return
        if code == "wrong_leader" and not self.result.opening:
            rule = "law.turn"
        self.found(Finding.of(code, index, seat, facts, rule=rule))

    def _surely_not_held(self, seat: int, cards: list[str]) -> bool:
        """Certain where the whole holding was listed, or another seat is known to have had the card."""
        listed = self.hand.deal[seat] if self.hand.deal is not None else None
        if listed is not None and "??" not in listed:
            return True
        missing = set_of(cards)
        return any(held & missing for other, held in enumerate(self.dealt.dealt) if other != seat)

    def _pass(self, index: int, event: PassEvent) -> None:
        table, seat = self.table, event.seat
        if table.hand_over:
            if seat == table.end_chopper:
                self._pass_at_end(index, seat)
            return
        top = table.top
        if seat == table.turn and top is not None and not table.closed and not table.named:
            holding = table.holdings[seat]
            if table.house.can_beat(holding, top, table.known[seat]):
                self.missed.append(Pass(index, seat, holding, top, table.trick, False, False))
            elif not table.known[seat]:
                self.result.unsure.append(Pass(index, seat, holding, top, table.trick, False, False))
        elif table.steal is not None and not table.started:
            return
        elif not (table.auto_closed and table.live >> seat & 1 and seat != table.owner):
            self._judge_pass(index, seat)
        if self.house.one_card_duty:
            self._one_card_duty(index, seat, None)
        if self.hoarding(seat):
            self.table.hoard.event = index  # type: ignore[union-attr]
        if self.house.seconds is not None:
            self._time(index, event)
        table.decline(seat)
        table.named.pop(seat, None)
        self.last_act[seat] = index

    def hoarding(self, seat: int) -> bool:
        """Whether this seat is now passing on the twos that it alone could chop."""
        hoard = self.table.hoard
        return hoard is not None and hoard.seat == seat and self.table.owner == hoard.target

    def _judge_pass(self, index: int, seat: int) -> None:
        """A pass that is not plainly in order."""
        table = self.table
        act = Act(index, seat, None, table, self.result.leader, 0)
        fault = False
        for check in checks.TURN:
            facts = check(table, act)
            if facts is not None:
                self._fault(check.__name__, index, seat, facts)
                fault = True
                break
        facts = checks.said_play_then_changed(table, act)
        if facts is not None:
            self._fault("said_play_then_changed", index, seat, facts)
        elif not fault and table.top is not None:
            known = table.known[seat]
            if table.house.can_beat(table.holdings[seat], table.top, known):
                self.missed.append(Pass(index, seat, table.holdings[seat], table.top, table.trick, False, False))
            elif not known:
                self.result.unsure.append(Pass(index, seat, table.holdings[seat], table.top, table.trick, False, False))

    def _time(self, index: int, event: PlayEvent | PassEvent) -> None:
        facts = checks.over_time(event.at, self.before, self.house.seconds)
        if facts is not None:
            self.found(Finding.of("over_time", index, event.seat, facts))
        self.before = event.at

    # -- the end of the hand ---------------------------------------------------------------------

    def _end_chop(self, index: int, event: PlayEvent, play: Play) -> bool:
        """Whether this is the last holder's chop of the play that ended the hand; then it is taken."""
        table, seat = self.table, event.seat
        top = table.top
        able = (
            seat == table.end_chopper
            and top is not None
            and play.allowed
            and not play.cards & ~table.owned[seat]
            and not play.cards & table.on_table
            and (play.chops_freely(top) if table.passed >> seat & 1 else table.makes_link(play))
        )
        table.end_chopper = NOBODY
        if not able:
            return False
        if self.house.seconds is not None:
            self._time(index, event)
        table.end_chop(index, seat, play)
        return True

    def _pass_at_end(self, index: int, seat: int) -> None:
        """The last holder lets the play that ended the hand stand."""
        table, top = self.table, self.table.top
        table.end_chopper = NOBODY
        assert top is not None
        had_passed = bool(table.passed >> seat & 1)
        entry = Pass(index, seat, table.holdings[seat], top, table.trick, True, had_passed)
        if self.hoarding(seat):
            table.hoard.event = index  # type: ignore[union-attr]
        if any(True for _ in end_chops(self.house, entry, table.chained)):
            self.missed.append(entry)
        elif not table.known[seat]:
            self.result.unsure.append(entry)

    def _end(self) -> None:
        table = self.table
        if not table.hand_over:
            self.found(Finding.of("hand_unfinished", None, None, checks.hand_unfinished()))
        if self.calls and self.house.knobs.conduct.call_going_out:
            self._check_calls(self.calls)
        table.finish_tricks()
        if table.hoard is not None and table.forfeited is None:
            table.forfeited = table.hoard
        self.findings.sort(key=_report_order)

    def _check_calls(self, calls: list[tuple[int, int]]) -> None:
        events = self.hand.events
        for index, seat, before in self.went_out:
            after = next(
                (i for i in range(index + 1, len(events)) if type(events[i]) in (PlayEvent, PassEvent)), len(events)
            )
            if not any(caller == seat and before < at < after for at, caller in calls):
                self.found(Finding.of("last_card_not_called", index, seat, checks.last_card_not_called()))

    # -- duties that some tables agree on --------------------------------------------------------

    def _one_card_duty(self, index: int, seat: int, play: Play | None) -> None:
        """While the next seat holds one card, the seat before it must play its highest single."""
        table = self.table
        duty = table.duty
        if duty is not None and duty.target == seat and play is not None and play.size >= table.counts[seat]:
            return
        if duty is not None and duty.target == seat:
            table.duty = None
        neighbour = table.next_live(seat)
        if neighbour == NOBODY or table.counts[neighbour] != 1 or not table.live >> seat & 1:
            return
        if play is None:
            top = table.top
            last = self.missed[-1] if self.missed else None
            broken = top is not None and top.kind == SINGLE and last is not None and last.event == index
        else:
            broken = play.kind == SINGLE and table.holdings[seat].bit_length() - 1 > play.top
        if broken:
            table.duty = Duty("one_card_duty", seat, index, neighbour)
        elif duty is not None and duty.seat == seat:
            table.duty = None

    # -- everything else -------------------------------------------------------------------------

    def _other(self, index: int, event: Event) -> None:
        table = self.table
        if table.hand_over:
            if type(event) is CallEvent:
                self._call(index, event)
            elif type(event) is ClaimEvent:
                self._claim(index, event)
            return
        match event:
            case SayEvent():
                if event.seat == table.turn and self.house.words_bind:
                    if event.meaning == "pass":
                        table.said_pass |= 1 << event.seat
                    else:
                        table.named[event.seat] = set_of(event.cards or ())
            case TakeBackEvent():
                self.found(Finding.of("took_back", index, event.seat, checks.took_back()))
                table.take_back(event.seat)
            case ShowEvent() if event.why == "early":
                self._show_early(index, event)
            case CountEvent() if self.house.knobs.conduct.counting:
                self.found(Finding.of("counted_played_cards", index, event.seat, checks.counted_played_cards()))
            case CallEvent():
                self._call(index, event)
            case ClaimEvent():
                self._claim(index, event)
            case ExchangeEvent():
                self._exchange(index, event)
            case DiscardEvent():
                self._discard(index, event)
            case LeaveEvent() if table.live >> event.seat & 1:
                table.depart(event.seat)
                self.last_act[event.seat] = index
            case _:
                pass

    def _call(self, index: int, event: CallEvent) -> None:
        if self.calls is None:
            self.calls = []
        if event.remaining == 0:
            self.calls.append((index, event.seat))
        else:
            self.calls.append((index, NOBODY))

    def _claim(self, index: int, event: ClaimEvent) -> None:
        seat = event.seat
        if not self.table.known[seat] and self.dealt.hidden[seat]:
            return
        opening = self.result.opening
        facts = checks.instant_win_false(self.house.instant_win(self.dealt.dealt[seat], opening), opening)
        if facts is not None:
            self.found(Finding.of("instant_win_false", index, seat, facts, rule=facts["rule"]))

    def _show_early(self, index: int, event: ShowEvent) -> None:
        exposed = self.house.knobs.conduct.exposed
        if exposed == "allowed":
            return
        self.found(Finding.of("exposed_cards", index, event.seat, checks.exposed_cards(set_of(event.cards))))
        table = self.table
        if exposed == "forfeit" and table.live >> event.seat & 1:
            table.exposed.append(event.seat)
            if table.forfeited is None:
                table.forfeited = Duty("exposed", event.seat, index, NOBODY)
            table.depart(event.seat)

    def _exchange(self, index: int, event: ExchangeEvent) -> None:
        """Tribute: a gift of one two or ace, then one card of the receiver's at or under the limit."""
        table, before = self.table, self.house.knobs.before
        cards = set_of(event.cards)
        pair = (event.to, event.seat)
        gift = next((g for g in self.gifts if (g[0], g[1]) == pair), None)
        rule, fine = "before.tribute_two", False
        if gift is not None:
            rule = gift[2]
            limit = before.tribute_two if rule == "before.tribute_two" else before.tribute_ace
            assert limit is not None
            fine = len(event.cards) == 1 and (cards.bit_length() - 1) >> 2 <= RANKS.index(limit)
            self.gifts.remove(gift)
        elif len(event.cards) == 1 and cards & TWOS:
            fine = before.tribute_two is not None
        elif len(event.cards) == 1 and cards & ACES:
            rule, fine = "before.tribute_ace", before.tribute_ace is not None
        if table.started:
            fine = False
        missing = cards & ~table.owned[event.seat]
        if missing:
            self._fault("card_not_held", index, event.seat, checks.card_not_held(table, _showing(index, event.seat, cards, table)) or {})
        if not fine:
            self.found(Finding.of("exchange_wrong_card", index, event.seat, checks.exchange_wrong_card(cards, rule), rule=rule))
        elif gift is None:
            self.gifts.append((event.seat, event.to, rule))
        table.hand_over_cards(event.seat, event.to, cards)
        if not table.started:
            self._find_leader()

    def _discard(self, index: int, event: DiscardEvent) -> None:
        table = self.table
        cards = set_of(event.cards)
        allowed = 0 if table.started else checks.discards_allowed(table, self.four_threes)
        rule = "before.four_threes" if cards & TWOS else "before.give_threes"
        if cards & ~table.owned[event.seat]:
            self._fault("card_not_held", index, event.seat, checks.card_not_held(table, _showing(index, event.seat, cards, table)) or {})
        facts = checks.discard_wrong_card(cards & ~allowed, rule)
        if facts is not None:
            self.found(Finding.of("discard_wrong_card", index, event.seat, facts, rule=rule))
        table.spend(event.seat, self.house.read(cards))

    def _first_play(self, index: int) -> None:
        """What had to be put away before the first play, and was kept."""
        table = self.table
        due = checks.discards_allowed(table, self.four_threes)
        if due:
            for seat in range(table.seats):
                kept = table.holdings[seat] & due
                rule = "before.four_threes" if kept & TWOS else "before.give_threes"
                facts = checks.discard_wrong_card(kept, rule)
                if facts is not None:
                    self.found(Finding.of("discard_wrong_card", index, seat, facts, rule=rule))

    # -- stealing the lead -----------------------------------------------------------------------

    def _may_steal(self) -> bool:
        table = self.table
        return self.house.knobs.lead.steal and not self.result.opening and not table.started and not table.hand_over

    def _steal(self, index: int, seat: int, play: Play) -> None:
        """Three consecutive pairs before the first play; only a higher three may answer."""
        table = self.table
        act = Act(index, seat, play, table, self.result.leader, 0)
        fits = True
        for check in (checks.acted_after_out, *checks.CARDS):
            facts = check(table, act)
            if facts is not None:
                self._fault(check.__name__, index, seat, facts)
                fits = fits and check is checks.card_not_held
        if play.allowed:
            held = table.steal[1] if table.steal is not None else None
            told = checks.compared(play, held or play)
            if play.kind != PAIRS or play.length != 3:
                self._fault("wrong_kind", index, seat, told)
                fits = False
            elif held is not None and not play.beats(held):
                self._fault("does_not_beat", index, seat, told)
                fits = False
        table.steal_lead(seat, play, fits)
        self.result.leader = table.turn
        self.last_act[seat] = index


def end_chops(house: House, entry: Pass, chained: bool) -> list[Play]:
    """The chops that the last holder had for the play that ended the hand."""
    return [
        play
        for play in house.answers(entry.holding, entry.top, whole=False)
        if (
            play.chops_freely(entry.top)
            if entry.had_passed
            else play.chops(entry.top) or (chained and play.shape == entry.top.shape and entry.top.kind >= 4)
        )
    ]


def _showing(index: int, seat: int, cards: int, table: Table) -> Act:
    return Act(index, seat, table.house.read(cards), table, NOBODY, 0)


def _report_order(finding: Finding) -> tuple[int, int, int]:
    """Deal faults, then events in order, table order within one, then the faults of the end."""
    at = finding.event
    code = ORDER[finding.code]
    if at is not None:
        return at, code, finding.seat if finding.seat is not None else -1
    return (-1 if code < ORDER["hand_unfinished"] else 1 << 30), code, finding.seat if finding.seat is not None else -1


def _frame(table: Table) -> Frame:
    return Frame(
        tuple(table.holdings),
        tuple(table.counts),
        table.top.cards if table.top is not None else 0,
        table.owner,
        table.passed,
        table.frozen,
        table.live,
        tuple(table.out),
        tuple(table.left),
        table.turn,
        table.closed,
        table.trick,
        table.on_table,
        table.hand_over,
    )
