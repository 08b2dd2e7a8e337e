"""Two ids of one person are one person wherever there is money or a violation, until that is undone."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from analyzer.evening_files import export_evening
from analyzer.locale import LANGUAGES, translate
from analyzer.store.database import Database
from analyzer.store.journal import Journal
from analyzer.store.people import ALIAS, UNDONE
from analyzer.store.treasury import Opening, Paid, closing_of
from dashboards import data, money, violations
from dashboards.data import Evening, Filters
from dashboards.money import Scope
from dashboards.violations import Narrowed
from tests.test_money import CLUB, NAME, SAMPLE, kept, page, press, take_in
from tests.test_pages import opened, texts
from tests.test_sheets import read_csv

EVENING = Evening(CLUB, NAME)


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample evening, of which Lan played the second half as "lan2", called Lan Chị."""
    logs = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]
    for log in logs[14:]:
        for player in log["players"]:
            if player["id"] == "lan":
                player |= {"id": "lan2", "name": "Lan Chị"}
    take_in(tmp_path, *logs)
    monkeypatch.setenv("TIENLEN_DB", str(tmp_path / "db"))
    return tmp_path / "db"


def join(folder: Path, player: str = "lan2", person: str = "lan") -> int:
    return Journal(Database(folder)).append(ALIAS, {"club": CLUB, "player": player, "is": person}, "A").number


def nets() -> dict[str, Decimal]:
    return {row["player_id"]: row["net"] for row in money.totals(data.open_version(), EVENING)}


def test_one_person_has_one_row_and_one_sum_until_it_is_undone(club: Path) -> None:
    apart = nets()
    assert set(apart) == {"ha", "khoa", "lan", "lan2", "son"}
    number = join(club)
    assert nets() == {"ha": 75_000, "khoa": 45_000, "lan": 35_000, "son": -155_000}
    version = data.open_version()
    causes = money.causes(version, Scope(CLUB, NAME))
    own = causes.filter(causes["player_id"] == "lan")
    assert own["net"].sum() == 35_000
    lines = money.lines(version, Scope(CLUB, NAME), "VND", "lan", None)
    assert lines[0]["total"] == 35_000
    days = money.evening_nets(version, CLUB)
    assert dict(days.select("player_id", "net").iter_rows()) == nets()
    seats = money.seats(version, EVENING)
    assert [row["balance"] for row in seats if row["player_id"] == "lan"][-1] == 35_000
    Journal(Database(club)).append(UNDONE, {"alias": number}, "A")
    assert nets() == apart


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pages_of_money_know_the_person_by_one_name(
    monkeypatch: pytest.MonkeyPatch, club: Path, lang: str
) -> None:
    join(club)
    for address in ({"club": CLUB, "evening": NAME}, {"club": CLUB, "view": "days"}):
        app = page(monkeypatch, club, lang, **address)
        told = texts(app)
        assert "Lan Chị" not in told
        assert "lan2" not in told
        assert told.count("Sơn → Lan: ") == 1
        for box in app.selectbox:
            assert not {"lan2", "Lan Chị"} & set(box.options)


def test_what_was_entered_for_one_id_is_the_persons(monkeypatch: pytest.MonkeyPatch, club: Path) -> None:
    journal = Journal(Database(club))
    told: dict[str, Any] = {"club": CLUB, "evening": NAME, "currency": "VND"}
    journal.append("payment", Paid(**told, payer="son", payee="lan2", amount="5000").data(), "A")
    own = journal.append("payment", Paid(**told, payer="lan", payee="lan2", amount="700").data(), "A")
    for player, amount in (("lan", "100"), ("lan2", "-30"), ("ha", "1")):
        opening = Opening(club=CLUB, currency="VND", player=player, amount=amount)
        journal.append("opening_balance", opening.data(), "A")
    closed = {"VND": nets()}
    journal.append("evening_closed", closing_of(CLUB, NAME, closed, "0" * 64).data(), "A")
    assert own.number in kept(club).payments
    number = join(club)
    books = kept(club)
    assert [(paid.payer, paid.payee, paid.exact) for _, paid in books.payments.values()] == [
        ("son", "lan", Decimal(5000))
    ], "nobody pays himself"
    assert books.opening(CLUB, "VND") == {"lan": 70, "ha": 1}
    assert books.closings[CLUB, NAME][1].exact("VND") == nets()
    app = page(monkeypatch, club)
    assert "closed with" not in texts(app)
    assert "Sơn → Lan: **30,000 ₫**" in texts(app)
    # A balance entered for the person stands for all of the ids.
    app = page(monkeypatch, club, club=CLUB, view="days")
    key = f"opening-{CLUB}-VND-{books.seen}"
    app.selectbox(key=f"{key}-player").set_value("Lan")
    app.text_input(key=f"{key}-amount").set_value("250")
    press(app, "Enter the balance")
    assert kept(club).opening(CLUB, "VND") == {"lan": 250, "ha": 1}
    journal.append(UNDONE, {"alias": number}, "A")
    assert own.number in kept(club).payments
    assert kept(club).opening(CLUB, "VND") == {"lan": 250, "ha": 1}


def test_the_exported_evening_has_one_row_of_one_name(club: Path, tmp_path: Path) -> None:
    join(club)

    def sheet(name: str) -> list[list[str]]:
        export_evening(club, NAME, tmp_path / "e.csv", None, name, True, "en")
        return read_csv((tmp_path / "e.csv").read_bytes())[1:]

    assert [row for row in sheet("totals") if row[0] == "lan"] == [
        ["lan", "Lan", "VND", "28", "35000", "0", "35000", "35000", "0"]
    ]
    for name in ("totals", "causes", "payments", "hands", "transfers"):
        content = "\n".join(",".join(row) for row in sheet(name))
        assert "lan2" not in content
        assert "Lan Chị" not in content


def test_nobody_pays_himself_where_two_of_his_ids_sat_at_one_table(club: Path, tmp_path: Path) -> None:
    join(club, "son", "ha")
    version = data.open_version()
    causes = money.causes(version, Scope(CLUB, NAME))
    own = causes.filter(causes["player_id"] == "ha")
    lines = money.lines(version, Scope(CLUB, NAME), "VND", "ha", None)
    assert own["net"].sum() == 75_000 - 155_000 == lines[0]["total"]
    assert own["transfers"].sum() == lines[0]["found"]
    export_evening(club, NAME, tmp_path / "t.csv", None, "transfers", True, "en")
    rows = read_csv((tmp_path / "t.csv").read_bytes())[1:]
    assert rows
    assert not [row for row in rows if row[3] == row[5]]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_of_violations_knows_the_person_by_one_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lang: str
) -> None:
    # The one hand with a forfeit, played by each of two ids.
    log = json.loads((SAMPLE.parent / "mien-nam" / "den-bai.json").read_text("utf-8"))
    other = json.loads(json.dumps(log)) | {"hand_id": "other"}
    db = tmp_path / "db"
    take_in(tmp_path, log)
    monkeypatch.setenv("TIENLEN_DB", str(db))
    (hand,) = violations.queue(data.open_version(), Narrowed(code="forfeit", severities=None)).shown
    who, at = hand.flags[0]["player_id"], hand.flags[0]["seat"]
    other["players"][at] |= {"id": "again", "name": "Người Khác"}
    take_in(tmp_path, other)
    of = log.get("club_id", "")
    Journal(Database(db)).append(ALIAS, {"club": of, "player": "again", "is": who}, "A")
    version = data.open_version()
    narrowed = Narrowed(Filters(player=(of, who)), code="forfeit", severities=None)
    found = violations.queue(version, narrowed)
    assert found.hands == 2
    assert {flag["name"] for hand in found.shown for flag in hand.flags} == {data.people(version)[of, who]}
    assert sum(row["hands"] for row in violations.over_time(version, narrowed, "month")) in (0, 2)
    app = opened(monkeypatch, db, "violations", lang, club=of, player=who, code="forfeit")
    assert translate("**{n}** hands with {flags} flags", lang).format(n=2, flags=found.flags) in texts(app)
    for box in app.selectbox:
        assert "Người Khác" not in box.options


def test_soft_play_is_between_persons(club: Path) -> None:
    def turns(aliases: list[dict[str, str]]) -> dict[tuple[str, str], int]:
        frame = data.open_version().ask_apart("turns", first=0, last=99, aliases=aliases)
        found: dict[tuple[str, str], int] = {}
        for row in frame.iter_rows(named=True):
            pair = row["player_id"], row["owner_id"]
            found[pair] = found.get(pair, 0) + row["turns"]
        return found

    def one(player: str) -> str:
        return {"lan2": "lan", "son": "ha"}.get(player, player)

    apart = turns([])
    assert ("lan2", "son") in apart
    expected: dict[tuple[str, str], int] = {}
    for (player, owner), count in apart.items():
        if one(player) != one(owner):
            expected[one(player), one(owner)] = expected.get((one(player), one(owner)), 0) + count
    told: list[dict[str, Any]] = [
        {"club_id": CLUB, "player_id": player, "person_id": one(player)} for player in ("lan2", "son")
    ]
    assert turns(told) == expected
