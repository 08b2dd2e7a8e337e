"""Whatever stands in a log, it is refused with a reason or judged, in either way of reading and replaying."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.fuzzing.examining import Report, run
from tests.fuzzing.mutants import mutant


def show(report: Report) -> str:
    return "\n\n".join([*report.lines(), *(f"{number}: {what}" for number, what in report.failures.items())])


def test_spoilt_logs_are_refused_or_judged(tmp_path: Path) -> None:
    report = run(2026, range(600), tmp_path)
    assert not report.failures, show(report)
    assert report.hands > 200 and report.refused.total() > 200, "the inputs are too tame or too wild"
    assert len(report.refused) >= 15, "too few ways of being refused"


def test_a_mutant_depends_on_its_number_alone() -> None:
    assert [mutant(1, number) for number in (7, 3)] == [mutant(1, number) for number in (3, 7)][::-1]


@pytest.mark.full
def test_ten_minutes_of_spoilt_logs_are_refused_or_judged(tmp_path: Path) -> None:
    end = time.monotonic() + 600
    number = 0
    while time.monotonic() < end:
        report = run(1, range(number, number + 1000), tmp_path)
        assert not report.failures, show(report)
        number += 1000
