"""The worked examples and every number, comparison and example hand that the source documents print.

Where a document contradicts itself, the row says what it prints, what these rules make of it and why.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Final

import pytest

from tests.case_files import Verdict, parse

FOUR: Final = "An Bình Chi Dũng"


def judged(
    rules: str,
    acts: str,
    *,
    players: str = FOUR,
    lead: str = "An",
    deal: str = "",
    stake: int = 1,
    agreed: str = "",
) -> Verdict:
    """The verdict on a hand written as in a case file."""
    names = players.split()
    text = f'''title = "A worked example."
title_vi = "Ví dụ."
proves = ["the worked examples of the documents"]
rules = "{rules}"
stake = {stake}
players = {json.dumps(names, ensure_ascii=False)}
lead = "{lead}"
deal = """
{deal}"""
acts = """
{acts}"""
[set]
{agreed}
[expect]
'''
    return parse(text, "worked", "worked").verdict()


def codes(verdict: Verdict) -> list[str]:
    """The errors and warnings found."""
    return [v["code"] for v in verdict["violations"] if v["severity"] != "info"]


def net(verdict: Verdict) -> list[Decimal]:
    """What each seat ends with."""
    return [Decimal(amount) for amount in verdict["net"]]


def paid(verdict: Verdict, *reasons: str) -> list[tuple[int | None, int | None, Decimal | int]]:
    """The transfers made for these reasons (all of them without)."""
    return [
        (t["from"], t["to"], Decimal(t["amount"]))
        for t in verdict["transfers"]
        if not reasons or t["reason"] in reasons
    ]


# -- whole hands ---------------------------------------------------------------------------------

PLAIN_DEAL: Final = """
An    3♠ 3♦ 4♠ 5♦ 6♠ 7♦ 8♠ 9♦ 10♠ J♦ Q♠ K♠ 2♠
Bình  3♣ 3♥ 4♣ 5♥ 6♣ 7♥ 8♣ 9♥ 10♣ J♥ Q♣ K♣ 2♣
Chi   4♦ 5♠ 6♦ 7♠ 8♦ 9♠ 10♦ J♠ Q♦ K♦ A♠ A♣ 2♦
Dũng  4♥ 5♣ 6♥ 7♣ 8♥ 9♣ 10♥ J♣ Q♥ K♥ A♦ A♥ 2♥
"""

PLAIN_ACTS: Final = """
 0: An    3♦
 1: Bình  3♥
 2: Chi   A♠
 3: Dũng  A♦
 4: An    2♠
 5: Bình  2♣
 6: Chi   2♦
 7: Dũng  2♥
 8: An    bỏ
 9: Bình  bỏ
10: Chi   bỏ
11: Dũng  4♥ 5♣ 6♥ 7♣ 8♥ 9♣ 10♥ J♣ Q♥ K♥ A♥    # first
12: An    bỏ
13: Bình  bỏ
14: Chi   bỏ
15: An    3♠ 4♠ 5♦ 6♠ 7♦ 8♠ 9♦ 10♠ J♦ Q♠ K♠     # second
16: Bình  3♣ 4♣ 5♥ 6♣ 7♥ 8♣ 9♥ 10♣ J♥ Q♣ K♣     # third; Chi is last
"""

PLAIN_THREE_DEAL: Final = """
An    3♥ 2♥ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♦ Q♦ K♦
Bình  4♥ 4♣ 5♣ 6♣ 7♣ 8♣ 9♣ 10♣ J♣ Q♣ K♣ A♦ A♠
Chi   5♥ 3♦ 4♦ 5♦ 7♦ 8♦ 9♦ 10♦ J♠ Q♠ K♠ A♣ A♥
"""

PLAIN_THREE_ACTS: Final = """
An    3♥
Bình  4♥
Chi   5♥
An    2♥
Bình  bỏ
Chi   bỏ
An    3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♦ Q♦ K♦
Bình  bỏ
Chi   bỏ
Bình  4♣ 5♣ 6♣ 7♣ 8♣ 9♣ 10♣ J♣ Q♣ K♣ A♦
Chi   bỏ
Bình  A♠
"""

PLAIN_TWO_DEAL: Final = """
An    3♠ 4♣ 5♦ 6♥ 7♠ 8♣ 9♦ 10♥ J♠ Q♣ K♦ 3♥ 2♥
Bình  3♣ 4♥ 4♦ 5♠ 6♣ 6♦ 7♥ 8♠ 8♦ 9♥ 10♠ J♣ A♣
"""

PLAIN_TWO_ACTS: Final = """
An    3♠ 4♣ 5♦ 6♥ 7♠ 8♣ 9♦ 10♥ J♠ Q♣ K♦
Bình  bỏ
An    3♥
Bình  4♥
An    2♥
"""


@pytest.mark.parametrize(
    ("rules", "stake", "first", "second"),
    [("phong-cua", 1_000, 4_000, 2_000), ("mien-nam", 10_000, 10_000, 5_000), ("mien-nam", 5, 5, "2.5")],
)
def test_a_plain_hand_of_four(rules: str, stake: int, first: int, second: int | str) -> None:
    """003 L58, L61: last pays first, third pays second; an odd stake is halved exactly."""
    verdict = judged(rules, PLAIN_ACTS, deal=PLAIN_DEAL, stake=stake)
    assert codes(verdict) == []
    assert verdict["places"] == [3, 0, 1, 2]
    half = Decimal(second)
    assert net(verdict) == [half, -half, Decimal(-first), Decimal(first)]
    assert str(net(verdict)[0]) == str(second)
    assert verdict["next_lead"] == {"reason": "won_previous", "seat": 3}


def test_a_plain_hand_of_three() -> None:
    """003 L59: the last pays the first a full mức cược, the second pays him half."""
    verdict = judged("phong-cua", PLAIN_THREE_ACTS, players="An Bình Chi", deal=PLAIN_THREE_DEAL, stake=1_000)
    assert codes(verdict) == []
    assert verdict["places"] == [0, 1, 2]
    assert net(verdict) == [6_000, -2_000, -4_000]


def test_a_plain_hand_of_two() -> None:
    """003 L60: the loser pays a full mức cược."""
    verdict = judged("phong-cua", PLAIN_TWO_ACTS, players="An Bình", deal=PLAIN_TWO_DEAL, stake=1_000)
    assert codes(verdict) == []
    assert net(verdict) == [4_000, -4_000]


def test_places_on_the_northern_portal() -> None:
    """001 L31-L34: second, third and last pay the first one, two and three stakes."""
    verdict = judged(
        "mien-bac-cuoc",
        """
        Dũng  2♠ 2♣
        An    bỏ
        Bình  bỏ
        Chi   bỏ
        Dũng  2♦ 2♥
        An    bỏ
        Bình  bỏ
        Chi   bỏ
        Dũng  3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥
        An    bỏ
        Bình  bỏ
        Chi   bỏ
        An    3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♠
        Bình  bỏ
        Chi   bỏ
        An    Q♥
        Bình  bỏ
        Chi   A♥
        Chi   3♦ 4♦ 5♦ 6♦ 7♦ 8♦ 9♦ 10♦ J♦ Q♦ K♦ A♦
        """,
        lead="Dũng",
        deal="""
        An    3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♠ Q♥
        Bình  3♣ 4♣ 5♣ 6♣ 7♣ 8♣ 9♣ 10♣ J♣ Q♣ K♣ A♣ K♥
        Chi   3♦ 4♦ 5♦ 6♦ 7♦ 8♦ 9♦ 10♦ J♦ Q♦ K♦ A♦ A♥
        Dũng  3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ 2♠ 2♣ 2♦ 2♥
        """,
    )
    assert codes(verdict) == []
    assert verdict["places"] == [3, 0, 2, 1]
    assert net(verdict) == [-1, -3, -2, 6]


def test_going_out_on_a_two_on_the_northern_portal() -> None:
    """001 L35: two stakes to every other seat, at once."""
    verdict = judged(
        "mien-bac-cuoc",
        """
        An    3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♠
        Bình  bỏ
        Chi   bỏ
        Dũng  bỏ
        An    2♠
        """,
        deal="An 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♠ 2♠",
    )
    assert codes(verdict) == ["finished_with_two"]
    assert net(verdict) == [-6, 2, 2, 2]


FROZEN_ACTS: Final = """
An    3♠ 4♣ 5♦ 6♥ 7♠ 8♣ 9♦ 10♥ J♠ Q♣ K♦
Bình  bỏ
An    3♥
Bình  bỏ
An    2♠
"""


@pytest.mark.parametrize(
    ("left", "bill"),
    [
        ("3♣ 4♥ 4♦ 5♠ 6♣ 6♦ 7♥ 8♠ 8♦ 9♥ 10♠ J♣ A♣", 8_000),
        ("3♣ 4♥ 4♦ 5♠ 6♣ 6♦ 7♥ 8♠ 8♦ A♠ A♦ A♥ A♣", 12_000),
        ("3♣ 4♥ 4♦ 5♠ 6♣ 6♦ 7♥ 8♠ 8♦ 9♥ 10♠ 2♦ 2♥", 16_000),
    ],
    ids=["empty-handed", "one bomb", "two red twos"],
)
def test_the_bill_of_a_frozen_seat(left: str, bill: int) -> None:
    """003 L41: at a cửa of 1,000 frozen costs 8,000, with a bomb 12,000, with two red twos 16,000."""
    verdict = judged(
        "phong-cua",
        FROZEN_ACTS,
        players="An Bình",
        deal=f"An 3♠ 4♣ 5♦ 6♥ 7♠ 8♣ 9♦ 10♥ J♠ Q♣ K♦ 3♥ 2♠\nBình {left}",
        stake=1_000,
    )
    assert codes(verdict) == []
    assert verdict["frozen"] == [1]
    assert paid(verdict) == [(1, 0, bill)]


ONE_FROZEN_DEAL: Final = """
An    3♥ 2♥ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♦ Q♦ K♦
Bình  4♥ 3♣ 4♣ 5♣ 6♣ 7♣ 8♣ 9♣ 10♣ J♣ Q♣ K♣ 7♦
Chi   5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♠ Q♥ K♠ K♥ 2♣ 2♦
Dũng  2♠ A♠ A♣ A♦ A♥ 3♦ 4♦ 5♦ 6♦ 8♦ 9♦ 10♦ J♠
"""

ONE_FROZEN_ACTS: Final = """
An    3♥
Bình  4♥
Chi   5♥
Dũng  bỏ
An    2♥
Bình  bỏ
Chi   bỏ
An    3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♦ Q♦ K♦
Bình  bỏ
Chi   bỏ
Bình  3♣ 4♣ 5♣ 6♣ 7♣ 8♣ 9♣ 10♣ J♣ Q♣ K♣
Chi   bỏ
Bình  7♦
"""


def test_one_frozen_with_a_black_two_and_a_bomb() -> None:
    """002 L78-L80: two stakes and its twos and bombs to the winner; the third still pays the second.

    The last place is frozen, so nobody pays rotten: Chi keeps two twos for nothing.
    """
    verdict = judged("mien-nam", ONE_FROZEN_ACTS, deal=ONE_FROZEN_DEAL, stake=1_000)
    assert codes(verdict) == []
    assert verdict["places"] == [0, 1, 2, 3]
    assert verdict["frozen"] == [3]
    assert paid(verdict, "frozen") == [(3, 0, 2_000 + 500 + 1_500)]
    assert paid(verdict, "place") == [(2, 1, 500)]
    assert net(verdict) == [4_000, 500, -500, -4_000]


def test_a_pair_with_a_frozen_end_is_cancelled() -> None:
    """003 L61: the other end of the pair breaks even; 003 L45: the frozen pay no rotten besides."""
    verdict = judged("phong-cua", ONE_FROZEN_ACTS, deal=ONE_FROZEN_DEAL, stake=1_000)
    assert net(verdict) == [8_000 + 2_000 + 4_000, 2_000, -2_000, -14_000]
    assert paid(verdict, "rotten") == []


THREE_FROZEN_DEAL: Final = """
An    3♠ 4♥ 5♠ 6♥ 7♠ 8♥ 9♠ 10♠ 10♥ J♥ Q♥ K♠ K♥
Bình  3♣ 3♦ 4♣ 5♣ 5♦ 6♣ 7♣ 7♦ 8♣ 9♣ 9♦ 10♣ 10♦
Chi   3♥ 4♠ 5♥ 6♠ 7♥ 8♠ 9♥ J♠ J♣ Q♠ K♣ 2♠ 2♥
Dũng  4♦ 6♦ 8♦ J♦ Q♣ Q♦ K♦ A♠ A♣ A♦ A♥ 2♣ 2♦
"""

THREE_FROZEN_ACTS: Final = """
0: An    10♥
1: Bình  bỏ       # nothing above it
2: Chi   bỏ       # could
3: Dũng  bỏ       # could, but sits further round
4: An    3♠ 4♥ 5♠ 6♥ 7♠ 8♥ 9♠ 10♠ J♥ Q♥ K♥
5: Bình  bỏ
6: Chi   bỏ
7: Dũng  bỏ
8: An    K♠
"""


def test_three_frozen_and_the_second_round_forfeits() -> None:
    """002 L82: the first round from the winner who could have played pays all three debts and leads."""
    verdict = judged("mien-nam", THREE_FROZEN_ACTS, deal=THREE_FROZEN_DEAL, stake=1_000)
    assert codes(verdict) == []
    assert verdict["places"] == [0, 1, 2, 3]
    assert set(verdict["frozen"]) == {1, 2, 3}
    assert [(m["event"], m["seat"]) for m in verdict["missed_blocks"]] == [(2, 2), (3, 3)]
    forfeit = verdict["forfeit"]
    assert (forfeit["seat"], forfeit["kind"], forfeit["event"]) == (2, "all_frozen", 2)
    assert forfeit["certainty"] == "certain"
    assert paid(verdict, "frozen") == [(2, 0, 2_000 + 500 + 1_000)]
    assert paid(verdict, "forfeit") == [(2, 0, 2_000), (2, 0, 2_000 + 500 + 1_000 + 1_500)]
    assert net(verdict) == [10_500, 0, -10_500, 0]
    assert verdict["next_lead"] == {"reason": "forfeited_previous", "seat": 2}


def test_without_the_forfeit_each_of_three_pays_its_own() -> None:
    """000 L35: the winner receives the same as if nobody forfeited."""
    verdict = judged(
        "mien-nam",
        THREE_FROZEN_ACTS,
        deal=THREE_FROZEN_DEAL,
        stake=1_000,
        agreed="forfeit.all_frozen = false",
    )
    assert net(verdict) == [10_500, -2_000, -3_500, -5_000]


# -- chains of chops -----------------------------------------------------------------------------

CHAIN: Final = """
An    2♥
Bình  4♠ 4♣ 5♠ 5♣ 6♠ 6♣
Chi   9♠ 9♣ 9♦ 9♥
Dũng  J♠ J♣ Q♠ Q♣ K♠ K♣ A♠ A♣
An    bỏ
Bình  bỏ
Chi   bỏ
"""


def test_three_bombs_on_a_red_two_in_the_south() -> None:
    """002 L90, L97-L98: only the third victim pays: 1 + 1 + 1.5 stakes of 2, that is 7."""
    verdict = judged("mien-nam", CHAIN, stake=2)
    assert codes(verdict) == []
    assert paid(verdict) == [(2, 3, 7)]
    assert net(verdict) == [0, 0, -7, 7]
    assert [c["paid"] for c in verdict["chops"]] == [False, False, True]


def test_the_same_with_the_last_victim_going_out() -> None:
    """002 L100: who went out on the very cards that were chopped pays nothing, and nobody does."""
    verdict = judged(
        "mien-nam",
        """
        Chi   3♥ 4♠ 5♥ 6♠ 7♥ 8♠ 9♥ 10♠
        Dũng  bỏ
        An    bỏ
        Bình  bỏ
        Chi   4♥
        Dũng  9♦
        An    A♠
        Bình  bỏ
        Chi   bỏ
        Dũng  bỏ
        An    2♥
        Bình  9♠ 9♣ 10♣ 10♦ J♠ J♣
        Chi   K♠ K♣ K♦ K♥
        Dũng  5♠ 5♣ 6♣ 6♦ 7♠ 7♣ 8♣ 8♦
        An    bỏ
        Bình  bỏ
        """,
        lead="Chi",
        stake=2,
        deal="""
        An    A♠ 2♥ 3♠ 3♣ 4♣ 5♦ 6♥ 7♦ 8♥ J♥ Q♦ Q♥ A♥
        Bình  9♠ 9♣ 10♣ 10♦ 10♥ J♠ J♣ J♦ 3♦ 4♦ Q♠ A♦ 2♠
        Chi   3♥ 4♠ 4♥ 5♥ 6♠ 7♥ 8♠ 9♥ 10♠ K♠ K♣ K♦ K♥
        Dũng  5♠ 5♣ 6♣ 6♦ 7♠ 7♣ 8♣ 8♦ 9♦ Q♣ A♣ 2♣ 2♦
        """,
    )
    assert codes(verdict) == []
    assert [Decimal(c["amount"]) for c in verdict["chops"]] == [2, 2, 3]
    assert [c["paid"] for c in verdict["chops"]] == [False, False, False]
    assert verdict["transfers"] == []


def test_three_bombs_on_a_red_two_in_the_rooms() -> None:
    """003 L38: 4,000, then 8,000, then 12,000, each from the one just chopped."""
    verdict = judged("phong-cua", CHAIN, stake=1_000)
    assert paid(verdict) == [(0, 1, 4_000), (1, 2, 8_000), (2, 3, 12_000)]
    assert net(verdict) == [-4_000, -4_000, -4_000, 12_000]


def test_a_chain_on_the_northern_portal() -> None:
    """001 L39: 2♠, then 2♦, then four of a kind: the last pays 3 + 1 = 4, the first loses nothing."""
    two = judged("mien-bac-cuoc", "An 2♠\nBình 2♦\nChi bỏ\nAn bỏ", players="An Bình Chi")
    assert paid(two) == [(0, 1, 1)]
    verdict = judged(
        "mien-bac-cuoc", "An 2♠\nBình 2♦\nChi 9♠ 9♣ 9♦ 9♥\nAn bỏ\nBình bỏ", players="An Bình Chi"
    )
    assert codes(verdict) == []
    assert paid(verdict) == [(1, 2, 4)]


def test_a_bomb_on_a_bomb_with_stake_multipliers() -> None:
    """004 L63, L65: bombed once ×1; a bomb on that bomb passes a multiplied penalty on, ×4.

    That is what the price list gives for a black two (1) under three pairs (3), the last paying both.
    """
    once = judged("nhan-cuoc", "An 2♠\nBình 4♠ 4♣ 5♠ 5♣ 6♠ 6♣\nAn bỏ", players="An Bình")
    assert paid(once) == [(0, 1, 1)]
    twice = judged(
        "nhan-cuoc",
        "An 2♠\nChi 4♠ 4♣ 5♠ 5♣ 6♠ 6♣\nBình 9♠ 9♣ 9♦ 9♥\nAn bỏ\nChi bỏ",
        players="An Bình Chi",
    )
    assert codes(twice) == []
    assert paid(twice) == [(2, 1, 4)]


# -- prices --------------------------------------------------------------------------------------

BOMBS: Final = {
    "three pairs": "4♠ 4♦ 5♠ 5♦ 6♠ 6♦",
    "four of a kind": "9♠ 9♣ 9♦ 9♥",
    "four pairs": "10♠ 10♦ J♠ J♦ Q♠ Q♦ K♠ K♦",
    "high four pairs": "10♣ 10♥ J♣ J♥ Q♣ Q♥ K♣ K♥",
}


@pytest.mark.parametrize(
    ("source", "rules", "stake", "beaten", "by", "price"),
    [
        ("000 L53", "mien-nam-co-dien", 1, "2♠", "four of a kind", "0.5"),
        ("000 L53", "mien-nam-co-dien", 1, "2♣", "four of a kind", "0.5"),
        ("000 L54", "mien-nam-co-dien", 1, "2♦", "four of a kind", "1"),
        ("000 L54", "mien-nam-co-dien", 1, "2♥", "four of a kind", "1"),
        # 000 L55-L57 print 20, 10 and 30: dearer than all else in the documents, and three pairs dearer
        # than the four of a kind that beats them; kept as printed, and marked as doubtful.
        ("000 L55", "mien-nam-co-dien", 1, "three pairs", "four of a kind", "20"),
        ("000 L56", "mien-nam-co-dien", 1, "four of a kind", "four pairs", "10"),
        ("000 L57", "mien-nam-co-dien", 1, "four pairs", "high four pairs", "30"),
        ("000 L59", "mien-nam-diem", 1, "2♠", "four of a kind", "1"),
        ("000 L60", "mien-nam-diem", 1, "2♣", "four of a kind", "2"),
        ("000 L61", "mien-nam-diem", 1, "2♦", "four of a kind", "3"),
        ("000 L62", "mien-nam-diem", 1, "2♥", "four of a kind", "4"),
        ("000 L63", "mien-nam-diem", 1, "three pairs", "four of a kind", "4"),
        ("000 L63", "mien-nam-diem", 1, "four of a kind", "four pairs", "4"),
        ("000 L63", "mien-nam-diem", 1, "four pairs", "high four pairs", "4"),
        ("002 L96", "mien-nam", 1, "2♠", "three pairs", "0.5"),
        ("002 L97", "mien-nam", 1, "2♥", "three pairs", "1"),
        ("002 L97", "mien-nam", 1, "three pairs", "four of a kind", "1"),
        ("002 L98", "mien-nam", 1, "four of a kind", "four pairs", "1.5"),
        ("002 L99", "mien-nam", 1, "four pairs", "high four pairs", "2"),
        ("003 L35", "phong-cua", 1_000, "2♠", "three pairs", "2000"),
        ("003 L35", "phong-cua", 1_000, "2♣", "three pairs", "2000"),
        ("003 L36", "phong-cua", 1_000, "2♦", "three pairs", "4000"),
        ("003 L36", "phong-cua", 1_000, "2♥", "three pairs", "4000"),
        ("003 L37", "phong-cua", 1_000, "2♠ 2♣", "four of a kind", "4000"),
        ("003 L37", "phong-cua", 1_000, "2♣ 2♦", "four of a kind", "6000"),
        ("003 L37", "phong-cua", 1_000, "2♦ 2♥", "four of a kind", "8000"),
        ("004 L71", "nhan-cuoc", 1, "2♣", "three pairs", "1"),
        ("004 L72", "nhan-cuoc", 1, "2♦", "three pairs", "2"),
        ("004 L73", "nhan-cuoc", 1, "three pairs", "four of a kind", "3"),
        ("004 L74", "nhan-cuoc", 1, "four of a kind", "A♠ A♣ A♦ A♥", "4"),
        ("004 L75", "nhan-cuoc", 1, "four pairs", "four of a kind", "5"),
    ],
)
def test_the_price_of_what_is_chopped(
    source: str, rules: str, stake: int, beaten: str, by: str, price: str
) -> None:
    acts = f"An {BOMBS.get(beaten, beaten)}\nBình {BOMBS.get(by, by)}\nAn bỏ"
    verdict = judged(rules, acts, players="An Bình", stake=stake)
    assert codes(verdict) == [], source
    assert paid(verdict) == [(0, 1, Decimal(price))], source


LAST_DEAL: Final = "An 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ 4♥ 5♥\nBình {}"
LAST_ACTS: Final = "An 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠\nBình bỏ\nAn 4♥\nBình bỏ\nAn 5♥"


@pytest.mark.parametrize(
    ("source", "rules", "left", "price", "printed", "reason"),
    [
        ("001 L28", "mien-bac-cuoc", "2♠ 3♣ 3♦ 5♣ 5♦ 7♣ 7♦ 9♣ 9♦ J♣ J♦ K♣ 6♥", 1, 1, ""),
        ("001 L28", "mien-bac-cuoc", "2♣ 3♣ 3♦ 5♣ 5♦ 7♣ 7♦ 9♣ 9♦ J♣ J♦ K♣ 6♥", 1, 1, ""),
        ("001 L29", "mien-bac-cuoc", "2♦ 3♣ 3♦ 5♣ 5♦ 7♣ 7♦ 9♣ 9♦ J♣ J♦ K♣ 6♥", 2, 2, ""),
        ("001 L29", "mien-bac-cuoc", "2♥ 3♣ 3♦ 5♣ 5♦ 7♣ 7♦ 9♣ 9♦ J♣ J♦ K♣ 6♥", 2, 2, ""),
        ("001 L29", "mien-bac-cuoc", "A♠ A♣ A♦ A♥ 3♣ 3♦ 5♣ 5♦ 7♣ 7♦ 9♣ 9♦ 6♥", 2, 2, ""),
        (
            "001 L37",
            "mien-bac-cuoc",
            "2♠ 2♦ 3♣ 3♦ 5♣ 5♦ 7♣ 7♦ 9♣ 9♦ J♣ J♦ 6♥",
            3,
            4,
            "the total fits the scale 1, 2, 3, 4 of the chops (L39), not the list for cards left over (L28-L29)",
        ),
        (
            "001 L37",
            "mien-bac-cuoc",
            "2♦ 2♥ 3♣ 3♦ 5♣ 5♦ 7♣ 7♦ 9♣ 9♦ J♣ J♦ 6♥",
            4,
            7,
            "the total fits the scale 1, 2, 3, 4 of the chops (L39), not the list for cards left over (L28-L29)",
        ),
        (
            "000 L107",
            "mien-bac",
            "2♠ 3♣ 3♦ 5♣ 5♦ 7♣ 7♦ 9♣ 9♦ J♣ J♦ K♣ 6♥",
            13,
            13,
            "likened to thirteen cards of a southern count that the document's southern rules do not have",
        ),
        ("000 L107", "mien-bac", "2♠ 2♣ 2♦ 3♣ 3♦ 5♣ 5♦ 7♣ 7♦ 9♣ 9♦ J♣ 6♥", 13, 13, ""),
    ],
)
def test_the_price_of_what_is_left_over(
    source: str, rules: str, left: str, price: int, printed: int, reason: str
) -> None:
    """What is paid; where the document prints another number, the reason is why."""
    verdict = judged(rules, LAST_ACTS, players="An Bình", deal=LAST_DEAL.format(left))
    assert codes(verdict) == [], source
    assert paid(verdict, "rotten") == [(1, 0, price)], source
    assert price == printed or reason


@pytest.mark.parametrize(("twos", "printed"), [(("spades", "diamonds"), 4), (("diamonds", "hearts"), 7)])
def test_the_totals_that_give_the_northern_scale(twos: tuple[str, str], printed: int) -> None:
    """001 L37: 2♠ and 2♦ together 4, both red twos 7: only 1, 2, 3, 4 by suit gives both and L39."""
    beaten = {"spades": "2♠", "clubs": "2♣", "diamonds": "2♦", "hearts": "2♥"}
    total = Decimal(0)
    for suit in twos:
        verdict = judged("mien-bac-cuoc", f"An {beaten[suit]}\nBình 9♠ 9♣ 9♦ 9♥\nAn bỏ", players="An Bình")
        ((_, _, amount),) = paid(verdict, "chop")
        total += amount
    assert total == printed


@pytest.mark.parametrize(
    ("source", "rules", "acts", "left", "price"),
    [
        ("002 L94", "mien-nam", PLAIN_TWO_ACTS, "2♣", "0.5"),
        ("002 L94", "mien-nam", PLAIN_TWO_ACTS, "2♦", "1"),
        ("002 L94, L98", "mien-nam", PLAIN_TWO_ACTS, "A♠ A♣ A♦ A♥", "1.5"),
        ("002 L94, L97", "mien-nam", PLAIN_TWO_ACTS, "5♠ 5♣ 6♠ 6♦ 7♣ 7♦", "1"),
        ("002 L94, L99", "mien-nam", PLAIN_TWO_ACTS, "5♠ 5♣ 6♠ 6♦ 7♣ 7♦ 8♠ 8♦", "2"),
        ("000 L51, L60", "mien-nam-diem", PLAIN_TWO_ACTS, "2♣", "2"),
        ("003 L43", "phong-cua", PLAIN_TWO_ACTS, "2♦", "4"),
        ("003 L43", "phong-cua", PLAIN_TWO_ACTS, "A♠ A♣ A♦ A♥", "4"),
        ("004 L68, L71", "nhan-cuoc", PLAIN_TWO_ACTS, "2♠", "1"),
        ("004 L68, L73", "nhan-cuoc", PLAIN_TWO_ACTS, "5♠ 5♣ 6♠ 6♦ 7♣ 7♦", "3"),
        ("004 L68, L75", "nhan-cuoc", PLAIN_TWO_ACTS, "5♠ 5♣ 6♠ 6♦ 7♣ 7♦ 8♠ 8♦", "5"),
    ],
)
def test_left_over_costs_what_chopped_costs(
    source: str, rules: str, acts: str, left: str, price: str
) -> None:
    fill = ["3♣", "4♥", "4♦", "9♣", "9♥", "10♠", "J♣", "J♥", "K♣", "K♠", "A♣", "3♦"]
    held = left.split()
    held += [card for card in fill if card not in held][: 13 - len(held)]
    deal = PLAIN_TWO_DEAL.splitlines()[1] + "\nBình " + " ".join(held)
    verdict = judged(rules, acts, players="An Bình", deal=deal)
    assert codes(verdict) == [], source
    assert paid(verdict, "rotten") == [(1, 0, Decimal(price))], source


# -- instant wins --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "rules", "lead", "holding", "win"),
    [
        ("000 L23", "mien-nam-co-dien", "opening", "3♠ 3♣ 3♦ 3♥ 5♠ 6♦ 8♣ 9♥ J♠ Q♦ K♣ A♥ 2♠", "four_threes"),
        (
            "000 L24",
            "mien-nam-co-dien",
            "opening",
            "3♠ 3♦ 4♣ 4♥ 5♠ 5♦ 8♣ 9♥ J♠ Q♦ K♣ A♥ 2♠",
            "three_pairs_with_3s",
        ),
        ("000 L26", "mien-nam-co-dien", "An", "2♥ 2♦ 2♣ 2♠ 3♥ 5♠ 6♦ 8♣ 9♥ J♠ Q♦ K♣ A♥", "four_twos"),
        (
            "000 L27",
            "mien-nam-co-dien",
            "An",
            "5♥ 5♠ 6♦ 6♥ 7♦ 7♥ 8♣ 8♥ 9♥ 9♦ J♠ K♣ 2♠",
            "five_consecutive_pairs",
        ),
        ("000 L28", "mien-nam-co-dien", "An", "3♥ 3♦ 5♥ 5♦ 6♠ 6♣ 8♠ 8♣ 9♦ 9♣ Q♣ Q♠ 2♠", "six_pairs"),
        ("000 L28", "mien-nam-co-dien", "An", "3♥ 3♦ 3♣ 3♠ 5♥ 5♦ 5♣ 5♠ 8♥ 8♦ 10♦ 10♠ 2♠", "six_pairs"),
        ("000 L29", "mien-nam-co-dien", "An", "3♥ 4♣ 5♦ 6♥ 7♥ 8♠ 9♦ 10♠ J♣ Q♦ K♣ A♥ 2♠", "dragon"),
        ("000 L30", "mien-nam-co-dien", "An", "3♥ 3♦ 4♦ 6♥ 7♦ 8♥ 9♦ 10♥ J♦ Q♥ K♦ 2♥ 2♦", "one_colour"),
        ("000 L41", "mien-nam-co-dien", "An", "3♥ 3♦ 4♦ 6♥ 7♦ 8♥ 9♦ 10♥ J♦ Q♥ K♦ 2♥ 2♠", "one_colour"),
        ("002 L69", "mien-nam", "An", "4♠ 4♣ 4♦ 6♠ 6♣ 6♦ 9♠ 9♣ 9♦ Q♠ Q♣ Q♥ 3♥", "four_triples"),
        ("002 L70", "mien-nam", "An", "4♠ 4♣ 4♦ 4♥ 9♠ 9♣ 9♦ 9♥ 3♥ 6♦ 7♥ J♣ Q♥", "two_fours"),
        ("002 L72", "mien-nam", "An", "3♥ 3♦ 4♦ 6♥ 7♦ 8♥ 9♦ 10♥ J♦ Q♥ K♦ 2♥ 2♠", "one_colour"),
        ("003 L49", "phong-cua", "An", "2♥ 2♦ 2♣ 2♠ 3♥ 5♠ 6♦ 8♣ 9♥ J♠ Q♦ K♣ A♥", "four_twos"),
        ("003 L50", "phong-cua", "An", "3♥ 3♦ 5♥ 5♦ 6♠ 6♣ 8♠ 8♣ 9♦ 9♣ Q♣ Q♠ 2♠", "six_pairs"),
        ("003 L52", "phong-cua", "opening", "3♥ 4♣ 5♦ 6♥ 7♥ 8♠ 9♦ 10♠ J♣ Q♦ K♣ A♥ 2♠", "dragon"),
        (
            "003 L51",
            "phong-cua",
            "opening",
            "4♠ 4♥ 5♠ 5♥ 6♠ 6♥ 7♠ 7♥ 8♠ 8♥ 3♠ K♣ 2♠",
            "five_consecutive_pairs",
        ),
        ("004 L85", "nhan-cuoc", "opening", "2♠ 2♣ 2♦ 2♥ 3♥ 5♠ 6♦ 8♣ 9♥ J♠ Q♦ K♣ A♥", "four_twos"),
        ("004 L86", "nhan-cuoc", "An", "4♠ 4♥ 6♠ 6♦ 9♦ 9♥ 10♣ 10♥ Q♦ Q♥ A♠ A♥ 3♠", "six_pairs"),
        ("004 L87", "nhan-cuoc", "An", "5♦ 5♥ 6♦ 6♥ 7♠ 7♣ 8♣ 8♥ 9♠ 9♦ 3♠ J♣ 2♥", "five_consecutive_pairs"),
        (
            "004 L88",
            "nhan-cuoc",
            "An",
            "10♠ 10♣ 10♥ J♠ J♣ J♦ Q♣ Q♦ Q♥ 3♠ 5♦ 7♥ 2♥",
            "three_consecutive_triples",
        ),
        ("004 L89", "nhan-cuoc", "An", "3♣ 4♥ 5♣ 6♥ 7♦ 8♠ 9♦ 10♠ J♦ Q♦ K♣ A♠ 2♥", "dragon"),
    ],
)
def test_an_instant_win_of_the_documents(source: str, rules: str, lead: str, holding: str, win: str) -> None:
    verdict = judged(rules, "", players="An Bình", lead=lead, deal=f"Bình {holding}")
    assert verdict["outcome"] == "instant_win", source
    assert verdict["instant_winners"] == [{"seat": 1, "hand": win}], source


@pytest.mark.parametrize(
    ("source", "rules", "stake", "each"),
    [("003 L53", "phong-cua", 1_000, 8_000), ("004 L83", "nhan-cuoc", 1, 2)],
)
def test_an_instant_win_at_a_table_of_four(source: str, rules: str, stake: int, each: int) -> None:
    """003 L53: 8,000 from each at a cửa of 1,000, 24,000 in all; 004 L83: two stakes from each."""
    deal = "Chi 3♣ 4♥ 5♣ 6♥ 7♦ 8♠ 9♦ 10♠ J♦ Q♦ K♣ A♠ 2♥"
    verdict = judged(rules, "", deal=deal, stake=stake)
    assert net(verdict) == [-each, -each, 3 * each, -each], source


# -- what beats what -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "rules", "low", "high"),
    [
        ("000 L4", "mien-nam-co-dien", "A♥", "2♠"),
        ("000 L7", "mien-nam-co-dien", "2♦", "2♥"),
        ("000 L8", "mien-nam-co-dien", "3♠", "3♣"),
        ("000 L9", "mien-nam-co-dien", "10♠", "10♣"),
        ("000 L12", "mien-bac", "4♦ 4♥", "5♦ 5♥"),
        ("000 L12", "mien-nam-co-dien", "4♦ 4♥", "5♦ 5♣"),
        ("000 L13", "mien-bac", "4♠ 4♦ 4♥", "5♠ 5♦ 5♥"),
        ("000 L13", "mien-nam-co-dien", "4♠ 4♦ 4♥", "5♠ 5♦ 5♥"),
        ("000 L14", "mien-bac", "8♥ 9♥ 10♥", "J♥ Q♥ K♥"),
        ("000 L14", "mien-nam-co-dien", "10♣ J♦ Q♥", "Q♦ K♦ A♠"),
        ("000 L14", "mien-nam-co-dien", "5♥ 6♥ 7♠", "5♦ 6♠ 7♣"),
        ("000 L90", "mien-bac", "4♦", "6♦"),
        ("000 L90", "mien-bac", "6♦", "7♦"),
        ("000 L91", "mien-bac", "6♦ 6♥", "9♦ 9♥"),
        ("000 L92", "mien-bac", "5♠ 5♦ 5♥", "10♠ 10♦ 10♥"),
        ("000 L93", "mien-bac", "5♣ 6♣ 7♣", "9♣ 10♣ J♣"),
        ("000 L94", "mien-bac", "2♦", "2♥"),
        ("001 L7", "mien-bac-cuoc", "2♠", "2♣"),
        ("001 L19", "mien-bac-cuoc", "7♠ 7♦ 7♥", "8♠ 8♦ 8♥"),
        ("001 L24", "mien-bac-cuoc", "A♦", "2♠"),
        ("001 L43", "mien-bac-cuoc", "4♠ 4♣ 5♠ 5♣ 6♠ 6♣", "7♠ 7♣ 8♠ 8♣ 9♠ 9♣"),
        ("002 L18", "mien-nam", "2♦", "2♥"),
        ("002 L20", "mien-nam", "9♥", "10♠"),
        ("002 L38", "mien-nam", "4♠ 4♦ 4♥", "5♠ 5♦ 5♥"),
        ("002 L39", "mien-nam", "6♥ 7♥ 8♥", "J♥ Q♥ K♠"),
        ("003 L9", "phong-cua", "8♦", "8♥"),
        ("003 L9", "phong-cua", "8♣", "8♦"),
        ("003 L9", "phong-cua", "8♠", "8♣"),
        ("003 L9", "phong-cua", "8♥", "9♠"),
        ("004 L35", "nhan-cuoc", "5♠ 5♦", "A♠ A♣"),
        ("004 L35", "nhan-cuoc", "J♥ J♦", "A♠ A♣"),
        ("004 L48", "nhan-cuoc", "3♣ 3♦ 4♦ 4♥ 5♠ 5♣", "6♣ 6♦ 7♦ 7♥ 8♠ 8♣"),
        ("004 L52", "nhan-cuoc", "3♠ 3♦ 4♣ 4♥ 5♠ 5♣ 6♦ 6♥", "10♠ 10♦ J♣ J♥ Q♠ Q♣ K♦ K♥"),
    ],
)
def test_a_comparison_of_the_documents(source: str, rules: str, low: str, high: str) -> None:
    """The higher beats the lower, and the lower does not beat the higher."""
    up = judged(rules, f"An {low}\nBình {high}", players="An Bình")
    assert codes(up) == [], source
    down = judged(rules, f"An {high}\nBình {low}", players="An Bình")
    assert codes(down) in (["does_not_beat"], ["wrong_suit"]), source


def test_a_single_of_another_suit_does_not_follow() -> None:
    """000 L90: the North answers 4♦ with diamonds only; the South with any higher card."""
    assert codes(judged("mien-bac", "An 4♦\nBình 6♠", players="An Bình")) == ["wrong_suit"]
    assert codes(judged("mien-nam", "An 4♦\nBình 6♠", players="An Bình")) == []


def test_a_card_that_lies_on_the_table_is_not_played_again() -> None:
    """000 L93: 7♣ 8♣ 9♣ cannot answer 5♣ 6♣ 7♣, whose seven it would need."""
    verdict = judged("mien-bac", "An 5♣ 6♣ 7♣\nBình 7♣ 8♣ 9♣", players="An Bình")
    assert "card_already_played" in codes(verdict)


@pytest.mark.parametrize(
    ("source", "rules", "cards"),
    [
        ("002 L28", "mien-nam", "2♥"),
        ("002 L28", "mien-nam", "Q♠"),
        ("002 L29", "mien-nam", "4♠ 4♣"),
        ("002 L29", "mien-nam", "A♥ A♠"),
        ("002 L30", "mien-nam", "4♠ 4♦ 4♥"),
        ("002 L30", "mien-nam", "K♠ K♦ K♣"),
        ("002 L30", "mien-nam", "2♥ 2♠ 2♦"),
        ("002 L32", "mien-nam", "4♣ 5♣ 6♣"),
        ("002 L32", "mien-nam", "6♥ 7♥ 8♥ 9♥ 10♥"),
        ("002 L32", "mien-nam", "8♠ 9♠ 10♠ J♠"),
        ("002 L32", "mien-nam", "Q♦ K♦ A♦"),
        ("002 L34", "mien-nam", "3♥ 4♣ 5♦ 6♥ 7♥ 8♠ 9♦ 10♠ J♣ Q♦ K♣ A♥"),
        ("002 L41", "mien-nam", "3♥ 3♦ 4♥ 4♦ 5♥ 5♦"),
        ("002 L41", "mien-nam", "10♠ 10♣ J♠ J♣ Q♠ Q♣ K♠ K♣ A♠ A♣"),
        ("002 L41", "mien-nam", "10♠ 10♣ J♥ J♣ Q♠ Q♦"),
        ("002 L42", "mien-nam", "4♥ 4♦ 4♣ 4♠"),
        ("003 L17", "phong-cua", "5♠ 6♦ 7♥"),
        ("003 L18", "phong-cua", "7♠ 7♥ 8♣ 8♦ 9♠ 9♣"),
        ("004 L35", "nhan-cuoc", "5♠ 5♦"),
        ("004 L35", "nhan-cuoc", "A♠ A♣"),
        ("004 L35", "nhan-cuoc", "J♥ J♦"),
        ("004 L37", "nhan-cuoc", "2♠ 2♦ 2♥"),
        ("004 L39", "nhan-cuoc", "Q♠ K♠ A♥"),
        ("004 L50", "nhan-cuoc", "A♠ A♣ A♦ A♥"),
        ("000 L92", "mien-bac", "5♥ 5♦ 5♠"),
        ("000 L91", "mien-bac", "6♥ 6♦"),
        ("000 L93", "mien-bac", "5♣ 6♣ 7♣"),
    ],
)
def test_a_combination_of_the_documents(source: str, rules: str, cards: str) -> None:
    assert codes(judged(rules, f"An {cards}", players="An Bình")) == [], source


@pytest.mark.parametrize(
    ("source", "rules", "cards", "code", "reason"),
    [
        ("002 L33", "mien-nam", "K♠ A♠ 2♠", "not_a_combination", ""),
        ("003 L18", "phong-cua", "K♠ K♣ A♠ A♣ 2♠ 2♣", "not_a_combination", ""),
        ("003 L10", "phong-cua", "7♠ 7♥ 8♣ 8♦", "not_a_combination", ""),
        ("000 L12", "mien-bac", "5♦ 5♣", "combination_not_allowed", ""),
        ("000 L97", "mien-bac", "3♥ 3♦ 4♥ 4♦ 5♥ 5♦", "combination_not_allowed", ""),
        (
            "001 L43",
            "mien-bac-cuoc",
            "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥ 2♥",
            "not_a_combination",
            "the line prints a dragon that goes on to the two; everywhere else a two stands in no sequence",
        ),
    ],
)
def test_what_is_no_combination(source: str, rules: str, cards: str, code: str, reason: str) -> None:
    assert codes(judged(rules, f"An {cards}", players="An Bình")) == [code], (source, reason)


# -- what chops what -----------------------------------------------------------------------------

TARGETS: Final = {
    "two": "2♥",
    "pair of twos": "2♦ 2♥",
    "three twos": "2♠ 2♣ 2♥",
    "3 pairs": "Q♠ Q♦ K♠ K♦ A♠ A♦",
    "four": "A♠ A♣ A♦ A♥",
    "4 pairs": "J♠ J♦ Q♠ Q♦ K♠ K♦ A♠ A♦",
    "pair of kings": "K♦ K♥",
    "sequence": "10♦ J♦ Q♦",
}
CHOPPERS: Final = {
    "3 pairs": "3♠ 3♣ 4♠ 4♣ 5♠ 5♣",
    "four": "7♠ 7♣ 7♦ 7♥",
    "4 pairs": "3♠ 3♣ 4♠ 4♣ 5♠ 5♣ 6♠ 6♣",
    "5 pairs": "3♠ 3♣ 4♠ 4♣ 5♠ 5♣ 6♠ 6♣ 7♠ 7♣",
}
SOUTH: Final = {
    "3 pairs": "two",
    "four": "two, pair of twos, 3 pairs",
    "4 pairs": "two, pair of twos, 3 pairs, four",
    "5 pairs": "two, pair of twos, 3 pairs, four, 4 pairs",
}
CELLS: Final[dict[str, dict[str, str]]] = {
    "mien-nam": SOUTH,  # 002 L86-L88
    "mien-nam-co-dien": SOUTH,  # 000 L43-L46
    "mien-nam-diem": SOUTH,
    "mien-nam-lang": SOUTH,
    "binh-tri-thien": {"four": "two", "4 pairs": "two, pair of twos"},  # 000 L74, L76
    "mien-trung": {"four": "two", "4 pairs": "pair of twos, four"},  # 000 L80-L82
    "mien-bac": {"four": "two, pair of twos"},  # 000 L96
    "mien-bac-cuoc": {"four": "two"},  # 001 L25
    "phong-cua": SOUTH,  # 003 L25-L28
    "nhan-cuoc": {  # 004 L48-L52
        "3 pairs": "two",
        "four": "two, pair of twos, 3 pairs, 4 pairs",
        "4 pairs": "two, pair of twos, 3 pairs",
        "5 pairs": "3 pairs, 4 pairs",
    },
}


@pytest.mark.parametrize("rules", CELLS)
@pytest.mark.parametrize("bomb", CHOPPERS)
def test_what_each_bomb_chops(rules: str, bomb: str) -> None:
    """Every cell of the table of chops, the empty ones included; nothing chops three twos or plain sets."""
    if rules == "mien-bac" and bomb != "four":
        assert codes(judged(rules, f"An {CHOPPERS[bomb]}", players="An Bình")) == ["combination_not_allowed"]
        return
    chopped = []
    for target, cards in TARGETS.items():
        if target == bomb or (rules in ("mien-bac", "mien-bac-cuoc") and "pairs" in target):
            continue
        verdict = judged(rules, f"An {cards}\nBình {CHOPPERS[bomb]}", players="An Bình")
        found = codes(verdict)
        closed = rules == "nhan-cuoc" and target == "three twos"  # these end the trick at once
        assert found in ([], ["out_of_turn" if closed else "chop_not_allowed"]), (target, found)
        assert bool(verdict["chops"]) == (found == [])
        if not found:
            chopped.append(target)
    assert ", ".join(chopped) == CELLS[rules].get(bomb, "")


@pytest.mark.parametrize(
    ("cards", "beaten", "amount"), [("5♦ 6♦ 7♦ 8♦ 9♦", "2♠", 1), ("6♣ 7♣ 8♣ 9♣ 10♣ J♣", "2♦ 2♥", 7)]
)
def test_northern_sequences_that_chop_in_some_places(cards: str, beaten: str, amount: int) -> None:
    """000 L98: ♦5-9 over a two, ♣6-J over a pair of twos; off unless a table agrees."""
    acts = f"An {beaten}\nBình {cards}\nAn bỏ"
    assert codes(judged("mien-bac", "\n".join(acts.splitlines()[:2]), players="An Bình")) == ["wrong_kind"]
    agreed = """chops = [
        { by = "four_of_a_kind", over = ["two", "pair_of_twos", "own"] },
        { by = "one_suit_five", over = ["two"] },
        { by = "one_suit_six", over = ["pair_of_twos"] },
    ]"""
    verdict = judged("mien-bac", acts, players="An Bình", agreed=agreed)
    assert codes(verdict) == []
    assert paid(verdict) == [(0, 1, amount)]


# -- other numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "rules", "given", "back", "fine"),
    [
        ("000 L84", "mien-trung", "2♥", "9♥", True),
        ("000 L84", "mien-trung", "2♥", "10♠", False),
        ("000 L84", "mien-trung", "A♥", "4♥", True),
        ("000 L84", "mien-trung", "A♥", "5♠", False),
        ("000 L105", "mien-bac", "2♥", "10♥", True),
        ("000 L105", "mien-bac", "2♥", "J♠", False),
        ("000 L105", "mien-bac", "A♥", "5♥", True),
        ("000 L105", "mien-bac", "A♥", "6♠", False),
    ],
)
def test_what_comes_back_for_tribute(source: str, rules: str, given: str, back: str, fine: bool) -> None:
    verdict = judged(rules, f"An cúng Bình {given}\nBình cúng An {back}", players="An Bình")
    assert codes(verdict) == ([] if fine else ["exchange_wrong_card"]), source


@pytest.mark.parametrize(
    ("at", "late"), [("An 5♠ @0\nBình 6♠ @30", False), ("An 5♠ @0\nBình 6♠ @30.5", True)]
)
def test_thirty_seconds(at: str, late: bool) -> None:
    """001 L13."""
    assert codes(judged("mien-bac-cuoc", at, players="An Bình")) == (["over_time"] if late else [])


COUNTED: Final = {
    13: "An 10♦ J♦ Q♦ K♦\nBình bỏ\nAn 4♦ 5♦ 6♦ 7♦\nBình bỏ\nAn 4♥ 5♥ 6♥ 7♥\nBình bỏ\nAn 9♥",
    12: "Bình 3♠\nAn 9♥\nBình bỏ\nAn 10♦ J♦ Q♦ K♦\nBình bỏ\nAn 4♦ 5♦ 6♦ 7♦\nBình bỏ\nAn 4♥ 5♥ 6♥ 7♥",
    7: "Bình 3♠ 4♠ 5♠ 6♠ 7♠ 8♠\nAn 4♥ 5♥ 6♥ 7♥ 8♥ 9♥\nBình bỏ\nAn 10♦ J♦ Q♦ K♦\nBình bỏ\nAn 4♦ 5♦ 6♦",
    6: "Bình 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠\nAn 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥\nBình bỏ\nAn J♦ Q♦ K♦\nBình bỏ\nAn 4♦ 5♦ 6♦",
    1: "Bình 4♠ 5♠ 6♠ 7♠\nAn bỏ\nBình 4♣ 5♣ 6♣ 7♣\nAn bỏ\nBình 9♠ 10♠ J♠ Q♠\nAn 9♥ 10♥ J♥ Q♥\nBình bỏ\n"
    "An 4♥ 5♥ 6♥ 7♥ 8♥\nBình bỏ\nAn 4♦ 5♦ 6♦ 7♦",
}


@pytest.mark.parametrize(("left", "stakes"), [(1, 1), (6, 1), (7, 2), (12, 2), (13, 3)])
def test_the_count_of_cards_left(left: int, stakes: int) -> None:
    """004 L78-L80, at both ends of every step."""
    acts = COUNTED[left]
    verdict = judged("nhan-cuoc", acts, players="An Bình", lead=acts.split()[0])
    assert codes(verdict) == []
    assert verdict["outcome"] == "finished"
    assert paid(verdict) == [(1, 0, stakes)]


def test_the_most_a_hand_can_cost() -> None:
    """004 L21, L55: at a stake of 1,000 nobody loses more than 35,000.

    Printed as what a player must bring; the table's own dear price for a two shows that it binds.
    """
    acts = "An 2♥\nBình 4♠ 4♣ 5♠ 5♣ 6♠ 6♣\nAn bỏ"
    verdict = judged("nhan-cuoc", acts, players="An Bình", stake=1_000, agreed="prices.two_hearts = 40")
    assert paid(verdict) == [(0, 1, 40_000), (1, 0, 5_000)]
    assert net(verdict) == [-35_000, 35_000]
