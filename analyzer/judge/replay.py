"""The fold over a hand's events: what replayed, together with what was wrong.

Nothing is repaired and nothing stops the replay. For every act the checks are asked first (they see
the table before it), then the table takes the act as logged.
"""

from __future__ import annotations

from analyzer.cards import set_of
from analyzer.judge import before, checks, conduct
from analyzer.judge.checks import Act
from analyzer.judge.findings import ORDER, Facts, Finding, Severity
from analyzer.judge.holdings import Holdings, derive
from analyzer.judge.passes import Pass, end_chops
from analyzer.judge.replayed import Frame, Replay, frame_of
from analyzer.judge.seats import NOBODY, WITHOUT
from analyzer.judge.table import Table
from analyzer.logs.hand import CallEvent, Event, Hand, NoteEvent, PassEvent, PlayEvent, SayEvent
from analyzer.rules.house import House
from analyzer.rules.plays import Play


def replay(hand: Hand, house: House, trace: list[Frame] | None = None) -> Replay:
    """Replays a hand under a house's rules.

    ``trace``, where given, receives one :class:`Frame` an event and a last one after them all.
    """
    return Fold(hand, house, derive(hand, house.hand_size), trace).run()


class Fold:
    """The fold's own state: what is needed between events and is not the table's."""

    __slots__ = (
        "calls",
        "clock",
        "dealt",
        "findings",
        "gifts",
        "hand",
        "house",
        "missed",
        "passed_at_end",
        "result",
        "sound",
        "table",
        "trace",
        "watched",
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
        self.clock: float | None = 0.0
        """Time of the last play or pass; None where it has none."""
        self.calls: list[tuple[int, int]] | None = None
        """(event, seat) of each call that nothing is left; the seat is nobody's for other calls."""
        self.watched = house.seconds is not None or house.one_card_duty or house.hoarded_bomb
        self.gifts: list[tuple[int, int, str]] = []
        """Tribute not yet answered: giver, receiver and the knob that limits what comes back."""
        self.passed_at_end = False
        self.sound = True
        """Whether the table is known to be sound: whatever breaks that is a finding."""

    def run(self) -> Replay:
        """Folds over all events.

        Most acts are plain: in turn, held, higher than the top, no bomb, no last card, nothing said. A
        run of plain acts is folded on local variables (``_plain_acts``), unless somebody wants to see
        the table before each; everything else is judged on the table itself.
        """
        table, events, trace = self.table, self.hand.events, self.trace
        before.deal(self)
        note_trick = self.result.tricks.append
        plain = trace is None and not (table.special or self.watched) and self.dealt.complete
        index, count = 0, len(events)
        while index < count:
            if plain and table.is_plain and (self.sound or self._is_sound()):
                index = self._plain_acts(index)
                if index == count:
                    break
            event = events[index]
            if trace is not None:
                trace.append(frame_of(table))
            if type(event) is PlayEvent:
                self._play(index, event, self.house.play(event.cards))
            elif type(event) is PassEvent:
                self._pass(index, event)
            else:
                conduct.other(self, index, event)
            note_trick(table.trick)
            index += 1
        if trace is not None:
            trace.append(frame_of(table))
        self._end()
        return self.result

    def _plain_acts(self, index: int) -> int:
        """Folds plain acts from ``index`` on; returns the index of the first that is not plain.

        What it does to the table is what ``Table.lay`` and ``Table.decline`` do to it in these cases. Of
        other events it takes those that change nothing now: a note, a call, and the word of a seat in turn
        that does next as it said.
        """
        table, house, events = self.table, self.house, self.hand.events
        top = table.top
        if top is None:
            return index
        plays, can_beat, missed, tricks = house.plays, house.can_beat, self.missed, self.result.tricks
        holdings, live, after, finish_free = table.holdings, table.live, table.after, house.finish_free
        without = WITHOUT  # a global of another module is looked up each time, once compiled
        turn, owner, closed, trick = table.turn, table.owner, table.closed, table.trick
        top_before, owner_before, closed_before = table.top_before, table.owner_before, table.closed_before
        order, limit, above = top.order, top.limit, top.above
        before = holdings.copy()
        unlocked = live & ~table.passed
        able = unlocked & without[owner]
        said = 0
        noted = first = index
        for index in range(first, len(events)):
            event = events[index]
            if type(event) is PlayEvent:  # each type reads its own seat: Python is quicker at that
                seat = event.seat
                if seat != turn:
                    break
                try:
                    play = plays[event.cards]
                except KeyError:
                    play = house.play(event.cards)
                cards = play.cards
                rest = holdings[seat] ^ cards
                if rest & cards or not (rest or finish_free):
                    break
                higher = play.order
                if closed:
                    if higher < 0:
                        break
                    closed, closed_before = False, True
                    said = 0
                    tricks += [trick] * (index - noted)
                    noted = index
                    trick += 1
                    unlocked = live
                    limit = play.limit
                elif order < higher < limit:
                    closed_before = False
                else:
                    break
                order = higher
                holdings[seat] = rest
                top_before, owner_before = top, owner
                top, owner, above = play, seat, play.above
                if not rest:
                    table.owner = seat
                    table.passed = live & ~unlocked
                    table.note_spent(before)
                    table.go_out(index, seat, play)
                    live = table.live
                    unlocked &= live
                    if table.hand_over:
                        index += 1
                        break
                able = unlocked & without[seat]
                turn = after[able][seat]
                if turn < 0:
                    closed = True
                    turn = seat if rest else after[live][seat]
            elif type(event) is PassEvent:
                seat = event.seat
                if seat != turn or closed:
                    break
                holding = holdings[seat]
                if holding >> above if above else can_beat(holding, top):
                    missed.append(Pass(index, seat, holding, top, trick))
                unlocked &= without[seat]
                able &= without[seat]
                turn = after[able][seat]
                if turn < 0:
                    closed = True
                    turn = owner if live >> owner & 1 else after[live][owner]
            elif type(event) is SayEvent:
                if house.words_bind and event.seat == turn:
                    if not _does_as_said(events, index, event):
                        break
                    if event.meaning == "pass":
                        if closed:
                            break
                        said |= 1 << turn
            elif type(event) is CallEvent:
                conduct.call(self, index, event)
            elif type(event) is not NoteEvent:
                break
        else:
            index = len(events)
        if index == first:
            return index
        tricks += [trick] * (index - noted)
        table.note_spent(before)
        table.turn, table.top, table.owner, table.passed = turn, top, owner, live & ~unlocked
        table.closed, table.trick = closed, trick
        if said and not closed:
            table.said_pass = table.kept_word = said
            table.words = True
        table.top_before, table.owner_before, table.closed_before = top_before, owner_before, closed_before
        return index

    def found(self, finding: Finding) -> None:
        """Records a finding."""
        self.findings.append(finding)
        self.sound = False

    def _is_sound(self) -> bool:
        self.sound = self.table.is_sound
        return self.sound

    def fault(self, code: str, index: int, seat: int, facts: Facts) -> None:
        """Records what a check on an act returned."""
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

    # -- plays -----------------------------------------------------------------------------------

    def _play(self, index: int, event: PlayEvent, play: Play) -> None:
        """A play, judged: every check is asked."""
        table, seat = self.table, event.seat
        if event.as_ == "steal_lead" and before.may_steal(self):
            before.steal(self, index, seat, play)
            return
        if table.hand_over and self._end_chop(index, event, play):
            return
        stands = fits = True
        if not self._in_order(seat, play):
            stands, fits = self._judge(index, seat, play)
            if table.hand_over:
                return
        if table.words and table.bound(seat):
            self._check_words(index, seat, play)
        if not table.started:
            before.first_play(self, index)
        if self.watched:
            conduct.watch(self, index, event, play)
        if stands:
            table.lay(index, seat, play, fits)
        else:
            table.cannot_stand(index, seat, play)
        table.heard(seat)

    def _in_order(self, seat: int, play: Play) -> bool:
        """What all checks on a play come to when none of them fires."""
        table = self.table
        top = table.top
        return (
            seat == table.turn
            and (table.started or self._opens_well(play))
            and play.allowed
            and play.cards & table.holdings[seat] == play.cards
            and not play.cards & table.on_table
            and (top is None or table.closed or play.beats(top))
            and not table.hand_over
            and (self.house.finish_free or play.size < table.counts[seat])
        )

    def _opens_well(self, play: Play) -> bool:
        """Whether the first play of the hand contains what it must."""
        must = self.result.opening_card
        return not must or play.cards & must != 0

    def _judge(self, index: int, seat: int, play: Play) -> tuple[bool, bool]:
        """Asks every check of a play; whether it can stand, and whether it fits the top."""
        table = self.table
        act = Act(index, seat, play, table, self.result.leader, self.result.opening_card)
        if self._first_of(checks.TURN, act) is checks.event_after_end:
            return False, False
        facts = checks.opening_card_missing(table, act)
        if facts is not None:
            self.fault("opening_card_missing", index, seat, facts)
        stands = fits = True
        for check in checks.CARDS:
            facts = check(table, act)
            if facts is not None:
                self.fault(check.__name__, index, seat, facts)
                stands = stands and check is checks.card_not_held
        if stands:
            fits = self._first_of(checks.BEATING, act) is None
            facts = checks.finished_with_two(table, act)
            if facts is not None:
                self._finished_badly(index, seat, facts)
        return stands, fits

    def _check_words(self, index: int, seat: int, play: Play) -> None:
        """Whether a play is what its seat said it would do."""
        act = Act(index, seat, play, self.table, self.result.leader, self.result.opening_card)
        for check in checks.WORDS:
            facts = check(self.table, act)
            if facts is not None:
                self.fault(check.__name__, index, seat, facts)

    def _first_of(self, exclusive: tuple[checks.Check, ...], act: Act) -> checks.Check | None:
        """Of checks that exclude each other, the first that fires; its fault is recorded."""
        for check in exclusive:
            facts = check(self.table, act)
            if facts is not None:
                self.fault(check.__name__, act.event, act.seat, facts)
                return check
        return None

    # -- passes ----------------------------------------------------------------------------------

    def _weigh_pass(self, index: int, seat: int, top: Play) -> None:
        """Notes a pass in turn by a seat that had, or may have had, a legal play."""
        table = self.table
        holding, known = table.holdings[seat], table.known[seat]
        if self.house.can_beat(holding, top, known):
            self.missed.append(Pass(index, seat, holding, top, table.trick))
        elif not known:
            self.result.unsure.append(Pass(index, seat, holding, top, table.trick))

    def _pass(self, index: int, event: PassEvent) -> None:
        """A pass, judged."""
        table, seat = self.table, event.seat
        if table.hand_over:
            if seat == table.end_chopper:
                self._pass_at_end(index, seat)
            return
        if table.steal is not None and not table.started:
            if self.house.seconds is not None:
                conduct.time(self, index, event)
            return
        top = table.top
        if seat == table.turn and top is not None and not table.closed and seat not in table.named:
            self._weigh_pass(index, seat, top)
        elif not (table.auto_closed and table.live >> seat & 1 and seat != table.owner):
            act = Act(index, seat, None, table, self.result.leader, 0)
            in_order = self._first_of(checks.TURN, act) is None
            facts = checks.said_play_then_changed(table, act)
            if facts is not None:
                self.fault("said_play_then_changed", index, seat, facts)
            elif in_order and table.top is not None:
                self._weigh_pass(index, seat, table.top)
        if self.watched:
            conduct.watch(self, index, event, None)
        table.decline(seat)
        table.heard(seat)

    # -- the end of the hand ---------------------------------------------------------------------

    def _end_chop(self, index: int, event: PlayEvent, play: Play) -> bool:
        """Whether this is the last holder's chop of the play that ended the hand; then it is taken."""
        table, seat = self.table, event.seat
        top = table.top
        able = (
            seat == table.end_chopper
            and top is not None
            and play.allowed
            and play.cards & table.holdings[seat] == play.cards
            and not play.cards & table.on_table
            and (play.chops_freely(top) if table.passed >> seat & 1 else table.makes_link(play))
        )
        act = Act(index, seat, play, table, self.result.leader, 0)
        bad_finish = checks.finished_with_two(table, act)
        if bad_finish is not None and self.house.finish == "forbidden":
            able = False
        table.end_chopper = NOBODY
        if not able:
            return False
        if self.house.seconds is not None:
            conduct.time(self, index, event)
        if bad_finish is not None:
            self._finished_badly(index, seat, bad_finish)
        table.end_chop(index, seat, play)
        return True

    def _finished_badly(self, index: int, seat: int, facts: Facts) -> None:
        """Going out on a two is an error only where it is forbidden; elsewhere it has its price."""
        severity: Severity = "error" if self.house.finish == "forbidden" else "warning"
        self.found(Finding.of("finished_with_two", index, seat, facts, severity=severity, rule=facts["rule"]))

    def _pass_at_end(self, index: int, seat: int) -> None:
        """The last holder lets the play that ended the hand stand."""
        table, top = self.table, self.table.top
        assert top is not None
        if self.passed_at_end:
            return
        self.passed_at_end = True
        had_passed = bool(table.passed >> seat & 1)
        table.passed |= 1 << seat
        entry = Pass(index, seat, table.holdings[seat], top, table.trick, True, had_passed, table.chained)
        conduct.hoarding(self, index, seat)
        if end_chops(self.house, entry, table.known[seat]):
            self.missed.append(entry)
        elif not table.known[seat]:
            self.result.unsure.append(entry)

    def _end(self) -> None:
        table = self.table
        if not table.hand_over:
            self.found(Finding.of("hand_unfinished", None, None, checks.hand_unfinished()))
        if self.calls is not None and self.house.knobs.conduct.call_going_out:
            conduct.check_calls(self, self.calls)
        table.finish_tricks()
        if table.hoard is not None and table.forfeited is None and (table.hand_over or table.closed):
            table.forfeited = table.hoard
        if len(self.findings) > 1:
            self.findings.sort(key=report_order)


def _does_as_said(events: list[Event], index: int, word: SayEvent) -> bool:
    """Whether the next event is the act that this seat said."""
    if index + 1 == len(events):
        return False
    act = events[index + 1]
    if word.meaning == "pass":
        return type(act) is PassEvent and act.seat == word.seat
    return type(act) is PlayEvent and act.seat == word.seat and act.cards == word.cards


def report_order(finding: Finding) -> tuple[int, int, int]:
    """The order of reporting: faults of the deal, events (table order within one), faults of the end."""
    at = finding.event
    code = ORDER[finding.code]
    if at is not None:
        return at, code, finding.seat if finding.seat is not None else -1
    return (
        (-1 if code < ORDER["hand_unfinished"] else 1 << 30),
        code,
        finding.seat if finding.seat is not None else -1,
    )
