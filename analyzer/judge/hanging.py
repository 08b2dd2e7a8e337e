"""What hangs on suits that nobody remembers: types only."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from analyzer.judge.findings import Finding

About = Literal[
    "violation", "missed_block", "forfeit", "instant_win", "outcome", "places", "next_lead", "net"
]


class Slot(NamedTuple):
    """Cards of one rank whose suits are open: so many in a seat's holding at the deal, or in an event."""

    seat: int
    event: int | None
    size: int


class Case(NamedTuple):
    """A value, and the suits that lead to it: for each way, the filled slots of the ranks that matter."""

    value: Any
    ways: list[tuple[tuple[Slot, int], ...]]


class Hanging(NamedTuple):
    """Something that hangs on suits. ``cases`` are complete unless ``sampled``."""

    about: About
    code: str | None
    event: int | None
    seat: int | None
    finding: Finding | None
    cases: list[Case]
    sampled: bool
