"""Đền bài: who pays for the table, and the proof."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from analyzer.combinations import ranks_with
from analyzer.judge.certainty import Effort, certainty_of
from analyzer.judge.findings import Certainty
from analyzer.judge.passes import Pass, end_chops, event_of
from analyzer.judge.replayed import Replay
from analyzer.rules.house import MOST_ANSWERS, House
from analyzer.rules.plays import Play

ForfeitKind = Literal["all_frozen", "hoarded_bomb", "one_card_duty", "exposed"]

RULES: Final[dict[ForfeitKind, str]] = {
    "all_frozen": "forfeit.all_frozen",
    "hoarded_bomb": "forfeit.hoarded_bomb",
    "one_card_duty": "forfeit.one_card_duty",
    "exposed": "conduct.exposed",
}
"""Kind of forfeit → the knob behind it."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Who forfeits, by which act, and how sure that is. It is charged only where certain."""

    seat: int
    kind: ForfeitKind
    event: int
    certainty: Certainty
    passed: Pass | None = None

    @property
    def rule(self) -> str:
        """The knob that makes it a forfeit."""
        return RULES[self.kind]


def find_forfeit(replay: Replay, effort: Effort) -> Forfeit | None:
    """The forfeit of a hand, or None; of one that is not over, only what was forfeited at once."""
    table = replay.table
    duty = table.forfeited
    if duty is not None:
        passed = next((p for p in replay.missed if p.event == duty.event), None)
        return Forfeit(duty.seat, duty.kind, duty.event, "certain", passed)
    if table.hand_over and replay.house.knobs.forfeit.all_frozen:
        return _all_frozen(replay, effort)
    return None


def _all_frozen(replay: Replay, effort: Effort) -> Forfeit | None:
    """When all others (two at least) are frozen: going round from the winner, the first that could
    have blocked at a pass of its own, at its earliest such pass."""
    table, house = replay.table, replay.house
    others = table.seats - 1
    if len(table.out) != 1 or others < 2 or table.frozen.bit_count() != others:
        return None
    seat = table.out[0]
    last_trick = table.trick
    for _ in range(others):
        seat = (seat + house.step) % table.seats
        passes = [p for p in (*replay.missed, *replay.unsure) if p.seat == seat]
        passes.sort(key=event_of)
        if house.knobs.forfeit.scope == "last_trick":
            passes = [p for p in passes if p.trick == last_trick]
        if not house.knobs.forfeit.breaking_sets:
            passes = [p for p in passes if counting_plays(house, p, replay.table.known[seat])]
        sure = {p.event for p in replay.missed}
        if not passes:
            continue
        certainty = (
            "certain"
            if any(p.event in sure for p in passes)
            else certainty_of(house, replay.dealt, passes, effort)
        )
        if certainty is None:
            continue
        chosen = next((p for p in passes if p.event in sure), passes[0])
        return Forfeit(seat, "all_frozen", chosen.event, certainty, chosen)
    return None


def legal_plays(house: House, entry: Pass, known: bool = True) -> list[Play]:
    """The legal plays a seat had at a pass, at most ``MOST_ANSWERS``: fewest cards first, then weakest."""
    plays = end_chops(house, entry, known) if entry.at_end else house.answers(entry.holding, entry.top, known)
    return sorted(islice(plays, MOST_ANSWERS), key=lambda play: (play.size, play.cards))


def counting_plays(house: House, entry: Pass, known: bool = True) -> list[Play]:
    """The legal plays that count for a forfeit: all, or those that leave no card of a rank behind."""
    plays = legal_plays(house, entry, known)
    if house.knobs.forfeit.breaking_sets:
        return plays
    return [play for play in plays if not _breaks(play.cards, entry.holding)]


def _breaks(cards: int, holding: int) -> bool:
    touched = ranks_with(cards, 1) * 15
    return (holding & touched) != cards
