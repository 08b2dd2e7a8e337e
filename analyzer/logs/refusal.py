"""A record that could not be read: what, where, what was expected, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analyzer.locale import N_, Message

RAW_LIMIT: Final = 64 * 1024
"""How much of a refused record's text is kept, in bytes."""

REASONS: Final = {
    "bad_json": N_("this is not JSON"),
    "bad_encoding": N_("the text is not UTF-8"),
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
    "not_judged": N_("the program failed on this hand; please report it"),
    "unreadable": N_("the source cannot be read"),
}
"""Every stable reason code, with its explanation."""


class Fault(Exception):
    """The first thing wrong with one record, before it is known where the record stands."""

    def __init__(
        self, reason: str, path: str, found: str, expected: Message, fix: Message | None = None
    ) -> None:
        super().__init__(reason, path)
        self.reason = reason
        self.path = path
        self.found = found if len(found) <= 200 else found[:197] + "..."
        self.expected = expected
        self.fix = fix


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: source, line or array index (both from 1 and 0), and byte offset."""

    source: str
    line: int | None
    index: int | None
    offset: int

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

    @classmethod
    def of(cls, place: Place, fault: Fault, raw: bytes) -> Refusal:
        """The refusal of the record that stands at ``place``."""
        return cls(place, fault.reason, fault.path, fault.found, fault.expected, fault.fix, raw[:RAW_LIMIT])

    @classmethod
    def not_judged(cls, place: Place, error: Exception, raw: bytes) -> Refusal:
        """A hand that was read and that the judge failed on: the program's own fault, told as such."""
        return cls.of(
            place, Fault("not_judged", "", f"{type(error).__name__}: {error}", Message(N_("a verdict"))), raw
        )

    def message(self) -> Message:
        """The whole explanation in one sentence."""
        text = N_("{place}: {path}: {reason}: found {found}; expected {expected}.")
        if not self.path:
            text = N_("{place}: {reason}: found {found}; expected {expected}.")
        values = {
            "place": str(self.place),
            "path": self.path,
            "reason": Message(REASONS[self.reason]),
            "found": self.found,
            "expected": self.expected,
        }
        if self.fix is None:
            return Message(text, **values)
        return Message(N_("{refusal} Suggested fix: {fix}."), refusal=Message(text, **values), fix=self.fix)
