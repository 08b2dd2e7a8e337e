"""One person under several player ids: what the journal says of who is who.

An entry ``alias`` says that a club's player is another one of its players, ``alias_undone`` takes such an
entry back by its number. Both are only ever added, so who said it and when stays readable. What does not
follow from the entries before it (an alias to oneself, a circle, one undone twice) counts for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from analyzer.locale import N_, Message
from analyzer.store.journal import Entry

ALIAS: Final = "alias"
UNDONE: Final = "alias_undone"


class Alias(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data of an ``alias``: in this club, ``player`` is the person known as ``is_``."""

    club: str
    player: str
    is_: str = msgspec.field(name="is")


class Undone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data of an ``alias_undone``: the number of the entry that is taken back."""

    alias: int


class AliasRefused(Exception):
    """An alias that cannot be; ``message`` says why and what to do."""

    def __init__(self, text: str, **values: object) -> None:
        self.message = Message(text, **values)
        super().__init__(self.message.render("en"))


def aliases(entries: Iterable[Entry]) -> dict[tuple[str, str], Entry]:
    """(club, player) → the entry in force that says who the player is."""
    known: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        try:
            if entry.kind == ALIAS:
                alias = msgspec.convert(entry.data, Alias)
                check_alias(known, alias)
                known[alias.club, alias.player] = entry
            elif entry.kind == UNDONE:
                del known[_in_force(known, msgspec.convert(entry.data, Undone).alias)]
        except (msgspec.ValidationError, AliasRefused):
            continue
    return known


def persons(entries: Iterable[Entry]) -> dict[tuple[str, str], str]:
    """(club, player) → the person, for every player that is not simply a person of the same id."""
    known = aliases(entries)
    return {(club, player): _person(known, club, player) for club, player in known}


def relation(persons: Mapping[tuple[str, str], str]) -> list[dict[str, str]]:
    """Persons as the parameter ``aliases`` of the relation ``people``."""
    return [
        {"club_id": club, "player_id": player, "person_id": person}
        for (club, player), person in sorted(persons.items())
    ]


def check_alias(known: Mapping[tuple[str, str], Entry], alias: Alias) -> None:
    """Raises AliasRefused where an alias does not go with those in force."""
    if alias.player == alias.is_:
        raise AliasRefused(
            N_("{player} is the same id twice. Choose another id of this person."), player=alias.player
        )
    if (alias.club, alias.player) in known:
        raise AliasRefused(
            N_("{player} already counts as {person}. Undo that first."),
            player=alias.player,
            person=_person(known, alias.club, alias.player),
        )
    if _person(known, alias.club, alias.is_) == alias.player:
        raise AliasRefused(
            N_("{person} already counts as {player}. Undo that first."), player=alias.player, person=alias.is_
        )


def checked(kind: str, data: Mapping[str, Any]) -> Callable[[tuple[Entry, ...]], None]:
    """What :meth:`Journal.append` asks before it adds an alias or takes one back."""

    def check(entries: tuple[Entry, ...]) -> None:
        known = aliases(entries)
        if kind == ALIAS:
            check_alias(known, msgspec.convert(data, Alias))
        else:
            _in_force(known, msgspec.convert(data, Undone).alias)

    return check


def _person(known: Mapping[tuple[str, str], Entry], club: str, player: str) -> str:
    while (entry := known.get((club, player))) is not None:
        player = entry.data["is"]
    return player


def _in_force(known: Mapping[tuple[str, str], Entry], number: int) -> tuple[str, str]:
    for key, entry in known.items():
        if entry.number == number:
            return key
    raise AliasRefused(N_("This has been undone already."))
