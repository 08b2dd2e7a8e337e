"""What can be wrong between the hands of one evening: leads, gaps, rules and players that change.

Works on :class:`SessionHand`, which a judgement gives as well as stored rows do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from analyzer.judge.findings import Severity
from analyzer.judge.judging import Judgement
from analyzer.locale import N_, Message
from analyzer.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class SessionHand:
    """What the hands of an evening are compared by. ``players`` are ids by seat; amounts thousandths."""

    club_id: str
    session_id: str
    hand_id: str
    hand_no: int | None
    rules_id: str
    rules_sha256: str
    players: tuple[str, ...]
    lead: tuple[str, int | None] | None
    """The lead the log states: reason and seat."""
    next_lead: tuple[str, int | None] | None
    """The lead that this hand's verdict gives the next one."""
    places: tuple[int, ...] | None
    net: tuple[int, ...]
    currency: str = "POINT"
    bust_below_zero: bool = False


@dataclass(frozen=True, slots=True)
class SessionFinding:
    """One thing found between hands, told of the later hand."""

    code: str
    severity: Severity
    hand: SessionHand
    rule: str
    message: Message
    facts: Mapping[str, Any] = field(default_factory=dict)


SEVERITIES: Final[dict[str, Severity]] = {
    "session_wrong_lead": "error",
    "session_gap": "warning",
    "session_rules_changed": "info",
    "session_players_changed": "info",
    "player_bust": "info",
}


def session_hand(judgement: Judgement, rules: RuleSet, called: Callable[[str], str] = str) -> SessionHand:
    """What a judged hand says to its neighbours; ``called`` tells by which name a player is told."""
    hand = judgement.replay.hand
    lead, following = hand.lead, judgement.next_lead
    return SessionHand(
        hand.club_id,
        hand.session_id or "",
        hand.hand_id,
        hand.hand_no,
        rules.id,
        rules.sha256,
        tuple(called(player.id) for player in hand.players),
        (lead.reason, lead.seat) if lead else None,
        (following.reason, following.seat) if following else None,
        tuple(judgement.places) if judgement.places else None,
        tuple(judgement.settlement.net),
        hand.currency,
        rules.knobs.session.bust_below_zero,
    )


def evenings(hands: Iterable[SessionHand]) -> dict[tuple[str, str], list[SessionHand]]:
    """The hands by club and session, each evening in the order of ``hand_no`` (else as given)."""
    found: dict[tuple[str, str], list[SessionHand]] = {}
    for hand in hands:
        found.setdefault((hand.club_id, hand.session_id), []).append(hand)
    for evening in found.values():
        evening.sort(key=lambda hand: hand.hand_no or 0)
    return found


def check_evening(hands: Sequence[SessionHand]) -> Iterator[SessionFinding]:
    """Everything found between the hands of one evening, in their order."""
    totals: dict[tuple[str, str], int] = {}
    bust: set[tuple[str, str]] = set()
    previous: SessionHand | None = None
    for hand in hands:
        if previous is not None:
            yield from _between(previous, hand)
        for player, amount in zip(hand.players, hand.net, strict=True):
            key = (player, hand.currency)
            totals[key] = totals.get(key, 0) + amount
            if hand.bust_below_zero and totals[key] < 0 and key not in bust:
                bust.add(key)
                text = N_("{player} is bust: the running total has fallen below zero.")
                yield _found(
                    "player_bust",
                    hand,
                    "session.bust_below_zero",
                    Message(text, player=player),
                    player=player,
                )
        previous = hand


def totals_of(hands: Iterable[SessionHand]) -> dict[tuple[str, str], int]:
    """(player, currency) → net over the hands, in thousandths."""
    totals: dict[tuple[str, str], int] = {}
    for hand in hands:
        for player, amount in zip(hand.players, hand.net, strict=True):
            totals[player, hand.currency] = totals.get((player, hand.currency), 0) + amount
    return totals


def _between(previous: SessionHand, hand: SessionHand) -> Iterator[SessionFinding]:
    gap = _missing(previous, hand)
    if gap:
        text = N_("Hands {first} to {last} are missing.")
        if gap[0] == gap[1]:
            text = N_("Hand {first} is missing.")
        yield _found(
            "session_gap",
            hand,
            "law.record",
            Message(text, first=gap[0], last=gap[1]),
            first=gap[0],
            last=gap[1],
        )
    else:
        yield from _lead(previous, hand)
    if hand.rules_sha256 != previous.rules_sha256:
        text = N_("The rules changed from {before} to {after}.")
        told = Message(text, before=previous.rules_id, after=hand.rules_id)
        yield _found(
            "session_rules_changed", hand, "law.record", told, before=previous.rules_id, after=hand.rules_id
        )
    if hand.players != previous.players:
        told = Message(N_("The players or their seats changed: {players}."), players=", ".join(hand.players))
        yield _found(
            "session_players_changed",
            hand,
            "law.record",
            told,
            before=list(previous.players),
            after=list(hand.players),
        )


def _missing(previous: SessionHand, hand: SessionHand) -> tuple[int, int] | None:
    if previous.hand_no is None or hand.hand_no is None or hand.hand_no <= previous.hand_no + 1:
        return None
    return previous.hand_no + 1, hand.hand_no - 1


def _lead(previous: SessionHand, hand: SessionHand) -> Iterator[SessionFinding]:
    """The stated lead against the previous verdict; an explicit agreement of the table stands."""
    if hand.lead is None or previous.next_lead is None or hand.lead[0] == "agreed":
        return
    reason, seat = previous.next_lead
    expected = None if seat is None else _successor(previous, hand, seat)
    if seat is not None and expected is None:
        return
    stated = None if hand.lead[1] is None or hand.lead[0] == "opening" else hand.players[hand.lead[1]]
    if (hand.lead[0], stated) == (reason, expected):
        return
    if expected is None:
        text = N_("An opening hand was due; the log says that {stated} leads.")
    elif stated is None:
        text = N_("{expected} should lead; the log states an opening hand.")
    elif stated == expected:
        text = N_("{expected} leads, but because he {reason}; the log gives another reason.")
    else:
        text = N_("{expected} should lead ({reason}); the log says {stated}.")
    told = Message(text, expected=expected, stated=stated, reason=Message(LEAD_REASONS[reason]))
    yield _found(
        "session_wrong_lead",
        hand,
        "lead.card",
        told,
        expected=[reason, expected],
        stated=[hand.lead[0], stated],
    )


LEAD_REASONS: Final = {
    "opening": N_("an opening hand"),
    "won_previous": N_("won the previous hand"),
    "forfeited_previous": N_("paid for the table in the previous hand"),
}


def _successor(previous: SessionHand, hand: SessionHand, seat: int) -> str | None:
    """The player due to lead; where he no longer sits at the table, the next in the places."""
    order = [seat, *(other for other in previous.places or () if other != seat)]
    return next((previous.players[s] for s in order if previous.players[s] in hand.players), None)


def _found(code: str, hand: SessionHand, rule: str, message: Message, **facts: Any) -> SessionFinding:
    return SessionFinding(code, SEVERITIES[code], hand, rule, message, facts)
