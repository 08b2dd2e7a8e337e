"""Accounts over many evenings: frame → sums, pure functions over what was played and what was entered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final, NamedTuple

import polars as pl

from analyzer.store.treasury import Books, differences

ZERO: Final = Decimal(0)


class Line(NamedTuple):
    """A player's account: brought forward, played, paid or been paid, and what that makes."""

    player: str
    brought: Decimal
    played: Decimal
    settled: Decimal

    @property
    def balance(self) -> Decimal:
        return self.brought + self.played + self.settled


MOVED: Final[dict[str, Any]] = {
    "day": pl.Date,
    "player": pl.String,
    "amount": pl.Decimal(38, 3),
    "paid": pl.Boolean,
}
"""What changed balances, by play or (``paid``) by a payment. Without a day it counts before every day."""


def moved(nets: pl.DataFrame, known: Books, club: str, currency: str) -> pl.DataFrame:
    """Everything that changed a balance of a club, as MOVED; a closed evening counts as it was closed."""
    days = dict(nets.select("evening", "day").unique().iter_rows())
    corrections = [
        (days.get(evening), player, -amount, False)
        for evening, found in changed(nets, known, club, currency).items()
        for player, amount in found.items()
    ]
    payments = [
        (known.day_of(entry, paid), player, amount, True)
        for entry, paid in known.paid(club, currency)
        for player, amount in ((paid.payer, paid.exact), (paid.payee, -paid.exact))
    ]
    played = nets.filter(pl.col("currency") == currency).select(
        "day", pl.col("player_id").alias("player"), pl.col("net").alias("amount"), paid=pl.lit(False)
    )
    return pl.concat([played, pl.DataFrame(corrections + payments, schema=MOVED, orient="row")])


def changed(nets: pl.DataFrame, known: Books, club: str, currency: str) -> dict[str, dict[str, Decimal]]:
    """Closed evening → player → what the hands now give more or less than was closed."""
    closed = {evening: closing for (own, evening), (_, closing) in known.closings.items() if own == club}
    now: dict[str, dict[str, Decimal]] = {evening: {} for evening in closed}
    rows = nets.filter((pl.col("currency") == currency) & pl.col("evening").is_in(list(closed)))
    for evening, player, net in rows.select("evening", "player_id", "net").iter_rows():
        now[evening][player] = net
    found = {evening: differences(closed[evening].exact(currency), now[evening]) for evening in closed}
    return {evening: rest for evening, rest in found.items() if rest}


def accounts(
    opening: Mapping[str, Decimal], rows: pl.DataFrame, since: date | None, until: date | None
) -> list[Line]:
    """The account of everybody from one day to another (None: from the first, to the last)."""
    early, amount = _early(since), pl.col("amount")
    sums = (
        _until(rows, until)
        .group_by("player")
        .agg(
            amount.filter(early).sum().alias("brought"),
            amount.filter(~early & ~pl.col("paid")).sum().alias("played"),
            amount.filter(~early & pl.col("paid")).sum().alias("settled"),
        )
    )
    lines = {player: Line(player, balance, ZERO, ZERO) for player, balance in opening.items()}
    for player, brought, played, settled in sums.iter_rows():
        lines[player] = Line(player, opening.get(player, ZERO) + brought, played, settled)
    return sorted(lines.values(), key=lambda line: (-line.balance, line.player))


def running(
    lines: Iterable[Line], rows: pl.DataFrame, since: date | None, until: date | None
) -> dict[str, list[tuple[date, Decimal]]]:
    """Player → balance at the end of each day on which it changed, from what was brought forward on."""
    at = {line.player: line.brought for line in lines}
    inside = _until(rows, until).filter(~_early(since), pl.col("player").is_in(list(at)))
    sums = inside.group_by("day", "player").agg(pl.col("amount").sum()).sort("day", nulls_last=False)
    known = sums["day"].drop_nulls()
    first, last = known.min(), known.max()
    if not isinstance(first, date) or not isinstance(last, date):
        return {}
    days: dict[str, dict[date, Decimal]] = {player: {} for player in at}
    for day, player, amount in sums.iter_rows():
        if day is not None:
            days[player].setdefault(first - timedelta(1), at[player])
            days[player][day] = at[player] + amount
        at[player] += amount
    return {player: list({**found, last: at[player]}.items()) for player, found in days.items() if found}


def before_rulings(
    nets: pl.DataFrame, currency: str, since: date | None, until: date | None
) -> tuple[dict[str, Decimal], dict[str, Decimal]]:
    """What the hands of some days came to before the rulings, and after them, by player."""
    rows = _until(nets.filter(pl.col("currency") == currency), until).filter(~_early(since))
    sums = rows.group_by("player_id").agg(pl.col("judged").sum(), pl.col("net").sum())
    found = list(sums.iter_rows())
    return {player: judged for player, judged, _ in found}, {player: net for player, _, net in found}


def _early(since: date | None) -> pl.Expr:
    """Whether something counts before a day."""
    return pl.lit(False) if since is None else pl.col("day").is_null() | (pl.col("day") < since)


def _until(rows: pl.DataFrame, until: date | None) -> pl.DataFrame:
    return rows if until is None else rows.filter(pl.col("day").is_null() | (pl.col("day") <= until))
