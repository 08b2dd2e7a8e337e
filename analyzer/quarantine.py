"""The commands `tienlen quarantine …`: the desk for records that were refused or set aside."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from analyzer.console import (
    _,
    database_errors,
    db_option,
    example,
    force_option,
    json_option,
    json_text,
    lang_option,
    say,
    tell,
    tell_json,
)
from analyzer.locale import N_, Message

all_option = click.option("--all", "every", is_flag=True, help=_(N_("Also what is solved.")))


@click.group(help=_(N_("Records that were refused or set aside, and taking them in after all.")))
def quarantine() -> None:
    pass


@quarantine.command(
    "list", help=example(N_("Lists the refused records."), "tienlen quarantine list --reason bad_card")
)
@click.option("--reason", help=_(N_("Only those refused for this reason (its code).")))
@click.option("--source", help=_(N_("Only those with this in the path of their source.")))
@all_option
@db_option
@json_option
@lang_option
def quarantine_list(
    reason: str | None, source: str | None, every: bool, db: Path, as_json: bool, lang: str
) -> None:
    from analyzer.logs.refusal import REASONS
    from analyzer.store.database import Database
    from analyzer.store.quarantine import listed
    from analyzer.store.reader import open_reader

    if reason is not None and reason not in REASONS:
        codes = ", ".join(sorted(REASONS))
        text = N_("There is no reason {reason}. There are: {codes}")
        raise click.UsageError(Message(text, reason=repr(reason), codes=codes).render(lang))
    with database_errors(lang), open_reader(Database(db)) as reader:
        row: dict[str, Any] | None = None
        for row in listed(reader, reason=reason, source=source, every=every):
            if as_json:
                tell_json(_told_in_both(row))
                continue
            text = "{number:>5}  {place}  {field}  {reason}"
            if row["solved"]:
                text += "  ({solved})"
            field = row["json_path"] or "—"
            told = Message(
                text,
                number=row["number"],
                place=_place(row),
                field=field,
                reason=Message(REASONS.get(row["reason"], row["reason"])),
                solved=Message(N_("solved")),
            )
            tell(told, lang)
        if row is None and not as_json:
            say(Message(N_("There is no such refused record.")), lang)


@quarantine.command(
    "show", help=example(N_("Explains why a record was refused, with its text."), "tienlen quarantine show 3")
)
@click.argument("number", type=click.IntRange(1))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help=_(N_("A file to write the record to, as it was read, to mend it there.")),
)
@force_option
@db_option
@json_option
@lang_option
def quarantine_show(
    number: int, output: Path | None, force: bool, db: Path, as_json: bool, lang: str
) -> None:
    from analyzer.exports import writing
    from analyzer.logs.carriers import NOTATION
    from analyzer.logs.refusal import RAW_LIMIT
    from analyzer.reports.files import write_file
    from analyzer.store.database import Database
    from analyzer.store.quarantine import refused
    from analyzer.store.reader import open_reader

    with database_errors(lang), open_reader(Database(db)) as reader:
        row = refused(reader, number)
    if output is not None:
        with writing(output, lang):
            write_file(output, row["raw"], replace=force)
        wrote = N_("Wrote record {number} to {file}.")
        if len(row["raw"]) >= RAW_LIMIT:
            wrote = N_("Wrote what is kept of record {number} to {file}: its beginning only.")
        say(Message(wrote, number=number, file=str(output)), lang)
    raw = row.pop("raw").decode("utf-8", "backslashreplace")
    if as_json:
        tell_json({**_told_in_both(row), "raw": raw})
        return
    for line in row[f"message_{lang}"].split("\n"):
        tell(line, lang)
    tell("", lang)
    for line in raw.split("\n"):
        tell(line, lang)
    tell("", lang)
    text = N_("Mended, it is taken in with: tienlen quarantine retry {number} --file {file} --db {db}")
    if row["solved"]:
        text = N_("Record {number} was mended and taken in already.")
    file = shlex.quote(
        str(output or ("mended.van" if row["source_path"].endswith(NOTATION) else "mended.json"))
    )
    tell(Message(text, number=number, file=file, db=shlex.quote(str(db))), lang)


@quarantine.command(
    "retry",
    help=example(
        N_(
            "Takes a refused record in again: mended, from a file, or as it is stored, where this program "
            "can read what an older one could not."
        ),
        "tienlen quarantine retry 3 --file mended.json",
    ),
)
@click.argument("number", type=click.IntRange(1))
@click.option("--file", type=click.File("rb"), help=_(N_("The mended record; - for standard input.")))
@db_option
@lang_option
def quarantine_retry(number: int, file: Any, db: Path, lang: str) -> None:
    from analyzer.logs.reading import MAX_RECORD
    from analyzer.reports.text import sure_text
    from analyzer.store.database import Database
    from analyzer.store.quarantine import retry

    text = file.read(MAX_RECORD + 1).removeprefix(b"\xef\xbb\xbf") if file is not None else None
    with database_errors(lang):
        done = retry(Database(db), number, text, file.name if file is not None else "-")
    if done.refusal is not None:
        for message in done.refusal.messages():
            say(message, lang)
    if done.report is not None:
        tell(done.report.line(lang), lang)
        for told in (*done.report.refusals, *done.report.conflicts):
            say(told, lang)
    if done.taken:
        tell(Message(N_("Record {number} is solved: hand {hand}."), number=number, hand=done.hand_id), lang)
        if done.errors:
            text = N_(
                "The hand breaks the rules as it stands now, in {n} places; tienlen replay tells where:"
            )
            say(Message(text, n=len(done.errors)), lang)
            for finding in done.errors:
                told = sure_text(Message("{told}", told=finding[f"message_{lang}"]), finding["certainty"])
                say(f"  {finding['code']}: {told.render(lang)}", lang)
    sys.exit(0 if done.taken else 1)


@quarantine.command(
    "conflicts",
    help=example(
        N_("Lists hands set aside because the stored ones say something else, with the differences."),
        "tienlen quarantine conflicts --db club-db",
    ),
)
@all_option
@db_option
@json_option
@lang_option
def quarantine_conflicts(every: bool, db: Path, as_json: bool, lang: str) -> None:
    from analyzer.store.database import Database
    from analyzer.store.quarantine import conflicts
    from analyzer.store.reader import open_reader

    with database_errors(lang), open_reader(Database(db)) as reader:
        row: dict[str, Any] | None = None
        for row in conflicts(reader, every=every):
            if as_json:
                tell_json(row)
                continue
            text = N_("Hand {hand}, revision {revision}: {place} says something else than what is stored.")
            place = _place(row)
            tell(Message(text, hand=row["hand_id"], revision=row["revision"], place=place), lang)
            for entry in row["differences"]:
                sides = (json_text(entry[side]) if side in entry else "—" for side in ("before", "after"))
                tell(f"  {entry['path']}: {' → '.join(sides)}", lang)
            if not row["solved"]:
                next_ = f'"revision": {{"number": {row["next_revision"]}}}'
                text = N_("To take it, write {next} into it and ingest it.")
                tell("  " + Message(text, next=next_).render(lang), lang)
        if row is None and not as_json:
            say(Message(N_("No hand was set aside.")), lang)


def _place(row: dict[str, Any]) -> str:
    from analyzer.logs.refusal import Place

    return str(Place(row["source_path"], row["source_line"], row["source_index"], row["source_offset"]))


def _told_in_both(row: dict[str, Any]) -> dict[str, Any]:
    """A refused record with its texts as verdicts have them: by language."""
    told = {key: value for key, value in row.items() if not key.endswith(("_vi", "_en"))}
    for name in ("expected", "fix", "message"):
        vi, en = row[f"{name}_vi"], row[f"{name}_en"]
        told[name] = None if en is None else {"vi": vi, "en": en}
    return told
