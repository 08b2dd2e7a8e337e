"""The fold: its two ways of folding agree, its frames tell the same story, nothing stops it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from analyzer.judge.judging import Judgement, judge
from analyzer.judge.replay import Fold, Frame
from analyzer.judge.verdict import make_verdict, verdict_json
from analyzer.logs.reading import read
from analyzer.rules.house import house_of
from analyzer.rules.loading import preset, preset_ids, resolve
from analyzer.simulate import simulate
from tests.hands import found, judged, log, plays, raw

AGREEMENTS: dict[str, dict[str, Any]] = {
    "mien-nam, no two may end a hand": {"extends": "mien-nam", "set": {"finish.with_two": "forbidden"}},
    "mien-nam, twos put last": {"extends": "mien-nam", "set": {"finish.with_two": "last_place"}},
    "mien-nam, passes do not lock": {"extends": "mien-nam", "set": {"tricks.pass_lock": False}},
    "mien-nam, uncut twos": {"extends": "mien-nam", "set": {"chop_money.charge_uncut_twos": True}},
    "mien-nam, duties": {
        "extends": "mien-nam",
        "set": {"forfeit.one_card_duty": True, "forfeit.hoarded_bomb": True, "conduct.seconds_per_turn": 5},
    },
}
HOUSES = {
    **{id_: preset(id_) for id_ in preset_ids()},
    **{name: resolve(spec) for name, spec in AGREEMENTS.items()},
}


def told(judgement: Judgement, name: str) -> bytes:
    return verdict_json(make_verdict(judgement, HOUSES[name], ""))


@pytest.mark.parametrize("name", HOUSES)
def test_plain_acts_fold_as_if_every_act_were_judged(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    base = name.partition(",")[0]
    house = house_of(HOUSES[name])
    hands = [
        read(raw(entry))[0]
        for faults in (0.0, 1.0)
        for entry in simulate(120, 77, preset(base), faults=faults)
    ]
    quick = [judge(hand, house) for hand in hands]
    traced = []
    for hand in hands:
        frames: list[Frame] = []
        traced.append((judge(hand, house, frames), frames))
    monkeypatch.setattr(Fold, "_plain_acts", lambda self, index: index)
    for hand, one, (two, frames) in zip(hands, quick, traced, strict=True):
        judged_frames: list[Frame] = []
        slow = judge(hand, house, judged_frames)
        assert told(one, name) == told(two, name) == told(slow, name), hand.hand_id
        assert frames == judged_frames
        assert one.replay.tricks == two.replay.tricks == slow.replay.tricks


def test_most_acts_are_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = 0
    fold = Fold._plain_acts

    def counting(self: Fold, index: int) -> int:
        nonlocal plain
        after = fold(self, index)
        plain += after - index
        return after

    monkeypatch.setattr(Fold, "_plain_acts", counting)
    hands = [read(raw(entry))[0] for entry in simulate(60, 5, preset("mien-nam"))]
    for hand in hands:
        judge(hand, house_of(preset("mien-nam")))
    assert plain > 0.6 * sum(len(hand.events) for hand in hands)


def test_a_single_two_is_no_missed_block_where_it_may_not_end_a_hand() -> None:
    deal = [["3S", "4S", "KS", "KC"], ["3C", "2C"]]
    events = plays("0 3S", "1 3C", "0 KS", "1", "0 4S", "1")
    spec = {"extends": "mien-nam", "set": {"finish.with_two": "last_place", "table.hand_size": 4}}
    assert [p.event for p in judged(log(events, deal=deal, seats=2)).replay.missed] == [3, 5]
    assert judged(log(events, deal=deal, seats=2, rules=spec)).replay.missed == []


def test_random_acts_never_stop_the_replay_and_money_adds_up() -> None:
    rng = random.Random("chaos")
    cards = [
        rank + suit
        for rank in ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
        for suit in "SCDH"
    ]
    for _ in range(300):
        seats = rng.randrange(2, 5)
        rng.shuffle(cards)
        deal: list[Any] = [cards[13 * s : 13 * s + 13] for s in range(seats)]
        if rng.random() < 0.3:
            deal[rng.randrange(seats)] = None
        events = []
        for _ in range(rng.randrange(60)):
            seat = rng.randrange(seats)
            event: dict[str, Any] = {
                "type": rng.choice(
                    ["play"] * 6
                    + ["pass"] * 4
                    + ["leave", "take_back", "count", "claim", "say", "show", "call", "exchange", "discard"]
                ),
                "seat": seat,
            }
            if event["type"] in ("play", "show", "exchange", "discard"):
                event["cards"] = rng.sample(cards, rng.choice((1, 1, 1, 2, 3)))
            if event["type"] == "show":
                event["why"] = "early"
            if event["type"] == "say":
                event["meaning"] = "pass"
            if event["type"] == "call":
                event["remaining"] = 0
            if event["type"] == "exchange":
                event["to"] = (seat + 1) % seats
            events.append(event)
        id_ = rng.choice(preset_ids())
        result = judged(log(events, deal=deal, seats=seats, rules=id_))
        assert len(result.replay.tricks) == len(events)
        bank = sum(
            t.amount if t.to is None else -t.amount if t.from_ is None else 0
            for t in result.settlement.transfers
        )
        assert sum(result.settlement.net) + bank == 0
        if result.places is not None:
            assert sorted(result.places) == list(range(seats))


def test_after_an_error_the_replay_goes_on_and_says_what_is_disputed() -> None:
    result = judged(log(plays("0 3S 3D", "1 4S", "2 6S", "3 8D"), seats=4))
    assert found(result)[:2] == [("wrong_kind", 1, 1), ("hand_unfinished", None, None)]
    assert result.disputed_from == 1
    assert result.replay.table.top is not None
    assert result.replay.table.top.cards.bit_length() - 1 == 22


def test_a_holding_emptied_by_what_is_no_combination_ends_the_hand_without_a_last_chop() -> None:
    cards = ["3S", "4C", "6D", "7H", "8S", "9C", "JD", "QH", "KS", "AC", "3H", "4D", "6S"]
    events = [{"type": "play", "seat": 0, "cards": cards}, {"type": "pass", "seat": 1}]
    result = judged(log(events, deal=None, seats=2, rules="mien-bac", lead={"reason": "agreed", "seat": 0}))
    assert found(result)[0] == ("not_a_combination", 0, 0)
    assert result.places == [0, 1]


def test_a_tribute_after_a_stolen_lead_leaves_the_lead_where_it_is() -> None:
    deal = [
        ["3S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QD", "KD", "2D", "4D", "6H"],
        ["4C", "4H", "5C", "5H", "6C", "6D", "3C", "9H", "JH", "QH", "KH", "AH", "7H"],
    ]
    events = [
        {"type": "play", "seat": 1, "cards": ["4C", "4H", "5C", "5H", "6C", "6D"], "as": "steal_lead"},
        {"type": "exchange", "seat": 0, "to": 1, "cards": ["2D"]},
        {"type": "exchange", "seat": 1, "to": 0, "cards": ["3C"]},
        {"type": "play", "seat": 1, "cards": ["7H"]},
    ]
    result = judged(log(events, deal=deal, seats=2, rules="mien-trung", lead={"reason": "agreed", "seat": 0}))
    assert found(result) == [("hand_unfinished", None, None)]


def test_a_second_spoken_pass_binds_again_where_passes_do_not_lock() -> None:
    events = plays("0 4C", "1", "2 5C", "0 6C", "1 7C")
    events.insert(1, {"type": "say", "seat": 1, "meaning": "pass"})
    events.insert(5, {"type": "say", "seat": 1, "meaning": "pass"})
    rules = {"extends": "mien-nam", "set": {"tricks.pass_lock": False}}
    result = judged(log(events, deal=None, seats=3, rules=rules))
    assert ("said_pass_then_played", 6, 1) in found(result)
