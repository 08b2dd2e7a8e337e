"""What is wrong with a rule set, told with what is allowed instead."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import msgspec

from analyzer.locale import N_, Joined, Message

ABSENT: Final = "absent"
"""How a file switches an optional knob off."""

AMOUNT: Final = N_("a number from 0 to 1,000,000 with at most three decimals")


@dataclass(frozen=True, slots=True)
class RuleFault:
    """One thing wrong with a rule set: where it stands, what was found, what is allowed."""

    file: str
    key: str
    found: str
    allowed: Message
    line: int | None = None
    nearest: str | None = None

    def message(self) -> Message:
        """The fault as a sentence."""
        text = N_("{where}: {key}: found {found}; expected {allowed}")
        if self.nearest is not None:
            text = N_("{where}: {key}: found {found}; expected {allowed} (nearest: {nearest})")
        where = f"{self.file}:{self.line}" if self.line else self.file
        told = {"where": where, "key": self.key, "found": self.found, "nearest": self.nearest}
        return Message(text, allowed=self.allowed, **told)

    def __str__(self) -> str:
        return self.message().render("en")


class RulesError(ValueError):
    """A rule set that cannot be used; ``faults`` lists everything that is wrong with it."""

    def __init__(self, faults: list[RuleFault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


def one_of(names: Iterable[str]) -> Message:
    """Any of these words."""
    return Message(N_("one of {names}"), names=", ".join(names))


def allowed(type_: Any) -> Message:
    """What a knob of this type may hold, in words."""
    origin = typing.get_origin(type_)
    arguments = typing.get_args(type_)
    if origin is typing.Annotated:
        meta = arguments[1]
        if arguments[0] is int:
            return Message(N_("a whole number from {low} to {high}"), low=meta.ge, high=meta.le)
        if meta.pattern is not None:
            return Message(N_("a card such as 3S, or lowest"))
        return allowed(arguments[0])
    if origin is typing.Literal:
        return one_of(str(argument) for argument in arguments)
    if origin in (typing.Union, types.UnionType):
        parts = [Message(f'"{ABSENT}"') if part is type(None) else allowed(part) for part in arguments]
        return Joined(parts, " / ")
    if origin is list:
        return _rows(arguments[0])
    if type_ is bool:
        return Message(N_("true or false"))
    if type_ is Decimal:
        return Message(AMOUNT)
    return Message(getattr(type_, "__name__", str(type_)))


def _rows(inner: Any) -> Message:
    if not (isinstance(inner, type) and issubclass(inner, msgspec.Struct)):
        return Message(N_("a list of {items}"), items=allowed(inner))
    fields = [
        Message(N_("{name}: {allowed}"), name=field.encode_name, allowed=allowed(field.type))
        for field in msgspec.structs.fields(inner)
    ]
    return Message(N_("rows with {fields}"), fields=Joined(fields, "; "))
