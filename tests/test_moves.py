"""What may be played, against plain enumeration, under every preset."""

from __future__ import annotations

import random

import pytest

from analyzer.cards import DECK, cards_of, set_of, texts_of
from analyzer.combinations import NO_TWOS, classify
from analyzer.rules.house import MOST_ANSWERS, House, house_of
from analyzer.rules.leftovers import dearest_bombs
from analyzer.rules.loading import preset, preset_ids, resolve
from tests import brute

SWITCHES = {
    "one-suit sequences chop": {
        "extends": "mien-bac",
        "set": {
            "chops": [
                {"by": "four_of_a_kind", "over": ["two", "pair_of_twos", "own"], "free": False},
                {"by": "one_suit_five", "over": ["two"], "free": False},
                {"by": "one_suit_six", "over": ["pair_of_twos"], "free": False},
            ]
        },
    },
    "one colour in the South": {
        "extends": "mien-nam",
        "set": {"combinations.consecutive_pairs": "one_colour"},
    },
    "twos may not end a hand": {"extends": "mien-nam", "set": {"finish.with_two": "forbidden"}},
}


def houses() -> list[tuple[str, House]]:
    found = [(id_, house_of(preset(id_))) for id_ in preset_ids()]
    return found + [(name, house_of(resolve(spec))) for name, spec in SWITCHES.items()]


HOUSES = dict(houses())


def random_holding(rng: random.Random) -> int:
    """A holding of 1 to 13 cards, often from few ranks so that bombs are common."""
    size = rng.choice((1, 2, 3, 4, 6, 9, 13, 13, 13))
    cards = list(range(52))
    if rng.random() < 0.6:
        low = rng.randrange(0, 9)
        cards = [c for c in cards if low <= c // 4 <= low + rng.randrange(3, 6) or c >= 48]
    return sum(1 << card for card in rng.sample(cards, min(size, len(cards))))


def random_top(rng: random.Random, house: House, without: int) -> int | None:
    """A combination of cards that the holding does not have, often a two or a bomb."""
    rest = DECK & ~without
    if rng.random() < 0.35:
        twos = [card for card in cards_of(rest) if card >= 48]
        if twos:
            chosen = rng.sample(twos, min(len(twos), rng.choice((1, 1, 2, 3))))
            cards = sum(1 << card for card in chosen)
            return cards if house.read(cards).allowed else None
    pool = rng.sample(list(cards_of(rest)), min(18, rest.bit_count()))
    plays = [p.cards for p in house.leads(sum(1 << card for card in pool), whole=False)]
    big = [cards for cards in plays if cards.bit_count() >= 4]
    return rng.choice(big if big and rng.random() < 0.4 else plays)


def check(house: House, rng: random.Random) -> None:
    holding = random_holding(rng)
    top = random_top(rng, house, holding)
    if top is None:
        return
    told = f"{texts_of(holding)} on {texts_of(top)}"
    wanted = brute.answers(house.knobs, brute.cards_in(holding), brute.cards_in(top))
    play = house.read(top)
    found = [p.cards for p in house.answers(holding, play)]
    assert len(found) == len(set(found)), told
    assert set(found) == wanted, told
    assert house.can_beat(holding, play) == bool(wanted), told


@pytest.mark.parametrize("name", HOUSES)
def test_legal_plays_and_the_pass_test_equal_plain_enumeration(name: str) -> None:
    rng = random.Random(f"moves {name}")
    for _ in range(200):
        check(HOUSES[name], rng)


@pytest.mark.full
@pytest.mark.parametrize("name", HOUSES)
def test_a_million_pairs_equal_plain_enumeration(name: str) -> None:
    rng = random.Random(f"full moves {name}")
    for _ in range(1_000_000 if name == "mien-nam" else 50_000):
        check(HOUSES[name], rng)


@pytest.mark.parametrize("name", HOUSES)
def test_leads_equal_plain_enumeration(name: str) -> None:
    house = HOUSES[name]
    rng = random.Random(f"leads {name}")
    for _ in range(60):
        holding = random_holding(rng)
        cards = brute.cards_in(holding)
        only_twos = all(rank == 12 for rank, _ in cards)
        wanted = {
            brute.mask_of(chosen)
            for chosen in brute.combinations_in(cards)
            if brute.allowed(house.knobs, chosen)
            and not (
                len(chosen) == len(cards) and not only_twos and brute.goes_out_badly(house.knobs, chosen)
            )
        }
        assert {play.cards for play in house.leads(holding)} == wanted


def test_classify_equals_plain_classification() -> None:
    rng = random.Random("classify")
    names = {1: "single", 2: "pair", 3: "triple", 4: "four", 5: "sequence", 6: "pairs"}
    seen = set()
    for _ in range(30_000):
        low = rng.randrange(0, 13)
        window = [c for c in range(52) if low <= c // 4 < low + 5]
        cards = sum(1 << c for c in rng.sample(window, min(rng.randrange(1, 11), len(window))))
        found = classify(cards)
        wanted = brute.kind_of(brute.cards_in(cards))
        assert (names[found.kind] if found else None) == wanted, texts_of(cards)
        seen.add(wanted)
    assert seen == {None, *names.values()}


def test_options_come_fewest_cards_first_then_weakest() -> None:
    from analyzer.judge.forfeits import legal_plays
    from analyzer.judge.passes import Pass

    house = HOUSES["mien-nam"]
    holding = set_of(["4S", "4C", "4D", "4H", "2S", "2H", "AS"])
    entry = Pass(0, 0, holding, house.read(set_of(["2C"])), 1)
    assert [texts_of(p.cards) for p in legal_plays(house, entry)] == [["2H"], ["4S", "4C", "4D", "4H"]]
    pairs = Pass(0, 0, set_of(["5S", "5C", "5D", "9H", "9S"]), house.read(set_of(["4S", "4C"])), 1)
    assert [texts_of(p.cards) for p in legal_plays(house, pairs)] == [
        ["5S", "5C"],
        ["5S", "5D"],
        ["5C", "5D"],
        ["9S", "9H"],
    ]


def test_no_thirteen_cards_have_as_many_answers_as_are_listed() -> None:
    rng = random.Random("dense")
    house = HOUSES["mien-nam"]
    most = 0
    for _ in range(150):
        low = rng.randrange(0, 8)
        near = [card for card in range(52) if low <= card // 4 < low + rng.choice((4, 5, 6))]
        holding = sum(1 << card for card in rng.sample(near, 13))
        for texts in (
            ("2S",),
            ("2S", "2C"),
            ("3S", "4S", "5S"),
            ("3S", "4S", "5S", "6S", "7S"),
            ("3S", "3C", "4S", "4C", "5S", "5C"),
        ):
            most = max(most, sum(1 for _ in house.answers(holding, house.play(texts))))
    assert 100 < most < MOST_ANSWERS


@pytest.mark.parametrize("name", HOUSES)
def test_of_a_whole_deck_a_bounded_number_of_answers_is_listed(name: str) -> None:
    house = HOUSES[name]
    for texts in (
        ("2S",),
        tuple(f"{r}S" for r in (3, 4, 5, 6, 7, 8, 9, 10)),
        ("3S", "3C", "4S", "4C", "5S", "5C"),
    ):
        top = house.play(texts)
        if not top.allowed:
            continue
        found = list(house.answers(DECK & ~top.cards, top))
        lengths = {(play.kind, play.length) for play in found}
        assert len(found) <= MOST_ANSWERS * len(lengths)
        assert all(play.beats(top) for play in found)
        assert bool(found) == house.can_beat(DECK & ~top.cards, top)


def test_the_dearest_bombs_of_a_whole_deck_are_found_without_trying_every_order() -> None:
    prices = {"three_pairs": 3, "four_of_a_kind": 4, "four_pairs": 5}
    total, parts = dearest_bombs(NO_TWOS, "any", prices)
    assert total == 48
    assert sum(cards for _, cards, _ in parts) == NO_TWOS
