"""The look of the pages in a real browser: contrast as it is painted, and the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from analyzer.store.database import Database
from analyzer.store.journal import Journal
from tests.browser.club import CLUB, FLAGGED, make_club
from tests.browser.reader import Reader, settle
from tests.browser.serving import serving

pytestmark = pytest.mark.browser

ROOT: Final = Path(__file__).parents[2]

PAINTED: Final = """() => {
  // Every text with the contrast between its colour and what lies behind it, as WCAG 2 computes it.
  const numbers = (text) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const pen = canvas.getContext("2d");
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((k) => top[k] * top[3] + below[k] * (1 - top[3])).concat(1);
  const light = (c) => {
    const part = (x) => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
  };
  const behind = (node) => {
    if (!node) return [255, 255, 255, 1];
    const own = numbers(getComputedStyle(node).backgroundColor);
    return own[3] >= 1 ? own : over(own, behind(node.parentElement));
  };
  let seen = 0;
  const faint = [];
  const walker = document.createTreeWalker(document.querySelector(".stApp"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim();
    const style = getComputedStyle(node);
    if (!text || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (node.closest("svg, [disabled], [aria-disabled=true], [data-testid=stIconMaterial]")) continue;
    seen += 1;
    const ground = behind(node);
    const colour = numbers(style.color);
    for (let part = node; part; part = part.parentElement) colour[3] *= parseFloat(getComputedStyle(part).opacity);
    const ink = over(colour, ground);
    const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (large ? 3 : 4.5)) faint.push(`${text.slice(0, 40)} ${ratio.toFixed(2)} ${style.color}`);
  }
  return { seen, faint };
}"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return Database(make_club(tmp_path_factory.mktemp("club")))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, database: Database) -> Iterator[str]:
    """The address of `tienlen serve` over the club's hands."""
    with serving(tmp_path_factory.mktemp("look"), database.path) as address:
        yield address


@pytest.fixture
def page(browser: Any, server: str) -> Iterator[Any]:
    somebody = Reader(browser, server)
    yield somebody.page
    somebody.leave()


def open_page(page: Any, address: str) -> None:
    page.goto(address)
    settle(page)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        pytest.param("/money", marks=pytest.mark.full),
        f"/replay?hand={FLAGGED['hand_id']}&club={CLUB}&event=4",
        pytest.param("/rules", marks=pytest.mark.full),
        "/settings",
    ],
)
def test_every_text_is_painted_with_enough_contrast(page: Any, server: str, path: str) -> None:
    open_page(page, server + path)
    grounds = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(400)
        found = page.evaluate(PAINTED)
        assert found["seen"] > 10
        assert found["faint"] == []
        grounds.append(page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor"))
    assert grounds == ["rgb(252, 251, 248)", "rgb(20, 25, 23)"], "the pages follow the system"


def test_by_keyboard_alone_one_sees_where_one_is_and_gets_to_another_page(page: Any, server: str) -> None:
    open_page(page, server)
    for _ in range(12):
        page.keyboard.press("Tab")
        if "/money" in page.evaluate("document.activeElement.href || ''"):
            break
    focus = "getComputedStyle(document.activeElement)"
    assert page.evaluate(f"{focus}.outlineStyle") == "solid"
    assert page.evaluate(f"parseFloat({focus}.outlineWidth)") >= 2
    page.keyboard.press("Enter")
    page.wait_for_url("**/money**")


@pytest.mark.parametrize("path", [pytest.param("/rules", marks=pytest.mark.full), "/settings"])
def test_a_phone_never_scrolls_sideways(page: Any, server: str, path: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, server + path)
    wide = "node => node.scrollWidth - node.clientWidth"
    assert page.locator("[data-testid=stMain]").evaluate(wide) == 0


def test_no_text_of_somebody_s_becomes_a_link(page: Any, server: str, database: Database) -> None:
    note = "https://evil.example www.evil.example an@evil.example [x](http://evil.example) <a href=//evil.example>"
    Journal(database).append("payment", {"club": CLUB, "note": note}, "www.evil.example")
    open_page(page, server + "/settings")
    page.get_by_text("an@\u2060evil.example").wait_for(state="attached")
    assert page.locator("a[href*='evil']").count() == 0
