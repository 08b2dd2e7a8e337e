"""What is to be decided about a hand, point by point, each with its proof: the table, the holding, every
legal alternative, the rule, how sure it is and what it hangs on, and what it does to the money.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from analyzer.cards import symbols_of, symbols_of_texts, told_of
from analyzer.judge.findings import Certainty, Severity
from analyzer.judge.forfeits import counting_plays
from analyzer.judge.passes import Pass
from analyzer.judge.rulings import FORFEIT, About, forfeit_moves, net_after
from analyzer.judge.seats import NOBODY
from analyzer.locale import N_, Joined, Message
from analyzer.reports.account import Account, Flag, Step, lead_text
from analyzer.reports.choices import Choice, choices_of
from analyzer.reports.grounds import GroundTold
from analyzer.reports.suits import hanging_on

ON_LEAD: Final = frozenset({"wrong_leader", "opening_card_missing"})
"""Violations that rest on who the log says must lead."""


@dataclass(frozen=True, slots=True)
class Point:
    """One finding, or the forfeit. Amounts are thousandths, by seat."""

    about: About
    severity: Severity
    certainty: Certainty
    message: Message
    ground: GroundTold
    step: Step | None
    """The act it is about; None where it is about the deal or the end."""
    plays: list[list[str]] | None
    """Every legal play there was; None where that does not come into it."""
    no_plays: Message | None
    """Why no plays are listed, or what is to be said beside them."""
    depends: list[Message]
    """What it hangs on."""
    without: list[int]
    """What each seat ends with where this point is dismissed."""
    with_: list[int]
    """What each seat ends with where it is upheld."""


def points_of(account: Account) -> list[Point]:
    """Every point of a hand: the deal, the acts in their order, the forfeit, the end."""
    choices = choices_of(account.judgement, account.frames, None)
    points = [_violation(account, flag, None, None) for flag in account.deal_flags]
    for step in account.steps:
        points += [_violation(account, flag, step, choices[step.index]) for flag in step.flags]
    if account.forfeit is not None:
        points.append(_forfeit(account))
    return points + [_violation(account, flag, None, None) for flag in account.end_flags]


def _violation(account: Account, flag: Flag, step: Step | None, choice: Choice | None) -> Point:
    finding = flag.finding
    about = About(finding.code, finding.event, finding.seat)
    net = list(account.judgement.settlement.net)
    plays = choice.plays if choice is not None else None
    return Point(
        about,
        finding.severity,
        finding.certainty,
        flag.message,
        flag.ground,
        step,
        plays,
        _about_plays(account, step, choice),
        [
            *_depends(account, finding.certainty, about),
            *_disputed(account, step),
        ],
        net,
        net,
    )


def _forfeit(account: Account) -> Point:
    judgement = account.judgement
    forfeit = judgement.forfeit
    assert forfeit is not None
    assert account.forfeit is not None
    assert account.forfeit_ground is not None
    about = About(FORFEIT, forfeit.event, forfeit.seat)
    replay = judgement.replay
    plays = None
    if forfeit.passed is not None:
        found = counting_plays(replay.house, forfeit.passed, replay.table.known[forfeit.seat])
        open_ = account.frames[forfeit.passed.event].open_held[forfeit.seat]
        plays = [told_of(play.cards, open_) for play in found]
    step = account.steps[forfeit.event]
    net = judgement.settlement.net
    return Point(
        about,
        "error",
        forfeit.certainty,
        account.forfeit,
        account.forfeit_ground,
        step,
        plays,
        None if plays is None or replay.table.known[forfeit.seat] else Message(PARTLY),
        [
            *_depends(account, forfeit.certainty, about),
            *_passes(account),
            *_disputed(account, step),
        ],
        net_after(net, forfeit_moves(judgement, charged=False)),
        net_after(net, forfeit_moves(judgement, charged=True)),
    )


PARTLY: Final = N_("among the cards that are known; others may be hidden")


def _about_plays(account: Account, step: Step | None, choice: Choice | None) -> Message | None:
    if step is None:
        return None
    frame, seat = step.before, step.event.seat
    if choice is not None:
        if frame.open_top or (seat is not None and frame.open_held[seat]):
            return Message(N_("with the lowest suits that the log allows"))
        return None if choice.whole else Message(PARTLY)
    if frame.hand_over:
        return Message(N_("none: the hand was over"))
    if seat is not None and frame.turn not in (NOBODY, seat):
        return Message(N_("none: it was {player}'s turn"), player=account.name(frame.turn))
    return None


# -- what it hangs on ------------------------------------------------------------------------------


def _depends(account: Account, certainty: Certainty, about: About) -> Iterator[Message]:
    dealt = account.judgement.replay.dealt
    on_suits = hanging_on(account, about.code or "", about.event, about.seat)
    if on_suits is not None:
        yield on_suits
        return
    hidden = Joined(
        [
            Message(N_("{player} {n} cards"), player=account.name(seat), n=count)
            for seat, count in enumerate(dealt.hidden)
            if count
        ],
        ", ",
    )
    if dealt.complete:
        yield Message(N_("Every holding is known: no unknown card can change this."))
    elif certainty == "certain":
        yield Message(
            N_("It holds whatever the unknown cards are ({hidden} unknown at the deal)."), hidden=hidden
        )
    else:
        if certainty == "undecidable":
            yield Message(N_("Too many deals fit the log: this was not worked out."))
        yield Message(
            N_("It hangs on cards that nobody knows: {hidden} at the deal, out of these {n}: {pool}."),
            hidden=hidden,
            n=dealt.pool.bit_count(),
            pool=symbols_of(dealt.pool),
        )
    if about.code in ON_LEAD:
        yield Message(N_("It rests on what the log says of the lead: {lead}."), lead=lead_text(account))


def _passes(account: Account) -> Iterator[Message]:
    """At which passes the one who may pay for the table may have had a play."""
    forfeit = account.judgement.forfeit
    if forfeit is None or forfeit.certainty == "certain":
        return
    passes = [entry for entry in account.judgement.undecided if entry.seat == forfeit.seat]
    if passes:
        told = [
            Message(N_("act {act} on {top}"), act=entry.event + 1, top=_top(account, entry))
            for entry in passes
        ]
        yield Message(
            N_("What decides: whether {player} held a play that beats what lay there, at {passes}."),
            player=account.name(forfeit.seat),
            passes=Joined(list(told), "; "),
        )


def _top(account: Account, entry: Pass) -> str:
    return symbols_of_texts(told_of(entry.top.cards, account.frames[entry.event].open_top))


def _disputed(account: Account, step: Step | None) -> Iterator[Message]:
    if step is not None and step.disputed:
        yield Message(
            N_("It comes after act {act}, which is disputed: it stands only as far as that does."),
            act=(account.verdict.disputed_from or 0) + 1,
        )
