"""What a hand log says: types only, in the public format ``tienlen-hand/1``.

Fields stand in alphabetical order, because the canonical form of a hand (:mod:`analyzer.logs.canonical`)
writes them in that order. ``None`` stands for a key that is absent.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

MAX_EVENTS = 2_000
MOST_TEXT = 100_000
MOST_NAME = 256
MOST_STAKE = 1_000_000_000_000

Seat = Annotated[int, Meta(ge=0, le=3, description="Index into `players`.")]
Card = Annotated[str, Meta(min_length=1, max_length=4)]
Cards = Annotated[tuple[Card, ...], Meta(min_length=1, max_length=52)]
Holding = Annotated[tuple[Card, ...], Meta(max_length=52)]
Seconds = Annotated[float, Meta(ge=0, le=1e9, description="Seconds since the deal.")]
Text = Annotated[str, Meta(max_length=MOST_TEXT)]
Name = Annotated[str, Meta(max_length=MOST_NAME)]
Id = Annotated[str, Meta(min_length=1, max_length=128)]


class _Part(msgspec.Struct, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a log; unknown keys are refused."""


class Player(_Part):
    id: Id
    name: Name | None = None


class Lead(_Part):
    """Who must lead and why."""

    reason: Literal["opening", "won_previous", "forfeited_previous", "agreed"]
    seat: Seat | None = None


class RulesSpec(_Part):
    """A preset with this table's own agreement laid over it."""

    extends: Id
    set: dict[str, Any] = {}


class Result(_Part):
    """What the app or the club wrote down: checked, never trusted."""

    net: Annotated[tuple[Decimal, ...], Meta(max_length=4)] | None = None
    places: Annotated[tuple[Seat, ...], Meta(max_length=4)] | None = None


class Revision(_Part):
    """A correction of an earlier log of the same hand."""

    number: Annotated[int, Meta(ge=1, le=1_000_000)]
    at: Annotated[str, Meta(max_length=64)] | None = None
    by: Name | None = None
    reason: Text | None = None


class _Event(_Part, tag_field="type"):
    """Something that happened at the table."""


class PlayEvent(_Event, tag="play", rename={"as_": "as"}):
    """Cards put on the table."""

    cards: Cards
    seat: Seat
    as_: Literal["steal_lead"] | None = None
    at: Seconds | None = None


class PassEvent(_Event, tag="pass"):
    """Gives up the trick."""

    seat: Seat
    at: Seconds | None = None
    how: Literal["said", "button", "timeout"] | None = None


class ClaimEvent(_Event, tag="claim"):
    """Announces an instant win (tới trắng)."""

    seat: Seat
    at: Seconds | None = None
    cards: Cards | None = None
    hand: Id | None = None


class SayEvent(_Event, tag="say"):
    """Words or a gesture before the act."""

    meaning: Literal["pass", "play"]
    seat: Seat
    at: Seconds | None = None
    cards: Cards | None = None


class TakeBackEvent(_Event, tag="take_back"):
    """The seat picks its last cards up again."""

    seat: Seat
    at: Seconds | None = None


class ShowEvent(_Event, tag="show"):
    """Cards exposed."""

    cards: Cards
    seat: Seat
    why: Literal["end", "early", "claim"]
    at: Seconds | None = None


class CountEvent(_Event, tag="count"):
    """Counts or inspects the cards already played."""

    seat: Seat
    at: Seconds | None = None


class CallEvent(_Event, tag="call"):
    """Announces how many cards are left (báo)."""

    remaining: Annotated[int, Meta(ge=0, le=1)]
    seat: Seat
    at: Seconds | None = None


class ExchangeEvent(_Event, tag="exchange"):
    """Tribute (cúng) before the first play."""

    cards: Cards
    seat: Seat
    to: Seat
    at: Seconds | None = None


class DiscardEvent(_Event, tag="discard"):
    """Cards put away before the first play."""

    cards: Cards
    seat: Seat
    at: Seconds | None = None


class LeaveEvent(_Event, tag="leave"):
    """Gives up the rest of the hand."""

    seat: Seat
    at: Seconds | None = None


class NoteEvent(_Event, tag="note"):
    """A comment; never interpreted."""

    text: Text
    at: Seconds | None = None
    seat: Seat | None = None


Event = (
    PlayEvent
    | PassEvent
    | ClaimEvent
    | SayEvent
    | TakeBackEvent
    | ShowEvent
    | CountEvent
    | CallEvent
    | ExchangeEvent
    | DiscardEvent
    | LeaveEvent
    | NoteEvent
)


class Hand(_Part):
    """One deal played out, as its log tells it."""

    events: Annotated[list[Event], Meta(max_length=MAX_EVENTS, description="In the order they happened.")]
    format: Literal["tienlen-hand/1"]
    hand_id: Id
    players: Annotated[
        tuple[Player, ...],
        Meta(min_length=2, max_length=4, description="In counter-clockwise order around the table."),
    ]
    rules: Id | RulesSpec
    stake: Annotated[int, Meta(ge=0, le=MOST_STAKE, description="The unit that all prices multiply.")]
    club_id: Name = ""
    currency: Annotated[str, Meta(pattern="^([A-Z]{3}|POINT|CHIP)$")] = "POINT"
    deal: Annotated[list[Holding | None], Meta(max_length=4)] | None = None
    dealer: Seat | None = None
    hand_no: Annotated[int, Meta(ge=1, le=1_000_000_000)] | None = None
    lead: Lead | None = None
    played_at: Annotated[str, Meta(max_length=64)] | None = None
    result: Result | None = None
    revision: Revision | None = None
    session_id: Name | None = None
    table_id: Name | None = None

    @property
    def identity(self) -> tuple[str, str]:
        """Club and hand id together: what makes it this hand and no other."""
        return self.club_id, self.hand_id

    @property
    def revision_number(self) -> int:
        """The number of this revision; 1 where the log names none."""
        return self.revision.number if self.revision else 1
