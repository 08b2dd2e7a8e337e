"""What was done that may cost something once the trick or the hand is over: a chop, a broken duty."""

from __future__ import annotations

from typing import Literal

from analyzer.rules.plays import Play


class Link:
    """One chop: ``play`` of ``seat`` on ``beaten`` of ``victim``; ``number`` is its place in the chain."""

    __slots__ = ("beaten", "event", "number", "play", "seat", "uncut", "victim", "victim_out")

    def __init__(
        self,
        event: int,
        seat: int,
        victim: int,
        play: Play,
        beaten: Play,
        number: int,
        victim_out: bool,
        uncut: int,
    ) -> None:
        self.event = event
        self.seat = seat
        self.victim = victim
        self.play = play
        self.beaten = beaten
        self.number = number
        self.victim_out = victim_out
        self.uncut = uncut
        """Thousandths of a stake for the single twos directly under the first chopped one."""


class Duty:
    """A broken duty that costs something only if what it should have prevented comes about."""

    __slots__ = ("event", "kind", "seat", "target")

    def __init__(
        self, kind: Literal["hoarded_bomb", "one_card_duty", "exposed"], seat: int, event: int, target: int
    ) -> None:
        self.kind = kind
        self.seat = seat
        self.event = event
        self.target = target
