"""The commands ``export …``: what the database holds, as files for other programs and people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.console import (
    LANG,
    _,
    club_option,
    database_errors,
    db_option,
    example,
    failed,
    force_option,
    lang_option,
    say,
)
from analyzer.locale import N_, Message, translate

if TYPE_CHECKING:
    from analyzer.logs.carriers import Read
    from analyzer.rules.ruleset import RuleSet
    from analyzer.store.reader import Reader


output_option = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help=_(N_("The file; its ending says what it is to be.")),
)


@click.group(help=_(N_("Writes what the database holds into files for other programs and people.")))
def export() -> None:
    pass


@export.command(
    "hand",
    help=example(
        N_("Writes the replay of a stored hand as one HTML file, which opens offline on any phone."),
        "tienlen export hand toi-thu-bay-07 -o van.html --db club-db",
    ),
)
@click.argument("hand_id")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help=_(N_("The file to write."))
)
@db_option
@club_option
@click.option(
    "--anonymise", is_flag=True, help=_(N_("Letters instead of names; ids, dates and notes are left out."))
)
@force_option
@lang_option
def export_hand(
    hand_id: str, output: Path, db: Path, club_id: str | None, anonymise: bool, force: bool, lang: str
) -> None:
    from analyzer.reports.export import replay_file
    from analyzer.reports.files import write_file
    from analyzer.store.database import Database, DatabaseError
    from analyzer.store.journal import Journal
    from analyzer.store.reader import open_reader
    from analyzer.store.rulings import KINDS, rulings_on
    from analyzer.store.stored import stored_hand

    try:
        database = Database(db)
        with open_reader(database) as reader:
            row = one_hand(reader, hand_id, club_id, lang)
            hand, rules = stored_hand(reader, row["hand_key"], row["rules_sha256"])
            ruled = rulings_on(Journal(database).entries(*KINDS), row)
    except DatabaseError as error:
        raise failed(error.message, lang) from None
    with writing(output, lang):
        write_file(
            output, replay_file(hand, rules, lang, names=not anonymise, ruled=ruled).encode(), replace=force
        )
    say(Message(N_("Wrote the replay of hand {hand} to {file}."), hand=hand_id, file=str(output)), lang)


@contextmanager
def writing(output: Path, lang: str) -> Iterator[None]:
    """Ends a command with why its file was not written."""
    try:
        yield
    except FileExistsError:
        there = Message(N_("{file} is there already: choose another name, or add --force."), file=str(output))
        raise click.UsageError(there.render(lang)) from None
    except OSError as error:
        raise click.UsageError(f"{output}: {translate(error.strerror or str(error), lang)}") from None


def one_hand(reader: Reader, hand_id: str, club_id: str | None, lang: str) -> dict[str, Any]:
    """The one hand in force of this id. Raises UsageError, naming the clubs, where there is not just one."""
    from analyzer.store.stored import find_hands

    found = find_hands(reader, hand_id, club_id)
    if len(found) != 1:
        raise click.UsageError(_not_one(hand_id, [row["club_id"] for row in found], lang))
    return found[0]


def _not_one(hand_id: str, clubs: list[str], lang: str) -> str:
    from analyzer.reports.text import safe

    if not clubs:
        missing = Message(N_("There is no hand {hand} in this database."), hand=repr(hand_id))
        return safe(missing.render(lang))
    named = ", ".join(f"--club {club!r}" for club in clubs)
    several = Message(
        N_("Several clubs have a hand {hand}; say which one: {clubs}"), hand=repr(hand_id), clubs=named
    )
    return safe(several.render(lang))


@export.command(
    "ruling",
    help=example(
        N_(
            "Writes the ruling sheet of a stored hand, to print and to sign: .html, or .pdf where there is "
            "Chromium. The same hand and decisions give the same file, whoever writes it."
        ),
        "tienlen export ruling toi-thu-bay-07 -o phan-xu.html --db club-db",
    ),
)
@click.argument("hand_id")
@output_option
@db_option
@club_option
@click.option("--address", default="", help=_(N_("Where the pages are served: the sheet's codes are links.")))
@force_option
@lang_option
def export_ruling(
    hand_id: str, output: Path, db: Path, club_id: str | None, address: str, force: bool, lang: str
) -> None:
    from analyzer.printing import NotPrinted, sheet_file
    from analyzer.reports.account import make_account
    from analyzer.reports.files import write_file
    from analyzer.store.club_days import SETTING, Clock, clocks
    from analyzer.store.database import Database
    from analyzer.store.journal import Journal
    from analyzer.store.reader import open_reader
    from analyzer.store.rulings import KINDS, case_of
    from analyzer.store.stored import stored_hand

    database = Database(db)
    with database_errors(lang):
        journal = Journal(database)
        with open_reader(database) as reader:
            row = one_hand(reader, hand_id, club_id, lang)
            hand, rules = stored_hand(reader, row["hand_key"], row["rules_sha256"])
        case = case_of(journal.entries(*KINDS), hand.identity)
        clock = clocks(journal.entries(SETTING)).get(hand.club_id, Clock())
        anchor = journal.head(case.steps[-1].number) if case.steps else ""
    try:
        told = {"address": address_of(address), "zone": clock.time_zone, "anchor": anchor}
        content = sheet_file(output, make_account(hand, rules), case, lang, **told)
    except NotPrinted as error:
        raise failed(error.message, lang) from None
    with writing(output, lang):
        write_file(output, content, replace=force)
    say(Message(N_("Wrote the ruling sheet of hand {hand} to {file}."), hand=hand_id, file=str(output)), lang)


def address_of(text: str) -> str:
    """An address of the pages as somebody typed it."""
    if text and not text.startswith(("http://", "https://")):
        told = Message(N_("{address} is no address. Write one like https://bai.example.com."), address=text)
        raise click.UsageError(told.render(LANG))
    return text


class OneSheet:
    """Writes the ruling sheet of the one hand that was told, where a file for it is named."""

    def __init__(self, file: Path | None, rules: RuleSet | None, lang: str) -> None:
        self.file = file
        self.rules = rules
        self.lang = lang
        self.first: Read | None = None
        self.count = 0

    def take(self, record: Read) -> None:
        """One more hand."""
        self.first = self.first or record
        self.count += 1

    def write(self) -> None:
        """Writes the file. Raises UsageError, or ClickException where there is no such sheet."""
        from analyzer.printing import NotPrinted, sheet_file
        from analyzer.reports.account import make_account
        from analyzer.reports.files import write_file

        if self.file is None or self.first is None:
            return
        if self.count > 1:
            told = Message(
                N_("--sheet takes one hand, and these are {n}: say which with --hand ID."), n=self.count
            )
            raise click.UsageError(told.render(self.lang))
        account = make_account(self.first.hand, self.rules or self.first.rules)
        try:
            content = sheet_file(self.file, account, None, self.lang)
        except NotPrinted as error:
            raise failed(error.message, self.lang) from None
        with writing(self.file, self.lang):
            write_file(self.file, content, replace=True)


@export.command(
    "evening",
    help=example(
        N_(
            "Writes an evening's money to a file: .xlsx and .html hold everything, .csv and .parquet one "
            "sheet. EVENING is the log's session_id."
        ),
        "tienlen export evening clb-mau-2026-11-28 -o buoi.xlsx --db club-db",
    ),
)
@click.argument("evening")
@output_option
@click.option("--club", help=_(N_("The club, where several have such an evening.")))
@click.option(
    "--sheet",
    type=click.Choice(["totals", "causes", "payments", "hands", "transfers", "rulings"]),
    default="totals",
    show_default=True,
    help=_(N_("What a .csv or .parquet holds.")),
)
@force_option
@db_option
@lang_option
def export_evening(
    evening: str, output: Path, club: str | None, sheet: str, force: bool, db: Path, lang: str
) -> None:
    from analyzer import evening_files
    from analyzer.reports.sheets import TooLarge
    from analyzer.store.database import DatabaseError

    try:
        with writing(output, lang):
            evening_files.export_evening(db, evening, output, club, sheet, force, lang)
        holds = Message(evening_files.SHEETS[sheet])
        text = N_("Wrote the evening {evening} to {file}.")
        if output.suffix.lower() in (".csv", ".parquet"):
            text = N_("Wrote the evening {evening} to {file}: {sheet}.")
        say(Message(text, evening=evening, file=str(output), sheet=holds), lang)
    except (DatabaseError, evening_files.NotExported, TooLarge) as error:
        raise failed(error.message, lang) from None
