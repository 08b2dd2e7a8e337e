"""What all tests share: English texts, Chromium where there is one, and no silent skips in CI."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

os.environ.setdefault("TIENLEN_LANG", "en")

AROUND = {
    *(
        "cluster",
        "journal",
        "people",
        "promises",
        "quarantine",
        "treasury",
        "verifying",
        "versions",
        "watching",
    ),
    *("account", "click_words", "convert", "export", "locale", "ruling_sheet", "rulings", "sheets"),
}
"""Files of tests about what lies around the engine and is never compiled: the database folder, the journal, the
processes at work on them; texts, sheets and files."""

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests say why they are skipped where there is no browser; they are spread among the others."""
    items[:] = _spread(items)
    for item in items:
        if isinstance(item, pytest.Function) and _of_pages(item.module):
            item.add_marker("pages")
        if item.path.stem.removeprefix("test_") in AROUND:
            item.add_marker("around")
    if CHROMIUM is None:
        reason = "no Chromium found: install it (Debian: apt-get install chromium) to run the browser tests"
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.skip(reason=reason))


@cache
def _of_pages(module: ModuleType) -> bool:
    """Whether a file of tests asks the pages: it imports something of them, or of what draws them."""
    told = (
        getattr(value, "__module__", None) or getattr(value, "__name__", "")
        for value in vars(module).values()
    )
    return any(str(name).partition(".")[0] in ("dashboards", "streamlit") for name in told)


def _spread(items: list[pytest.Item]) -> list[pytest.Item]:
    """Between two files of browser tests some others: those wait, these compute, and two browsers at once would
    wait for each other. Large files come first, so that no worker is left with one in the end.
    """
    files: dict[bool, dict[Path, list[pytest.Item]]] = {True: {}, False: {}}
    for item in items:
        slow = item.get_closest_marker("browser") is not None
        files[slow].setdefault(item.path, []).append(item)
    browser, others = (
        [found for _, found in sorted(files[slow].items(), key=lambda file: -file[0].stat().st_size)]
        for slow in (True, False)
    )
    found: list[pytest.Item] = []
    for index in range(max(len(browser), -(-len(others) // 3))):
        for file in (*browser[index : index + 1], *others[3 * index : 3 * index + 3]):
            found += file
    return found


def pytest_collection_finish() -> None:
    """Pages that run without a server are this machine's own, as behind one on the loopback address.

    Each such run would search all installed packages for components anew; once is enough.
    """
    if config := sys.modules.get("streamlit.config"):
        config.set_option("server.address", "127.0.0.1")
        scanner = importlib.import_module("streamlit.components.v2.manifest_scanner")
        scanner.scan_component_manifests = cache(scanner.scan_component_manifests)  # type: ignore[attr-defined]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """In CI a skipped test is a failure."""
    report = yield
    if os.environ.get("CI") and report.skipped:  # type: ignore[attr-defined]
        report.outcome = "failed"  # type: ignore[attr-defined]
        report.longrepr = f"skipped in CI: {report.longrepr}"  # type: ignore[attr-defined]
    return report
