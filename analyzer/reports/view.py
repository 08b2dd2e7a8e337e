"""The replay of one hand as data for the table that the pages draw: everything at once, both languages.

``frames[k]`` is the table before ``events[k]``; one more frame stands after the last event. Cards are
canonical texts, ``"??"`` is a card that nobody knows. Texts are ``{"vi": …, "en": …}``.
"""

from __future__ import annotations

from typing import Any

from analyzer.cards import UNKNOWN, texts_of
from analyzer.judge.replay import Frame
from analyzer.judge.table import NOBODY
from analyzer.reports.account import (
    Account,
    Amount,
    Flag,
    Step,
    lead_text,
    line_text,
    options_text,
    outcome_text,
)

FORMAT = "tienlen-view/1"


def view_of(account: Account) -> dict[str, Any]:
    """The account as plain data, ready for JSON."""
    hand, rules, verdict = account.hand, account.rules, account.verdict
    return {
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
        "frames": [_frame(account, frame) for frame in account.frames],
        "events": [
            {
                "index": step.index,
                "type": step.event.__struct_config__.tag,
                "seat": step.event.seat,
                "cards": list(getattr(step.event, "cards", None) or ()),
                "at": step.event.at,
                "text": step.text.both(),
                "flags": [_flag(flag) for flag in step.flags],
                "missed": _missed(step),
                "undecided": step.undecided,
                "chops": [chop.both() for chop in step.chops],
                "forfeit": verdict.forfeit is not None and verdict.forfeit.event == step.index,
                "disputed": step.disputed,
            }
            for step in account.steps
        ],
        "deal_flags": [_flag(flag) for flag in account.deal_flags],
        "end_flags": [_flag(flag) for flag in account.end_flags],
        "outcome": outcome_text(account).both(),
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
            {"value": str(amount), "text": Amount(amount, hand.currency, signed=True).both()}
            for amount in verdict.net
        ],
    }


def _frame(account: Account, frame: Frame) -> dict[str, Any]:
    seats = range(len(account.hand.players))
    return {
        "holdings": [
            texts_of(frame.holdings[seat])
            + [UNKNOWN] * max(0, frame.counts[seat] - frame.holdings[seat].bit_count())
            for seat in seats
        ],
        "counts": list(frame.counts),
        "top": texts_of(frame.top),
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


def _flag(flag: Flag) -> dict[str, Any]:
    finding = flag.finding
    return {
        "code": finding.code,
        "seat": finding.seat,
        "severity": finding.severity,
        "certainty": finding.certainty,
        "message": flag.message.both(),
        "ground": flag.ground.both(),
    }


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
        "options": forfeit.options,
        "text": account.forfeit.both(),
        "ground": account.forfeit_ground.both(),
    }
