"""Simulated hands: legal ones break no rule, and a planted fault is the first thing the judge finds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, Final

import pytest

from analyzer.cards import set_of
from analyzer.judge.findings import KINDS, Finding
from analyzer.judge.judging import Judgement, judge
from analyzer.judge.replayed import Frame
from analyzer.logs.reading import read
from analyzer.rules.house import house_of
from analyzer.rules.loading import override, preset, preset_ids
from analyzer.rules.ruleset import RuleSet
from analyzer.simulate import EVENING, plantable, simulate, simulate_range

Log = dict[str, Any]

AGREED: Final = {
    "southern, everything forbidden": override(
        preset("mien-nam"),
        {
            "instant_wins.four_twos": "redeal",
            "finish.with_two": "forbidden",
            "conduct.seconds_per_turn": 20,
            "conduct.call_going_out": True,
            "conduct.exposed": "forfeit",
            "forfeit.hoarded_bomb": True,
            "forfeit.one_card_duty": True,
        },
    ),
    "northern, threes put away, suited runs chop": override(
        preset("mien-bac"),
        {
            "before.give_threes": True,
            "lead.must_play": False,
            "combinations.consecutive_pairs": "one_colour",
            "chops": [
                {"by": "one_suit_five", "over": ["two"], "free": True},
                {"by": "one_suit_six", "over": ["two", "pair_of_twos"]},
                {"by": "three_pairs", "over": ["two", "own"], "free": True},
                {"by": "four_of_a_kind", "over": ["two", "pair_of_twos", "own"]},
            ],
        },
    ),
    "tricks that close by themselves, no pass lock": override(
        preset("nhan-cuoc"),
        {
            "end.when": "last_holder",
            "frozen.mode": "each",
            "lead.steal": True,
            "lead.must_play": True,
            "tricks.pass_lock": False,
            "conduct.words_bind": False,
        },
    ),
    "ten cards": override(preset("mien-trung"), {"table.hand_size": 10}),
}
"""Tables' own agreements, for the knobs that no preset turns."""

RULES: Final[dict[str, RuleSet]] = {**{id_: preset(id_) for id_ in preset_ids()}, **AGREED}

by_rules = pytest.mark.parametrize("name", RULES)


def judged(log: Log, trace: list[Frame] | None = None) -> Judgement:
    """The judgement on a log that went through its own JSON, as a file would bring it."""
    hand, rules, _ = read(json.dumps(log).encode())
    return judge(hand, house_of(rules), trace)


def faults_of(judgement: Judgement) -> list[tuple[str, int | None, int | None]]:
    return [_place(finding) for finding in judgement.findings if finding.severity != "info"]


def _place(finding: Finding) -> tuple[str, int | None, int | None]:
    return finding.code, finding.event, finding.seat


def check_legal(log: Log) -> Judgement:
    """A hand without a fault: played to its end, nothing to find, every amount in its place."""
    judgement = judged(log)
    assert "_fault" not in log
    assert [_place(finding) for finding in judgement.findings] == [], log
    assert judgement.outcome != "unfinished", log
    bank = any(None in (transfer.from_, transfer.to) for transfer in judgement.settlement.transfers)
    assert bank or sum(judgement.settlement.net) == 0, log
    assert "differs" not in (judgement.places_check, judgement.net_check), log
    return judgement


def check_faulty(log: Log) -> str:
    """A hand with a planted fault: that one is the first of its severity; returns its code."""
    label = log["_fault"]
    assert set(label) == {"code", "event", "seat"}
    judgement = judged(log)
    planted = (label["code"], label["event"], label["seat"])
    assert planted in faults_of(judgement), log
    severity = next(f.severity for f in judgement.findings if _place(f) == planted)
    weighed = [f for f in judgement.findings if f.severity == "error" or severity == f.severity == "warning"]
    assert _place(weighed[0]) == planted, log
    assert (judgement.places_check == "differs") == (label["code"] == "places_mismatch"), log
    assert (judgement.net_check == "differs") == (label["code"] == "net_mismatch"), log
    return str(label["code"])


@cache
def legal(name: str) -> list[Log]:
    return list(simulate(100, 1, RULES[name]))


@cache
def faulty(name: str) -> list[Log]:
    return list(simulate(300, 2, RULES[name], faults=1))


@by_rules
def test_a_hand_without_a_fault_breaks_no_rule(name: str) -> None:
    for log in legal(name):
        check_legal(log)


@by_rules
def test_the_planted_fault_is_the_first_that_the_judge_finds(name: str) -> None:
    for log in faulty(name)[:100]:
        check_faulty(log)


@by_rules
def test_every_code_that_can_be_planted_is(name: str) -> None:
    codes = Counter(log["_fault"]["code"] for log in faulty(name))
    assert set(codes) == set(plantable(house_of(RULES[name])))
    assert max(codes.values()) <= 4 * 300 / len(codes), codes


def test_together_the_rules_can_meet_every_violation() -> None:
    every = {code for code, kind in KINDS.items() if kind.severity != "info"}
    assert {code for rules in RULES.values() for code in plantable(house_of(rules))} == every


def test_a_mismatch_is_planted_in_a_hand_played_by_the_rules() -> None:
    wrong = [log for log in faulty("phong-cua") if log["_fault"]["code"].endswith("_mismatch")]
    assert wrong
    for log in wrong:
        del log["_fault"], log["result"]
        check_legal(log)


@by_rules
def test_a_hand_depends_on_seed_and_number_alone(name: str) -> None:
    rules = RULES[name]
    whole = list(simulate(30, 5, rules, faults=0.5))
    parts = [list(simulate_range(first, first + 10, 5, rules, faults=0.5)) for first in (20, 0, 10)]
    assert parts[1] + parts[2] + parts[0] == whole
    assert [log["deal"] for log in simulate(30, 6, rules)] != [log["deal"] for log in whole]
    assert len({log["hand_id"] for log in whole}) == 30


def test_a_log_is_plain_json() -> None:
    for log in simulate(50, 3, preset("mien-bac-cuoc"), faults=0.5):
        assert json.loads(json.dumps(log)) == log


def test_a_log_names_the_rules_it_was_played_by() -> None:
    for rules in RULES.values():
        log = next(simulate(1, 1, rules))
        assert read(json.dumps(log).encode())[1].sha256 == rules.sha256


def test_number_of_players_and_share_of_faults() -> None:
    rules = preset("mien-nam")
    assert {len(log["players"]) for log in _any(simulate(60, 1, rules))} == {2, 3, 4}
    assert {len(log["players"]) for log in _any(simulate(20, 1, rules, players=3))} == {3}
    marked = sum("_fault" in log for log in simulate(400, 1, rules, faults=0.25))
    assert 70 < marked < 130


def _any(logs: Iterable[dict[str, object]]) -> Iterator[Log]:
    yield from logs


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"players": 5}, "players 5"),
        ({"players": 1}, "players 1"),
        ({"faults": 1.5}, r"faults 1\.5"),
        ({"hands": -1}, "hands 0 to -1"),
    ],
)
def test_numbers_that_make_no_hand_are_refused(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        simulate(**{"hands": 1, "seed": 1, "rules": preset("mien-nam"), **arguments})


def test_too_many_seats_for_the_deck_are_refused() -> None:
    rules = override(preset("mien-nam"), {"table.hand_size": 20})
    assert {len(log["players"]) for log in _any(simulate(20, 1, rules))} == {2}
    with pytest.raises(ValueError, match="20 cards"):
        simulate(1, 1, rules, players=3)


def test_holdings_so_small_that_a_fault_ends_the_hand() -> None:
    rules = override(preset("mien-bac"), {"table.hand_size": 2})
    for log in _any(simulate(300, 1, rules, faults=1)):
        check_faulty(log)


# -- sessions ------------------------------------------------------------------------------------


@by_rules
@pytest.mark.parametrize("faults", [0, 0.3])
def test_in_an_evening_each_lead_is_the_previous_verdicts(name: str, faults: float) -> None:
    logs = list(_any(simulate(EVENING + 10, 4, RULES[name], faults=faults, session=True)))
    evenings = [logs[:EVENING], logs[EVENING:]]
    assert logs[0]["session_id"] != logs[-1]["session_id"]
    for evening in evenings:
        assert [log["hand_no"] for log in evening] == list(range(1, len(evening) + 1))
        assert evening[0]["lead"] == {"reason": "opening"}
        for log, following in pairwise(evening):
            for same in ("session_id", "table_id", "players", "stake", "rules"):
                assert log[same] == following[same]
            assert log["played_at"] < following["played_at"]
            lead = judged(log).next_lead
            if lead is not None:
                stated = following["lead"]
                assert (stated["reason"], stated.get("seat")) == (lead.reason, lead.seat)
            else:
                assert following["lead"] == log["lead"]


def test_part_of_an_evening_is_the_same_as_in_the_whole() -> None:
    rules = preset("mien-nam")
    whole = list(simulate(2 * EVENING, 4, rules, faults=0.1, session=True))
    first, last = EVENING - 7, EVENING + 9
    assert list(simulate_range(first, last, 4, rules, faults=0.1, session=True)) == whole[first:last]


# -- what a sample holds -------------------------------------------------------------------------


def occasions(logs: Iterable[Log]) -> Counter[str]:
    """What happens in hands, counted by names of this test's own."""
    seen: Counter[str] = Counter()
    for log in logs:
        trace: list[Frame] = []
        judgement = judged(log, trace)
        table = judgement.replay.table
        seen[f"{table.seats} seats"] += 1
        seen[f"lead {log['lead']['reason']}"] += 1
        seen["forfeit"] += judgement.forfeit is not None
        seen["frozen"] += table.frozen.bit_count()
        seen["missed block"] += len(judgement.replay.missed)
        seen["chain of two links"] += sum(len(chain) > 1 for chain in judgement.replay.chains)
        seen["instant win, no claim"] += judgement.outcome == "instant_win" and not log["events"]
        seen["redeal"] += judgement.outcome == "redeal"
        seen["recorded places"] += judgement.places_check == "agrees"
        seen["recorded net"] += judgement.net_check == "agrees"
        for event, frame in zip(log["events"], trace, strict=False):
            kind = event["type"]
            seen[kind] += 1
            seen["timed"] += "at" in event
            if kind == "play" and "as" in event:
                seen["stolen lead"] += 1
            elif kind == "play" and frame.hand_over:
                seen["chop of the last play"] += 1
            elif kind == "play" and frame.top and event["seat"] != frame.turn:
                gap = "in the gap" if frame.closed else ""
                seen[f"free chop {gap or ('after a pass' if _passed(frame, event) else 'out of turn')}"] += 1
            elif kind == "play" and frame.closed and set_of(event["cards"]) & 1:
                seen["lead of the three of spades"] += 1
            elif kind == "pass" and frame.hand_over:
                seen["pass at the end"] += 1
            elif kind == "pass" and frame.closed:
                seen["pass that means nothing"] += 1
    return seen


def _passed(frame: Frame, event: Log) -> bool:
    return bool(frame.passed >> event["seat"] & 1)


EVERYWHERE: Final = (
    *("2 seats", "3 seats", "4 seats", "lead opening", "lead won_previous", "lead forfeited_previous"),
    *("lead agreed", "missed block", "chain of two links", "recorded places", "recorded net"),
    *("say", "call", "show", "note", "leave", "timed"),
)
LAST_HOLDER: Final = ("chop of the last play", "pass at the end")
OCCASIONS: Final = {
    "mien-nam": (*LAST_HOLDER, "forfeit", "frozen", "claim", "instant win, no claim"),
    "mien-nam-co-dien": ("free chop in the gap", "free chop after a pass", "free chop out of turn"),
    "mien-trung": ("stolen lead", "exchange"),
    "mien-bac": ("exchange", "discard", "pass at the end"),
    "nhan-cuoc": ("pass that means nothing", "claim"),
    "phong-cua": LAST_HOLDER,
    "southern, everything forbidden": ("redeal", "forfeit"),
    "northern, threes put away, suited runs chop": ("discard", "free chop out of turn"),
}


@pytest.mark.parametrize("name", OCCASIONS)
def test_what_is_rare_at_a_table_is_common_in_a_sample(name: str) -> None:
    seen = occasions(_any(simulate(400, 8, RULES[name])))
    assert [what for what in (*EVERYWHERE, *OCCASIONS[name]) if not seen[what]] == []


# -- the full counts -----------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("name", preset_ids())
def test_full_no_hand_without_a_fault_breaks_a_rule(name: str) -> None:
    for log in _any(simulate(100_000 if name == "mien-nam" else 20_000, 11, RULES[name])):
        check_legal(log)


@pytest.mark.full
@pytest.mark.parametrize("name", preset_ids())
def test_full_every_planted_fault_is_the_first_found(name: str) -> None:
    hands = 100_000 if name == "mien-nam" else 20_000
    codes = Counter(map(check_faulty, _any(simulate(hands, 12, RULES[name], faults=1))))
    possible = plantable(house_of(RULES[name]))
    assert set(codes) == set(possible)
    assert min(codes.values()) > hands / len(possible) / 2, codes
