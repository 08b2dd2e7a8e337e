"""What spoilt logs are made of: values, cards, events and house rules by chance."""

from __future__ import annotations

import json
import re
import typing
from decimal import Decimal
from random import Random
from typing import Any, Final, Literal

import msgspec

from analyzer.cards import TEXTS
from analyzer.rules.instant_wins import INSTANT_WIN_ORDER
from analyzer.rules.knobs import KNOB_TYPES, ROW_KEYS
from analyzer.rules.loading import preset_ids

Log = dict[str, Any]


def written(log: Any) -> bytes:
    """A log as JSON; ``@@…@@`` stands for a number written just so, ``@@[9@@`` for nine nested lists."""
    text = json.dumps(log, ensure_ascii=False, separators=(",", ":"))
    return re.sub(r'"@@(.*?)@@"', _as_written, text).encode("utf-8", "surrogatepass")


def _as_written(match: re.Match[str]) -> str:
    bracket, depth = match[1][:1], match[1][1:]
    if bracket == "[":
        return "[" * int(depth) + "]" * int(depth)
    if bracket == "{":
        return '{"a":' * int(depth) + "1" + "}" * int(depth)
    return match[1]


NUMBERS: Final = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "4",
    "13",
    "2000",
    "1.5",
    "0.001",
    "0.0001",
    "1e3",
    "1e400",
    "-1e400",
    "1e-400",
    "1E999999999999999999",
    "1e-9999999999999999999",
    "-0",
    "NaN",
    "Infinity",
    "1000000000000",
    "1000000000001",
    "9223372036854775808",
    "99999999999999999999999",
    "12345678901234567890.123",
]
"""Numbers at the borders of what is allowed, and far beyond."""


def junk(rng: Random) -> Any:
    """A value that hardly ever belongs where it is put."""
    match rng.randrange(9):
        case 0:
            return f"@@{rng.choice(NUMBERS)}@@"
        case 1:
            return rng.choice(
                (None, True, False, [], {}, "", "??", "8?", "an", "\ud800", "\0", "{x}", "{", "%s")
            )
        case 2:
            return rng.choice("aÂ♠\U0001f0a1") * rng.choice((1, 5, 129, 257, 5000))
        case 3:
            return f"@@{rng.choice('[{')}{rng.choice((1, 5, 60, 150, 240, 320, 485, 600, 950, 50_000))}@@"
        case 4:
            return [junk(rng) for _ in range(rng.randint(1, 4))]
        case 5:
            return {rng.choice(("seat", "_x", "value", "net", "é")): junk(rng)}
        case 6:
            return f"@@{'9' * rng.choice((19, 30, 400, 5000))}@@"
        case 7:
            return rng.choice(TEXTS)
        case _:
            return rng.randint(-3, 60)


def cards(rng: Random) -> list[str]:
    """A combination of some house, or now and then any cards."""
    rank, suits = rng.randrange(13), rng.sample("SCDH", 4)
    match rng.randrange(8):
        case 0 | 1:
            return [TEXTS[rng.randrange(52)]]
        case 2 | 3:
            return [TEXTS[rank * 4 + suit] for suit in rng.sample(range(4), rng.randint(2, 4))]
        case 4:
            low, length = rng.randrange(10), rng.randint(3, 12)
            same = rng.random() < 0.3
            ranks = range(low, min(low + length, 12))
            return [TEXTS[r * 4 + "SCDH".index(suits[0] if same else rng.choice(suits))] for r in ranks]
        case 5:
            low = rng.randrange(9)
            pair = rng.choice(((0, 1), (2, 3), (0, 3)))
            ranks = range(low, min(low + rng.randint(3, 5), 12))
            return [TEXTS[r * 4 + suit] for r in ranks for suit in pair]
        case 6:
            return [TEXTS[48 + suit] for suit in rng.sample(range(4), rng.randint(1, 3))]
        case _:
            return rng.sample(TEXTS, rng.randint(1, 14))


def event(rng: Random, seats: int) -> Log:
    """Any event, with any of its keys."""
    made: Log = {"type": rng.choice(_EVENTS), "seat": rng.randrange(seats)}
    match made["type"]:
        case "play":
            made["cards"] = cards(rng)
            if rng.random() < 0.2:
                made["as"] = "steal_lead"
        case "pass":
            made |= rng.choice(({}, {"how": "timeout"}))
        case "say":
            made |= rng.choice(({"meaning": "pass"}, {"meaning": "play", "cards": cards(rng)}))
        case "show":
            made |= {"why": rng.choice(("end", "early", "claim")), "cards": cards(rng)}
        case "claim":
            made |= rng.choice(({}, {"hand": rng.choice(INSTANT_WIN_ORDER), "cards": cards(rng)}))
        case "call":
            made["remaining"] = rng.randrange(2)
        case "exchange":
            made |= {"to": (made["seat"] + 1) % seats, "cards": [rng.choice(TEXTS[40:])]}
        case "discard":
            made["cards"] = rng.sample(TEXTS[:4] + TEXTS[48:], rng.randint(1, 4))
        case "note":
            made["text"] = rng.choice(("", "{x}", "<b>"))
        case _:
            pass
    return made


_EVENTS: Final = (
    *("play", "play", "play", "pass", "pass", "pass"),
    *("claim", "say", "take_back", "show", "count", "call", "exchange", "discard", "leave", "note"),
)


def lead(rng: Random, seats: int) -> Log:
    """Who must lead, and why."""
    reason = rng.choice(("opening", "won_previous", "forfeited_previous", "agreed"))
    return {"reason": reason} if reason == "opening" else {"reason": reason, "seat": rng.randrange(seats)}


# -- rules ---------------------------------------------------------------------------------------


def rules(rng: Random) -> Any:
    """A preset, most often with an agreement of one to all knobs, each with a legal value."""
    id_ = rng.choice(preset_ids())
    if rng.random() < 0.3:
        return id_
    paths = rng.sample(sorted(KNOB_TYPES), rng.choice((1, 1, 3, 10, len(KNOB_TYPES))))
    return {"extends": id_, "set": {path: knob_value(rng, path) for path in paths}}


def knob_value(rng: Random, path: str) -> Any:
    """A legal value of a knob."""
    if path == "lead.card":
        return rng.choice(("lowest", *TEXTS))
    value = _value(rng, KNOB_TYPES[path])
    if path in ROW_KEYS:
        value = list({tuple(row[key] for key in ROW_KEYS[path]): row for row in value}.values())
    if path == "places":
        value = [
            row for row in value if row["from"] != row["to"] and max(row["from"], row["to"]) <= row["players"]
        ]
    return value


def _value(rng: Random, type_: Any) -> Any:
    arguments = typing.get_args(type_)
    origin = typing.get_origin(type_)
    if origin is typing.Annotated:
        bounds = [meta for meta in arguments[1:] if isinstance(meta, msgspec.Meta)]
        if arguments[0] is int:
            low = next((m.ge for m in bounds if m.ge is not None), 0)
            high = next((m.le for m in bounds if m.le is not None), 26)
            return rng.choice((low, high, rng.randint(int(low), int(high))))
        return _value(rng, arguments[0])
    if origin is Literal:
        return rng.choice(arguments)
    if origin is list:
        return [_value(rng, arguments[0]) for _ in range(rng.randint(1, 6))]
    if type(None) in arguments:
        rest = [each for each in arguments if each is not type(None)]
        return None if rng.random() < 0.3 else _value(rng, rng.choice(rest))
    if type_ is bool:
        return rng.random() < 0.5
    if type_ is Decimal:
        return f"@@{rng.choice(('0', '0.001', '0.5', '1', '2', '13', '1000000'))}@@"
    assert issubclass(type_, msgspec.Struct), type_
    return {field.encode_name: _value(rng, field.type) for field in msgspec.structs.fields(type_)}
