"""A case in words: the findings with their proofs, what was decided on each, the money before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from analyzer.judge.amounts import amount_of
from analyzer.judge.rulings import (
    FORFEIT,
    OUTCOMES,
    WHOLE,
    About,
    Case,
    Claim,
    Decision,
    Moved,
    Turned,
    findings_of,
)
from analyzer.locale import N_, Joined, Message, translate
from analyzer.reports.account import Account, dismissed_text
from analyzer.reports.codes import CODE_NAMES
from analyzer.reports.grounds import GroundTold
from analyzer.reports.money import Amount
from analyzer.reports.text import safe, sure_text

CLOSED_EARLIER: Final = N_("closed, on an earlier revision: open it again to decide anew")


@dataclass(frozen=True, slots=True)
class FindingTold:
    """A finding that can be decided on: how it is named, its sentence, its ground, and its last decision."""

    about: About
    name: str
    """As the command line takes it: ``forfeit``, ``does_not_beat@7``, ``hand``."""
    text: Message
    ground: GroundTold | None
    fault: bool
    """Whether somebody has to decide: a forfeit, an error or a warning."""
    decision: Decision | None


def findings_told(account: Account, case: Case) -> list[FindingTold]:
    """Everything that can be decided on; the hand as a whole comes last."""
    standing = case.standing(account.verdict.content_sha256)
    flags = [
        *account.deal_flags,
        *(flag for step in account.steps for flag in step.flags),
        *account.end_flags,
    ]
    told = {About(f.finding.code, f.finding.event, f.finding.seat): f for f in reversed(flags)}
    every = findings_of(account.judgement)
    found = []
    for about in every:
        text, ground, fault = Message(N_("the hand as a whole")), None, False
        decision = standing.get(about)
        if about.code == FORFEIT:
            assert account.forfeit is not None
            text, ground, fault = account.forfeit, account.forfeit_ground, True
        elif about != WHOLE:
            flag = told[about]
            text = sure_text(flag.message, flag.finding.certainty)
            ground, fault = flag.ground, flag.finding.severity != "info"
            if decision is not None and decision.outcome == "dismissed":
                text = dismissed_text(text)
        found.append(FindingTold(about, name_of(about, every), text, ground, fault, decision))
    return found


def name_of(about: About, every: list[About]) -> str:
    """How a finding is named on the command line: its act counted from one; its seat only where needed."""
    code, event, seat = about
    if code is None:
        return "hand"
    if code == FORFEIT:
        return code
    name = code if event is None else f"{code}@{event + 1}"
    several = [other for other in every if other[:2] == (code, event)]
    return name if len(several) == 1 or seat is None else f"{name}/{seat}"


def to_decide(account: Account, case: Case) -> list[FindingTold]:
    """The faults on which nothing was decided; none in a case that was closed and still counts."""
    if case.closed and not closed_earlier(account, case):
        return []
    return [told for told in findings_told(account, case) if told.fault and told.decision is None]


def closed_earlier(account: Account, case: Case) -> bool:
    """Whether a case was closed on an earlier revision, and this one leaves something to decide anew."""
    findings = {told.about: told.fault for told in findings_told(account, case)}
    return case.closed_earlier(account.verdict.content_sha256, findings)


def moved_text(account: Account, moved: Moved) -> Message:
    """Who pays whom how much."""
    bank = Message(N_("the bank"))
    return Message(
        N_("{payer} pays {payee} {amount}"),
        payer=bank if moved.from_ is None else account.name(moved.from_),
        payee=bank if moved.to is None else account.name(moved.to),
        amount=Amount(amount_of(moved.amount), account.hand.currency),
    )


def moves_text(account: Account, decision: Decision) -> Message:
    """What a decision moves."""
    if not decision.moves:
        return Message(N_("moves no money"))
    return Joined([moved_text(account, moved) for moved in decision.moves], "; ")


def decision_text(account: Account, decision: Decision) -> Message:
    """A decision in a line: what, why, by whom, and the money it moves."""
    text = N_("{outcome} by {by} (entry {number}): {reason}; {moves}")
    if not decision.reason:
        text = N_("{outcome} by {by} (entry {number}); {moves}")
    return Message(
        text,
        outcome=Message(OUTCOMES[decision.outcome]),
        by=decision.by,
        number=decision.number,
        reason=decision.reason,
        moves=moves_text(account, decision),
    )


def about_text(about: About) -> Message:
    """What a decision is on, in words: the finding, and the act that it is about."""
    if about.code is None:
        return Message(N_("the hand as a whole"))
    named = Message(CODE_NAMES.get(about.code, about.code))
    if about.event is None:
        return named
    return Message("{finding} ({act})", finding=named, act=Message(N_("act {n}"), n=about.event + 1))


def gone_text(account: Account, decision: Decision) -> Message | None:
    """That a decision was on a finding that this revision has in another act only, or not; else None.

    Whether one in another act is the same is not known: acts may have moved, or the player did it twice.
    The other revision need not be an earlier one, after a rollback.
    """
    findings, about = findings_of(account.judgement), decision.about
    if about in findings:
        return None
    acts = [
        str(other.event + 1)
        for other in findings
        if (other.code, other.seat) == (about.code, about.seat) and other.event is not None
    ]
    text = N_("decided on another revision: {finding}. That is not there any more: decide anew what is.")
    if acts:
        text = N_(
            "decided on another revision: {finding}. It may be that in act {acts} now: decide anew there."
        )
    return Message(text, finding=about_text(about), acts=", ".join(acts))


def step_text(account: Account, case: Case, step: Claim | Decision | Turned) -> Message:
    """An entry of a case in a line."""
    match step:
        case Claim():
            return Message(
                N_("{claimant} claims: {text} (entered by {by})"),
                claimant=step.claimant,
                text=" ".join(step.text.split()),
                by=step.by,
            )
        case Decision():
            told = Message(
                N_("{finding}: {decision}"),
                finding=name_of(step.about, findings_of(account.judgement)),
                decision=decision_text(account, step),
            )
            if step.content_sha256 != account.verdict.content_sha256:
                gone = gone_text(account, step)
                text = N_("{decision} — on an earlier revision: counts no money")
                if gone is not None:
                    text = N_("{decision} — counts no money: {gone}")
                return Message(text, decision=told, gone=gone)
            if case.standing(step.content_sha256).get(step.about) is not step:
                return Message(N_("{decision} — replaced by a later one"), decision=told)
            return told
    if step.turn == "closed":
        text = N_("closed by {by}: {reason}") if step.reason else N_("closed by {by}")
    else:
        text = N_("reopened by {by}: {reason}")
    return Message(text, by=step.by, reason=step.reason)


def case_text(account: Account, case: Case, lang: str) -> str:
    """The whole case as plain text."""
    return "\n".join(safe(line) for line in _lines(account, case, lang)) + "\n"


def _lines(account: Account, case: Case, lang: str) -> Iterator[str]:
    def t(text: str, **values: object) -> str:
        return Message(text, **values).render(lang)

    hand, verdict = account.hand, account.verdict
    state = N_("closed") if case.closed else N_("open") if case.steps else N_("no case")
    state = CLOSED_EARLIER if closed_earlier(account, case) else state
    log = t(N_("log {log}"), log=verdict.content_sha256[:12])
    yield " · ".join([t(N_("Hand {id}"), id=hand.hand_id), log, translate(state, lang)])
    if case.unconfirmed(verdict.content_sha256, findings_of(account.judgement)):
        yield t(
            N_(
                "There are decisions on an earlier revision of this hand. They count no money until somebody "
                "decides again on the revision in force."
            )
        )
    yield ""
    yield t(N_("Findings"))
    for told in findings_told(account, case):
        yield f"  {told.name}: {told.text.render(lang)}"
        if told.ground is not None:
            yield f"      {told.ground.rule}: {told.ground.cite(lang)}"
        if told.decision is not None:
            yield f"      → {decision_text(account, told.decision).render(lang)}"
        elif told.fault:
            yield "      → " + t(N_("not decided yet"))
    if case.steps:
        yield ""
        yield t(N_("Entries"))
        for step in case.steps:
            at = f"{step.at:%Y-%m-%d %H:%M} UTC"
            yield f"  {step.number:>3}  {at}  {step_text(account, case, step).render(lang)}"
    yield ""
    yield t(N_("Money, after the rulings"))
    for seat, (before, after) in enumerate(zip(account.before, verdict.net, strict=True)):
        yield f"  {account.name(seat)}: {seat_money(account, before, after).render(lang)}"


def seat_money(account: Account, before: Decimal, after: Decimal) -> Message:
    """What a seat ends with, and what that was before the rulings where it differs."""
    currency = account.hand.currency
    told = Amount(after, currency, signed=True)
    if before == after:
        return told
    return Message(
        N_("{after} (before the rulings {before})"),
        after=told,
        before=Amount(before, currency, signed=True),
    )
