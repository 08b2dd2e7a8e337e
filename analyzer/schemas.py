"""The JSON Schemas of the public formats, generated from the types."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

from analyzer.judge.verdict import Verdict
from analyzer.logs.hand import Hand
from analyzer.rules.knobs import Knobs

TYPES: Final[dict[str, type[msgspec.Struct]]] = {"hand": Hand, "verdict": Verdict, "rules": Knobs}


def schema_of(name: str) -> dict[str, Any]:
    """The schema of ``hand``, ``verdict`` or ``rules`` as plain data."""
    (top,), components = msgspec.json.schema_components([TYPES[name]], ref_template="#/$defs/{name}")
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"tienlen {name}",
        **top,
        "$defs": {key: _amounts(value) for key, value in components.items()},
    }
    if name == "hand":
        _carry(schema)
    return schema


def schema_text(name: str) -> str:
    """The schema as the text of its file in ``schemas/``."""
    return json.dumps(schema_of(name), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _amounts(value: Any) -> Any:
    """Amounts are JSON numbers here, never texts."""
    if isinstance(value, dict):
        if value.get("format") == "decimal":
            return {key: item for key, item in {**value, "type": "number"}.items() if key != "format"}
        return {key: _amounts(item) for key, item in value.items()}
    return [_amounts(item) for item in value] if isinstance(value, list) else value


def _carry(schema: Any) -> None:
    """Keys that begin with ``_`` are allowed in every object of a log."""
    if isinstance(schema, dict):
        if schema.get("additionalProperties") is False:
            schema["patternProperties"] = {"^_": True}
        for item in schema.values():
            _carry(item)
    elif isinstance(schema, list):
        for item in schema:
            _carry(item)
