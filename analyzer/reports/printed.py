"""The printable sheet of an evening: one HTML file that asks the network for nothing, for A4 and phones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import groupby
from typing import Any, Final

from analyzer.judge.rulings import OUTCOMES
from analyzer.locale import N_, Message, translate
from analyzer.reports.codes import CODE_NAMES
from analyzer.reports.money import REASONS, UNITS, format_amount, format_number, format_signed
from analyzer.reports.paper import day_text, document, escaped, figure, said, signatures, table, tagged
from analyzer.reports.sheets import Sheet

Row = dict[str, Any]

STATES: Final = {
    "open": N_("to pay"),
    "made": N_("paid"),
    "account": N_("paid on the account"),
    "undone": N_("taken back"),
}
"""State of a payment → what it is called."""

SEATS: Final = 4000
"""Seats of hands that are listed; a sheet of paper is no place for more."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What is on the sheet: the evening's name and day, when it was closed, and its rows by sheet.

    ``anchor`` is the journal's head when the sheet was made.
    """

    club: str
    evening: str
    day: date | None
    hands: int
    closed_at: datetime | None
    rows: Mapping[str, Sequence[Row]]
    anchor: str

    @classmethod
    def of(
        cls, session: Row, sheets: Iterable[Sheet], closed_at: datetime | None, anchor: str = ""
    ) -> Printed:
        """From a row of sessions and the evening's sheets."""
        rows = {
            sheet.key: [
                dict(zip([column.key for column in sheet.columns], row, strict=True)) for row in sheet.rows
            ]
            for sheet in sheets
        }
        name = session["session_id"] or session["table_id"] or session["evening"]
        return cls(session["club_id"], name, session["played_on"], session["hands"], closed_at, rows, anchor)


def printed(sheet: Printed, lang: str) -> bytes:
    """The whole file in a language, UTF-8."""
    parts = [
        f"<h1>{escaped(sheet.evening)}</h1>",
        f"<p>{' · '.join(_about(sheet, lang))}</p>",
    ]
    for currency in dict.fromkeys(row["currency"] for row in sheet.rows["totals"]):
        mine = {key: [row for row in rows if row["currency"] == currency] for key, rows in sheet.rows.items()}
        unit = translate(UNITS[currency], lang) if currency in UNITS else currency
        parts += [_totals(mine["totals"], unit, lang), _payments(mine["payments"], lang)]
        parts += [_causes(mine["causes"], lang)]
        if mine["rulings"]:
            parts.append(_rulings(mine["rulings"], mine["totals"], lang))
        parts.append(_hands(mine["hands"], lang))
    if sheet.anchor:
        told = Message(N_("Journal of decisions: {head}"), head=sheet.anchor)
        parts.append(f"<p>{escaped(told.render(lang))}</p>")
    parts.append(signatures((N_("Treasurer"), N_("Checked by")), lang))
    return document(sheet.evening, parts, lang).encode()


def _about(sheet: Printed, lang: str) -> Iterable[str]:
    if sheet.club:
        yield escaped(sheet.club)
    if sheet.day is not None:
        yield day_text(sheet.day, lang)
    yield escaped(Message(N_("{n} hands"), n=format_number(sheet.hands, lang)).render(lang))
    if sheet.closed_at is None:
        yield said(N_("not closed yet"), lang)
    else:
        closed = Message(N_("closed on {day}"), day=day_text(sheet.closed_at.date(), lang))
        yield escaped(closed.render(lang))


def _totals(rows: Sequence[Row], unit: str, lang: str) -> str:
    heads = (N_("Player"), N_("Hands played"), N_("Won or lost"), N_("Still to get or to pay"))
    body = [
        (
            escaped(row["name"]),
            figure(format_number(row["hands"], lang)),
            _amount(row["net"], row, lang),
            _amount(row["left"], row, lang),
        )
        for row in sorted(rows, key=lambda row: (-row["net"], row["name"]))
    ]
    heading = translate(N_("What each won and lost"), lang)
    return f"<h2>{escaped(heading)} ({escaped(unit)})</h2>" + table(heads, body, lang)


def _payments(rows: Sequence[Row], lang: str) -> str:
    heading = tagged("h2", N_("Who pays whom"), lang)
    if not rows:
        return heading + tagged("p", N_("Nobody owes anybody."), lang)
    heads = (N_("From"), N_("To"), N_("Amount"), N_("State"))
    body = []
    for row in rows:
        state = translate(STATES[row["state"]], lang)
        about = [
            state,
            *([day_text(row["day"], lang)] if row["day"] else []),
            *([row["note"]] if row["note"] else []),
        ]
        cells = (
            escaped(row["from_name"]),
            escaped(row["to_name"]),
            _paid(row, lang),
            escaped(" · ".join(about)),
        )
        body.append(
            tuple(f'<span class="undone">{c}</span>' for c in cells) if row["state"] == "undone" else cells
        )
    return heading + table(heads, body, lang)


def _causes(rows: Sequence[Row], lang: str) -> str:
    heads = (N_("Player"), N_("Of what causes"))
    body = [
        (
            escaped(name),
            escaped(
                " · ".join(
                    f"{translate(REASONS[row['reason']], lang)} "
                    + format_signed(row["net"], row["currency"], lang)
                    for row in own
                )
            ),
        )
        for (_, name), own in groupby(rows, key=lambda row: (row["player_id"], row["name"]))
    ]
    return tagged("h2", N_("Of what causes"), lang) + table(heads, body, lang)


def _rulings(rulings: Sequence[Row], totals: Sequence[Row], lang: str) -> str:
    """What was decided, and what the sums were before that."""

    def found(row: Row) -> str:
        code = row["code"]
        return translate(N_("the hand as a whole") if code is None else CODE_NAMES.get(code, str(code)), lang)

    heads = (N_("Player"), N_("Before the rulings"), N_("By rulings"))
    changed = [
        (escaped(row["name"]), _amount(row["judged"], row, lang), _amount(row["ruled"], row, lang))
        for row in totals
        if row["ruled"]
    ]
    told = (N_("Hand"), N_("Finding"), N_("Decision"), N_("Money moved"))
    body = [
        tuple(
            f'<span class="undone">{cell}</span>' if row["stands"] == "False" else cell
            for cell in (
                escaped(row["hand_no"] or row["hand_id"]),
                escaped(found(row)),
                escaped(
                    " · ".join(
                        filter(None, (translate(OUTCOMES[row["decision"]], lang), row["by"], row["reason"]))
                    )
                ),
                figure(format_amount(row["moved"], row["currency"], lang)),
            )
        )
        for row in rulings
    ]
    heading = tagged("h2", N_("Rulings"), lang)
    return heading + (table(heads, changed, lang) if changed else "") + table(told, body, lang)


def _hands(rows: Sequence[Row], lang: str) -> str:
    heads = (N_("Hand"), N_("Played at"), N_("Won or lost"))
    body = []
    for (number, hand, at), seats in groupby(
        rows[:SEATS], key=lambda row: (row["hand_no"], row["hand_id"], row["played_at"])
    ):
        told_seats = " · ".join(
            f"{row['name']} {format_signed(row['net'], row['currency'], lang)}" for row in seats
        )
        body.append((escaped(number or hand), escaped(f"{at:%H:%M}" if at else ""), escaped(told_seats)))
    more = "<p>…</p>" if len(rows) > SEATS else ""
    return tagged("h2", N_("Hands"), lang) + table(heads, body, lang) + more


def _amount(value: Decimal, row: Row, lang: str) -> str:
    return figure(format_signed(value, row["currency"], lang))


def _paid(row: Row, lang: str) -> str:
    return figure(format_amount(row["amount"], row["currency"], lang))
