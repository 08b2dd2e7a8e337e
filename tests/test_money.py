"""The money page and its accounts: every figure against plain SQL, every decision entered once."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analyzer.locale import LANGUAGES, translate
from analyzer.reports.money import NBSP, format_signed, unclear_amount
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.journal import Journal
from analyzer.store.reader import Reader, open_reader
from analyzer.store.treasury import KINDS, Books, Opening, Paid, books, closing_of
from dashboards import access, accounts, bookkeeping, data, entering, money, paying
from dashboards.accounts import Line
from dashboards.data import Evening
from dashboards.money import Scope
from tests.browser.club import HOSTILE
from tests.test_pages import opened, texts

SAMPLE = Path(__file__).parents[1] / "sample_logs" / "clb-mau-2026-11-28.ndjson"
CLUB = "clb-mau"
NAME = "session clb-mau-2026-11-28"
EVENING = Evening(CLUB, NAME)
NET = {"ha": 75_000, "khoa": 45_000, "lan": 35_000, "son": -155_000}
"""The sample evening, added up by hand from its 28 hands."""


def later(hands: int, club: str = CLUB, **values: Any) -> list[dict[str, Any]]:
    """The first hands of the sample evening once more, as another one."""
    logs = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()[:hands]]
    for log in logs:
        log["hand_id"] = f"{values.get('session_id', 'x')}-{log['hand_no']}"
    return [{**log, "club_id": club, **values} for log in logs]


def take_in(folder: Path, *logs: dict[str, Any]) -> None:
    file = folder / "more.ndjson"
    file.write_text("\n".join(json.dumps(log, ensure_ascii=False) for log in logs), "utf-8")
    report = ingest([file], folder / "db")
    assert report.accepted + report.superseded == len(logs), report


@pytest.fixture(scope="module")
def stored_evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of the sample evening."""
    folder = tmp_path_factory.mktemp("evening") / "db"
    assert ingest([SAMPLE], folder).accepted == 28
    return folder


@pytest.fixture
def club(stored_evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it for one test to write into."""
    shutil.copytree(stored_evening, tmp_path / "db")
    monkeypatch.setenv("TIENLEN_DB", str(tmp_path / "db"))
    return tmp_path / "db"


@pytest.fixture
def sql(club: Path) -> Iterator[Reader]:
    with open_reader(Database(club)) as reader:
        yield reader


@pytest.fixture(params=LANGUAGES)
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def kept(folder: Path) -> Books:
    return books(Journal(Database(folder)).entries(*KINDS))


def page(monkeypatch: pytest.MonkeyPatch, folder: Path, lang: str = "en", **address: str) -> AppTest:
    return opened(monkeypatch, folder, "money", lang, **(address or {"club": CLUB, "evening": NAME}))


def told(app: AppTest) -> str:
    """Everything on the page, what came of a decision too."""
    done = "\n".join(str(element.value) for element in app.success)
    return texts(app) + "\n" + done.replace("\\", "")


def press(app: AppTest, label: str, lang: str = "en", nth: int = 0) -> AppTest:
    found = [button for button in app.button if button.label == translate(label, lang)]
    found[nth].click().run()
    assert not app.exception, app.exception
    return app


def amount(value: Decimal | int, lang: str) -> str:
    return format_signed(value, "VND", lang).replace(NBSP, " ")


# -- one evening -----------------------------------------------------------------------------------


def test_the_sums_of_an_evening_as_worked_by_hand(
    monkeypatch: pytest.MonkeyPatch, club: Path, sql: Reader, lang: str
) -> None:
    rows = sql.rows("SELECT player_id, sum(net) AS net FROM seats GROUP BY ALL")
    assert {row["player_id"]: row["net"] for row in rows} == NET
    app = page(monkeypatch, club, lang)
    for net in NET.values():
        assert f"**{amount(net, lang)}**" in texts(app)
    for name, net in (("Hà", 75_000), ("Khoa", 45_000), ("Lan", 35_000)):
        assert f"Sơn → {name}: **{amount(net, lang).lstrip('+')}**" in texts(app)


def test_the_running_balance_is_the_sum_so_far(club: Path, sql: Reader) -> None:
    seats = money.seats(data.open_version(), EVENING)
    for number in (1, 9, 28):
        so_far = sql.rows(
            "SELECT player_id, sum(net) AS net FROM seats JOIN hands USING (hand_key) WHERE hand_no <= $n GROUP BY ALL",
            {"n": number},
        )
        at = {row["player_id"]: row["balance"] for row in seats if row["hand_no"] == number}
        assert at == {row["player_id"]: row["net"] for row in so_far}


def test_a_payment_is_entered_by_a_click_and_is_then_no_longer_proposed(
    monkeypatch: pytest.MonkeyPatch, club: Path, lang: str
) -> None:
    app = press(page(monkeypatch, club, lang), "Paid", lang)
    ((entry, paid),) = kept(club).paid(CLUB, "VND", NAME)
    assert (paid.payer, paid.payee, paid.amount) == ("son", "ha", "75000.000")
    assert entry.by == access.editor()
    assert translate("Entered.", lang) in told(app)
    assert [button.label for button in app.button].count(translate("Paid", lang)) == 2
    assert "✓ Sơn → Hà" in texts(app)
    for _ in range(2):
        press(app, "Paid", lang)
    assert translate("Everything is paid.", lang) in texts(app)


def test_two_people_at_the_same_page_enter_a_payment_once(
    monkeypatch: pytest.MonkeyPatch, club: Path
) -> None:
    one, other = page(monkeypatch, club), page(monkeypatch, club)
    press(one, "Paid")
    press(other, "Paid")
    assert len(kept(club).payments) == 1
    assert "It was not entered a second time." in texts(other)
    assert "75,000" not in "".join(line for line in texts(other).splitlines() if line.startswith("Sơn →"))


def test_a_payment_is_taken_back_with_a_reason(monkeypatch: pytest.MonkeyPatch, club: Path) -> None:
    app = press(page(monkeypatch, club), "Paid")
    press(app, "Take the payment back")
    assert "with a reason only" in texts(app)
    assert len(kept(club).payments) == 1
    (field,) = [field for field in app.text_input if str(field.key).startswith("undo-")]
    field.set_value(f"gõ nhầm {HOSTILE}").run()
    press(app, "Take the payment back")
    assert not kept(club).payments
    assert f"gõ nhầm {HOSTILE}" in texts(app)
    assert "Sơn → Hà: **75,000 ₫**" in texts(app)


@pytest.mark.parametrize(
    ("typed", "entered"),
    [
        ("20.000", Decimal(20_000)),
        ("2,5", Decimal("2.5")),
        ("20k", Decimal(20_000)),
        ("20,000", None),
        ("x", None),
    ],
)
def test_any_payment_can_be_entered_but_no_amount_that_is_not_clear(
    monkeypatch: pytest.MonkeyPatch, club: Path, typed: str, entered: Decimal | None
) -> None:
    app = page(monkeypatch, club, "vi")
    key = f"other-{CLUB}-{NAME}-VND-0"
    app.selectbox(key=f"{key}-from").set_value("Sơn")
    app.selectbox(key=f"{key}-to").set_value("Lan")
    app.text_input(key=f"{key}-amount").set_value(typed)
    app.date_input(key=f"{key}-on").set_value(date(2026, 11, 30))
    press(app, "Enter the payment", "vi")
    made = [paid for _, paid in kept(club).paid(CLUB, "VND", NAME)]
    assert [paid.exact for paid in made] == ([entered] if entered else [])
    if entered:
        assert (made[0].payer, made[0].payee, made[0].on) == ("son", "lan", date(2026, 11, 30))
    else:
        assert unclear_amount(typed, "vi").render("vi") in texts(app)


def test_nobody_is_paid_by_himself(monkeypatch: pytest.MonkeyPatch, club: Path) -> None:
    app = page(monkeypatch, club)
    key = f"other-{CLUB}-{NAME}-VND-0"
    app.selectbox(key=f"{key}-from").set_value("Lan")
    app.selectbox(key=f"{key}-to").set_value("Lan")
    app.text_input(key=f"{key}-amount").set_value("5")
    press(app, "Enter the payment")
    assert "two different people" in texts(app)
    assert not kept(club).payments


def test_who_may_only_look_has_no_buttons_and_cannot_enter(
    monkeypatch: pytest.MonkeyPatch, club: Path
) -> None:
    Journal(Database(club)).append("payment", Paid(**SMALL).data(), "A")
    monkeypatch.setattr(access, "editor", lambda: None)
    for module in (paying, bookkeeping):
        monkeypatch.setattr(module, "editor", lambda: None)
    for address in ({"club": CLUB, "evening": NAME}, {"club": CLUB, "view": "days"}):
        app = page(monkeypatch, club, **address)
        assert not app.button
        assert not [field for field in app.text_input if field.key]
        assert "✓ Sơn → Lan" in texts(app)
    app = page(monkeypatch, club)
    state: dict[str, Any] = {}
    monkeypatch.setattr("streamlit.session_state", state)
    entering.enter("payment", Paid(**SMALL, seen=9), lambda entries: None)
    assert state[entering.TOLD][0] is False
    assert len(kept(club).payments) == 1


SMALL: dict[str, Any] = {
    "club": CLUB,
    "evening": NAME,
    "currency": "VND",
    "payer": "son",
    "payee": "lan",
    "amount": "5000",
}


# -- closed evenings -------------------------------------------------------------------------------


def test_a_closed_evening_keeps_its_sums_and_tells_what_late_hands_would_change(
    monkeypatch: pytest.MonkeyPatch, club: Path, lang: str
) -> None:
    app = press(page(monkeypatch, club, lang), "Close the evening", lang)
    _, closing = kept(club).closings[CLUB, NAME]
    assert closing.exact("VND") == NET
    assert closing.digest == money.digest(data.open_version(), EVENING)
    assert not app.warning or amount(10_000, lang) not in texts(app)
    late = later(1, session_id="clb-mau-2026-11-28")[0]
    take_in(club.parent, {**late, "hand_id": "late", "hand_no": 29})
    app = page(monkeypatch, club, lang)
    # The first hand again: Lan pays Hà 10,000, Sơn pays Khoa 5,000.
    now = {
        "Hà": (75_000, 85_000),
        "Khoa": (45_000, 50_000),
        "Lan": (35_000, 25_000),
        "Sơn": (-155_000, -160_000),
    }
    text = "{player}: closed with {closed}, the hands stored now give {now} (difference {difference})."
    for player, (closed, stored) in now.items():
        expected = translate(text, lang).format(
            player=player,
            closed=amount(closed, lang),
            now=amount(stored, lang),
            difference=amount(stored - closed, lang),
        )
        assert expected in texts(app)
    assert f"Sơn → Hà: **{amount(75_000, lang).lstrip('+')}**" in texts(app)
    press(app, "Open the evening again", lang)
    assert kept(club).closings
    (field,) = [field for field in app.text_input if str(field.key).startswith("reopen-")]
    field.set_value("thiếu một ván").run()
    press(app, "Open the evening again", lang)
    assert not kept(club).closings
    assert "thiếu một ván" in texts(app)
    assert f"Sơn → Hà: **{amount(85_000, lang).lstrip('+')}**" in texts(app)


def test_hands_that_changed_without_changing_the_sums_are_told(
    monkeypatch: pytest.MonkeyPatch, club: Path
) -> None:
    press(page(monkeypatch, club), "Close the evening")
    log = json.loads(SAMPLE.read_text("utf-8").splitlines()[0])
    take_in(club.parent, {**log, "revision": {"number": 2, "reason": "x"}, "events": [*log["events"], NOTE]})
    assert "the sums are the same" in " ".join(str(told.value) for told in page(monkeypatch, club).info)


NOTE = {"type": "note", "text": "Đã xem lại."}


def test_an_evening_is_closed_once_though_two_people_do(monkeypatch: pytest.MonkeyPatch, club: Path) -> None:
    one, other = page(monkeypatch, club), page(monkeypatch, club)
    press(one, "Close the evening")
    press(other, "Close the evening")
    assert "has been closed already" in texts(other)
    assert len(Journal(Database(club)).entries("evening_closed")) == 1


def test_a_damaged_journal_stops_the_page_and_names_the_line(
    monkeypatch: pytest.MonkeyPatch, club: Path
) -> None:
    Journal(Database(club)).append("payment", {**Paid(**SMALL).data(), "amount": "much"}, "A")
    app = page(monkeypatch, club)
    assert "Entry 1 of the journal (payment)" in texts(app)


# -- several days ----------------------------------------------------------------------------------


@pytest.fixture
def month(club: Path) -> Path:
    """Three evenings more: one past midnight, one in points, one of another club."""
    first = later(4, session_id="a")
    for hour, log in zip(("22:00", "23:30"), first[:2], strict=True):
        log["played_at"] = f"2026-12-05T{hour}:00+07:00"
    for hour, log in zip(("00:30", "01:10"), first[2:], strict=True):
        log["played_at"] = f"2026-12-06T{hour}:00+07:00"
    second = later(3, session_id="b", currency="POINT", stake=2, played_at="2026-12-12T20:00:00+07:00")
    other = later(2, club="khac", session_id="c", played_at="2026-12-13T20:00:00+07:00")
    take_in(club.parent, *first, *second, *[{**log, "result": None} for log in other] and other)
    return club


def account(since: date | None, until: date | None, currency: str = "VND") -> dict[str, Line]:
    version, known = data.open_version(), money.kept()
    nets = money.evening_nets(version, CLUB)
    lines = accounts.accounts(
        known.opening(CLUB, currency),
        accounts.moved(nets, known, CLUB, currency),
        since,
        until,
    )
    return {line.player: line for line in lines}


def test_an_account_over_days_is_plain_sql_and_an_evening_past_midnight_belongs_to_the_day_it_began(
    month: Path,
) -> None:
    with open_reader(Database(month)) as reader:

        def nets(where: str) -> dict[str, Decimal]:
            rows = reader.rows(
                "SELECT player_id, sum(net) AS net FROM seats JOIN hands USING (hand_key) "
                f"WHERE hands.club_id = 'clb-mau' AND currency = 'VND' AND {where} GROUP BY ALL"
            )
            return {row["player_id"]: row["net"] for row in rows}

        night = nets("session_id = 'a'")
        every = nets("true")
    assert {player: line.played for player, line in account(None, None).items()} == every
    for since, until in ((date(2026, 12, 5), date(2026, 12, 5)), (date(2026, 11, 29), date(2026, 12, 31))):
        lines = account(since, until)
        assert {player: line.played for player, line in lines.items()} == night
        assert {player: line.brought for player, line in lines.items()} == NET
        assert {player: line.balance for player, line in lines.items()} == every
    lines = account(date(2026, 12, 6), date(2026, 12, 6))
    assert not any(line.played for line in lines.values())
    assert {player: line.brought for player, line in lines.items()} == every


def test_causes_over_days_are_plain_sql(month: Path) -> None:
    scope = Scope(CLUB, None, date(2026, 12, 5), date(2026, 12, 12))
    found = {
        (row["currency"], row["player_id"], row["reason"]): row["net"]
        for row in money.causes(data.open_version(), scope).iter_rows(named=True)
    }
    with open_reader(Database(month)) as reader:
        rows = reader.rows(
            """
            SELECT currency, player, reason, sum(amount) AS net
            FROM (
                SELECT hand_key, to_player AS player, reason, amount FROM transfers
                UNION ALL SELECT hand_key, from_player, reason, -amount FROM transfers
            ) JOIN hands USING (hand_key)
            WHERE club_id = 'clb-mau' AND session_id IN ('a', 'b') AND player IS NOT NULL GROUP BY ALL
            """
        )
    assert found == {(row["currency"], row["player"], row["reason"]): row["net"] for row in rows}
    assert {key[0] for key in found} == {"VND", "POINT"}


def test_opening_balances_payments_and_closings_count_in_the_account(month: Path) -> None:
    journal = Journal(Database(month))
    journal.append(
        "opening_balance", Opening(club=CLUB, currency="VND", player="ha", amount="-1000").data(), "A"
    )
    early = Paid(**{**SMALL, "on": date(2026, 11, 29), "amount": "30000"})
    late = Paid(**{**SMALL, "on": date(2026, 12, 5), "amount": "7000.5", "evening": None})
    for paid in (early, late):
        journal.append("payment", paid.data(), "A")
    before = account(date(2026, 12, 1), date(2026, 12, 31))
    assert before["ha"].brought == 74_000
    assert before["son"].brought == -125_000
    assert before["son"].settled == Decimal("7000.5")
    assert before["lan"].settled == Decimal("-7000.5")
    assert before["lan"].balance == 35_000 - 30_000 + before["lan"].played - Decimal("7000.5")
    assert account(None, date(2026, 11, 30))["son"].settled == 30_000
    closed = {"VND": {player: Decimal(net) + (1 if player == "ha" else 0) for player, net in NET.items()}}
    journal.append("evening_closed", closing_of(CLUB, NAME, closed, "0" * 64).data(), "A")
    after = account(date(2026, 12, 1), date(2026, 12, 31))
    assert after["ha"].brought == 74_001
    nets = money.evening_nets(data.open_version(), CLUB)
    assert accounts.changed(nets, money.kept(), CLUB, "VND") == {NAME: {"ha": Decimal(-1)}}


def test_the_days_of_an_account_add_up_to_its_end() -> None:
    rng = random.Random(3)
    days = [None, *(date(2026, 11, day) for day in range(1, 31))]
    rows = [
        (rng.choice(days), rng.choice("abc"), Decimal(rng.randint(-9999, 9999)) / 1000, rng.random() < 0.4)
        for _ in range(200)
    ]
    moved = pl.DataFrame(rows, schema=accounts.MOVED, orient="row")
    for since, until in ((None, None), (date(2026, 11, 7), date(2026, 11, 20)), (date(2026, 11, 30), None)):
        lines = accounts.accounts({"a": Decimal(5), "z": Decimal(-5)}, moved, since, until)
        ran = accounts.running(lines, moved, since, until)
        for line in lines:
            mine = [
                (day, amount, paid)
                for day, player, amount, paid in rows
                if player == line.player and (day is None or until is None or day <= until)
            ]
            early = [since is not None and (day is None or day < since) for day, _, _ in mine]
            opening = {"a": 5, "z": -5}.get(line.player, 0)
            assert line.balance == opening + sum(amount for _, amount, _ in mine)
            assert line.settled == sum(
                amount for (_, amount, paid), before in zip(mine, early, strict=True) if paid and not before
            )
            if points := ran.get(line.player):
                assert points[-1][1] == line.balance
                assert points == sorted(points)
                if since is not None:
                    assert points[0][1] == line.brought
            else:
                assert not any(day for (day, _, _), before in zip(mine, early, strict=True) if not before)


def test_the_page_of_several_days(monkeypatch: pytest.MonkeyPatch, month: Path, lang: str) -> None:
    days = {"club": CLUB, "view": "days", "from": "2026-12-01", "until": "2026-12-12"}
    app = page(monkeypatch, month, lang, **days)
    assert not app.error
    lines = account(date(2026, 12, 1), date(2026, 12, 12))
    for line in lines.values():
        assert f"**{amount(line.balance, lang)}**" in texts(app)
        assert f"{translate('brought forward', lang)} {amount(line.brought, lang)}" in texts(app)
    assert [header.value for header in app.header] == ["VND", translate("points", lang)]
    assert "khac" not in texts(app)
    links = [link.proto.label for link in app.get("page_link")]
    assert [label for label in links if ("05/12/2026 · a" if lang == "vi" else "5 Dec 2026 · a") in label]


def test_an_opening_balance_is_entered_on_the_page(monkeypatch: pytest.MonkeyPatch, club: Path) -> None:
    app = page(monkeypatch, club, club=CLUB, view="days")
    key = f"opening-{CLUB}-VND-0"
    app.selectbox(key=f"{key}-player").set_value("Lan")
    app.segmented_control(key=f"{key}-way").set_value(-1)
    app.text_input(key=f"{key}-amount").set_value("12,500")
    press(app, "Enter the balance")
    assert kept(club).opening(CLUB, "VND") == {"lan": Decimal(-12_500)}
    assert "is to pay 12,500 ₫" in texts(app)
    assert "−12,500 ₫ are left over" in texts(app)
    assert f"**{amount(35_000 - 12_500, 'en')}**" in texts(app)


def test_a_payment_on_the_account_settles_it(monkeypatch: pytest.MonkeyPatch, club: Path) -> None:
    app = page(monkeypatch, club, club=CLUB, view="days")
    for _ in range(3):
        press(app, "Paid")
    assert "Everything is paid." in texts(app)
    assert {paid.evening for _, paid in kept(club).paid(CLUB, "VND")} == {None}
    assert not any(line.balance for line in account(None, None).values())


def test_a_link_to_an_evening_leaves_the_days(monkeypatch: pytest.MonkeyPatch, month: Path) -> None:
    app = page(monkeypatch, month, club=CLUB, view="days")
    app.query_params.clear()
    for key, value in {"club": CLUB, "evening": "session a", "lang": "en"}.items():
        app.query_params[key] = value
    app.run()
    assert app.selectbox(key="evening").value == Evening(CLUB, "session a")
    assert app.segmented_control(key="money-view").value == "evening"


@pytest.mark.parametrize(
    ("address", "where"),
    [
        ({"rules": "mien-nam"}, "rules_id = 'mien-nam'"),
        ({"count": "4"}, "player_count = 4"),
        ({"stake": "2 POINT"}, "stake = 2 AND currency = 'POINT'"),
        ({"player": "son", "from": "2026-12-05", "until": "2026-12-05"}, "session_id = 'a'"),
        ({"with": "ha", "until": "2026-11-28"}, "session_id LIKE 'clb-mau%'"),
    ],
    ids=str,
)
def test_the_days_are_narrowed_like_the_hands_and_the_sums_are_plain_sql(
    monkeypatch: pytest.MonkeyPatch, month: Path, address: dict[str, str], where: str
) -> None:
    app = page(monkeypatch, month, club=CLUB, view="days", **{"from": "2026-11-28", **address})
    assert {key: app.query_params[key] for key in address} == address
    with open_reader(Database(month)) as reader:
        rows = reader.rows(
            "SELECT currency, player_id, sum(net) AS net FROM seats JOIN hands USING (hand_key) "
            f"WHERE hands.club_id = 'clb-mau' AND {where} GROUP BY ALL"
        )
    assert rows
    assert "Only what was won and lost in the hands that pass the filters." in " ".join(
        str(told.value) for told in app.info
    )
    found = [line.value for line in app.markdown if line.value.startswith(("**+", "**−", "**0"))]
    sums = [f"**{format_signed(row['net'], row['currency'], 'en')}**" for row in rows]
    assert sorted(line for line in found if " in " not in line) == sorted(sums)
    assert "Paid" not in [button.label for button in app.button], "no payment of some hands only"


def test_no_days_in_the_address_are_all_days_once_they_were_taken_away(
    monkeypatch: pytest.MonkeyPatch, month: Path
) -> None:
    app = page(monkeypatch, month, club=CLUB, view="days")
    assert app.query_params["from"] == "2026-11-28"
    app.date_input(key="days").set_value(()).run()
    assert "from" not in app.query_params
    assert not [line for line in account(None, None).values() if line.brought]
    assert "brought forward" not in texts(app)
