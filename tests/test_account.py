"""The account of a hand as people read it: the conclusion first, both amounts, what a decision undid."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from analyzer.judge.rulings import FORFEIT, WHOLE, About, Case, Decision, Moved, Outcome, forfeit_moves
from analyzer.locale import LANGUAGES
from analyzer.logs.carriers import Read, records
from analyzer.logs.reading import read
from analyzer.reports.account import Account, make_account
from analyzer.reports.cases import case_text
from analyzer.reports.conclusion import conclusion_texts
from analyzer.reports.revisions import sections_of, sections_text
from analyzer.reports.ruling_sheet import ruling_sheet
from analyzer.reports.text import render
from analyzer.reports.view import view_of
from tests.hands import DEAL, log, plays, raw
from tests.test_ruling_sheet import text_of

SAMPLES: Final = Path(__file__).parents[1] / "sample_logs"
AT: Final = datetime(2026, 11, 30, 1, 30, tzinfo=UTC)


def read_sample(name: str) -> Read:
    (record,) = records(str(SAMPLES / name))
    assert isinstance(record, Read)
    return record


def account_of(name: str, *ruled: Decision) -> Account:
    record = read_sample(name)
    return make_account(record.hand, record.rules, ruled)


def told(account: Account, lang: str = "en") -> str:
    return render(account, lang).replace("\u00a0", " ")


def decided(account: Account, outcome: Outcome, number: int = 4) -> Decision:
    """A decision on the forfeit of a hand, with what it moves."""
    forfeit = account.judgement.forfeit
    assert forfeit is not None
    about = About(FORFEIT, forfeit.event, forfeit.seat)
    moves = forfeit_moves(account.judgement, charged=outcome == "upheld")
    sha = account.verdict.content_sha256
    return Decision(number, AT, "Tổ", sha, about, outcome, "vì sao", moves)


# -- the conclusion comes first --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "lang", "lines"),
    [
        (
            "mien-nam/den-bai.json",
            "en",
            [
                "Dũng wins. Places, first to last: Dũng · An · Bình · Chi.",
                "An pays Dũng 65,000 ₫ (frozen seats, paying for the table).",
                "An pays for the table.",
            ],
        ),
        (
            "mien-nam/den-bai.json",
            "vi",
            [
                "Dũng thắng. Thứ hạng từ nhất tới bét: Dũng · An · Bình · Chi.",
                "An trả Dũng 65.000 ₫ (cóng, đền cả làng).",
                "An đền cả làng.",
            ],
        ),
        (
            "mien-nam/ghi-sai-tien.json",
            "en",
            [
                "Bình wins. Places, first to last: Bình · An · Chi · Dũng.",
                "Chi pays Dũng 5,000 ₫ (chops); Dũng pays Bình 10,000 ₫ (places); Chi pays An 5,000 ₫ (places).",
                "Errors: 1.",
            ],
        ),
        (
            "tranh-cai/28-ai-di-sau-nguoi-ve.van",
            "en",
            ["The log ends before the hand does.", "Nobody pays anything.", "Errors: 1."],
        ),
        (
            "tranh-cai/39-lo-bai-dem-bai.van",
            "en",
            ["The log ends before the hand does.", "Nobody pays anything.", "Warnings: 2."],
        ),
        (
            "tranh-cai/25-khong-ro-co-do-duoc-khong.van",
            "en",
            [
                "An wins. Places, first to last: An · Bình · Chi.",
                "Bình pays An 2,000 points (frozen seats); Chi pays An 2,000 points (frozen seats).",
                "Bình may have to pay for the table: unknown cards decide.",
            ],
        ),
        (
            "tranh-cai/09-ve-bang-heo-bi-chat-hue.van",
            "en",
            [
                "The log ends before the hand does.",
                "The bank pays Bình 500 points (chops).",
                "No fault was found.",
            ],
        ),
    ],
)
def test_an_account_begins_with_its_conclusion(name: str, lang: str, lines: list[str]) -> None:
    _, *first = told(account_of(name), lang).splitlines()
    assert first[: len(lines) + 1] == [*lines, ""]


@pytest.mark.parametrize(
    ("name", "hand_id", "told"),
    [
        ("mien-nam/chat-luc-vong-da-het.json", None, "An and Dũng are even (places, less chops)"),
        (
            "mien-bac-cuoc.json",
            "mau-bac-cuoc-ve-bang-heo",
            "Minh pays Phúc 5,000 ₫ (places, less going out on a two)",
        ),
    ],
)
def test_what_is_paid_the_other_way_is_told_as_taken_off(name: str, hand_id: str | None, told: str) -> None:
    for record in records(str(SAMPLES / name)):
        assert isinstance(record, Read)
        if hand_id in (None, record.hand.hand_id):
            _, payments, _ = conclusion_texts(make_account(record.hand, record.rules))
            assert told in payments.render("en").replace("\u00a0", " ")


def test_what_two_pay_each_other_is_told_as_what_is_left_of_it() -> None:
    account = make_account(*read(raw(log(plays("0 3S"))))[:2])
    sha = account.verdict.content_sha256
    both = (Moved(0, 1, 3_000), Moved(1, 0, 5_000), Moved(2, 3, 1_000), Moved(3, 2, 1_000))
    account = make_account(
        account.hand, account.rules, [Decision(1, AT, "Tổ", sha, WHOLE, "adjusted", "x", both)]
    )
    _, payments, _ = conclusion_texts(account)
    assert payments.render("en").replace("\u00a0", " ") == "binh pays an 2 points (rulings)"


# -- both amounts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "en", "vi"),
    [
        (
            {"net": [0, 0, 1500, -1500.5]},
            "The recorded amounts are chi +1,500 · dung −1,500.5; the rules give chi 0 · dung 0.",
            "Số tiền ghi là chi +1.500 · dung −1.500,5; tính theo luật là chi 0 · dung 0.",
        ),
        (
            {"places": [1, 0, 2, 3]},
            "The recorded places are binh · an · chi · dung; the rules give no places.",
            "Thứ hạng ghi là binh · an · chi · dung; theo luật là không có thứ hạng.",
        ),
    ],
)
def test_a_wrong_record_is_told_with_what_the_rules_give(result: dict[str, Any], en: str, vi: str) -> None:
    account = make_account(*read(raw(log(plays("0 3S"), result=result)))[:2])
    assert en in told(account, "en")
    assert vi in told(account, "vi")


def test_wrong_places_are_told_with_the_right_ones() -> None:
    name = "mien-nam/ghi-sai-thu-hang.json"
    assert "are An · Bình · Dũng · Chi; the rules give An · Dũng · Bình · Chi." in told(account_of(name))


# -- a free chop -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("mien-nam/bo-luot-van-chat.json", "Allowed though Dũng had passed: rule chops.four_pairs (four"),
        ("tranh-cai/11-bo-roi-chat-bon-doi-thong.van", "Allowed though Bình had passed, for nobody has led since:"),
        ("tranh-cai/13-chat-ngoai-luot-bon-doi-thong.van", "Allowed though it was Bình's turn: rule chops.four_pairs"),
        ("tranh-cai/15-chat-ngoai-luot-tu-quy-co-dien.van", "rule chops.four_of_a_kind (four of a kind at any time:"),
        ("tranh-cai/12-bo-roi-chat-phong-cua.van", None),
        ("tranh-cai/14-chat-ngoai-luot-tu-quy.van", None),
        ("tranh-cai/04-ba-doi-thong-chat-heo.van", None),
        ("mien-nam/chat-lay-cuoi.json", None),
    ],
)  # fmt: skip
def test_a_chop_out_of_turn_or_after_a_pass_tells_the_rule_that_allows_it(name: str, why: str | None) -> None:
    account = account_of(name)
    text = told(account)
    assert "⚔" in text
    assert ("Allowed though" in text) == (why is not None)
    if why is not None:
        assert why in text
        assert any(
            "Allowed though" in one["en"] for event in view_of(account)["events"] for one in event["chops"]
        )


# -- what a decision undid -------------------------------------------------------------------------

STANDS = {"en": "An pays for the table", "vi": "An đền cả làng"}
DISMISSED = {"en": "(dismissed) An would have paid for the table", "vi": "(bác bỏ) An lẽ ra đền cả làng"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_dismissed_forfeit_is_never_told_as_if_it_stood(lang: str) -> None:
    judged_ = account_of("mien-nam/den-bai.json")
    assert STANDS[lang] in told(judged_, lang)
    decision = decided(judged_, "dismissed")
    account = account_of("mien-nam/den-bai.json", decision)
    case = Case("", account.hand.hand_id, (decision,))
    sheet = text_of(ruling_sheet(judged_, lang, case))
    for text in (
        told(account, lang),
        case_text(account, case, lang),
        sheet,
        str(view_of(account)["forfeit"]["text"]),
    ):
        assert STANDS[lang] not in text
        assert DISMISSED[lang] in text
    assert f"1. {DISMISSED[lang]}" in sheet
    assert view_of(account)["forfeit"]["dismissed"] is True
    assert view_of(judged_)["forfeit"]["dismissed"] is False
    line = {
        "en": "(dismissed) An would have paid Dũng 20,000 ₫ in place of Bình: frozen 20,000 ₫; ruling 4 gives it back",
        "vi": "(bác bỏ) An lẽ ra trả Dũng 20.000 ₫ thay Bình: cóng 20.000 ₫; phán quyết 4 trả lại",
    }[lang]
    assert line in told(account, lang)
    assert line in sheet


def test_a_possible_forfeit_that_was_decided_says_how() -> None:
    name = "mien-nam/chua-ro-bai-co-the-den.json"
    account = account_of(name)
    dismissed = decided(account, "dismissed")
    assert dismissed.moves == ()
    text = told(account_of(name, dismissed))
    assert "(dismissed) Bình might have had to pay for the table" in text
    assert "may have to pay" not in text
    text = told(account_of(name, decided(account, "upheld")))
    assert "(upheld) Bình pays for the table" in text
    assert "nothing is charged" not in text


def test_a_dismissed_violation_says_so_first() -> None:
    account = account_of("mien-nam/ghi-sai-tien.json")
    sha = account.verdict.content_sha256
    decision = Decision(2, AT, "Tổ", sha, About("net_mismatch"), "dismissed", "đã sửa sổ")
    case = Case("", account.hand.hand_id, (decision,))
    assert "net_mismatch: (dismissed) The recorded amounts" in case_text(account, case, "en")
    assert "1. (dismissed) The recorded amounts" in text_of(ruling_sheet(account, "en", case))


@pytest.mark.parametrize(
    ("lang", "last", "sure"),
    [
        ("en", "Errors: 1 certain, 1 possible", "(possible: unknown cards decide)"),
        ("vi", "Lỗi: 1 chắc chắn, 1 có thể", "(có thể: còn tùy lá chưa biết)"),
    ],
)
def test_a_possible_fault_is_told_and_counted_as_such(lang: str, last: str, sure: str) -> None:
    deal = [None, ["4S", "??", *DEAL[1][2:]]]
    acts = plays("0 3S", "1 4S", "0 9D", "1 10S", "0", "1 7S", "0 6D")
    account = make_account(*read(raw(log(acts, deal=deal, seats=2)))[:2])
    assert conclusion_texts(account)[-1].render(lang) == last
    assert sure in case_text(account, Case("", ""), lang)
    assert sure in render(account, lang)
    shorter = make_account(*read(raw(log(acts[:-2], deal=deal, seats=2)))[:2])
    assert sure in sections_text(sections_of(shorter, account, Case("", "")), lang)
