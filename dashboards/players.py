"""What is told of a player: figures from the store's queries, and the statistics made of them.

Sums are exact. Only what is a statistic by nature (a mean, an interval, a rating) is a float.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from statistics import NormalDist
from typing import Any, Final

import polars as pl
import streamlit as st

from analyzer.reports.rating import RATED, Rating, rate
from analyzer.store.people import relation
from dashboards.data import Filters, Row, Version
from dashboards.people import Known, known

SETTLED: Final = 100
"""Hands before which a rating says little."""

_Z: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Standing:
    """A person of a club in the list of all: counts over every currency, the net of each."""

    person: str
    hands: int
    placed: int
    firsts: int
    lasts: int
    net: dict[str, Decimal]


def standings(version: Version, club: str, filters: Filters) -> list[Standing]:
    """Everybody of a club who played hands that pass the filters, who played most of them first."""
    who = known(version.path)
    rows = version.ask("players", club=club, aliases=relation(who.persons), filters=filters.where(who))
    by_person: dict[str, list[Row]] = {}
    for row in rows:
        by_person.setdefault(row["person_id"], []).append(row)
    found = [
        Standing(
            person,
            sum(row["hands"] for row in own),
            sum(row["placed"] for row in own),
            sum(row["firsts"] for row in own),
            sum(row["lasts"] for row in own),
            {row["currency"]: row["net"] for row in own},
        )
        for person, own in by_person.items()
    ]
    return sorted(found, key=lambda one: (-one.hands, one.person))


def figures(version: Version, club: str, person: str, filters: Filters) -> Row:
    """The row of ``player.sql`` for one person, as far as the filters let hands pass."""
    clock = known(version.path).clock(club)
    asked = _of(version, club, person, filters)
    return version.ask("player", **asked, time_zone=clock.time_zone, day_starts=clock.day_starts)[0]


def blocks(version: Version, club: str, person: str, filters: Filters) -> Row:
    """The row of ``player_blocks.sql``: passes in turn, and those that let something go."""
    return version.ask("player_blocks", **_of(version, club, person, filters))[0]


def opponents(version: Version, club: str, person: str, filters: Filters) -> list[Row]:
    """Everybody met at the table, most often first: ``hands``, ``ahead``, ``behind``, ``net`` by currency.

    ``net`` is what the person has had from the other, less what the other has had.
    """
    aliases = relation(known(version.path).persons)
    met = version.ask("player_opponents", **_of(version, club, person, filters), aliases=aliases)
    return [{**row, "net": {one["currency"]: one["net"] for one in row["owed"] or ()}} for row in met]


def _of(version: Version, club: str, person: str, filters: Filters) -> dict[str, Any]:
    """The parameters that all queries about one person have."""
    who = known(version.path)
    narrowed = replace(filters, club=club, player=None)
    return {"club": club, "ids": who.ids(club, person), "filters": narrowed.where(who)}


# -- statistics ----------------------------------------------------------------------------------


def half_width(hands: int, deviation: float | None) -> float | None:
    """Half of the 95 % interval around a mean per hand (Student's t); None for fewer than two hands."""
    if hands < 2 or deviation is None:
        return None
    return student(hands - 1) * deviation / math.sqrt(hands)


def student(degrees: int) -> float:
    """The 97.5 % quantile of Student's t.

    Exact for one and two degrees of freedom; else by the expansion around the normal distribution
    (Abramowitz and Stegun 26.7.5), which is right to a part in a thousand (with three, to two).
    """
    if degrees == 1:
        return math.tan(math.pi * 0.475)
    if degrees == 2:
        return 0.95 / math.sqrt(2 * 0.975 * 0.025)
    z: float = _Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / degrees**power for power, term in enumerate(terms, 1))


def rounded(value: float, width: float) -> Decimal:
    """A statistic as an amount, no finer than an interval of this half width makes sense."""
    step = Decimal(10) ** min(0, max(-3, math.floor(math.log10(width)) - 1)) if width else Decimal("0.001")
    return Decimal(value).quantize(step)


# -- the rating ----------------------------------------------------------------------------------


def ratings(version: Version, club: str) -> dict[str, Rating]:
    """Person → rating, from the places of the club's latest hands in the order of play.

    By the Plackett-Luce model of openskill; whatever else hands are narrowed to, it is made of them all.
    """
    return _ratings(version, club, relation(known(version.path).persons))


@st.cache_data(max_entries=50, show_spinner=False)
def _ratings(version: Version, club: str, aliases: list[dict[str, str]]) -> dict[str, Rating]:
    return rate(version.frame("placings", club=club, aliases=aliases, limit=RATED)["persons"].to_list())


# -- aliases -------------------------------------------------------------------------------------


def met_oneself(version: Version, club: str, one: Sequence[str], other: Sequence[str]) -> int:
    """Hands in which ids of both lists sat at the table: then they are not one person."""
    (row,) = version.rows(
        """
        SELECT count(*) AS hands FROM (
            SELECT hand_key FROM seats WHERE club_id = $club AND list_contains($one::VARCHAR[], player_id)
            INTERSECT
            SELECT hand_key FROM seats WHERE club_id = $club AND list_contains($other::VARCHAR[], player_id)
        )
        """,
        club=club,
        one=list(one),
        other=list(other),
    )
    return int(row["hands"])


def trend_frame(figures: Row, currency: str) -> pl.DataFrame:
    """Club day, hands, net and balance of one currency."""
    days = [row for row in figures["trend"] or () if row["currency"] == currency]
    return pl.DataFrame(days, schema_overrides={"net": pl.Decimal(38, 3), "balance": pl.Decimal(38, 3)})


def aliases_of(who: Known, club: str, person: str) -> list[tuple[str, Any]]:
    """(id, the entry that says so) of every other id of a person."""
    return [(id_, who.aliases[club, id_]) for id_ in who.ids(club, person)[1:]]
