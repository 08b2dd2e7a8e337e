"""Two logs of one hand side by side: what was added, dropped and changed, act by act, and in its head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any, Final

import msgspec

from analyzer.cards import symbols_of_texts
from analyzer.judge.between import LEAD_REASONS
from analyzer.judge.verdict import player_name
from analyzer.locale import N_, Joined, Message
from analyzer.logs.hand import Event, Hand, Lead, RulesSpec
from analyzer.reports.act_words import act_text
from analyzer.reports.money import Amount
from analyzer.reports.values import value_message

FIELDS: Final = {
    "players": N_("Players"),
    "lead": N_("Lead"),
    "rules": N_("House rules"),
    "stake": N_("Stake"),
    "currency": N_("Currency"),
    "hand_no": N_("Number of the hand"),
    "played_at": N_("Played at"),
    "session_id": N_("Evening"),
    "table_id": N_("Table"),
    "dealer": N_("Dealer"),
    "result": N_("What was written down"),
}
"""Keys of a log that stand for themselves: what they are called, in the order in which they are told."""

ALIGNED: Final = 400
"""Acts up to which two logs are aligned, three times as many as any hand has: longer ones are the same as far
as they begin alike, for aligning takes the square of their length."""

Key = tuple[object, ...]
LEADS: Final = {**LEAD_REASONS, "agreed": N_("as agreed")}


@dataclass(frozen=True, slots=True)
class Act:
    """An act as both logs have it; a side that lacks it is None."""

    before: int | None
    after: int | None
    text_before: Message | None
    text_after: Message | None
    changed: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """Something of a log's head that differs."""

    name: Message
    before: Message
    after: Message


def acts_of(one: Hand, other: Hand) -> list[Act]:
    """Every act of both logs, in order, the same ones beside each other."""
    left, right = [_key(e, one) for e in one.events], [_key(e, other) for e in other.events]
    found: list[Act] = []
    for tag, i, end_i, j, end_j in _aligned(left, right):
        for k in range(max(end_i - i, end_j - j)):
            before = i + k if i + k < end_i else None
            after = j + k if j + k < end_j else None
            found.append(
                Act(
                    before,
                    after,
                    _told(one, before),
                    _told(other, after),
                    tag != "equal" or one.events[i + k].at != other.events[j + k].at,
                )
            )
    return found


Run = tuple[str, int, int, int, int]


def _aligned(left: list[Key], right: list[Key]) -> Sequence[Run]:
    """Runs of acts that are the same and that are not, as difflib tells them."""
    if max(len(left), len(right)) <= ALIGNED:
        return SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
    return [("equal", 0, same, 0, same), ("replace", same, len(left), same, len(right))]


def _key(event: Event, hand: Hand) -> Key:
    """What an act is known by: all but its time, and who did it rather than from which seat."""
    told = msgspec.structs.asdict(event)
    told.pop("at")
    for name in ("seat", "to"):
        if told.get(name) is not None:
            told[name] = _player_id(hand, told[name])
    return type(event), *told.items()


def _player_id(hand: Hand, seat: int) -> object:
    return hand.players[seat].id if seat < len(hand.players) else seat


def _told(hand: Hand, index: int | None) -> Message | None:
    if index is None:
        return None
    event = hand.events[index]
    if event.at is None:
        return act_text(hand, event)
    return Message(N_("{act} ({seconds} s)"), act=act_text(hand, event), seconds=f"{event.at:g}")


def head_of(one: Hand, other: Hand) -> Iterator[Entry]:
    """What differs beside the acts: players, lead, rules, money, where and when, and the cards dealt."""
    for field, name in FIELDS.items():
        if getattr(one, field) != getattr(other, field):
            yield Entry(Message(name), _value(one, field), _value(other, field))
    for seat in range(max(len(one.players), len(other.players))):
        before, after = _dealt(one, seat), _dealt(other, seat)
        if before != after:
            player = player_name(other, seat) or player_name(one, seat)
            told = Message(N_("Cards dealt to {player}"), player=player)
            yield Entry(told, _cards(before), _cards(after))


def _dealt(hand: Hand, seat: int) -> tuple[str, ...] | None:
    return hand.deal[seat] if hand.deal is not None and seat < len(hand.deal) else None


def _cards(dealt: tuple[str, ...] | None) -> Message:
    if dealt is None:
        return Message(N_("not known"))
    return Message("{cards}", cards=symbols_of_texts(dealt) or "—")


def _value(hand: Hand, field: str) -> Message:
    value: Any = getattr(hand, field)
    if value is None:
        return Message(N_("not told"))
    match field:
        case "players":
            names = [f"{p.name} ({p.id})" if p.name and p.name != p.id else p.id for p in hand.players]
            return Message("{names}", names=" · ".join(names))
        case "lead":
            return lead_told(hand, value)
        case "stake":
            return Amount(value, hand.currency)
        case "dealer":
            return Message("{player}", player=player_name(hand, value))
        case "result":
            return _result(hand)
        case "rules":
            return _rules(value)
    return Message("{text}", text=str(value))


def _rules(told: str | RulesSpec) -> Message:
    if isinstance(told, str):
        return Message("{text}", text=told)
    agreed = [
        Message("{key}: {value}", key=key, value=value_message(value, key)) for key, value in told.set.items()
    ]
    return Joined([Message("{text}", text=told.extends), *agreed], "; ")


def lead_told(hand: Hand, lead: Lead) -> Message:
    """Who leads and why."""
    if lead.seat is None or lead.reason == "opening":
        return Message(LEADS[lead.reason])
    return Message(
        N_("{player}: {reason}"), player=player_name(hand, lead.seat), reason=Message(LEADS[lead.reason])
    )


def _result(hand: Hand) -> Message:
    told = hand.result
    assert told is not None
    parts: list[Message] = []
    if told.places is not None:
        names = " · ".join(player_name(hand, seat) for seat in told.places)
        parts.append(Message("{names}", names=names))
    for seat, net in enumerate(told.net or ()):
        amount = Amount(net, hand.currency, signed=True)
        parts.append(Message("{player} {amount}", player=player_name(hand, seat), amount=amount))
    return Joined(parts, "; ")
