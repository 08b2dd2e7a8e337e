"""The account of a hand as plain text for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from analyzer.cards import symbols_of_texts, told_of
from analyzer.judge.replayed import Frame
from analyzer.judge.seats import NOBODY
from analyzer.locale import N_, Joined, Message, translate
from analyzer.reports.account import (
    Account,
    Flag,
    Step,
    lead_text,
    line_text,
    options_text,
    outcome_text,
)
from analyzer.reports.conclusion import conclusion_texts
from analyzer.reports.grounds import GroundTold
from analyzer.reports.money import Amount
from analyzer.reports.suits import hanging_texts

SEVERITY_NAMES: Final = {"error": N_("error"), "warning": N_("warning"), "info": N_("note")}
CERTAINTY_NAMES: Final = {
    "certain": N_("certain"),
    "possible": N_("possible: unknown cards decide"),
    "undecidable": N_("undecidable: too many deals fit the log"),
}
MARKS: Final = {"error": "✗", "warning": "!", "info": "i"}

_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def safe(text: str) -> str:
    """Text from a log without characters that could steer a terminal or turn its direction."""
    return _UNSAFE.sub("�", text)


def render(account: Account, lang: str, at: int | None = None) -> str:
    """The whole account in a language; a mark stands before the event ``at``."""
    return "\n".join(safe(line) for line in _lines(account, lang, at)) + "\n"


def _lines(account: Account, lang: str, at: int | None) -> Iterator[str]:
    def t(text: str, **values: object) -> str:
        return Message(text, **values).render(lang)

    hand, rules = account.hand, account.rules
    title = rules.title.get(lang, rules.id)
    stake = Amount(hand.stake, hand.currency).render(lang)
    head = [t(N_("Hand {id}"), id=hand.hand_id), f"{title} [{rules.id}]", t(N_("stake {stake}"), stake=stake)]
    if hand.played_at:
        head.append(hand.played_at)
    yield " · ".join(head)
    yield from (f"{line.render(lang)}." for line in conclusion_texts(account))
    yield ""
    yield t(N_("Rules {sha} · log {log}"), sha=rules.sha256[:12], log=account.verdict.content_sha256[:12])
    yield lead_text(account).render(lang)
    yield ""
    yield t(N_("Deal"))
    width = max(len(account.name(seat)) for seat in range(len(hand.players)))
    first = account.frames[0]
    for seat in range(len(hand.players)):
        cards = holding_text(first, seat)
        yield f"  {account.name(seat):{width}}  {cards}"
    for flag in account.deal_flags:
        yield from _flag(account, flag, lang, "  ")
    if account.steps:
        yield ""
        yield t(N_("Course of play (before each act: what lay on the table; after it: cards left)"))
    trick = 0
    for step in account.steps:
        if step.after.trick != trick:
            trick = step.after.trick
            yield "  " + t(N_("Trick {n}"), n=trick)
        yield from _step(account, step, lang, step.index == at)
        if account.verdict.disputed_from == step.index:
            yield "  " + t(N_("— everything after this is disputed —"))
    yield ""
    yield outcome_text(account).render(lang) + "."
    if account.verdict.frozen:
        names = " · ".join(account.name(seat) for seat in account.verdict.frozen)
        yield t(N_("Frozen: {names}"), names=names)
    if account.forfeit is not None and account.forfeit_ground is not None:
        yield account.forfeit.render(lang)
        forfeit = account.verdict.forfeit
        if forfeit is not None and forfeit.options:
            shown = options_text(forfeit.options, len(forfeit.options)).render(lang)
            yield "  " + t(N_("could have played: {options}"), options=shown)
        yield "  " + cited(account.forfeit_ground, lang)
    for flag in account.end_flags:
        yield from _flag(account, flag, lang, "")
    yield ""
    yield t(N_("Settlement"))
    if not account.lines:
        yield "  " + t(N_("nobody pays anything"))
    for line in account.lines:
        yield f"  {line_text(account, line).render(lang)}"
        for ground in line.grounds:
            yield "    " + cited(ground, lang)
    net = [
        f"{account.name(seat)} {Amount(amount, hand.currency, signed=True).render(lang)}"
        for seat, amount in enumerate(account.verdict.net)
    ]
    yield t(N_("Net")) + ": " + " · ".join(net)
    if account.before != account.verdict.net:
        before = [
            f"{account.name(seat)} {Amount(amount, hand.currency, signed=True).render(lang)}"
            for seat, amount in enumerate(account.before)
        ]
        yield t(N_("Net before the rulings")) + ": " + " · ".join(before)
    hanging = hanging_texts(account)
    if hanging:
        yield ""
        yield t(
            N_("What hangs on suits that nobody remembers (only what is owed in any case is counted above)")
        )
        yield from ("  " + text.render(lang) for text in hanging)


def _step(account: Account, step: Step, lang: str, marked: bool) -> Iterator[str]:
    before, after = step.before, step.after
    left = " · ".join(f"{account.name(seat)} {after.counts[seat]}" for seat in range(len(after.counts)))
    table = table_text(account, before, bool(step.chops)).render(lang)
    mark = "▶" if marked else " "
    yield f"{mark} {step.index + 1:>3}  [{table}]  {step.text.render(lang)}  ({left})"
    for chop in step.chops:
        yield f"       ⚔ {chop.render(lang)}"
    if step.missed is not None:
        options = options_text(step.missed.options, step.missed.option_count).render(lang)
        text = N_("could have played ({n}): {options}")
        yield "       ◦ " + Message(text, n=step.missed.option_count, options=options).render(lang)
    if step.undecided:
        yield "       ◦ " + translate(N_("whether this pass let something go depends on unknown cards"), lang)
    for flag in step.flags:
        yield from _flag(account, flag, lang, "       ")


def holding_text(frame: Frame, seat: int) -> str:
    """The cards a seat holds; one that nobody knows is ``??``, one of open suit a rank alone."""
    known = symbols_of_texts(told_of(frame.holdings[seat], frame.open_held[seat]))
    hidden = frame.counts[seat] - frame.holdings[seat].bit_count()
    return " ".join([*([known] if known else []), *["??"] * hidden])


def table_text(account: Account, frame: Frame, chopped: bool) -> Message:
    """What lies on the table; the top of a trick that is over still counts for one who chops it."""
    if not frame.top or (frame.closed and not chopped):
        return Message(N_("empty table"))
    owner = account.name(frame.owner) if frame.owner != NOBODY else ""
    passed = [account.name(seat) for seat in range(len(frame.counts)) if frame.passed >> seat & 1]
    cards = symbols_of_texts(told_of(frame.top, frame.open_top))
    told = [Message("{cards} · {owner}", cards=cards, owner=owner)]
    if passed:
        told.append(Message(N_("passed: {names}"), names=", ".join(passed)))
    return Joined(told, " · ")


def _flag(account: Account, flag: Flag, lang: str, indent: str) -> Iterator[str]:
    finding = flag.finding
    severity = translate(SEVERITY_NAMES[finding.severity], lang)
    told = sure_text(flag.message, finding.certainty).render(lang)
    yield f"{indent}{MARKS[finding.severity]} {severity} {finding.code}: {told}"
    yield f"{indent}  {cited(flag.ground, lang)}"


def sure_text(finding: Message, certainty: str) -> Message:
    """What was found, and how sure that is where it is not certain."""
    if certainty == "certain":
        return finding
    return Message("{finding} ({sure})", finding=finding, sure=Message(CERTAINTY_NAMES[certainty]))


def cited(ground: GroundTold, lang: str) -> str:
    value = f" = {ground.value.render(lang)}" if ground.value is not None else ""
    name = ground.name.render(lang).rstrip(".")
    return Message(
        N_("rule {rule}{value} ({name}); {cite}"),
        rule=ground.rule,
        value=value,
        name=name,
        cite=ground.cite(lang),
    ).render(lang)
