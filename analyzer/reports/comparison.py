"""One hand under several agreements: where the verdict parts, by which knob, and the money side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from analyzer.judge.judging import judge
from analyzer.judge.verdict import Verdict, make_verdict
from analyzer.locale import N_, Message
from analyzer.logs.canonical import content_sha256
from analyzer.logs.hand import Hand
from analyzer.reports.grounds import ground_of
from analyzer.reports.money import Amount
from analyzer.reports.rule_sheet import path_value
from analyzer.reports.text import safe
from analyzer.reports.values import value_message
from analyzer.rules.house import house_of
from analyzer.rules.knobs import KNOB_TYPES, ROW_TABLES
from analyzer.rules.loading import with_value
from analyzer.rules.ruleset import RuleSet, row_path

FORMAT: Final = "tienlen-compare/1"
_encoder: Final = msgspec.json.Encoder(decimal_format="number")

ASPECTS: Final = {
    "outcome": N_("outcome"),
    "places": N_("places"),
    "frozen": N_("frozen"),
    "violations": N_("violations"),
    "chops": N_("chops"),
    "missed_blocks": N_("missed blocks"),
    "forfeit": N_("forfeit"),
    "transfers": N_("settlement"),
    "net": N_("net"),
    "next_lead": N_("next lead"),
}


@dataclass(frozen=True, slots=True)
class KnobDifference:
    """A knob on which two rule sets differ; ``changes`` are the aspects of the verdict it alone moves."""

    path: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdicts of one hand; ``parts_at`` is the first event judged differently, or None."""

    hand: Hand
    rules: tuple[RuleSet, ...]
    verdicts: tuple[Verdict, ...]
    differing: tuple[str, ...]
    parts_at: int | None
    knobs: tuple[KnobDifference, ...]


def compare(hand: Hand, rules: Sequence[RuleSet]) -> Comparison:
    """Judges a hand under each rule set; knobs are compared between the first and each other one."""
    verdicts = tuple(_verdict(hand, each) for each in rules)
    first = _aspects(verdicts[0])
    others = [_aspects(verdict) for verdict in verdicts[1:]]
    differing = tuple(name for name in ASPECTS if any(other[name] != first[name] for other in others))
    knobs: dict[str, set[str]] = {}
    for each in rules[1:]:
        for path in differences(rules[0], each):
            changed = _aspects(_verdict(hand, with_value(rules[0], path, each)))
            knobs.setdefault(path, set()).update(n for n in ASPECTS if changed[n] != first[n])
    order = sorted(knobs.items(), key=lambda item: (not item[1], list(KNOB_TYPES).index(item[0])))
    return Comparison(
        hand,
        tuple(rules),
        verdicts,
        differing,
        _parts_at(verdicts),
        tuple(KnobDifference(path, tuple(n for n in ASPECTS if n in moved)) for path, moved in order),
    )


def differences(one: RuleSet, other: RuleSet) -> list[str]:
    """The knob paths whose values differ."""
    left, right = one.flat(), other.flat()
    return [path for path in KNOB_TYPES if left[path] != right[path]]


def _verdict(hand: Hand, rules: RuleSet) -> Verdict:
    return make_verdict(judge(hand, house_of(rules)), rules, content_sha256(hand))


def _aspects(verdict: Verdict) -> dict[str, Any]:
    """What makes two verdicts differ in substance."""
    transfers: Counter[tuple[int | None, int | None, str]] = Counter()
    for t in verdict.transfers:
        transfers[t.from_, t.to, t.reason] += t.amount  # type: ignore[assignment]
    return {
        "outcome": (verdict.outcome, [(w.seat, w.hand) for w in verdict.instant_winners]),
        "places": verdict.places,
        "frozen": sorted(verdict.frozen),
        "violations": [(v.code, v.event, v.seat, v.severity) for v in verdict.violations],
        "chops": [(c.event, c.seat, c.victim, c.amount, c.paid) for c in verdict.chops],
        "missed_blocks": [(m.event, m.seat, m.option_count) for m in verdict.missed_blocks],
        "forfeit": verdict.forfeit and (verdict.forfeit.seat, verdict.forfeit.event, verdict.forfeit.kind),
        "transfers": {key: amount for key, amount in transfers.items() if amount},
        "net": verdict.net,
        "next_lead": verdict.next_lead and (verdict.next_lead.reason, verdict.next_lead.seat),
    }


def _parts_at(verdicts: Sequence[Verdict]) -> int | None:
    """The first event on which violations, chops or missed blocks differ."""
    Mark = tuple[int, str, Any]
    every: set[Mark] = set()
    shared: set[Mark] | None = None
    for verdict in verdicts:
        told: set[Mark] = set()
        told |= {(v.event, v.code, v.seat) for v in verdict.violations if v.event is not None}
        told |= {(c.event, "chop", (c.amount, c.paid)) for c in verdict.chops}
        told |= {(m.event, "missed", m.option_count) for m in verdict.missed_blocks}
        every |= told
        shared = told if shared is None else shared & told
    return min((event for event, _, _ in every - (shared or set())), default=None)


def comparison_json(comparison: Comparison) -> bytes:
    """A comparison as one line of JSON."""
    return _encoder.encode(
        {
            "format": FORMAT,
            "hand_id": comparison.hand.hand_id,
            "rules": [{"id": each.id, "sha256": each.sha256} for each in comparison.rules],
            "differing": list(comparison.differing),
            "parts_at": comparison.parts_at,
            "knobs": [
                {
                    "path": knob.path,
                    "values": [each.flat()[knob.path] for each in comparison.rules],
                    "changes": list(knob.changes),
                }
                for knob in comparison.knobs
            ],
            "net": [verdict.net for verdict in comparison.verdicts],
            "verdicts": list(comparison.verdicts),
        }
    )


def _values(comparison: Comparison, path: str, lang: str) -> str:
    """A knob's value under each rule set; a table of rows is too long for a line."""
    if path in ROW_TABLES:
        return ""
    return ": " + " / ".join(value_message(each.flat()[path], path).render(lang) for each in comparison.rules)


def cited_paths(comparison: Comparison, path: str) -> list[str]:
    """What is cited for a knob: of a table of rows, the rows that differ."""
    if path not in ROW_TABLES:
        return [path]
    rows = dict.fromkeys(row_path(path, row) for each in comparison.rules for row in each.value(path))
    return [row for row in rows if len({str(each.value(row)) for each in comparison.rules}) > 1]


def comparison_text(comparison: Comparison, lang: str) -> str:
    """A comparison for a reader."""
    hand = comparison.hand
    names = [each.id for each in comparison.rules]
    lines = [Message(N_("Hand {id} under {rules}"), id=hand.hand_id, rules=" · ".join(names)).render(lang)]
    if not comparison.differing:
        lines.append("  " + Message(N_("The verdict is the same.")).render(lang))
        return "\n".join(map(safe, lines)) + "\n"
    parts = ", ".join(Message(ASPECTS[name]).render(lang) for name in comparison.differing)
    lines.append("  " + Message(N_("The verdicts differ in: {parts}"), parts=parts).render(lang))
    if comparison.parts_at is not None:
        lines.append("  " + Message(N_("They part at act {act}"), act=comparison.parts_at + 1).render(lang))
    lines.append("  " + Message(N_("Money side by side")).render(lang))
    for seat, player in enumerate(hand.players):
        amounts = [
            f"{name} {Amount(verdict.net[seat], hand.currency, signed=True).render(lang)}"
            for name, verdict in zip(names, comparison.verdicts, strict=True)
        ]
        lines.append(f"    {player.name or player.id}: {' · '.join(amounts)}")
    lines.append("  " + Message(N_("Rules that alone change the verdict")).render(lang))
    acting = [knob for knob in comparison.knobs if knob.changes]
    for knob in acting:
        changes = ", ".join(Message(ASPECTS[name]).render(lang) for name in knob.changes)
        lines.append(f"    {knob.path}{_values(comparison, knob.path, lang)} → {changes}")
        for path in cited_paths(comparison, knob.path):
            lines += [
                f"      {each.id}: {path_value(each, path, lang)}; {ground_of(each, path).cite(lang)}"
                for each in comparison.rules
            ]
    if not acting:
        lines.append("    " + Message(N_("none alone: it takes several together")).render(lang))
    return "\n".join(map(safe, lines)) + "\n"
