"""Are the stored hands what their logs say, and their verdicts what the engine gives? Each one is read again.

A hand's log gives its content hash and, under the rules stored with it, everything else that is stored of
it. So a change to any of these is found and the hand named, whatever the file says of itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import duckdb
import pyarrow as pa

from analyzer.judge.judging import judge
from analyzer.judge.rulings import Case
from analyzer.locale import N_, Message
from analyzer.logs.canonical import canonical_bytes, content_sha256
from analyzer.logs.carriers import Read
from analyzer.logs.hand import Hand
from analyzer.logs.reading import read
from analyzer.logs.refusal import Fault as Refused
from analyzer.logs.refusal import Place
from analyzer.rules.house import house_of
from analyzer.rules.ruleset import RuleSet
from analyzer.store.database import Database, DatabaseError, Segment
from analyzer.store.relations import alias, attach, columns, connect, union
from analyzer.store.rows import HAND, Rows
from analyzer.store.stored import rules_of
from analyzer.version import VERSION

BATCH: Final = 2000
"""Hands that are judged before their rows are compared."""

TOLD: Final = 100
"""Hands of a segment that are named at most."""

_APART: Final = {
    "hands": {"evening", "engine", "source_path", "source_line", "source_index", "source_offset", "log"},
    "violations": {"message_vi", "message_en"},
}
"""Columns that do not follow from the log and the rules alone, or are worded by the program."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: where, what, and what to do."""

    where: str | Message
    what: Message
    advice: Message

    def message(self) -> Message:
        """The fault in one line."""
        return Message("{where}: {what}. {advice}.", where=self.where, what=self.what, advice=self.advice)


CHANGED: Final = Message(
    N_("Somebody or something changed it: take the segment from a backup, or take the log in again elsewhere")
)
_OTHER: Final = Message(
    N_("It was changed, or judged by another version of the program: compare with tienlen replay")
)

Row = dict[str, Any]


def prove_hands(
    database: Database,
    segments: tuple[Segment, ...],
    *,
    deep: bool,
    progress: Callable[[int], object] | None = None,
) -> Iterator[Fault]:
    """What is wrong with the hands of some segments; ``deep``: their verdicts, too.

    ``progress`` is told how many more hands were looked at. A segment that cannot be opened is passed over:
    that its bytes changed is told by others.
    """
    connection = connect()
    connection.execute("SET python_enable_replacements = false")
    try:
        there = []
        for segment in segments:
            try:
                attach(connection, database, (segment,))
            except DatabaseError:
                continue
            there.append(segment)
        rules = _Rules(connection, there)
        for segment in there:
            try:
                found = 0
                for fault in _segment(connection, segment, rules, deep, progress):
                    found += 1
                    if found <= TOLD:
                        yield fault
                if found > TOLD:
                    what = Message(N_("{n} more hands like these"), n=found - TOLD)
                    yield Fault(segment.name, what, CHANGED)
            except duckdb.Error as error:
                what = Message(N_("it cannot be read: {why}"), why=str(error).splitlines()[0])
                yield Fault(segment.name, what, CHANGED)
    finally:
        connection.close()


def prove_rulings(
    database: Database, segments: Mapping[str, Segment], cases: Mapping[tuple[str, str], Case]
) -> Iterator[Fault]:
    """The entries that rule on what no stored revision of the hand has: its content, or a seat."""
    connection = connect()
    try:
        there = []
        for segment in segments.values():
            try:
                attach(connection, database, (segment,))
            except DatabaseError:
                continue
            there.append(segment)
        known: dict[tuple[str, str, str], int] = {}
        for club, hand, sha256, players in connection.execute(
            f"SELECT club_id, hand_id, content_sha256, player_count FROM ({union('hands', there)}) "
            "WHERE hand_id IN (SELECT unnest($ids::VARCHAR[]))",
            {"ids": sorted({hand for _, hand in cases})},
        ).fetchall():
            known[club, hand, sha256] = players
    finally:
        connection.close()
    for (club, hand), case in cases.items():
        for decision in case.decisions:
            where = Message(N_("entry {number} of the journal"), number=decision.number)
            players = known.get((club, hand, decision.content_sha256))
            if players is None:
                text = N_("it rules on {hand} as of content {sha256}, and no stored revision has that")
                what = Message(text, hand=named(club, hand), sha256=decision.content_sha256[:12])
                advice = N_(
                    "Take in the log that was ruled on; it went with an old version, or somebody changed it"
                )
                yield Fault(where, what, Message(advice))
                continue
            seats = [seat for moved in decision.moves for seat in (moved.from_, moved.to) if seat is not None]
            if max([*seats, decision.about.seat or 0]) >= players:
                text = N_("it rules on a seat that {hand} has not")
                yield Fault(where, Message(text, hand=named(club, hand)), CHANGED)


class _Rules:
    """The rule sets stored in some segments, each decoded once."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, segments: list[Segment]) -> None:
        self.connection = connection
        self.query = f"SELECT * FROM ({union('rule_sets', segments)}) WHERE sha256 = $sha LIMIT 1"
        self.known: dict[str, RuleSet | None] = {}

    def get(self, now: RuleSet, sha256: str) -> RuleSet | None:
        """The rules that a hand was stored with; ``now`` are those that its log names, as they are now."""
        if now.sha256 == sha256:
            return now
        if sha256 not in self.known:
            result = self.connection.execute(self.query, {"sha": sha256})
            names = [column[0] for column in result.description or ()]
            row = result.fetchone()
            self.known[sha256] = rules_of(dict(zip(names, row, strict=True))) if row else None
        return self.known[sha256]


def _segment(
    connection: duckdb.DuckDBPyConnection,
    segment: Segment,
    rules: _Rules,
    deep: bool,
    progress: Callable[[int], object] | None,
) -> Iterator[Fault]:
    own = alias(segment)
    query = f"SELECT table_name FROM duckdb_tables() WHERE database_name = '{own}'"
    tables = {table for (table,) in connection.execute(query).fetchall()}
    last = -1
    while True:
        hands = _batch(connection, own, last)
        if not hands:
            break
        last = hands[-1]["hand_key"]
        yield from _prove(connection, own, tables, hands, rules, deep)
        if progress is not None:
            progress(len(hands))
    gone = Message(N_("it is gone, and rows that belong to it are not"))
    for club, hand in connection.execute(
        "SELECT DISTINCT club_id, hand_id "
        f"FROM {own}.seats ANTI JOIN {own}.hands USING (hand_key) LIMIT {TOLD}"
    ).fetchall():
        yield Fault(named(club, hand), gone, CHANGED)


def _batch(connection: duckdb.DuckDBPyConnection, own: str, last: int) -> list[Row]:
    result = connection.execute(
        "SELECT hand_key, club_id, hand_id, revision, content_sha256, rules_sha256, engine, log "
        f"FROM {own}.hands "
        f"WHERE hand_key > $last ORDER BY hand_key LIMIT {BATCH}",
        {"last": last},
    )
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _prove(
    connection: duckdb.DuckDBPyConnection,
    own: str,
    tables: set[str],
    hands: list[Row],
    rules: _Rules,
    deep: bool,
) -> Iterator[Fault]:
    rows, kept = Rows(), []
    for row in hands:
        where = named(row["club_id"], row["hand_id"], row["revision"])
        try:
            hand, preset, _ = read(row["log"].encode())
        except Refused as error:
            yield Fault(where, Message(N_("its log cannot be read: {why}"), why=str(error)), CHANGED)
            continue
        if (fault := _content(row, hand)) is not None:
            yield Fault(where, fault, CHANGED)
            continue
        used = rules.get(preset, row["rules_sha256"])
        if used is None:
            text = N_("the rules that it was judged under ({sha256}) are not stored")
            yield Fault(where, Message(text, sha256=row["rules_sha256"][:12]), CHANGED)
        elif deep:
            told = Read(Place("", None, None, 0), hand, used, canonical_bytes(hand), b"")
            try:
                judgement = judge(hand, house_of(used))
            except Exception as error:  # one hand that the program fails on must not hide the others
                yield Fault(where, Message(N_("it cannot be judged: {why}"), why=repr(error)), _OTHER)
                continue
            rows.add(told, judgement, row["content_sha256"])
            kept.append(row)
    if not kept:
        return
    apart: dict[int, list[str]] = {}
    fresh, keys = rows.tables(), [row["hand_key"] for row in kept]
    for table, names in columns().items():
        if table in tables and "hand_key" in names and table != "superseded":
            for key in _differing(connection, own, table, fresh.get(table), keys):
                apart.setdefault(key, []).append(table)
    for row in kept:
        if row["hand_key"] in apart:
            what = Message(
                N_("its stored {tables} are not what the engine gives (stored by {engine}, now {now})"),
                tables=", ".join(apart[row["hand_key"]]),
                engine=row["engine"],
                now=VERSION,
            )
            yield Fault(named(row["club_id"], row["hand_id"], row["revision"]), what, _OTHER)


def _content(row: Row, hand: Hand) -> Message | None:
    """What of a stored row its log contradicts: its identity or its content hash."""
    told = row["club_id"], row["hand_id"], row["revision"]
    if (*hand.identity, hand.revision_number) != told:
        other = named(*hand.identity, hand.revision_number)
        return Message(N_("its log is that of another hand: {hand}"), hand=other)
    if (found := content_sha256(hand)) != row["content_sha256"]:
        return Message(
            N_("its log has content hash {found}, stored is {expected}"),
            found=found[:12],
            expected=row["content_sha256"][:12],
        )
    return None


def _differing(
    connection: duckdb.DuckDBPyConnection, own: str, table: str, fresh: pa.Table | None, keys: list[int]
) -> set[int]:
    """The hands of which a table's rows are not those that were made anew."""
    names = [
        name
        for name in columns()[table]
        if name not in _APART.get(table, ()) and name not in ("hand_key", "club_id", "hand_id", "ingested_at")
    ]
    own_keys = "hand_key IN (SELECT unnest($keys::BIGINT[]))"
    told = ", ".join(["hand_key", *(_plain(table, name) for name in names)])
    stored = f"SELECT {told} FROM {own}.{table} WHERE {own_keys}"
    if fresh is None:
        query = f"SELECT DISTINCT hand_key FROM ({stored})"
        return {key for (key,) in connection.execute(query, {"keys": keys}).fetchall()}
    index = pa.array(keys, pa.int64())
    whose = index if HAND not in fresh.column_names else index.take(fresh[HAND].combine_chunks())
    connection.register("fresh", fresh.append_column("hand_key", whose))
    try:
        anew = f"SELECT {told} FROM fresh"
        either = f"({stored} EXCEPT ALL {anew}) UNION ALL ({anew} EXCEPT ALL {stored})"
        query = f"SELECT DISTINCT hand_key FROM ({either})"
        return {key for (key,) in connection.execute(query, {"keys": keys}).fetchall()}
    finally:
        connection.unregister("fresh")


def _plain(table: str, name: str) -> str:
    """A column as both sides have it: JSON as its text."""
    return f"{name}::VARCHAR" if columns()[table][name] == "JSON" else name


def named(club: str, hand: str, revision: int | None = None) -> Message:
    """A hand, or one revision of it, as a place where something is wrong."""
    if revision is None:
        return Message(N_("hand {hand} of club {club}"), hand=repr(hand), club=repr(club))
    text = N_("hand {hand} of club {club}, revision {n}")
    return Message(text, hand=repr(hand), club=repr(club), n=revision)
