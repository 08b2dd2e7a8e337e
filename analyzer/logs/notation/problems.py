"""What cannot be read in a text, as values: where it stands, what was found, what may have been meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from analyzer.locale import N_, Joined, Message
from analyzer.logs.refusal import REASONS, Fault

LINE: Final = "bad_line"
CARD: Final = "bad_card"
TWO_READINGS: Final = "two_readings"
MISSING: Final = "missing_line"


class Trouble(Exception):
    """What is wrong with one line, before it is known which line it is; ``column`` counts from 1."""

    def __init__(
        self, column: int, found: str, expected: Message, readings: Sequence[str] = (), reason: str = LINE
    ) -> None:
        super().__init__(reason)
        self.column = column
        self.found = brief(found)
        self.expected = expected
        self.readings = tuple(readings)
        self.reason = reason


def asks(column: int, found: str, readings: Sequence[str]) -> Trouble:
    """The trouble of a text that can be read in several ways: it names them."""
    return Trouble(
        column, found, Message(N_("only one meaning: write which one you mean")), readings, TWO_READINGS
    )


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that cannot be read. ``line`` and ``column`` count from 1, in the whole text.

    ``readings`` are the nearest texts that could be written instead; where there are two or more for
    ``reason`` ``two_readings``, each is a meaning that the text may have. ``unfinished`` tells that what
    is missing may yet be typed below or at the end of the last line.
    """

    line: int
    column: int
    reason: str
    found: str
    expected: Message
    readings: tuple[str, ...] = ()
    unfinished: bool = False
    hint: Message | None = None

    @property
    def fix(self) -> Message | None:
        """What to write instead; None where nothing is near."""
        if not self.readings:
            return self.hint
        either = Joined([Message(N_("“{reading}”"), reading=reading) for reading in self.readings], " / ")
        return Message(N_("write {nearest}"), nearest=either)

    def message(self) -> Message:
        """The whole explanation in a sentence or two."""
        told = Message(
            N_("Line {line}, column {column}: {reason}: found {found}; expected {expected}."),
            line=self.line,
            column=self.column,
            reason=Message(REASONS[self.reason]),
            found=self.found,
            expected=self.expected,
        )
        if self.fix is None:
            return told
        return Message(N_("{refusal} Suggested fix: {fix}."), refusal=told, fix=self.fix)

    def as_fault(self) -> Fault:
        """The same as the reader of logs tells it; the path is line and column."""
        fault = Fault(self.reason, f"{self.line}:{self.column}", self.found, self.expected, self.fix)
        fault.at = self.line, self.column
        return fault


def fault_of(problems: Sequence[Problem]) -> Fault:
    """The first of several problems of one hand as a fault, which tells the others too."""
    first, *others = (problem.as_fault() for problem in problems)
    first.others = tuple(others)
    return first


def brief(text: str) -> str:
    """A text of a person, short enough for a message."""
    return text if len(text) <= 60 else text[:57] + "..."
