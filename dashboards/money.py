"""What the money page knows: sums over evenings and days, and what the treasurer entered."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import msgspec
import polars as pl
import streamlit as st

from analyzer.judge.rulings import Decision
from analyzer.reports.account import line_text, make_account
from analyzer.store.database import Database
from analyzer.store.debts import Payment, fewest_payments
from analyzer.store.dues import Due, dues, nets_of
from analyzer.store.journal import Journal
from analyzer.store.people import relation
from analyzer.store.treasury import KINDS, Books, books, with_bank
from dashboards import data
from dashboards.data import EVERY_HAND, Evening, Filters, Row, Version
from dashboards.decisions import known_cases
from dashboards.people import known

BANK: Final = ""
"""Stands for the bank where players are named; no player has this id."""

LINES: Final = 25
"""Transfers on one page of those behind a figure."""

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scope:
    """What is added up: one evening of a club, or its evenings that began on some club days (None: any)."""

    club: str
    evening: str | None = None
    since: date | None = None
    until: date | None = None
    filters: Filters = EVERY_HAND
    """Which of their hands; its days say nothing here, since evenings are whole."""


# -- what the hands say ----------------------------------------------------------------------------


def asked(version: Version, club: str, filters: Filters = EVERY_HAND) -> dict[str, Any]:
    """What every query about a club's money is asked: which hands count, and who is who."""
    who = known(version.path)
    where = replace(filters, club=club, since=None, until=None).where(who)
    without = [row["hand_key"] for row in counted_elsewhere(version, club)]
    return {"club": club, "filters": {**where, "without": without}, "aliases": relation(who.persons)}


def counted_elsewhere(version: Version, club: str) -> list[Row]:
    """The hands that stood in another evening when that was closed, and count there as long as it is."""
    closings = kept().closed(club)
    return version.ask("counted_elsewhere", club=club, closings=closings) if closings else []


def emptied(version: Version) -> list[Row]:
    """Closed evenings in which no hand stands any more, as rows of sessions."""
    closings = [{"club_id": club, "evening": evening} for club, evening in kept().closings]
    return version.ask("emptied_evenings", closings=closings) if closings else []


def totals(version: Version, evening: Evening) -> list[Row]:
    """What each person won or lost that evening, by currency; the winners first."""
    rows = version.ask("evening_players", **asked(version, evening.club_id), evening=evening.evening)
    return [{**row, "name": row["name"] or row["player_id"]} for row in rows]


def payments(net: Mapping[str, Decimal]) -> list[Payment]:
    """The fewest payments that make everybody even, in one currency; the bank's player is BANK."""
    return fewest_payments(with_bank(net))


def causes(version: Version, scope: Scope) -> pl.DataFrame:
    """What each person won and lost, by currency and cause: ``won``, ``lost`` and ``net``."""
    amounts: Schema = dict.fromkeys(("won", "lost", "net"), pl.Decimal(38, 3))
    texts: Schema = dict.fromkeys(("currency", "player_id", "reason"), pl.String)
    return pl.DataFrame(
        version.ask("causes", **asked(version, scope.club, scope.filters), evenings=evenings(version, scope)),
        schema={**texts, **amounts, "transfers": pl.Int64},
    )


def lines(
    version: Version, scope: Scope, currency: str, player: str, reason: str | None, page: int = 0
) -> list[Row]:
    """One page of the transfers behind a figure, in the order of play; what the person pays is below zero.

    Every row tells in ``found`` and ``total`` how many there are and their sum.
    """
    where = asked(version, scope.club, scope.filters)
    return version.ask(
        "transfers",
        club=scope.club,
        filters=where["filters"],
        evenings=evenings(version, scope),
        ids=known(version.path).ids(scope.club, player),
        currency=currency,
        reason=reason,
        limit=LINES,
        offset=page * LINES,
    )


def evenings(version: Version, scope: Scope) -> list[str] | None:
    """The evenings of a scope; None for all of the club."""
    if scope.evening is not None or (scope.since is None and scope.until is None):
        return None if scope.evening is None else [scope.evening]
    nets = evening_nets(version, scope.club)
    return sorted(nets.filter(within(scope))["evening"].unique())


def within(scope: Scope) -> pl.Expr:
    """Whether an evening began on the days of a scope."""
    every = pl.lit(True)
    return pl.all_horizontal(
        every if scope.since is None else pl.col("day") >= scope.since,
        every if scope.until is None else pl.col("day") <= scope.until,
    )


def lines_told(version: Version, lines: Sequence[Row]) -> list[dict[str, str]]:
    """Each transfer as a sentence, in every language."""
    cases = known_cases()
    hands = {
        line["hand_key"]: (line["content_sha256"], line["rules_sha256"], tuple(data.ruled(line, cases)))
        for line in lines
    }
    club = lines[0]["club_id"] if lines else ""
    called = data.people(version)
    names = {
        player: called.get((club, person), person)
        for (of, player), person in known(version.path).persons.items()
        if of == club
    }
    told = _lines_told(version, tuple((key, *hands[key]) for key in sorted(hands)), names)
    return [told[line["hand_key"]][line["number"]] for line in lines]


@st.cache_data(max_entries=300, show_spinner=False)
def _lines_told(
    _version: Version,
    hands: tuple[tuple[int, str, str, tuple[Decision, ...]], ...],
    names: Mapping[str, str],
) -> dict[int, list[dict[str, str]]]:
    # Keyed by content, rules and rulings, so that it outlives the version it was read from. All logs are
    # asked for at once: one by one they would take longer than replaying them.
    logs = dict(_version.frame("logs", keys=[hand[0] for hand in hands]).iter_rows())
    told = {}
    for key, _, rules_sha256, ruled in hands:
        hand, rules = data.parsed(_version, logs[key], rules_sha256)
        players = tuple(
            msgspec.structs.replace(one, name=names.get(one.id, one.name)) for one in hand.players
        )
        account = make_account(msgspec.structs.replace(hand, players=players), rules, ruled)
        told[key] = [line_text(account, line).both() for line in account.lines]
    return told


def seats(version: Version, evening: Evening) -> list[Row]:
    """Every seat of every hand of the evening, with its player's running ``balance``."""
    return version.ask("evening_seats", **asked(version, evening.club_id), evening=evening.evening)


def digest(version: Version, evening: Evening) -> str:
    """SHA-256 over what was played and under which rules: differs whenever a hand of the evening does."""
    (row,) = version.rows(
        "SELECT string_agg(content_sha256 || rules_sha256, '' ORDER BY content_sha256) AS told "
        "FROM hands WHERE club_id = $club AND evening = $evening",
        club=evening.club_id,
        evening=evening.evening,
    )
    return hashlib.sha256((row["told"] or "").encode()).hexdigest()


def evening_nets(version: Version, club: str, filters: Filters = EVERY_HAND) -> pl.DataFrame:
    """What each person of a club won or lost on each evening, and the club day on which it began.

    An evening that is closed and has no hands any more has its day and no player.
    """
    clock = known(version.path).clock(club)
    told = asked(version, club, filters)
    key = repr((told, clock))
    found = _evening_nets(
        version.path, version.name, version.ruled, key, version, {**told, **msgspec.structs.asdict(clock)}
    )
    days = [
        (row["evening"], clock.day_of(row["started_at"]) if row["started_at"] else None)
        for row in emptied(version)
        if row["club_id"] == club
    ]
    if not days:
        return found
    empty = pl.DataFrame(days, schema={"evening": pl.String, "day": pl.Date}, orient="row")
    return pl.concat([empty, found], how="diagonal").sort("day", maintain_order=True)


def days(version: Version, club: str, ledger: Books) -> tuple[date, date] | None:
    """The first and the last day on which anything changed the balances of a club, by play or by payment."""
    paid = [ledger.day_of(*row) for row in ledger.payments.values() if row[1].club == club]
    known = [*evening_nets(version, club)["day"].drop_nulls(), *paid]
    return (min(known), max(known)) if known else None


@st.cache_resource(max_entries=6, show_spinner=False)
def _evening_nets(
    path: str, name: str, ruled: int, key: str, _version: Version, _asked: dict[str, Any]
) -> pl.DataFrame:
    return _version.frame("evening_nets", **_asked)


# -- what the treasurer entered --------------------------------------------------------------------


def journal() -> Journal:
    """The journal of this server's database."""
    return Journal(Database(data.folder()))


def kept() -> Books:
    """All decisions about money. Raises DatabaseError where the journal cannot be read."""
    return _kept(data.folder(), journal().state())


@st.cache_resource(max_entries=4, show_spinner=False)
def _kept(folder: Path, state: int) -> Books:
    return books(Journal(Database(folder)).entries(*KINDS))


def names(version: Version, club: str, ledger: Books) -> dict[str, str]:
    """Player → name, of everybody who played in a club or is in its books; namesakes with their id."""
    everybody = {player: name for (own, player), name in data.people(version).items() if own == club}
    entered = [paid for _, paid in ledger.payments.values() if paid.club == club]
    for player in {side for paid in entered for side in (paid.payer, paid.payee)} - {BANK}:
        everybody.setdefault(player, player)
    return everybody


def due_of(nets: pl.DataFrame, ledger: Books, evening: Evening, currency: str) -> Due:
    """What is due of an evening; ``nets`` are those of all evenings of its club.

    The others are looked at only where a payment on the account may have settled this one or them.
    """
    club = evening.club_id
    if all(paid.evening is not None for _, paid in ledger.paid(club, currency)):
        nets = nets.filter(pl.col("evening") == evening.evening)
    rows = nets.iter_rows(named=True)
    return dues(nets_of(rows, ledger, club, currency), ledger, club, currency)[evening.evening]
