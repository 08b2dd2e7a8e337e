"""What a correction changes: the log act by act, then places, money, findings, the lead of the next hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from typing import Final

from analyzer.judge.between import SessionFinding
from analyzer.judge.findings import Finding
from analyzer.judge.rulings import OUTCOMES, About, Case, Decision, after_rulings
from analyzer.judge.verdict import message_of
from analyzer.locale import N_, Joined, Message
from analyzer.reports.account import Account, outcome_text
from analyzer.reports.aligning import Act, acts_of, head_of, lead_told
from analyzer.reports.evening import hand_called
from analyzer.reports.money import REASONS, Amount, Number
from analyzer.reports.rating import Rating
from analyzer.reports.text import safe, sure_text

MARKS: Final = {"added": "+", "dropped": "−", "changed": "~", "same": " "}

AROUND: Final = 1
"""Acts shown before and after those that differ."""

MOST: Final = 400
"""No more lines of a kind than this are told; two logs that differ in more have little in common."""


Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One part of what changed; no lines where nothing did."""

    title: Message
    lines: list[Message]
    nothing: Message


def sections_of(one: Account, other: Account, case: Case) -> list[Section]:
    """What differs between two revisions of a hand, and what that changes in the hand itself.

    The accounts are those before any ruling; the money is told after the rulings of ``case`` that count on
    each revision.
    """
    acts = acts_of(one.hand, other.hand)
    head = [_changed(entry.name, entry.before, entry.after) for entry in head_of(one.hand, other.hand)]
    return [
        Section(Message(N_("In the log")), head, Message(N_("Nothing but acts differs."))),
        Section(Message(N_("Act by act")), _bounded(_acts(acts)), Message(N_("Every act is the same."))),
        Section(Message(N_("Places")), list(_places(one, other)), Message(N_("The places stay."))),
        Section(
            Message(N_("Money")),
            list(_money(_after(one, case), _after(other, case))),
            Message(N_("No money changes.")),
        ),
        ruling_section(
            case.standing(one.verdict.content_sha256).values(), case.standing(other.verdict.content_sha256)
        ),
        Section(
            Message(N_("Findings")), _bounded(_findings(one, other, acts)), Message(N_("The findings stay."))
        ),
        Section(Message(N_("Next lead")), list(_lead(one, other)), Message(N_("The next lead stays."))),
    ]


def sections_text(sections: list[Section], lang: str) -> str:
    """The sections as plain text."""
    lines = []
    for section in sections:
        lines.append(section.title.render(lang))
        lines += [f"  {line.render(lang)}" for line in section.lines or [section.nothing]]
    return "\n".join(safe(line) for line in lines) + "\n"


def _bounded(lines: Iterator[Message]) -> list[Message]:
    found = list(islice(lines, MOST + 1))
    return [*found[:MOST], Message(N_("… and more."))] if len(found) > MOST else found


def _changed(name: Message, before: Message, after: Message) -> Message:
    return Message("{name}: {before} → {after}", name=name, before=before, after=after)


# -- the acts --------------------------------------------------------------------------------------


def _acts(acts: list[Act]) -> Iterator[Message]:
    """The acts that differ, with those beside them; ``…`` stands for those left out."""
    differing = [k for k, act in enumerate(acts) if act.changed]
    near = {n for k in differing for n in range(k - AROUND, k + AROUND + 1) if 0 <= n < len(acts)}
    last = -1
    for k in sorted(near):
        if k != last + 1:
            yield Message("…")
        last = k
        yield from _act(acts[k])
    if near and last + 1 < len(acts):
        yield Message("…")


def _act(act: Act) -> Iterator[Message]:
    kind = "same"
    if act.changed:
        kind = "added" if act.before is None else "dropped" if act.after is None else "changed"
    for side, index, text in (
        ("dropped", act.before, act.text_before),
        ("added", act.after, act.text_after),
    ):
        if text is None or index is None or (kind == "same" and side == "dropped"):
            continue
        mark = MARKS[side if kind != "same" else kind]
        yield Message("{mark} {index}  {act}", mark=mark, index=index + 1, act=text)


# -- what it changes -------------------------------------------------------------------------------


def _places(one: Account, other: Account) -> Iterator[Message]:
    before, after = outcome_text(one), outcome_text(other)
    if before.both() != after.both():
        yield Message("{before} → {after}", before=before, after=after)
    frozen = [
        Message("{names}", names=" · ".join(a.name(s) for s in a.verdict.frozen) or "—") for a in (one, other)
    ]
    if frozen[0].both() != frozen[1].both():
        yield _changed(Message(N_("Frozen")), frozen[0], frozen[1])


def _after(account: Account, case: Case) -> Account:
    """A revision with the money that counts on it."""
    verdict = account.verdict
    return replace(account, verdict=after_rulings(verdict, case.moves(verdict.content_sha256)))


def _money(one: Account, other: Account) -> Iterator[Message]:
    """Of everybody whose money changes: before, after, the difference, and its causes."""
    currencies = one.hand.currency, other.hand.currency
    sides = [_causes(account) for account in (one, other)]
    nets = [_nets(account) for account in (one, other)]
    for player, name in _names(one, other).items():
        before, after = (net.get(player, Decimal(0)) for net in nets)
        parts = []
        for reason in REASONS:
            was, is_ = (side[player, reason] for side in sides)
            if was != is_:
                parts.append(
                    Message(
                        "{cause} {before} → {after}",
                        cause=Message(REASONS[reason]),
                        before=Amount(was, currencies[0], signed=True),
                        after=Amount(is_, currencies[1], signed=True),
                    )
                )
        if before == after and not parts and currencies[0] == currencies[1]:
            continue
        told = _changed(
            Message("{name}", name=name),
            Amount(before, currencies[0], signed=True),
            Amount(after, currencies[1], signed=True),
        )
        if parts:
            told = Message("{told} ({causes})", told=told, causes=Joined(list(parts), "; "))
        yield told


def _causes(account: Account) -> dict[tuple[str, str], Decimal]:
    """(player, reason) → what that brought, nothing where there is no such transfer."""
    found: defaultdict[tuple[str, str], Decimal] = defaultdict(Decimal)
    ids = [player.id for player in account.hand.players]
    for transfer in account.verdict.transfers:
        for seat, sign in ((transfer.from_, -1), (transfer.to, 1)):
            if seat is not None:
                found[ids[seat], transfer.reason] += sign * transfer.amount
    return found


def _nets(account: Account) -> dict[str, Decimal]:
    return {p.id: net for p, net in zip(account.hand.players, account.verdict.net, strict=True)}


def _names(one: Account, other: Account) -> dict[str, str]:
    return {p.id: p.name or p.id for account in (one, other) for p in account.hand.players}


def _findings(one: Account, other: Account, acts: list[Act]) -> Iterator[Message]:
    """What is found no more and what is found now; an act that only moved is the same one."""
    moved: dict[int, int | None] = {
        act.before: act.after for act in acts if act.before is not None and not act.changed
    }
    left = Counter(_known(one, finding, moved) for finding in one.judgement.findings)
    right = Counter(_known(other, finding, None) for finding in other.judgement.findings)
    sides: list[tuple[str, Account, dict[int, int | None] | None, Counter[Key], Counter[Key]]] = [
        (N_("no more: {finding}"), one, moved, left, right),
        (N_("new: {finding}"), other, None, right, left),
    ]
    for text, account, found, known, others in sides:
        gone = known - others
        for finding in account.judgement.findings:
            key = _known(account, finding, found)
            if gone[key] > 0:
                gone[key] -= 1
                yield Message(text, finding=_finding(account, finding))
    before, after = (_forfeit(account) for account in (one, other))
    if before.both() != after.both():
        yield _changed(Message(N_("Paying for the table")), before, after)


def _known(account: Account, finding: Finding, moved: dict[int, int | None] | None) -> Key:
    event = finding.event
    if event is not None and moved is not None:
        event = moved.get(event, -1 - event)
    seat = finding.seat
    player = account.hand.players[seat].id if seat is not None and seat < len(account.hand.players) else None
    return finding.code, event, player, finding.certainty


def _finding(account: Account, finding: Finding) -> Message:
    message = sure_text(message_of(finding, account.hand), finding.certainty)
    if finding.event is None:
        return message
    return Message(N_("act {act}: {finding}"), act=finding.event + 1, finding=message)


def _forfeit(account: Account) -> Message:
    return account.forfeit or Message(N_("nobody"))


def _lead(one: Account, other: Account) -> Iterator[Message]:
    before, after = (_next(account) for account in (one, other))
    if before.both() != after.both():
        yield Message("{before} → {after}", before=before, after=after)


def _next(account: Account) -> Message:
    lead = account.verdict.next_lead
    return Message(N_("not decided")) if lead is None else lead_told(account.hand, lead)


# -- around the hand -------------------------------------------------------------------------------


def evening_section(gone: Sequence[SessionFinding], new: Sequence[SessionFinding]) -> Section:
    """What is found no more between the hands of the evening, and what is found now."""
    lines = [
        Message(text, finding=Message("{hand}: {finding}", hand=hand_called(f.hand), finding=f.message))
        for text, found in ((N_("no more: {finding}"), gone), (N_("new: {finding}"), new))
        for f in found
    ]
    return Section(
        Message(N_("The other hands of the evening")), lines, Message(N_("They stay as they were."))
    )


def ruling_section(made: Iterable[Decision], again: Mapping[About, Decision]) -> Section:
    """Decisions that count no money under the other revision until somebody takes them again."""
    lines = [
        Message(
            N_("{outcome} by {by} (entry {number}) counts no money until it is decided again."),
            outcome=Message(OUTCOMES[decision.outcome]),
            by=decision.by,
            number=decision.number,
        )
        for decision in made
        if decision.about not in again
    ]
    return Section(Message(N_("What was ruled")), lines, Message(N_("No decision is touched.")))


def rating_section(
    before: Mapping[str, Rating], after: Mapping[str, Rating], names: Mapping[str, str]
) -> Section:
    """Whose rating changes, by how much; ``names`` is what persons are called."""
    lines = []
    for person in sorted(before.keys() | after.keys()):
        was, is_ = (
            Message("{mu} ± {sigma}", mu=_figure(one[person].mu), sigma=_figure(one[person].sigma))
            if person in one
            else Message("—")
            for one in (before, after)
        )
        if was.render("en") != is_.render("en"):
            lines.append(_changed(Message("{name}", name=names.get(person, person)), was, is_))
    return Section(Message(N_("Ratings")), lines, Message(N_("No rating changes.")))


def _figure(value: float) -> Number:
    """A rating's figure, to two places."""
    return Number(Decimal(f"{value:.2f}"))
