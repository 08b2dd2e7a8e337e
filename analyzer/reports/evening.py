"""An evening of hands, told: findings between hands and totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec

from analyzer.judge.amounts import amount_of
from analyzer.judge.between import SessionFinding, SessionHand, check_evening, evenings, totals_of
from analyzer.locale import N_, Message
from analyzer.reports.money import Amount
from analyzer.reports.text import MARKS, safe

FORMAT: Final = "tienlen-session/1"
_encoder: Final = msgspec.json.Encoder(decimal_format="number")


def findings_of(hands: Iterable[SessionHand]) -> list[SessionFinding]:
    """Everything found between the hands of all evenings."""
    return [finding for evening in evenings(hands).values() for finding in check_evening(evening)]


def hand_called(hand: SessionHand) -> Message:
    """A hand of an evening as people speak of it: by its number where it has one, and its id."""
    if hand.hand_no is None:
        return Message(N_("hand {id}"), id=hand.hand_id)
    return Message(N_("hand {n} ({id})"), n=hand.hand_no, id=hand.hand_id)


def session_json(hands: Iterable[SessionHand]) -> bytes:
    """One object of format ``tienlen-session/1``: findings, and totals per evening and player."""
    told: list[dict[str, Any]] = []
    for (club_id, session_id), evening in evenings(hands).items():
        totals = totals_of(evening)
        told.append(
            {
                "club_id": club_id,
                "session_id": session_id or None,
                "hands": [hand.hand_id for hand in evening],
                "totals": [
                    {"player": player, "currency": currency, "net": amount_of(net)}
                    for (player, currency), net in totals.items()
                ],
            }
        )
    findings = [
        {
            "code": finding.code,
            "severity": finding.severity,
            "club_id": finding.hand.club_id,
            "session_id": finding.hand.session_id or None,
            "hand_id": finding.hand.hand_id,
            "hand_no": finding.hand.hand_no,
            "rule": finding.rule,
            "message": finding.message.both(),
            "facts": dict(finding.facts),
        }
        for finding in findings_of(hands)
    ]
    return _encoder.encode({"format": FORMAT, "findings": findings, "sessions": told})


def session_text(hands: Iterable[SessionHand], lang: str, names: Mapping[tuple[str, str], str]) -> str:
    """The same as plain text; ``names`` is what people call a club's player."""
    known = {(club, player): name or player for (club, player), name in names.items()}
    often = Counter((club, name) for (club, _player), name in known.items())

    def named(club: str, player: str) -> str:
        name = known.get((club, player), player)
        return f"{name} ({player})" if often[club, name] > 1 else name

    hands = [replace(hand, players=tuple(named(hand.club_id, id_) for id_ in hand.players)) for hand in hands]
    lines: list[str] = []
    for (_, session_id), evening in evenings(hands).items():
        text = N_("Evening {session}: {n} hands")
        lines.append(Message(text, session=session_id or "—", n=len(evening)).render(lang))
        for finding in check_evening(evening):
            called = hand_called(finding.hand).render(lang)
            told = finding.message.render(lang)
            lines.append(f"  {MARKS[finding.severity]} {called}: {finding.code}: {told}")
        totals = totals_of(evening)
        lines += [
            f"  {player}: {Amount(amount_of(net), currency, signed=True).render(lang)}"
            for (player, currency), net in sorted(totals.items(), key=lambda item: -item[1])
        ]
    return "\n".join(map(safe, lines)) + "\n"
