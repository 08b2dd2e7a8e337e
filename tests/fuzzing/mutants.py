"""Logs that nobody wrote: samples and simulated hands, spoilt in every way that somebody thought of.

Mutant number *k* depends on the seed and on *k* alone, so that a failure is found again by its number.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pyarrow

from analyzer.cards import TEXTS
from analyzer.rules.loading import preset, preset_ids
from analyzer.simulate import simulate
from tests.fuzzing.changes import bytes_changed, changed
from tests.fuzzing.pieces import Log, cards, event, lead, rules, written

SAMPLES: Final = Path(__file__).resolve().parents[2] / "sample_logs"


class Mutant(NamedTuple):
    """The bytes of one source; ``suffix`` says what carries them."""

    suffix: str
    data: bytes


def mutant(seed: int, number: int) -> Mutant:
    """Mutant number ``number`` of this seed."""
    rng = Random(f"{seed}/{number}")
    make = rng.choices((_one, _spoilt, _long, _carried, _large), (50, 15, 14, 20, 1))[0]
    return make(rng)


def _one(rng: Random) -> Mutant:
    """One hand, its structure changed in one to six ways."""
    return Mutant(".ndjson", written(changed(rng, _base(rng), rng.randint(1, 6))))


def _spoilt(rng: Random) -> Mutant:
    """One hand whose bytes were changed."""
    return Mutant(".ndjson", bytes_changed(rng, written(_base(rng))))


def _long(rng: Random) -> Mutant:
    """Acts without sense at a table that agreed on anything, sometimes as many as a log may have."""
    return Mutant(".ndjson", written(_nonsense(rng)))


def _carried(rng: Random) -> Mutant:
    """Several hands in one file, packed or not, sometimes cut off or damaged."""
    hands = [
        written(changed(rng, _base(rng), rng.choice((0, 0, 1)))) for _ in range(rng.choice((0, 1, 2, 5)))
    ]
    if rng.random() < 0.3:
        hands = [bytes_changed(rng, hand) for hand in hands]
    suffix = rng.choice((".json", ".ndjson", ".jsonl"))
    if suffix == ".json" and (len(hands) != 1 or rng.random() < 0.5):
        data = b"[" + rng.choice((b",", b" ,\n", b",,")).join(hands) + rng.choice((b"]", b"]", b"", b"] x"))
    else:
        data = rng.choice((b"\n", b"\r\n", b"\n\n \n")).join(hands)
    data = rng.choice((b"", b"", b"\xef\xbb\xbf", b" \n")) + data
    packing = rng.choice(("", ".gz", ".zst"))
    if packing == ".gz":
        data = gzip.compress(data, 1, mtime=0)
    elif packing == ".zst":
        data = pyarrow.compress(data, codec="zstd", asbytes=True)
    if rng.random() < 0.4:
        data = data[: rng.randrange(len(data) + 1)] if rng.random() < 0.5 else bytes_changed(rng, data)
    return Mutant(suffix + packing, data)


def _large(rng: Random) -> Mutant:
    """A record of the size that is still read, built to take as long as it can."""
    log = _base(rng)
    match rng.randrange(5):
        case 0:
            log["rules"] = {"extends": "mien-nam", "set": {f"k{n}": 1 for n in range(50_000)}}
        case 1:
            row = {"players": 4, "from": 4, "to": 1, "stakes": 1}
            log["rules"] = {"extends": "mien-nam", "set": {"places": [row] * 15_000}}
        case 2:
            return Mutant(".ndjson", b"{%s}" % b",".join(b'"k%d":1' % (n % 59_999) for n in range(60_000)))
        case _:
            log = _endless(rng)
    return Mutant(".ndjson", written(log))


def _endless(rng: Random) -> Log:
    """One seat lays cards and takes them back again and again; the others pass each time."""
    seats = rng.randint(2, 4)
    events: list[Log] = []
    while len(events) < 1990:
        laid = cards(rng) if rng.random() < 0.5 else TEXTS[:2]
        events.append({"type": "play", "seat": 0, "cards": laid})
        events += [{"type": "pass", "seat": seat} for seat in range(1, seats)]
        events.append({"type": "take_back", "seat": 0})
    holding: Any = rng.choice((TEXTS, TEXTS[:26], None, [*TEXTS[:6], *["??"] * 7], ["??"] * 26))
    return {
        "format": "tienlen-hand/1",
        "hand_id": "endless",
        "rules": rules(rng),
        "stake": 1,
        "players": [{"id": f"p{k}"} for k in range(seats)],
        "deal": [rng.choice((TEXTS, TEXTS[39:])), *[holding] * (seats - 1)],
        "events": events,
    }


def _nonsense(rng: Random) -> Log:
    seats = rng.randint(2, 4)
    size = rng.choice((13, 13, 13, 5, 26, 52))
    deck = rng.sample(TEXTS, 52)
    deal: list[Any] = [deck[(k * 13) % 52 :][:size] for k in range(seats)]
    for k in range(seats):
        known = rng.choice((1.0, 1.0, 0.9, 0.5, 0.0))
        deal[k] = [card if rng.random() < known else "??" for card in deal[k]]
    events = [event(rng, seats) for _ in range(int(10 ** rng.uniform(0.5, 3.3)))]
    if rng.random() < 0.5:
        events = [e for e in events if e["type"] in ("play", "pass", "say", "count")]
    if rng.random() < 0.5:
        for turn, each in enumerate(events):
            each["seat"] = turn % seats
    made: Log = {
        "format": "tienlen-hand/1",
        "hand_id": "nonsense",
        "rules": rules(rng),
        "stake": rng.choice((0, 1, 5000, 10**12)),
        "players": [{"id": f"p{k}"} for k in range(seats)],
        "events": events[:2000],
    }
    made |= rng.choice(({}, {"deal": deal}, {"deal": deal}))
    made |= rng.choice(({}, {"lead": lead(rng, seats)}))
    return made


@cache
def _bases() -> tuple[Log, ...]:
    """The sample hands, and simulated ones of every preset, half of them with a planted fault."""
    logs: list[Log] = []
    for path in sorted(SAMPLES.rglob("*.json")):
        found = json.loads(path.read_text("utf-8"))
        logs += found if isinstance(found, list) else [found]
    for id_ in preset_ids():
        logs += simulate(20, 1, preset(id_), faults=0.5)
    return tuple(logs)


def _base(rng: Random) -> Log:
    return json.loads(json.dumps(rng.choice(_bases())))  # type: ignore[no-any-return]
