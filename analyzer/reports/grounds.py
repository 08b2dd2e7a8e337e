"""On what ground a ruling stands: the rule, its value, its basis and the line of its source."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, get_args, get_origin

import msgspec

from analyzer.locale import N_, Message
from analyzer.reports.values import value_message
from analyzer.rules.knobs import KNOB_TYPES, ROW_TABLES, Knobs
from analyzer.rules.loading import cite
from analyzer.rules.ruleset import RuleSet

LAWS: Final = {
    "law.deal": N_("every card is dealt once, and each seat gets the agreed number"),
    "law.turn": N_("each seat acts in its turn"),
    "law.cards": N_("only cards from one's own holding are played, each once"),
    "law.combination": N_("only combinations are played"),
    "law.beating": N_("an answer is of the same kind and length, and higher"),
    "law.end": N_("the hand ends when its end is reached"),
    "law.record": N_("what was written down agrees with what was played"),
    "law.ruling": N_("what the organiser decided about the hand"),
}
"""What every house shares."""

BASIS_NAMES: Final = {
    "stated": N_("stated by the source"),
    "inferred": N_("inferred from the source"),
    "house": N_("the sources do not say; the commonest value"),
    "agreed": N_("this table's own agreement"),
    "law": N_("shared by every house"),
    "absent": N_("this rule set has no such row"),
}

TABLE_NAMES: Final = {
    "chops": N_("What each bomb chops."),
    "places": N_("What each place pays."),
    "card_count": N_("What losers pay by the cards they have left."),
}


class GroundTold(NamedTuple):
    """A rule as it is cited; ``sources`` are plain text, all else can be translated."""

    rule: str
    name: Message
    value: Message | None
    basis: Message
    sources: list[str]
    because: str | None
    doubt: str | None

    def cite(self, lang: str) -> str:
        """The citation in one line: source lines, or the basis where there are none."""
        basis = self.basis.render(lang)
        told = f"{basis}: {', '.join(self.sources)}" if self.sources else basis
        if self.doubt:
            told += " · " + Message(N_("in doubt: {doubt}"), doubt=Message(self.doubt)).render(lang)
        return told

    def both(self) -> dict[str, Any]:
        """For a page: everything in both languages."""
        return {
            "rule": self.rule,
            "name": self.name.both(),
            "value": self.value.both() if self.value is not None else None,
            "basis": self.basis.both(),
            "sources": self.sources,
            "because": Message(self.because).both() if self.because else None,
            "doubt": Message(self.doubt).both() if self.doubt else None,
            "cite": {lang: self.cite(lang) for lang in ("vi", "en")},
        }


def ground_of(rules: RuleSet, rule: str) -> GroundTold:
    """The ground of a knob path, a row's path or a ``law.…``."""
    if rule in LAWS:
        return GroundTold(rule, Message(LAWS[rule]), None, Message(BASIS_NAMES["law"]), [], None, None)
    ground = rules.ground(rule)
    row = rule.partition(".")[0] in ROW_TABLES and "." in rule
    basis = ground.basis if ground else "absent" if row and not rules.value(rule) else "house"
    return GroundTold(
        rule,
        Message(describe(rule)),
        value_text(rules, rule),
        Message(BASIS_NAMES[basis]),
        [cite(reference) for reference in ground.sources] if ground else [],
        ground.because if ground else None,
        ground.doubt if ground else None,
    )


def describe(path: str) -> str:
    """What a knob means: its documentation, which is its message id too."""
    section, _, name = path.partition(".")
    if section in ROW_TABLES:
        return TABLE_NAMES[section]
    type_ = next(f.type for f in msgspec.structs.fields(Knobs) if f.name == section)
    for field in msgspec.structs.fields(type_):
        if field.encode_name == name:
            return _description(field.type)
    raise KeyError(path)


def descriptions() -> dict[str, str]:
    """Knob path → its documentation, for every knob."""
    return {path: describe(path) for path in KNOB_TYPES}


def _description(type_: Any) -> str:
    for part in (type_, *get_args(type_)):
        description = getattr(part, "description", None)
        if isinstance(description, str):
            return description
    origin = get_origin(type_)
    raise KeyError(f"a knob without documentation: {type_} {origin}")


def value_text(rules: RuleSet, path: str) -> Message:
    """A knob's or row's value as text."""
    told = rules.provenance.get(path)
    return value_message(told["value"] if told is not None else rules.flat().get(path), path)
