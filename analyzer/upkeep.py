"""The commands `tienlen db …`: the upkeep of the database folder."""

from __future__ import annotations

import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.console import (
    _,
    database_errors,
    db_option,
    example,
    json_option,
    lang_option,
    say,
    tell,
    tell_json,
)
from analyzer.locale import N_, Message

if TYPE_CHECKING:
    from analyzer.store.database import Manifest

wait_option = click.option(
    "--wait",
    type=click.FloatRange(0),
    default=0,
    help=_(N_("Seconds to wait for another process that is writing.")),
)


@click.group(help=_(N_("The database folder: its state, its versions, its upkeep.")))
def db() -> None:
    pass


@db.command("status", help=example(N_("Tells how the database stands."), "tienlen db status --db club-db"))
@db_option
@json_option
@lang_option
def db_status(db: Path, as_json: bool, lang: str) -> None:
    import dataclasses

    from analyzer.store.database import Database
    from analyzer.store.versions import status

    with database_errors(lang):
        found = status(Database(db))
    if as_json:
        tell_json(dataclasses.asdict(found))
        return
    span = Message("{first} … {last}", first=_time(found.first_played_at), last=_time(found.last_played_at))
    for label, value in (
        (N_("version in force"), str(int(found.version))),
        (N_("written"), f"{_time(found.written_at)}, tienlen {found.program}"),
        (N_("versions kept"), found.versions),
        (N_("hands, every revision counted"), found.hands),
        (N_("played"), span),
        (N_("segments"), found.segments),
        (N_("on disk"), _size(found.size)),
        (
            N_("quarantined records"),
            Message(
                N_("{open} open, {solved} solved"), open=found.quarantined - found.solved, solved=found.solved
            ),
        ),
        (N_("conflicts"), found.conflicts),
        (
            N_("being written to"),
            Message(N_("by process {pid}"), pid=found.writer) if found.writer else Message(N_("no")),
        ),
    ):
        tell(Message("{label}: {value}", label=Message(label), value=value), lang)


@db.command("versions", help=example(N_("Lists the versions kept, newest first."), "tienlen db versions"))
@db_option
@json_option
@lang_option
def db_versions(db: Path, as_json: bool, lang: str) -> None:
    from analyzer.store.database import Database, DatabaseError
    from analyzer.store.versions import history

    with database_errors(lang):
        database = Database(db)
        current = database.current()
        found = history(database)
        if not found:
            database.manifest()  # says what is missing
    status = 0
    for manifest in found:
        if isinstance(manifest, DatabaseError):
            say(manifest.message, lang)
            status = 2
            continue
        in_force = manifest.name == current
        if as_json:
            tell_json(
                {
                    "number": manifest.number,
                    "in_force": in_force,
                    "written_at": manifest.written_at,
                    "program": manifest.program,
                    "made_by": manifest.made_by,
                    "parent": manifest.parent,
                    "hands": manifest.in_force,
                    "revisions": manifest.hands,
                    "segments": len(manifest.segments),
                }
            )
            continue
        text = N_("{number}  {at}  hands: {hands}  segments: {segments}  {what}  (tienlen {program})")
        told = Message(
            text,
            number=f"{'→' if in_force else ' '} {manifest.number:>5}",
            at=_time(manifest.written_at),
            hands=_hands(manifest),
            segments=len(manifest.segments),
            what=_what_made(manifest),
            program=manifest.program,
        )
        tell(told, lang)
    sys.exit(status)


@db.command(
    "rollback",
    help=example(
        N_(
            "Puts an older version in force again, by default that before the last ingest. It becomes a new "
            "version, so that this too can be undone; what people decided stays."
        ),
        "tienlen db rollback 12 --db club-db",
    ),
)
@click.argument("number", type=click.IntRange(0), required=False)
@click.option("--yes", is_flag=True, help=_(N_("Do not ask.")))
@db_option
@wait_option
@lang_option
def db_rollback(number: int | None, yes: bool, db: Path, wait: float, lang: str) -> None:
    from analyzer.store.database import Database
    from analyzer.store.versions import before, rollback, version

    database = Database(db)
    with database_errors(lang):
        now = database.manifest()
        if not yes:
            target = before(database, now) if number is None else version(database, number)
            number = target.number
            question = Message(
                N_("Hands in version {now}: {hands}. Go back to version {then} of {at} (hands: {fewer})?"),
                now=now.number,
                hands=_hands(now),
                then=target.number,
                at=_time(target.written_at),
                fewer=_hands(target),
            )
            if not sys.stdin.isatty():
                say(question, lang)
                raise click.UsageError(Message(N_("Nobody is there to be asked: say --yes.")).render(lang))
            click.confirm(question.render(lang), abort=True, err=True)
        made = rollback(database, number, wait=wait)
    text = N_("Version {number} is in force, with what version {parent} had; hands: {hands}.")
    tell(Message(text, number=made.number, hands=_hands(made), parent=made.parent), lang)
    back = Message(
        N_("To undo this: tienlen db rollback {number} --db {db}"), number=now.number, db=shlex.quote(str(db))
    )
    say(back, lang)


@db.command(
    "compact",
    help=example(
        N_(
            "Merges small segments into larger ones and lets go of old versions. Readers are not disturbed, "
            "no row changes."
        ),
        "tienlen db compact --db club-db --keep 10",
    ),
)
@db_option
@click.option(
    "--keep",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help=_(N_("How many versions to keep, that in force included.")),
)
@wait_option
@lang_option
def db_compact(db: Path, keep: int, wait: float, lang: str) -> None:
    from analyzer.store.compaction import compact
    from analyzer.store.database import Database

    with database_errors(lang):
        database = Database(db)
        database.current()
        done = compact(database, keep=keep, wait=wait)
    text = N_("Version {number} is in force; segments: {before} → {after}; old versions removed: {pruned}.")
    before, after = len(done.before.segments), len(done.after.segments)
    tell(Message(text, number=done.after.number, before=before, after=after, pruned=done.pruned), lang)


@db.command(
    "verify",
    help=example(
        N_(
            "Proves that the database is whole: files, hashes, counts, identities, money; every stored hand "
            "against its log and the engine; the journal and its rulings."
        ),
        "tienlen verify --db club-db",
    ),
)
@click.option("--quick", is_flag=True, help=_(N_("Do not judge the hands again.")))
@click.option(
    "--head",
    metavar="N:SHA256",
    help=_(N_("A head of the journal kept from before, as printed here and on sheets: is it still there?")),
)
@db_option
@json_option
@lang_option
def db_verify(quick: bool, head: str | None, db: Path, as_json: bool, lang: str) -> None:
    from analyzer.reports.progress import hands_progress
    from analyzer.store.database import Database
    from analyzer.store.verification import verify

    with database_errors(lang):
        database = Database(db)
        with hands_progress(database.manifest().hands if sys.stderr.isatty() else 0, lang) as progress:
            found = verify(database, judge=not quick, head=head, progress=progress)
    if as_json:
        faults = [
            {"where": _where(fault.where), "what": fault.what.both(), "advice": fault.advice.both()}
            for fault in found.faults
        ]
        shown = {"whole": not faults, "faults": faults, "leftovers": found.leftovers, "head": found.head}
        tell_json(shown)
    else:
        for fault in found.faults:
            tell(fault.message(), lang)
        for name in found.leftovers:
            tell(Message(N_("{file}: left over from a writer; the next one removes it."), file=name), lang)
        if not found.faults and found.manifest is not None:
            manifest = found.manifest
            text = N_("Version {number} is whole; hands: {hands}, segments: {segments}.")
            segments = len(manifest.segments)
            tell(Message(text, number=manifest.number, hands=_hands(manifest), segments=segments), lang)
        if found.head:
            tell(Message(N_("Journal of decisions: {head}"), head=found.head), lang)
    sys.exit(1 if found.faults else 0)


# -- words ---------------------------------------------------------------------------------------


def _what_made(manifest: Manifest) -> Message:
    if manifest.made_by == "rollback":
        return Message(N_("went back to {number}"), number=manifest.parent)
    if manifest.made_by == "compaction":
        return Message(N_("compacted"))
    return Message(N_("took logs in") if manifest.segments else N_("empty"))


def _hands(manifest: Manifest) -> Message:
    """How many hands a version has, and in how many revisions where some was corrected."""
    if manifest.in_force == manifest.hands:
        return Message("{hands}", hands=manifest.hands)
    return Message(N_("{hands} in {revisions} revisions"), hands=manifest.in_force, revisions=manifest.hands)


def _where(where: str | Message) -> object:
    return where.both() if isinstance(where, Message) else where


def _time(at: datetime | None) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC") if at is not None else "—"


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
