"""The command ``revise``: a hand's revisions, what differs between two, and taking a correction in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.console import (
    _,
    club_option,
    database_errors,
    db_option,
    example,
    failed,
    lang_option,
    say,
    tell,
    user_name,
)
from analyzer.exports import one_hand
from analyzer.locale import N_, Message

if TYPE_CHECKING:
    from analyzer.revisions import Judged
    from analyzer.store.database import Database
    from analyzer.store.reader import Reader


@click.command(
    help=example(
        N_(
            "Corrects a stored hand by a new revision, after showing act by act what differs and what it "
            "changes. Without --reason it only shows; without --file it lists the revisions there are."
        ),
        'tienlen revise toi-thu-bay-07 --file sua.json --reason "Ghi nhầm lá 2 cơ"',
    )
)
@click.argument("hand_id")
@click.option("--file", type=click.File("rb"), help=_(N_("The corrected log; - for standard input.")))
@click.option("--reason", help=_(N_("Why; it is kept. With it the correction is taken in.")))
@click.option(
    "--by",
    default=user_name(),
    show_default=True,
    help=_(N_("Who enters this: the name that is kept.")),
)
@click.option(
    "--between",
    type=(click.IntRange(1), click.IntRange(1)),
    help=_(N_("Which two revisions to compare; the last two, if not given.")),
)
@club_option
@db_option
@lang_option
def revise(
    hand_id: str,
    file: Any,
    reason: str | None,
    by: str,
    between: tuple[int, int] | None,
    club_id: str | None,
    db: Path,
    lang: str,
) -> None:
    from analyzer.logs.hand import MOST_NAME, MOST_TEXT
    from analyzer.store.database import Database
    from analyzer.store.reader import open_reader
    from analyzer.store.typed import unfit

    if file is None and reason is not None:
        raise click.UsageError(_(N_("--reason goes with --file, the corrected log.")))
    if reason is not None:
        if not (reason.strip() and by.strip()):
            raise click.UsageError(_(N_("A correction has a reason and somebody who makes it.")))
        told = unfit("reason", reason.strip(), MOST_TEXT) or unfit("by", by.strip(), MOST_NAME)
        if told is not None:
            raise failed(told, lang)
    database = Database(db)
    with database_errors(lang):
        with open_reader(database) as reader:
            row = one_hand(reader, hand_id, club_id, lang)
            if file is None:
                show_stored(database, reader, row, between, lang)
                return
            record = show_new(database, reader, row, file, by.strip(), (reason or "?").strip(), lang)
        if reason is None:
            say(Message(N_("Nothing was taken in. To take it in, add --reason TEXT.")), lang)
            return
        take(database, record, lang)


def show_stored(
    database: Database, reader: Reader, row: dict[str, Any], between: tuple[int, int] | None, lang: str
) -> None:
    """The revisions of a hand, and what differs between two of them."""
    from analyzer.revisions import revision_line, stored_version
    from analyzer.store.revising import revisions_of

    rows = revisions_of(reader, row["club_id"], row["hand_id"])
    for one in rows:
        tell(revision_line(one), lang)
    numbers = [one["revision"] for one in rows]
    if between is None:
        if len(rows) < 2:
            tell(Message(N_("This hand was never corrected.")), lang)
            return
        between = numbers[-2], numbers[-1]
    chosen = [one for number in between for one in rows if one["revision"] == number]
    if len(chosen) != 2:
        told = Message(
            N_("There is no such revision. There are: {known}"), known=", ".join(map(str, numbers))
        )
        raise click.UsageError(told.render(lang))
    before, after = (stored_version(reader, each) for each in chosen)
    tell("", lang)
    tell(Message(N_("Revision {one} → revision {other}"), one=between[0], other=between[1]), lang)
    tell_sections(database, reader, before, after, lang)


def show_new(
    database: Database, reader: Reader, row: dict[str, Any], file: Any, by: str, reason: str, lang: str
) -> bytes:
    """What a corrected log would change; the record that takes it in."""
    from analyzer.logs.reading import MAX_RECORD
    from analyzer.revisions import BOM, NotRead, closed_evenings, correction, undoes
    from analyzer.store.journal import Journal
    from analyzer.store.treasury import books

    try:
        made = correction(reader, row, file.read(MAX_RECORD + len(BOM) + 1), file.name, by, reason)
    except NotRead as error:
        raise failed("\n".join(problem.render(lang) for problem in error.problems), lang) from None
    tell(Message(N_("Revision {one} → revision {other}"), one=made.replaces, other=made.number), lang)
    kept = books(Journal(database).entries())
    for told in (*undoes(made), *closed_evenings(kept, made.before.version, made.after.version)):
        tell(told, lang)
    tell_sections(database, reader, made.before, made.after, lang)
    return made.record


def take(database: Database, record: bytes, lang: str) -> None:
    """Takes the record in, and ends with 1 where somebody else was first."""
    from analyzer.intake import tell_ingest
    from analyzer.store.revising import take_in

    report = take_in(database, record)
    if report.conflicting or report.quarantined:
        tell_ingest(report, lang)
        sys.exit(1)
    tell(Message(N_("The correction is taken in; the earlier revisions stay readable.")), lang)


def tell_sections(database: Database, reader: Reader, one: Judged, other: Judged, lang: str) -> None:
    """What differs between two revisions, and all that it changes."""
    from analyzer.reports.revisions import sections_text
    from analyzer.revisions import compared
    from analyzer.store.journal import Journal
    from analyzer.store.people import ALIAS, UNDONE, persons
    from analyzer.store.rulings import KINDS, case_of

    entries = Journal(database).entries(ALIAS, UNDONE, *KINDS)
    case = case_of(entries, one.version.hand.identity)
    sections = compared(reader, one, other, persons(entries), case)
    click.echo(sections_text(sections, lang), nl=False)
