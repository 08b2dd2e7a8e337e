"""The money page in a real browser: a double click, a download, links within the page, a phone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from analyzer.evening_files import export_evening
from analyzer.locale import translate
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.journal import Journal
from tests.browser.reader import Reader
from tests.browser.serving import serving
from tests.test_money import CLUB, NAME, SAMPLE, later

pytestmark = pytest.mark.browser
EVENING = f"/money?lang=vi&club={CLUB}&evening={quote(NAME)}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("money")
    shutil.copy(SAMPLE, made / "a.ndjson")
    more = later(3, session_id="b", played_at="2026-12-05T20:00:00+07:00")
    (made / "b.ndjson").write_text("\n".join(map(json.dumps, more)), "utf-8")
    assert ingest([made / "a.ndjson", made / "b.ndjson"], made / "db").accepted == 31
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    with serving(folder, folder / "db") as address:
        yield address


def say(text: str) -> str:
    return translate(text, "vi")


def heading(phone: Reader, text: str) -> None:
    phone.page.get_by_role("heading", name=say(text), exact=True).first.wait_for()


def test_a_double_click_enters_one_payment(phone: Reader, folder: Path) -> None:
    phone.open(EVENING)
    phone.page.get_by_role("button", name=say("Paid")).first.dblclick()
    phone.settle()
    phone.page.get_by_text("✓ Sơn → Hà").wait_for()
    phone.settle()
    (entry,) = Journal(Database(folder / "db")).entries("payment")
    assert (entry.data["from"], entry.data["to"], entry.data["amount"]) == ("son", "ha", "75000.000")


def test_files_come_down_as_they_are_named(phone: Reader) -> None:
    phone.open(EVENING)
    for label, name, start in (
        ("Excel", "clb-mau-2026-11-28.xlsx", b"PK"),
        ("Sheet to print", "clb-mau-2026-11-28.html", b"<!doctype html>"),
        ("CSV", "clb-mau-2026-11-28 totals.csv", b"\xef\xbb\xbf"),
        ("Parquet", "clb-mau-2026-11-28 totals.parquet", b"PAR1"),
    ):
        with phone.page.expect_download() as told:
            phone.page.get_by_role("button", name=say(label) if label != "CSV" else label, exact=True).click()
        assert told.value.suggested_filename == name
        assert Path(str(told.value.path())).read_bytes().startswith(start)


@pytest.mark.full
def test_days_lead_to_an_evening_and_back_and_never_scroll_sideways(phone: Reader) -> None:
    phone.open(f"/money?lang=vi&club={CLUB}&view=days")
    heading(phone, "Accounts")
    assert "from=2026-11-28" in phone.page.url
    phone.page.get_by_role("link", name="05/12/2026 · b").click()
    heading(phone, "How the evening ran")
    assert "view=days" not in phone.page.url
    phone.settle()
    assert phone.page.evaluate(
        "['html', '[data-testid=stMain]'].map((name) => document.querySelector(name))"
        ".map((node) => node.scrollWidth - node.clientWidth)"
    ) == [0, 0]
    phone.page.get_by_text(say("Several days"), exact=True).click()
    heading(phone, "Accounts")
    phone.settle()
    assert "view=days" in phone.page.url
    assert (
        phone.page.evaluate(
            "(node => node.scrollWidth - node.clientWidth)(document.querySelector('[data-testid=stMain]'))"
        )
        == 0
    )


def test_the_printed_sheet_needs_no_network_and_fits_a_phone(phone: Reader, folder: Path) -> None:
    export_evening(folder / "db", "clb-mau-2026-11-28", folder / "e.html", None, "totals", True, "vi")
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    phone.server = "file://"
    phone.page.goto(f"file://{folder}/e.html")
    assert phone.page.get_by_text("+75.000").count()
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert (
        phone.page.evaluate("getComputedStyle(document.querySelector('table')).borderCollapse") == "collapse"
    )
    assert len(asked) == 1
