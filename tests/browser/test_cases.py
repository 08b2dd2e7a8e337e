"""The dispute desk in a real browser, on a phone: a claim, a decision clicked twice, the sums that follow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from analyzer.locale import translate
from analyzer.store.database import Database
from analyzer.store.journal import Journal
from tests.browser.club import HOSTILE
from tests.browser.reader import Reader
from tests.browser.serving import serving
from tests.test_cases_page import NIGHT, PEOPLE
from tests.test_rulings import CLUB, charged, possible, take_in

pytestmark = pytest.mark.browser

NAME = "Bà Năm; 100% <i>công tâm</i>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("cases")
    take_in(made, charged(players=PEOPLE), possible(hand_id="v-2", players=PEOPLE))
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    with serving(folder, folder / "db") as address:
        yield address


def say(text: str) -> str:
    return translate(text, "vi")


def sideways(phone: Reader) -> int:
    """How far the page can be pushed sideways."""
    found: int = phone.page.evaluate(
        "(node => node.scrollWidth - node.clientWidth)(document.querySelector('[data-testid=stMain]'))"
    )
    return found


def test_a_dispute_from_the_list_to_the_money_on_a_phone(phone: Reader, folder: Path) -> None:
    page, journal = phone.page, Journal(Database(folder / "db"))
    phone.open("/settings?lang=vi")
    page.get_by_label(say("Your name, for what you decide")).fill(NAME)
    page.get_by_label(say("Your name, for what you decide")).blur()
    phone.settle()
    phone.open("/cases?lang=vi&show=flagged")
    assert sideways(phone) == 0
    page.get_by_role("link", name="v-1").click()
    page.get_by_role("heading", name=say("Findings"), exact=True).wait_for()
    phone.settle()
    assert sideways(phone) == 0

    page.get_by_text(say("Enter a claim"), exact=True).click()
    page.get_by_label(say("Who claims it")).fill(HOSTILE)
    page.get_by_label(say("What is claimed")).fill("<b>tôi</b> không có lá nào chặn được")
    page.get_by_label(say("What is claimed")).blur()
    phone.settle()
    page.get_by_role("button", name=say("Enter the claim"), exact=True).click()
    page.get_by_text("<b>tôi</b> không có lá nào chặn được").first.wait_for()
    phone.settle()

    page.get_by_text(say("Decide"), exact=True).first.click()
    outcomes = [
        page.get_by_role("radio", name=say(word)).first for word in ("upheld", "dismissed", "adjusted")
    ]
    boxes = [one.bounding_box() for one in outcomes]
    assert len({box["y"] for box in boxes if box}) == 1, "the three stand in one row"
    page.get_by_text(say("dismissed"), exact=True).locator("visible=true").first.click()
    phone.settle()
    field = page.get_by_label(say("Reason"), exact=True).locator("visible=true").first
    field.fill("lá đó không ai chặn được")
    field.blur()
    phone.settle()
    page.get_by_role("button", name=say("Enter the decision"), exact=True).locator(
        "visible=true"
    ).first.dblclick()
    page.get_by_text("lá đó không ai chặn được").first.wait_for()
    phone.settle()
    assert [(entry.kind, entry.by) for entry in journal.entries()] == [
        ("case_claimed", NAME),
        ("ruled", NAME),
    ]
    assert [moving["amount"] for moving in journal.entries("ruled")[0].data["moves"]] == ["20000", "65000"]
    page.get_by_text("−65.000").first.wait_for()
    assert sideways(phone) == 0

    phone.open(f"/money?lang=vi&club={CLUB}&evening={quote(NIGHT.evening)}")
    page.get_by_text(say("Before the rulings"), exact=True).click()
    page.get_by_text("−125.000").first.wait_for()  # Bình in both hands, as the engine had it
    page.get_by_text("−40.000").first.wait_for()
    phone.settle()
    assert sideways(phone) == 0
