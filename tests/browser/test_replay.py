"""The pages in a real browser, from a real server on the loopback."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from analyzer.locale import translate
from analyzer.logs.reading import read
from analyzer.reports.account import Account, line_text, make_account
from analyzer.reports.money import format_signed
from analyzer.reports.table_view import LABELS
from tests.browser.club import CLUB, FLAGGED, FORFEIT, HOSTILE, MARKED, SATURDAY, make_club
from tests.conftest import CHROMIUM

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.browser

ROOT: Final = Path(__file__).parents[2]
QUIET: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")
READY: Final = "[data-testid=stApp][data-test-script-state=notRunning]"
REPLAY: Final = f"/replay?hand={FLAGGED['hand_id']}&club={CLUB}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server over the club's hands."""
    folder = tmp_path_factory.mktemp("served")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "dashboards" / "app.py")]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port), "--server.headless", "true"]
    environment = {**os.environ, "TIENLEN_DB": str(make_club(folder)), "PYTHONPATH": str(ROOT)}
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        _wait(process, f"http://127.0.0.1:{port}/_stcore/health", folder / "server.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _wait(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    for _ in range(300):
        if process.poll() is not None:
            break
        try:
            with urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"the server did not start: {log.read_text('utf-8')}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield chromium
        chromium.close()


class Reader:
    """Somebody at a browser, who would notice an error in its console and a request to elsewhere."""

    def __init__(self, browser: Any, server: str, locale: str = "vi-VN", width: int = 1280) -> None:
        self.server = server
        self.troubles: list[str] = []
        self.context = browser.new_context(locale=locale, viewport={"width": width, "height": 844})
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("dialog", lambda dialog: self.troubles.append(f"dialog: {dialog.message}"))
        self.page.on("console", self._console)
        self.page.on("request", self._request)

    def _console(self, message: Any) -> None:
        # Opened below its root, Streamlit's client first looks for the server under the page's own path.
        probe = "/_stcore/" in message.location.get("url", "")
        if message.type == "error" and not probe:
            self.troubles.append(message.text)

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.server, self.server.replace("http", "ws"), "data:", "blob:")):
            self.troubles.append(f"request to {request.url}")

    def open(self, path: str) -> None:
        self.page.goto(self.server + path)
        self.settle()

    def settle(self) -> None:
        self.page.wait_for_timeout(200)
        self.page.wait_for_selector(READY)
        self.page.wait_for_timeout(200)

    def text(self, part: str) -> str:
        return str(self.page.locator(f"[data-part={part}]").inner_text())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def event(self) -> str | None:
        self.page.wait_for_timeout(200)  # the address follows when the steps pause
        found: str | None = self.page.evaluate("new URL(location.href).searchParams.get('event')")
        return found


@pytest.fixture
def reader(browser: Any, server: str) -> Iterator[Reader]:
    somebody = Reader(browser, server)
    yield somebody
    somebody.context.close()
    assert not somebody.troubles


def account_of(log: dict[str, Any]) -> Account:
    hand, rules, _ = read(json.dumps(log).encode())
    return make_account(hand, rules)


def squeezed(text: str) -> str:
    return " ".join(text.split())


def label(key: str, lang: str = "vi") -> str:
    return translate(LABELS[key], lang)


# -- from the list to the ruling -------------------------------------------------------------------


def test_from_the_list_by_keyboard_to_the_ruling_and_its_amounts(reader: Reader) -> None:
    account = account_of(FLAGGED)
    reader.open(f"/?lang=vi&text={FLAGGED['hand_id']}")
    reader.page.get_by_role("link", name=f"{translate('Hand {n}', 'vi').format(n=2)} · 28/11/2026").click()
    reader.settle()
    assert label("dealt") in reader.text("sentence")
    reader.press(*["ArrowRight"] * 5)
    step = account.steps[4]
    assert step.flags
    assert step.text.render("vi") in squeezed(reader.text("sentence"))
    ruling = squeezed(reader.text("ruling"))
    for flag in step.flags:
        assert flag.message.render("vi") in ruling
        assert flag.ground.name.render("vi") in ruling
        assert flag.ground.rule in ruling
        assert flag.ground.cite("vi") in ruling
    money = squeezed(reader.text("money"))
    for line in account.lines:
        assert squeezed(line_text(account, line).render("vi")) in money
        for ground in line.grounds:
            assert ground.rule in money
            assert ground.cite("vi") in money
    for net in account.verdict.net:
        assert squeezed(format_signed(net, "VND", "vi")) in money


def test_a_forfeit_shows_the_plays_there_were_and_what_they_cost(reader: Reader) -> None:
    account = account_of(FORFEIT)
    reader.open(f"/replay?lang=vi&hand={FORFEIT['hand_id']}&club={CLUB}")
    reader.press("f")
    assert reader.event() == "1"
    ruling = squeezed(reader.text("ruling"))
    assert account.forfeit is not None
    assert squeezed(account.forfeit.render("vi")) in ruling
    assert label("plays").format(n=account.verdict.missed_blocks[0].option_count) in ruling
    strips = reader.page.locator("[data-part=ruling] .tl-strip")
    options = account.verdict.missed_blocks[0].options
    assert [strip.get_attribute("aria-label") for strip in strips.all()] == [" ".join(o) for o in options]
    for line in account.lines:
        if line.transfer.event == 1:
            assert squeezed(line_text(account, line).render("vi")) in ruling


# -- stepping --------------------------------------------------------------------------------------


def test_every_key(reader: Reader) -> None:
    reader.open(REPLAY)
    assert reader.event() is None
    for keys, event in [
        (["ArrowRight"], "0"),
        (["ArrowRight", "ArrowRight", "ArrowLeft"], "1"),
        (["f"], "4"),
        (["f"], "6"),
        (["f"], "6"),
        (["Shift+F"], "4"),
        (["Home"], None),
        (["End"], "6"),
        (["Home", "m"], "1"),
        (["m"], "2"),
        (["Shift+M"], "1"),
        (["Home", "ArrowLeft"], None),
    ]:
        reader.press(*keys)
        assert reader.event() == event, keys


def test_buttons_slider_and_list_step_too(reader: Reader) -> None:
    reader.open(REPLAY)
    button = reader.page.locator
    button("[data-go=next]").click()
    assert reader.event() == "0"
    button("[data-go=flagNext]").click()
    assert reader.event() == "4"
    button("[data-go=back]").click()
    assert reader.event() == "3"
    button("[data-step='6']").first.click()
    assert reader.event() == "6"
    button("[data-part=slider]").focus()
    reader.press("ArrowLeft")
    assert reader.event() == "5"
    button("[data-part=slider]").fill("2")
    assert reader.event() == "2"
    button("[data-go=last]").focus()
    reader.press("Enter")
    assert reader.event() == "6"
    assert button("[data-go=last]").get_attribute("aria-disabled") == "true"


def test_keys_are_left_to_whoever_types(reader: Reader) -> None:
    reader.open(REPLAY + "&event=3")
    reader.page.evaluate(
        "document.body.prepend(Object.assign(document.createElement('input'), {id: 'typing'}))"
    )
    reader.page.locator("#typing").focus()
    reader.press("f", "m", "Home", "ArrowRight")
    assert reader.event() == "3"
    reader.page.locator("#typing").evaluate("node => node.remove()")


def test_the_deep_link_opens_at_the_event(reader: Reader) -> None:
    reader.open(REPLAY + "&event=4")
    assert squeezed(reader.text("sentence")).startswith("4. ")
    assert reader.text("position") == "4 / 6"
    assert reader.page.locator("[data-part=events] [aria-current]").get_attribute("data-step") == "4"
    for odd in ("99", "-7", "x", "4;drop"):
        reader.open(f"{REPLAY}&event={quote(odd)}")
        assert reader.text("position") in ("6 / 6", "– / 6")


def test_the_language_switch_keeps_the_step(reader: Reader) -> None:
    account = account_of(FLAGGED)
    reader.open(REPLAY)
    reader.press("f")
    assert account.steps[4].flags[0].message.render("vi") in squeezed(reader.text("ruling"))
    reader.page.get_by_text("English").click()
    reader.settle()
    assert account.steps[4].flags[0].message.render("en") in squeezed(reader.text("ruling"))
    assert label("ruling", "en") in reader.text("ruling")
    assert reader.event() == "4"
    reader.page.reload()
    reader.settle()
    assert label("ruling", "en") in reader.text("ruling")
    assert reader.text("position") == "4 / 6"


@pytest.mark.parametrize(("locale", "lang"), [("vi-VN", "vi"), ("en-GB", "en"), ("fr-FR", "vi")])
def test_the_language_is_first_the_browsers(browser: Any, server: str, locale: str, lang: str) -> None:
    reader = Reader(browser, server, locale)
    reader.open(REPLAY)
    assert label("ruling", lang) in reader.text("ruling")
    reader.context.close()
    assert not reader.troubles


# -- what must never happen ------------------------------------------------------------------------


def test_hostile_names_are_text(reader: Reader) -> None:
    evening = quote(f"session {SATURDAY['session_id']}")
    for path in (REPLAY, f"/?club={CLUB}&evening={evening}", f"/money?club={CLUB}&evening={evening}"):
        reader.open(path)
        for name in (HOSTILE, MARKED):
            assert reader.page.get_by_text(name).count(), (path, name)
        assert reader.page.locator("img[src=x]").count() == 0
        assert reader.page.locator("a[href^='javascript']").count() == 0
    reader.open(REPLAY)
    assert reader.page.locator(".tl-seat title", has_text=HOSTILE).count() == 1


@pytest.mark.parametrize("path", ["/", "/money", "/replay", REPLAY, REPLAY + "&event=4"])
def test_a_phone_never_scrolls_sideways(browser: Any, server: str, path: str) -> None:
    reader = Reader(browser, server, width=390)
    reader.open(path)
    wide = reader.page.evaluate(
        """() => ["html", "[data-testid=stMain]"].map((name) => {
            const node = document.querySelector(name);
            return node.scrollWidth - node.clientWidth;
        })"""
    )
    assert wide == [0, 0]
    reader.context.close()
    assert not reader.troubles


def test_a_step_is_painted_soon(reader: Reader, record_property: Any) -> None:
    reader.open(REPLAY)
    times = reader.page.evaluate(
        """async () => {
            const times = [];
            const painted = () => new Promise((done) => requestAnimationFrame(() => {
                const after = new MessageChannel();
                after.port1.onmessage = done;
                after.port2.postMessage(0);
            }));
            for (let k = 0; k < 60; k++) {
                await painted();
                const key = k % 14 < 7 ? "ArrowRight" : "ArrowLeft";
                const begun = performance.now();
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                await painted();
                times.push(performance.now() - begun);
            }
            return times.sort((a, b) => a - b);
        }"""
    )
    median, slow = times[len(times) // 2], times[int(len(times) * 0.95)]
    record_property("step_ms", {"median": round(median, 1), "p95": round(slow, 1)})
    print(f"a step, key to painted: median {median:.1f} ms, 95 % under {slow:.1f} ms (the aim is 30)")
    assert len(times) == 60
