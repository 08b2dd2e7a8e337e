"""What a decoding error means: where it is, what was found, what was expected, what to write instead."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec

from analyzer.locale import N_, Joined, Message
from analyzer.logs.hand import MOST_STAKE, Event, Hand
from analyzer.logs.refusal import Fault

_ERROR: Final = re.compile(r"(?s)(.*?)(?: - at `\$\.?(.*)`)?")

NOTHING: Final = "—"
"""What was found where something is missing."""

AMOUNT: Final = N_("a number with at most three decimals, such as 2500 or 0.5, without exponent or quotes")

_EXPECTED: Final = {
    "int": N_("a whole number"),
    "float": N_("a number"),
    "decimal": N_("a number"),
    "str": N_("a text"),
    "array": N_("a list"),
    "object": N_("an object"),
    "bool": N_("true or false"),
}
_BOUNDS: Final = {
    "<=": N_("{what}, at most {bound}"),
    ">=": N_("{what}, at least {bound}"),
    "of length <=": N_("{what} of length at most {bound}"),
    "of length >=": N_("{what} of length at least {bound}"),
    "matching regex": N_("{what} of the form {bound}"),
}
_BOUND: Final = re.compile(r"Expected `(\w+)` (of length [<>]=|[<>]=|matching regex) (.+)")


def _expected(told: str) -> Message:
    """What a decoding error says it expected."""
    bound = _BOUND.fullmatch(told)
    if bound:
        what = Message(_EXPECTED.get(bound[1], bound[1]))
        return Message(_BOUNDS[bound[2]], what=what, bound=bound[3].strip("'"))
    wanted = re.fullmatch(r"Expected `(.+?)`(?:, got .*)?", told)
    if wanted is None:
        return Message(N_("{allowed}"), allowed=told)
    names = [name for name in wanted[1].split(" | ") if name != "null"]
    return Joined([Message(_EXPECTED.get(name, name)) for name in names], " / ")


def fault_of(error: str, cleaned: Any) -> Fault:
    """A decoding error, told in the terms of the format."""
    match = _ERROR.fullmatch(error)
    told, path = (match[1], match[2] or "") if match else (error, "")
    if "unknown field" in told:
        key = told.partition("`")[2].rstrip("`")
        known = _keys_at(path, cleaned)
        fix = suggest(nearest(key, known, 0.4))
        return Fault(
            "unknown_key",
            joined(path, key),
            repr(key),
            Message(N_("one of {names}"), names=", ".join(known)),
            fix,
        )
    if "missing required field" in told:
        key = told.partition("`")[2].rstrip("`")
        return Fault(
            "missing_key",
            joined(path, key),
            NOTHING,
            Message(N_("the key {key}"), key=key),
        )
    found = _value_at(path, cleaned)
    if told == "Number out of range":
        return Fault("bad_number", path, brief(found), number_at(path))
    if path == "stake":
        return Fault("bad_number", path, brief(found), number_at(path))
    if ", got `" in told:
        reason = "bad_number" if path.startswith("result.net") or path == "stake" else "wrong_type"
        expected = Message(AMOUNT) if path.startswith("result.net") else _expected(told)
        return Fault(reason, path, brief(found), expected)
    reason = "bad_number" if "`int`" in told or "`float`" in told else "bad_value"
    fix = None
    if path.endswith(".type") and isinstance(found, str):
        fix = suggest(nearest(found, _EVENT_TYPES, 0.6))
        return Fault(
            reason, path, brief(found), Message(N_("one of {names}"), names=", ".join(_EVENT_TYPES)), fix
        )
    if path == "format":
        return Fault(reason, path, brief(found), Message(N_("{allowed}"), allowed='"tienlen-hand/1"'))
    allowed = _allowed_at(path, cleaned)
    return Fault(
        reason,
        path,
        brief(found),
        Message(N_("one of {names}"), names=", ".join(allowed)) if allowed else _expected(told),
    )


def number_at(path: str) -> Message:
    """What number is expected at a path where one stands that is none of the format's, or far too large."""
    if path == "stake":
        return Message(N_("a whole number from 0 to {most}, written in digits alone"), most=MOST_STAKE)
    return Message(N_("a number of ordinary size, not NaN or infinite"))


_EVENTS: Final = {cls.__struct_config__.tag: cls for cls in Event.__args__}
_EVENT_TYPES: Final = tuple(str(tag) for tag in _EVENTS)


def _struct_at(path: str, cleaned: Any) -> type[msgspec.Struct] | None:
    """The type of the object at a JSON path."""
    if not path:
        return Hand
    if re.fullmatch(r"events\[(\d+|\.\.\.)\]", path):
        tag = _value_at(f"{path}.type", cleaned)
        return _EVENTS.get(tag) if isinstance(tag, str) else None
    name = re.sub(r"\[.*", "", path)
    field = next((f for f in msgspec.structs.fields(Hand) if f.encode_name == name), None)
    if field is None:
        return None
    return next(
        (t for t in _types_in(field.type) if isinstance(t, type) and issubclass(t, msgspec.Struct)), None
    )


def _types_in(type_: Any) -> list[Any]:
    parts = getattr(type_, "__args__", None)
    if hasattr(type_, "__metadata__"):
        return _types_in(type_.__origin__)
    return [t for part in parts for t in _types_in(part)] if parts else [type_]


def _keys_at(path: str, cleaned: Any) -> list[str]:
    struct = _struct_at(path, cleaned)
    if struct is None:
        return []
    names = [field.encode_name for field in msgspec.structs.fields(struct)]
    return sorted([*names, "type"] if path.startswith("events") else names)


def _allowed_at(path: str, cleaned: Any) -> list[str]:
    """The listed values of a field that holds one of a few words."""
    parent, _, name = path.rpartition(".")
    struct = _struct_at(parent, cleaned)
    if struct is None:
        return []
    field = next((f for f in msgspec.structs.fields(struct) if f.encode_name == name), None)
    return [t for t in _types_in(field.type) if isinstance(t, str)] if field else []


def _value_at(path: str, value: Any) -> Any:
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        try:
            value = value[name] if name else value[int(index)]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def brief(value: Any) -> str:
    if isinstance(value, Decimal):
        return str(value)
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        return repr(value)


def nearest(word: str, known: Sequence[str], likeness: float) -> str | None:
    """The known word that looks most like this one."""
    return next(iter(difflib.get_close_matches(word, known, 1, likeness)), None)


def suggest(nearest: str | None) -> Message | None:
    """The suggestion to write the nearest known word."""
    return None if nearest is None else Message(N_("write {nearest}"), nearest=nearest)


def joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
