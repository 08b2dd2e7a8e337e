"""Hands that people quarrel about, in the text notation: each gets the ruling that the house rules give.

The rulings were worked out from the rules, not from the program's output. A comment says why where it is
not plain. Seats are digits, in the order of the players' line; events count from 0.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from analyzer.judge.judging import judge
from analyzer.judge.verdict import Verdict, make_verdict
from analyzer.logs.canonical import content_sha256
from analyzer.logs.carriers import Read, records
from analyzer.logs.notation import Reading, own_log, read, write
from analyzer.reports.account import make_account
from analyzer.reports.text import render
from analyzer.rules.house import house_of
from tests.test_samples import Told, told

FOLDER: Final = Path(__file__).resolve().parents[1] / "sample_logs" / "tranh-cai"


class Ruling(NamedTuple):
    """What the verdict must say, and words that the Vietnamese account must have."""

    told: Told
    says: str


def so_far(found: str = "", net: str = "0 0 0 0", chops: str = "", pays: str | None = None) -> Told:
    """A ruling on a hand that was broken off where the quarrel began."""
    codes = f"{found}, hand_unfinished" if found else "hand_unfinished"
    return Told("none", net, codes, chops, pays=pays, outcome="unfinished")


RULINGS: Final = {
    # -- Who leads.
    "01-ai-cam-3-bich": Ruling(
        so_far("wrong_leader 0 seat 0, opening_card_missing 0 seat 0"),
        "An ra bài trước, nhưng cái là của Bình.",
    ),
    "02-danh-truoc-khong-co-3-bich": Ruling(
        so_far("opening_card_missing 0 seat 0"), "An mở màn thì phải đánh kèm 3♠."
    ),
    "03-nguoi-thang-van-truoc": Ruling(
        so_far("wrong_leader 0 seat 0"), "An ra bài trước, nhưng cái là của Chi."
    ),
    # -- What chops what. A black two costs half a stake.
    "04-ba-doi-thong-chat-heo": Ruling(
        so_far(net="-500 500 0 0", chops="1 1>0 500", pays="0>1 500 chop"),
        "An trả Bình 500 điểm: chặt heo đen 2♠",
    ),
    "05-ba-doi-thong-chat-heo-mien-bac": Ruling(
        so_far("chop_not_allowed 1 seat 1"), "4♠ 4♣ 5♠ 5♣ 6♠ 6♣ không được chặt 2♠."
    ),
    # A higher four on one that was led is a chop too, at the price of a four: 1½ …
    "06-chat-tu-quy-danh-ra": Ruling(
        so_far(net="-1500 1500 0 0", chops="1 1>0 1500", pays="0>1 1500 chop"),
        "An trả Bình 1.500 điểm: chặt tứ quý 5♠ 5♣ 5♦ 5♥",
    ),
    # … but a chain that did not begin on twos pays nothing in a room with a tiền cửa.
    "07-tu-quy-de-ba-doi-thong-phong-cua": Ruling(so_far(chops="1 1>0 0 unpaid"), "không ai trả ai"),
    # Out on the two that is chopped: void in the South, the bank's in Huế.
    "08-ve-bang-heo-bi-chat": Ruling(so_far(chops="17 1>0 500 unpaid"), "không ai trả ai"),
    "09-ve-bang-heo-bi-chat-hue": Ruling(
        so_far(net="0 500 0 0", chops="17 1>0 500 unpaid", pays="None>1 500 chop"),
        "Quỹ bàn trả Bình 500 điểm: chặt heo đen 2♣",
    ),
    # -- Passed, then played.
    "10-bo-roi-danh-lai": Ruling(so_far("played_after_pass 5 seat 1"), "Bình đánh 9♠ trong lượt mình đã bỏ."),
    # Four pairs chop freely until the next lead; a red two costs a stake.
    "11-bo-roi-chat-bon-doi-thong": Ruling(
        so_far(net="-1000 1000 0 0", chops="4 1>0 1000", pays="0>1 1000 chop"),
        "An trả Bình 1.000 điểm: chặt heo đỏ 2♥",
    ),
    # Not in a room; the hand is settled as it was played all the same: a red two is 4 cửa.
    "12-bo-roi-chat-phong-cua": Ruling(
        so_far("played_after_pass 3 seat 1", "-4000 4000 0 0", "3 1>0 4000", "0>1 4000 chop"),
        "Bình đánh 5♠ 5♣ 6♠ 6♣ 7♠ 7♣ 8♠ 8♣ trong lượt mình đã bỏ.",
    ),
    # -- Out of turn.
    "13-chat-ngoai-luot-bon-doi-thong": Ruling(
        so_far(net="-500 0 500 0", chops="1 2>0 500", pays="0>2 500 chop"),
        "An trả Chi 500 điểm: chặt heo đen 2♣",
    ),
    "14-chat-ngoai-luot-tu-quy": Ruling(
        so_far("out_of_turn 1 seat 2", "-500 0 500 0", "1 2>0 500", "0>2 500 chop"),
        "Chưa tới lượt Chi; đang là lượt của Bình.",
    ),
    "15-chat-ngoai-luot-tu-quy-co-dien": Ruling(
        so_far(net="-500 0 500 0", chops="1 2>0 500", pays="0>2 500 chop"),
        "An trả Chi 500 điểm: chặt heo đen 2♣",
    ),
    # -- What nothing, or not this, may chop.
    "16-ba-heo-bi-chat": Ruling(so_far("chop_not_allowed 1 seat 1"), "7♠ 7♣ 7♦ 7♥ không được chặt 2♠ 2♣ 2♦."),
    "17-doi-heo-ba-doi-thong": Ruling(
        so_far("chop_not_allowed 1 seat 1"), "4♠ 4♣ 5♠ 5♣ 6♠ 6♣ không được chặt 2♦ 2♥."
    ),
    "18-bon-doi-thong-mot-heo-mien-trung": Ruling(
        so_far("chop_not_allowed 1 seat 1"), "5♠ 5♣ 6♠ 6♣ 7♠ 7♣ 8♠ 8♣ không được chặt 2♥."
    ),
    # -- A chain: 1 + 1 + 1½ from the last victim; or 1, 2 and 3 times 4 cửa, each to his own chopper.
    "19-chat-chong-ai-tra": Ruling(
        so_far(
            net="0 0 -3500 3500",
            chops="1 1>0 1000 unpaid, 2 2>1 1000 unpaid, 3 3>2 1500",
            pays="2>3 3500 chop",
        ),
        "Chi trả Dũng 3.500 điểm: chặt heo đỏ 2♥",
    ),
    "20-chat-chong-ai-tra-phong-cua": Ruling(
        so_far(
            net="-4000 -4000 -4000 12000",
            chops="1 1>0 4000, 2 2>1 8000, 3 3>2 12000",
            pays="0>1 4000 chop, 1>2 8000 chop, 2>3 12000 chop",
        ),
        "Bình trả Chi 8.000 điểm: chặt ba đôi thông",
    ),
    # -- Frozen or not: two stakes, and no place debt besides.
    "21-cong-hay-khong": Ruling(
        Told("01", "2000 -2000", frozen="1", pays="1>0 2000 frozen"), "Bình trả An 2.000 điểm: cóng"
    ),
    "22-cong-roi-con-danh": Ruling(
        Told(
            "012",
            "4000 -2000 -2000",
            "event_after_end 9 seat 1",
            frozen="12",
            pays="1>0 2000 frozen, 2>0 2000 frozen",
        ),
        "Bình đánh 3♦ khi ván đã xong.",
    ),
    "23-cong-hai-nha-mien-trung": Ruling(so_far(net="0 0 0"), "không ai trả ai"),
    # -- Could he have blocked? K♦ K♥ beat K♠ K♣; Bình, before him, had nothing.
    "24-co-do-duoc-khong": Ruling(
        Told(
            "012",
            "4000 0 -4000",
            frozen="12",
            forfeit="5 seat 2 certain: KD KH",
            pays="2>0 2000 forfeit, 2>0 2000 frozen",
        ),
        "Chi đền cả làng: chặn được mà không chặn",
    ),
    # Possible only, from the first pass of the first: told, and not charged.
    "25-khong-ro-co-do-duoc-khong": Ruling(
        Told(
            "012",
            "4000 -2000 -2000",
            frozen="12",
            forfeit="1 seat 1 possible",
            pays="1>0 2000 frozen, 2>0 2000 frozen",
        ),
        "Bình có thể phải đền cả làng",
    ),
    # -- Rotten to whom: to the seat just above. In cửa: places 4 and 2, a black two 2.
    "26-thoi-heo-tra-ai": Ruling(
        Told("012", "1500 0 -1500", pays="2>0 1000 place, 1>0 500 place, 2>1 500 rotten"),
        "Chi trả Bình 500 điểm: thối heo đen 2♠",
    ),
    "27-thoi-heo-tra-ai-phong-cua": Ruling(
        Told("012", "6000 0 -6000", pays="2>0 4000 place, 1>0 2000 place, 2>1 2000 rotten"),
        "Chi trả Bình 2.000 điểm: thối heo đen 2♠",
    ),
    "28-ai-di-sau-nguoi-ve": Ruling(
        so_far("out_of_turn 15 seat 2", net="0 0 0"), "Chưa tới lượt Chi; đang là lượt của Bình."
    ),
    # Nobody is frozen here: thirteen cards cost three stakes. Play goes clockwise, so Chi is nearer to An.
    "29-nhan-cuoc-con-muoi-ba-la": Ruling(
        Told("021", "6000 -3000 -3000", pays="2>0 3000 card_count, 1>0 3000 card_count"),
        "Chi trả An 3.000 điểm: còn 13 lá",
    ),
    # -- Words, and cards that stood.
    "30-noi-bo-roi-danh": Ruling(
        so_far("said_pass_then_played 2 seat 1"), "Bình đã nói bỏ lượt rồi lại đánh 6♠."
    ),
    "31-noi-mot-dang-danh-mot-neo": Ruling(
        so_far("said_play_then_changed 2 seat 1"), "Bình đã nói đánh 7♣ 7♥ rồi lại làm khác."
    ),
    "32-rut-bai-lai": Ruling(so_far("took_back 2 seat 1"), "Bình rút lại bài đã hạ."),
    "33-toi-trang-hut": Ruling(
        so_far("instant_win_false 0 seat 0"), "An báo tới trắng nhưng bài không phải tới trắng."
    ),
    # -- The North, Huế, and what a table does not know.
    "34-khac-chat-mien-bac": Ruling(
        so_far("wrong_suit 1 seat 1"), "A♣ không theo đúng chất hoặc màu của K♦."
    ),
    # A two beats any lower single; a two on a two is a chop, and 2♣ costs two.
    "35-heo-chat-heo-mien-bac": Ruling(
        so_far(net="0 -2000 2000 0", chops="2 2>1 2000", pays="1>2 2000 chop"),
        "Bình trả Chi 2.000 điểm: chặt heo đen 2♣",
    ),
    "36-cuop-cai": Ruling(so_far("wrong_leader 2 seat 0"), "An ra bài trước, nhưng cái là của Chi."),
    "37-dua-bai-cho-nhau": Ruling(
        so_far("exchange_wrong_card 0 seat 0"), "An cúng 2♥, luật này không cho cúng như vậy."
    ),
    "38-nghi-qua-lau": Ruling(so_far("over_time 1 seat 1"), "Bình nghĩ 45 giây; chỉ được 30 giây."),
    "39-lo-bai-dem-bai": Ruling(
        so_far("exposed_cards 1 seat 3, counted_played_cards 3 seat 0"), "Dũng lộ bài sớm: A♠."
    ),
    # -- Suits that nobody remembers. The two sevens that are left are 7♣ 7♥, and they beat.
    "40-quen-chat-so-co-lon-hon": Ruling(so_far(), "không ai trả ai"),
    # 8♥ would beat 8♦, 8♠ and 8♣ would not.
    "41-quen-chat-tam-tren-tam": Ruling(
        so_far("does_not_beat 1 seat 1 possible"),
        "8? không đè được 8♦: đúng nếu là 8♠ / 8♣, không đúng nếu là 8♥.",
    ),
    "42-quen-chat-chat-heo": Ruling(
        so_far(net="-1000 1000 0 0", chops="1 1>0 1000", pays="0>1 1000 chop"),
        "An trả Bình 1.000 điểm: chặt heo đỏ 2♥",
    ),
    # Half a stake is owed whatever the two was.
    "43-quen-chat-heo-nao": Ruling(
        so_far(net="-500 500 0 0", chops="1 1>0 500", pays="0>1 500 chop"), "đằng nào cũng phải trả"
    ),
}


@cache
def dispute(name: str) -> tuple[str, Read, Verdict]:
    """The text of a dispute, its record as any command reads it, and the verdict."""
    path = FOLDER / f"{name}.van"
    (record,) = records(str(path))
    assert isinstance(record, Read), record
    judgement = judge(record.hand, house_of(record.rules))
    return (
        path.read_text("utf-8"),
        record,
        make_verdict(judgement, record.rules, content_sha256(record.hand)),
    )


def in_order(value: Told) -> Told:
    """Transfers in no order: which of two is told first is no part of a ruling."""
    return value._replace(pays=None if value.pays is None else ", ".join(sorted(value.pays.split(", "))))


def test_every_dispute_has_its_ruling() -> None:
    assert len(RULINGS) >= 30
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(RULINGS)


@pytest.mark.parametrize("name", RULINGS)
def test_ruling(name: str) -> None:
    _, record, verdict = dispute(name)
    assert record.hand.hand_id == f"tc-{name}"
    assert in_order(told(verdict)) == in_order(RULINGS[name].told)


@pytest.mark.parametrize("name", RULINGS)
def test_the_ruling_is_told_in_words(name: str) -> None:
    _, record, _ = dispute(name)
    account = make_account(record.hand, record.rules)
    assert RULINGS[name].says in render(account, "vi").replace("\xa0", " ")


@pytest.mark.parametrize("name", RULINGS)
def test_a_dispute_says_in_both_languages_what_it_is_about(name: str) -> None:
    text, record, _ = dispute(name)
    first, second, *_ = text.splitlines()
    assert first.startswith("# Tranh cãi: ")
    assert second.startswith("# Quarrel: ")
    assert [comment["text"] for comment in own_log(record.raw)["_comments"]] == [first[2:], second[2:]]


@pytest.mark.parametrize("name", RULINGS)
def test_a_dispute_is_the_same_after_a_way_through_its_log(name: str) -> None:
    text, record, _ = dispute(name)
    assert write(record.hand, own_log(record.raw)) == text


@pytest.mark.parametrize("name", RULINGS)
def test_every_beginning_is_a_hand_in_progress_or_has_one_clear_problem(name: str) -> None:
    text, _, _ = dispute(name)
    for end in range(len(text) + 1):
        readings = read(text[:end])
        assert len(readings) == bool(text[:end].strip())
        for reading in readings:
            assert_clear(reading, text[:end])


def assert_clear(reading: Reading, text: str) -> None:
    """A log that can be judged, or exactly one problem, told in both languages, that stands in the text."""
    if reading.hand is not None:
        assert reading.rules is not None
        assert reading.problems == ()
        if text.endswith("\n"):  # judging each letter of a name anew would prove nothing more
            judge(reading.hand, house_of(reading.rules))
        return
    (problem,) = reading.problems
    lines = text.split("\n")
    assert 1 <= problem.line <= len(lines)
    assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
    assert problem.unfinished, problem.message()
    vi, en = problem.message().both().values()
    assert vi
    assert en
    assert vi != en
