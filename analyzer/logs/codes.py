"""A short code that opens a hand at an event: what a sheet of paper can carry and a person can type.

``tl:5aee0dc51779@6``: the first twelve letters of the hand's content hash, and the act, counted from one. It
names a revision, not a hand: a sheet tells what it was printed of, whatever was corrected since.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

LETTERS: Final = 12
"""Hexadecimal letters of the hash: two hands among millions are hardly ever alike in so many."""

_CODE: Final = re.compile(r"\s*tl:\s*([0-9a-f]{12})(?:@([1-9][0-9]{0,3}))?\s*", re.IGNORECASE | re.ASCII)


class Code(NamedTuple):
    """The beginning of a content hash, and an event's index; None is the deal."""

    sha256: str
    event: int | None

    def __str__(self) -> str:
        return f"tl:{self.sha256}" + ("" if self.event is None else f"@{self.event + 1}")


def code_of(sha256: str, event: int | None = None) -> Code:
    """The code of a hand's content, at an event if one is given."""
    return Code(sha256[:LETTERS], event)


def read_code(text: str) -> Code | None:
    """What somebody typed, if it is a code."""
    found = _CODE.fullmatch(text)
    return Code(found[1].lower(), int(found[2]) - 1 if found[2] else None) if found else None
