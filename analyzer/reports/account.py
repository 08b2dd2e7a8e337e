"""The account of one judged hand: what happened, what was wrong, who pays whom and why.

Built once from the judgement and its trace; the command line prints it and the pages draw it, so the
two can never disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

import msgspec

from analyzer.cards import symbols_of_texts, told_of
from analyzer.judge.findings import Finding
from analyzer.judge.forfeits import RULES as FORFEIT_RULES
from analyzer.judge.judging import Judgement, judge
from analyzer.judge.replayed import Frame
from analyzer.judge.rulings import FORFEIT, About, Decision, after_rulings, moves_in
from analyzer.judge.verdict import (
    INSTANT_WIN_NAMES,
    ChopTold,
    ForfeitTold,
    MissedBlock,
    TransferTold,
    Verdict,
    make_verdict,
    message_of,
    player_name,
)
from analyzer.locale import N_, Joined, Message
from analyzer.logs.canonical import content_sha256
from analyzer.logs.hand import Event, Hand
from analyzer.reports.act_words import act_text
from analyzer.reports.causes import cause_of
from analyzer.reports.free_chops import free_chop_text
from analyzer.reports.grounds import GroundTold, ground_of
from analyzer.reports.money import Amount
from analyzer.rules.house import house_of
from analyzer.rules.ruleset import RuleSet

FORFEIT_NAMES: Final = {
    "all_frozen": N_("could have blocked, and let everybody be frozen"),
    "hoarded_bomb": N_("alone could have chopped, and did not"),
    "one_card_duty": N_("did not play its highest against the last card"),
    "exposed": N_("showed cards too early"),
}


@dataclass(frozen=True, slots=True)
class Flag:
    """A violation as it is shown: the sentence and the ground it stands on."""

    finding: Finding
    message: Message
    ground: GroundTold


@dataclass(frozen=True, slots=True)
class Step:
    """One event: the table before it, what was done, and what is to be said about it."""

    index: int
    event: Event
    text: Message
    before: Frame
    after: Frame
    flags: list[Flag]
    missed: MissedBlock | None
    undecided: bool
    chops: list[Message]
    disputed: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One transfer: the sentence, what it is for, and its grounds: the rule it follows from, then the
    prices that its amount is made of."""

    transfer: TransferTold
    cause: Message
    grounds: list[GroundTold]


@dataclass(frozen=True, slots=True)
class Account:
    """Everything that a reader of one hand is told; the money is that after the rulings."""

    hand: Hand
    rules: RuleSet
    verdict: Verdict
    before: list[Decimal]
    """The net before the rulings."""
    dismissed: int | None
    """Number of the decision that dismissed the forfeit; None where there is none, or it stands."""
    judgement: Judgement
    frames: list[Frame]
    steps: list[Step]
    deal_flags: list[Flag]
    end_flags: list[Flag]
    lines: list[Line]
    forfeit: Message | None
    forfeit_ground: GroundTold | None

    def name(self, seat: int | None) -> str:
        """What people call the player of a seat; the bank has no seat."""
        return player_name(self.hand, seat)


def make_account(hand: Hand, rules: RuleSet, ruled: Sequence[Decision] = ()) -> Account:
    """Judges a hand and tells all of it, after the decisions that stand on it."""
    frames: list[Frame] = []
    judgement = judge(hand, house_of(rules), frames)
    verdict = make_verdict(judgement, rules, content_sha256(hand), frames)
    flags = [
        Flag(finding, message_of(finding, hand), ground_of(rules, finding.rule))
        for finding in judgement.findings
    ]
    end_codes = ("hand_unfinished", "places_mismatch", "net_mismatch")
    missed = {entry.event: entry for entry in verdict.missed_blocks}
    undecided = {entry.event for entry in verdict.undecided_passes}
    chops: dict[int, list[Message]] = {}
    for chop, charge in zip(verdict.chops, judgement.settlement.chops, strict=True):
        frame, link = frames[chop.event], charge.link
        told = _chop_text(hand, chop, told_of(link.beaten.cards, frame.open_top))
        free = free_chop_text(hand, rules, link, frame)
        chops.setdefault(chop.event, []).extend([told, *([free] if free else [])])
    steps = []
    for index, event in enumerate(hand.events):
        steps.append(
            Step(
                index,
                event,
                act_text(hand, event),
                frames[index],
                frames[index + 1],
                [flag for flag in flags if flag.finding.event == index],
                missed.get(index),
                index in undecided,
                chops.get(index, []),
                verdict.disputed_from is not None and index > verdict.disputed_from,
            )
        )
    account = Account(
        hand,
        rules,
        verdict,
        verdict.net,
        None,
        judgement,
        frames,
        steps,
        [f for f in flags if f.finding.event is None and f.finding.code not in end_codes],
        [f for f in flags if f.finding.code in end_codes],
        [Line(t, cause_of(hand, t), _grounds(rules, t)) for t in verdict.transfers],
        _forfeit_text(hand, verdict.forfeit) if verdict.forfeit else None,
        ground_of(rules, FORFEIT_RULES[verdict.forfeit.kind]) if verdict.forfeit else None,
    )
    return after_decisions(account, ruled) if ruled else account


def after_decisions(account: Account, ruled: Sequence[Decision]) -> Account:
    """The account of a hand as it was judged, after the decisions that stand on it: the money is what it is
    then, and a forfeit that was dismissed is told as one that would have been."""
    verdict, hand = after_rulings(account.verdict, moves_in(ruled)), account.hand
    forfeit, told = verdict.forfeit, account.forfeit
    dismissed = None
    if forfeit is not None:
        about = About(FORFEIT, forfeit.event, forfeit.seat)
        decision = next((one for one in ruled if one.about == about), None)
        if decision is not None and decision.outcome == "dismissed":
            dismissed, told = decision.number, dismissed_text(_would_forfeit(hand, forfeit))
        elif decision is not None and decision.outcome == "upheld":
            charged = _forfeit_text(hand, msgspec.structs.replace(forfeit, certainty="certain"))
            told = Message(N_("(upheld) {text}"), text=charged)
    return replace(
        account,
        verdict=verdict,
        dismissed=dismissed,
        lines=[
            Line(t, cause_of(hand, t, dismissed is not None), _grounds(account.rules, t))
            for t in verdict.transfers
        ],
        forfeit=told,
    )


def dismissed_text(text: Message) -> Message:
    """What was found and then dismissed: that it does not stand comes first."""
    return Message(N_("(dismissed) {text}"), text=text)


# -- sentences -------------------------------------------------------------------------------------


def _chop_text(hand: Hand, chop: ChopTold, beaten: list[str]) -> Message:
    return Message(
        N_("{player} chops {victim}'s {beaten}: {amount} (link {link})"),
        player=player_name(hand, chop.seat),
        victim=player_name(hand, chop.victim),
        beaten=symbols_of_texts(beaten),
        amount=Amount(chop.amount, hand.currency),
        link=chop.link,
    )


def _forfeit_text(hand: Hand, forfeit: ForfeitTold) -> Message:
    values = {
        "player": player_name(hand, forfeit.seat),
        "act": forfeit.event + 1,
        "why": Message(FORFEIT_NAMES[forfeit.kind]),
        "cost": Amount(forfeit.cost, hand.currency),
    }
    if forfeit.certainty == "certain":
        return Message(
            N_("{player} pays for the table: {why} (act {act}); {cost} in place of the others."), **values
        )
    if forfeit.certainty == "possible":
        return Message(
            N_(
                "{player} may have to pay for the table: {why} (act {act}). "
                "Unknown cards decide; nothing is charged. It would cost {cost} in place of the others."
            ),
            **values,
        )
    return Message(
        N_(
            "Whether {player} pays for the table was not worked out (act {act}): "
            "too many deals fit the log. It would cost {cost} in place of the others."
        ),
        **values,
    )


def _would_forfeit(hand: Hand, forfeit: ForfeitTold) -> Message:
    """A forfeit that was dismissed."""
    told = N_(
        "{player} would have paid for the table: {why} (act {act}). "
        "It would have cost {cost} in place of the others."
    )
    if forfeit.certainty != "certain":
        told = N_(
            "{player} might have had to pay for the table: {why} (act {act}). "
            "It might have cost {cost} in place of the others."
        )
    return Message(
        told,
        player=player_name(hand, forfeit.seat),
        act=forfeit.event + 1,
        why=Message(FORFEIT_NAMES[forfeit.kind]),
        cost=Amount(forfeit.cost, hand.currency),
    )


def options_text(options: list[list[str]], count: int) -> Message:
    """Legal plays as a list, with how many more there are."""
    listed = " · ".join(symbols_of_texts(option) for option in options)
    if count > len(options):
        return Message(N_("{listed} and {more} more"), listed=listed, more=count - len(options))
    return Message(N_("{listed}"), listed=listed)


# -- money ---------------------------------------------------------------------------------------


def _grounds(rules: RuleSet, transfer: TransferTold) -> list[GroundTold]:
    paths = [transfer.rule]
    for link in transfer.facts.get("links", ()):
        paths += link["prices"]
    for part in transfer.facts.get("leftovers", ()):
        section, _, name = part["price"].partition(".")
        own = section != "rotten_prices" or rules.value(part["price"]) is not None
        paths.append(part["price"] if own else f"prices.{name}")
    return [ground_of(rules, path) for path in dict.fromkeys(paths)]


def line_text(account: Account, line: Line) -> Message:
    """A transfer as a sentence: who pays whom, how much, for what."""
    transfer = line.transfer
    text = N_("{payer} pays {payee} {amount}: {cause}")
    if transfer.reason == "forfeit" and account.dismissed is not None:
        text = N_(
            "(dismissed) {payer} would have paid {payee} {amount} {cause}; ruling {entry} gives it back"
        )
    return Message(
        text,
        entry=account.dismissed,
        payer=Message(N_("The bank")) if transfer.from_ is None else account.name(transfer.from_),
        payee=Message(N_("the bank")) if transfer.to is None else account.name(transfer.to),
        amount=Amount(transfer.amount, account.hand.currency),
        cause=line.cause,
    )


def outcome_text(account: Account) -> Message:
    """How the hand ended."""
    verdict = account.verdict
    if verdict.outcome == "instant_win":
        won = [
            Message(
                N_("{player}: {hand}"), player=account.name(w.seat), hand=Message(INSTANT_WIN_NAMES[w.hand])
            )
            for w in verdict.instant_winners
        ]
        return Message(N_("Instant win ({winners})"), winners=Joined(won, "; "))
    if verdict.outcome == "redeal":
        return Message(N_("The deal is void and is made anew"))
    if verdict.outcome == "unfinished":
        return Message(N_("The log ends before the hand does"))
    if verdict.places is None:
        return Message(N_("The places hang on suits that nobody remembers"))
    names = " · ".join(account.name(seat) for seat in verdict.places)
    return Message(N_("Places, first to last: {names}"), names=names)


def lead_text(account: Account) -> Message:
    """Who has to lead, and why."""
    lead = account.hand.lead
    leader = account.judgement.replay.leader
    player = account.name(leader) if leader >= 0 else Message(N_("nobody knows who"))
    if lead is None:
        return Message(N_("The log does not say who leads"))
    match lead.reason:
        case "opening":
            return Message(N_("Opening hand: {player} leads"), player=player)
        case "won_previous":
            return Message(N_("{player} won the previous hand and leads"), player=player)
        case "forfeited_previous":
            return Message(N_("{player} paid for the table in the previous hand and leads"), player=player)
        case "agreed":
            return Message(N_("{player} leads, as agreed"), player=player)
