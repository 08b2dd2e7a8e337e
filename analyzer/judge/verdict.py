"""The verdict in its public form, ``tienlen-verdict/1``."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any, Final, Literal

import msgspec

from analyzer.cards import set_of, symbols_of, texts_of
from analyzer.judge.findings import KINDS, Certainty, Finding, Severity
from analyzer.judge.forfeits import Forfeit, ForfeitKind, counting_plays, legal_plays
from analyzer.judge.judging import Agreement, Judgement, Outcome
from analyzer.judge.passes import Pass
from analyzer.judge.settlement import Reason, facts_of, paid_winners, settle
from analyzer.locale import N_, Message
from analyzer.logs.hand import Hand, Lead
from analyzer.rules.ruleset import RuleSet
from analyzer.version import VERSION

OPTIONS: Final = 8
"""At most so many legal plays are listed; their full number is told beside them."""

_encoder: Final = msgspec.json.Encoder(decimal_format="number")

INSTANT_WIN_NAMES: Final = {
    "four_threes": N_("four threes"),
    "three_pairs_with_3s": N_("three consecutive pairs with the three of spades"),
    "four_twos": N_("four twos"),
    "six_pairs": N_("six pairs"),
    "five_consecutive_pairs": N_("five consecutive pairs"),
    "dragon": N_("a dragon"),
    "one_colour": N_("twelve or thirteen cards of one colour"),
    "four_triples": N_("four triples"),
    "two_fours": N_("two fours of a kind"),
    "three_consecutive_triples": N_("three consecutive triples"),
}


class _Part(msgspec.Struct, frozen=True, gc=False):
    pass


class RulesPin(_Part, frozen=True):
    """The rule set the verdict was made under."""

    id: str
    sha256: str
    set: dict[str, Any]


class InstantWinner(_Part, frozen=True):
    seat: int
    hand: str


class Violation(_Part, frozen=True):
    """One act against the rules, or one thing worth knowing."""

    code: str
    event: int | None
    seat: int | None
    severity: Severity
    certainty: Certainty
    rule: str
    message: dict[str, str]
    facts: dict[str, Any]


class ChopTold(_Part, frozen=True):
    """One link of a chain; ``amount`` is its own price, ``paid`` whether this victim pays."""

    event: int
    seat: int
    victim: int
    cards: list[str]
    beaten: list[str]
    link: int
    amount: Decimal
    paid: bool


class MissedBlock(_Part, frozen=True):
    """A pass by a seat that had a legal play; at most eight of the plays are listed."""

    event: int
    seat: int
    certainty: Certainty
    options: list[list[str]]
    option_count: int


class ForfeitTold(_Part, frozen=True):
    seat: int
    kind: ForfeitKind
    event: int
    options: list[list[str]]
    certainty: Certainty
    rule: str
    cost: Decimal
    """What it takes over for others: charged where certain, else what it would cost."""


class TransferTold(_Part, frozen=True, rename={"from_": "from"}):
    """Who pays whom; null is the bank."""

    from_: int | None
    to: int | None
    amount: Decimal
    reason: Reason
    event: int | None
    rule: str
    facts: dict[str, Any]


class ResultCheck(_Part, frozen=True):
    places: Agreement
    net: Agreement


class UndecidedPass(_Part, frozen=True):
    event: int
    seat: int


class Verdict(_Part, frozen=True):
    """Everything decided about one hand. Seats and events are indices."""

    format: Literal["tienlen-verdict/1"]
    engine: str
    hand_id: str
    club_id: str
    content_sha256: str
    rules: RulesPin
    outcome: Outcome
    places: list[int] | None
    instant_winners: list[InstantWinner]
    frozen: list[int]
    violations: list[Violation]
    chops: list[ChopTold]
    missed_blocks: list[MissedBlock]
    forfeit: ForfeitTold | None
    transfers: list[TransferTold]
    net: list[Decimal]
    next_lead: Lead | None
    result_check: ResultCheck
    undecided_passes: list[UndecidedPass]
    disputed_from: int | None


def make_verdict(judgement: Judgement, rules: RuleSet, sha256: str) -> Verdict:
    """The public form of a judgement; ``sha256`` is the hand's content hash."""
    replay = judgement.replay
    hand, house, table = replay.hand, replay.house, replay.table
    frozen = [seat for seat in range(table.seats) if table.frozen >> seat & 1]
    if judgement.places:
        frozen.sort(key=judgement.places.index)
    return Verdict(
        format="tienlen-verdict/1",
        engine=VERSION,
        hand_id=hand.hand_id,
        club_id=hand.club_id,
        content_sha256=sha256,
        rules=RulesPin(rules.id, rules.sha256, dict(rules.changed)),
        outcome=judgement.outcome,
        places=judgement.places,
        instant_winners=[InstantWinner(*won) for won in paid_winners(replay)],
        frozen=frozen,
        violations=[_violation(finding, hand) for finding in judgement.findings],
        chops=[
            ChopTold(
                chop.link.event,
                chop.link.seat,
                chop.link.victim,
                texts_of(chop.link.play.cards),
                texts_of(chop.link.beaten.cards),
                chop.link.number,
                amount_of(chop.amount),
                chop.paid,
            )
            for chop in judgement.settlement.chops
        ],
        missed_blocks=[_missed(judgement, entry) for entry in replay.missed],
        forfeit=_forfeit(judgement, judgement.forfeit) if judgement.forfeit else None,
        transfers=[
            TransferTold(
                t.from_, t.to, amount_of(t.amount), t.reason, t.event, t.rule, facts_of(t, house, hand.stake)
            )
            for t in judgement.settlement.transfers
        ],
        net=[amount_of(amount) for amount in judgement.settlement.net],
        next_lead=judgement.next_lead,
        result_check=ResultCheck(judgement.places_check, judgement.net_check),
        undecided_passes=[UndecidedPass(entry.event, entry.seat) for entry in judgement.undecided],
        disputed_from=judgement.disputed_from,
    )


def verdict_json(verdict: Verdict) -> bytes:
    """A verdict as one line of JSON, amounts exact."""
    return _encoder.encode(verdict)


def amount_of(thousandths: int) -> Decimal:
    """Thousandths of a unit as an exact decimal without trailing zeros."""
    whole, rest = divmod(thousandths, 1000)
    return Decimal(whole) if not rest else (Decimal(thousandths) / 1000).normalize()


def _missed(judgement: Judgement, entry: Pass) -> MissedBlock:
    replay = judgement.replay
    plays = legal_plays(replay.house, entry, replay.table.known[entry.seat])
    options = [texts_of(play.cards) for play in plays[:OPTIONS]]
    return MissedBlock(entry.event, entry.seat, "certain", options, len(plays))


def _forfeit(judgement: Judgement, forfeit: Forfeit) -> ForfeitTold:
    replay = judgement.replay
    plays = []
    if forfeit.passed is not None:
        plays = counting_plays(replay.house, forfeit.passed, replay.table.known[forfeit.seat])
    options = [texts_of(play.cards) for play in plays[:OPTIONS]]
    charged = settle(replay, judgement.places, replace(forfeit, certainty="certain"))
    cost = sum(transfer.amount for transfer in charged.transfers if transfer.reason == "forfeit")
    return ForfeitTold(
        forfeit.seat,
        forfeit.kind,
        forfeit.event,
        options,
        forfeit.certainty,
        forfeit.rule,
        amount_of(cost),
    )


def player_name(hand: Hand, seat: int | None) -> str:
    """What people call the player of a seat."""
    if seat is None or not 0 <= seat < len(hand.players):
        return ""
    player = hand.players[seat]
    return player.name or player.id


def _violation(finding: Finding, hand: Hand) -> Violation:
    facts = {key: value for key, value in finding.facts.items() if key != "rule"}
    return Violation(
        finding.code,
        finding.event,
        finding.seat,
        finding.severity,
        finding.certainty,
        finding.rule,
        message_of(finding, hand).both(),
        facts,
    )


def message_of(finding: Finding, hand: Hand) -> Message:
    """A violation as a sentence."""
    values: dict[str, Any] = {"player": player_name(hand, finding.seat)}
    for key, value in finding.facts.items():
        if key in ("cards", "top", "named") and isinstance(value, list):
            values[key] = symbols_of(set_of(value))
        elif key == "card":
            values[key] = symbols_of(set_of([value]))
        elif key in ("leader", "turn"):
            values[key] = player_name(hand, value)
        elif key == "hand":
            values[key] = Message(INSTANT_WIN_NAMES[value])
        else:
            values[key] = value
    return Message(KINDS[finding.code].text, **values)
