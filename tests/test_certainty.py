"""Unknown cards: what holds in every deal consistent with the log, in some, in none."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from analyzer.cards import DECK, TEXTS, cards_of, set_of
from analyzer.judge.certainty import TESTS, Effort, certainty_of, could_be_instant_win
from analyzer.judge.holdings import Holdings
from analyzer.judge.passes import Pass
from analyzer.judge.verdict import make_verdict
from analyzer.rules.house import House, house_of
from analyzer.rules.instant_wins import INSTANT_WIN_ORDER
from analyzer.rules.loading import preset, preset_ids, resolve
from tests.hands import DEAL, fill, found, judged, log, plays


def by_all_deals(house: House, passes: list[Pass], pool: int, count: int) -> str | None:
    """Certainty by looking at every deal there is."""
    held = []
    for chosen in combinations(list(cards_of(pool)), count):
        more = sum(1 << card for card in chosen)
        held.append(any(any(True for _ in house.answers(p.holding | more, p.top)) for p in passes))
    return "certain" if all(held) else "possible" if any(held) else None


@pytest.mark.parametrize("id_", preset_ids())
def test_certainty_equals_looking_at_every_deal(id_: str) -> None:
    house = house_of(preset(id_))
    rng = random.Random(f"certainty {id_}")
    seen = set()
    for _ in range(150):
        low = rng.randrange(0, 10)
        near = [c for c in range(52) if low <= c // 4 <= low + 3 or c >= 48]
        rng.shuffle(near)
        count = rng.randrange(1, 4)
        holding = set_of(TEXTS[c] for c in near[: rng.randrange(0, 5)])
        pool = set_of(TEXTS[c] for c in near[6 : 6 + rng.randrange(count, 8)])
        if pool.bit_count() < count:
            continue
        rest = DECK & ~holding & ~pool
        tops = list(house.leads(set_of(TEXTS[c] for c in rng.sample(list(cards_of(rest)), 12)), False))
        passes = [Pass(n, 0, holding, rng.choice(tops), 1) for n in range(rng.choice((1, 1, 2)))]
        dealt = Holdings([holding, 0], [count, 0], [13, 13], [], pool)
        told = certainty_of(house, dealt, passes, Effort())
        assert told == by_all_deals(house, passes, pool, count)
        seen.add(told)
    assert seen == {"certain", "possible", None}


def test_instant_wins_that_hidden_cards_could_complete() -> None:
    every = house_of(
        resolve(
            {
                "extends": "mien-nam",
                "set": {"instant_wins.other": list(INSTANT_WIN_ORDER), "instant_wins.opening": []},
            }
        )
    )
    rng = random.Random("wins")
    seen = set()
    for _ in range(400):
        cards = rng.sample(range(52), 26)
        groups = sorted(cards, key=lambda c: (c // 4, c))
        held = sum(1 << c for c in groups[:11])
        pool = sum(1 << c for c in groups[11:19])
        wanted = any(
            every.instant_win(held | sum(1 << c for c in chosen), False) is not None
            for chosen in combinations(list(cards_of(pool)), 2)
        )
        assert could_be_instant_win(every, False, held, pool, 2) == wanted
        seen.add(wanted)
    assert seen == {True, False}


def test_a_listed_card_of_another_seat_is_certainly_not_held() -> None:
    deal = [DEAL[0], ["??"] * 13, DEAL[2], ["??"] * 13]
    result = judged(log(plays("0 3S 3D", "1 9S 9C"), deal=deal))
    finding = next(f for f in result.findings if f.code == "card_not_held")
    assert (finding.event, finding.seat, finding.certainty) == (1, 1, "certain")


def test_one_card_beyond_the_unknown_ones_is_possibly_not_held() -> None:
    deal = [None, ["4S", "??", *DEAL[1][2:]]]
    events = plays("0 3S", "1 4S", "0 9D", "1 10S", "0", "1 7S")
    result = judged(log(events, deal=deal, seats=2))
    told = [(f.code, f.event, f.certainty) for f in result.findings if f.code == "card_not_held"]
    assert told == [("card_not_held", 5, "possible")]


def test_an_unknown_card_goes_to_the_first_who_plays_it() -> None:
    result = judged(log(plays("0 3S", "1 9S", "0 10D", "1", "0 9S"), deal=None, seats=2))
    assert found(result)[:2] == [("card_not_held", 4, 0), ("card_already_played", 4, 0)]


def test_when_one_seat_alone_is_unknown_the_deck_tells_its_cards() -> None:
    result = judged(log(plays("0 3S 3D", "1 8S 8C", "2", "3"), deal=[*DEAL[:3], None]))
    assert result.replay.dealt.complete
    assert [p.event for p in result.replay.missed] == [2, 3]


def test_a_pass_that_unknown_cards_decide_is_neither_charged_nor_hidden() -> None:
    result = judged(log(plays("0 QC", "1"), deal=[DEAL[0], None], seats=2))
    assert [(p.event, p.seat) for p in result.undecided] == [(1, 1)]
    assert result.replay.missed == []
    sure = judged(log(plays("0 3S", "1"), deal=[DEAL[0], None], seats=2))
    assert [p.event for p in sure.replay.missed] == [1]
    never = judged(
        log(plays("0 2H 2D 2S", "1"), deal=[["2H", "2D", *DEAL[0][2:]], ["??", *DEAL[1][1:]]], seats=2)
    )
    assert (never.undecided, never.replay.missed) == ([], [])


def test_a_possible_forfeit_is_told_and_not_charged() -> None:
    winner, *_ = fill("2H AH KH QH JH 10H 9H 8H 7H 6H 5H 4H 3H")
    acts = [act for card in winner[:-1] for act in (f"0 {card}", "1", "2")] + [f"0 {winner[-1]}"]
    base = {"seats": 3, "stake": 1000}
    unknown = judged(log(plays(*acts), deal=[winner, None, None], **base))
    assert unknown.forfeit is not None
    assert unknown.forfeit.seat == 1 and unknown.forfeit.certainty == "certain"
    only_top = ["2H 2D 2C", "AH AD AC", "KH KD KC"]
    strong = [c for part in only_top for c in part.split()] + ["QH QD QC QS"][0].split()
    acts = [
        "0 2H",
        "1",
        "2",
        "0 2D",
        "1",
        "2",
        "0 2C",
        "1",
        "2",
        "0 AH AD AC",
        "1",
        "2",
        "0 KH KD KC",
        "1",
        "2",
        "0 QH QD QC QS",
    ]
    result = judged(log(plays(*acts), deal=[strong, None, None], **base))
    assert result.forfeit is not None
    assert (result.forfeit.seat, result.forfeit.certainty) == (1, "possible")
    verdict = make_verdict(result, preset("mien-nam"), "")
    assert verdict.forfeit is not None
    assert verdict.forfeit.cost == 2000
    assert {t.reason for t in result.settlement.transfers} == {"frozen"}
    assert result.next_lead is not None and result.next_lead.reason == "won_previous"


def test_the_searches_for_one_hand_together_make_a_bounded_number_of_tests() -> None:
    house = house_of(preset("mien-nam"))
    top = house.play(("3S", "3C"))
    pool = set_of(TEXTS[2:39])  # ten ranks: thirteen of them hold a pair, which a search finds only by trying
    dealt = Holdings([0, 0], [13, 13], [13, 13], [], pool)
    effort = Effort()
    told = [certainty_of(house, dealt, [Pass(n, 0, 0, top, 1)], effort) for n in range(40)]
    assert set(told) == {"undecidable"}
    assert -TESTS < effort.left < 0
    easy = Pass(0, 0, 0, house.play(("KC",)), 1)
    few = Holdings([0, 0], [1, 1], [13, 13], [], set_of(["3D", "2H"]))
    assert certainty_of(house, few, [easy], Effort()) == "possible"
    assert certainty_of(house, few, [easy], effort) == "undecidable"
