"""Runs of plain acts are folded quickly: with what was judged on the table itself, act by act, as the measure.

A trace asks for the table before each event, so with one nothing is folded quickly.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from analyzer.judge.judging import Judgement, judge
from analyzer.judge.verdict import make_verdict, verdict_json
from analyzer.logs.reading import read
from analyzer.logs.refusal import Fault
from analyzer.rules.house import house_of
from analyzer.rules.loading import preset, preset_ids
from analyzer.simulate import simulate
from tests.hands import Log, log, plays, raw


def spoil(events: list[Log], seats: int, rng: Random) -> None:
    """Puts words between the acts, most of them those of the next act, or takes the acts out of order."""
    at = rng.randrange(len(events) + 1)
    following = events[at] if at < len(events) else None
    match rng.choice(("word", "word", "word", "note", "call", "drop", "swap", "again")):
        case "word":
            events.insert(at, word(following, seats, rng))
        case "note":
            events.insert(at, {"type": "note", "text": "…"})
        case "call":
            events.insert(at, {"type": "call", "seat": rng.randrange(seats), "remaining": rng.randrange(2)})
        case "drop" if following is not None:
            del events[at]
        case "swap" if len(events) > 1:
            one, other = rng.randrange(len(events)), rng.randrange(len(events))
            events[one], events[other] = events[other], events[one]
        case "again" if following is not None:
            events.insert(at, {**following})


def word(following: Log | None, seats: int, rng: Random) -> Log:
    said: Log = {"type": "say", "seat": rng.randrange(seats), "meaning": "pass"}
    if following is None or following["type"] not in ("play", "pass"):
        return said
    said["seat"] = following["seat"]
    if following["type"] == "play" and rng.random() < 0.8:
        cards = following["cards"] if rng.random() < 0.7 else ["3S"]
        said |= {"meaning": "play", "cards": list(cards)}
    return said


def told(judgement: Judgement) -> tuple[Any, ...]:
    """Everything that is decided, and what the table was in the end."""
    table, rules = judgement.replay.table, judgement.replay.house.rules
    return (
        verdict_json(make_verdict(judgement, rules, "")),
        judgement.replay.tricks,
        (table.holdings, table.counts, table.on_table, table.live, table.has_played, table.frozen),
        (table.out, table.out_events, table.left, table.turn, table.owner, table.closed, table.trick),
        (table.passed & table.live, table.words, table.said_pass, table.kept_word, table.named),
    )


def compare(rules_id: str, hands: int, seed: int) -> Counter[str]:
    """Judges so many spoilt hands both ways; what the findings were."""
    rules, rng, found = preset(rules_id), Random(seed), Counter[str]()
    for hand in simulate(hands, seed, rules, faults=0.2):
        events: Any = hand["events"]
        for _ in range(rng.randrange(4)):
            spoil(events, len(hand["players"]), rng)  # type: ignore[arg-type]
        try:
            quickly, one_by_one = [read(raw(hand))[0] for _ in range(2)]
        except Fault:
            continue
        judgement = judge(quickly, house_of(rules))
        assert told(judgement) == told(judge(one_by_one, house_of(rules), [])), raw(hand)
        found["judged"] += 1
        found.update(finding.code for finding in judgement.findings)
    return found


@pytest.mark.parametrize("rules", preset_ids())
def test_spoilt_hands_come_out_the_same_act_by_act(rules: str) -> None:
    found = compare(rules, 60, 7)
    assert found["judged"] > 40
    assert found["out_of_turn"]


def test_who_says_pass_instead_of_leading_is_bound_by_it() -> None:
    acts = plays("0 3S", "1 8S", "0 2S", "1", "0", "1 4S", "0 5S", "1")
    said = {"type": "say", "seat": 0, "meaning": "pass"}
    value = raw(log([*acts[:4], said, *acts[4:]], seats=2))
    house = house_of(preset("mien-nam"))
    quickly, one_by_one = judge(read(value)[0], house), judge(read(value)[0], house, [])
    assert told(quickly) == told(one_by_one)
    assert ("said_pass_then_played", 7) in [(finding.code, finding.event) for finding in quickly.findings]


def test_words_are_kept_and_broken_in_the_sample() -> None:
    found = compare("mien-nam", 300, 8)
    assert found["said_pass_then_played"] > 3
    assert found["said_play_then_changed"] > 3
