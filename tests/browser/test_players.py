"""The players' page and the filters in a real browser: what only a browser shows."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from analyzer.locale import translate
from tests.browser.club import CLUB, HOSTILE, MARKED, NAMES
from tests.browser.reader import Reader
from tests.browser.test_replay import reader, server

__all__ = ["reader", "server"]
pytestmark = pytest.mark.browser

PLAYER = f"/players?club={CLUB}&player=binh"


def address(reader: Reader) -> tuple[str, dict[str, list[str]]]:
    parts = urlsplit(reader.page.url)
    return parts.path, parse_qs(parts.query)


def say(text: str) -> str:
    return translate(text, "vi")


def test_filters_are_kept_in_the_address_from_page_to_page(reader: Reader) -> None:
    reader.open(f"/players?club={CLUB}")
    reader.page.get_by_role("link", name=NAMES["an"]).click()
    reader.page.get_by_role("heading", name=NAMES["an"]).wait_for()
    reader.settle()
    assert address(reader)[1]["player"] == ["an"]
    reader.page.get_by_text(say("More filters")).click()
    reader.page.get_by_test_id("stExpanderDetails").get_by_role("radio", name="3").click()
    reader.page.get_by_text(say("{n} players").format(n=3)).first.wait_for()
    reader.settle()
    path, asked = address(reader)
    assert (path, asked["player"], asked["count"]) == ("/players", ["an"], ["3"])
    reader.page.reload()
    reader.settle()
    reader.page.get_by_text(say("{n} players").format(n=3)).first.wait_for()
    reader.page.get_by_role("link", name=say("The hands of this player")).click()
    reader.page.get_by_role("heading", name=say("Hands"), exact=True).wait_for()
    reader.settle()
    path, asked = address(reader)
    assert (path, asked["player"], asked["count"]) == ("/", ["an"], ["3"])
    reader.page.go_back()
    reader.page.get_by_role("heading", name=NAMES["an"]).wait_for()
    reader.settle()
    assert address(reader)[1]["count"] == ["3"]


@pytest.mark.full
def test_a_link_to_another_player_wins_over_what_was_chosen_before(reader: Reader) -> None:
    reader.open(f"/players?club={CLUB}&player=an")
    reader.page.get_by_role("link", name=say("All players")).click()
    reader.page.get_by_text(say("{n} players").format(n=3)).first.wait_for()
    reader.settle()  # until then the page that is left still has its own links with this name
    assert "player" not in address(reader)[1]
    reader.page.get_by_role("link", name=MARKED).click()
    reader.page.get_by_role("heading", name=MARKED).wait_for()
    reader.settle()
    assert address(reader)[1]["player"] == ["chi"]


@pytest.mark.full
def test_hostile_names_are_text(reader: Reader) -> None:
    for path in (f"/players?club={CLUB}", PLAYER, f"{PLAYER}&with=chi"):
        reader.open(path)
        for name in (HOSTILE, MARKED):
            reader.page.get_by_text(name).first.wait_for(state="attached")  # may be folded away
        assert reader.page.locator("img[src=x]").count() == 0
        assert reader.page.locator("a[href^='javascript']").count() == 0


@pytest.mark.parametrize(
    "path",
    [
        PLAYER,
        pytest.param(f"/players?club={CLUB}", marks=pytest.mark.full),
        pytest.param(f"/?club={CLUB}&player=an", marks=pytest.mark.full),
    ],
)
def test_a_phone_never_scrolls_sideways(browser: Any, server: str, path: str) -> None:
    reader = Reader(browser, server, width=390)
    reader.open(path)
    reader.page.get_by_text(NAMES["an"]).first.wait_for()
    wide = reader.page.evaluate(
        """() => ["html", "[data-testid=stMain]"].map((name) => {
            const node = document.querySelector(name);
            return node.scrollWidth - node.clientWidth;
        })"""
    )
    assert wide == [0, 0]
    reader.leave()


def test_on_a_slow_line_a_second_filter_does_not_undo_the_first(reader: Reader) -> None:
    reader.open(f"/?club={CLUB}")
    reader.page.get_by_text(say("More filters")).click()
    reader.page.evaluate("window.wire.late = 1500")
    for name in ("has a violation", "has a forfeit"):
        reader.page.get_by_text(say(name), exact=True).click()
        reader.page.wait_for_timeout(800)
    reader.page.get_by_text(f"{say('has a violation')} · {say('has a forfeit')}").wait_for()
    reader.settle()
    asked = address(reader)[1]
    assert (asked["violation"], asked["forfeit"]) == (["1"], ["1"])


def test_back_from_a_hand_leads_to_the_list_as_it_was(reader: Reader) -> None:
    reader.open(f"/?lang=vi&club={CLUB}&player=an&violation=1")
    narrowed = reader.page.url
    reader.page.get_by_role("link", name="28/11/2026").first.click()
    reader.page.wait_for_url("**/replay?hand=*")
    reader.settle()
    reader.page.go_back()
    reader.page.get_by_role("heading", name=say("Hands"), exact=True).wait_for()
    reader.page.get_by_text(say("has a violation"), exact=False).first.wait_for(state="attached")
    assert reader.page.url == narrowed


def test_back_from_a_list_without_filters_leads_to_that_with_all_of_them(reader: Reader) -> None:
    reader.open(f"/?lang=vi&club={CLUB}&player=an&violation=1")
    narrowed = reader.page.url
    reader.page.get_by_role("button", name=say("Clear all filters")).click()
    reader.page.wait_for_url(re.compile("^((?!violation).)*$"))
    reader.settle()
    assert address(reader)[1] == {"lang": ["vi"]}
    reader.page.go_back()
    reader.page.get_by_text(f"{say('Only: {filters}').partition('{')[0]}{say('has a violation')}").wait_for()
    assert reader.page.url == narrowed
