"""The checks between the hands of an evening, from stored rows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec

from analyzer.judge.between import SessionFinding, SessionHand, check_evening
from analyzer.store.reader import Reader

_HANDS: Final = """
SELECT
    h.club_id, h.session_id, h.hand_id, h.hand_no, h.rules_id, h.rules_sha256, h.currency,
    h.played_at, h.lead_reason, h.lead_seat, h.next_lead_reason, h.next_lead_seat,
    list({'player': s.player_id, 'place': s.place, 'net': s.net} ORDER BY s.seat) AS seats
FROM hands AS h
JOIN seats AS s USING (hand_key)
WHERE h.club_id = $club AND h.evening = $evening
GROUP BY ALL
ORDER BY h.hand_no NULLS LAST, any_value(h.played_at) NULLS LAST, h.hand_id
"""

_RULES: Final = "SELECT sha256, text FROM rule_sets"


class Placed(NamedTuple):
    """A hand with what orders it among the others of its evening."""

    hand: SessionHand
    played_at: datetime | None

    @property
    def order(self) -> tuple[object, ...]:
        """By number, else by time, else by id; what is missing comes last."""
        number, at = self.hand.hand_no, self.played_at
        return number is None, number or 0, at is None, at.timestamp() if at else 0, self.hand.hand_id


def evening_findings(
    reader: Reader, club: str, evening: str, called: Callable[[str], str] = str
) -> list[SessionFinding]:
    """Everything found between the stored hands in force of one evening, in their order.

    ``called`` tells by which name a player is told: one and the same for all ids of a person, and no other's.
    """
    return list(check_evening([placed.hand for placed in evening_hands(reader, club, evening, called)]))


def findings_with(
    reader: Reader,
    club: str,
    evening: str,
    hand_id: str,
    instead: Placed | None,
    called: Callable[[str], str] = str,
) -> list[SessionFinding]:
    """What would be found if a hand were another one (``instead``), or not in this evening (None)."""
    others = [one for one in evening_hands(reader, club, evening, called) if one.hand.hand_id != hand_id]
    hands = sorted([*others, *([instead] if instead is not None else [])], key=lambda placed: placed.order)
    return list(check_evening([placed.hand for placed in hands]))


def evening_hands(
    reader: Reader, club: str, evening: str, called: Callable[[str], str] = str
) -> list[Placed]:
    """The stored hands in force of one evening, in their order; ``called`` as above."""
    bust = {row["sha256"]: _bust(row["text"]) for row in reader.rows(_RULES)}
    rows = reader.rows(_HANDS, {"club": club, "evening": evening})
    return [
        Placed(_hand(row, bust.get(row["rules_sha256"], False), called), row["played_at"]) for row in rows
    ]


def _bust(text: str) -> bool:
    return bool(msgspec.json.decode(text)["session"]["bust_below_zero"])


def _hand(row: dict[str, Any], bust: bool, called: Callable[[str], str]) -> SessionHand:
    seats = row["seats"]
    placed = sorted((seat["place"], index) for index, seat in enumerate(seats) if seat["place"] is not None)
    return SessionHand(
        row["club_id"],
        row["session_id"] or "",
        row["hand_id"],
        row["hand_no"],
        row["rules_id"],
        row["rules_sha256"],
        tuple(called(seat["player"]) for seat in seats),
        _lead(row["lead_reason"], row["lead_seat"]),
        _lead(row["next_lead_reason"], row["next_lead_seat"]),
        tuple(index for _, index in placed) or None,
        tuple(int(seat["net"].scaleb(3)) for seat in seats),
        row["currency"],
        bust,
    )


def _lead(reason: str | None, seat: int | None) -> tuple[str, int | None] | None:
    return None if reason is None else (reason, seat)
