"""Judged hands → columns: what a chunk of records adds to each table.

Hands get their keys only when they are stored. Until then a row of another table says by ``hand`` which
row of the chunk's ``hands`` it belongs to, and ``acts`` has one row for each of them. Events, which are
most of a hand, go another way (:mod:`analyzer.store.acts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import pyarrow as pa

from analyzer.cards import told_of
from analyzer.judge.amounts import MOST
from analyzer.judge.findings import Finding
from analyzer.judge.judging import Judgement
from analyzer.judge.settlement import facts_of, paid_winners
from analyzer.judge.transfers import Left, Links, Transfer
from analyzer.judge.verdict import message_of
from analyzer.locale import Message
from analyzer.logs.canonical import CACHE_LIMIT
from analyzer.logs.carriers import Read
from analyzer.logs.hand import Hand
from analyzer.logs.refusal import Refusal
from analyzer.rules.house import House
from analyzer.rules.ruleset import RuleSet
from analyzer.store.acts import Acts, integers, to_json
from analyzer.store.declared import MONEY, TABLES
from analyzer.version import VERSION

HAND: Final = "hand"
"""The column that stands for hand_key, club_id and hand_id until a hand has a key."""

_LATER: Final = frozenset({"hand_key", "ingested_at", "source_sha256", "quarantined_at"})
"""Columns that only the writer can fill in."""

_SEVERITIES: Final = ("error", "warning", "info")

_told: Final[dict[tuple[Any, ...], str]] = {}
"""The facts of transfers, by all that they are made of."""


def _given() -> dict[str, dict[str, Any]]:
    """Table → column → type of the columns that rows are made of here."""
    found = {}
    for table, types in TABLES.items():
        given = {name: type_ for name, type_ in types.items() if name not in _LATER}
        if "hand_key" in types and table != "hands":
            given = {HAND: pa.int32(), **given}
            for name in ("club_id", "hand_id"):
                given.pop(name, None)
        found[table] = given
    return found


_GIVEN: Final = _given()


class Rows:
    """The rows of the records of a chunk, or of some, by table."""

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in _GIVEN if table != "acts"}
        self.events = Acts()
        self.rules: dict[tuple[str, str], RuleSet] = {}

    @property
    def hands(self) -> int:
        """How many hands were added."""
        return len(self.rows["hands"])

    @property
    def refused(self) -> int:
        """How many records were refused."""
        return len(self.rows["quarantine"])

    def add(self, read: Read, judgement: Judgement, sha256: str) -> None:
        """The rows of one judged hand."""
        index, hand, rows = self.hands, read.hand, self.rows
        settlement, open_ = judgement.settlement, judgement.open
        rows["hands"].append(_hand(read, judgement, sha256))
        self._seats(index, hand, judgement)
        for number, finding in enumerate(judgement.findings):
            rows["violations"].append((index, number, *_violation(finding, hand)))
        blocks = rows["missed_blocks"]
        for entry in judgement.replay.missed:
            blocks.append((index, entry.event, entry.seat, "certain"))
        for entry in judgement.undecided:
            blocks.append((index, entry.event, entry.seat, "possible"))
        if (forfeit := judgement.forfeit) is not None:
            rows["forfeits"].append(
                (index, forfeit.seat, forfeit.kind, forfeit.event, forfeit.certainty, forfeit.rule)
            )
        for link, amount, paid in settlement.chops:
            cards, beaten = _text(link.play.cards, open_), _text(link.beaten.cards, open_)
            rows["chops"].append(
                (index, link.event, link.seat, link.victim, cards, beaten, link.number, amount, paid)
            )
        players, house = hand.players, judgement.replay.house
        for number, transfer in enumerate(settlement.transfers):
            from_, to = transfer.from_, transfer.to
            rows["transfers"].append(
                (
                    index,
                    number,
                    from_,
                    to,
                    players[from_].id if from_ is not None else None,
                    players[to].id if to is not None else None,
                    transfer.amount,
                    transfer.reason,
                    transfer.event,
                    transfer.rule,
                    _facts(transfer, house, hand.stake, open_),
                )
            )
        self.events.add(hand.events, judgement.replay.tricks)
        self.rules[read.rules.id, read.rules.sha256] = read.rules

    def _seats(self, index: int, hand: Hand, judgement: Judgement) -> None:
        table, places = judgement.replay.table, judgement.places
        winners = dict(paid_winners(judgement.replay))
        net, counts, left, frozen = judgement.settlement.net, table.counts, table.left, table.frozen
        seats = self.rows["seats"]
        for seat, player in enumerate(hand.players):
            seats.append(
                (
                    index,
                    seat,
                    player.id,
                    player.name,
                    places.index(seat) + 1 if places is not None else None,
                    net[seat],
                    bool(frozen >> seat & 1),
                    seat in left,
                    winners.get(seat) if winners else None,
                    max(counts[seat], 0),  # below zero where a card was played that was not held
                )
            )

    def refuse(self, refusal: Refusal) -> None:
        """The row of a refused record."""
        place, fix = refusal.place, refusal.fix
        self.rows["quarantine"].append(
            (
                storable(place.source),
                place.line,
                place.index,
                place.offset,
                refusal.reason,
                storable(refusal.path),
                storable(refusal.found),
                *_both(refusal.expected),
                *(_both(fix) if fix is not None else (None, None)),
                *_both(refusal.whole()),
                refusal.raw,
            )
        )

    def tables(self) -> dict[str, pa.Table]:
        """The tables that have rows."""
        rows = self.rows
        for rules in self.rules.values():
            title, told = rules.title, to_json(rules.provenance)
            rows["rule_sets"].append(
                (rules.id, rules.sha256, title.get("vi"), title.get("en"), rules.canonical, told)
            )
        found = {table: table_of(table, cells) for table, cells in rows.items() if cells}
        if self.hands:
            found["acts"] = pa.table(self.events.columns())
        return found


def table_of(table: str, rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    """Rows of a table as columns; there is one at least."""
    columns = zip(*rows, strict=True)
    types = _GIVEN[table]
    return pa.table({name: _array(next(columns), type_) for name, type_ in types.items()})


def too_large(judgement: Judgement) -> int | None:
    """An amount, in thousandths, that no column could hold, or None."""
    transfers, chops, net = judgement.settlement
    amounts = [*net, *(transfer.amount for transfer in transfers), *(chop.amount for chop in chops)]
    return next((amount for amount in amounts if abs(amount) > MOST), None)


def storable(text: str) -> str:
    """A text that UTF-8 can hold: file names and broken records may have halves of characters in them."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def moment(text: str | None) -> datetime | None:
    """A time as a log writes it (RFC 3339, checked when it was read)."""
    return datetime.fromisoformat(text.upper().replace(" ", "T")) if text is not None else None


def evening_of(hand: Hand, source: str) -> str:
    """Which evening of its club a hand belongs to: its session, else table and day, else source."""
    if hand.session_id is not None:
        return f"session {hand.session_id}"
    day = hand.played_at[:10] if hand.played_at is not None else None
    if hand.table_id is None and day is None:
        return f"source {source}"
    table = f"table {hand.table_id}" if hand.table_id is not None else ""
    return f"{table} day {day}".lstrip() if day is not None else table


def _hand(read: Read, judgement: Judgement, sha256: str) -> tuple[Any, ...]:
    place, hand, rules, _, raw = read
    source = storable(place.source)
    lead, next_lead, revision = hand.lead, judgement.next_lead, hand.revision
    played_at = moment(hand.played_at)
    severities = {finding.severity for finding in judgement.findings}
    return (
        hand.club_id,
        hand.hand_id,
        hand.revision_number,
        sha256,
        rules.id,
        rules.sha256,
        hand.stake * 1000,
        hand.currency,
        hand.session_id,
        hand.table_id,
        evening_of(hand, source),
        hand.hand_no,
        played_at,
        played_at.date() if played_at is not None else None,
        len(hand.players),
        lead.reason if lead is not None else None,
        lead.seat if lead is not None else None,
        judgement.outcome,
        next_lead.reason if next_lead is not None else None,
        next_lead.seat if next_lead is not None else None,
        judgement.forfeit is not None,
        next((severity for severity in _SEVERITIES if severity in severities), "none"),
        len(judgement.findings),
        len(hand.events),
        judgement.disputed_from,
        judgement.places_check,
        judgement.net_check,
        revision.by if revision is not None else None,
        moment(revision.at) if revision is not None else None,
        revision.reason if revision is not None else None,
        VERSION,
        source,
        place.line,
        place.index,
        place.offset,
        raw,
    )


def _violation(finding: Finding, hand: Hand) -> tuple[Any, ...]:
    facts = {key: value for key, value in finding.facts.items() if key != "rule"}
    return (
        finding.code,
        finding.event,
        finding.seat,
        finding.severity,
        finding.certainty,
        finding.rule,
        to_json(facts),
        *_both(message_of(finding, hand)),
    )


def _text(cards: int, open_: int) -> str:
    return " ".join(told_of(cards, open_))


def _both(message: Message) -> tuple[str, str]:
    told = message.both()
    return storable(told["vi"]), storable(told["en"])


def _facts(transfer: Transfer, house: House, stake: int, open_: int) -> str:
    """The facts of a transfer as JSON. Nearly all recur; those of a chain, which seldom do, are not kept."""
    cause = transfer.cause
    if isinstance(cause, Links):
        return to_json(facts_of(transfer, house, stake, open_))
    made: tuple[Any, ...] = (transfer.reason, transfer.rule, transfer.for_seat)
    made += (house.rules.sha256, stake, open_, *cause.parts) if isinstance(cause, Left) else (cause,)
    told = _told.get(made)
    if told is None:
        if len(_told) >= CACHE_LIMIT:
            _told.clear()
        told = _told[made] = to_json(facts_of(transfer, house, stake, open_))
    return told


def _array(column: Sequence[Any], type_: Any) -> pa.Array:
    if type_ is MONEY:
        return integers(pa.int64(), column).view(MONEY)
    return integers(type_, column) if pa.types.is_integer(type_) else pa.array(column, type_)
