"""The ruling sheet (biên bản phân xử): all there is to know about a disputed hand, on paper or a phone.

It is made of the log, the rules and what was decided, and of nothing else: no clock, no chance, nothing of
the machine. Two people who print it get the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from analyzer.judge.rulings import Case, Claim, Decision, Turned, net_after
from analyzer.locale import N_
from analyzer.reports.account import (
    Account,
    Step,
    after_decisions,
    lead_text,
    line_text,
    options_text,
    outcome_text,
)
from analyzer.reports.cases import about_text, moved_text
from analyzer.reports.grounds import describe, ground_of
from analyzer.reports.money import format_signed
from analyzer.reports.paper import (
    STYLE,
    document,
    escaped,
    figure,
    moment_text,
    said,
    signatures,
    table,
    tagged,
)
from analyzer.reports.points import points_of
from analyzer.reports.rule_sheet import SECTION_NAMES, path_value, paths_of
from analyzer.reports.ruling_points import point_section
from analyzer.reports.ruling_words import MOST_NOTE, Writer, cards_text
from analyzer.reports.suits import hanging_texts
from analyzer.reports.text import cited, holding_text, table_text

ZONE: Final = "Asia/Ho_Chi_Minh"
"""Where the times of decisions are told, unless the club has another clock."""

TURNS: Final = {"closed": N_("The case was closed"), "reopened": N_("The case was opened again")}

SHEET_STYLE: Final = (
    STYLE
    + """
.c { display: inline-block; margin-right: .15em; }
.code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; }
.trick td { font-weight: 600; border-bottom: 1px solid #1d2420; padding-top: .6rem; }
.at { border-left: 4px solid #1d2420; }
.late td { color: #4a534e; }
.point { border: 1px solid #1d2420; border-left-width: 4px; padding: .5rem .8rem; margin: .8rem 0; }
.point h3 { font-size: 1rem; margin: 0 0 .4rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
dl { display: grid; grid-template-columns: 10rem 1fr; gap: .15rem .8rem; margin: 0; }
dt { font-weight: 600; }
dd { margin: 0; }
.pen { line-height: 2.2; }
small { color: #4a534e; }
@media (max-width: 40rem) {
  dl { display: block; }
  dt { margin-top: .35rem; }
  .acts thead, .stacked thead, .told thead { display: none; }
  .acts td, .stacked td, .told td { display: block; border: 0; padding: 0 .3rem; }
  .acts td:nth-child(3), .stacked td:first-child, .told td:nth-child(2) { font-weight: 600; }
  .acts tr, .stacked tr, .told tr { display: block; border-bottom: 1px solid #c8cfcb; padding: .25rem 0; }
  .stacked td { display: flex; justify-content: space-between; gap: 1rem; }
  .stacked td:not(:first-child)::before { content: attr(data-name); font-weight: 400; }
}
@media print {
  .point, dl > div { break-inside: avoid; }
  h3, dt, .trick { break-after: avoid; }
  .rules { break-before: page; }
  a { color: inherit; text-decoration: none; }
}
"""
)


def ruling_sheet(
    account: Account,
    lang: str,
    case: Case | None = None,
    *,
    address: str = "",
    zone: str = ZONE,
    anchor: str = "",
) -> str:
    """The whole sheet as HTML. ``account`` is as judged, ``case`` what was decided; ``address`` where the
    pages are served, for links (none without it); ``zone`` the club's IANA time zone; ``anchor`` the
    journal's head after the last entry of the case.
    """
    sheet = _Sheet(account, lang, case, address, zone, anchor)
    return document(sheet.t(N_("Ruling sheet · hand {id}"), id=account.hand.hand_id), sheet.parts(), lang,
                    SHEET_STYLE)  # fmt: skip


def sheet_name(hand_id: str, suffix: str = ".html") -> str:
    """A name for a sheet's file that every system takes."""
    told = re.sub(r"[^A-Za-z0-9]+", "-", hand_id).strip("-")[:60]
    return f"phan-xu-{told}{suffix}" if told else f"phan-xu{suffix}"


class _Sheet(Writer):
    """One sheet in the making."""

    def __init__(
        self, account: Account, lang: str, case: Case | None, address: str, zone: str, anchor: str
    ) -> None:
        super().__init__(account, lang, case, address, zone)
        self.account = after_decisions(account, self.case.ruled(self.sha256))
        self.anchor = anchor
        self.points = points_of(self.account)

    # -- parts -------------------------------------------------------------------------------------

    def parts(self) -> Iterator[str]:
        """The parts of the sheet in their order, as HTML."""
        hand = self.account.hand
        yield tagged("h1", N_("Ruling sheet"), self.lang)
        yield "<p><strong>" + self.e(N_("Hand {id}"), id=hand.hand_id) + "</strong></p>"
        yield self.facts(self.head())
        yield from self.deal()
        yield from self.course()
        yield tagged("h2", N_("What is to be decided"), self.lang)
        if not self.points:
            yield tagged("p", N_("The engine found nothing to object to."), self.lang)
        for number, point in enumerate(self.points, 1):
            yield point_section(self, number, point)
        yield from self.entered()
        yield from self.settlement()
        yield from self.hanging()
        yield self.evidence()
        yield signatures((N_("Decided by"), N_("For the players")), self.lang)
        yield from self.rules()

    def hanging(self) -> Iterator[str]:
        """What hangs on suits that nobody remembers."""
        texts = hanging_texts(self.account)
        if texts:
            yield tagged("h2", N_("What hangs on suits that nobody remembers"), self.lang)
        for text in texts:
            yield f"<p>{self.m(text)}</p>"

    def head(self) -> Iterator[tuple[str, str]]:
        """What the sheet is about."""
        hand, rules = self.account.hand, self.account.rules
        where = [hand.club_id, hand.session_id or "", hand.table_id or ""]
        if any(where):
            yield N_("Club, evening, table"), escaped(" · ".join(part for part in where if part))
        if hand.hand_no is not None:
            yield N_("Number of the hand"), escaped(hand.hand_no)
        if hand.played_at:
            yield N_("Played at"), escaped(_logged(hand.played_at, self.lang))
        yield N_("Stake"), figure(format_signed(hand.stake, hand.currency, self.lang).lstrip("+"))
        revised = hand.revision
        if revised is not None:
            told = [self.t(N_("revision {n}"), n=revised.number)]
            at = _logged(revised.at, self.lang, self.zone) if revised.at else None
            told += [part for part in (revised.by, at, revised.reason) if part]
            yield N_("Revision"), escaped(" · ".join(told)[:MOST_NOTE])
        yield N_("Log, SHA-256"), f'<span class="code">{escaped(self.sha256)}</span>'
        yield N_("Opens the replay"), self.code(None)
        title = rules.title.get(self.lang, rules.id)
        yield N_("Agreed rules"), escaped(f"{title} [{rules.id}]")
        yield N_("Rules, SHA-256"), f'<span class="code">{escaped(rules.sha256)}</span>'
        for path in rules.changed:
            name = describe(path).rstrip(".") if path in rules.flat() else path
            value = path_value(rules, path, self.lang)
            told = [f"{self.t(name)}: {value} ({path})"]
            yield N_("This table's own"), escaped(told[0])

    def deal(self) -> Iterator[str]:
        """Who sat where, and the cards as far as they are known."""
        account = self.account
        yield tagged("h2", N_("Deal"), self.lang)
        rows = [
            (
                escaped(account.name(seat)),
                cards_text(holding_text(account.frames[0], seat)),
            )
            for seat in range(len(account.hand.players))
        ]
        yield table((N_("Player"), N_("Cards")), rows, self.lang)
        if not account.judgement.replay.dealt.complete:
            yield tagged("p", N_("?? is a card that nobody knows."), self.lang)
        yield f"<p>{self.m(lead_text(account))}.</p>"

    def course(self) -> Iterator[str]:
        """Every act: what lay there, what was done, what every seat had left."""
        heads = (N_("Act number"), N_("On the table"), N_("Act"), N_("Cards left"))
        yield tagged("h2", N_("Course of play"), self.lang)
        yield '<table class="acts"><thead><tr>'
        yield "".join(f"<th>{said(head, self.lang)}</th>" for head in heads) + "</tr></thead><tbody>"
        trick = 0
        for step in self.account.steps:
            if step.after.trick != trick:
                trick = step.after.trick
                name = self.e(N_("Trick {n}"), n=trick)
                yield f'<tr class="trick"><td colspan="4">{name}</td></tr>'
            yield self.act(step)
        yield "</tbody></table>"
        yield f"<p>{self.m(outcome_text(self.account))}.</p>"

    def act(self, step: Step) -> str:
        """One act as a row."""
        account = self.account
        met = [n for n, point in enumerate(self.points, 1) if point.about.event == step.index]
        told = [escaped(step.text.render(self.lang)[:MOST_NOTE])]
        told += [f"⚔ {self.m(chop)}" for chop in step.chops]
        if step.missed is not None:
            options = options_text(step.missed.options, step.missed.option_count)
            told.append(
                self.e(N_("could have played ({n}): {options}"), n=step.missed.option_count, options=options)
            )
        if step.undecided:
            told.append(said(N_("whether this pass let something go depends on unknown cards"), self.lang))
        told += ["<strong>→ " + self.e(N_("point {n}"), n=n) + "</strong>" for n in met]
        left = " · ".join(f"{account.name(seat)} {n}" for seat, n in enumerate(step.after.counts))
        marks = " ".join(name for name, is_so in (("at", met), ("late", step.disputed)) if is_so)
        cells = (
            figure(str(step.index + 1)),
            self.m(table_text(account, step.before, bool(step.chops))),
            "<br>".join(told),
            escaped(left),
        )
        return f'<tr class="{marks}">' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"

    # -- the case, the money, the evidence -----------------------------------------------------------

    def entered(self) -> Iterator[str]:
        """The case: what was claimed, what was decided beside the points, when it was closed."""
        points = {point.about for point in self.points}
        told = [
            self.entry(step)
            for step in self.case.steps
            if not (isinstance(step, Decision) and step.about in points)
        ]
        if told:
            yield tagged("h2", N_("The case"), self.lang) + "<ul>"
            yield from (f"<li>{one}</li>" for one in told)
            yield "</ul>"

    def entry(self, step: Claim | Decision | Turned) -> str:
        """One entry of the case."""
        if isinstance(step, Decision):
            return f"{self.m(about_text(step.about))}: {self.decision(step)}"
        if isinstance(step, Turned):
            told = said(TURNS[step.turn], self.lang) + (f": {escaped(step.reason)}" if step.reason else "")
        else:
            told = self.e(N_("{player} claims: {text}"), player=step.claimant, text=step.text)
        entry = self.e(N_("{by}, entry {number}"), by=step.by, number=step.number)
        return f"{told}<br><small>{entry}, {self.at(step.at)}</small>"

    def settlement(self) -> Iterator[str]:
        """Who pays whom for what, and what each ends with, before and after what was decided."""
        account = self.account
        before = account.judgement.settlement.net
        moves = self.case.moves(self.sha256)
        after = net_after(before, [moved for _, moved in moves])
        places = {seat: place for place, seat in enumerate(account.verdict.places or [], 1)}
        yield tagged("h2", N_("Money before and after"), self.lang)
        rows = [
            (
                escaped(account.name(seat)),
                escaped(places.get(seat, "—")),
                self.money(before[seat]),
                self.money(after[seat] - before[seat]),
                f"<strong>{self.money(after[seat])}</strong>",
            )
            for seat in range(len(before))
        ]
        heads = (N_("Player"), N_("Place"), N_("As settled"), N_("By rulings"), N_("After rulings"))
        yield table(heads, rows, self.lang, "stacked")
        lines = [line for line in account.lines if line.transfer.reason != "ruling"]
        yield tagged("h3", N_("Who pays whom for what"), self.lang) + "<ul>"
        for line in lines:
            grounds = "".join(
                f"<br><small>{escaped(cited(ground, self.lang))}</small>" for ground in line.grounds
            )
            yield f"<li>{self.m(line_text(account, line))}{grounds}</li>"
        for decision, moved in moves:
            entry = self.e(N_("ruling, entry {number}"), number=decision.number)
            yield f"<li>{self.m(moved_text(account, moved))}: {entry}</li>"
        if not lines and not moves:
            yield tagged("li", N_("nobody pays anything"), self.lang)
        yield "</ul>"

    def evidence(self) -> str:
        """What the sheet was made of, so that anybody can make it again."""
        told = [
            self.e(
                N_("Made by tienlen {version} from the log and the rules with the hashes above."),
                version=self.account.verdict.engine,
            )
        ]
        if self.case.steps:
            last = self.case.steps[-1]
            state = N_("closed") if self.case.closed else N_("open")
            told.append(
                self.e(N_("The case stands as of entry {number}"), number=last.number)
                + f", {self.at(last.at)}: {said(state, self.lang)}."
            )
            if self.anchor:
                told.append(self.e(N_("Journal of decisions: {head}"), head=self.anchor) + ".")
        else:
            told.append(said(N_("Nothing has been claimed or decided yet."), self.lang))
        told.append(said(SAME, self.lang))
        return tagged("h2", N_("Evidence"), self.lang) + f"<p>{' '.join(told)}</p>"

    def rules(self) -> Iterator[str]:
        """The whole agreement: every rule with its value and its source."""
        rules = self.account.rules
        title = rules.title.get(self.lang, rules.id)
        heading = self.e(N_("All the rules: {title}"), title=title)
        yield f'<h2 class="rules">{heading}</h2>'
        section, rows = "", list[tuple[str, str, str]]()
        for path in [*paths_of(rules), ""]:
            own = path.partition(".")[0]
            if own != section and rows:
                yield f"<h3>{said(SECTION_NAMES[section], self.lang)}</h3>"
                yield table((N_("Rule"), N_("Value"), N_("Source")), rows, self.lang, "told")
                rows = []
            section = own
            if path:
                name = f'{said(describe(path), self.lang)} <small class="code">{escaped(path)}</small>'
                source = escaped(ground_of(rules, path).cite(self.lang))
                rows.append((name, escaped(path_value(rules, path, self.lang)), f"<small>{source}</small>"))


SAME: Final = N_(
    "Whoever prints this sheet gets the same, letter by letter: it tells neither who printed it nor when. "
    "A code tl:… typed into the search of the Hands page opens the replay at that event."
)


def _logged(text: str, lang: str, zone: ZoneInfo | None = None) -> str:
    """A log's own time, on the clock of a zone, or else as it was written down."""
    try:
        at = datetime.fromisoformat(text.upper().replace(" ", "T"))
        return moment_text(at.astimezone(zone) if zone is not None else at, lang)
    except (ValueError, OverflowError):  # a leap second, the end of time
        return text
