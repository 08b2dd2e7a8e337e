"""The ruling sheet and the revisions in a real browser: saved from the page, read on a phone, on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from analyzer.cli import cli
from analyzer.locale import translate
from tests.browser.club import CLUB, FORFEIT, HOSTILE, make_club
from tests.browser.reader import Reader
from tests.browser.serving import serving

pytestmark = pytest.mark.browser

REPLAY: Final = f"/replay?hand={FORFEIT['hand_id']}&club={CLUB}&lang=vi"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The club's hands, one of them ruled on and one corrected."""
    folder = make_club(tmp_path_factory.mktemp("sheets"))
    ruled = ("rule", "dismiss", FORFEIT["hand_id"], "--finding", "forfeit", "--reason", HOSTILE)
    done = CliRunner().invoke(cli, [*ruled, "--by", HOSTILE, "--db", str(folder), "--lang", "en"])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, club: Path) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("served"), club) as address:
        yield address


def saved(phone: Reader, path: Path) -> Path:
    """The sheet as somebody saves it from the replay page."""
    phone.open(REPLAY)
    with phone.page.expect_download() as download:
        phone.page.get_by_role("button", name=translate("Ruling sheet", "vi")).click()
    assert download.value.suggested_filename == f"phan-xu-{FORFEIT['hand_id']}.html"
    download.value.save_as(path)
    return path


def test_the_page_and_the_command_give_the_same_bytes(phone: Reader, club: Path, tmp_path: Path) -> None:
    sheet = saved(phone, tmp_path / "trang.html")
    arguments = ["export", "ruling", FORFEIT["hand_id"], "-o", str(tmp_path / "lenh.html"), "--db", str(club)]
    done = CliRunner().invoke(cli, [*arguments, "--lang", "vi"])
    assert done.exit_code == 0, done.output
    assert sheet.read_bytes() == (tmp_path / "lenh.html").read_bytes()


def test_it_is_read_on_a_phone_offline_without_scrolling_sideways(
    browser: Any, phone: Reader, tmp_path: Path
) -> None:
    sheet = saved(phone, tmp_path / "trang.html")
    for width in (390, 1440):
        reader = Reader(browser, sheet.as_uri(), width=width)
        reader.context.set_offline(True)
        reader.page.goto(sheet.as_uri())
        assert reader.page.evaluate("document.documentElement.scrollWidth") <= width
        for box in reader.page.locator(".wide, dl, .acts").all():
            assert box.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), width
        text = reader.page.locator("body").inner_text()
        assert HOSTILE in text  # a name, a reason and whoever decided, as text
        assert reader.page.locator("img, script").count() == 0
        assert translate("dismissed", "vi") in text
        reader.leave()


def test_on_paper_nothing_is_cut_off_and_no_point_is_torn_from_its_heading(
    browser: Any, phone: Reader, tmp_path: Path
) -> None:
    sheet = saved(phone, tmp_path / "trang.html")
    page = browser.new_page(viewport={"width": 688, "height": 1000})  # A4 less its margins
    page.goto(sheet.as_uri())
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 688
    for point in page.locator(".point").all():
        assert point.evaluate("one => getComputedStyle(one).breakInside") == "avoid"
    assert page.locator("h3").first.evaluate("one => getComputedStyle(one).breakAfter") == "avoid"
    # Black on white: what is only told by colour would be lost.
    colours = page.evaluate(
        "[...document.querySelectorAll('body *')].map(one => getComputedStyle(one).backgroundColor)"
    )
    assert set(colours) == {"rgba(0, 0, 0, 0)"}
    page.close()


def test_a_sheet_s_code_typed_on_a_phone_opens_the_replay_at_its_event(phone: Reader, tmp_path: Path) -> None:
    text = saved(phone, tmp_path / "trang.html").read_text("utf-8")
    code = text.partition('<span class="code">tl:')[2].partition("@2</span>")[0][-12:]
    phone.open("/?lang=vi")
    phone.page.get_by_label(translate("Search", "vi")).first.fill(f"tl:{code}@2")
    phone.press("Enter")
    phone.settle()
    phone.page.get_by_role("link", name=translate("Open the replay", "vi")).click()
    phone.settle()
    assert phone.text("position").split()[0] == "2"
