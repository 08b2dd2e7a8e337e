"""One change at a time to a log, by chance: to its structure, or to its bytes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

from analyzer.cards import TEXTS
from analyzer.rules.knobs import KNOB_TYPES
from tests.fuzzing.pieces import NUMBERS, Log, cards, event, junk, lead, rules

# -- changes of structure ------------------------------------------------------------------------


def changed(rng: Random, log: Log, times: int) -> Log:
    """The log itself, with so many changes to its structure."""
    for _ in range(times):
        # An earlier change may have taken away what this one needs.
        with suppress(KeyError, IndexError, TypeError, ValueError, AttributeError):
            rng.choice(_CHANGES)(rng, log)
    return log


def _change_seat(rng: Random, log: Log) -> None:
    one, other = rng.choice(log["events"]), rng.choice(log["events"])
    one["seat"], other["seat"] = other["seat"], rng.choice((one["seat"], rng.randrange(4)))


def _swap_seats(rng: Random, log: Log) -> None:
    one, other = rng.sample(range(len(log["players"])), 2)
    for each in log["events"]:
        each["seat"] = {one: other, other: one}.get(each["seat"], each["seat"])


def _change_card(rng: Random, log: Log) -> None:
    held = rng.choice(
        [e["cards"] for e in log["events"] if "cards" in e] + [d for d in log.get("deal", []) if d]
    )
    change = rng.randrange(4)
    if change == 0:
        held[rng.randrange(len(held))] = rng.choice((*TEXTS, "??", "8?", "T♠", "♥️2", "2h", "1S"))
    elif change == 1:
        held.append(rng.choice((*held, *TEXTS)))
    elif change == 2:
        held.pop(rng.randrange(len(held)))
    else:
        held[:] = cards(rng)


def _change_events(rng: Random, log: Log) -> None:
    events = log["events"]
    at, other = rng.randrange(len(events)), rng.randrange(len(events))
    match rng.randrange(7):
        case 0:
            events[at], events[other] = events[other], events[at]
        case 1:
            events.insert(at, dict(events[other]))
        case 2:
            del events[at]
        case 3:
            del events[at:]
        case 4:
            log["events"] = events[other:] + events[:other]
        case 5:
            rng.shuffle(events)
        case _:
            log["events"] = events * rng.choice((2, 3, 40))


def _add_events(rng: Random, log: Log) -> None:
    for _ in range(rng.choice((1, 1, 2, 5, 30))):
        log["events"].insert(rng.randint(0, len(log["events"])), event(rng, len(log["players"])))


def _change_players(rng: Random, log: Log) -> None:
    if rng.random() < 0.5:
        log["players"].append({"id": rng.choice(("new", log["players"][0]["id"]))})
        log["deal"].append(rng.choice((None, rng.sample(TEXTS, 13))))
    else:
        log["players"].pop()
        log["deal"].pop()


def _hide(rng: Random, log: Log) -> None:
    deal = log["deal"]
    seat = rng.randrange(len(deal))
    match rng.randrange(5):
        case 0:
            deal[seat] = None
        case 1:
            del log["deal"]
        case 2:
            deal[seat] = ["??"] * rng.choice((13, 13, 0, 26, 52))
        case 3:
            deal[seat] = [card if rng.random() < 0.7 else "??" for card in deal[seat]]
        case _:
            log["deal"] = [[*held[: rng.randint(0, 13)], "??"] for held in deal]


def _change_frame(rng: Random, log: Log) -> None:
    seats = len(log["players"])
    change: Log = rng.choice(
        (
            {"stake": rng.choice((0, 1, 3, 999, 10**12, 10**12 + 1, -1))},
            {"lead": lead(rng, seats)},
            {"dealer": rng.randrange(4)},
            {
                "result": {
                    "places": rng.sample(range(seats), seats),
                    "net": [rng.randint(-9, 9) for _ in range(seats)],
                }
            },
            {"result": {"net": [f"@@{rng.choice(NUMBERS)}@@" for _ in range(seats)]}},
            {"played_at": rng.choice(_MOMENTS)},
            {"revision": {"number": rng.randint(0, 3), "at": "2026-01-01T00:00:00Z", "by": "an"}},
            {"currency": rng.choice(("VND", "USD", "CHIP", "vnd"))},
        )
    )
    log |= change


_MOMENTS: Final = ("2026-02-30T10:00:00+07:00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.9Z")


def _change_rules(rng: Random, log: Log) -> None:
    log["rules"] = rules(rng)
    if rng.random() < 0.2:
        log["rules"]["set"][rng.choice((*KNOB_TYPES, "x", "chops.own"))] = junk(rng)


def _time(rng: Random, log: Log) -> None:
    at = 0.0
    for each in log["events"]:
        at += rng.choice((0.0, 1, 0.25, 60))
        each["at"] = at if rng.random() < 0.98 else junk(rng)


def _put_junk(rng: Random, log: Log) -> None:
    """Puts something that does not belong there somewhere into the tree."""
    node: Any = log
    while True:
        key: Any = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
        if not isinstance(node[key], dict | list) or not node[key] or rng.random() < 0.3:
            break
        node = node[key]
    if isinstance(node, dict) and rng.random() < 0.4:
        key = rng.choice((key + "x", "_" + key, "_x", key[:-1], "", "\\u0061"))
    if rng.random() < 0.2:
        del node[key]
    else:
        node[key] = junk(rng)


_CHANGES: Final[tuple[Callable[[Random, Log], None], ...]] = (
    *(_change_seat, _swap_seats, _change_card, _change_card, _change_events, _change_events),
    *(_add_events, _add_events, _change_players, _hide, _hide, _change_frame, _change_frame),
    *(_change_rules, _change_rules, _time, _put_junk, _put_junk),
)


# -- changes of bytes ----------------------------------------------------------------------------

_TOKENS: Final = (
    rb'{ } [ ] , : " \ \u0022 \ud800 null - 1e5 0.1 999999999999999999999 "seat":0, "??" "net":[1,2], "_x":0, /*'
    b" \0 \xff \xef\xbb\xbf"
).split()


def bytes_changed(rng: Random, data: bytes) -> bytes:
    """The same bytes with one to four of them, or of their stretches, changed."""
    text = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        end = at + int(10 ** rng.uniform(0, 2))
        match rng.randrange(6):
            case 0:
                text[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del text[at:end]
            case 2:
                text[at:at] = rng.choice((*_TOKENS, b"\n", b" "))
            case 3:
                text[at : at + 1] = rng.choice((*_TOKENS, b"\n", b" "))
            case 4:
                text[at:at] = text[at:end]
            case _:
                other = rng.randrange(len(text) + 1)
                text[at:at] = text[other : other + end - at]
    return bytes(text)
