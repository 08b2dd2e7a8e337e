"""What differs between two logs of the same hand, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

import msgspec

MOST: Final = 200
"""No more differences than this are told; two logs that differ in more have little in common."""

_ABSENT: Final = object()
_decoder: Final = msgspec.json.Decoder(float_hook=Decimal)


def differences(before: bytes, after: bytes) -> list[dict[str, Any]]:
    """The fields in which two canonical logs differ: ``{"path", "before", "after"}``, in the logs' order.

    Paths are like ``events[12].cards[0]``. A side that has no such field has no such key.
    """
    found: list[dict[str, Any]] = []
    for path, one, other in _compare("", _decoder.decode(before), _decoder.decode(after)):
        if len(found) == MOST:
            break
        told = {"path": path, "before": one, "after": other}
        found.append({key: value for key, value in told.items() if value is not _ABSENT})
    return found


def _compare(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            inner = f"{path}.{key}" if path else key
            yield from _compare(inner, one.get(key, _ABSENT), other.get(key, _ABSENT))
    elif isinstance(one, list) and isinstance(other, list):
        for index in range(max(len(one), len(other))):
            left = one[index] if index < len(one) else _ABSENT
            right = other[index] if index < len(other) else _ABSENT
            yield from _compare(f"{path}[{index}]", left, right)
    elif type(one) is not type(other) or one != other:
        yield path, one, other
