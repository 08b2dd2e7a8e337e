"""What is still due of each evening, and which evenings a payment on the account settles.

A payment entered for an evening settles that evening. One entered on the account of a club is for no evening
in particular; it settles the oldest first, as far as its payer still has to pay there and its payee is still
to get. Where the account was settled in fewer payments than the evenings would need (An pays Chi what An owes
Bình and Bình owes Chi), it settles such a chain, link by link. What is left of it stays on the account. Once
payments on the account have made everybody even, evenings that cancel each other out are settled as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from analyzer.store.debts import Payment
from analyzer.store.journal import Entry
from analyzer.store.treasury import Books, Paid, after_payments, with_bank

Sums = dict[str, Decimal]
"""Player → amount."""


class Part(NamedTuple):
    """A part of a payment on the account that settles an evening: who had to pay there, who was to get."""

    entry: Entry
    paid: Paid
    settles: Payment


@dataclass(slots=True)
class Due:
    """What each, the bank too, is still to get of an evening or (below zero) to pay: ``left``."""

    left: Sums
    parts: list[Part] = field(default_factory=list)
    set_off: bool = False
    """Whether other evenings cancel out what was left, and nobody owes anything any more."""


def nets_of(rows: Iterable[Mapping[str, Any]], known: Books, club: str, currency: str) -> dict[str, Sums]:
    """Evening → what each won or lost, from the rows of ``evening_nets``, the oldest first.

    A closed evening has the sums that it was closed with, one without hands too.
    """
    own = {evening: found for (of, evening), (_, found) in known.closings.items() if of == club}
    nets: dict[str, Sums] = {}
    for row in rows:
        if row["currency"] == currency:
            nets.setdefault(row["evening"], {})[row["player_id"]] = row["net"]
        elif row["evening"] in own:  # closed with a currency that none of its hands has any more
            nets.setdefault(row["evening"], {})
    emptied: dict[str, Sums] = {evening: {} for evening in own if evening not in nets}
    return {
        evening: own[evening].exact(currency) if evening in own else net
        for evening, net in (emptied | nets).items()
    }


def dues(nets: Mapping[str, Sums], known: Books, club: str, currency: str) -> dict[str, Due]:
    """Evening → what is due of it; ``nets`` is what each evening came to, the oldest first."""
    made = known.paid(club, currency)
    of: dict[str | None, list[Paid]] = {}
    for _, paid in made:
        of.setdefault(paid.evening, []).append(paid)
    found = {
        evening: Due(after_payments(with_bank(net), of.get(evening, ()))) for evening, net in nets.items()
    }
    if None in of:
        before = Due(with_bank(known.opening(club, currency)))
        on_account = [(entry, paid) for entry, paid in made if paid.evening is None]
        on_account.sort(key=lambda row: (known.day_of(*row), row[0].number))
        _allot([before, *found.values()], on_account)
        balance = after_payments(with_bank(known.opening(club, currency)), [paid for _, paid in made])
        for net in nets.values():
            for player, amount in with_bank(net).items():
                balance[player] = balance.get(player, Decimal(0)) + amount
        if not any(balance.values()):
            for due in found.values():
                if any(due.left.values()):
                    due.left, due.set_off = dict.fromkeys(due.left, Decimal(0)), True
    return found


def _allot(dues: list[Due], payments: Iterable[tuple[Entry, Paid]]) -> None:
    """Settles dues, the oldest first, by payments on the account in the order in which they were made."""
    for entry, paid in payments:
        rest = paid.exact
        while rest and (chain := _chain(dues, paid.payer, paid.payee)):
            amount = min(rest, *(min(-due.left[payer], due.left[payee]) for due, payer, payee in chain))
            for due, payer, payee in chain:
                due.left[payer] += amount
                due.left[payee] -= amount
                due.parts.append(Part(entry, paid, Payment(payer, payee, amount)))
            rest -= amount


Link = tuple[Due, str, str]
"""Where somebody still has to pay somebody who is still to get."""


def _chain(dues: Iterable[Due], payer: str, payee: str) -> list[Link]:
    """The fewest links from payer to payee, each of the oldest due there is for it; none where none lead."""
    links: dict[str, dict[str, Link]] = {}
    for due in dues:
        if due.left.get(payer, 0) < 0 < due.left.get(payee, 0):
            return [(due, payer, payee)]
        owed = [player for player, amount in due.left.items() if amount > 0]
        for one in [player for player, amount in due.left.items() if amount < 0]:
            for other in owed:
                links.setdefault(one, {}).setdefault(other, (due, one, other))
    reached: dict[str, list[Link]] = {payer: []}
    waiting = [payer]
    for one in waiting:
        for other, link in links.get(one, {}).items():
            if other not in reached:
                reached[other] = [*reached[one], link]
                waiting.append(other)
    return reached.get(payee, [])
