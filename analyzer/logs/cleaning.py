"""One record's bytes → the record as the types expect it, or the Fault that says precisely why not.

JSON is read here so that nothing stays hidden: not a key that stands twice, nor how a number was written.
"""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import msgspec

from analyzer.locale import N_, Message
from analyzer.logs.explaining import brief, joined, number_at
from analyzer.logs.hand import MAX_EVENTS
from analyzer.logs.refusal import Fault

_encoder: Final = msgspec.json.Encoder(decimal_format="number")


class _Object(dict[str, Any]):
    """A JSON object that remembers the first key it had twice."""

    repeated: str | None


class _Wrong:
    """A number that JSON allows and this format does not."""

    def __init__(self, text: str) -> None:
        self.text = text


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    found = _Object(pairs)
    found.repeated = None
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                found.repeated = key
                break
            seen.add(key)
    return found


def _integer(text: str) -> int | _Wrong:
    return int(text) if len(text) <= 20 else _Wrong(text)


def _fraction(text: str) -> Decimal | _Wrong:
    try:
        return Decimal(text)
    except InvalidOperation:
        return _Wrong(text)


_plain_json: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_fraction, parse_constant=_Wrong
)


def cleaned(raw: bytes) -> tuple[dict[str, Any], bytes]:
    """A record without the keys that begin with ``_`` or are null, and the same as JSON; raises Fault."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault(
            "bad_encoding", "", f"byte 0x{raw[error.start]:02x} at {error.start}", Message(N_("UTF-8"))
        ) from None
    try:
        found = _plain_json.decode(text)
        record = _without_nulls(_clean(found, ""))
        encoded = _encoder.encode(record)
    except json.JSONDecodeError as error:
        near = text[error.pos : error.pos + 20]
        raise Fault(
            "bad_json",
            "",
            f"{error.msg} in line {error.lineno}, column {error.colno} of the record: {near!r}",
            Message(N_("one JSON object, a hand")),
        ) from None
    except RecursionError:
        raise too_deep() from None
    except ValueError as error:
        raise Fault("bad_json", "", str(error), Message(N_("one JSON object, a hand"))) from None
    if not isinstance(record, dict):
        raise Fault(
            "wrong_type",
            "",
            brief(record),
            Message(N_("a hand: an object with format, hand_id, rules, stake, players, events")),
        )
    events = record.get("events")
    if isinstance(events, list) and len(events) > MAX_EVENTS:
        raise Fault(
            "too_many_events",
            "events",
            str(len(events)),
            Message(N_("at most {n} events"), n=MAX_EVENTS),
        )
    return record, encoded


def too_deep() -> Fault:
    """What is wrong with nesting that no program could follow."""
    return Fault("too_deep", "", "deep nesting", Message(N_("at most the nesting that the format has")))


def _clean(value: Any, path: str) -> Any:
    """The value without keys that begin with ``_``; raises Fault on a repeated key or a wrong number."""
    if isinstance(value, _Object):
        if value.repeated is not None and not value.repeated.startswith("_"):
            raise Fault(
                "duplicate_key",
                joined(path, value.repeated),
                repr(value.repeated),
                Message(N_("each key once in an object")),
            )
        return {
            key: _clean(item, joined(path, key)) for key, item in value.items() if not key.startswith("_")
        }
    if isinstance(value, list):
        return [_clean(item, f"{path}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, _Wrong):
        raise Fault("bad_number", path, value.text[:60], number_at(path))
    return value


def _without_nulls(cleaned: Any) -> Any:
    """A key that is null is an absent key."""
    if not isinstance(cleaned, dict):
        return cleaned
    told = {key: value for key, value in cleaned.items() if value is not None}
    if isinstance(told.get("rules"), dict):
        told["rules"] = {key: value for key, value in told["rules"].items() if value is not None}
    return told
