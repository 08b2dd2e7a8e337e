"""What the seat that acts could have laid down: the legal plays before each play and pass in turn.

They are found when somebody opens a hand, never in bulk.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

from analyzer.cards import told_of
from analyzer.judge.forfeits import legal_plays
from analyzer.judge.judging import Judgement
from analyzer.judge.passes import Pass
from analyzer.judge.replayed import Frame
from analyzer.judge.seats import NOBODY
from analyzer.logs.hand import PassEvent, PlayEvent, SayEvent
from analyzer.rules.house import House
from analyzer.rules.plays import Play

SHOWN: Final = 12
"""At most so many plays are listed; their full number is told beside them."""

TO_TAP: Final = 400
"""The same, of the plays among which the next act is chosen."""

MOST: Final = 2_000
"""Thirteen cards have some hundreds of plays at most; of a log's impossible holding nothing is listed."""

MOST_CARDS: Final = 16
"""A holding of more cards is impossible, even where cards are given before the first play."""

MOST_LISTS: Final = 250
"""Lists made for one hand: more than any hand has that was played, and a bound for one that was not."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The legal plays of one seat at one moment, fewest cards first, then weakest."""

    plays: list[list[str]]
    count: int
    lead: bool
    whole: bool
    """Whether the whole holding is known; else these are the plays among the cards that are."""


def choices_of(judgement: Judgement, frames: list[Frame], shown: int | None = SHOWN) -> list[Choice | None]:
    """One entry an event; None where no play or pass in turn was due, or a word given bound the seat.

    At most ``shown`` plays are listed of each; None lists every one.
    """
    replay = judgement.replay
    house, known = replay.house, replay.table.known
    at_end = {entry.event: entry for entry in (*replay.missed, *replay.unsure) if entry.at_end}
    found: list[Choice | None] = []
    met: dict[tuple[int, int, int, int, bool], Choice | None] = {}
    spoken = stolen = False
    for index, event in enumerate(replay.hand.events):
        if not isinstance(event, PlayEvent | PassEvent):
            spoken = spoken or isinstance(event, SayEvent)
            found.append(None)
            continue
        frame, seat = frames[index], event.seat
        stolen = stolen or (isinstance(event, PlayEvent) and event.as_ == "steal_lead")
        choice = None
        if index in at_end:
            plays = legal_plays(house, at_end[index], known[seat])
            choice = _choice(plays, False, known[seat], frame.open_held[seat], shown)
        elif _is_due(frame, seat) and not spoken and not (stolen and not frame.trick):
            top = 0 if frame.closed else frame.top
            must = _opening_card(frame, replay.opening_card)
            key = (frame.open_held[seat], frame.holdings[seat], top, must, known[seat])
            if key not in met and len(met) < MOST_LISTS:
                met[key] = _found(house, *key, shown)
            choice = met.get(key)
        spoken = False
        found.append(choice)
    return found


def next_choice(judgement: Judgement, frame: Frame) -> tuple[int, Choice] | None:
    """The seat that is to act after the last event (``frame`` is the table then), and its legal plays.

    None where nobody is, where a word given binds it, or where the holding has too many plays to list.
    """
    replay = judgement.replay
    house, table = replay.house, replay.table
    if frame.hand_over:
        seat = table.end_chopper
        if seat == NOBODY or table.top is None:
            return None
        passed = bool(frame.passed >> seat & 1)
        entry = Pass(0, seat, frame.holdings[seat], table.top, frame.trick, True, passed, table.chained)
        plays = legal_plays(house, entry, table.known[seat])
        return (
            (seat, _choice(plays, False, table.known[seat], frame.open_held[seat], TO_TAP)) if plays else None
        )
    seat = frame.turn
    if seat == NOBODY or table.bound(seat) or (table.steal is not None and not frame.trick):
        return None
    must = _opening_card(frame, replay.opening_card)
    top = 0 if frame.closed else frame.top
    open_, held = frame.open_held[seat], frame.holdings[seat]
    choice = _found(house, open_, held, top, must, table.known[seat], TO_TAP)
    return (seat, choice) if choice is not None else None


def _is_due(frame: Frame, seat: int) -> bool:
    return frame.turn == seat and not frame.hand_over


def _opening_card(frame: Frame, card: int) -> int:
    """The card that a play must contain now: only the first one, while its holder is still there."""
    gone = any(frame.holdings[seat] & card for seat in frame.left)
    return 0 if frame.on_table or frame.trick or gone else card


def _found(
    house: House, open_: int, holding: int, top: int, must: int, whole: bool, shown: int | None
) -> Choice | None:
    if holding.bit_count() > MOST_CARDS:
        return None
    plays = house.answers(holding, house.read(top), whole) if top else house.leads(holding, whole)
    every = list(islice(plays, MOST + 1))
    if len(every) > MOST:
        return None
    fitting = [play for play in every if play.cards & must == must]
    return _choice(sorted(fitting, key=lambda play: (play.size, play.cards)), not top, whole, open_, shown)


def _choice(plays: list[Play], lead: bool, whole: bool, open_: int, shown: int | None) -> Choice:
    return Choice([told_of(play.cards, open_) for play in plays[:shown]], len(plays), lead, whole)
