"""What the pages cost over many stored hands, in a real browser.

    python -m tests.benchmarks.pages [--hands 1000000] [--db FOLDER] [--write]

Builds a club's database (evenings of 60 hands at six tables a night, eighty players), serves it, and looks at it
through Chromium: every page opened for the first time and again, a filter changed, a step of the replay, and the
server's memory with four visitors. Times are by the clock, from the request or the key to the page being still.
The floor is a Streamlit page of one line, served and looked at in the same way. With ``--db`` the database is
kept, and built only if it is not there.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from tests.benchmarks.speed import cpu, write_section
from tests.browser.conftest import QUIET
from tests.browser.reader import READY
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
"""Pages with filters that are changed here: how many sat at the table."""

RUNNING = "[data-testid=stApp][data-test-script-state=running]"

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


class Visitor:
    """Somebody at a browser."""

    def __init__(self, browser: Any, server: str) -> None:
        self.server = server
        self.page = browser.new_context(locale="vi-VN", viewport={"width": 1440, "height": 900}).new_page()

    def open(self, path: str) -> float:
        """Seconds until a page stands still; the first time that a browser comes it runs twice."""
        began = time.perf_counter()
        self.page.goto(self.server + path)
        self.page.wait_for_selector("[data-testid=stMainBlockContainer] [data-testid=stElementContainer]")
        self.page.wait_for_selector(READY)
        return time.perf_counter() - began

    def narrow(self, players: int) -> float:
        """Seconds from a click on a filter until the page stands still again."""
        control = self.page.locator("[data-testid=stButtonGroup] button", has_text=str(players)).first
        if not control.is_visible():
            self.page.locator("[data-testid=stExpander] summary").first.click()
        control.wait_for()
        began = time.perf_counter()
        control.click()
        self.page.wait_for_selector(RUNNING, timeout=5_000)
        self.page.wait_for_selector(READY)
        return time.perf_counter() - began


def rounds(work: Callable[[], float]) -> float:
    return statistics.median(work() for _ in range(ROUNDS))


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
    out = ["| what | ms | times the floor |", "|---|---|---|"]
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        with floor(Path(scratch)) as address:
            visitor = Visitor(browser, address)
            visitor.open("/")
            least = rounds(lambda: visitor.open("/"))
        out.append(f"| floor: a Streamlit page of one line, opened again | {least * 1e3:.0f} | 1.0 |")

        def told(what: str, seconds: float) -> None:
            out.append(f"| {what} | {seconds * 1e3:.0f} | {seconds / least:.1f} |")
            print(out[-1], file=sys.stderr, flush=True)

        with serving(Path(scratch), folder) as address:
            visitor = Visitor(browser, address)
            visitor.open("/")
            for name in pages:
                path = "/" if name == "hands" else f"/{name}"
                told(f"{name}: opened for the first time", visitor.open(path))
                told(f"{name}: opened again", rounds(lambda path=path: visitor.open(path)))  # type: ignore[misc]
                if name in FILTERED:
                    visitor.narrow(4)
                    changes = [visitor.narrow(players) for players in (4, 4, 3, 4, 2)]
                    told(f"{name}: a filter changed", statistics.median(changes))
            hand = json.dumps("0-0")[1:-1]
            visitor.open(f"/replay?club=clb&hand={hand}")
            drawn = visitor.page.locator("[data-part=position]:not(:empty)")
            drawn.wait_for()
            steps = [step for step in drawn.evaluate(STEP, STEPS) if step >= 0]
            told(
                f"replay: a step ({len(steps)} of {STEPS} keys moved it), median",
                statistics.median(steps) / 1e3,
            )
            told("replay: the slowest step", max(steps) / 1e3)
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
        text += measure(folder)
    print(text)
    if options.write:
        write_section(heading(), text)


if __name__ == "__main__":
    main()
