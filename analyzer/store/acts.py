"""The events of judged hands, as the list columns of the table ``acts``.

Nearly all that is stored of a hand is its events. They go straight into flat lists, one a property for all
hands of a chunk, without an object an event, and become Arrow lists at once. Measured against one row an
event: 0.28 instead of 0.48 kB a hand of 71 events on disk, and no slower to write; card sets as texts in a
dictionary take 0.11 kB, as 52-bit integers 0.49.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import accumulate
from operator import attrgetter
from typing import Any, Final

import msgspec
import pyarrow as pa
from msgspec.structs import fields

from analyzer.logs.hand import Event, PassEvent, PlayEvent

_Act = tuple[Any, ...]
"""All of an event that recurs: the cards of a plain play; of any other event its type, its cards, and the
value of its one key beside seat, cards and time, if it has one."""

_PASSES: Final[dict[str | None, int]] = {None: 0, "said": 1, "button": 2, "timeout": 3}
"""How a seat passes → the number of that act, for more than a third of all events."""

_COMMON: Final = frozenset({"seat", "cards", "at"})
_KEYS: Final = {
    cls: {field.name: field.encode_name for field in fields(cls) if field.name not in _COMMON}
    for cls in Event.__args__
}
"""Type of event → its other field, if it has one, and the key of it."""

_OTHER: Final = {cls: attrgetter(*names) if names else lambda _: None for cls, names in _KEYS.items()}
_CODES: Final = {pa.uint8(): "B", pa.uint16(): "H", pa.int32(): "i", pa.int64(): "q"}
"""Type of integers → its name in :mod:`struct`."""

_seat: Final = attrgetter("seat")
_at: Final = attrgetter("at")
_json: Final = msgspec.json.Encoder(decimal_format="number", order="sorted")


class Acts:
    """The events of the hands of a chunk. They are in the order in which the hands are added."""

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self.numbers = _Numbered({(PassEvent, None, how): number for how, number in _PASSES.items()})
        self.acts: list[int] = []
        self.seats: list[int | None] = []
        self.at: list[float | None] = []
        self.tricks: list[int] = []

    def add(self, events: list[Event], tricks: list[int]) -> None:
        """The events of one hand, and the trick of each."""
        numbers = self.numbers
        found: list[Any] = events  # told apart by what mypy does not follow
        self.lengths.append(len(events))
        self.acts += [
            _PASSES[event.how]
            if (kind := type(event)) is PassEvent
            else numbers[event.cards]
            if kind is PlayEvent and event.as_ is None
            else numbers[kind, getattr(event, "cards", None), _OTHER[kind](event)]
            for event in found
        ]
        self.seats += map(_seat, events)
        self.tricks += tricks
        self.at += map(_at, events)

    def columns(self) -> dict[str, pa.Array]:
        """The list columns of the table ``acts``, one row a hand."""
        told = [act if isinstance(act[0], type) else (PlayEvent, act, None) for act in self.numbers]
        acts = integers(pa.int32(), self.acts)
        flat = {
            "type": _recurring(acts, [str(kind.__struct_config__.tag) for kind, _, _ in told]),
            "seat": integers(pa.uint8(), self.seats),
            "cards": _recurring(acts, [" ".join(cards) if cards else None for _, cards, _ in told]),
            "at_seconds": pa.array(self.at, pa.float64()),
            "trick": integers(pa.uint16(), self.tricks),
            "details": _recurring(acts, [_details(kind, value) for kind, _, value in told]),
        }
        offsets = pa.array(accumulate(self.lengths, initial=0), pa.int32())
        return {name: pa.ListArray.from_arrays(offsets, values) for name, values in flat.items()}


class _Numbered(dict[_Act, int]):
    """Numbers acts in the order in which they are met."""

    def __missing__(self, act: _Act) -> int:
        number = self[act] = len(self)
        return number


def _recurring(acts: pa.Array, values: list[str | None]) -> pa.Array:
    """The text of each act, given the text that goes with each number."""
    short = pa.array(values, pa.string()).dictionary_encode()
    return pa.DictionaryArray.from_arrays(short.indices.take(acts), short.dictionary)


def integers(type_: pa.DataType, numbers: Sequence[int | None]) -> pa.Array:
    """Integers as an array; where none is null three times as fast as Arrow takes them from a list."""
    try:
        packed = struct.pack(f"{len(numbers)}{_CODES[type_]}", *numbers)
    except struct.error:
        return pa.array(numbers, type_)
    return pa.Array.from_buffers(type_, len(numbers), [None, pa.py_buffer(packed)])


def _details(kind: type[Any], value: Any) -> str | None:
    """The keys of an event that have no column of their own, as a JSON object."""
    return to_json(dict.fromkeys(_KEYS[kind].values(), value)) if value is not None else None


def to_json(value: Any) -> str:
    """A value as JSON text, amounts exact."""
    return _json.encode(value).decode()
