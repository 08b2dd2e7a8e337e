"""What people decide about a judged hand, and what its money is after that.

The engine finds; a person rules. A case is all that was claimed and decided about one hand, in order. On each
finding the last decision stands, as long as the hand still is what was ruled on: a decision belongs to the
content (its SHA-256) that was before the decider, and counts no money for any other revision until somebody
decides again. The engine's settlement is never changed: a decision adds transfers of reason ``ruling``.
Amounts are whole thousandths of the currency's unit.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec

from analyzer.judge.amounts import UNIT, amount_of
from analyzer.judge.judging import Judgement
from analyzer.judge.settlement import settle
from analyzer.judge.suits import settlement_of
from analyzer.judge.verdict import TransferTold, Verdict
from analyzer.locale import N_, Message

if TYPE_CHECKING:
    from datetime import datetime

Outcome = Literal["upheld", "dismissed", "adjusted"]
Turn = Literal["closed", "reopened"]

FORFEIT: Final = "forfeit"
"""The code under which a forfeit is decided on, beside the codes of violations."""

OUTCOMES: Final[dict[str, str]] = {
    "upheld": N_("upheld"),
    "dismissed": N_("dismissed"),
    "adjusted": N_("adjusted"),
}
"""Outcome → what it is called."""

RULE: Final = "law.ruling"
"""The rule of a ruling's transfers."""


class About(NamedTuple):
    """What a decision is on: a violation, the forfeit (:data:`FORFEIT`), or the hand as a whole (no code)."""

    code: str | None = None
    event: int | None = None
    seat: int | None = None


WHOLE: Final = About()
"""The hand as a whole."""


class Moved(NamedTuple):
    """What a decision moves: ``amount`` thousandths, above zero, from a seat to a seat; None is the bank."""

    from_: int | None
    to: int | None
    amount: int


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody at the table says was wrong. ``number`` is that of the journal's entry."""

    number: int
    at: datetime
    by: str
    """Who entered it."""
    claimant: str
    """Who claims it."""
    text: str
    content_sha256: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What the organiser decided on one finding. ``number`` is that of the journal's entry."""

    number: int
    at: datetime
    by: str
    content_sha256: str
    """The content that was ruled on."""
    about: About
    outcome: Outcome
    reason: str
    moves: tuple[Moved, ...] = ()
    """What it moves on top of the engine's settlement."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A case closed, or opened again."""

    number: int
    at: datetime
    by: str
    turn: Turn
    reason: str


@dataclass(frozen=True, slots=True)
class Case:
    """All that was entered about one hand, oldest first."""

    club_id: str
    hand_id: str
    steps: tuple[Claim | Decision | Turned, ...] = ()

    @property
    def claims(self) -> list[Claim]:
        """What was claimed."""
        return [step for step in self.steps if isinstance(step, Claim)]

    @property
    def decisions(self) -> list[Decision]:
        """What was decided, replaced decisions included."""
        return [step for step in self.steps if isinstance(step, Decision)]

    @property
    def closed(self) -> bool:
        """Whether it was closed, and not opened again since."""
        turns = [step.turn for step in self.steps if isinstance(step, Turned)]
        return bool(turns) and turns[-1] == "closed"

    @property
    def reopened(self) -> int:
        """Number of the entry that opened it again last; 0 if none did."""
        turns = [step for step in self.steps if isinstance(step, Turned) and step.turn == "reopened"]
        return turns[-1].number if turns else 0

    def standing(self, content_sha256: str) -> dict[About, Decision]:
        """What each finding of a revision was decided as last; these decisions move its money."""
        return {
            decision.about: decision
            for decision in self.decisions
            if decision.content_sha256 == content_sha256
        }

    def earlier(self, content_sha256: str) -> list[Decision]:
        """Decisions on other revisions that nobody has taken again on this one: they count no money here."""
        standing = self.standing(content_sha256)
        last = {
            decision.about: decision
            for decision in self.decisions
            if decision.content_sha256 != content_sha256
        }
        return [decision for about, decision in last.items() if about not in standing]

    def unconfirmed(self, content_sha256: str, findings: Container[About]) -> list[Decision]:
        """Those of :meth:`earlier` that can be taken again: this revision still has the finding."""
        return [decision for decision in self.earlier(content_sha256) if decision.about in findings]

    def closed_earlier(self, content_sha256: str, findings: Mapping[About, bool]) -> bool:
        """Whether it was closed on an earlier revision and this one leaves something to decide anew.

        ``findings`` is everything that can be decided on, and whether it is a fault.
        """
        if not self.closed or not self.earlier(content_sha256):
            return False
        if self.unconfirmed(content_sha256, findings):
            return True
        return not self.standing(content_sha256) and any(findings.values())

    def binding(self, about: About, content_sha256: str) -> Decision | None:
        """The decision that leaves nothing to decide on a finding: one since the case was opened (again)."""
        found = self.standing(content_sha256).get(about)
        return found if found is not None and found.number > self.reopened else None

    def ruled(self, content_sha256: str) -> list[Decision]:
        """The decisions that stand on a revision, in the order in which they were made."""
        return sorted(self.standing(content_sha256).values(), key=lambda decision: decision.number)

    def moves(self, content_sha256: str) -> list[tuple[Decision, Moved]]:
        """What all standing decisions move, in the order in which they were made."""
        return moves_in(self.ruled(content_sha256))


def moves_in(ruled: Iterable[Decision]) -> list[tuple[Decision, Moved]]:
    """What decisions move, one after the other."""
    return [(decision, moved) for decision in ruled for moved in decision.moves]


class NotRulable(Exception):
    """A decision that does not fit its hand; ``message`` says why."""

    def __init__(self, text: str, **values: object) -> None:
        self.message = Message(text, **values)
        super().__init__(self.message.render("en"))


# -- what it does to the money ---------------------------------------------------------------------


def findings_of(judgement: Judgement) -> list[About]:
    """What can be decided on: the forfeit, each violation once, and at last the hand as a whole."""
    forfeit = judgement.forfeit
    found = [About(FORFEIT, forfeit.event, forfeit.seat)] if forfeit is not None else []
    found += [About(finding.code, finding.event, finding.seat) for finding in judgement.findings]
    return [*dict.fromkeys(found), WHOLE]


def moves_of(
    judgement: Judgement, about: About, outcome: Outcome, adjustments: Sequence[Moved] = ()
) -> tuple[Moved, ...]:
    """What a decision moves on top of the engine's settlement. Raises NotRulable.

    An adjustment moves just what it says. Dismissing a forfeit that was charged leaves the frozen their own
    debts; upholding one that was not (it was only possible, or not worked out) charges it. Everything else
    moves nothing by itself.
    """
    if about not in findings_of(judgement):
        raise NotRulable(N_("This hand has no such finding."))
    seats = range(judgement.replay.table.seats)
    if outcome == "adjusted":
        if not adjustments:
            raise NotRulable(N_("An adjustment says who pays whom how much."))
        for from_, to, amount in adjustments:
            if from_ == to or from_ not in seats or to not in seats or amount <= 0:
                raise NotRulable(
                    N_("An adjustment goes from one player of the hand to another and is above zero.")
                )
        return tuple(adjustments)
    if adjustments:
        raise NotRulable(N_("Only an adjustment names amounts: what is upheld or dismissed moves its own."))
    return forfeit_moves(judgement, charged=outcome == "upheld") if about.code == FORFEIT else ()


def forfeit_moves(judgement: Judgement, *, charged: bool) -> tuple[Moved, ...]:
    """What is to move so that a hand's forfeit is charged, or is not; nothing where that is so already."""
    forfeit = judgement.forfeit
    if forfeit is None:
        return ()
    if judgement.ways:
        target = settlement_of(judgement.ways, charged)
    else:
        wanted = replace(forfeit, certainty="certain") if charged else None
        target = settle(judgement.replay, judgement.places, wanted)
    return between(judgement.settlement.net, target.net)


def between(now: Sequence[int], then: Sequence[int]) -> tuple[Moved, ...]:
    """What is to move so that seats that have ``now`` come to have ``then``; the rest is the bank's."""
    change: dict[int | None, int] = {seat: then[seat] - now[seat] for seat in range(len(now))}
    if rest := sum(change.values()):
        change[None] = -rest
    moved = []
    payers = [side for side, amount in change.items() if amount < 0]
    payees = [side for side, amount in change.items() if amount > 0]
    while payers:
        payer, payee = payers[0], payees[0]
        amount = min(-change[payer], change[payee])
        moved.append(Moved(payer, payee, amount))
        change[payer] += amount
        change[payee] -= amount
        payers = payers if change[payer] else payers[1:]
        payees = payees if change[payee] else payees[1:]
    return tuple(moved)


def net_after(net: Iterable[int], moves: Iterable[Moved]) -> list[int]:
    """What each seat ends with after some moves."""
    after = list(net)
    for from_, to, amount in moves:
        if from_ is not None and from_ < len(after):
            after[from_] -= amount
        if to is not None and to < len(after):
            after[to] += amount
    return after


def after_rulings(verdict: Verdict, moves: Sequence[tuple[Decision, Moved]]) -> Verdict:
    """A verdict whose money is that after the rulings: their transfers come last, and count in its net."""
    if not moves:
        return verdict
    told = [
        TransferTold(from_, to, amount_of(amount), "ruling", decision.about.event, RULE, facts_of(decision))
        for decision, (from_, to, amount) in moves
    ]
    net = net_after([int(amount * UNIT) for amount in verdict.net], [moved for _, moved in moves])
    return msgspec.structs.replace(
        verdict, transfers=[*verdict.transfers, *told], net=[amount_of(amount) for amount in net]
    )


def facts_of(decision: Decision) -> dict[str, Any]:
    """What a ruling's transfer tells of the decision that it comes from."""
    facts = {
        "entry": decision.number,
        "decision": decision.outcome,
        "code": decision.about.code,
        "by": decision.by,
        "reason": decision.reason,
    }
    return {name: value for name, value in facts.items() if value is not None}
