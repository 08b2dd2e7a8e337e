"""The fold: its two ways of folding agree, its frames tell the same story, nothing stops it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from analyzer.judge import before, conduct
from analyzer.judge.holdings import derive
from analyzer.judge.judging import Judgement, judge
from analyzer.judge.replay import Fold
from analyzer.judge.replayed import Frame
from analyzer.judge.verdict import make_verdict, verdict_json
from analyzer.logs.hand import PassEvent, PlayEvent
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
def test_plain_acts_fold_as_if_every_act_were_judged(name: str) -> None:
    base = name.partition(",")[0]
    house = house_of(HOUSES[name])
    hands = [
        read(raw(entry))[0]
        for faults in (0.0, 1.0)
        for entry in simulate(60, 77, preset(base), faults=faults)
    ]
    for hand in hands:
        quick = judge(hand, house)
        frames: list[Frame] = []
        judged_one_by_one = judge(hand, house, frames)
        assert len(frames) == len(hand.events) + 1
        assert told(quick, name) == told(judged_one_by_one, name), hand.hand_id
        assert quick.replay.tricks == judged_one_by_one.replay.tricks


def judge_act(fold: Fold, index: int) -> None:
    """One act on the table itself, as the fold takes what is not plain."""
    event = fold.hand.events[index]
    if isinstance(event, PlayEvent):
        fold._play(index, event, fold.house.play(event.cards))
    elif isinstance(event, PassEvent):
        fold._pass(index, event)
    else:
        conduct.other(fold, index, event)


def test_most_acts_are_plain() -> None:
    house = house_of(preset("mien-nam"))
    hands = [read(raw(entry))[0] for entry in simulate(60, 5, preset("mien-nam"))]
    plain = 0
    for hand in hands:
        fold = Fold(hand, house, derive(hand, house.hand_size), None)
        before.deal(fold)
        index = 0
        while index < len(hand.events):
            after = fold._plain_acts(index) if fold.table.is_plain else index
            plain += after - index
            if after < len(hand.events):
                judge_act(fold, after)
            index = after + 1
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


def by_hand_and_quickly(value: dict[str, Any]) -> list[tuple[str, int | None, int | None]]:
    """The violations of a log, the same with a trace and without."""
    hand, rules, _ = read(raw(value))
    quick = judge(hand, house_of(rules))
    traced = judge(hand, house_of(rules), [])
    assert verdict_json(make_verdict(quick, rules, "")) == verdict_json(make_verdict(traced, rules, ""))
    return found(quick)


def test_a_card_that_another_seat_played_is_already_played_even_for_its_holder() -> None:
    events = plays("0 4S", "1 6H", "2", "3", "0", "1 4S", "1 8S")
    assert by_hand_and_quickly(log(events))[:2] == [("card_not_held", 0, 0), ("card_already_played", 5, 1)]


def test_a_card_dealt_twice_is_played_once() -> None:
    deal = [["3S", "5S"], ["3S", "6S"], ["7S", "8S"]]
    events = plays("0 3S", "1 6S", "2", "0", "1 3S")
    told = by_hand_and_quickly(log(events, deal=deal, seats=3))
    assert ("card_already_played", 4, 1) in told


def test_putting_away_or_giving_a_card_on_the_table_takes_none_from_the_holding() -> None:
    events = plays("0 3S")
    events += [{"type": "discard", "seat": 0, "cards": ["3S"]}]
    events += [{"type": "exchange", "seat": 0, "to": 1, "cards": ["3S"]}]
    hand, rules, _ = read(raw(log(events)))
    table = judge(hand, house_of(rules)).replay.table
    assert table.counts == [12, 13, 13, 13]
    assert [held.bit_count() for held in table.holdings] == [12, 13, 13, 13]
