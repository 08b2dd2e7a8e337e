"""What the pages know: queries over one version of the database, cached for as long as it is in force.

A page asks :func:`open_version` once and works with that version to its end, so an ingest that runs
meanwhile cannot show half of itself; what it brought is there at the next interaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final

import msgspec
import polars as pl
import streamlit as st

from analyzer.judge.between import SessionFinding
from analyzer.judge.rulings import Case, Decision
from analyzer.locale import N_
from analyzer.logs.hand import Hand
from analyzer.reports.account import make_account
from analyzer.reports.comparison import Comparison, compare
from analyzer.reports.view import view_of
from analyzer.rules.loading import preset
from analyzer.rules.ruleset import RuleSet
from analyzer.store import queries, stored
from analyzer.store.database import Database, DatabaseBroken, DatabaseError, NoDatabase
from analyzer.store.people import relation
from analyzer.store.reader import Reader
from analyzer.store.restricted import open_restricted
from analyzer.store.rulings import Key
from analyzer.store.sessions import evening_findings
from dashboards.access import clubs, restricted_name, split_name
from dashboards.access import folder as folder
from dashboards.decisions import known_cases, last_ruling
from dashboards.people import Known, known
from dashboards.words import day, distinct, language, number, plain, say

PAGE: Final = 25
"""Hands on one page of the list."""

EVENINGS: Final = 500
"""Evenings that can be chosen: the latest ones."""

Row = dict[str, Any]

NO_HANDS: Final = N_("There are no hands in this database yet. Take some in with: {command}")


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening (a session) of a club."""

    club_id: str
    evening: str


@dataclass(frozen=True, slots=True)
class Filters:
    """What hands are narrowed to. A player is a club's; days are club days; a stake has its currency."""

    text: str = ""
    club: str | None = None
    player: tuple[str, str] | None = None
    opponents: tuple[str, ...] = ()
    rules: str | None = None
    table: str | None = None
    stake: tuple[Decimal, str] | None = None
    players: int | None = None
    since: date | None = None
    until: date | None = None
    evening: Evening | None = None
    violation: bool = False
    forfeit: bool = False

    def where(self, known: Known) -> Row:
        """The store's ``hand_filters``: days as instants, persons as all the ids they have."""
        club = self.club
        if club is None:
            club = self.player[0] if self.player else self.evening.club_id if self.evening else None
        persons = ([self.player[1]] if self.player else []) + list(self.opponents)
        stake, currency = self.stake or (None, None)
        found: Row = {
            "club": club,
            "evening": self.evening.evening if self.evening else None,
            "rules": self.rules,
            "table_id": self.table,
            "stake": stake,
            "currency": currency,
            "players": self.players,
            "seated": [
                {"player_id": player, "person_id": person}
                for person in persons
                for player in known.ids(club or "", person)
            ],
        }
        for side, first in (("since", self.since), ("until", self.until and self.until + timedelta(1))):
            if first is not None:
                found[side] = known.clock(club).begins(first)
                found[f"{side}_of"] = {id_: clock.begins(first) for id_, clock in known.clocks.items()}
        return found


EVERY_HAND: Final = Filters()


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a database. What it is asked is asked of the database only once.

    ``name`` tells the version and, where the visitor may not see all clubs, which ones it shows: whatever
    is cached by path and name is cached for those who may see the same.
    """

    path: str
    name: str
    ruled: int = 0
    """Number of the last ruling that counts: what tells money is cached by it, too."""

    def ask(self, query: str, **parameters: Any) -> list[Row]:
        """The rows of one of the store's queries."""
        return _ask(self.path, self.name, self.ruled, query, parameters)

    def frame(self, query: str, **parameters: Any) -> pl.DataFrame:
        """The same as a frame, for those with many rows; who asks keeps it."""
        return queries.run(reader_of(self), query, **parameters)

    def ask_apart(self, query: str, **parameters: Any) -> pl.DataFrame:
        """The same as a frame, through a reader of its own and without keeping it: what a look through all
        hands reads does not stay in memory.
        """
        with _open(self.path, self.name) as reader:
            return queries.run(reader, query, **parameters)

    def rows(self, sql: str, **parameters: Any) -> list[Row]:
        """The rows of a query of the pages' own."""
        return _rows(self.path, self.name, self.ruled, sql, parameters)


def say_no_hands() -> None:
    """What to do about an empty database."""
    st.info(plain(say(NO_HANDS, command=f"tienlen ingest PATH --db {folder()}")))


def exists() -> bool:
    """Whether there is a database at all."""
    try:
        Database(folder()).current()
    except NoDatabase:
        return False
    except DatabaseError:
        pass
    return True


def open_version() -> Version:
    """The version in force, with the clubs that this visitor may see; where there is none to read, says why,
    and ends the page.
    """
    database = Database(folder())
    try:
        version = _version(database)
        try:
            reader_of(version)
        except DatabaseBroken:
            # A compaction may have removed the segments between the two steps: then a newer one is there.
            version = _version(database)
            reader_of(version)
    except DatabaseError as error:
        st.error(plain(error.message.render(language())))
        st.markdown(say(N_("To see how this looks with sample hands, run:")) + " `tienlen demo`")
        st.stop()
    return version


def _version(database: Database) -> Version:
    return Version(str(database.path), restricted_name(database.current(), clubs()), last_ruling())


def reader_of(version: Version) -> Reader:
    """The reader of a version, kept open for all visitors who see the same."""
    return _reader(version.path, version.name, version.ruled)


@st.cache_resource(max_entries=6, show_spinner=False)
def _reader(path: str, name: str, ruled: int) -> Reader:
    return _open(path, name)


def _open(path: str, name: str) -> Reader:
    return open_restricted(Database(path), *split_name(name))


@st.cache_data(max_entries=1000, show_spinner=False)
def _ask(path: str, name: str, ruled: int, query: str, parameters: Mapping[str, Any]) -> list[Row]:
    return queries.run(_reader(path, name, ruled), query, **parameters).to_dicts()


@st.cache_data(max_entries=1000, show_spinner=False)
def _rows(path: str, name: str, ruled: int, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
    return _reader(path, name, ruled).rows(sql, parameters)


# -- hands ---------------------------------------------------------------------------------------


def people(version: Version) -> dict[tuple[str, str], str]:
    """(club, person) → what they were called last, by name; namesakes in one club with their id."""
    found = version.ask("persons", aliases=relation(known(version.path).persons))
    clubs: dict[str, dict[str, str]] = {}
    for row in found:
        clubs.setdefault(row["club_id"], {})[row["person_id"]] = row["name"]
    told = {club: distinct(names, str) for club, names in clubs.items()}
    keys = [(row["club_id"], row["person_id"]) for row in found]
    return {(club, person): told[club][person] for club, person in keys}


def apart(people: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """(club, person) → name, where several clubs are looked at: namesakes with their club."""
    return distinct(people, lambda person: person[0] or say(N_("no club")))


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
    hands = version.ask(
        "hands",
        text=filters.text.strip() or None,
        filters=filters.where(known(version.path)),
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
    return next(iter(stored.find_hands(reader_of(version), hand_id, club_id)), None)


def neighbours(version: Version, hand: Row) -> tuple[Row | None, Row | None]:
    """The hands before and after this one in its evening."""
    played = version.ask("evening_hands", club=hand["club_id"], evening=hand["evening"])
    at = next(k for k, row in enumerate(played) if row["hand_key"] == hand["hand_key"])
    return played[at - 1] if at else None, played[at + 1] if at + 1 < len(played) else None


def view(version: Version, hand: Row) -> dict[str, Any]:
    """The replay of a stored hand, under the rules it was stored with, as data for the table."""
    return _view(version, hand, hand["content_sha256"], hand["rules_sha256"], tuple(ruled(hand)))


@st.cache_data(max_entries=300, show_spinner=False)
def _view(
    _version: Version,
    _hand: Row,
    content_sha256: str,
    rules_sha256: str,
    ruled: tuple[Decision, ...],
) -> dict[str, Any]:
    # Keyed by content, rules and rulings, so that it outlives the version it was read from.
    account = make_account(*logged(_version, _hand), ruled)
    shown: dict[str, Any] = json.loads(msgspec.json.encode(view_of(account)))
    return shown


def no_case(hand: Row) -> Case:
    """The case of a hand about which nobody entered anything."""
    return Case(hand["club_id"], hand["hand_id"])


def ruled(hand: Row, cases: Mapping[Key, Case] | None = None) -> list[Decision]:
    """The decisions that stand on a hand. Who asks for many hands gives the known cases, read once."""
    case = (known_cases() if cases is None else cases).get((hand["club_id"], hand["hand_id"]))
    return case.ruled(hand["content_sha256"]) if case is not None else []


def logged(version: Version, hand: Row) -> tuple[Hand, RuleSet]:
    """A stored hand as its log tells it, and the rules that it was stored with."""
    return stored.stored_hand(reader_of(version), hand["hand_key"], hand["rules_sha256"])


def parsed(version: Version, log: str, rules_sha256: str) -> tuple[Hand, RuleSet]:
    """A stored log as a hand, and the rules that it was stored with."""
    return stored.parsed(reader_of(version), log, rules_sha256)


def comparison(version: Version, hand: Row, id_: str) -> Comparison:
    """A stored hand under the rules it was stored with, and under a preset."""
    log, rules = logged(version, hand)
    return compare(log, [rules, preset(id_)])


def between_hands(version: Version, evening: Evening) -> list[SessionFinding]:
    """What is found between the hands of an evening."""
    who, names = known(version.path), people(version)

    def called(player: str) -> str:
        person = who.person(evening.club_id, player)
        return names.get((evening.club_id, person), person)

    return _between_hands(version, evening, repr((who.persons, names)), called)


@st.cache_resource(max_entries=300, show_spinner=False)
def _between_hands(
    version: Version, evening: Evening, names: str, _called: Callable[[str], str]
) -> list[SessionFinding]:
    # ``names`` tells what ``_called`` answers.
    return evening_findings(reader_of(version), evening.club_id, evening.evening, _called)


def stored_rules(version: Version, sha256: str) -> RuleSet | None:
    """The rule set as it was when hands were judged under it; a preset may have changed since."""
    return stored.stored_rules(reader_of(version), sha256)


# -- money ---------------------------------------------------------------------------------------


def evenings(version: Version, asked: Evening | None) -> dict[Evening, Row]:
    """The latest evenings, and the one asked for wherever it lies."""
    found = version.rows(
        "FROM sessions SELECT club_id, evening, session_id, table_id, played_on, hands "
        "ORDER BY started_at DESC NULLS LAST, club_id, evening LIMIT $limit",
        limit=EVENINGS,
    )
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
