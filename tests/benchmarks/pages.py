"""What the pages cost over many stored hands, in a real browser.

    python -m tests.benchmarks.pages [--hands 1000000] [--db FOLDER] [--write]

Builds a club's database (evenings of 60 hands at six tables a night, eighty players), serves it, and looks at it
through Chromium: every page opened for the first time and again, a filter changed, a step of the replay, and the
server's memory with four visitors. Times are the browser's, from the request or the key: to the first content, and
to the last change of a page whose run is over. The floor is a Streamlit page of one line, served and looked at in
the same way. With ``--db`` the database is kept, and built only if it is not there.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from tests.benchmarks.speed import cpu, write_section
from tests.browser.conftest import QUIET
from tests.browser.serving import ROOT, free_port, serving
from tests.conftest import CHROMIUM

FILE = 50_000
PLAYED = 500
EVENING = 60
TABLES = 6
PLAYERS = 80
ROUNDS = 7
STEPS = 60
FIRST = datetime(2019, 1, 1, 19, tzinfo=timezone(timedelta(hours=7)))

FLOOR = "import streamlit as st\nst.title('Tiến Lên')\nst.write('0')\n"

FILTERED = ("hands", "players", "violations")
"""Pages with a filter that is changed here: the table, to one that was not asked for yet."""

WATCH = """
const main = "[data-testid=stMainBlockContainer]";
const watch = { began: 0, before: "", first: null, last: 0 };
// What stands in the page beside the filters, which change as soon as they are touched.
watch.text = () => [...document.querySelectorAll(`${main} [data-testid=stMarkdownContainer]`)]
  .filter((part) => !part.closest("[data-testid=stExpander]")).map((part) => part.textContent).join("\\n");
watch.begin = () => Object.assign(watch, { began: performance.now(), before: watch.text(), first: null });
watch.still = () =>
  watch.first !== null && performance.now() - watch.last > 300
  && document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning";
new MutationObserver((changes) => {
  const inside = changes.some(({ type, target }) =>
    type === "attributes" || (target.parentElement ?? target).closest?.(main));
  if (!inside) return;
  watch.last = performance.now();
  if (watch.text() !== watch.before) watch.first ??= watch.last;
}).observe(document, {
  subtree: true, childList: true, characterData: true, attributeFilter: ["data-test-script-state"],
});
window.watch = watch;
"""
"""Notes when the text of a page first became another one, and when anything in it changed last.

A run may be over before anybody looks, so it is not waited for: once its text is there, it has begun.
"""

STEP = """async (drawn, count) => {
  const times = [];
  for (let step = 0; step < count; step++) {
    const began = performance.now();
    const text = drawn.textContent;
    const key = step < count / 2 ? 'ArrowRight' : 'ArrowLeft';
    drawn.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, composed: true}));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(drawn.textContent === text ? -1 : performance.now() - began);
  }
  return times;
}"""
"""Presses a key and waits for the next frame to be painted; -1 where nothing moved."""


def lines(seed: int, hands: int) -> Iterator[bytes]:
    """Hands of one club: the same ones again after ``PLAYED``, by other players on other evenings."""
    played = list(simulate(min(hands, PLAYED), seed, preset("mien-nam"), players=4, faults=0.05))
    rng = random.Random(seed)
    for number in range(hands):
        evening, place = divmod(number, EVENING)
        if not place:
            people = rng.sample(range(PLAYERS), 4)
            night = FIRST + timedelta(days=(seed * FILE // EVENING + evening) // TABLES)
        log = {**played[number % PLAYED], "hand_id": f"{seed}-{number}", "club_id": "clb", "currency": "VND"}
        log |= {
            "session_id": f"{seed}-{evening}",
            "hand_no": place + 1,
            "table_id": f"ban-{evening % TABLES + 1}",
        }
        log |= {"played_at": (night + timedelta(minutes=3 * place)).isoformat(), "stake": 10_000}
        log["players"] = [{"id": f"p{k}", "name": f"Người {k}"} for k in people]
        yield json.dumps(log, ensure_ascii=False, separators=(",", ":")).encode()


def build(folder: Path, hands: int) -> None:
    """Stores so many hands."""
    with tempfile.TemporaryDirectory() as logs:
        for seed in range(-(-hands // FILE)):
            path = Path(logs) / f"{seed}.ndjson"
            path.write_bytes(b"\n".join(lines(seed, min(FILE, hands - seed * FILE))))
            ingest([path], Database(folder))
            path.unlink()
            print(f"{min(hands, (seed + 1) * FILE):,} hands stored", file=sys.stderr, flush=True)


@contextmanager
def floor(folder: Path) -> Iterator[str]:
    """The address of a Streamlit page of one line."""
    script, port = folder / "floor.py", free_port()
    script.write_text(FLOOR, "utf-8")
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    command += [
        "--server.headless",
        "true",
        "--server.address",
        "127.0.0.1",
        "--browser.gatherUsageStats",
        "false",
    ]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urlopen(f"{address}/_stcore/health", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(20)


class Times(NamedTuple):
    """Seconds until the first content that is new, and until the page stands still."""

    first: float
    still: float


class Visitor:
    """Somebody at a browser."""

    def __init__(self, browser: Any, server: str) -> None:
        self.server = server
        self.page = browser.new_context(locale="vi-VN", viewport={"width": 1440, "height": 900}).new_page()
        self.page.add_init_script(WATCH)

    def open(self, path: str) -> Times:
        """Opens a page; the first time that a browser comes it runs twice."""
        self.page.goto(self.server + path)
        return self._times()

    def narrow(self, table: str) -> Times:
        """Chooses a table by its name; from the click on it."""
        control = self.page.locator(".st-key-table input")
        if not control.is_visible():
            self.page.locator("[data-testid=stExpander] summary").first.click()
        option = self.page.locator("[role=option]", has_text=table)
        while not option.is_visible():  # what is drawn anew meanwhile closes the list
            control.click()
            self.page.wait_for_timeout(500)
        self.page.evaluate("addEventListener('pointerup', watch.begin, {capture: true, once: true})")
        option.click()
        return self._times()

    def _times(self) -> Times:
        self.page.wait_for_function("watch.still()", timeout=120_000)
        first, last = self.page.evaluate("[watch.first - watch.began, watch.last - watch.began]")
        return Times(first / 1e3, last / 1e3)


def median(times: Iterable[Times]) -> Times:
    first, still = zip(*times, strict=True)
    return Times(statistics.median(first), statistics.median(still))


def memory(port: str) -> float:
    """Megabytes that the server on a port has in memory: the largest process that was told this port."""
    found = [0]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if port in (process / "cmdline").read_bytes().decode().split("\0"):
                found.append(int((process / "status").read_text().partition("VmRSS:")[2].split()[0]))
        except (OSError, IndexError):  # it has just ended
            continue
    return max(found) / 1e3


def measure(folder: Path) -> str:
    """The table, as Markdown."""
    from playwright.sync_api import sync_playwright

    pages = sorted(path.stem for path in (ROOT / "dashboards" / "views").glob("*.py"))
    pages.sort(key=lambda name: name != "hands")
    out = ["| what | first content, ms | still, ms | times the floor |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        with floor(Path(scratch)) as address:
            visitor = Visitor(browser, address)
            visitor.open("/")
            least = median(visitor.open("/") for _ in range(ROUNDS))

        def told(what: str, times: Times) -> None:
            row = [what, *(f"{seconds * 1e3:.0f}" for seconds in times), f"{times.still / least.still:.1f}"]
            out.append(f"| {' | '.join(row)} |")
            print(out[-1], file=sys.stderr, flush=True)

        told("floor: a Streamlit page of one line, opened again", least)

        with serving(Path(scratch), folder) as address:
            visitor = Visitor(browser, address)
            visitor.open("/")
            for name in pages:
                path = "/" if name == "hands" else f"/{name}"
                told(f"{name}: opened for the first time", visitor.open(path))
                told(f"{name}: opened again", median(visitor.open(path) for _ in range(ROUNDS)))
                if name in FILTERED:
                    changes = [visitor.narrow(f"ban-{table + 1}") for table in range(TABLES)]
                    told(f"{name}: a filter changed", median(changes))
            hand = json.dumps("0-0")[1:-1]
            visitor.open(f"/replay?club=clb&hand={hand}")
            drawn = visitor.page.locator("[data-part=position]:not(:empty)")
            drawn.wait_for()
            steps = [step for step in drawn.evaluate(STEP, STEPS) if step >= 0]
            moved = (
                f"replay: a step, from the key to the painted frame ({len(steps)} of {STEPS} keys moved it)"
            )
            for which, step in (("median", statistics.median(steps)), ("slowest", max(steps))):
                out.append(f"| {moved}, {which} | {step:.0f} | | |")
                print(out[-1], file=sys.stderr, flush=True)
            others = [Visitor(browser, address) for _ in range(3)]
            for other, name in zip(others, ("players", "money", "violations"), strict=True):
                other.open(f"/{name}")
            used = memory(address.rpartition(":")[2])
        browser.close()
    return "\n".join(out) + f"\n\nThe server had {used:.0f} MB in memory with four visitors.\n"


def heading() -> str:
    return "## Pages"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--db", type=Path, help="where the database is kept")
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.db or Path(scratch) / "db"
        if not folder.exists():
            build(folder, options.hands)
        stored = Database(folder).manifest().hands
        machine = f"{platform.machine()}, {cpu()}, Python {platform.python_version()}"
        text = f"Measured {date.today()} on {machine};\n{stored:,} stored hands, Chromium without a screen, medians of {ROUNDS}.\n\n"
        before = os.getloadavg()[0]
        text += measure(folder)
        text += (
            f"The machine's load average was {before:.1f} before and {os.getloadavg()[0]:.1f} after it, "
            f"on {os.cpu_count()} processors.\n"
        )
    print(text)
    if options.write:
        write_section(heading(), text)


if __name__ == "__main__":
    main()
