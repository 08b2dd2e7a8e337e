"""An evening's money as files: gathers the sheets and writes them where they belong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Final

from analyzer.judge.rulings import OUTCOMES
from analyzer.locale import N_, Message
from analyzer.reports.codes import CODE_NAMES
from analyzer.reports.files import write_file
from analyzer.reports.money import REASONS
from analyzer.reports.printed import STATES, Printed, printed
from analyzer.reports.sheets import Cell, Column, Sheet, csv_of, parquet_of, xlsx_of
from analyzer.store.database import Database
from analyzer.store.debts import fewest_payments
from analyzer.store.dues import Due, dues, nets_of
from analyzer.store.journal import Entry, Journal
from analyzer.store.people import relation
from analyzer.store.treasury import KINDS, Books, Paid, books

Row = dict[str, Any]
Ask = Callable[..., list[Row]]
"""Asks one of the store's queries, by its name and parameters."""
Asked = Callable[[str], list[Row]]
"""The same about one evening, by the name alone."""

SUFFIXES: Final = (".csv", ".xlsx", ".parquet", ".html")

PLAYER: Final = (Column("player_id", N_("Player's id")), Column("name", N_("Player")))
CURRENCY: Final = Column("currency", N_("Currency"))
HAND: Final = (Column("hand_no", N_("Number of the hand"), "number"), Column("hand_id", N_("Hand's id")))
SIDES: Final = (
    Column("from_player", N_("Payer's id")),
    Column("from_name", N_("From")),
    Column("to_player", N_("Payee's id")),
    Column("to_name", N_("To")),
)


class NotExported(Exception):
    """Why there is no file; ``message`` says it."""

    def __init__(self, text: str, **values: object) -> None:
        self.message = Message(text, **values)
        super().__init__(self.message.render("en"))


# -- gathering -------------------------------------------------------------------------------------


def evening_sheets(ask: Ask, kept: Books, club: str, evening: str, lang: str) -> list[Sheet]:
    """The sheets of an evening: totals, causes, payments, hands (a row for each seat), transfers, rulings."""
    aliases = relation(kept.persons)
    closings = kept.closed(club)
    moved = ask("counted_elsewhere", club=club, closings=closings) if closings else []
    asked = {"club": club, "filters": {"without": [row["hand_key"] for row in moved]}, "aliases": aliases}
    told: Asked = partial(ask, **asked, evening=evening)
    players = told("evening_players")
    names = {row["person_id"]: row["name"] for row in ask("persons", club=club, aliases=aliases)}
    names[""] = Message(N_("the bank")).render(lang)
    closing = kept.closings.get((club, evening))
    totals: list[Sequence[Cell]] = []
    payments: list[Sequence[Cell]] = []
    units = [row["currency"] for row in players] + (list(closing[1].net) if closing else [])
    on_account = {
        paid.currency for _, paid in kept.payments.values() if (paid.club, paid.evening) == (club, None)
    }
    rows = ask("evening_nets", **asked) if on_account.intersection(units) else []
    for currency in dict.fromkeys(units):
        mine = [row for row in players if row["currency"] == currency]
        now = {row["player_id"]: row["net"] for row in mine}
        net = closing[1].exact(currency) if closing else now
        evenings = nets_of(rows, kept, club, currency) if currency in on_account else {}
        due = dues({**evenings, evening: net}, kept, club, currency)[evening]
        hands = {row["player_id"]: row["hands"] for row in mine}
        judged = {row["player_id"]: row["judged"] for row in mine}
        for player in dict.fromkeys([*now, *net]):
            own, left = net.get(player, Decimal(0)), due.left.get(player, Decimal(0))
            before = judged.get(player, Decimal(0))
            totals.append(
                (
                    *(player, names.get(player, player), currency, hands.get(player, 0)),
                    *(own, own - left, left, before, now.get(player, Decimal(0)) - before),
                )
            )
        payments += _payments(kept, club, evening, currency, due, names)
    return [
        Sheet(
            "totals",
            N_("Totals"),
            (
                *PLAYER,
                CURRENCY,
                Column("hands", N_("Hands played"), "number"),
                Column("net", N_("Won or lost"), "amount"),
                Column("settled", N_("Got so far (below zero: paid)"), "amount"),
                Column("left", N_("Still to get or to pay"), "amount"),
                Column("judged", N_("Won or lost before the rulings"), "amount"),
                Column("ruled", N_("By rulings"), "amount"),
            ),
            totals,
        ),
        _causes(partial(ask, "causes", **asked, evenings=[evening]), names),
        Sheet(
            "payments",
            N_("Payments"),
            (
                Column("state", N_("State"), words=STATES),
                *SIDES,
                CURRENCY,
                Column("amount", N_("Amount"), "amount"),
                Column("day", N_("Day"), "day"),
                Column("note", N_("Note")),
                Column("entered_by", N_("Entered by")),
                Column("entered_at", N_("Entered at"), "time"),
            ),
            payments,
        ),
        _hands(told, names),
        _transfers(told, names),
        _rulings(told, names),
    ]


def _payments(
    kept: Books, club: str, evening: str, currency: str, due: Due, names: dict[str, str]
) -> Iterable[Sequence[Cell]]:
    def name(player: str) -> str:
        return names.get(player, player)

    for open_ in fewest_payments(due.left):
        yield (
            *("open", open_.from_player, name(open_.from_player), open_.to_player, name(open_.to_player)),
            *(currency, open_.amount, None, None, None, None),
        )
    for entry, paid, (payer, payee, amount) in due.parts:
        yield (
            *("account", payer, name(payer), payee, name(payee)),
            *(
                currency,
                amount,
                kept.day_of(entry, paid),
                paid.note or None,
                entry.by,
                kept.local(club, entry.at),
            ),
        )
    standing = [("made", entry, paid) for entry, paid in kept.paid(club, currency, evening)]
    undone = [
        ("undone", entry, paid)
        for entry, paid, _, _ in kept.undone
        if (paid.club, paid.evening, paid.currency) == (club, evening, currency)
    ]
    for state, entry, paid in standing + undone:
        yield (
            *(state, paid.payer, name(paid.payer), paid.payee, name(paid.payee)),
            *(
                currency,
                paid.exact,
                kept.day_of(entry, paid),
                paid.note or None,
                entry.by,
                kept.local(club, entry.at),
            ),
        )


def _entered(kept: Books, entry: Entry, paid: Paid) -> Sequence[Cell]:
    """The day of a payment, its note, and who entered it when, by the club's clock."""
    return kept.day_of(entry, paid), paid.note or None, entry.by, kept.local(paid.club, entry.at)


def _causes(ask: Callable[[], list[Row]], names: dict[str, str]) -> Sheet:
    columns = (
        *PLAYER,
        CURRENCY,
        Column("reason", N_("Cause"), words=REASONS),
        Column("won", N_("Won"), "amount"),
        Column("lost", N_("Lost"), "amount"),
        Column("net", N_("Won or lost"), "amount"),
        Column("transfers", N_("Transfers"), "number"),
    )
    rows = [
        (
            *(row["player_id"], names.get(row["player_id"], row["player_id"]), row["currency"]),
            *(row["reason"], row["won"], row["lost"], row["net"], row["transfers"]),
        )
        for row in ask()
    ]
    return Sheet("causes", N_("Causes"), columns, rows)


def _hands(ask: Asked, names: dict[str, str]) -> Sheet:
    columns = (
        *HAND,
        Column("played_at", N_("Played at"), "time"),
        Column("rules_id", N_("House rules")),
        Column("stake", N_("Stake"), "amount"),
        CURRENCY,
        *PLAYER,
        Column("place", N_("Place"), "number"),
        Column("net", N_("Won or lost"), "amount"),
        Column("judged", N_("Won or lost before the rulings"), "amount"),
        Column("balance", N_("Running balance"), "amount"),
    )
    rows = [
        (
            *(row["hand_no"], row["hand_id"], played_at(row["at"]), row["rules_id"], row["stake"]),
            *(row["currency"], row["player_id"], names.get(row["player_id"], row["player_id"])),
            *(row["place"], row["net"], row["judged_net"], row["balance"]),
        )
        for row in ask("evening_seats")
    ]
    return Sheet("hands", N_("Hands"), columns, rows)


def played_at(text: str | None) -> datetime | None:
    """A log's own time, with its offset."""
    try:
        return datetime.fromisoformat(text.upper().replace(" ", "T")) if text else None
    except ValueError:  # a leap second
        return None


def _transfers(ask: Asked, names: dict[str, str]) -> Sheet:
    columns = (
        *HAND,
        Column("act", N_("Act number"), "number"),
        *SIDES,
        CURRENCY,
        Column("amount", N_("Amount"), "amount"),
        Column("reason", N_("Cause"), words=REASONS),
        Column("rule", N_("Rule")),
    )
    rows = [
        (
            *(row["hand_no"], row["hand_id"], None if row["event"] is None else row["event"] + 1),
            *(row["from_player"], names.get(row["from_player"] or "", row["from_player"])),
            *(row["to_player"], names.get(row["to_player"] or "", row["to_player"])),
            *(row["currency"], row["amount"], row["reason"], row["rule"]),
        )
        for row in ask("evening_transfers")
    ]
    return Sheet("transfers", N_("Transfers"), columns, rows)


def _rulings(ask: Asked, names: dict[str, str]) -> Sheet:
    columns = (
        Column("entry", N_("Entry of the journal"), "number"),
        Column("at", N_("Entered at (UTC)"), "time"),
        Column("by", N_("Entered by")),
        *HAND,
        Column("code", N_("Finding"), words=CODE_NAMES),
        Column("act", N_("Act number"), "number"),
        Column("decision", N_("Decision"), words=OUTCOMES),
        Column("reason", N_("Reason")),
        Column("stands", N_("Counts"), words={"True": N_("yes"), "False": N_("no")}),
        CURRENCY,
        Column("moved", N_("Money moved"), "amount"),
    )
    rows = [
        (
            *(row["entry"], row["ruled_at"], row["ruled_by"], row["hand_no"], row["hand_id"]),
            *(
                row["code"],
                None if row["event"] is None else row["event"] + 1,
                row["decision"],
                row["reason"] or None,
                str(row["stands"]),
            ),
            *(row["currency"], sum((moved["amount"] for moved in row["moves"] or []), Decimal(0))),
        )
        for row in ask("evening_rulings")
    ]
    return Sheet("rulings", N_("Rulings"), columns, rows)


# -- writing ---------------------------------------------------------------------------------------


def content_of(
    suffix: str, ask: Ask, kept: Books, row: Row, sheet: str, lang: str, anchor: str = ""
) -> bytes:
    """A file of an evening (a row of sessions); CSV and Parquet hold the one ``sheet``. Raises TooLarge.

    ``anchor`` is the journal's head: printed, it proves later that no entry up to it was changed or cut off.
    """
    sheets = evening_sheets(ask, kept, row["club_id"], row["evening"], lang)
    if suffix == ".xlsx":
        return xlsx_of(sheets, lang)
    if suffix == ".html":
        closing = kept.closings.get((row["club_id"], row["evening"]))
        closed_at = kept.local(row["club_id"], closing[0].at) if closing else None
        return printed(Printed.of(row, sheets, closed_at, anchor), lang)
    (chosen,) = (found for found in sheets if found.key == sheet)
    return csv_of(chosen, lang) if suffix == ".csv" else parquet_of(chosen)


SHEETS: Final = {
    "totals": N_("Totals"),
    "causes": N_("Causes"),
    "payments": N_("Payments"),
    "hands": N_("Hands"),
    "transfers": N_("Transfers"),
    "rulings": N_("Rulings"),
}
"""The sheets of an evening, by their names."""


def export_evening(
    db: Path, evening: str, output: Path, club: str | None, sheet: str, force: bool, lang: str
) -> None:
    """Writes an evening, named by its session_id or as the tables have it, to a file whose suffix says how.

    Raises NotExported, TooLarge, DatabaseError, FileExistsError or OSError; then nothing was written.
    """
    from analyzer.store import queries
    from analyzer.store.reader import open_reader

    suffix = output.suffix.lower()
    if suffix not in SUFFIXES:
        raise NotExported(
            N_("{path}: what to write is told by the file's ending: {known}."),
            path=output,
            known=", ".join(SUFFIXES),
        )
    database = Database(db)
    with open_reader(database) as reader:
        found = reader.rows(
            "FROM sessions WHERE (evening = $evening OR session_id = $evening) "
            "AND ($club IS NULL OR club_id = $club) ORDER BY club_id, evening",
            {"evening": evening, "club": club},
        )
        if not found:
            known = [row["told"] for row in reader.rows(_LATEST)]
            raise NotExported(
                N_("There is no evening {evening}. The latest ones are: {known}."),
                evening=repr(evening),
                known=", ".join(known) or "—",
            )
        if len(found) > 1:
            raise NotExported(
                N_("Several evenings are called {evening}. Name the club with --club: {known}."),
                evening=repr(evening),
                known=", ".join(repr(row["club_id"]) for row in found),
            )

        def ask(query: str, **parameters: Any) -> list[Row]:
            return queries.run(reader, query, **parameters).to_dicts()

        journal = Journal(database)
        kept, anchor = books(journal.entries(*KINDS)), journal.head()
        write_file(output, content_of(suffix, ask, kept, found[0], sheet, lang, anchor), replace=force)


_LATEST: Final = (
    "FROM sessions SELECT coalesce(session_id, evening) AS told "
    "ORDER BY started_at DESC NULLS LAST, club_id, evening LIMIT 5"
)


def file_name(evening: str) -> str:
    """A name for a file of an evening, whatever the evening is called."""
    return re.sub(r"[^\w\-. ]+", "_", evening)[:80].strip(" ._") or "tienlen"
