"""Who pays whom in the fewest payments, when an evening is over.

People whose balances cancel among themselves need one payment fewer than there are of them; so the fewest
payments come from the most such groups. Up to :data:`EXACT` people the best grouping is searched for over
all subsets; among more it is approached: whoever owes just what somebody else is to get pays that, and if
then there are few enough left, they are settled exactly, else the greatest debtor pays the greatest creditor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final, NamedTuple

EXACT: Final = 12
"""Up to so many people with something to pay or to get, the payments are the fewest possible."""

Balance = tuple[str, Decimal]


class Payment(NamedTuple):
    """One payment that settles part of the account."""

    from_player: str
    to_player: str
    amount: Decimal


def fewest_payments(net: Mapping[str, Decimal]) -> list[Payment]:
    """Payments after which everybody is even; ``net`` is what each won (or, below zero, lost).

    One currency at a time, and all amounts must add up to nothing, a bank included: else ValueError.
    """
    balances = [(player, amount) for player, amount in sorted(net.items()) if amount]
    if (rest := sum(amount for _, amount in balances)) != 0:
        raise ValueError(f"the amounts add up to {rest}, not to 0: somebody is missing")
    groups: list[list[Balance]] = []
    if len(balances) > EXACT:
        groups, balances = _pairs(balances)
    groups += _groups(balances) if len(balances) <= EXACT else [balances]
    return sorted(payment for group in groups for payment in _settle(group))


def _settle(group: Iterable[Balance]) -> list[Payment]:
    """At most one payment fewer than there are people: each makes at least one of them even."""
    owed = dict(group)
    payments = []
    while owed:
        debtor = min(owed, key=lambda player: (owed[player], player))
        creditor = max(owed, key=lambda player: (owed[player], player))
        amount = min(-owed[debtor], owed[creditor])
        payments.append(Payment(debtor, creditor, amount))
        for player, change in ((debtor, amount), (creditor, -amount)):
            owed[player] += change
            if not owed[player]:
                del owed[player]
    return payments


def _pairs(balances: list[Balance]) -> tuple[list[list[Balance]], list[Balance]]:
    """The pairs that are even between themselves, and who is left."""
    waiting: dict[Decimal, list[Balance]] = {}
    pairs = []
    for balance in balances:
        opposite = waiting.get(-balance[1])
        if opposite:
            pairs.append([opposite.pop(), balance])
        else:
            waiting.setdefault(balance[1], []).append(balance)
    return pairs, sorted(balance for rest in waiting.values() for balance in rest)


def _groups(balances: list[Balance]) -> list[list[Balance]]:
    """The balances in as many groups as possible that each add up to nothing.

    ``most[people]`` is how many such groups can be closed, one after another, while the people of a set
    (bits) are taken in one by one: each time the sum so far is zero another one is complete.
    """
    every = (1 << len(balances)) - 1
    total = [Decimal(0)] * (every + 1)
    most = [0] * (every + 1)
    last = [0] * (every + 1)
    for people in range(1, every + 1):
        lowest = people & -people
        total[people] = total[people ^ lowest] + balances[lowest.bit_length() - 1][1]
        bits = [1 << k for k in range(len(balances)) if people >> k & 1]
        last[people] = max(bits, key=lambda bit: most[people ^ bit])
        most[people] = most[people ^ last[people]] + (total[people] == 0)
    groups: list[list[Balance]] = []
    people = every
    while people:
        if total[people] == 0:
            groups.append([])
        groups[-1].append(balances[last[people].bit_length() - 1])
        people ^= last[people]
    return groups
