"""Judged hands → columns: what a batch of records adds to each table.

A row's first item is the hand's index in the batch; hand_key, club_id and hand_id are filled in column
by column at the end. Events, which are most of a hand, go another way (:mod:`analyzer.store.acts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import pyarrow as pa

from analyzer.cards import texts_of
from analyzer.judge.findings import Finding
from analyzer.judge.judging import Judgement
from analyzer.judge.settlement import facts_of, paid_winners
from analyzer.judge.verdict import message_of
from analyzer.locale import Message
from analyzer.logs.carriers import Read
from analyzer.logs.hand import Hand
from analyzer.logs.refusal import Refusal
from analyzer.store.acts import Acts, to_json
from analyzer.store.relations import columns
from analyzer.version import VERSION

MONEY: Final = pa.decimal64(18, 3)
MOST: Final = 10**18 - 1
"""The greatest amount, in thousandths, that a column holds."""

_ARROW: Final = {
    "BIGINT": pa.int64(),
    "BLOB": pa.binary(),
    "BOOLEAN": pa.bool_(),
    "DATE": pa.date32(),
    "DECIMAL(18,3)": MONEY,
    "INTEGER": pa.int32(),
    "JSON": pa.string(),
    "TIMESTAMP WITH TIME ZONE": pa.timestamp("us", tz="UTC"),
    "USMALLINT": pa.uint16(),
    "UTINYINT": pa.uint8(),
    "VARCHAR": pa.string(),
}
_IDENTITY: Final = ("hand_key", "club_id", "hand_id")
_SEVERITIES: Final = ("error", "warning", "info")


class Batch:
    """The rows of some records, by table. Keys run on from ``first_key`` in the order of adding."""

    def __init__(self, first_key: int) -> None:
        self.first_key = first_key
        self.identities: list[tuple[str, str]] = []
        self.rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in columns() if table != "acts"}
        self.events = Acts()

    @property
    def next_key(self) -> int:
        """The key that the next hand gets."""
        return self.first_key + len(self.identities)

    def add(self, read: Read, judgement: Judgement, sha256: str, at: datetime) -> int:
        """The rows of one judged hand; its key."""
        index, hand, rows = len(self.identities), read.hand, self.rows
        settlement = judgement.settlement
        self.identities.append(hand.identity)
        rows["hands"].append((index, *_hand(read, judgement, sha256, at)))
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
            cards, beaten = _text(link.play.cards), _text(link.beaten.cards)
            rows["chops"].append(
                (index, link.event, link.seat, link.victim, cards, beaten, link.number, amount, paid)
            )
        players, house = hand.players, judgement.replay.house
        for number, transfer in enumerate(settlement.transfers):
            from_, to, facts = transfer.from_, transfer.to, facts_of(transfer, house, hand.stake)
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
                    to_json(facts),
                )
            )
        self.events.add(hand.events, judgement.replay.tricks, read.canonical)
        return self.first_key + index

    def _seats(self, index: int, hand: Hand, judgement: Judgement) -> None:
        table = judgement.replay.table
        places = judgement.places
        winners = dict(paid_winners(judgement.replay))
        net = judgement.settlement.net
        for seat, player in enumerate(hand.players):
            self.rows["seats"].append(
                (
                    index,
                    seat,
                    player.id,
                    player.name,
                    places.index(seat) + 1 if places is not None else None,
                    net[seat],
                    bool(table.frozen >> seat & 1),
                    seat in table.left,
                    winners.get(seat),
                    max(table.counts[seat], 0),  # below zero where a card was played that was not held
                )
            )

    def refuse(self, refusal: Refusal, sha256: str | None, at: datetime) -> None:
        """The row of a refused record; ``sha256`` is its source's."""
        place, fix = refusal.place, refusal.fix
        self.rows["quarantine"].append(
            (
                storable(place.source),
                sha256,
                place.line,
                place.index,
                place.offset,
                at,
                refusal.reason,
                storable(refusal.path),
                storable(refusal.found),
                *_both(refusal.expected),
                *(_both(fix) if fix is not None else (None, None)),
                *_both(refusal.message()),
                refusal.raw,
            )
        )

    def tables(self) -> Iterable[tuple[str, pa.Table]]:
        """The tables that have rows, ready to insert by name; those of the hands stand first."""
        keys = pa.array(range(self.first_key, self.next_key), pa.int64())
        clubs = pa.array([club for club, _ in self.identities], pa.string())
        ids = pa.array([hand for _, hand in self.identities], pa.string())
        for table, rows in self.rows.items():
            if not rows:
                continue
            types = columns()[table]
            cells: Iterable[Sequence[Any]] = zip(*rows, strict=True)
            arrays = {}
            if "hand_key" in types and "club_id" in types:
                cells = iter(cells)
                of_hand = pa.array(next(cells), pa.int64())
                for name, values in zip(_IDENTITY, (keys, clubs, ids), strict=True):
                    arrays[name] = values.take(of_hand)
            for (name, type_), column in zip(_rest(types, arrays), cells, strict=True):
                arrays[name] = _array(column, type_)
            yield table, pa.table(arrays)
        if self.identities:
            arrays = dict(zip(_IDENTITY, (keys, clubs, ids), strict=True))
            yield "acts", pa.table({**arrays, **self.events.columns()})


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


def _hand(read: Read, judgement: Judgement, sha256: str, at: datetime) -> tuple[Any, ...]:
    place, hand, rules, _, raw = read
    source = storable(place.source)
    lead, next_lead, revision = hand.lead, judgement.next_lead, hand.revision
    played_at = moment(hand.played_at)
    severities = {finding.severity for finding in judgement.findings}
    return (
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
        played_at.astimezone(UTC) if played_at is not None else None,
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
        at,
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


def _text(cards: int) -> str:
    return " ".join(texts_of(cards))


def _both(message: Message) -> tuple[str, str]:
    told = message.both()
    return storable(told["vi"]), storable(told["en"])


def _rest(types: dict[str, str], done: dict[str, Any]) -> list[tuple[str, str]]:
    return [(name, type_) for name, type_ in types.items() if name not in done]


def _array(column: Sequence[Any], type_: str) -> pa.Array:
    arrow = _ARROW[type_]
    if arrow is MONEY:
        return pa.array(column, pa.int64()).view(MONEY)
    return pa.array(column, arrow)
