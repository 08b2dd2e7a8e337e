"""One Chromium for all browser tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.browser.reader import Reader
from tests.conftest import CHROMIUM

QUIET: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")


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
    somebody.context.close()
    assert not somebody.troubles
