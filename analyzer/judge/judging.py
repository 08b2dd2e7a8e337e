"""One hand, judged: replay, certainty, places, forfeit and settlement in one value.

This is what bulk work reads. For the public form, with texts and options, see
:mod:`analyzer.judge.verdict`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from analyzer.cards import SuitOpen
from analyzer.judge import checks
from analyzer.judge.amounts import UNIT
from analyzer.judge.certainty import Effort, certainty_of
from analyzer.judge.findings import Facts, Finding
from analyzer.judge.forfeits import Forfeit, find_forfeit
from analyzer.judge.hanging import Hanging
from analyzer.judge.passes import Pass, event_of
from analyzer.judge.replay import replay
from analyzer.judge.replayed import Frame, Replay
from analyzer.judge.settlement import find_places, settle
from analyzer.judge.transfers import Settlement
from analyzer.logs.hand import Hand, Lead
from analyzer.rules.house import House, house_of
from analyzer.rules.ruleset import RuleSet

Outcome = Literal["finished", "instant_win", "redeal", "unfinished"]
Agreement = Literal["agrees", "differs", "absent"]


class Judgement:
    """Everything that was decided about one hand."""

    # Written out: mypyc makes a native class of this, and of a dataclass one as slow as Python's.
    __slots__ = (
        "forfeit",
        "hanging",
        "net_check",
        "next_lead",
        "open",
        "outcome",
        "places",
        "places_check",
        "replay",
        "settlement",
        "undecided",
        "ways",
    )

    def __init__(
        self,
        replay: Replay,
        outcome: Outcome,
        places: list[int] | None,
        forfeit: Forfeit | None,
        settlement: Settlement,
        next_lead: Lead | None,
        undecided: list[Pass],
        places_check: Agreement,
        net_check: Agreement,
    ) -> None:
        self.replay = replay
        self.outcome = outcome
        self.places = places
        self.forfeit = forfeit
        self.settlement = settlement
        self.next_lead = next_lead
        self.undecided = undecided
        self.places_check = places_check
        self.net_check = net_check
        self.open = 0
        """The cards (52-bit set) that stand for a suit nobody remembers."""
        self.hanging: Sequence[Hanging] = ()
        """What hangs on such suits."""
        self.ways: Sequence[Judgement] = ()
        """The judgements in every way to give them suits that was tried."""

    @property
    def findings(self) -> list[Finding]:
        """All violations, in the order of the contract."""
        return self.replay.findings

    @property
    def disputed_from(self) -> int | None:
        """Index of the first event with an error, or None."""
        return next((f.event for f in self.findings if f.severity == "error" and f.event is not None), None)

    @property
    def flagged(self) -> bool:
        """Whether a referee has something to look at: an error, a warning or a forfeit."""
        return self.forfeit is not None or any(f.severity != "info" for f in self.findings)


def judge(
    hand: Hand, house: House, trace: list[Frame] | None = None, effort: Effort | None = None
) -> Judgement:
    """Judges one hand under one house's rules; ``trace`` as for :func:`~analyzer.judge.replay.replay`.

    ``effort`` is what may still be spent on unknown cards; not given, as much as one hand may take.
    """
    try:
        replayed = replay(hand, house, trace)
    except SuitOpen:  # a hand without such cards pays nothing for this question
        from analyzer.judge.suits import judge_open

        return judge_open(hand, house, trace, judge)
    return _concluded(replayed, Effort() if effort is None else effort)


def judge_all(hands: Iterable[tuple[Hand, RuleSet]]) -> list[Judgement | Exception]:
    """Judges a few hands, each as :func:`judge` does; of one that the program fails on, the exception.

    All are replayed, then all concluded, which takes a tenth less time than one hand after the other: the
    processor's caches have room for the one program or the other.
    """
    found: list[Replay | Judgement | Exception] = []
    for hand, rules in hands:
        try:
            house = house_of(rules)
            try:
                found.append(replay(hand, house))
            except SuitOpen:
                found.append(judge(hand, house))
        except Exception as error:
            found.append(error)
    return [_attempted(one) if isinstance(one, Replay) else one for one in found]


def _attempted(replayed: Replay) -> Judgement | Exception:
    try:
        return _concluded(replayed, Effort())
    except Exception as error:
        return error


def _concluded(replayed: Replay, effort: Effort) -> Judgement:
    """What follows from a replay: certainty, places, forfeit, settlement, the recorded result checked."""
    undecided = _weigh(replayed, effort) if replayed.unsure else []
    places = find_places(replayed)
    forfeit = find_forfeit(replayed, effort)
    settlement = settle(replayed, places, forfeit)
    places_check, net_check = _check_result(replayed, places, settlement)
    return Judgement(
        replayed,
        _outcome(replayed),
        places,
        forfeit,
        settlement,
        _next_lead(replayed, places, forfeit),
        undecided,
        places_check,
        net_check,
    )


def _weigh(replayed: Replay, effort: Effort) -> list[Pass]:
    """Decides the passes that hung on unknown cards; returns those that stay undecided."""
    undecided = []
    for entry in replayed.unsure:
        certainty = certainty_of(replayed.house, replayed.dealt, [entry], effort)
        if certainty == "certain":
            replayed.missed.append(entry)
        elif certainty is not None:
            undecided.append(entry)
    replayed.missed.sort(key=event_of)
    replayed.unsure = undecided
    return undecided


def _outcome(replayed: Replay) -> Outcome:
    if replayed.redeal:
        return "redeal"
    if replayed.winners:
        return "instant_win"
    return "finished" if replayed.table.hand_over else "unfinished"


def _next_lead(replayed: Replay, places: list[int] | None, forfeit: Forfeit | None) -> Lead | None:
    if replayed.winners:
        if replayed.house.knobs.lead.after_instant_win == "opening":
            return Lead("opening")
        return Lead("won_previous", replayed.winners[0][0])
    if places is None:
        return None
    if forfeit is not None and forfeit.certainty == "certain":
        return Lead("forfeited_previous", forfeit.seat)
    return Lead("won_previous", places[0])


def _check_result(
    replayed: Replay, places: list[int] | None, settlement: Settlement
) -> tuple[Agreement, Agreement]:
    result = replayed.hand.result
    if result is None:
        return "absent", "absent"
    places_check: Agreement = "absent"
    net_check: Agreement = "absent"
    if result.places is not None:
        facts = checks.places_mismatch(list(result.places), places)
        places_check = _told(replayed, "places_mismatch", facts)
    if result.net is not None:
        recorded = [int(amount * UNIT) for amount in result.net]
        net_check = _told(replayed, "net_mismatch", checks.net_mismatch(recorded, settlement.net))
    return places_check, net_check


def _told(replayed: Replay, code: str, facts: Facts | None) -> Agreement:
    if facts is None:
        return "agrees"
    replayed.findings.append(Finding.of(code, None, None, facts))
    return "differs"
