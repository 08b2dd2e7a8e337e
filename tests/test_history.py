"""The list of decisions: each in words, in both languages, with names for ids, by the club's clock."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from analyzer.access import ROLE_NAMES
from analyzer.locale import LANGUAGES, translate
from analyzer.reports.money import NBSP, format_amount, format_signed
from analyzer.store.database import Database
from analyzer.store.journal import Journal
from analyzer.store.rulings import KINDS as CASES
from analyzer.store.treasury import KINDS
from analyzer.store.variations import DROPPED, SAVED
from dashboards import history
from tests.test_money import CLUB, NAME, club, stored_evening
from tests.test_pages import opened, texts

__all__ = ["club", "stored_evening"]

TOLD: list[tuple[str, dict[str, Any], str, dict[str, str]]] = [
    (
        "payment",
        {"club": CLUB, "evening": NAME, "currency": "VND", "from": "son", "to": "ha", "amount": "50000"},
        "{payer} paid {payee} {amount} for the evening {evening}",
        {"payer": "Sơn", "payee": "Hà", "amount": "50000", "evening": "clb-mau-2026-11-28"},
    ),
    (
        "payment",
        {"club": CLUB, "currency": "VND", "from": "", "to": "lan", "amount": "7", "seen": 3},
        "{payer} paid {payee} {amount}, on the account",
        {"payer": "the bank", "payee": "Lan", "amount": "7"},
    ),
    ("payment_undone", {"club": CLUB, "payment": 1, "reason": "gõ nhầm"}, "", {}),
    (
        "opening_balance",
        {"club": CLUB, "currency": "VND", "player": "lan", "amount": "-12500"},
        "{player} was to pay {amount} before the first hand",
        {"player": "Lan", "amount": "12500"},
    ),
    (
        "evening_closed",
        {"club": CLUB, "evening": NAME, "net": {"VND": {"ha": "75000", "son": "-75000"}}, "digest": "0" * 64},
        "The evening {evening} was closed: {sums}",
        {"evening": "clb-mau-2026-11-28", "sums": ""},
    ),
    (
        "evening_reopened",
        {"club": CLUB, "evening": NAME, "reason": "thiếu ván"},
        "The evening {evening} was opened again, because: {reason}",
        {"evening": "clb-mau-2026-11-28", "reason": "thiếu ván"},
    ),
    (
        "alias",
        {"club": CLUB, "player": "lan2", "is": "lan"},
        "Whoever played as {player} is {person}",
        {"player": "lan2", "person": "Lan"},
    ),
    (
        "alias_undone",
        {"club": CLUB, "alias": 7},
        "{player} and {person} are two people",
        {"player": "lan2", "person": "Lan"},
    ),
    (
        "setting",
        {"club": CLUB, "time_zone": "Asia/Tokyo", "day_starts": "05:00"},
        "{club}: a new day starts at {start} ({zone})",
        {"club": CLUB, "start": "05:00", "zone": "Asia/Tokyo"},
    ),
    ("role", {"email": "an@example.com", "role": "viewer", "clubs": [CLUB]}, "", {}),
    (
        "case_claimed",
        {"club": CLUB, "hand": "h-9", "content_sha256": "0" * 64, "claimant": "Lan", "text": "tôi bỏ rồi"},
        "{claimant} on hand {hand}: {claim}",
        {"claimant": "Lan", "hand": "h-9", "claim": "tôi bỏ rồi"},
    ),
    (
        "ruled",
        {
            "club": CLUB,
            "hand": "h-9",
            "content_sha256": "0" * 64,
            "outcome": "adjusted",
            "reason": "xin lỗi",
            "currency": "VND",
            "moves": [{"from_seat": 0, "from": "son", "to_seat": 1, "to": "ha", "amount": "20000"}],
        },
        "{payer} pays {payee} {amount}",
        {"payer": "Sơn", "payee": "Hà", "amount": "20000"},
    ),
    (
        "variation_saved",
        {"club": CLUB, "hand": "h-9", "content_sha256": "0" * 64, "event": 3, "name": "chặn", "events": []},
        "{name}: from act {n} on",
        {"name": "chặn", "n": "4"},
    ),
    ("variation_dropped", {"club": CLUB, "variation": 13}, "", {}),
]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_decision_is_told_in_words(monkeypatch: pytest.MonkeyPatch, club: Path, lang: str) -> None:
    journal = Journal(Database(club))
    for kind, told, _, _ in TOLD:
        journal.append(kind, told, "Thủ quỹ")
    page = texts(opened(monkeypatch, club, "settings", lang))
    for _, _, text, values in TOLD:
        shown = {key: translate(value, lang) for key, value in values.items()}
        if "amount" in shown:
            shown["amount"] = format_amount(int(values["amount"]), "VND", lang).replace(NBSP, " ")
        assert translate(text, lang).format(**shown) in page if text else True
    first = translate("{payer} paid {payee} {amount} for the evening {evening}", lang).format(
        payer="Sơn",
        payee="Hà",
        amount=format_amount(50_000, "VND", lang).replace(NBSP, " "),
        evening="clb-mau-2026-11-28",
    )
    back = translate("{what}: taken back, because: {reason}", lang)
    assert back.format(what=first, reason="gõ nhầm") in page
    assert f"Hà {format_signed(75_000, 'VND', lang)}".replace(NBSP, " ") in page
    assert f"an@example.com: {translate(ROLE_NAMES['viewer'], lang)} ({CLUB})" in page
    assert page.count("h-9 · chặn: ") == 2
    for technical in ("0000000", "net:", "seen", "digest", "currency", ": son", " son "):
        assert technical not in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_kind_without_words_is_told_by_its_fields(
    monkeypatch: pytest.MonkeyPatch, club: Path, lang: str
) -> None:
    told = {"club": CLUB, "hand_id": "h-1", "player": "son", "event": 4, "content_sha256": "f" * 64}
    Journal(Database(club)).append("case_from_later", {**told, "nested": {"one": ["x"], "sure": True}}, "A")
    Journal(Database(club)).append("payment", {"club": CLUB, "note": "nửa vời"}, "A")
    page = texts(opened(monkeypatch, club, "settings", lang))
    assert "case from later" in page
    assert f"{translate('player', lang)}: Sơn" in page
    assert f"{translate('act', lang)}: 5" in page
    assert f"one x, sure {translate('yes', lang)}" in page
    assert "fff" not in page
    assert f"{translate('note', lang)}: nửa vời" in page


def test_every_kind_that_this_program_enters_has_a_sentence() -> None:
    assert set(history.SENTENCES) >= {*KINDS, *CASES, SAVED, DROPPED, "role"}
    assert set(history.KINDS) >= set(history.SENTENCES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pages_tell_times_by_the_clock_of_the_club(
    monkeypatch: pytest.MonkeyPatch, club: Path, lang: str
) -> None:
    journal = Journal(Database(club))
    journal.append("setting", {"club": CLUB, "time_zone": "Pacific/Kiritimati", "day_starts": "06:00"}, "A")
    at = journal.append("evening_reopened", {"club": CLUB, "evening": NAME, "reason": "x"}, "A").at
    far = at.astimezone(ZoneInfo("Pacific/Kiritimati"))  # 14 hours before UTC
    day = f"{far:%d/%m/%Y}" if lang == "vi" else f"{far.day} {far:%b %Y}"
    assert f"{day} {far:%H:}" in texts(opened(monkeypatch, club, "settings", lang))
    text = translate("Opened again on {day} by {by}: {reason}", lang)
    evening = texts(opened(monkeypatch, club, "money", lang, club=CLUB, evening=NAME))
    assert text.format(day=day, by="A", reason="x") in evening
    written = datetime.now(UTC).astimezone(ZoneInfo("Pacific/Kiritimati"))
    health = texts(opened(monkeypatch, club, "health", lang))
    told = f"{written:%d/%m/%Y}" if lang == "vi" else f"{written.day} {written:%b %Y}"
    assert f"{told} {written:%H}:" in health
