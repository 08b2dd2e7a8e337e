"""The commands ``rules …``: house rules, each value with its source."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.console import LANG, _, example, lang_option, say
from analyzer.locale import N_, Message

if TYPE_CHECKING:
    from analyzer.rules.ruleset import RuleSet


def find_rules(name: str) -> RuleSet:
    """A preset by its id, or a rule set in a TOML file."""
    from analyzer.rules.faults import RulesError
    from analyzer.rules.loading import load, preset

    try:
        return load(Path(name)) if name.endswith(".toml") or os.sep in name else preset(name)
    except RulesError as error:
        raise click.UsageError("\n".join(fault.message().render(LANG) for fault in error.faults)) from None
    except OSError as error:
        raise click.UsageError(f"{name}: {error.strerror or error}") from None


@click.group(help=_(N_("House rules, each value with its source.")))
def rules() -> None:
    pass


@rules.command("list", help=example(N_("Lists the presets."), "tienlen rules list"))
@lang_option
def rules_list(lang: str) -> None:
    from analyzer.rules.loading import preset, preset_ids

    for id_ in preset_ids():
        found = preset(id_)
        click.echo(f"{id_:20} {found.title.get(lang, '')}")


@rules.command("show", help=example(N_("Shows a rule set as a sheet."), "tienlen rules show mien-nam"))
@click.argument("name")
@lang_option
def rules_show(name: str, lang: str) -> None:
    from analyzer.reports.rule_sheet import rule_sheet

    click.echo(rule_sheet(find_rules(name), lang), nl=False)


@rules.command(
    "diff",
    help=example(
        N_("Shows where two rule sets differ, with both sources."), "tienlen rules diff mien-nam phong-cua"
    ),
)
@click.argument("one")
@click.argument("other")
@lang_option
def rules_diff(one: str, other: str, lang: str) -> None:
    from analyzer.reports.rule_sheet import rule_diff

    click.echo(rule_diff(find_rules(one), find_rules(other), lang), nl=False)


@rules.command(
    "check", help=example(N_("Proves a club's own rule file."), "tienlen rules check our-club.toml")
)
@click.argument("file", type=click.Path(path_type=Path))
@lang_option
def rules_check(file: Path, lang: str) -> None:
    from analyzer.rules.faults import RulesError
    from analyzer.rules.loading import load
    from analyzer.rules.sense import warnings

    try:
        found = load(file)
    except RulesError as error:
        for fault in error.faults:
            say(fault.message(), lang)
        sys.exit(2)
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror or error}") from None
    for path, why in warnings(found):
        say(Message(N_("{file}: warning: {path}: {why}"), file=file.name, path=path, why=why), lang)
    click.echo(
        Message(
            N_("{file} can be used: {id}, SHA-256 {sha}"), file=str(file), id=found.id, sha=found.sha256
        ).render(lang)
    )
