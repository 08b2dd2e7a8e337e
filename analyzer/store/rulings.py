"""Cases in the journal: what was claimed about a hand, what was decided, cases closed and opened again.

Pure functions over the journal's entries. What a decision moves is worked out when it is made
(:mod:`~analyzer.store.deciding`) and kept in its entry, so that it is evidence and stays what it is whatever
later programs would settle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Final

import msgspec

from analyzer.judge.amounts import UNIT
from analyzer.judge.rulings import OUTCOMES, About, Case, Claim, Decision, Moved, Outcome, Turned
from analyzer.locale import N_, Message
from analyzer.store.journal import Entry
from analyzer.store.treasury import Amount, Check, Id, Refused, entered
from analyzer.store.treasury import Decision as Entered

CLAIMED: Final = "case_claimed"
RULED: Final = "ruled"
CLOSED: Final = "case_closed"
REOPENED: Final = "case_reopened"
KINDS: Final = (CLAIMED, RULED, CLOSED, REOPENED)
"""The kinds of entries that are read here."""

TEXT: Final = 500
"""Characters of a claim or a reason."""

ADJUSTMENTS: Final = 12
"""Amounts that one decision names at most: each pair of four players, both ways."""

Key = tuple[str, str]
"""A hand: (club, hand id)."""

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=TEXT)]
Sha = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]


class OnHand(Entered, frozen=True, kw_only=True, omit_defaults=True):
    """What is about one hand of a club."""

    hand: Id

    @property
    def key(self) -> Key:
        return self.club, self.hand


class Claimed(OnHand, frozen=True, kw_only=True, omit_defaults=True):
    """What somebody says was wrong with a hand, as it was with this content."""

    content_sha256: Sha
    claimant: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    text: Text


class Moving(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Money that a decision moves; neither seat nor player is the bank."""

    from_seat: Seat | None = None
    from_player: Id | None = msgspec.field(default=None, name="from")
    to_seat: Seat | None = None
    to_player: Id | None = msgspec.field(default=None, name="to")
    amount: Amount

    def __post_init__(self) -> None:
        if Decimal(self.amount) <= 0 or self.from_seat == self.to_seat:
            raise ValueError("money that moves is above zero, from one to another")


class Ruled(OnHand, frozen=True, kw_only=True, omit_defaults=True):
    """A decision on a finding of a hand, as the hand was with this content."""

    content_sha256: Sha
    code: Annotated[str, msgspec.Meta(max_length=60)] | None = None
    event: Annotated[int, msgspec.Meta(ge=0, le=65535)] | None = None
    seat: Seat | None = None
    outcome: Outcome
    reason: Annotated[str, msgspec.Meta(max_length=TEXT)] = ""
    currency: Id = ""
    moves: Annotated[tuple[Moving, ...], msgspec.Meta(max_length=ADJUSTMENTS)] = ()

    def __post_init__(self) -> None:
        if self.outcome != "upheld" and not self.reason.strip():
            raise ValueError("what is dismissed or adjusted has a reason")

    @property
    def about(self) -> About:
        return About(self.code, self.event, self.seat)


class Closed(OnHand, frozen=True, kw_only=True, omit_defaults=True):
    """A case closed."""

    reason: Annotated[str, msgspec.Meta(max_length=TEXT)] = ""


class Reopened(OnHand, frozen=True, kw_only=True, omit_defaults=True):
    """A case opened again, and why."""

    reason: Text


def cases(entries: Iterable[Entry]) -> dict[Key, Case]:
    """(club, hand) → its case. Raises DatabaseError, naming the entry, for one that cannot be read."""
    steps: dict[Key, list[Claim | Decision | Turned]] = {}
    for entry in entries:
        told: OnHand
        step: Claim | Decision | Turned
        made = entry.number, entry.at, entry.by
        match entry.kind:
            case "case_claimed":
                told = claimed = entered(entry, Claimed)
                step = Claim(*made, claimed.claimant, claimed.text, claimed.content_sha256)
            case "ruled":
                told = ruled = entered(entry, Ruled)
                moves = tuple(
                    Moved(moving.from_seat, moving.to_seat, thousandths(Decimal(moving.amount)))
                    for moving in ruled.moves
                )
                step = Decision(*made, ruled.content_sha256, ruled.about, ruled.outcome, ruled.reason, moves)
            case "case_closed":
                told = closed = entered(entry, Closed)
                step = Turned(*made, "closed", closed.reason)
            case "case_reopened":
                told = reopened = entered(entry, Reopened)
                step = Turned(*made, "reopened", reopened.reason)
            case _:
                continue
        steps.setdefault(told.key, []).append(step)
    return {key: Case(*key, tuple(found)) for key, found in steps.items()}


def case_of(entries: Iterable[Entry], key: Key) -> Case:
    """The case of one hand; an empty one where nobody entered anything."""
    own = (entry for entry in entries if (entry.data.get("club", ""), entry.data.get("hand")) == key)
    return cases(own).get(key) or Case(*key)


def rulings_on(entries: Iterable[Entry], row: Mapping[str, Any]) -> list[Decision]:
    """The decisions that stand on a stored hand (a row of ``hands``)."""
    return case_of(entries, (row["club_id"], row["hand_id"])).ruled(row["content_sha256"])


def thousandths(amount: Decimal) -> int:
    """An exact amount in thousandths of its unit."""
    return int(amount * UNIT)


# -- what may be entered ---------------------------------------------------------------------------


def may_claim(claimed: Claimed) -> Check:
    """Refuses what was claimed already in the same words, and a case that is closed."""

    def check(entries: tuple[Entry, ...]) -> None:
        case = _open(entries, claimed.key)
        for claim in case.claims:
            if (claim.claimant, claim.text) == (claimed.claimant, claimed.text):
                raise Refused(
                    N_("{who} has claimed this already (entry {number}). It was not entered a second time."),
                    who=claim.claimant,
                    number=claim.number,
                )

    return check


def may_rule(ruled: Ruled) -> Check:
    """Refuses a second decision on a finding, naming the first, and a case that is closed."""

    def check(entries: tuple[Entry, ...]) -> None:
        found = _open(entries, ruled.key).binding(ruled.about, ruled.content_sha256)
        if found is not None:
            raise Refused(
                N_(
                    "{by} has decided this already (entry {number}: {outcome}). To decide it anew, reopen "
                    "the case with a reason."
                ),
                by=found.by,
                number=found.number,
                outcome=Message(OUTCOMES[found.outcome]),
            )

    return check


def may_close(closed: Closed) -> Check:
    """Refuses a case that is closed, and one in which nothing was entered."""

    def check(entries: tuple[Entry, ...]) -> None:
        if not _open(entries, closed.key).steps:
            raise Refused(N_("Nothing was claimed or decided about this hand: there is no case to close."))

    return check


def may_reopen(reopened: Reopened) -> Check:
    """Refuses a case in which everything can be decided as it is."""

    def check(entries: tuple[Entry, ...]) -> None:
        case = case_of(entries, reopened.key)
        decided = any(decision.number > case.reopened for decision in case.decisions)
        if not case.closed and not decided:
            raise Refused(N_("This case is open: decide it, or close it."))

    return check


def _open(entries: tuple[Entry, ...], key: Key) -> Case:
    case = case_of(entries, key)
    if case.closed:
        last = case.steps[-1]
        raise Refused(
            N_("{by} closed this case (entry {number}). Reopen it first, with a reason."),
            by=last.by,
            number=last.number,
        )
    return case
