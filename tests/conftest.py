"""What all tests share: English texts, Chromium where there is one, and no silent skips in CI."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

os.environ.setdefault("TIENLEN_LANG", "en")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests say why they are skipped where there is no browser."""
    if CHROMIUM is None:
        reason = "no Chromium found: install it (Debian: apt-get install chromium) to run the browser tests"
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """In CI a skipped test is a failure."""
    report = yield
    if os.environ.get("CI") and report.skipped:  # type: ignore[attr-defined]
        report.outcome = "failed"  # type: ignore[attr-defined]
        report.longrepr = f"skipped in CI: {report.longrepr}"  # type: ignore[attr-defined]
    return report
