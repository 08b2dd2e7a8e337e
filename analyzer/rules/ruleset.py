"""A rule set: the value of every knob, and on what ground each value stands."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, cached_property
from typing import Any, Literal, get_args

import msgspec

from analyzer.rules.knobs import KNOB_TYPES, ROW_KEYS, ROW_TABLES, Knobs

Basis = Literal["stated", "inferred", "house", "agreed"]
BASES = get_args(Basis)


@dataclass(frozen=True, slots=True)
class Ground:
    """Why a knob has its value.

    ``stated``: the source document says it. ``inferred``: its words or worked totals imply it, and
    ``because`` is the reasoning. ``house``: the document is silent. ``agreed``: this table's own
    agreement. ``sources`` are references such as ``000 L31`` into ``sources.toml``; ``doubt`` says
    where a source contradicts itself; ``given_by`` names the preset, file or log that set the value.
    """

    basis: Basis
    sources: tuple[str, ...] = ()
    because: str | None = None
    doubt: str | None = None
    given_by: str = ""


@dataclass(frozen=True, eq=False)
class RuleSet:
    """A resolved set of house rules. Equal values give equal ``sha256``, whatever their grounds."""

    id: str
    title: Mapping[str, str]
    knobs: Knobs
    grounds: Mapping[str, Ground]
    changed: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 (hex) over the values of all knobs, as canonical JSON."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()

    @cached_property
    def canonical(self) -> str:
        """Every knob's value as JSON with sorted keys; amounts as plain decimal text."""
        return json.dumps(_plain(self.knobs), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def value(self, path: str) -> Any:
        """The value at a knob path; a row's path (``chops.four_pairs``) gives the row, or None."""
        section, _, name = path.partition(".")
        found = getattr(self.knobs, section)
        if section in ROW_TABLES:
            return next((row for row in found if row_path(section, row) == path), None) if name else found
        return getattr(found, name)

    def ground(self, path: str) -> Ground | None:
        """The ground of a knob or row; the price of something left over falls back on its price."""
        found = self.grounds.get(path)
        if found is None and "." in path:
            found = self.grounds.get(path.partition(".")[0])
        return found

    def flat(self) -> dict[str, Any]:
        """Dotted path → plain value, one entry a knob."""
        return {path: _plain(self.value(path)) for path in KNOB_TYPES}

    @cached_property
    def provenance(self) -> dict[str, dict[str, Any]]:
        """Dotted path → ``{"value": …, "basis": …, "sources": […], …}`` for knobs and rows."""
        paths = [path for path in KNOB_TYPES if path not in ROW_TABLES]
        for table in ROW_TABLES:
            paths += [row_path(table, row) for row in getattr(self.knobs, table)]
        told = {}
        for path in paths:
            ground = self.ground(path) or Ground("house")
            told[path] = {
                "value": _plain(self.value(path)),
                "basis": ground.basis,
                "sources": list(ground.sources),
                "because": ground.because,
                "doubt": ground.doubt,
                "given_by": ground.given_by,
            }
        return told


def row_path(table: str, row: Any) -> str:
    """The path of one row of a table: ``chops.four_pairs``, ``places.4.3``, ``card_count.6``."""
    plain = msgspec.to_builtins(row)
    return ".".join([table, *(str(plain[key]) for key in ROW_KEYS[table])])


def _plain(value: Any) -> Any:
    """JSON-ready form in which equal amounts are written alike: ``0.5``, never ``0.50``."""
    if isinstance(value, Decimal):
        return exact(value)
    if isinstance(value, msgspec.Struct):
        return {f.encode_name: _plain(getattr(value, f.name)) for f in _fields(type(value))}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


_fields = cache(msgspec.structs.fields)
"""The fields of a struct type, looked up once."""


def exact(value: Decimal) -> str:
    """A decimal as its shortest plain text."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
