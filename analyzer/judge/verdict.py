"""The verdict in its public form, ``tienlen-verdict/1``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final, Literal

import msgspec

from analyzer.cards import symbols_of_texts, texts_of, told_of
from analyzer.judge.amounts import amount_of
from analyzer.judge.findings import KINDS, Certainty, Finding, Severity
from analyzer.judge.forfeits import Forfeit, ForfeitKind, counting_plays, legal_plays
from analyzer.judge.hanging import About, Hanging
from analyzer.judge.judging import Agreement, Judgement, Outcome
from analyzer.judge.passes import Pass
from analyzer.judge.replayed import Frame
from analyzer.judge.settlement import facts_of, paid_winners, settle
from analyzer.judge.suits import settlement_of
from analyzer.judge.transfers import Reason
from analyzer.locale import N_, Joined, Message
from analyzer.logs.hand import Hand, Lead
from analyzer.rules.plays import Play
from analyzer.rules.ruleset import RuleSet
from analyzer.version import VERSION

OPTIONS: Final = 8
"""At most so many legal plays are listed; their full number is told beside them."""

_encoder: Final = msgspec.json.Encoder(decimal_format="number")
_VIETNAMESE: Final = str.maketrans(",.", ".,")

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


class SuitsTold(_Part, frozen=True):
    """Cards given suits: of an event, or (event null) of a seat's holding at the deal."""

    event: int | None
    seat: int
    cards: list[str]


class SuitCase(_Part, frozen=True):
    """What comes of some suits; ``count`` ways of giving them lead there, at most eight are listed."""

    value: Any
    count: int
    suits: list[list[SuitsTold]]


class HangingTold(_Part, frozen=True):
    """Something that hangs on suits nobody remembers. ``value`` of a case: the certainty of a violation or
    forfeit (null: there is none), whether a block was missed, places, next lead, outcome, amounts a seat."""

    about: About
    code: str | None
    event: int | None
    seat: int | None
    cases: list[SuitCase]
    sampled: bool


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
    hanging_on_suits: list[HangingTold]
    """Empty where every suit is known."""


def make_verdict(judgement: Judgement, rules: RuleSet, sha256: str, frames: Sequence[Frame] = ()) -> Verdict:
    """The public form of a judgement; ``sha256`` is the hand's content hash.

    With the ``frames`` of its trace, what could have been played names each card that surely was there; else
    every card that may stand for an open suit is told by its rank.
    """
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
                told_of(chop.link.play.cards, judgement.open),
                told_of(chop.link.beaten.cards, judgement.open),
                chop.link.number,
                amount_of(chop.amount),
                chop.paid,
            )
            for chop in judgement.settlement.chops
        ],
        missed_blocks=[_missed(judgement, entry, frames) for entry in replay.missed],
        forfeit=_forfeit(judgement, judgement.forfeit, frames) if judgement.forfeit else None,
        transfers=[
            TransferTold(
                t.from_,
                t.to,
                amount_of(t.amount),
                t.reason,
                t.event,
                t.rule,
                facts_of(t, house, hand.stake, judgement.open),
            )
            for t in judgement.settlement.transfers
        ],
        net=[amount_of(amount) for amount in judgement.settlement.net],
        next_lead=judgement.next_lead,
        result_check=ResultCheck(judgement.places_check, judgement.net_check),
        undecided_passes=[UndecidedPass(entry.event, entry.seat) for entry in judgement.undecided],
        disputed_from=judgement.disputed_from,
        hanging_on_suits=[_hanging(found) for found in judgement.hanging],
    )


def verdict_json(verdict: Verdict) -> bytes:
    """A verdict as one line of JSON, amounts exact."""
    return _encoder.encode(verdict)


def _missed(judgement: Judgement, entry: Pass, frames: Sequence[Frame]) -> MissedBlock:
    replay = judgement.replay
    plays = legal_plays(replay.house, entry, replay.table.known[entry.seat])
    options = _options(judgement, entry, frames, plays)
    return MissedBlock(entry.event, entry.seat, "certain", options, len(plays))


def _options(
    judgement: Judgement, entry: Pass, frames: Sequence[Frame], plays: Sequence[Play]
) -> list[list[str]]:
    open_ = frames[entry.event].open_held[entry.seat] if frames else judgement.open
    return [told_of(play.cards, open_) for play in plays[:OPTIONS]]


def _forfeit(judgement: Judgement, forfeit: Forfeit, frames: Sequence[Frame]) -> ForfeitTold:
    replay = judgement.replay
    options = []
    if forfeit.passed is not None:
        plays = counting_plays(replay.house, forfeit.passed, replay.table.known[forfeit.seat])
        options = _options(judgement, forfeit.passed, frames, plays)
    if judgement.ways:
        charged = settlement_of(judgement.ways, True)
    else:
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


def _hanging(found: Hanging) -> HangingTold:
    cases = [
        SuitCase(
            _plain(found.about, case.value),
            len(case.ways),
            [
                [SuitsTold(slot.event, slot.seat, texts_of(cards)) for slot, cards in way]
                for way in case.ways[:OPTIONS]
            ],
        )
        for case in found.cases
    ]
    return HangingTold(found.about, found.code, found.event, found.seat, cases, found.sampled)


def _plain(about: About, value: Any) -> Any:
    if about == "net":
        return [amount_of(amount) for amount in value]
    if about == "next_lead" and value is not None:
        return {"reason": value[0], "seat": value[1]}
    return value


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
            values[key] = symbols_of_texts(value)
        elif key == "card":
            values[key] = symbols_of_texts([value])
        elif key in ("leader", "turn"):
            values[key] = player_name(hand, value)
        elif key == "hand":
            values[key] = Message(INSTANT_WIN_NAMES[value])
        elif key in ("recorded", "replayed"):
            values[key] = _record(finding, hand, key)
        else:
            values[key] = value
    return Message(KINDS[finding.code].text, **values)


def _record(finding: Finding, hand: Hand, key: str) -> Message:
    """What is ``recorded``, or ``replayed`` under the rules: places, or the amounts of those that differ."""
    told = finding.facts[key]
    if told is None:
        return Message(N_("no places"))
    if finding.code == "places_mismatch":
        return Message("{names}", names=" · ".join(player_name(hand, seat) for seat in told))
    other = finding.facts["replayed" if key == "recorded" else "recorded"]
    return Joined(
        [
            Message("{player} {amount}", player=player_name(hand, seat), amount=_Signed(amount))
            for seat, amount in enumerate(told)
            if amount != other[seat]
        ],
        " · ",
    )


class _Signed(Message):
    """An exact amount (its decimal text) with its sign, as the reader's language parts thousands."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        super().__init__("")
        self.value = value

    def render(self, lang: str) -> str:
        whole, point, part = self.value.lstrip("-").partition(".")
        told = f"{int(whole):,}{point}{part}"
        if lang == "vi":
            told = told.translate(_VIETNAMESE)
        return ("−" if self.value.startswith("-") else "+" if told != "0" else "") + told
