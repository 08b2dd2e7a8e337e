"""Người chơi: what each player did, won and lost, with what every figure means and rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import streamlit as st

from analyzer.locale import N_
from analyzer.reports.money import REASONS, UNITS
from analyzer.reports.rating import RATED, Rating
from dashboards import data, players
from dashboards.aliases import show_aliases, show_all_aliases
from dashboards.charts import trend_chart
from dashboards.data import Filters, Row
from dashboards.definitions import (
    BLOCKS,
    CAUSES,
    COUNTS,
    HANDS,
    OPPONENTS,
    ORDERS,
    PER_HAND,
    PLACES,
    RATING,
    RUN,
    RUNS,
)
from dashboards.filters import Player, address, choose, clear, is_narrowed, options
from dashboards.players import SETTLED, Standing
from dashboards.words import day, language, number, paid, percent, plain, say, separators, signed, statistic

PAGE = 25  # players on one page of the list
SHOWN = 20  # opponents shown at first


def tell(label: str, value: str, rests_on: str, meaning: str) -> None:
    """One figure: what it is, its value, its sample size, and on hover its definition."""
    with st.container(border=True, gap="xxsmall", width=165):
        st.caption(say(label), help=meaning)
        st.markdown(f"**{value}**")
        st.caption(rests_on)


def share(count: int, of: int) -> str:
    """A share of so many, as a percentage; a dash where there are none."""
    return percent(count / of) if of else "–"


def hands_in(count: int) -> str:
    """A sample size in hands."""
    return say(N_("in {n} hands"), n=number(count))


def count_of(count: int, of: int) -> str:
    """So many of so many hands."""
    return say(N_("{count} of {n} hands"), count=number(count), n=number(of))


# -- everybody -----------------------------------------------------------------------------------


def show_everybody(club: str) -> None:
    """The club's players, a page at a time."""
    everybody = players.standings(version, club, filters)
    if not everybody:
        show_nothing()
        return
    currencies = sorted({currency for one in everybody for currency in one.net})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.markdown(say(N_("**{n}** players"), n=number(len(everybody))), width="stretch")
        orders = {say(text): key for key, text in ORDERS.items()}
        order = orders[st.selectbox(say(N_("Order by")), list(orders), key=f"order-{language()}", width=200)]
        currency = currencies[0]
        if order == "net" and len(currencies) > 1:
            currency = st.selectbox(say(N_("Currency")), currencies, key="currency", width=160)
        pages = -(-len(everybody) // PAGE)
        at = 1
        if pages > 1:
            at = st.number_input(
                say(N_("Page of {n}"), n=number(pages)),
                1,
                pages,
                key=f"page-{hash((filters, order, currency))}",
                width=130,
            )
    rated = rate(club) if order == "rating" else {}
    everybody.sort(key=ranking(order, currency, rated))
    for one in everybody[(at - 1) * PAGE : at * PAGE]:
        show_standing(club, one, rated.get(one.person))
    if order == "rating":
        st.caption(say(RATING.meaning, n=number(RATED)))


def ranking(order: str, currency: str, rated: dict[str, Rating]) -> Callable[[Standing], Any]:
    """The key that puts the list in order; who has no such figure comes last."""
    if order == "firsts":
        return lambda one: (-one.firsts / one.placed if one.placed else 1, -one.hands, one.person)
    if order == "net":
        return lambda one: (currency not in one.net, -one.net.get(currency, Decimal(0)), one.person)
    if order == "rating":
        # What a player is at least, with some confidence: else two lucky hands would lead the list.
        return lambda one: (
            -(rated[one.person].mu - 2 * rated[one.person].sigma) if one.person in rated else 99,
            one.person,
        )
    return lambda one: (-one.hands, one.person)


def show_standing(club: str, one: Standing, rating: Rating | None) -> None:
    """One player of the list; the name leads to the player."""
    told = [
        say(N_("{n} hands"), n=number(one.hands)),
        say(
            N_("first in {first}, last in {last} of the {placed} hands with a place"),
            first=share(one.firsts, one.placed),
            last=share(one.lasts, one.placed),
            placed=number(one.placed),
        ),
    ]
    if rating is not None:
        told.insert(0, f"**{strength(rating)}**")
    asked = address(replace(filters, club=club, player=(club, one.person)))
    show_line("views/players.py", asked, (club, one.person), one.net, " · ".join(told))


def show_line(
    page: str, asked: dict[str, str | list[str]], player: Player, net: dict[str, Decimal], told: str
) -> None:
    """A player in a list: the name as a link, amounts by currency, and a line about them."""
    with st.container(border=True, gap="xxsmall"):
        name = plain(offered.people.get(player, player[1]))
        st.page_link(page, label=f"**{name}**", query_params=asked)
        nets = [f"**{signed(amount, currency)}**" for currency, amount in sorted(net.items())]
        st.markdown(" · ".join([*(nets or ["–"]), f":gray[:small[{told}]]"]))


def show_nothing() -> None:
    """What is said where the filters leave nothing."""
    st.info(say(N_("No hand passes these filters. Take one of them away, or all:")))
    st.button(say(N_("Clear all filters")), on_click=clear)


# -- one player ----------------------------------------------------------------------------------


def show_player(club: str, person: str) -> None:
    """Everything that is told of one player: what is quickly known first."""
    narrowed: Filters = replace(filters, player=None)
    found = players.figures(version, club, person, narrowed)
    asked = address(replace(filters, club=club, player=(club, person)))
    everybody = address(replace(filters, player=None))
    st.header(plain(offered.people[club, person]))
    with st.container(horizontal=True):
        label = say(N_("All players"))
        st.page_link("views/players.py", label=label, icon=":material/arrow_back:", query_params=everybody)
        label = say(N_("The hands of this player"))
        st.page_link("views/hands.py", label=label, icon=":material/list:", query_params=asked)
    if not found["hands"]:
        show_nothing()
    else:
        show_places(found)
        show_money(found)
        show_conduct(found, players.blocks(version, club, person, narrowed))
        show_trend(found)
        show_opponents(club, person, narrowed)
        show_rating(club, person)
    show_aliases(version, offered, club, person)


def show_places(found: Row) -> None:
    """How many hands, and in which places they ended."""
    st.subheader(say(N_("Hands and places")))
    undecided = found["hands"] - found["placed"]
    rest = say(N_("{n} without a place"), n=number(undecided)) if undecided else say(N_("all with a place"))
    with st.container(horizontal=True):
        tell(HANDS.label, number(found["hands"]), rest, say(HANDS.meaning))
        for key, (label, meaning) in PLACES.items():
            size = count_of(found[key], found["placed"])
            tell(label, share(found[key], found["placed"]), size, say(meaning))


def show_money(found: Row) -> None:
    """The net, by currency and rule set, and what it comes to a hand."""
    st.subheader(say(N_("Won and lost")))
    for row in found["nets"]:
        if row["rules_id"] is not None and sum(r["currency"] == row["currency"] for r in found["nets"]) == 2:
            continue  # under one rule set only: the line would say the same again
        currency = row["currency"]
        name = say(UNITS[currency]) if currency in UNITS else currency
        title = name if row["rules_id"] is None else offered.rules.get(row["rules_id"], row["rules_id"])
        with st.container(border=row["rules_id"] is None, gap="xxsmall"):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(plain(title), width="stretch")
                st.markdown(f"**{signed(row['net'], currency)}**", width="content")
            st.caption(f"{hands_in(row['hands'])} · {per_hand(row)}", help=say(PER_HAND))


def per_hand(row: Row) -> str:
    """The mean of a hand, with its interval."""
    currency, half = row["currency"], players.half_width(row["hands"], row["deviation"])
    mean = row["net"] / row["hands"]
    if half is None:
        return say(N_("{mean} a hand"), mean=signed(players.rounded(mean, 0), currency))
    low, middle, high = (players.rounded(float(mean) + part, half) for part in (-half, 0, half))
    return say(
        N_("{mean} a hand (95 %: {low} to {high})"),
        mean=signed(middle, currency),
        low=signed(low, currency),
        high=signed(high, currency),
    )


def show_conduct(found: Row, blocks: Row) -> None:
    """Chops, frozen hands, forfeits, missed blocks, instant wins and runs: how often, and in money."""
    st.subheader(say(N_("What happened at the table")))
    hands = found["hands"]
    with st.container(horizontal=True):
        for key, (label, meaning) in COUNTS.items():
            size = hands_in(hands)
            if key == "forfeits" and found["forfeits_possible"]:
                size += more_possible(found["forfeits_possible"])
            tell(label, number(found[key]), size, say(meaning))
        size = say(N_("{count} of {n} passes"), count=number(blocks["missed"]), n=number(blocks["passes"]))
        if blocks["possible"]:
            size += more_possible(blocks["possible"])
        tell(BLOCKS.label, share(blocks["missed"], blocks["passes"]), size, say(BLOCKS.meaning))
        lengths = {row["run"]: row["length"] for row in found["runs"] or ()}
        for run, label in RUNS.items():
            tell(label, number(lengths.get(run, 0)), hands_in(hands), say(RUN))
    for reason, name in REASONS.items():
        rows = [row for row in found["causes"] or () if row["reason"] == reason]
        if rows and reason in CAUSES:
            st.markdown(f"**{say(CAUSES[reason].label)}**", help=say(CAUSES[reason].meaning))
        elif rows:
            label = say(name)
            st.markdown(f"**{label[:1].upper()}{label[1:]}**")
        for row in rows:
            told = say(
                N_("received {received}, paid {paid}, in {n} hands"),
                received=paid(row["received"], row["currency"]),
                paid=paid(row["paid"], row["currency"]),
                n=number(row["hands"]),
            )
            st.caption(told)


def more_possible(count: int) -> str:
    """What only unknown cards could decide."""
    return " · " + say(N_("{n} more are possible"), n=number(count))


def show_trend(found: Row) -> None:
    """The balance over the club days, a picture for each currency."""
    st.subheader(say(N_("Over time")))
    if found["undated"]:
        st.caption(say(N_("Left out: {n} hands without a date."), n=number(found["undated"])))
    for currency in dict.fromkeys(row["currency"] for row in found["trend"] or ()):
        frame = players.trend_frame(found, currency)
        texts = [
            say(
                N_("{day}: {net} in {n} hands, {balance} in all"),
                day=day(row["day"]),
                net=signed(row["net"], currency),
                n=number(row["hands"]),
                balance=signed(row["balance"], currency),
            )
            for row in frame.iter_rows(named=True)
        ]
        st.caption(say(UNITS[currency]) if currency in UNITS else currency)
        if len(texts) == 1:
            st.markdown(texts[0])
            continue
        chart = trend_chart(frame, texts, separators())
        st.plotly_chart(chart, key=f"trend-{currency}", config={"displayModeBar": False})


def show_opponents(club: str, person: str, narrowed: Filters) -> None:
    """The player against each of the others."""
    st.subheader(say(OPPONENTS.label), help=say(OPPONENTS.meaning))
    met = players.opponents(version, club, person, narrowed)
    shown = met if st.session_state.get("all-opponents") else met[:SHOWN]
    for row in shown:
        both = row["ahead"] + row["behind"]
        told = say(
            N_("{n} hands together, ahead in {share} of {placed}"),
            n=number(row["hands"]),
            share=share(row["ahead"], both),
            placed=number(both),
        )
        asked = address(replace(filters, club=club, player=(club, person), opponents=(row["person_id"],)))
        show_line("views/hands.py", asked, (club, row["person_id"]), row["net"], told)
    if len(met) > SHOWN:
        st.checkbox(say(N_("Show all {n}"), n=number(len(met))), key="all-opponents")


def show_rating(club: str, person: str) -> None:
    """The rating, which takes a moment the first time: last."""
    st.subheader(say(RATING.label))
    rating = rate(club).get(person)
    if rating is None:
        st.caption(say(N_("No hand of this player in which everybody has a place.")))
        return
    tell(RATING.label, strength(rating), hands_in(rating.hands), say(RATING.meaning, n=number(RATED)))
    if rating.hands < SETTLED:
        st.caption(say(N_("Fewer than {n} hands: this says little yet."), n=number(SETTLED)))


def rate(club: str) -> dict[str, Rating]:
    """The club's ratings; a moment's work the first time in a version of the database."""
    with st.spinner(say(N_("Working out the ratings …"))):
        return players.ratings(version, club)


def strength(rating: Rating) -> str:
    """A rating with twice its standard deviation."""
    return f"{statistic(rating.mu)} ± {statistic(2 * rating.sigma)}"


version = data.open_version()
st.title(say(N_("Players")))
offered = options(version)
if not offered.people:
    data.say_no_hands()
    st.stop()

filters = choose(version, offered, "players", one_club=True)
if is_narrowed(replace(filters, player=None), offered, one_club=True):
    st.button(say(N_("Clear all filters")), on_click=clear, type="tertiary")
if filters.player is not None:
    show_player(*filters.player)
else:
    show_everybody(filters.club or "")
    show_all_aliases(version, offered, filters.club or "")
