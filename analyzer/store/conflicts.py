"""Records that say something else than the stored hand they claim to be: kept aside, with what differs."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from analyzer.locale import N_, Message
from analyzer.logs.differences import differences
from analyzer.logs.reading import read as read_record
from analyzer.logs.refusal import Fault, Place
from analyzer.store.acts import to_json
from analyzer.store.draft import Stored
from analyzer.store.rows import storable


class Conflict(NamedTuple):
    """A record with the identity and revision of a stored hand but other content."""

    place: Place
    club_id: str
    hand_id: str
    revision: int
    sha256: str
    log: bytes
    kept: Stored
    """The stored one."""
    highest: int
    """The highest revision that is stored."""

    def message(self) -> Message:
        """What was set aside, why, and how to have it taken."""
        return Message(
            N_(
                "{place}: hand {hand} is stored already and says something else there: the stored one stands "
                "and this one is set aside. Suggested fix: to correct the hand, write "
                '"revision": {next} into it.'
            ),
            place=str(self.place),
            hand=self.hand_id,
            next=f'{{"number": {self.highest + 1}}}',
        )

    def row(self, kept: bytes, at: datetime) -> tuple[Any, ...]:
        """Its row of the table ``conflicts``; ``kept`` is the stored log."""
        told = differences(_canonical(kept), _canonical(self.log))
        return (
            self.club_id,
            self.hand_id,
            self.revision,
            self.kept.sha256,
            self.sha256,
            at,
            storable(self.place.source),
            self.place.line,
            self.place.index,
            self.place.offset,
            to_json(told),
            self.log,
        )


def _canonical(log: bytes) -> bytes:
    """The canonical form of a record; the record itself where this program reads it no more."""
    try:
        return read_record(log)[2]
    except Fault:
        return log
