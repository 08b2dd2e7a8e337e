"""What is due of an evening: payments for it, and those on the account that settle it."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from analyzer.evening_files import export_evening
from analyzer.locale import LANGUAGES, translate
from analyzer.store.database import Database
from analyzer.store.debts import fewest_payments
from analyzer.store.dues import dues, nets_of
from analyzer.store.journal import Entry, Journal
from analyzer.store.treasury import Books, Opening, Paid, after_payments, closing_of
from dashboards import data, money
from tests.test_money import (
    CLUB,
    NAME,
    account,
    amount,
    club,
    kept,
    later,
    month,
    page,
    press,
    stored_evening,
    take_in,
)
from tests.test_pages import texts
from tests.test_sheets import read_csv

__all__ = ["club", "month", "stored_evening"]


def ledger(*payments: tuple[str | None, str, str, int], **opening: int) -> Books:
    """Payments (evening, payer, payee, amount) in the order of their making, and opening balances."""
    books = Books()
    at = datetime(2026, 12, 1, tzinfo=UTC)
    for number, (evening, payer, payee, paid) in enumerate(payments, 1):
        told = Paid(
            club="c",
            evening=evening,
            currency="VND",
            payer=payer,
            payee=payee,
            amount=str(paid),
            on=at.date(),
        )
        books.payments[number] = Entry(number, at, "A", "payment", told.data(), "0" * 64), told
    for player, value in opening.items():
        balance = Opening(club="c", currency="VND", player=player, amount=str(value))
        entry = Entry(99, at, "A", "opening_balance", balance.data(), "0" * 64)
        books.openings["c", "VND", player] = entry, balance
    return books


def left(nets: dict[str, dict[str, int]], books: Books) -> dict[str, dict[str, int]]:
    exact = {evening: {who: Decimal(net) for who, net in row.items()} for evening, row in nets.items()}
    found = dues(exact, books, "c", "VND")
    assert not any(sum(due.left.values()) for due in found.values())
    return {at: {who: int(net) for who, net in due.left.items() if net} for at, due in found.items()}


ONE = {"an": -100, "binh": 100}
TWO = {"binh": -100, "chi": 100}


@pytest.mark.parametrize("account", [None, "e1"])
def test_what_is_due_of_one_evening_is_what_is_due_of_it_among_all(account: str | None) -> None:
    rows = [(at, who, Decimal(net)) for at in ("e1", "e2") for who, net in ONE.items()]
    frame = pl.DataFrame(rows, ["evening", "player_id", "net"], orient="row").with_columns(
        currency=pl.lit("VND")
    )
    books = ledger((account, "an", "binh", 130), ("e2", "an", "binh", 20))
    whole = dues(nets_of(frame.iter_rows(named=True), books, "c", "VND"), books, "c", "VND")
    for at, due in whole.items():
        assert money.due_of(frame, books, data.Evening("c", at), "VND") == due
    assert whole["e2"].left["binh"] == (50 if account is None else 80)


def test_a_payment_on_the_account_settles_the_oldest_evening_first() -> None:
    nets = {"e1": ONE, "e2": ONE}
    assert left(nets, ledger((None, "an", "binh", 130))) == {"e1": {}, "e2": {"an": -70, "binh": 70}}
    books = ledger(("e2", "an", "binh", 40), (None, "an", "binh", 130))
    assert left(nets, books) == {"e1": {}, "e2": {"an": -30, "binh": 30}}


def test_it_settles_what_was_owed_before_the_first_evening_first_of_all() -> None:
    books = ledger((None, "an", "binh", 100), an=-60, binh=60)
    assert left({"e1": ONE}, books) == {"e1": {"an": -60, "binh": 60}}


def test_it_settles_nothing_of_an_evening_in_which_its_two_do_not_owe_each_other() -> None:
    nets = {"e1": ONE, "e2": {"chi": -50, "dung": 50}}
    assert left(nets, ledger((None, "binh", "an", 20), (None, "dung", "an", 5))) == nets
    assert left(nets, ledger((None, "an", "dung", 20))) == nets


def test_one_payment_instead_of_two_settles_both_evenings() -> None:
    assert left({"e1": ONE, "e2": TWO}, ledger((None, "an", "chi", 100))) == {"e1": {}, "e2": {}}
    found = dues(
        {"e1": {k: Decimal(v) for k, v in ONE.items()}, "e2": {k: Decimal(v) for k, v in TWO.items()}},
        ledger((None, "an", "chi", 100)),
        "c",
        "VND",
    )
    assert [part.settles for part in found["e1"].parts] == [("an", "binh", Decimal(100))]
    assert [part.settles for part in found["e2"].parts] == [("binh", "chi", Decimal(100))]


def test_evenings_that_cancel_out_are_set_off_once_the_account_was_settled_and_not_before() -> None:
    nets = {"e1": ONE, "e2": {"an": 100, "binh": -100}, "e3": ONE}
    assert left(nets, ledger()) == nets
    assert left(nets, ledger(("e1", "an", "binh", 100)))["e3"] == ONE
    books = ledger((None, "an", "binh", 100))
    assert left(nets, books) == {"e1": {}, "e2": {}, "e3": {}}
    exact = {at: {who: Decimal(net) for who, net in row.items()} for at, row in nets.items()}
    assert [due.set_off for due in dues(exact, books, "c", "VND").values()] == [False, True, True]


def test_whoever_settles_the_whole_account_leaves_no_evening_open() -> None:
    rng = random.Random(5)
    for _ in range(200):
        nets = {}
        for evening in range(rng.randint(1, 5)):
            sums = [rng.randint(-9, 9) for _ in range(3)]
            nets[f"e{evening}"] = dict(zip("abcd", [*sums, -sum(sums)], strict=True))
        whole: dict[str, Decimal] = {}
        for row in nets.values():
            for who, net in row.items():
                whole[who] = whole.get(who, Decimal(0)) + net
        early = rng.choice([None, "e0"])
        first = (early, "a", "b", rng.randint(1, 9))
        due = after_payments(whole, [ledger(first).payments[1][1]])
        told = [(None, *payment[:2], int(payment.amount)) for payment in fewest_payments(due)]
        books = ledger(first, *told)
        if told or early is None:
            assert not any(left(nets, books).values()), (nets, first)


# -- on the pages and in the files -------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_evening_shows_what_was_paid_on_the_account_and_proposes_it_no_more(
    monkeypatch: pytest.MonkeyPatch, club: Path, lang: str
) -> None:
    app = page(monkeypatch, club, lang, club=CLUB, view="days")
    assert translate(
        "As of now: all evenings of the club, its opening balances and payments.", lang
    ) in texts(app)
    press(app, "Paid", lang)
    ((_, paid),) = kept(club).paid(CLUB, "VND")
    assert paid.evening is None
    told = texts(page(monkeypatch, club, lang))
    assert f"Sơn → Hà: **{amount(75_000, lang).lstrip('+')}**" in told
    assert f"✓ Sơn → Hà: **{amount(75_000, lang).lstrip('+')}**" in told
    assert told.count("Sơn → Hà") == 1, "it is not proposed a second time"
    for _ in range(2):
        press(app, "Paid", lang)
    app = page(monkeypatch, club, lang)
    assert translate("Everything is paid.", lang) in texts(app)
    assert translate("Paid", lang) not in [button.label for button in app.button]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_account_shows_what_was_paid_for_an_evening(
    monkeypatch: pytest.MonkeyPatch, club: Path, lang: str
) -> None:
    press(page(monkeypatch, club, lang), "Paid", lang)
    told = texts(page(monkeypatch, club, lang, club=CLUB, view="days"))
    assert told.count("Sơn → Hà") == 1
    assert translate("for the evening {evening}", lang).format(evening="clb-mau-2026-11-28") in told


def test_the_files_of_an_evening_tell_what_was_paid_on_the_account(month: Path, tmp_path: Path) -> None:
    paid = Paid(club=CLUB, currency="VND", payer="son", payee="ha", amount="80000", note="Tết")
    Journal(Database(month)).append("payment", paid.data(), "A")

    def sheet(evening: str, name: str) -> list[list[str]]:
        export_evening(month, evening, tmp_path / "e.csv", None, name, True, "en")
        return read_csv((tmp_path / "e.csv").read_bytes())[1:]

    (part,) = [row for row in sheet(NAME, "payments") if row[0] == "paid on the account"]
    assert part[1:7] == ["son", "Sơn", "ha", "Hà", "VND", "75000"]
    assert [row[4:] for row in sheet(NAME, "totals") if row[0] in ("ha", "son")] == [
        ["75000", "75000", "0", "75000", "0"],
        ["-155000", "-75000", "-80000", "-155000", "0"],
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_payment_after_the_last_evening_is_in_the_ledger_of_the_days(
    monkeypatch: pytest.MonkeyPatch, club: Path, lang: str
) -> None:
    paid = Paid(club=CLUB, currency="VND", payer="son", payee="ha", amount="75000", on=date(2026, 12, 20))
    Journal(Database(club)).append("payment", paid.data(), "A")
    app = page(monkeypatch, club, lang, club=CLUB, view="days")
    told = texts(app)
    assert f"{translate('by payments', lang)} {amount(75_000, lang)}" in told
    assert f"**{amount(-80_000, lang)}**" in told
    assert account(None, date(2026, 12, 20))["ha"].balance == 0


# -- hands that move out of a closed evening -----------------------------------------------------------


def moved(folder: Path, number: int, **values: object) -> None:
    """The sample evening closed, and then one of its hands put elsewhere by a revision."""
    closing = closing_of(CLUB, NAME, {"VND": nets(NAME)}, "0" * 64)
    Journal(Database(folder)).append("evening_closed", closing.data(), "A")
    log = later(number, session_id="clb-mau-2026-11-28")[number - 1]
    log |= {"hand_id": f"clb-mau-2026-11-28-{number:02}", "revision": {"number": 2, "reason": "x"}}
    take_in(folder.parent, log | values)


def nets(evening: str, currency: str = "VND") -> dict[str, Decimal]:
    rows = money.evening_nets(data.open_version(), CLUB).iter_rows(named=True)
    return {r["player_id"]: r["net"] for r in rows if (r["evening"], r["currency"]) == (evening, currency)}


def sums(currency: str = "VND") -> dict[str, Decimal]:
    return {player: line.balance for player, line in account(None, None, currency).items() if line.balance}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hand_that_moves_out_of_a_closed_evening_counts_once(
    monkeypatch: pytest.MonkeyPatch, club: Path, lang: str
) -> None:
    before = sums()
    moved(club, 1, session_id="khác")
    assert sums() == before
    assert nets("session khác") == {}
    app = page(monkeypatch, club, lang, club=CLUB, evening="session khác")
    told = translate(
        "Not counted here: {hands}. The evening {evening} was closed with them and keeps them until it is "
        "opened again.",
        lang,
    )
    hand = translate("Hand {n}", lang).format(n=1)
    assert told.format(hands=hand, evening="clb-mau-2026-11-28") in texts(app)
    app = page(monkeypatch, club, lang)
    (field,) = [field for field in app.text_input if str(field.key).startswith("reopen-")]
    field.set_value("x").run()
    press(app, "Open the evening again", lang)
    assert sums() == before, "opened again it counts where it stands now"
    assert nets("session khác") == {"ha": 10_000, "khoa": 5_000, "lan": -10_000, "son": -5_000}


def test_a_hand_that_changes_its_currency_leaves_the_closed_sums(club: Path) -> None:
    before = sums()
    moved(club, 1, currency="POINT", stake=2)
    assert nets(NAME, "POINT")
    assert sums() == before
    assert sums("POINT") == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_closed_evening_without_any_hand_left_keeps_its_sums_and_its_page(
    monkeypatch: pytest.MonkeyPatch, club: Path, lang: str
) -> None:
    late = later(1, session_id="lẻ", played_at="2026-12-05T20:00:00+07:00")[0]
    take_in(club.parent, late)
    before = sums()
    closing = closing_of(CLUB, "session lẻ", {"VND": nets("session lẻ")}, "0" * 64)
    Journal(Database(club)).append("evening_closed", closing.data(), "A")
    take_in(club.parent, {**late, "session_id": "khác", "revision": {"number": 2, "reason": "x"}})
    assert sums() == before
    assert account(date(2026, 12, 5), date(2026, 12, 5))["ha"].played == 10_000
    links = page(monkeypatch, club, lang, club=CLUB, view="days").get("page_link")
    assert [link.proto.label for link in links if "lẻ" in link.proto.label]
    app = page(monkeypatch, club, lang, club=CLUB, evening="session lẻ")
    assert f"**{amount(10_000, lang)}**" in texts(app)
    told = "No hand stands in this evening any more; while it is closed its sums count."
    assert translate(told, lang) in texts(app)
