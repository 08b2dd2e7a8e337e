"""A sheet as PDF, printed by the Chromium that is on this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from analyzer.judge.rulings import Case
from analyzer.locale import N_, Message
from analyzer.reports.account import Account
from analyzer.reports.ruling_sheet import ruling_sheet

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""What the browser is called, in the order in which it is looked for."""

SECONDS: Final = 120
"""How long printing may take."""

_DATE: Final = re.compile(rb"\(D:[0-9]{14}[-+][0-9]{2}'[0-9]{2}'\)")

_NODE: Final = re.compile(rb"\(node[0-9a-f]{8}\)")


class NotPrinted(Exception):
    """Why there is no PDF, and what to do about it; ``message`` says it."""

    def __init__(self, text: str, **values: object) -> None:
        self.message = Message(text, **values)
        super().__init__(self.message.render("en"))


def sheet_file(output: Path, account: Account, case: Case | None, lang: str, **told: str) -> bytes:
    """A ruling sheet as the file's ending says, .html or .pdf; ``told`` as for ruling_sheet.

    Raises NotPrinted.
    """
    suffix = output.suffix.lower()
    if suffix not in (".html", ".pdf"):
        raise NotPrinted(
            N_("{path}: a ruling sheet is written as .html or .pdf; the file's ending says which."),
            path=output,
        )
    page = ruling_sheet(account, lang, case, **told)
    if suffix == ".html":
        return page.encode()
    return pdf_of(page, case.steps[-1].at if case is not None and case.steps else None)


def pdf_of(page: str, at: datetime | None = None) -> bytes:
    """The PDF of a sheet, as A4. The dates in it are ``at`` (the year 2000 where there is none), not those of
    printing, so that the same browser gives the same bytes. Raises NotPrinted.
    """
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        raise NotPrinted(
            N_(
                "A PDF is printed by Chromium, and there is none on this machine. Install it (Debian: "
                "apt-get install chromium), or write the sheet as .html and print it from any browser."
            )
        )
    with tempfile.TemporaryDirectory(prefix="tienlen-") as folder:
        source, target = Path(folder, "sheet.html"), Path(folder, "sheet.pdf")
        source.write_text(page, "utf-8")
        command = [
            browser,
            "--headless",
            *(["--no-sandbox"] if os.geteuid() == 0 else []),  # root has none; nothing in a sheet runs
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            f"--user-data-dir={Path(folder, 'profile')}",
            "--no-pdf-header-footer",
            f"--print-to-pdf={target}",
            source.as_uri(),
        ]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
            content = target.read_bytes() if target.is_file() else b""
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotPrinted(FAILED, browser=browser, why=str(error)) from None
        if not content.startswith(b"%PDF"):
            why = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:300]
            raise NotPrinted(FAILED, browser=browser, why=why or done.returncode)
    return settled(content, at)


FAILED: Final = N_(
    "{browser} printed no PDF ({why}). Write the sheet as .html and print it from any browser instead."
)


def settled(content: bytes, at: datetime | None) -> bytes:
    """The same PDF without what differs from printing to printing: its dates, and the numbers that the
    browser happened to give the parts of the page. All stays as long as it was, so nothing in it moves.
    """
    told = at.astimezone(UTC) if at is not None else datetime(2000, 1, 1, tzinfo=UTC)
    content = _DATE.sub(f"(D:{told:%Y%m%d%H%M%S}+00'00')".encode(), content)
    order = {node: number for number, node in enumerate(sorted(set(_NODE.findall(content))), 1)}
    return _NODE.sub(lambda found: b"(node%08x)" % order[found[0]], content)
