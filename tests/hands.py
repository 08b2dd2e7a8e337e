"""Small hands for tests, written as logs."""

from __future__ import annotations

import json
from typing import Any

from analyzer.cards import SPELLINGS, TEXTS
from analyzer.judge.judging import Judgement, judge
from analyzer.logs.hand import Hand
from analyzer.logs.reading import read
from analyzer.rules.house import house_of

Log = dict[str, Any]

DEAL = [
    ["3S", "3D", "4C", "5S", "5H", "7S", "7D", "9C", "10H", "JD", "QC", "KC", "2S"],
    ["3C", "4S", "6H", "8S", "8C", "10D", "JH", "QD", "KS", "KH", "AC", "AH", "2C"],
    ["3H", "4H", "5C", "6S", "7C", "7H", "9S", "10S", "JC", "QS", "AS", "2D", "2H"],
    ["4D", "5D", "6C", "6D", "8D", "8H", "9D", "9H", "10C", "JS", "QH", "KD", "AD"],
]


def plays(*acts: str) -> list[Log]:
    """Acts such as ``"0 3S 3D"`` (seat 0 plays) and ``"1"`` (seat 1 passes) as events."""
    events: list[Log] = []
    for act in acts:
        seat, *cards = act.split()
        if cards:
            events.append({"type": "play", "seat": int(seat), "cards": cards})
        else:
            events.append({"type": "pass", "seat": int(seat)})
    return events


def log(events: list[Log] | None = None, **keys: Any) -> Log:
    """A four-handed log under the default rules; ``keys`` replace or (None) remove its keys."""
    players = keys.pop("seats", 4)
    base: Log = {
        "format": "tienlen-hand/1",
        "hand_id": "t-1",
        "rules": "mien-nam",
        "stake": 1000,
        "players": [{"id": name} for name in ("an", "binh", "chi", "dung")[:players]],
        "lead": {"reason": "won_previous", "seat": 0},
        "deal": DEAL[:players],
        "events": events if events is not None else [],
    }
    base.update(keys)
    return {key: value for key, value in base.items() if value is not None}


def raw(value: Any) -> bytes:
    """A log as the bytes of one record."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def hand_of(value: Log) -> Hand:
    """A log, read."""
    return read(raw(value))[0]


def judged(value: Log) -> Judgement:
    """A log, read and judged under its own rules."""
    hand, rules, _ = read(raw(value))
    return judge(hand, house_of(rules))


def found(judgement: Judgement) -> list[tuple[str, int | None, int | None]]:
    """The violations as (code, event, seat)."""
    return [(f.code, f.event, f.seat) for f in judgement.findings]


def fill(*holdings: str, size: int = 13) -> list[list[str]]:
    """Holdings filled up to ``size`` cards with the weakest cards that nobody has."""
    given = [holding.split() for holding in holdings]
    used = {SPELLINGS[card] for holding in given for card in holding}
    rest = [card for card in range(52) if card not in used]
    for holding in given:
        while len(holding) < size:
            holding.append(TEXTS[rest.pop(0)])
    return given
