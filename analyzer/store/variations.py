"""Named variations: other ways to play a stored hand that somebody thought worth keeping.

A variation changes nothing about its hand. It is an entry of the journal: from which event on, and what was
played instead; it is dropped by a further entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from analyzer.locale import N_
from analyzer.store.database import DatabaseError
from analyzer.store.journal import Entry

SAVED: Final = "variation_saved"
DROPPED: Final = "variation_dropped"
NAME: Final = 80
"""Characters of a name at most."""

Check = Callable[[tuple[Entry, ...]], None]


class Refused(DatabaseError):
    """A variation that cannot be entered, or is gone already."""


class Variation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was played instead, from an event of the hand on (``content_sha256`` says of which log)."""

    club: str
    hand: str
    content_sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    event: Annotated[int, Meta(ge=0)]
    name: Annotated[str, Meta(min_length=1, max_length=NAME)]
    events: list[dict[str, Any]]

    def data(self) -> dict[str, Any]:
        """As the journal keeps it."""
        told: dict[str, Any] = msgspec.to_builtins(self)
        return told


class Dropping(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That a variation (the number of its entry) is not wanted any more."""

    club: str
    variation: int

    def data(self) -> dict[str, Any]:
        """As the journal keeps it."""
        told: dict[str, Any] = msgspec.to_builtins(self)
        return told


def variations(entries: Iterable[Entry], club: str, hand: str) -> list[tuple[Entry, Variation]]:
    """The variations of a hand that were not dropped, oldest first."""
    found: dict[int, tuple[Entry, Variation]] = {}
    for entry in entries:
        if entry.kind == SAVED:
            told = msgspec.convert(entry.data, Variation)
            if (told.club, told.hand) == (club, hand):
                found[entry.number] = entry, told
        elif entry.kind == DROPPED:
            found.pop(msgspec.convert(entry.data, Dropping).variation, None)
    return list(found.values())


def may_save(variation: Variation) -> Check:
    """A check for the journal: a hand's variations have different names."""

    def check(entries: tuple[Entry, ...]) -> None:
        known = variations(entries, variation.club, variation.hand)
        if any(told.name == variation.name for _, told in known):
            raise Refused(
                N_("This hand has a variation named {name} already: choose another name."),
                name=variation.name,
            )

    return check


def may_drop(club: str, hand: str, number: int) -> Check:
    """A check for the journal: only what is there can be dropped."""

    def check(entries: tuple[Entry, ...]) -> None:
        if all(entry.number != number for entry, _ in variations(entries, club, hand)):
            raise Refused(N_("This variation is gone already."))

    return check
