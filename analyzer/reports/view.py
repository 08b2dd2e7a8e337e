"""The replay of one hand as data for the table that the pages draw: everything at once, both languages.

``frames[k]`` is the table before ``events[k]``; one more frame stands after the last event. Cards are
canonical texts, ``"??"`` is a card that nobody knows. Texts are ``{"vi": …, "en": …}``. No text holds
control characters or marks that turn the direction of what stands beside it.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any, Final

from analyzer.cards import UNKNOWN, told_of
from analyzer.judge.replayed import Frame
from analyzer.judge.seats import NOBODY
from analyzer.reports.account import (
    Account,
    Flag,
    Step,
    lead_text,
    line_text,
    options_text,
    outcome_text,
)
from analyzer.reports.choices import Choice, choices_of
from analyzer.reports.grounds import ground_of
from analyzer.reports.money import Amount
from analyzer.reports.suits import hanging_texts
from analyzer.reports.text import safe

FORMAT: Final = "tienlen-view/1"

PLAIN_RULES: Final = {"lead": "law.combination", "answer": "law.beating", "pass": "tricks.pass_lock"}
"""The rule that an act followed where there is nothing to object to."""

PRIVATE: Final = frozenset(
    {
        "deal_wrong_size",
        "deal_duplicate_card",
        "deal_needs_redeal",
        "instant_win_missed",
        "card_not_held",
        "exchange_wrong_card",
        "discard_wrong_card",
    }
)
"""Violations that only the seat's own holding shows: the others at the table cannot see them."""

_BREAKS: Final = re.compile("[\t\n\r\u2028\u2029]+")


def view_of(account: Account) -> dict[str, Any]:
    """The account as plain data, ready for JSON."""
    hand, rules, verdict = account.hand, account.rules, account.verdict
    choices = choices_of(account.judgement, account.frames)
    view = {
        "format": FORMAT,
        "hand": {
            "hand_id": hand.hand_id,
            "club_id": hand.club_id,
            "session_id": hand.session_id,
            "hand_no": hand.hand_no,
            "played_at": hand.played_at,
            "stake": Amount(hand.stake, hand.currency).both(),
            "rules": {"id": rules.id, "title": dict(rules.title), "sha256": rules.sha256},
            "content_sha256": verdict.content_sha256,
        },
        "players": [
            {"seat": seat, "id": player.id, "name": player.name or player.id}
            for seat, player in enumerate(hand.players)
        ],
        "direction": rules.knobs.table.direction,
        "lead": lead_text(account).both(),
        "frames": [frame_data(account, frame) for frame in account.frames],
        "events": [
            {**event_data(account, step), "choice": _choice(choices[step.index])} for step in account.steps
        ],
        "plain_rules": {act: ground_of(rules, rule).both() for act, rule in PLAIN_RULES.items()},
        "deal_flags": [flag_data(flag) for flag in account.deal_flags],
        "end_flags": [flag_data(flag) for flag in account.end_flags],
        **money_data(account),
    }
    cleaned: dict[str, Any] = clean(view)
    return cleaned


def event_data(account: Account, step: Step) -> dict[str, Any]:
    """One event and what is to be said about it."""
    forfeit = account.verdict.forfeit
    return {
        "index": step.index,
        "type": step.event.__struct_config__.tag,
        "seat": step.event.seat,
        "cards": list(getattr(step.event, "cards", None) or ()),
        "to": getattr(step.event, "to", None),
        "at": step.event.at,
        "text": step.text.both(),
        "flags": [flag_data(flag) for flag in step.flags],
        "missed": _missed(step),
        "undecided": step.undecided,
        "chops": [chop.both() for chop in step.chops],
        "forfeit": forfeit is not None and forfeit.event == step.index,
        "disputed": step.disputed,
    }


def money_data(account: Account) -> dict[str, Any]:
    """How the hand ended, and who pays whom."""
    verdict, currency = account.verdict, account.hand.currency
    return {
        "outcome": outcome_text(account).both(),
        "hanging": [text.both() for text in hanging_texts(account)],
        "places": verdict.places,
        "frozen": verdict.frozen,
        "forfeit": _forfeit(account),
        "transfers": [
            {
                "from": line.transfer.from_,
                "to": line.transfer.to,
                "event": line.transfer.event,
                "reason": line.transfer.reason,
                "text": line_text(account, line).both(),
                "grounds": [ground.both() for ground in line.grounds],
            }
            for line in account.lines
        ],
        "net": [
            {"value": str(amount), "text": Amount(amount, currency, signed=True).both()}
            for amount in verdict.net
        ],
    }


def clean(value: Any) -> Any:
    """A value for a page: no text in it breaks its line or turns the direction of its neighbours."""
    if isinstance(value, str):
        return safe(_BREAKS.sub(" ", value))
    if isinstance(value, dict):
        return {key: clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [clean(item) for item in value]
    return value


def frame_data(account: Account, frame: Frame) -> dict[str, Any]:
    """The table at one moment."""
    seats = range(len(account.hand.players))
    return {
        "holdings": [
            told_of(frame.holdings[seat], frame.open_held[seat])
            + [UNKNOWN] * max(0, frame.counts[seat] - frame.holdings[seat].bit_count())
            for seat in seats
        ],
        "counts": list(frame.counts),
        "top": told_of(frame.top, frame.open_top),
        "owner": frame.owner if frame.owner != NOBODY else None,
        "turn": frame.turn if frame.turn != NOBODY and not frame.hand_over else None,
        "closed": frame.closed,
        "trick": frame.trick,
        "over": frame.hand_over,
        "passed": [seat for seat in seats if frame.passed >> seat & 1],
        "frozen": [seat for seat in seats if frame.frozen >> seat & 1],
        "out": list(frame.out),
        "left": list(frame.left),
    }


def flag_data(flag: Flag) -> dict[str, Any]:
    """A violation with its sentence and ground."""
    finding = flag.finding
    return {
        "code": finding.code,
        "seat": finding.seat,
        "severity": finding.severity,
        "certainty": finding.certainty,
        "private": finding.code in PRIVATE,
        "message": flag.message.both(),
        "ground": flag.ground.both(),
    }


def _choice(choice: Choice | None) -> dict[str, Any] | None:
    return asdict(choice) if choice is not None else None


def _missed(step: Step) -> dict[str, Any] | None:
    if step.missed is None:
        return None
    return {
        "seat": step.missed.seat,
        "options": step.missed.options,
        "count": step.missed.option_count,
        "text": options_text(step.missed.options, step.missed.option_count).both(),
    }


def _forfeit(account: Account) -> dict[str, Any] | None:
    forfeit = account.verdict.forfeit
    if forfeit is None or account.forfeit is None or account.forfeit_ground is None:
        return None
    return {
        "seat": forfeit.seat,
        "event": forfeit.event,
        "kind": forfeit.kind,
        "certainty": forfeit.certainty,
        "dismissed": account.dismissed is not None,
        "options": forfeit.options,
        "text": account.forfeit.both(),
        "ground": account.forfeit_ground.both(),
    }
