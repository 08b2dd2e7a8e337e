"""House rules as people read them: a sheet of every value with its source, and faults of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.locale import N_, Message, translate
from analyzer.reports.grounds import describe, ground_of
from analyzer.reports.values import WORDS, value_message
from analyzer.rules.knobs import KNOB_TYPES, ROW_TABLES
from analyzer.rules.ruleset import RuleSet, row_path

SECTION_NAMES = {
    "table": N_("Table"),
    "combinations": N_("Combinations"),
    "tricks": N_("Tricks"),
    "chops": N_("Chops"),
    "chop_money": N_("Chop money"),
    "prices": N_("Prices, in stakes"),
    "rotten_prices": N_("Prices of what is left over, in stakes"),
    "lead": N_("Lead"),
    "instant_wins": N_("Instant wins"),
    "end": N_("End of the hand"),
    "places": N_("Places, in stakes"),
    "card_count": N_("Cards left, in stakes"),
    "frozen": N_("Frozen players"),
    "forfeit": N_("Forfeits"),
    "rotten": N_("Rotten cards"),
    "finish": N_("Going out"),
    "before": N_("Before the first play"),
    "conduct": N_("Conduct"),
    "session": N_("Session"),
}


def paths_of(rules: RuleSet) -> Iterator[str]:
    """Every knob and row of a rule set, in the order of the sheet."""
    for section in SECTION_NAMES:
        if section in ROW_TABLES:
            rows = rules.value(section)
            yield from ([row_path(section, row) for row in rows] if rows else [section])
        else:
            yield from (path for path in KNOB_TYPES if path.startswith(section + "."))


def rule_sheet(rules: RuleSet, lang: str) -> str:
    """The whole sheet as plain text."""
    lines = [f"{rules.title.get(lang, rules.id)} [{rules.id}]", f"SHA-256 {rules.sha256}"]
    section = ""
    for path in paths_of(rules):
        if path.partition(".")[0] != section:
            section = path.partition(".")[0]
            lines += ["", translate(SECTION_NAMES[section], lang)]
        lines += _entry(rules, path, lang)
    return "\n".join(lines) + "\n"


def _entry(rules: RuleSet, path: str, lang: str) -> list[str]:
    ground = ground_of(rules, path)
    raw = _value(rules, path)
    written = f"{raw}: " if isinstance(raw, str) and raw in WORDS.get(path, ()) else ""
    lines = [f"  {path} = {written}{path_value(rules, path, lang)}"]
    lines.append(f"      {translate(describe(path), lang)}")
    lines.append(f"      {ground.cite(lang)}")
    if ground.because:
        lines.append(
            "      " + Message(N_("because: {reason}"), reason=translate(ground.because, lang)).render(lang)
        )
    return lines


def rule_diff(one: RuleSet, other: RuleSet, lang: str) -> str:
    """Where two rule sets differ, each value with its own source."""
    lines = [f"{one.id} ↔ {other.id}"]
    paths = list(dict.fromkeys([*paths_of(one), *paths_of(other)]))
    for path in paths:
        told = [(each, path_value(each, path, lang)) for each in (one, other)]
        if told[0][1] == told[1][1]:
            continue
        lines += ["", f"{path}: {translate(describe(path), lang)}"]
        for each, value in told:
            lines.append(f"  {each.id}: {value}")
            lines.append(f"      {ground_of(each, path).cite(lang)}")
    if len(lines) == 1:
        lines.append(translate(N_("No difference."), lang))
    return "\n".join(lines) + "\n"


def path_value(rules: RuleSet, path: str, lang: str) -> str:
    """A knob's or row's value as text; nothing is told as such."""
    value = _value(rules, path)
    section, _, name = path.partition(".")
    if value is None and section == "rotten_prices":
        chopped = value_message(_value(rules, f"prices.{name}"), f"prices.{name}")
        return Message(N_("as when it is chopped: {value}"), value=chopped).render(lang)
    return translate(N_("none"), lang) if value in (None, []) else value_message(value, path).render(lang)


def _value(rules: RuleSet, path: str) -> Any:
    return rules.provenance.get(path, {"value": rules.value(path)})["value"]
