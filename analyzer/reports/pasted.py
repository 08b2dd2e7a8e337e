"""A whole hand that somebody typed or pasted as text: the log in it, or what keeps it from being one."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import msgspec

from analyzer.locale import N_, Message
from analyzer.logs.notation import read as read_notation
from analyzer.logs.notation import write
from analyzer.logs.reading import MAX_RECORD, read
from analyzer.logs.refusal import Fault
from analyzer.reports.drafting import Drafted, Log, fault_message

_decoder: Final = msgspec.json.Decoder(float_hook=Decimal)


@dataclass(frozen=True, slots=True)
class Pasted:
    """The log in a text, or None and why."""

    log: Log | None
    problems: tuple[Message, ...] = ()


def pasted(text: str) -> Pasted:
    """What a text, JSON or notation, says of one hand."""
    if len(text.encode("utf-8", "replace")) > MAX_RECORD:
        return Pasted(None, (Message(N_("at most {n} bytes in one hand"), n=MAX_RECORD),))
    return _json(text) if text.lstrip()[:1] in ("{", "[") else _notation(text)


def notation_of(draft: Drafted) -> str:
    """A draft in notation, with the comments that its log carries."""
    return write(draft.hand, draft.log)


def _json(text: str) -> Pasted:
    try:
        raw = text.strip().encode()
        read(raw)
        return Pasted(_decoder.decode(raw))
    except Fault as fault:
        return Pasted(None, (fault_message(fault),))
    except (ValueError, RecursionError) as error:
        return Pasted(None, (Message(N_("This is no log of a hand: {why}"), why=str(error)[:200]),))


def _notation(text: str) -> Pasted:
    hands = read_notation(text)
    if len(hands) != 1:
        return Pasted(None, (Message(N_("One hand at a time: this text has {n}."), n=len(hands)),))
    problems = tuple(problem.message() for problem in hands[0].problems)
    return Pasted(None if problems else hands[0].log, problems)
