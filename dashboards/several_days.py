"""The money of a club over several days: everybody's account, how it ran, and the evenings it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

import polars as pl
import streamlit as st

from analyzer.locale import N_
from analyzer.store.dues import Due
from analyzer.store.treasury import Books, with_bank
from dashboards import accounts, bookkeeping, money, paying
from dashboards.accounts import Line
from dashboards.charts import PALETTE, balance_chart
from dashboards.data import Filters, Version
from dashboards.figures import PEOPLE, separators, show_before, show_causes, show_currency, show_lines
from dashboards.filters import address
from dashboards.money import BANK, Scope
from dashboards.words import day, language, number, plain, say, signed


def show_accounts(lines: Iterable[Line], names: Mapping[str, str], scope: Scope, currency: str) -> None:
    """Each player's account: what was brought forward, played and paid, and what that makes."""
    st.subheader(say(N_("Accounts")))
    st.caption(say(N_("Above zero: still to get. Below zero: still to pay.")))
    for line in lines:
        parts = {
            N_("brought forward"): line.brought,
            N_("by playing"): line.played,
            N_("by payments"): line.settled,
        }
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            asked = {"club": scope.club, "player": line.player}
            label = plain(names.get(line.player, line.player))
            if line.player == BANK:
                st.markdown(label, width="stretch")
            else:
                st.page_link("views/hands.py", label=label, query_params=asked, width="stretch")
            st.markdown(f"**{signed(line.balance, currency)}**", width="content")
        told = [f"{say(text)} {signed(amount, currency)}" for text, amount in parts.items() if amount]
        if line.brought or line.settled:
            st.caption(" · ".join(told))


def show_balances(
    lines: list[Line], moved: pl.DataFrame, scope: Scope, currency: str, players: Mapping[str, str]
) -> None:
    """How the greatest balances ran from day to day."""
    drawn = lines[: len(PALETTE)]
    running = accounts.running(drawn, moved, scope.since, scope.until)
    if not running:
        return
    st.subheader(say(N_("How the balances ran")))
    points = {player: [(at, day(at), value) for at, value in found] for player, found in running.items()}
    form = "%d/%m/%y" if language() == "vi" else "%-d %b %Y"
    st.plotly_chart(
        balance_chart(points, players, partial(signed, currency=currency), separators(), form),
        key=f"balances-{currency}",
        config={"displayModeBar": False},
    )


def show_some(version: Version, scope: Scope, names: Mapping[str, str]) -> None:
    """What everybody won and lost in some of the hands, and of what causes."""
    st.info(
        say(
            N_(
                "Only what was won and lost in the hands that pass the filters. Accounts, payments and "
                "closings belong to whole evenings: take the filters away to see them."
            )
        )
    )
    nets = money.evening_nets(version, scope.club, scope.filters).filter(money.within(scope))
    sums = nets.drop_nulls("currency").group_by("currency", "player_id").agg(pl.col("net").sum())
    if sums.is_empty():
        st.info(say(N_("No hand passes these filters. Take one of them away, or all:")))
        return
    causes = money.causes(version, scope)
    currencies = sums["currency"].unique().sort().to_list()
    for currency in currencies:
        show_currency(currency, len(currencies) > 1)
        st.subheader(say(N_("What each won and lost")))
        own = sums.filter(pl.col("currency") == currency).sort("net", "player_id", descending=[True, False])
        for player, net in own.head(PEOPLE).select("player_id", "net").iter_rows():
            whose = replace(scope.filters, club=scope.club, since=scope.since, until=scope.until)
            asked = address(replace(whose, player=scope.filters.player or (scope.club, player)))
            with st.container(horizontal=True, vertical_alignment="center"):
                label = plain(names.get(player, player))
                st.page_link("views/hands.py", label=label, query_params=asked, width="stretch")
                st.markdown(f"**{signed(net, currency)}**", width="content")
        if own.height > PEOPLE:
            st.caption(say(N_("… and {n} more."), n=number(own.height - PEOPLE)))
        behind = causes.filter(pl.col("currency") == currency)
        some = {player: names.get(player, player) for player in own["player_id"].head(PEOPLE)}
        if not behind.is_empty():
            show_causes(behind, some, currency, "some")
            show_lines(version, scope, behind, some, currency)


def show_evenings(nets: pl.DataFrame, known: Books, scope: Scope, changed: set[str]) -> None:
    """The evenings that are added up; each opens."""
    st.subheader(say(N_("Evenings")))
    own = (
        nets.group_by("evening", "day").agg(pl.len()).sort("day", "evening", descending=True, nulls_last=True)
    )
    within = own.filter(money.within(scope))
    for evening, at in within.head(PEOPLE).select("evening", "day").iter_rows():
        marks = [":material/lock:"] if (scope.club, evening) in known.closings else []
        if evening in changed:
            marks.append(":orange[" + say(N_("other sums since the closing")) + "]")
        name = evening.split(" ", 1)[-1]
        label = " · ".join([day(at), plain(name), *marks])
        asked = {"club": scope.club, "evening": evening}
        st.page_link("views/money.py", label=label, query_params=asked)
    if within.height > PEOPLE:
        st.caption(say(N_("… and {n} more."), n=number(within.height - PEOPLE)))


def show_days(version: Version, scope: Scope, known: Books, names: Mapping[str, str]) -> None:
    """A club's accounts over its evenings, or what was played in some of their hands."""
    if scope.filters != Filters(club=scope.club):
        show_some(version, scope, names)
        return
    nets = money.evening_nets(version, scope.club)
    causes = money.causes(version, scope)
    most_played = [
        currency
        for (currency,) in nets["currency"]
        .drop_nulls()
        .value_counts(sort=True)
        .select("currency")
        .iter_rows()
    ]
    currencies = list(dict.fromkeys([*most_played, *known.currencies(scope.club)]))
    changed: set[str] = set()
    for currency in currencies:
        show_currency(currency, len(currencies) > 1)
        other = accounts.changed(nets, known, scope.club, currency)
        changed |= set(other)
        moved = accounts.moved(nets, known, scope.club, currency)
        opening = known.opening(scope.club, currency)
        lines = accounts.accounts(opening, moved, scope.since, scope.until)
        whole = accounts.accounts(opening, moved, None, None)
        everybody = {line.player: names.get(line.player, line.player) for line in whole}
        due = Due(with_bank({line.player: line.balance for line in whole}))
        paying.show_payments(known, scope.club, None, currency, {**everybody, BANK: names[BANK]}, due)
        greatest = sorted(lines, key=lambda line: -max(abs(line.balance), abs(line.played)))[:PEOPLE]
        show_accounts([line for line in lines if line in greatest], names, scope, currency)
        if len(lines) > PEOPLE:
            st.caption(say(N_("… and {n} more."), n=number(len(lines) - PEOPLE)))
        show_before(*accounts.before_rulings(nets, currency, scope.since, scope.until), names, currency)
        bookkeeping.show_openings(known, scope.club, currency, names)
        show_balances(greatest, moved, scope, currency, everybody)
        own = causes.filter(pl.col("currency") == currency)
        if not own.is_empty():
            some = {line.player: everybody[line.player] for line in lines if line in greatest and line.player}
            show_causes(own, some, currency, "days")
            show_lines(version, scope, own, some, currency)
    show_evenings(nets, known, scope, changed)
