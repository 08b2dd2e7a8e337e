"""Help pages and refusals of a call are in one language, click's own words too."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from analyzer.click_words import WORDS
from tests.test_cli import tienlen

CLICK = "".join(path.read_text("utf-8") for path in sorted(Path(click.__file__).parent.glob("*.py")))


@pytest.mark.parametrize("text", WORDS)
def test_every_word_is_one_that_click_has(text: str) -> None:
    assert f'"{text}"'.replace("\n\t", "\\n\\t") in CLICK


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("export", "evening", "--help"), ("Cách dùng: tienlen export evening", "Tùy chọn:", "[bắt buộc]")),
        (("--help",), ("Lệnh:", "Hiện trang này rồi thoát.")),
        (("bogus",), ("Lỗi: Không có lệnh 'bogus'.", "Xem cách dùng: 'tienlen --help'.")),
        (("quarantine", "show"), ("Thiếu tham số 'NUMBER'",)),
        (("quarantine", "show", "0"), ("Giá trị không hợp lệ cho 'NUMBER'",)),
        (("replay", "--bogus"), ("Không có tùy chọn '--bogus'",)),
    ],
)
def test_vietnamese_pages_have_no_english_words_of_clicks(
    words: tuple[str, ...], told: tuple[str, ...]
) -> None:
    done = tienlen(*words, TIENLEN_LANG="vi")
    said = " ".join((done.stdout + done.stderr).split())
    for text in told:
        assert text in said
    for english in ("Usage", "Options", "Commands", "Show this", "default:", "Error", "Try "):
        assert english not in said


def test_english_pages_stay_english() -> None:
    assert "Usage: tienlen" in tienlen("--help").stdout
