"""Reading rule sets: presets, a club's own TOML files, and the ``rules`` of a log.

A value in a TOML file is either plain (``follow = "suit"``, a table's own agreement) or a table that
also carries its ground: ``follow = { value = "suit", basis = "stated", source = ["000 L90"] }``. Rows
(``[[chops]]``) carry ``basis``, ``source``, ``because`` and ``doubt`` beside their own fields. A file
may ``extends`` a preset and set only what differs; a table of rows is then replaced whole.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
import typing
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from analyzer.locale import N_, Message
from analyzer.rules.faults import ABSENT, AMOUNT, RuleFault, RulesError, allowed, one_of
from analyzer.rules.knobs import KNOB_TYPES, ROW_TABLES, Knobs, Section
from analyzer.rules.ruleset import BASES, Ground, RuleSet, row_path

PRESETS = Path(__file__).with_name("presets")
DEFAULT = "mien-nam"
MAX_BYTES = 256 * 1024
MISSING = "—"
"""What is said to be found where nothing is."""

GROUND_KEYS = ("basis", "source", "because", "doubt")
HEADER_KEYS = ("id", "extends", "title")
SOURCE = re.compile(r"(\d{3})(?: L(\d{1,5})(?:-L(\d{1,5}))?)?")


@dataclass(frozen=True, slots=True)
class Source:
    """One of the documents the presets are taken from."""

    id: str
    title: str
    lines: int


@cache
def sources() -> Mapping[str, Source]:
    """The source documents, by their three-digit id."""
    read = tomllib.loads(Path(__file__).with_name("sources.toml").read_text("utf-8"))
    return {id_: Source(id_, entry["title"], entry["lines"]) for id_, entry in read.items()}


def cite(reference: str) -> str:
    """A reference as people read it: ``Tiến lên (bài bách khoa), dòng 31`` in short form."""
    match = SOURCE.fullmatch(reference)
    source = sources().get(match[1]) if match else None
    if not match or not source:
        return reference
    lines = f" L{match[2]}" + (f"-L{match[3]}" if match[3] else "") if match[2] else ""
    return f"«{source.title}»{lines}"


@cache
def preset_ids() -> tuple[str, ...]:
    """Ids of the presets, the default first."""
    found = sorted(path.stem for path in PRESETS.glob("*.toml"))
    return (DEFAULT, *(id_ for id_ in found if id_ != DEFAULT))


@cache
def preset(id_: str) -> RuleSet:
    """The preset of this id; raises RulesError for an unknown one."""
    if id_ not in preset_ids():
        near = difflib.get_close_matches(id_, preset_ids(), 1)
        raise RulesError(
            [RuleFault("rules", "extends", repr(id_), one_of(preset_ids()), nearest=next(iter(near), None))]
        )
    return load(PRESETS / f"{id_}.toml")


def load(path: Path) -> RuleSet:
    """The rule set in a TOML file; raises RulesError with every fault found, OSError if unreadable."""
    with open(path, "rb") as file:
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        expected = Message(N_("at most {n} bytes in one file"), n=MAX_BYTES)
        raise RulesError([RuleFault(path.name, "file", f"> {MAX_BYTES} B", expected)])
    return parse(raw, path.name)


def parse(raw: bytes, name: str) -> RuleSet:
    """The rule set in TOML text; ``name`` is what errors call the file."""
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
        read = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise RulesError([RuleFault(name, "file", str(error), Message(N_("a TOML file in UTF-8")))]) from None
    reader = _Reader(name)
    leaves = reader.leaves(read)
    base = reader.base(read.get("extends"))
    rules = None
    if base or not reader.faults:
        rules = reader.build(read, leaves, base)
    if reader.faults or rules is None:
        raise RulesError([replace(fault, line=_line_of(text, fault.key)) for fault in reader.faults])
    return rules


@dataclass(slots=True)
class _Leaf:
    value: Any
    ground: Ground


class _Reader:
    """Collects every fault of one rule set instead of stopping at the first."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.faults: list[RuleFault] = []

    def fault(self, key: str, found: object, expected: Message, nearest: str | None = None) -> None:
        self.faults.append(RuleFault(self.name, key, _short(found), expected, nearest=nearest))

    def base(self, id_: object) -> RuleSet | None:
        if id_ is None:
            return None
        try:
            return preset(id_) if isinstance(id_, str) else preset(repr(id_))
        except RulesError:
            near = difflib.get_close_matches(str(id_), preset_ids(), 1)
            self.fault("extends", id_, one_of(preset_ids()), next(iter(near), None))
            return None

    def leaves(self, read: Mapping[str, Any]) -> dict[str, Any]:
        """Dotted path → _Leaf, or for a table of rows a list of them."""
        found: dict[str, Any] = {}
        sections = {path.partition(".")[0] for path in KNOB_TYPES}
        for key, entry in read.items():
            if key in HEADER_KEYS:
                continue
            if key in ROW_TABLES:
                found[key] = (
                    (self._leaf(key, entry) or []) if isinstance(entry, dict) else self._rows(key, entry)
                )
            elif key not in sections:
                self._unknown(key, {*sections, *HEADER_KEYS})
            elif not isinstance(entry, dict):
                self.fault(key, entry, Message(N_("a table {name}"), name=f"[{key}]"))
            else:
                for name, value in entry.items():
                    path = f"{key}.{name}"
                    if path not in KNOB_TYPES:
                        self._unknown(path, {p for p in KNOB_TYPES if p.startswith(key + ".")})
                        continue
                    leaf = self._leaf(path, value)
                    if leaf:
                        found[path] = leaf
        return found

    def _leaf(self, path: str, entry: Any) -> _Leaf | None:
        if not isinstance(entry, dict):
            return _Leaf(entry, Ground("agreed", given_by=self.name))
        for key in entry:
            if key not in ("value", *GROUND_KEYS):
                self._unknown(f"{path}.{key}", {"value", *GROUND_KEYS})
        if "value" not in entry:
            self.fault(path, MISSING, Message(N_("a key `value`")))
            return None
        return _Leaf(entry["value"], self._ground(path, entry))

    def _rows(self, table: str, entry: Any) -> list[_Leaf]:
        if not isinstance(entry, list) or not all(isinstance(row, dict) for row in entry):
            self.fault(table, entry, Message(N_("rows {name}"), name=f"[[{table}]]"))
            return []
        rows = []
        for row in entry:
            value = {key: item for key, item in row.items() if key not in GROUND_KEYS}
            rows.append(_Leaf(value, self._ground(table, row)))
        return rows

    def _ground(self, path: str, entry: Mapping[str, Any]) -> Ground:
        basis = entry.get("basis", "agreed")
        if basis not in BASES:
            self.fault(path, basis, Message(N_("basis: {allowed}"), allowed=one_of(BASES)))
            basis = "agreed"
        given = entry.get("source", [])
        references = [given] if isinstance(given, str) else given
        if not isinstance(references, list) or not all(isinstance(r, str) for r in references):
            self.fault(path, given, Message(N_("source: a reference such as '000 L31', or a list of them")))
            references = []
        for reference in references:
            self._reference(path, reference)
        for key in ("because", "doubt"):
            if not isinstance(entry.get(key, ""), str):
                self.fault(path, entry[key], Message(N_("{name}: a sentence"), name=key))
        if basis == "stated" and not references:
            self.fault(path, "basis = stated", Message(N_("source: a document and line such as '000 L31'")))
        return Ground(basis, tuple(references), entry.get("because"), entry.get("doubt"), self.name)

    def _reference(self, path: str, reference: str) -> None:
        match = SOURCE.fullmatch(reference)
        source = sources().get(match[1]) if match else None
        if match is None or source is None:
            self.fault(
                path,
                reference,
                Message(
                    N_("source: one of {names}, with a line, such as '000 L31'"), names=", ".join(sources())
                ),
            )
            return
        for line in (match[2], match[3]):
            if line and not 1 <= int(line) <= source.lines:
                self.fault(
                    path,
                    reference,
                    Message(N_("a line of {id}: 1 to {last}"), id=source.id, last=source.lines),
                )

    def _unknown(self, key: str, known: set[str]) -> None:
        near = difflib.get_close_matches(key, known, 1) or difflib.get_close_matches(
            key.rpartition(".")[2], known, 1
        )
        self.fault(key, repr(key.rpartition(".")[2]), one_of(sorted(known)), next(iter(near), None))

    def build(
        self, read: Mapping[str, Any], leaves: Mapping[str, Any], base: RuleSet | None
    ) -> RuleSet | None:
        values: dict[str, Any] = {}
        grounds: dict[str, Ground] = dict(base.grounds) if base else {}
        for path, type_ in KNOB_TYPES.items():
            if path in leaves:
                given = leaves[path]
                raw = [leaf.value for leaf in given] if isinstance(given, list) else given.value
                values[path] = self.value(path, raw, type_)
                if path in ROW_TABLES:
                    grounds = {k: g for k, g in grounds.items() if k != path and not k.startswith(path + ".")}
                if isinstance(given, list):
                    for row, leaf in zip(values[path] or [], given, strict=False):
                        grounds[row_path(path, row)] = leaf.ground
                else:
                    grounds[path] = given.ground
            elif base:
                values[path] = base.value(path)
            elif path.startswith("rotten_prices."):
                values[path] = None
            else:
                self.fault(
                    path, MISSING, Message(N_("{allowed}; or `extends` a preset"), allowed=allowed(type_))
                )
        if self.faults:
            return None
        return RuleSet(self._id(read), self._title(read), _knobs(values), grounds)

    def value(self, path: str, raw: Any, type_: Any) -> Any:
        """``raw`` as the knob's type, or None with a fault noted."""
        if raw == ABSENT or raw is None:
            if _optional(type_):
                return None
            self.fault(path, raw, allowed(type_))
            return None
        wrong = _wrong_amount(raw)
        if wrong is not None:
            self.fault(path, wrong, Message(AMOUNT))
            return None
        try:
            if not isinstance(raw, str) or not _numeric(type_):
                value = msgspec.convert(raw, type_)
                self._consistent(path, value)
                return value
        except msgspec.ValidationError:
            self.fault(path, raw, allowed(type_))
            return None
        self.fault(path, raw, allowed(type_))
        return None

    def _consistent(self, path: str, value: Any) -> None:
        """What a table of rows must hold beyond its types."""
        if path not in ROW_TABLES:
            return
        for name, times in Counter(row_path(path, row) for row in value).items():
            if times > 1:
                self.fault(path, name, Message(N_("each row once")))
        if path == "places":
            for row in value:
                if row.from_ == row.to or max(row.from_, row.to) > row.players:
                    self.fault(
                        path,
                        row_path(path, row),
                        Message(N_("two different places that exist at that table")),
                    )

    def _id(self, read: Mapping[str, Any]) -> str:
        id_ = read.get("id", self.name.removesuffix(".toml"))
        if not isinstance(id_, str) or not 1 <= len(id_) <= 64:
            self.fault("id", id_, Message(N_("a text of 1 to 64 characters")))
        return str(id_)

    def _title(self, read: Mapping[str, Any]) -> Mapping[str, str]:
        title = read.get("title", {})
        if isinstance(title, str):
            title = {"vi": title, "en": title}
        if not isinstance(title, dict) or not all(
            k in ("vi", "en") and isinstance(t, str) for k, t in title.items()
        ):
            self.fault("title", title, Message(N_("a text, or a table with `vi` and `en`")))
            return {}
        return title


def resolve(spec: str | Mapping[str, Any]) -> RuleSet:
    """The rule set a log names: a preset's id, or ``{"extends": id, "set": {path: value}}``."""
    if isinstance(spec, str):
        return preset(spec)
    return _resolved(json.dumps(spec, sort_keys=True, default=str, ensure_ascii=False))


@lru_cache(maxsize=256)
def _resolved(spec: str) -> RuleSet:
    read = json.loads(spec, parse_float=Decimal)
    return override(preset(read["extends"]), read.get("set") or {})


def override(base: RuleSet, changes: Mapping[str, Any]) -> RuleSet:
    """``base`` with a table's own agreement laid over it; raises RulesError with its first fault."""
    reader = _Reader("rules.set")
    values = {path: base.value(path) for path in KNOB_TYPES}
    grounds = dict(base.grounds)
    for path, raw in changes.items():
        if path in KNOB_TYPES:
            values[path] = reader.value(path, raw, KNOB_TYPES[path])
        else:
            reader._unknown(path, set(KNOB_TYPES))
        if reader.faults:
            raise RulesError(reader.faults)
        agreed = Ground("agreed", given_by="set")
        if path in ROW_TABLES:
            grounds = {k: g for k, g in grounds.items() if k != path and not k.startswith(path + ".")}
        grounds[path] = agreed
    return RuleSet(base.id, base.title, _knobs(values), grounds, dict(changes))


def club_file(id_: str, base: RuleSet) -> str:
    """The beginning of a club's own rule file: every value of ``base`` as a comment to be uncommented."""
    lines = [f"id = {json.dumps(id_, ensure_ascii=False)}", f'extends = "{base.id}"', ""]
    section = ""
    for path, value in base.flat().items():
        table, _, name = path.partition(".")
        if path in ROW_TABLES:
            continue
        if table != section:
            section = table
            lines += ["", f"[{section}]"]
        lines.append(f"# {name} = {_toml(value, KNOB_TYPES[path])}")
    return "\n".join(lines) + "\n"


def _toml(value: Any, type_: Any) -> str:
    """A plain value as TOML; amounts are plain text already and stand without quotes."""
    if value is None:
        return json.dumps(ABSENT)
    return value if _numeric(type_) and isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def with_value(base: RuleSet, path: str, other: RuleSet) -> RuleSet:
    """``base`` with the value that ``other`` has at one knob path."""
    values = {each: base.value(each) for each in KNOB_TYPES}
    values[path] = other.value(path)
    grounds = {
        key: ground for key, ground in base.grounds.items() if key != path and not key.startswith(path + ".")
    }
    grounds |= {key: g for key, g in other.grounds.items() if key == path or key.startswith(path + ".")}
    return RuleSet(base.id, base.title, _knobs(values), grounds, {**base.changed, path: other.flat()[path]})


def _knobs(values: Mapping[str, Any]) -> Knobs:
    sections: dict[str, Any] = {}
    for field in msgspec.structs.fields(Knobs):
        if field.name in ROW_TABLES:
            sections[field.name] = values[field.name]
            continue
        section: type[Section] = field.type
        sections[field.name] = section(
            **{f.name: values[f"{field.name}.{f.encode_name}"] for f in msgspec.structs.fields(section)}
        )
    return Knobs(**sections)


def _optional(type_: Any) -> bool:
    if typing.get_origin(type_) is typing.Annotated:
        return _optional(typing.get_args(type_)[0])
    return type(None) in typing.get_args(type_)


def _numeric(type_: Any) -> bool:
    """Whether a text could slip in as a number: msgspec reads decimals from strings."""
    if type_ is Decimal:
        return True
    return any(_numeric(a) for a in typing.get_args(type_) if not isinstance(a, msgspec.Meta | str | int))


def _wrong_amount(raw: Any) -> Any:
    """The first number in ``raw`` that is out of bounds or too fine, or None."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, dict):
        for key, item in raw.items():
            if key == "stakes" and isinstance(item, str):
                return item
        return next((w for item in raw.values() if (w := _wrong_amount(item)) is not None), None)
    if isinstance(raw, list):
        return next((w for item in raw if (w := _wrong_amount(item)) is not None), None)
    if isinstance(raw, float):
        return _wrong_amount(Decimal(repr(raw)))
    if isinstance(raw, int | Decimal):
        value = Decimal(raw)
        fine = value.is_finite() and 0 <= value <= 1_000_000 and value == value.quantize(Decimal("0.001"))
        return None if fine else raw
    return None


def _line_of(text: str, key: str) -> int | None:
    """The line of a TOML text on which a knob is set, as far as it can be found by its name."""
    section, _, name = key.partition(".")
    at = None
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        header = re.match(r"\[+\s*([\w.]+)\s*\]+", stripped)
        if header:
            at = header[1]
            if at == key:
                return number
        elif (name and at == section and re.match(rf"{re.escape(name.partition('.')[0])}\s*=", stripped)) or (
            not name and at is None and re.match(rf"{re.escape(section)}\s*=", stripped)
        ):
            return number
    return None


def _short(found: object) -> str:
    text = found if isinstance(found, str) else repr(found)
    return text if len(text) <= 120 else text[:117] + "..."
