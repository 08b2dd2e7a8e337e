"""A record that could not be read: what, where, what was expected, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from analyzer.locale import N_, Joined, Message

RAW_LIMIT: Final = 64 * 1024
"""How much of a refused record's text is kept, in bytes."""

REASONS: Final = {
    "bad_json": N_("this is not JSON"),
    "bad_encoding": N_("a character that cannot be read"),
    "too_deep": N_("objects and lists are nested too deeply"),
    "duplicate_key": N_("a key stands twice in one object"),
    "unknown_key": N_("the format has no such key"),
    "missing_key": N_("a required key is missing"),
    "wrong_type": N_("a value of the wrong type"),
    "bad_value": N_("a value that is not allowed"),
    "bad_number": N_("a number that is not allowed"),
    "bad_time": N_("a time that is not allowed"),
    "bad_card": N_("not a card"),
    "repeated_card": N_("the same card stands twice in one act"),
    "not_yet": N_("not supported yet"),
    "bad_seat": N_("no such seat at this table"),
    "bad_players": N_("the players are not told apart"),
    "bad_deal": N_("the deal does not fit the players"),
    "bad_result": N_("the recorded result does not fit the players"),
    "bad_rules": N_("these house rules cannot be used"),
    "amount_too_large": N_("the amounts are too large to be kept exactly"),
    "record_too_large": N_("the record is too large"),
    "too_many_events": N_("the hand has too many events"),
    "bad_line": N_("this line cannot be read"),
    "two_readings": N_("this can be read in several ways"),
    "missing_line": N_("the hand lacks a line"),
    "not_judged": N_("the program failed on this hand; please report it"),
    "unreadable": N_("the source cannot be read"),
}
"""Every stable reason code, with its explanation."""

UNREADABLE: Final = (
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("Is a directory"),
    N_("not a regular file"),
    N_("an unknown kind of file"),
)
"""Why a source cannot be read, most often: the system's words, and the program's own."""


class Fault(Exception):
    """The first thing wrong with one record, before it is known where the record stands.

    In a text of the notation it stands ``at`` a line and a column (from 1, in the whole text), and ``others``
    tells what else is wrong with the hand.
    """

    def __init__(
        self, reason: str, path: str, found: str, expected: Message, fix: Message | None = None
    ) -> None:
        super().__init__(reason, path)
        self.reason = reason
        self.path = path
        self.found = found if len(found) <= 200 else found[:197] + "..."
        self.expected = expected
        self.fix = fix
        self.at: tuple[int, int] | None = None
        self.others: tuple[Fault, ...] = ()


class Place(msgspec.Struct, frozen=True, gc=False):
    """Where a record stands: source, line or array index (both from 1 and 0), and byte offset; in a text of
    the notation also the how-manieth hand it is, from 1."""

    source: str
    line: int | None
    index: int | None
    offset: int
    hand: int | None = None

    def __str__(self) -> str:
        if self.index is not None:
            return f"{self.source}[{self.index}]"
        return f"{self.source}:{self.line}" if self.line is not None else self.source


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused record; nothing of it is lost: ``raw`` is its text, cut at 64 KiB."""

    place: Place
    reason: str
    path: str
    found: str
    expected: Message
    fix: Message | None
    raw: bytes
    at: tuple[int, int] | None = None
    """Line and column in the whole text, where that is notation."""
    others: tuple[Refusal, ...] = ()
    """What else is wrong with the same record."""

    @classmethod
    def of(cls, place: Place, fault: Fault, raw: bytes) -> Refusal:
        """The refusal of the record that stands at ``place``."""
        told = (fault.reason, fault.path, fault.found, fault.expected, fault.fix, raw[:RAW_LIMIT], fault.at)
        return cls(place, *told, tuple(cls.of(place, other, b"") for other in fault.others))

    @classmethod
    def not_judged(cls, place: Place, error: Exception, raw: bytes) -> Refusal:
        """A hand that was read and that the judge failed on: the program's own fault, told as such."""
        return cls.of(
            place, Fault("not_judged", "", f"{type(error).__name__}: {error}", Message(N_("a verdict"))), raw
        )

    def message(self) -> Message:
        """The whole explanation in one sentence."""
        text = N_("{place}: {path}: {reason}: found {found}; expected {expected}.")
        if self.at is not None or not self.path:
            text = N_("{place}: {reason}: found {found}; expected {expected}.")
        if self.reason == "unreadable" and not self.path:
            text = N_("{place}: {reason}: {found}; expected {expected}.")
        values = {
            "place": str(self.place) if self.at is None else self._position(*self.at),
            "path": self.path,
            "reason": Message(REASONS[self.reason]),
            "found": Message(self.found) if self.found in UNREADABLE else self.found,
            "expected": self.expected,
        }
        if self.fix is None:
            return Message(text, **values)
        return Message(N_("{refusal} Suggested fix: {fix}."), refusal=Message(text, **values), fix=self.fix)

    def messages(self) -> list[Message]:
        """Everything that is wrong with the record, each in one sentence."""
        return [self.message(), *(other.message() for other in self.others)]

    def whole(self) -> Message:
        """The same as one text, a line for each."""
        return Joined(self.messages(), "\n")

    def _position(self, line: int, column: int) -> Message:
        """Where something stands in a text of the notation."""
        text = N_("{source}, hand {hand}, line {line}, column {column}")
        if self.place.hand is None:
            text = N_("{source}, line {line}, column {column}")
        source = self.place.source if self.place.source != "-" else Message(N_("standard input"))
        return Message(text, source=source, hand=self.place.hand, line=line, column=column)
