"""The pages of violations and of data health in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest

from analyzer.locale import translate
from tests.browser.club import CLUB, FLAGGED, SATURDAY
from tests.browser.reader import Reader
from tests.browser.test_replay import reader, server

pytestmark = pytest.mark.browser
__all__ = ["reader", "server"]

QUEUE = f"/violations?code=wrong_kind&club={CLUB}&evening=session%20{SATURDAY['session_id']}"


def test_a_flag_opens_the_replay_at_its_event(reader: Reader) -> None:
    reader.open(QUEUE)
    reader.page.get_by_role("link", name=re.compile("3♣ 3♦")).first.click()
    reader.page.wait_for_url(re.compile(rf"/replay\?.*hand={FLAGGED['hand_id']}"))
    reader.settle()
    assert reader.event() == "4"


@pytest.mark.full
def test_filters_are_kept_when_the_page_is_loaded_again(reader: Reader) -> None:
    reader.open(QUEUE + "&lang=vi")
    reader.page.get_by_text(translate("Over time", "vi"), exact=True).click()
    reader.settle()
    address = reader.page.url
    assert "show=time" in address
    assert "code=wrong_kind" in address
    told = reader.page.get_by_text(re.compile("số ván bị đánh dấu")).inner_text()
    reader.page.reload()
    reader.settle()
    assert reader.page.url == address
    assert reader.page.get_by_text(re.compile("số ván bị đánh dấu")).inner_text() == told


@pytest.mark.parametrize(
    "path",
    [
        QUEUE,
        pytest.param("/violations?show=time", marks=pytest.mark.full),
        "/violations?show=soft",
        "/health",
    ],
)
def test_nothing_is_wider_than_a_phone(browser: Any, server: str, path: str) -> None:
    phone = Reader(browser, server, width=390)
    phone.open(path)
    widths = phone.page.evaluate(
        "(() => { const main = document.querySelector('[data-testid=stMain]');"
        " return [main.scrollWidth, main.clientWidth] })()"
    )
    assert widths[0] <= widths[1]
    phone.leave()
