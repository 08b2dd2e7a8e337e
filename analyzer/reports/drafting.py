"""A hand in the making: the log it began as, and every step taken since, so that undoing is counting.

A draft lives where it is typed, in a browser, and comes back from there as text that nobody vouches for:
it is bounded, and after each step the log is read as any other log is. A step that makes no log of it is
refused by name, and all before it stands.
"""

from __future__ import annotations

import re
import unicodedata
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from analyzer.cards import UNKNOWN
from analyzer.locale import N_, Message
from analyzer.logs.canonical import canonical_bytes
from analyzer.logs.hand import Hand, Holding, Lead, Seat
from analyzer.logs.reading import MAX_RECORD, read
from analyzer.logs.refusal import REASONS, Fault
from analyzer.rules.house import house_of
from analyzer.rules.ruleset import RuleSet

Log = dict[str, Any]

FORMAT: Final = "tienlen-draft/1"
MAX_DRAFT: Final = 2 * MAX_RECORD
"""Bytes of one draft."""

MAX_STEPS: Final = 2_000
MAX_PLACE: Final = 1_000_000

HeaderKey = Literal[
    "club_id",
    "currency",
    "dealer",
    "hand_id",
    "hand_no",
    "lead",
    "played_at",
    "result",
    "revision",
    "rules",
    "session_id",
    "stake",
    "table_id",
]

_encoder: Final = msgspec.json.Encoder(decimal_format="number")


class _Step(msgspec.Struct, tag_field="do", forbid_unknown_fields=True, frozen=True):
    """Something done to a log."""


class SetKey(_Step, tag="set", frozen=True):
    """Writes a key of the hand, or takes it out (None)."""

    key: HeaderKey
    value: Any = None


class Seated(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A player as typed; an empty id is made of the name."""

    id: Annotated[str, Meta(max_length=128)] = ""
    name: Annotated[str, Meta(max_length=256)] = ""


class SetPlayers(_Step, tag="players", frozen=True):
    """Who sits at the table, in order."""

    players: Annotated[tuple[Seated, ...], Meta(max_length=4)]


class Hold(_Step, tag="hold", frozen=True):
    """The cards known to have been dealt to a seat; the others stay unknown."""

    seat: Seat
    cards: Holding = ()


class Act(_Step, tag="act", frozen=True):
    """Something that happened, before the event of this index, or last of all."""

    event: dict[str, Any]
    index: Annotated[int, Meta(ge=0, le=MAX_PLACE)] | None = None


class Acts(_Step, tag="acts", frozen=True):
    """Several things that happened, last of all: one step, undone as one."""

    events: Annotated[tuple[dict[str, Any], ...], Meta(max_length=MAX_STEPS)]


class Drop(_Step, tag="drop", frozen=True):
    """Takes an event out."""

    index: Annotated[int, Meta(ge=0, le=MAX_PLACE)]


class Replace(_Step, tag="replace", frozen=True):
    """Another log in place of all there was."""

    log: Log


Step = SetKey | SetPlayers | Hold | Act | Acts | Drop | Replace


class Draft(msgspec.Struct, forbid_unknown_fields=True):
    """``base`` and the first ``at`` of ``steps`` make the log; the steps after them were undone."""

    format: Literal["tienlen-draft/1"]
    base: Log
    steps: Annotated[list[Step], Meta(max_length=MAX_STEPS)] = []
    at: Annotated[int, Meta(ge=0, le=MAX_STEPS)] = 0
    cursor: Annotated[int, Meta(ge=0, le=MAX_PLACE)] | None = None
    """The event before which the next act is written; None: after the last."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A step that makes no log of what was there."""

    step: int
    message: Message


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a draft comes to."""

    log: Log
    hand: Hand
    rules: RuleSet
    cursor: int
    """The event before which the next act is written."""
    refused: Refused | None = None
    """The first step that could not stand; neither it nor any after it was taken."""


class DraftBroken(Exception):
    """A text that is no draft, or a draft that began as no log; ``message`` says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.render("en"))
        self.message = message


_decoder: Final = msgspec.json.Decoder(Draft, float_hook=Decimal)
_log_decoder: Final = msgspec.json.Decoder(float_hook=Decimal)


def parse_draft(text: str | bytes) -> Draft:
    """A draft as a browser kept it; raises DraftBroken."""
    if len(text) > MAX_DRAFT:
        raise DraftBroken(Message(N_("This draft is larger than any hand: {n} bytes."), n=len(text)))
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise DraftBroken(Message(N_("This is no draft of a hand: {why}"), why=str(error)[:200])) from None


def drafted(draft: Draft) -> Drafted:
    """What the draft says now. Raises DraftBroken where not even its beginning is a log."""
    log = draft.base
    try:
        hand, rules = _read(log)
    except Fault as fault:
        raise DraftBroken(fault_message(fault)) from None
    refused = None
    for index, step in enumerate(draft.steps[: draft.at]):
        try:
            changed = _done(log, hand, rules, step)
            hand, rules = _read(changed)
        except Fault as fault:
            refused = Refused(index, fault_message(fault))
            break
        log = changed
    count = len(hand.events)
    cursor = count if draft.cursor is None else min(draft.cursor, count)
    return Drafted(log, hand, rules, cursor, refused)


def raw(log: Log) -> bytes:
    """A log as the bytes of one record."""
    return _encoder.encode(log)


def log_of(hand: Hand) -> Log:
    """A hand as a log."""
    told: Log = _log_decoder.decode(canonical_bytes(hand))
    return told


def cut(hand: Hand, event: int) -> Log:
    """The log of a hand up to an event: what was written down of its end is left out with the end."""
    log = log_of(hand)
    log["events"] = log["events"][:event]
    log.pop("result", None)
    return log


def following(hand: Hand, next_lead: Lead | None) -> Log:
    """The log of the next hand at the same table, before its deal: its players, rules and stake."""
    log = log_of(hand)
    for key in ("deal", "result", "revision", "dealer", "lead", "played_at"):
        log.pop(key, None)
    log["events"] = []
    if next_lead is not None:
        log["lead"] = msgspec.to_builtins(next_lead)
    number = hand.hand_no
    if number is not None:
        log["hand_no"] = number + 1
        stem = re.sub(rf"0*{number}$", "", hand.hand_id)
        width = len(hand.hand_id) - len(stem)
        log["hand_id"] = f"{stem[:100]}{number + 1:0{width}}" if width else f"{stem[:100]}-{number + 1}"
    else:
        log["hand_id"] = f"{hand.hand_id[:100]}-2"
    return log


# -- the steps -----------------------------------------------------------------------------------


def _done(log: Log, hand: Hand, rules: RuleSet, step: Step) -> Log:
    """The log after a step. What it holds is for reading to judge, not for this; raises Fault."""
    if isinstance(step, Replace):
        return step.log
    log = copy(log)
    events = list(log["events"])
    match step:
        case SetKey(key, value):
            log[key] = value
            if value is None:
                del log[key]
        case SetPlayers(players):
            log["players"] = _players(players)
            if hand.deal is not None:
                deal = [*log["deal"], *[None] * 4][: len(players)]
                log["deal"] = deal
        case Hold(seat, cards):
            deal = list(log.get("deal") or [None] * len(hand.players))
            if seat >= len(deal):
                raise Fault("bad_seat", "deal", str(seat), Message(N_("a seat of this table")))
            hidden = house_of(rules).hand_size - len(cards)
            deal[seat] = [*cards, *[UNKNOWN] * hidden] if cards else None
            log["deal"] = deal
            if not any(deal):
                del log["deal"]
        case Act(event, index):
            place = len(events) if index is None else index
            if place > len(events):
                raise _no_event(place, len(events))
            log["events"] = [*events[:place], event, *events[place:]]
        case Acts(added):
            log["events"] = [*events, *added]
        case Drop(index):
            if index >= len(events):
                raise _no_event(index, len(events))
            log["events"] = events[:index] + events[index + 1 :]
    return log


def _players(players: tuple[Seated, ...]) -> list[Log]:
    """Players with ids that differ; names stand as typed."""
    given = {player.id for player in players if player.id}
    told = []
    for seat, player in enumerate(players):
        name = " ".join(player.name.split())
        id_ = player.id
        if not id_:
            stem = name_id(name) or f"p{seat + 1}"
            id_ = next(each for n in range(1, 9) if (each := stem if n == 1 else f"{stem}-{n}") not in given)
            given.add(id_)
        told.append({"id": id_, "name": name} if name else {"id": id_})
    return told


def name_id(name: str) -> str:
    """An id made of a name: ``Bình Béo`` gives ``binh-beo``; empty where nothing is left of it."""
    bare = unicodedata.normalize("NFKD", name.replace("đ", "d").replace("Đ", "D")).encode("ascii", "ignore")
    return re.sub(r"[^a-z0-9]+", "-", bare.decode().lower()).strip("-")[:60]


def _read(log: Log) -> tuple[Hand, RuleSet]:
    text = raw(log)
    if len(text) > MAX_RECORD:
        expected = Message(N_("at most {n} bytes in one hand"), n=MAX_RECORD)
        raise Fault("record_too_large", "", f"{len(text)} B", expected)
    hand, rules, _ = read(text)
    return hand, rules


def _no_event(index: int, count: int) -> Fault:
    return Fault("bad_value", "events", str(index), Message(N_("one of the {n} events"), n=count))


def fault_message(fault: Fault) -> Message:
    """Why a log is none, in one sentence."""
    text = N_("{reason} ({path}): found {found}; expected {expected}.")
    reason = Message(REASONS[fault.reason])
    return Message(text, reason=reason, path=fault.path or "—", found=fault.found, expected=fault.expected)
