"""What the pages know: queries over one version of the database, cached for as long as it is in force.

A page asks :func:`open_version` once and works with that version to its end, so an ingest that runs
meanwhile cannot show half of itself; what it brought is there at the next interaction.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import msgspec
import polars as pl
import streamlit as st

from analyzer.judge.between import SessionFinding
from analyzer.locale import N_
from analyzer.logs.hand import Hand
from analyzer.logs.reading import read
from analyzer.reports.account import make_account
from analyzer.reports.comparison import Comparison, compare
from analyzer.reports.view import view_of
from analyzer.rules.knobs import Knobs
from analyzer.rules.loading import preset
from analyzer.rules.ruleset import Ground, RuleSet
from analyzer.store import queries
from analyzer.store.database import Database, DatabaseBroken, DatabaseError
from analyzer.store.debts import Payment, fewest_payments
from analyzer.store.reader import Reader, open_reader
from analyzer.store.sessions import evening_findings
from dashboards.words import day, language, number, plain, say

PAGE: Final = 25
"""Hands on one page of the list."""

EVENINGS: Final = 500
"""Evenings that can be chosen: the latest ones."""

Row = dict[str, Any]

BANK: Final = ""
"""Stands for the bank where players are named; no player has this id."""

NO_HANDS: Final = N_("There are no hands in this database yet. Take some in with: {command}")


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening (a session) of a club."""

    club_id: str
    evening: str


@dataclass(frozen=True, slots=True)
class Filters:
    """What the list of hands is narrowed to; a player is a club's."""

    text: str = ""
    player: tuple[str, str] | None = None
    rules: str | None = None
    since: date | None = None
    until: date | None = None
    evening: Evening | None = None
    violation: bool = False
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a database. What it is asked is asked of the database only once."""

    path: str
    name: str

    def ask(self, query: str, **parameters: Any) -> list[Row]:
        """The rows of one of the store's queries."""
        return _ask(self.path, self.name, query, parameters)

    def rows(self, sql: str, **parameters: Any) -> list[Row]:
        """The rows of a query of the pages' own."""
        return _rows(self.path, self.name, sql, parameters)


def say_no_hands() -> None:
    """What to do about an empty database."""
    st.info(plain(say(NO_HANDS, command=f"tienlen ingest PATH --db {folder()}")))


def folder() -> Path:
    """The database folder of this server."""
    return Path(os.environ.get("TIENLEN_DB") or "tienlen-db").absolute()


def open_version() -> Version:
    """The version in force; where there is none to read, says why, and ends the page."""
    database = Database(folder())
    try:
        version = Version(str(database.path), database.current())
        try:
            _reader(version.path, version.name)
        except DatabaseBroken:
            # A compaction may have removed the segments between the two steps: then a newer one is there.
            version = Version(str(database.path), database.current())
            _reader(version.path, version.name)
    except DatabaseError as error:
        st.error(plain(error.message.render(language())))
        st.markdown(say(N_("To see how this looks with sample hands, run:")) + " `tienlen demo`")
        st.stop()
    return version


@st.cache_resource(max_entries=3, show_spinner=False)
def _reader(path: str, name: str) -> Reader:
    return open_reader(Database(path), name)


@st.cache_data(max_entries=1000, show_spinner=False)
def _ask(path: str, name: str, query: str, parameters: Mapping[str, Any]) -> list[Row]:
    return queries.run(_reader(path, name), query, **parameters).to_dicts()


@st.cache_data(max_entries=1000, show_spinner=False)
def _rows(path: str, name: str, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
    return _reader(path, name).rows(sql, parameters)


# -- hands ---------------------------------------------------------------------------------------


def people(version: Version) -> dict[tuple[str, str], str]:
    """(club, player) → what they were called last, by name; namesakes with their id."""
    found = version.rows(
        """
        FROM (
            SELECT club_id, player_id, arg_max(coalesce(name, player_id), hand_key) AS name
            FROM seats GROUP BY ALL
        ) ORDER BY folded(name), club_id, player_id
        """
    )
    often = Counter(row["name"] for row in found)
    return {
        (row["club_id"], row["player_id"]): row["name"]
        if often[row["name"]] == 1
        else f"{row['name']} ({row['player_id']})"
        for row in found
    }


def rule_sets(version: Version, lang: str) -> dict[str, str]:
    """Id → title of every rule set that hands were played under."""
    found = version.rows(
        "SELECT rules_id, any_value(title_vi) AS vi, any_value(title_en) AS en "
        "FROM (SELECT DISTINCT rules_id FROM hands) LEFT JOIN rule_sets ON id = rules_id GROUP BY ALL"
    )
    return {
        row["rules_id"]: row[lang] or row["rules_id"] for row in sorted(found, key=lambda r: r["rules_id"])
    }


def days(version: Version) -> tuple[date | None, date | None]:
    """The first and the last day on which a hand was played."""
    (row,) = version.rows("SELECT min(played_on) AS first, max(played_on) AS last FROM hands")
    return row["first"], row["last"]


def find_hands(version: Version, filters: Filters, page: int = 0) -> list[Row]:
    """One page of the hands that pass the filters, the latest first.

    Each has its ``players``, its worst ``flag`` (or None) and its ``forfeit`` (event and certainty, or
    None); every row tells in ``total`` how many hands there are.
    """
    club, player = filters.player or (None, None)
    if filters.evening is not None:
        if club not in (None, filters.evening.club_id):
            return []
        club = filters.evening.club_id
    hands = version.ask(
        "hands",
        text=filters.text.strip() or None,
        club=club,
        player=player,
        evening=filters.evening.evening if filters.evening else None,
        rules=filters.rules,
        since=filters.since,
        until=filters.until,
        violation=filters.violation or None,
        forfeit=filters.forfeit or None,
        limit=PAGE,
        offset=page * PAGE,
    )
    keys = [hand["hand_key"] for hand in hands]
    flags = version.rows(
        """
        FROM violations SELECT hand_key, event, severity, message_vi AS vi, message_en AS en
        WHERE hand_key IN (SELECT unnest($keys)) AND severity <> 'info'
        QUALIFY row_number() OVER (PARTITION BY hand_key ORDER BY severity, event NULLS LAST, number) = 1
        """,
        keys=keys,
    )
    forfeits = version.rows(
        "FROM forfeits SELECT hand_key, event, certainty WHERE hand_key IN (SELECT unnest($keys))", keys=keys
    )
    flagged = {row["hand_key"]: row for row in flags}
    forfeited = {row["hand_key"]: row for row in forfeits}
    return [
        {**hand, "flag": flagged.get(hand["hand_key"]), "forfeit": forfeited.get(hand["hand_key"])}
        for hand in hands
    ]


# -- one hand ------------------------------------------------------------------------------------


def find_hand(version: Version, hand_id: str, club_id: str | None) -> Row | None:
    """A hand in force by its id; where no club is given, one without a club first."""
    found = version.rows(
        """
        SELECT hand_key, club_id, hand_id, hand_no, evening, content_sha256, rules_sha256, rules_id FROM hands
        WHERE hand_id = $hand AND ($club IS NULL OR club_id = $club) ORDER BY club_id LIMIT 1
        """,
        hand=hand_id,
        club=club_id,
    )
    return found[0] if found else None


def neighbours(version: Version, hand: Row) -> tuple[Row | None, Row | None]:
    """The hands before and after this one in its evening."""
    played = version.ask("evening_hands", club=hand["club_id"], evening=hand["evening"])
    at = next(k for k, row in enumerate(played) if row["hand_key"] == hand["hand_key"])
    return played[at - 1] if at else None, played[at + 1] if at + 1 < len(played) else None


def view(version: Version, hand: Row) -> dict[str, Any]:
    """The replay of a stored hand, under the rules it was stored with, as data for the table."""
    return _view(version, hand["hand_key"], hand["content_sha256"], hand["rules_sha256"])


@st.cache_data(max_entries=300, show_spinner=False)
def _view(_version: Version, hand_key: int, content_sha256: str, rules_sha256: str) -> dict[str, Any]:
    # Keyed by content and rules, so that it outlives the version it was read from.
    hand, rules = _stored(_version, hand_key, rules_sha256)
    shown: dict[str, Any] = json.loads(msgspec.json.encode(view_of(make_account(hand, rules))))
    return shown


def _stored(version: Version, hand_key: int, rules_sha256: str) -> tuple[Hand, RuleSet]:
    """A stored hand, and the rules that it was stored with."""
    (log,) = version.rows("SELECT log FROM hands WHERE hand_key = $key", key=hand_key)
    hand, named, _ = read(log["log"].encode())
    return hand, named if named.sha256 == rules_sha256 else stored_rules(version, rules_sha256) or named


def comparison(version: Version, hand: Row, id_: str) -> Comparison:
    """A stored hand under the rules it was stored with, and under a preset."""
    log, rules = _stored(version, hand["hand_key"], hand["rules_sha256"])
    return compare(log, [rules, preset(id_)])


def between_hands(version: Version, evening: Evening) -> list[SessionFinding]:
    """What is found between the hands of an evening."""
    return evening_findings(_reader(version.path, version.name), evening.club_id, evening.evening)


def stored_rules(version: Version, sha256: str) -> RuleSet | None:
    """The rule set as it was when hands were judged under it; a preset may have changed since."""
    found = version.rows(
        "FROM rule_sets SELECT id, title_vi AS vi, title_en AS en, text, provenance "
        "WHERE sha256 = $sha LIMIT 1",
        sha=sha256,
    )
    if not found:
        return None
    row = found[0]
    try:
        knobs = msgspec.json.decode(row["text"], type=Knobs)
    except msgspec.DecodeError:
        return None
    grounds = {
        path: Ground(told["basis"], tuple(told["sources"]), told["because"], told["doubt"], told["given_by"])
        for path, told in json.loads(row["provenance"]).items()
    }
    return RuleSet(row["id"], {"vi": row["vi"] or row["id"], "en": row["en"] or row["id"]}, knobs, grounds)


# -- money ---------------------------------------------------------------------------------------


def evenings(version: Version, asked: Evening | None) -> dict[Evening, Row]:
    """The latest evenings, and the one asked for wherever it lies."""
    found = version.ask("evenings", limit=EVENINGS, offset=0)
    known = {Evening(row["club_id"], row["evening"]): row for row in found}
    if asked is not None and asked not in known and (row := find_evening(version, asked)):
        known[asked] = row
    return known


def find_evening(version: Version, evening: Evening) -> Row | None:
    """One evening, if there is such."""
    found = version.rows(
        "FROM sessions WHERE club_id = $club AND evening = $evening",
        club=evening.club_id,
        evening=evening.evening,
    )
    return found[0] if found else None


def totals(version: Version, evening: Evening) -> list[Row]:
    """What each player won or lost that evening, by currency; the winners first."""
    rows = version.ask("evening_players", club=evening.club_id, evening=evening.evening)
    return [{**row, "name": row["name"] or row["player_id"]} for row in rows]


def payments(totals: Sequence[Row]) -> list[Payment]:
    """The fewest payments that make everybody even, in one currency; the bank's player is BANK."""
    net = {row["player_id"]: row["net"] for row in totals}
    return fewest_payments({**net, BANK: -sum(net.values(), Decimal(0))})


def causes(version: Version, evening: Evening) -> pl.DataFrame:
    """What each player won and lost that evening, by currency and cause: ``won``, ``lost`` and ``net``."""
    paid = pl.DataFrame(
        version.ask("evening_transfers", club=evening.club_id, evening=evening.evening),
        schema_overrides={"amount": pl.Decimal(38, 3), "from_player": pl.String, "to_player": pl.String},
    )
    if paid.is_empty():
        return pl.DataFrame(schema=dict.fromkeys(("currency", "player_id", "reason", "won", "lost", "net")))
    won, lost = (
        paid.select("currency", "reason", pl.col(player).alias("player_id"), pl.col("amount").alias(side))
        for player, side in (("to_player", "won"), ("from_player", "lost"))
    )
    return (
        pl.concat([won, lost.with_columns(-pl.col("lost"))], how="diagonal")
        .filter(pl.col("player_id").is_not_null())
        .group_by("currency", "player_id", "reason")
        .agg(pl.col("won").sum(), pl.col("lost").sum())
        .with_columns((pl.col("won") + pl.col("lost")).alias("net"))
        .sort("currency", "player_id", "reason")
    )


def lines(version: Version, evening: Evening, currency: str, player: str, reason: str | None) -> list[Row]:
    """The transfers behind a figure, in the order of play; what the player pays is below zero."""
    return version.rows(
        """
        SELECT
            hand_key, hands.club_id, hands.hand_id, hand_no, content_sha256, rules_sha256, number, event,
            if(to_player = $player, amount, -amount) AS amount
        FROM transfers JOIN hands USING (hand_key)
        WHERE hands.club_id = $club AND evening = $evening AND currency = $currency
            AND (to_player = $player OR from_player = $player) AND ($reason IS NULL OR reason = $reason)
        ORDER BY hand_no NULLS LAST, played_at NULLS LAST, hand_key, number
        """,
        club=evening.club_id,
        evening=evening.evening,
        currency=currency,
        player=player,
        reason=reason,
    )


def evening_title(evening: Row) -> str:
    """What an evening is called: its day and its own name."""
    return (
        f"{day(evening['played_on'])} · {evening['session_id'] or evening['table_id'] or evening['evening']}"
    )


def title(hand: Row) -> str:
    """What a hand is called: its number of the evening, or its id."""
    return say(N_("Hand {n}"), n=number(hand["hand_no"])) if hand["hand_no"] is not None else hand["hand_id"]


def address(hand: Row, event: int | None = None) -> dict[str, str]:
    """The query parameters that open a hand, at an event if one is given."""
    told = {"hand": hand["hand_id"]}
    if hand["club_id"]:
        told["club"] = hand["club_id"]
    if event is not None:
        told["event"] = str(event)
    return told
