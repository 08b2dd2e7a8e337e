"""Conduct at the table: words, gestures, calls, the clock, and duties that some tables agree on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.cards import set_of
from analyzer.combinations import SINGLE
from analyzer.judge import before, checks
from analyzer.judge.certainty import could_be_instant_win
from analyzer.judge.debts import Duty
from analyzer.judge.findings import Certainty, Finding
from analyzer.judge.seats import NOBODY
from analyzer.logs.hand import (
    CallEvent,
    ClaimEvent,
    CountEvent,
    DiscardEvent,
    Event,
    ExchangeEvent,
    LeaveEvent,
    PassEvent,
    PlayEvent,
    SayEvent,
    ShowEvent,
    TakeBackEvent,
)
from analyzer.rules.plays import Play

if TYPE_CHECKING:
    from analyzer.judge.replay import Fold


def other(fold: Fold, index: int, event: Event) -> None:
    """Every event that is neither a play nor a pass. After the end none of them is a fault."""
    table = fold.table
    if table.hand_over:
        if type(event) is CallEvent:
            call(fold, index, event)
        elif type(event) is ClaimEvent:
            _claim(fold, index, event)
        return
    match event:
        case SayEvent():
            if event.seat == table.turn and fold.house.words_bind:
                table.say(event.seat, set_of(event.cards or ()) if event.meaning == "play" else 0)
        case TakeBackEvent():
            fold.found(Finding.of("took_back", index, event.seat, checks.took_back()))
            table.take_back(event.seat)
        case ShowEvent() if event.why == "early":
            _show_early(fold, index, event)
        case CountEvent() if fold.house.knobs.conduct.counting:
            fold.found(Finding.of("counted_played_cards", index, event.seat, checks.counted_played_cards()))
        case CallEvent():
            call(fold, index, event)
        case ClaimEvent():
            _claim(fold, index, event)
        case ExchangeEvent():
            before.exchange(fold, index, event)
        case DiscardEvent():
            before.discard(fold, index, event)
        case LeaveEvent() if table.live >> event.seat & 1:
            table.depart(event.seat)
        case _:
            pass


def call(fold: Fold, index: int, event: CallEvent) -> None:
    """Notes a call; that there is one at all means that this log records calls."""
    if fold.calls is None:
        fold.calls = []
    if event.remaining == 0:
        fold.calls.append((index, event.seat))
    else:
        fold.calls.append((index, NOBODY))


def _claim(fold: Fold, index: int, event: ClaimEvent) -> None:
    seat = event.seat
    opening = fold.result.opening
    facts = checks.instant_win_false(fold.house.instant_win(fold.dealt.dealt[seat], opening), opening)
    if facts is not None:
        dealt = fold.dealt
        certainty: Certainty = "certain"
        if could_be_instant_win(fold.house, opening, dealt.dealt[seat], dealt.pool, dealt.hidden[seat]):
            certainty = "possible"
        fold.found(Finding.of("instant_win_false", index, seat, facts, certainty, rule=facts["rule"]))


def _show_early(fold: Fold, index: int, event: ShowEvent) -> None:
    exposed = fold.house.knobs.conduct.exposed
    if exposed == "allowed":
        return
    fold.found(Finding.of("exposed_cards", index, event.seat, checks.exposed_cards(set_of(event.cards))))
    table = fold.table
    if exposed == "forfeit" and table.live >> event.seat & 1:
        table.exposed.append(event.seat)
        if table.forfeited is None:
            table.forfeited = Duty("exposed", event.seat, index, NOBODY)
        table.depart(event.seat)


def watch(fold: Fold, index: int, event: PlayEvent | PassEvent, play: Play | None) -> None:
    """What only some tables watch: the clock, and duties whose breach can cost the whole table."""
    if fold.house.seconds is not None:
        time(fold, index, event)
    if fold.house.one_card_duty:
        _one_card_duty(fold, index, event.seat, play)
    if play is None:
        hoarding(fold, index, event.seat)


def hoarding(fold: Fold, index: int, seat: int) -> None:
    """The pass on the twos that this seat alone could chop is the fault, should they stand."""
    hoard = fold.table.hoard
    if hoard is not None and hoard.seat == seat and fold.table.owner == hoard.target:
        hoard.event = index


def time(fold: Fold, index: int, event: PlayEvent | PassEvent) -> None:
    """Measures the seconds since the previous play or pass."""
    facts = checks.over_time(event.at, fold.clock, fold.house.seconds)
    if facts is not None:
        fold.found(Finding.of("over_time", index, event.seat, facts))
    fold.clock = event.at


def _one_card_duty(fold: Fold, index: int, seat: int, play: Play | None) -> None:
    """While the next seat holds one card, the seat before it must play its highest single."""
    table = fold.table
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
        last = fold.missed[-1] if fold.missed else None
        broken = top is not None and top.kind == SINGLE and last is not None and last.event == index
    else:
        broken = play.kind == SINGLE and table.holdings[seat].bit_length() - 1 > play.top
    if broken:
        table.duty = Duty("one_card_duty", seat, index, neighbour)
    elif duty is not None and duty.seat == seat:
        table.duty = None


def check_calls(fold: Fold, calls: list[tuple[int, int]]) -> None:
    """Whether each seat that went out said so between its previous act and the next act of anyone."""
    events = fold.hand.events
    acts = [i for i, event in enumerate(events) if type(event) in (PlayEvent, PassEvent)]
    for index, seat in zip(fold.table.out_events, fold.table.out, strict=True):
        before = max((i for i in acts if i < index and events[i].seat == seat), default=NOBODY)
        after = min((i for i in acts if i > index), default=len(events))
        if not any(caller == seat and before < at < after for at, caller in calls):
            fold.found(Finding.of("last_card_not_called", index, seat, checks.last_card_not_called()))
