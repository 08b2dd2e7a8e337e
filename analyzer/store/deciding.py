"""Making a decision: the stored hand is judged once more, and what the decision moves is worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from analyzer.judge.amounts import MOST, UNIT, exact
from analyzer.judge.judging import Judgement, judge
from analyzer.judge.rulings import About, Moved, NotRulable, Outcome, moves_of, net_after
from analyzer.locale import N_
from analyzer.logs.hand import Hand
from analyzer.rules.house import house_of
from analyzer.rules.ruleset import RuleSet
from analyzer.store.reader import Reader
from analyzer.store.rulings import Moving, Ruled, thousandths
from analyzer.store.stored import stored_hand

GREATEST: Final = 10**12
"""The greatest adjustment, in the currency's unit."""


class Judged(NamedTuple):
    """A stored hand (a row of ``hands``) as it is judged when somebody decides on it."""

    row: Mapping[str, Any]
    hand: Hand
    rules: RuleSet
    judgement: Judgement


def judged_hand(reader: Reader, row: Mapping[str, Any]) -> Judged:
    """A stored hand (a row as :func:`~analyzer.store.stored.find_hands` gives it), judged again."""
    hand, rules = stored_hand(reader, row["hand_key"], row["rules_sha256"])
    return Judged(row, hand, rules, judge(hand, house_of(rules)))


def ruling_on(
    reader: Reader,
    found: Judged,
    about: About,
    outcome: Outcome,
    reason: str,
    adjustments: Sequence[tuple[int, int, Decimal]] = (),
) -> Ruled:
    """A decision as it is entered, with what it moves. Amounts in the currency, between seats.

    Raises NotRulable, also where the stored settlement is another than what is given now: what a decision
    moves would then rest on something that nobody can see.
    """
    row, hand = found.row, found.hand
    stored = reader.rows(
        "SELECT judged_net FROM seats WHERE hand_key = $key ORDER BY seat", {"key": row["hand_key"]}
    )
    net = [thousandths(seat["judged_net"]) for seat in stored]
    if net != found.judgement.settlement.net:
        raise NotRulable(
            N_("The stored settlement of hand {hand} is not what this program gives: tienlen verify"),
            hand=row["hand_id"],
        )
    if outcome != "upheld" and not reason:
        raise NotRulable(N_("Say why: what is dismissed or adjusted has a reason."))
    if any(amount > GREATEST or amount * UNIT % 1 for _, _, amount in adjustments):
        raise NotRulable(N_("An adjustment has at most three decimals and is at most {most}."), most=GREATEST)
    told = [Moved(from_, to, thousandths(amount)) for from_, to, amount in adjustments]
    moves = moves_of(found.judgement, about, outcome, told)
    if any(abs(amount) > MOST for amount in net_after(net, moves)):
        raise NotRulable(N_("These amounts are too large to be kept."))

    def player(seat: int | None) -> str | None:
        return hand.players[seat].id if seat is not None else None

    return Ruled(
        club=row["club_id"],
        hand=row["hand_id"],
        content_sha256=row["content_sha256"],
        code=about.code,
        event=about.event,
        seat=about.seat,
        outcome=outcome,
        reason=reason,
        currency=hand.currency,
        moves=tuple(
            Moving(
                from_seat=from_,
                from_player=player(from_),
                to_seat=to,
                to_player=player(to),
                amount=exact(amount),
            )
            for from_, to, amount in moves
        ),
    )
