"""What was ruled, as a reader's relations: ``rulings``, ``cases``, and the money that the rulings move.

The money stands in a schema of its own, from which the views ``transfers`` and ``seats`` take it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import duckdb

from analyzer.judge.amounts import amount_of
from analyzer.judge.rulings import FORFEIT, RULE, WHOLE, About, Case, Decision, Moved, facts_of
from analyzer.store.relations import TEMPLATE

MONEY: Final = f"""
CREATE SCHEMA ruled;
CREATE TABLE ruled.transfers AS FROM {TEMPLATE}.transfers LIMIT 0;
CREATE TABLE ruled.seats (hand_key BIGINT, seat UTINYINT, amount DECIMAL(18,3));
"""
"""What rulings move: transfers, and how much that is for each seat."""

Row = dict[str, Any]

_HANDS: Final = """
SELECT club_id, hand_id, hand_key, content_sha256
FROM hands
JOIN (SELECT unnest($keys::STRUCT(club_id VARCHAR, hand_id VARCHAR)[], recursive := true))
    USING (club_id, hand_id)
"""
_FINDINGS: Final = f"""
FROM violations SELECT hand_key, code, event, seat, severity <> 'info' AS fault
WHERE hand_key IN (SELECT unnest($keys::BIGINT[]))
UNION ALL
FROM forfeits SELECT hand_key, '{FORFEIT}', event, seat, true
WHERE hand_key IN (SELECT unnest($keys::BIGINT[]))
"""
_LAST: Final = """
FROM transfers SELECT hand_key, max(number) + 1
WHERE hand_key IN (SELECT unnest($keys::BIGINT[])) GROUP BY hand_key
"""
_PLAYERS: Final = (
    "FROM seats SELECT hand_key, seat, player_id WHERE hand_key IN (SELECT unnest($keys::BIGINT[]))"
)


def moved(cases: Iterable[Case]) -> bool:
    """Whether any decision moves money."""
    return any(decision.moves for case in cases for decision in case.decisions)


def put_cases(connection: duckdb.DuckDBPyConnection, cases: Collection[Case]) -> None:
    """Fills the relations; those of the hands are there already."""
    hands = _hands(connection, cases)
    findings = _findings(connection, cases, hands)
    rulings, told, money = [], [], []
    for case in cases:
        key, sha256 = hands.get((case.club_id, case.hand_id), (None, ""))
        standing = case.standing(sha256)
        found = findings.get(key, {})
        last = case.steps[-1]
        rulings += [_ruling(case, decision, standing) for decision in case.decisions]
        told.append(
            {
                "club_id": case.club_id,
                "hand_id": case.hand_id,
                "hand_key": key,
                "closed": case.closed,
                "claims": len(case.claims),
                "decisions": len(standing),
                "unconfirmed": len(case.unconfirmed(sha256, found)),
                "closed_earlier": case.closed_earlier(sha256, found),
                "changed_at": last.at,
                "entry": last.number,
            }
        )
        if key is not None:
            money += [(case, key, *move) for move in case.moves(sha256)]
    _insert(connection, "rulings", rulings)
    _insert(connection, "cases", told)
    if money:
        _put_money(connection, money)


def _hands(
    connection: duckdb.DuckDBPyConnection, cases: Collection[Case]
) -> dict[tuple[str, str], tuple[int, str]]:
    """(club, hand) → the key and the content hash of the revision in force, where there is one."""
    keys = [{"club_id": case.club_id, "hand_id": case.hand_id} for case in cases]
    rows = connection.execute(_HANDS, {"keys": keys}).fetchall()
    return {(club, hand): (key, sha256) for club, hand, key, sha256 in rows}


def _findings(
    connection: duckdb.DuckDBPyConnection,
    cases: Iterable[Case],
    hands: Mapping[tuple[str, str], tuple[int, str]],
) -> dict[int | None, dict[About, bool]]:
    """Of each hand with decisions on another revision: what can be decided on, and whether it is a fault."""
    found: dict[int | None, dict[About, bool]] = {}
    for case in cases:
        key, sha256 = hands.get((case.club_id, case.hand_id), (None, ""))
        if key is not None and case.earlier(sha256):
            found[key] = {WHOLE: False}
    if found:
        for key, code, event, seat, fault in connection.execute(_FINDINGS, {"keys": list(found)}).fetchall():
            about = About(code, event, seat)
            found[key][about] = fault or found[key].get(about, False)
    return found


def _ruling(case: Case, decision: Decision, standing: Mapping[About, Decision]) -> Row:
    code, event, seat = decision.about
    return {
        "ruled_at": decision.at,
        "ruled_by": decision.by,
        "club_id": case.club_id,
        "hand_id": case.hand_id,
        "content_sha256": decision.content_sha256,
        "event": event,
        "seat": seat,
        "code": code,
        "decision": decision.outcome,
        "reason": decision.reason,
        "entry": decision.number,
        "stands": standing.get(decision.about) is decision,
    }


def _put_money(
    connection: duckdb.DuckDBPyConnection, money: Sequence[tuple[Case, int, Decision, Moved]]
) -> None:
    """Each move as a transfer after those of its hand, and what it makes for the seats."""
    keys = {"keys": sorted({key for _, key, _, _ in money})}
    numbers: Counter[int] = Counter(dict(connection.execute(_LAST, keys).fetchall()))
    players = {(key, seat): player for key, seat, player in connection.execute(_PLAYERS, keys).fetchall()}
    seats: Counter[tuple[int, int]] = Counter()
    transfers: list[Row] = []
    for case, key, decision, (from_, to, amount) in money:
        transfers.append(
            {
                "hand_key": key,
                "club_id": case.club_id,
                "hand_id": case.hand_id,
                "number": numbers[key],
                "from_seat": from_,
                "to_seat": to,
                "from_player": players.get((key, from_)),
                "to_player": players.get((key, to)),
                "amount": amount_of(amount),
                "reason": "ruling",
                "event": decision.about.event,
                "rule": RULE,
                "facts": json.dumps(facts_of(decision)),
            }
        )
        numbers[key] += 1
        for seat, change in ((from_, -amount), (to, amount)):
            if seat is not None:
                seats[key, seat] += change
    _insert(connection, "ruled.transfers", transfers)
    changed = [
        {"hand_key": key, "seat": seat, "amount": amount_of(change)} for (key, seat), change in seats.items()
    ]
    _insert(connection, "ruled.seats", changed)


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Row]) -> None:
    """Rows that all have the table's columns."""
    if rows:
        names = ", ".join(rows[0])
        marks = ", ".join(f"${name}" for name in rows[0])
        connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)
