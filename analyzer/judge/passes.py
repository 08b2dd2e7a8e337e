"""Passes that let something go, kept with what is needed to prove it."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Final

import msgspec

from analyzer.rules.house import House
from analyzer.rules.plays import Play


class Pass(msgspec.Struct, frozen=True, gc=False):
    """A pass in turn, and what its seat held: kept where it had, or may have had, a legal play."""

    event: int
    seat: int
    holding: int
    top: Play
    trick: int
    at_end: bool = False
    """Whether only a chop of the play that ended the hand was still allowed."""
    had_passed: bool = False
    """Whether the seat had passed in that trick before, so that only a free chop was allowed."""
    chained: bool = False
    """Whether the top was itself the last link of a chain, so that a higher bomb of its kind is a chop."""


event_of: Final[Callable[[Pass], int]] = attrgetter("event")


def end_chops(house: House, entry: Pass, whole: bool) -> list[Play]:
    """The chops that the last holder had for the play that ended the hand."""
    return list(house.chops(entry.holding, entry.top, entry.had_passed, entry.chained, whole))
