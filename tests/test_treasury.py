"""Payments, opening balances and closed evenings: entered once, read back to the thousandth, never half."""

from __future__ import annotations

import random
import subprocess
import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from analyzer.store.database import Database, DatabaseError
from analyzer.store.debts import fewest_payments
from analyzer.store.journal import Journal
from analyzer.store.treasury import (
    Books,
    Opening,
    Paid,
    Refused,
    Reopening,
    Undoing,
    after_payments,
    books,
    closing_of,
    differences,
    may_close,
    may_open,
    may_pay,
    may_reopen,
    may_undo,
    with_bank,
)

PAYMENT = Paid(club="clb", evening="e1", currency="VND", payer="an", payee="binh", amount="20000.5", seen=0)
PAYING = (
    "import sys, msgspec\n"
    "from analyzer.store.database import Database\n"
    "from analyzer.store.journal import Journal\n"
    "from analyzer.store.treasury import Paid, Refused, may_pay\n"
    "paid = msgspec.json.decode(sys.argv[2], type=Paid)\n"
    "for _ in range(5):\n"
    "    try:\n"
    "        Journal(Database(sys.argv[1])).append('payment', paid.data(), sys.argv[3], may_pay(paid))\n"
    "        print('entered')\n"
    "    except Refused:\n"
    "        print('refused')\n"
)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    database = Database(tmp_path / "db")
    with database.lock():
        pass
    return Journal(database)


def kept(journal: Journal) -> Books:
    return books(journal.entries())


def pay(journal: Journal, payment: Paid, by: str = "Thủ quỹ") -> int:
    return journal.append("payment", payment.data(), by, may_pay(payment)).number


def other(payment: Paid, **values: Any) -> Paid:
    return Paid(**{**{name: getattr(payment, name) for name in payment.__struct_fields__}, **values})


# -- payments --------------------------------------------------------------------------------------


def test_a_payment_comes_back_as_it_was_entered(journal: Journal) -> None:
    paid = other(PAYMENT, on=date(2026, 11, 29), note="tiền mặt")
    number = pay(journal, paid)
    assert journal.entries()[0].data["amount"] == "20000.5"
    assert kept(journal).payments[number][1] == paid
    assert kept(journal).paid("clb", "VND", "e1")[0][1].exact == Decimal("20000.5")
    assert kept(journal).paid("clb", "VND", "e2") == kept(journal).paid("other", "VND") == []


def test_a_second_click_enters_nothing(journal: Journal) -> None:
    pay(journal, PAYMENT)
    with pytest.raises(Refused, match="just been entered, by Thủ quỹ"):
        pay(journal, PAYMENT)
    for same in ({"note": "lần nữa", "amount": "20000.500"}, {"evening": None}, {"on": date(2026, 1, 1)}):
        with pytest.raises(Refused):
            pay(journal, other(PAYMENT, **same))
    assert len(kept(journal).payments) == 1


def test_whoever_has_seen_the_first_payment_may_enter_another_like_it(journal: Journal) -> None:
    pay(journal, PAYMENT)
    pay(journal, other(PAYMENT, seen=kept(journal).seen))
    assert len(kept(journal).payments) == 2


def test_two_processes_that_enter_the_same_payment_enter_it_once(journal: Journal) -> None:
    folder = str(journal.path.parents[1])
    told = msgspec.json.encode(PAYMENT).decode()
    both = [
        subprocess.Popen([sys.executable, "-c", PAYING, folder, told, who], stdout=subprocess.PIPE, text=True)
        for who in ("a", "b")
    ]
    said = "".join(process.communicate(timeout=120)[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert said.count("entered") == 1
    assert said.count("refused") == 9
    assert len(kept(journal).payments) == 1


def test_a_payment_is_taken_back_once_and_with_a_reason(journal: Journal) -> None:
    number = pay(journal, PAYMENT)
    with pytest.raises(Refused, match="The reason is empty"):
        Undoing(club="clb", payment=number, reason="").data()
    for undoing in (
        Undoing(club="another", payment=number, reason="x"),
        Undoing(club="clb", payment=number + 7, reason="x"),
    ):
        with pytest.raises(Refused):
            journal.append("payment_undone", undoing.data(), "B", may_undo(undoing))
    undoing = Undoing(club="clb", payment=number, reason="gõ nhầm")
    journal.append("payment_undone", undoing.data(), "B", may_undo(undoing))
    with pytest.raises(Refused, match="taken back already"):
        journal.append("payment_undone", undoing.data(), "B", may_undo(undoing))
    assert not kept(journal).payments
    ((entry, paid, back, why),) = kept(journal).undone
    assert (entry.number, paid, back.by, why.reason) == (number, PAYMENT, "B", "gõ nhầm")
    pay(journal, PAYMENT)
    assert len(kept(journal).payments) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"amount": "1e3"},
        {"amount": "NaN"},
        {"amount": "-5"},
        {"amount": "0"},
        {"amount": "0.0001"},
        {"amount": "1" * 16},
        {"amount": 5},
        {"to": "an"},
        {"to": None},
        {"currency": None},
        {"note": "x" * 201},
        {"on": "31/12/2026"},
    ],
)
def test_an_entry_that_is_no_payment_is_named_and_never_passed_over(
    journal: Journal, wrong: dict[str, Any]
) -> None:
    journal.append("setting", {}, "x")
    journal.append("payment", {**PAYMENT.data(), **wrong}, "x")
    with pytest.raises(DatabaseError, match=r"Entry 2 of the journal \(payment\)"):
        kept(journal)


@pytest.mark.parametrize("amount", ["1e3", "NaN", "0", "-1", "1.2345", "９"])
def test_what_could_not_be_read_again_is_not_entered(journal: Journal, amount: str) -> None:
    with pytest.raises((ValueError, ArithmeticError)):
        pay(journal, other(PAYMENT, amount=amount))
    assert journal.entries() == ()


def test_keys_of_a_later_version_are_passed_over(journal: Journal) -> None:
    journal.append("payment", {**PAYMENT.data(), "receipt": 7}, "x")
    assert kept(journal).payments[1][1] == PAYMENT


def test_a_payment_without_a_day_counts_on_the_day_of_its_entry(journal: Journal) -> None:
    pay(journal, PAYMENT)
    ((entry, paid),) = kept(journal).paid("clb", "VND")
    books = kept(journal)
    late = msgspec.structs.replace(entry, at=datetime(2026, 11, 28, 17, 30, tzinfo=UTC))
    assert books.day_of(late, paid) == date(2026, 11, 29), "after midnight in Việt Nam"
    assert books.day_of(late, other(paid, on=date(2020, 2, 29))) == date(2020, 2, 29)
    journal.append("setting", {"club": "clb", "time_zone": "America/New_York", "day_starts": "06:00"}, "A")
    assert kept(journal).day_of(late, paid) == date(2026, 11, 28)


@pytest.mark.parametrize("seed", range(20))
def test_after_the_payments_that_were_proposed_everybody_is_even(seed: int) -> None:
    rng = random.Random(seed)
    net = {f"p{k}": Decimal(rng.randint(-(10**9), 10**9)) / 1000 for k in range(rng.randint(1, 20))}
    proposed = fewest_payments(with_bank(net))
    made = [
        Paid(currency="VND", payer=payer, payee=payee, amount=format(amount, "f"))
        for payer, payee, amount in proposed
    ]
    assert not any(after_payments(with_bank(net), made).values())
    rest = after_payments(with_bank(net), made[1:])
    assert fewest_payments(rest) == proposed[:1]


# -- opening balances ------------------------------------------------------------------------------


def test_the_last_opening_balance_counts_and_nobody_overwrites_one_unseen(journal: Journal) -> None:
    first = Opening(club="clb", currency="VND", player="an", amount="-12.5", note="sổ cũ")
    journal.append("opening_balance", first.data(), "A", may_open(first))
    unseen = Opening(club="clb", currency="VND", player="an", amount="7")
    with pytest.raises(Refused, match=r"A has just entered .* -12\.5"):
        journal.append("opening_balance", unseen.data(), "B", may_open(unseen))
    elsewhere = Opening(club="clb", currency="POINT", player="an", amount="3")
    journal.append("opening_balance", elsewhere.data(), "B", may_open(elsewhere))
    assert kept(journal).opening("clb", "VND") == {"an": Decimal("-12.5")}
    seen = Opening(club="clb", currency="VND", player="an", amount="0", seen=kept(journal).seen)
    journal.append("opening_balance", seen.data(), "B", may_open(seen))
    assert kept(journal).opening("clb", "VND") == {"an": Decimal(0)}
    assert kept(journal).opening("clb", "POINT") == {"an": Decimal(3)}


# -- closed evenings -------------------------------------------------------------------------------


def close(journal: Journal, net: dict[str, dict[str, Decimal]], by: str = "A") -> None:
    closing = closing_of("clb", "e1", net, "0" * 64)
    journal.append("evening_closed", closing.data(), by, may_close(closing))


def test_an_evening_is_closed_once_and_keeps_its_sums_exactly(journal: Journal) -> None:
    net = {"VND": {"an": Decimal("20000.125"), "binh": Decimal("-20000.125")}, "POINT": {"an": Decimal(1)}}
    close(journal, net)
    with pytest.raises(Refused, match="closed already, by A"):
        close(journal, net, "B")
    _, closing = kept(journal).closings["clb", "e1"]
    assert closing.exact("VND") == net["VND"]
    assert closing.exact("POINT") == net["POINT"]
    assert closing.exact("CHIP") == {}


def test_a_closed_evening_is_opened_with_a_reason_only_and_can_be_closed_again(journal: Journal) -> None:
    reopening = Reopening(club="clb", evening="e1", reason="thiếu một ván")
    with pytest.raises(Refused, match="not closed"):
        journal.append("evening_reopened", reopening.data(), "B", may_reopen(reopening))
    close(journal, {"VND": {"an": Decimal(1)}})
    with pytest.raises(Refused, match="The reason is empty"):
        Reopening(club="clb", evening="e1", reason="").data()
    journal.append("evening_reopened", reopening.data(), "B", may_reopen(reopening))
    assert not kept(journal).closings
    close(journal, {"VND": {"an": Decimal(2)}})
    assert kept(journal).closings["clb", "e1"][1].exact("VND") == {"an": Decimal(2)}
    assert [told.reason for _, told in kept(journal).reopenings] == ["thiếu một ván"]


def test_a_second_closing_that_got_into_the_journal_all_the_same_changes_nothing(journal: Journal) -> None:
    close(journal, {"VND": {"an": Decimal(1)}})
    late = closing_of("clb", "e1", {"VND": {"an": Decimal(99)}}, "1" * 64)
    journal.append("evening_closed", late.data(), "B")
    assert kept(journal).closings["clb", "e1"][1].exact("VND") == {"an": Decimal(1)}


def test_differences_name_everybody_whose_sum_is_another() -> None:
    closed = {"an": Decimal(5), "binh": Decimal(-5), "chi": Decimal(0)}
    now = {"an": Decimal("5.001"), "chi": Decimal(0), "dung": Decimal(2)}
    assert differences(closed, now) == {"an": Decimal("0.001"), "binh": Decimal(5), "dung": Decimal(2)}
    assert differences(closed, closed) == {}
