"""What if, further on: the acts of a hand as it was played, as far as they can still follow another way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from analyzer.judge.findings import Finding
from analyzer.locale import N_, Message
from analyzer.reports.account import Account, Flag, Step, make_account
from analyzer.reports.drafting import Drafted, log_of


@dataclass(frozen=True, slots=True)
class Rest:
    """Acts that may follow, as a log tells them, and what is then to be said."""

    events: list[dict[str, Any]]
    told: Message


def rest_of(draft: Drafted, played: Account) -> Rest | None:
    """The acts that were played after as many as the draft has; None where there were none.

    They end before the first that can no longer be: for which a card is missing, or which breaks a rule now
    that it did not break as it was played. Both hands are judged under the rules of the played one.
    """
    first = len(draft.hand.events)
    later = played.hand.events[first:]
    if not later:
        return None
    whole = msgspec.structs.replace(draft.hand, events=[*draft.hand.events, *later])
    account = make_account(whole, played.rules)
    known = {key_of(flag.finding) for step in played.steps[first:] for flag in step.flags}
    for step in account.steps[first:]:
        for flag in step.flags:
            if _breaks(flag.finding) and key_of(flag.finding) not in known:
                return Rest(log_of(played.hand)["events"][first : step.index], _stopped(first, step, flag))
    told = N_("Acts that followed as they were played: {n}, to the last one.")
    return Rest(log_of(played.hand)["events"][first:], Message(told, n=len(later)))


def _stopped(first: int, step: Step, flag: Flag) -> Message:
    values = {"act": step.index + 1, "what": step.text, "why": flag.message}
    if step.index == first:
        return Message(N_("Act {act} can no longer follow ({what}): {why}"), **values)
    told = N_("Acts that followed as they were played: {n}. Act {act} can no longer follow ({what}): {why}")
    return Message(told, n=step.index - first, **values)


def _breaks(finding: Finding) -> bool:
    return finding.severity == "error" and finding.certainty == "certain"


def key_of(finding: Finding) -> tuple[str, int | None, int | None]:
    """What a finding is known by in two ways to play one hand."""
    return finding.code, finding.event, finding.seat
