"""The program `tienlen`: thin commands over the packages.

Results go to standard output, progress and messages to standard error. Exit codes are those of
linters: 0 nothing found, 1 violations or a forfeit, 2 something could not be read or the call is wrong.
Heavy libraries are imported inside the commands that use them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.access import access
from analyzer.console import LANG, _, ctrl_c, db_option, lang_option, say, say_no_hand
from analyzer.console import example as _example
from analyzer.converting import convert
from analyzer.correcting import revise
from analyzer.disputes import rule
from analyzer.exports import OneSheet, export
from analyzer.house_rules import find_rules, rules
from analyzer.intake import ingest
from analyzer.locale import N_, Message
from analyzer.logs.codes import read_code
from analyzer.quarantine import quarantine
from analyzer.upkeep import db, db_verify
from analyzer.version import VERSION, is_compiled

if TYPE_CHECKING:
    from analyzer.judge.judging import Judgement
    from analyzer.logs.carriers import Read
    from analyzer.logs.refusal import Refusal
    from analyzer.rules.ruleset import RuleSet


@click.group(help=_(N_("Judges Tiến Lên hands: who broke which rule, who pays whom and why.")))
@click.version_option(f"{VERSION}, compiled" if is_compiled() else VERSION, prog_name="tienlen")
def cli() -> None:
    pass


for command in (rules, ingest, db, rule, revise, quarantine, export, convert, access):
    cli.add_command(command)
cli.add_command(db_verify, "verify")


# -- replay --------------------------------------------------------------------------------------


@cli.command(
    help=_example(
        N_("Judges the hands of logs (files, folders, - for standard input) and tells the account of each."),
        "tienlen replay sample_logs/mien-nam/den-bai.json",
    )
)
@click.argument("paths", nargs=-1, required=True)
@click.option("--rules", "rules_name", help=_(N_("Judge under this preset or rule file instead.")))
@click.option("--hand", "hand_id", help=_(N_("Only the hand of this id, or of a sheet's code (tl:…).")))
@click.option("--json", "as_json", is_flag=True, help=_(N_("Verdicts, one a line, and nothing else.")))
@click.option(
    "--sheet",
    type=click.Path(dir_okay=False, path_type=Path),
    help=_(N_("Also write the ruling sheet of the one hand to this file (.html or .pdf), replacing it.")),
)
@click.option("--session", is_flag=True, help=_(N_("Also what is found between the hands of an evening.")))
@lang_option
def replay(
    paths: tuple[str, ...],
    rules_name: str | None,
    hand_id: str | None,
    as_json: bool,
    sheet: Path | None,
    session: bool,
    lang: str,
) -> None:
    from analyzer.judge.between import SessionHand, session_hand

    rules = find_rules(rules_name) if rules_name else None
    evening: list[SessionHand] = []
    names: dict[tuple[str, str], str] = {}
    code = read_code(hand_id or "")
    sheets = OneSheet(sheet, rules, lang)

    def judged(record: Read) -> tuple[bytes | str, bool]:
        text, judgement = tell(record, rules, as_json, lang, code.event if code is not None else None)
        sheets.take(record)
        if session:
            evening.append(session_hand(judgement, rules or record.rules))
            hand = record.hand
            names.update({(hand.club_id, player.id): player.name or "" for player in hand.players})
        return text, judgement.flagged

    status = tell_each(paths, hand_id, lang, judged)
    sheets.write()
    if session:
        from analyzer.reports.evening import findings_of, session_json, session_text

        click.echo(session_json(evening) + b"\n" if as_json else session_text(evening, lang, names), nl=False)
        if status == 0 and any(finding.severity != "info" for finding in findings_of(evening)):
            status = 1
    sys.exit(status)


def tell_each(
    paths: tuple[str, ...], hand_id: str | None, lang: str, work: Callable[[Read], tuple[bytes | str, bool]]
) -> int:
    """Prints what ``work`` makes of each hand, or why a record was refused; returns the exit status.

    ``work`` returns a text and whether something was found. ``hand_id`` narrows to the hands of that id, or
    of a sheet's code.
    """
    from analyzer.logs.refusal import Refusal

    status, told = 0, 0
    for record in read_all(paths):
        if isinstance(record, Refusal):
            for message in record.messages():
                say(message, lang)
            status = 2
            continue
        if hand_id is not None and not _is_asked(record, hand_id):
            continue
        told += 1
        try:
            text, found = work(record)
        except Exception as error:  # one hand that the program fails on must not cost the others
            say(Refusal.not_judged(record.place, error, record.raw).message(), lang)
            status = 2
            continue
        click.echo(text, nl=False)
        if found and status == 0:
            status = 1
    if hand_id is not None and not told:
        say(Message(N_("No hand {id} in these logs."), id=repr(hand_id)), lang)
        return 2
    if not told and status == 0:
        say_no_hand(paths, lang)
    return status


def _is_asked(record: Read, hand_id: str) -> bool:
    """Whether a record is the hand of an id or of a sheet's code."""
    from analyzer.logs.canonical import content_sha256

    code = read_code(hand_id)
    return record.hand.hand_id == hand_id or (
        code is not None and content_sha256(record.hand).startswith(code.sha256)
    )


def tell(
    record: Read, rules: RuleSet | None, as_json: bool, lang: str, at: int | None = None
) -> tuple[bytes | str, Judgement]:
    """One hand's verdict line or account, in which the event ``at`` is marked, and its judgement."""
    rules = rules or record.rules
    if as_json:
        import hashlib

        from analyzer.judge.judging import judge
        from analyzer.judge.verdict import make_verdict, verdict_json
        from analyzer.rules.house import house_of

        judgement = judge(record.hand, house_of(rules))
        sha256 = hashlib.sha256(record.canonical).hexdigest()
        return verdict_json(make_verdict(judgement, rules, sha256)) + b"\n", judgement
    from analyzer.reports.account import make_account
    from analyzer.reports.text import render

    account = make_account(record.hand, rules)
    return render(account, lang, at) + "\n", account.judgement


def read_all(paths: tuple[str, ...]) -> Iterator[Read | Refusal]:
    """Every record of every path, in order."""
    from analyzer.logs.carriers import records, source_files
    from analyzer.logs.refusal import Refusal

    for source in source_files(paths):
        if isinstance(source, Refusal):
            yield source
        else:
            yield from records(source)


@cli.command(
    help=_example(
        N_("Judges the same hands under several house rules: what changes, and by which rule."),
        "tienlen compare sample_logs/mien-nam/den-bai.json --rules mien-nam --rules phong-cua",
    )
)
@click.argument("path")
@click.option(
    "--rules", "names", multiple=True, required=True, help=_(N_("A preset or rule file; twice or more."))
)
@click.option("--hand", "hand_id", help=_(N_("Only the hand of this id.")))
@click.option("--json", "as_json", is_flag=True, help=_(N_("One comparison a line, and nothing else.")))
@lang_option
def compare(path: str, names: tuple[str, ...], hand_id: str | None, as_json: bool, lang: str) -> None:
    from analyzer.reports.comparison import compare as set_side_by_side
    from analyzer.reports.comparison import comparison_json, comparison_text

    if len(names) < 2:
        raise click.UsageError(_(N_("Name at least two rule sets: --rules A --rules B.")))
    rule_sets = [find_rules(name) for name in names]

    def compared(record: Read) -> tuple[bytes | str, bool]:
        comparison = set_side_by_side(record.hand, rule_sets)
        text = comparison_json(comparison) + b"\n" if as_json else comparison_text(comparison, lang)
        return text, bool(comparison.differing)

    sys.exit(tell_each((path,), hand_id, lang, compared))


# -- dashboards -------------------------------------------------------------------------------


@cli.command(help=_example(N_("Opens the dashboards."), "tienlen serve --db club-db --port 8501"))
@db_option
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help=_(N_("TCP port."))
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help=_(N_("IP address to listen on; one that others can reach needs --auth.")),
)
@click.option(
    "--auth",
    type=click.Path(path_type=Path),
    envvar="TIENLEN_AUTH",
    help=_(N_("TOML file with the login (OpenID Connect); also TIENLEN_AUTH.")),
)
@lang_option
def serve(db: Path, port: int, host: str, auth: Path | None, lang: str) -> None:
    from analyzer.serving import run_dashboards

    sys.exit(run_dashboards(db, port, lang, host, auth))


@cli.command(
    help=_example(
        N_("Takes the sample hands into an embedded database and opens the dashboards."), "tienlen demo"
    )
)
@db_option
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help=_(N_("TCP port."))
)
@click.option("--no-serve", is_flag=True, help=_(N_("Only take the hands in.")))
@lang_option
@click.pass_context
def demo(ctx: click.Context, db: Path, port: int, no_serve: bool, lang: str) -> None:
    from analyzer.serving import run_dashboards, sample_folder

    try:
        ctx.invoke(ingest, paths=(str(sample_folder()),), db=db, lang=lang)
    except SystemExit as done:
        if done.code == 2:
            raise
    if not no_serve:
        sys.exit(run_dashboards(db, port, lang))


# -- making and describing logs -----------------------------------------------------------------


@cli.command(
    help=_example(
        N_("Plays legal hands as logs, and plants one labelled fault in a share of them."),
        "tienlen simulate --hands 1000 --seed 7 -o hands.ndjson",
    )
)
@click.option("--hands", type=click.IntRange(0), required=True, help=_(N_("How many hands.")))
@click.option("--seed", type=int, required=True, help=_(N_("The same seed gives the same hands.")))
@click.option(
    "--rules", "rules_name", default="mien-nam", show_default=True, help=_(N_("Preset or rule file."))
)
@click.option("--players", type=click.IntRange(2, 4), help=_(N_("Players at the table; mixed if not given.")))
@click.option(
    "--faults", type=click.FloatRange(0, 1), default=0.0, help=_(N_("Share of hands with a planted fault."))
)
@click.option(
    "-o",
    "--output",
    type=click.File("wb", lazy=True),
    default="-",
    help=_(N_("Where to; - for standard output.")),
)
def simulate(hands: int, seed: int, rules_name: str, players: int | None, faults: float, output: Any) -> None:
    import msgspec

    from analyzer.reports.progress import counted
    from analyzer.simulate import simulate as play

    try:
        logs = play(hands, seed, find_rules(rules_name), players=players, faults=faults)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    for log in counted(logs, hands, LANG):
        output.write(msgspec.json.encode(log) + b"\n")


@cli.command(help=_example(N_("Prints a JSON Schema."), "tienlen schema hand"))
@click.argument("name", type=click.Choice(["hand", "verdict", "rules"]))
def schema(name: str) -> None:
    from analyzer.schemas import schema_text

    click.echo(schema_text(name), nl=False)


@cli.command(help=_example(N_("Prints the shell's completion script."), 'eval "$(tienlen completion bash)"'))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(cli, {}, "tienlen", "_TIENLEN_COMPLETE").source())


def main() -> None:
    """Runs the program; a closed pipe or Ctrl-C ends it quietly."""
    try:
        with ctrl_c():
            cli(standalone_mode=False, prog_name="tienlen")
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        say(_(error.strerror or str(error)))
        sys.exit(2)
