"""One point of a ruling sheet: what is to be decided, with its proof, and what was decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from analyzer.cards import symbols_of_texts
from analyzer.judge.rulings import FORFEIT, net_after
from analyzer.locale import N_, Message
from analyzer.reports.account import dismissed_text
from analyzer.reports.grounds import GroundTold
from analyzer.reports.paper import escaped, figure, said, table, tagged
from analyzer.reports.points import Point
from analyzer.reports.ruling_words import MOST_NOTE, Writer, cards_text
from analyzer.reports.text import CERTAINTY_NAMES, MARKS, SEVERITY_NAMES, cited, holding_text, table_text

PEN: Final = N_("☐ upheld   ☐ dismissed   ☐ adjusted: …………… pays …………… ……………   Reason: ……………………………………")


def point_section(to: Writer, number: int, point: Point) -> str:
    """One thing to be decided, with its proof and what was decided."""
    severity = to.t(SEVERITY_NAMES[point.severity])
    heading = f"{MARKS[point.severity]} {severity}: {point.message.render(to.lang)}"
    decision = to.standing.get(point.about)
    if decision is not None and decision.outcome == "dismissed":
        # The account tells a dismissed forfeit as such.
        told = point.message if point.about.code == FORFEIT else dismissed_text(point.message)
        heading = told.render(to.lang)
    return (
        f'<section class="point"><h3>{escaped(f"{number}. {heading}")}</h3>'
        + to.facts(_proof(to, point))
        + _effect(to, point)
        + "</section>"
    )


def _proof(to: Writer, point: Point) -> Iterator[tuple[str, str]]:
    """The table, the holding, the alternatives, the rule, the certainty, the decision."""
    account, step = to.account, point.step
    if step is not None:
        seat = step.event.seat
        yield N_("Act number"), f"{figure(str(step.index + 1))} · {to.code(step.index)}"
        yield N_("On the table"), to.m(table_text(account, step.before, bool(step.chops)))
        if seat is not None:
            held = cards_text(holding_text(step.before, seat))
            yield N_("Holding before it"), f"{escaped(account.name(seat))}: {held}"
        yield N_("Act"), escaped(step.text.render(to.lang)[:MOST_NOTE])
    elif point.about.seat is not None:
        seat = point.about.seat
        held = cards_text(holding_text(account.frames[0], seat))
        yield N_("Holding at the deal"), f"{escaped(account.name(seat))}: {held}"
    if point.plays is not None or point.no_plays is not None:
        yield N_("Every legal alternative"), _alternatives(to, point)
    yield N_("Rule"), escaped(cited(point.ground, to.lang)) + _because(to, point.ground)
    yield N_("How sure"), said(CERTAINTY_NAMES[point.certainty], to.lang)
    for depends in point.depends:
        yield N_("What it hangs on"), to.m(depends)
    decisions = [d for d in to.case.decisions if d.about == point.about]
    if not decisions and point.severity != "info":
        yield N_("Decision"), f'<span class="pen">{said(PEN, to.lang)}</span>'
    for decision in decisions:
        yield N_("Decision"), to.decision(decision)


def _alternatives(to: Writer, point: Point) -> str:
    """The legal plays that there were, all of them."""
    step = point.step
    about = f" ({to.m(point.no_plays)})" if point.no_plays is not None else ""
    if point.plays is None:
        return about[2:-1]
    told = [f'<span class="c">{escaped(symbols_of_texts(play))}</span>' for play in point.plays]
    if step is not None and step.before.top and not step.before.closed:
        told.append(said(N_("to pass"), to.lang))
    return f"<strong>{len(told)}</strong>{about}: " + " | ".join(told) if told else about


def _because(to: Writer, ground: GroundTold) -> str:
    """Why a value was inferred or agreed."""
    if not ground.because:
        return ""
    return "<br>" + to.e(N_("because: {reason}"), reason=Message(ground.because))


def _effect(to: Writer, point: Point) -> str:
    """The money before and after, as far as the point or its decision moves any."""
    account = to.account
    before = account.judgement.settlement.net
    decision = to.standing.get(point.about)
    columns = [(N_("as settled"), before)]
    if point.without != point.with_:
        columns += [(N_("if upheld"), point.with_), (N_("if dismissed"), point.without)]
    if decision is not None and decision.moves:
        columns.append((N_("after the decision"), net_after(before, decision.moves)))
    if len(columns) == 1:
        return tagged("p", N_("Money: this point moves none by itself."), to.lang)
    rows = [
        (escaped(account.name(seat)), *(to.money(column[seat]) for _, column in columns))
        for seat in range(len(before))
    ]
    heads = (N_("Money"), *(name for name, _ in columns))
    return table(heads, rows, to.lang, "stacked")
