"""One Chromium for all browser tests."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import Any, Final

import pytest

from tests.browser.reader import Reader
from tests.conftest import CHROMIUM

QUIET: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")

TOLD: Final = 4_000
"""Letters of a page that a failed test tells, at most."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test whose page took longer than it waits for is run a second time: the machine may have been busy.

    Only waiting in vain is forgiven, and only once. What a page shows is wrong or right the first time.
    """
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun="TimeoutError"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that failed says what its pages showed."""
    report = yield
    if report.failed and call.when == "call":
        for value in getattr(item, "funcargs", {}).values():
            page = getattr(value, "page", value)
            if type(page).__name__ == "Page" and not page.is_closed():
                with suppress(Exception):  # whatever is wrong with the page, the test's own failure is told
                    report.sections.append((page.url, page.locator("body").inner_text(timeout=2000)[:TOLD]))
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A running Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield chromium
        chromium.close()


@pytest.fixture
def phone(browser: Any, server: str) -> Iterator[Reader]:
    """Somebody with a phone at the pages that a module serves, who met no trouble in the end."""
    somebody = Reader(browser, server, width=390)
    yield somebody
    somebody.leave()
