"""Lint and types are tests like any other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]],
    ids=["ruff check", "ruff format", "mypy --strict"],
)
def test_lint_and_types(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_the_pins_name_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text("utf-8")
    assert "://" not in text
    pinned = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert all("==" in line for line in pinned)
    assert text.count("--hash=sha256:") >= len(pinned)
