"""One hand, judged: replay, certainty, places, forfeit and settlement in one value.

This is what bulk work reads. For the public form, with texts and options, see
:mod:`analyzer.judge.verdict`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analyzer.judge import checks
from analyzer.judge.certainty import certainty_of
from analyzer.judge.findings import Facts, Finding
from analyzer.judge.forfeits import Forfeit, find_forfeit
from analyzer.judge.passes import Pass
from analyzer.judge.replay import Frame, Replay, replay
from analyzer.judge.settlement import Settlement, exact, find_places, settle
from analyzer.logs.hand import Hand, Lead
from analyzer.rules.house import House

Outcome = Literal["finished", "instant_win", "redeal", "unfinished"]
Agreement = Literal["agrees", "differs", "absent"]


@dataclass(slots=True)
class Judgement:
    """Everything that was decided about one hand."""

    replay: Replay
    outcome: Outcome
    places: list[int] | None
    forfeit: Forfeit | None
    settlement: Settlement
    next_lead: Lead | None
    undecided: list[Pass]
    places_check: Agreement
    net_check: Agreement

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


def judge(hand: Hand, house: House, trace: list[Frame] | None = None) -> Judgement:
    """Judges one hand under one house's rules; ``trace`` as for :func:`~analyzer.judge.replay.replay`."""
    replayed = replay(hand, house, trace)
    undecided = _weigh(replayed) if replayed.unsure else []
    places = find_places(replayed)
    forfeit = find_forfeit(replayed)
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


def _weigh(replayed: Replay) -> list[Pass]:
    """Decides the passes that hung on unknown cards; returns those that stay undecided."""
    undecided = []
    for entry in replayed.unsure:
        certainty = certainty_of(replayed.house, replayed.dealt, [entry])
        if certainty == "certain":
            replayed.missed.append(entry)
        elif certainty is not None:
            undecided.append(entry)
    replayed.missed.sort()
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
        recorded: Sequence[str] = [exact(int(amount.scaleb(3))) for amount in result.net]
        facts = checks.net_mismatch(list(recorded), [exact(amount) for amount in settlement.net])
        net_check = _told(replayed, "net_mismatch", facts)
    return places_check, net_check


def _told(replayed: Replay, code: str, facts: Facts | None) -> Agreement:
    if facts is None:
        return "agrees"
    replayed.findings.append(Finding.of(code, None, None, facts))
    return "differs"
