"""Taking logs in: every record accounted for, no hand twice, nothing half done."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from analyzer.judge.judging import judge
from analyzer.judge.settlement import facts_of
from analyzer.locale import Message
from analyzer.logs.carriers import Read, records
from analyzer.logs.hand import PassEvent, PlayEvent
from analyzer.logs.refusal import REASONS, Fault
from analyzer.rules.house import house_of
from analyzer.rules.loading import preset, preset_ids
from analyzer.simulate import simulate
from analyzer.store import conflicts, settling
from analyzer.store.accounting import WORDS, Counts, IngestProgress, IngestReport
from analyzer.store.acts import _KEYS, _PASSES
from analyzer.store.database import Database, DatabaseBroken, DatabaseBusy
from analyzer.store.ingest import ingest
from analyzer.store.reader import open_reader
from tests.hands import Log, fill, log, plays, raw

ROOT = Path(__file__).parents[1]
BAD = b'{"format": "tienlen-hand/1", "hand_id": "bad", "rule": "mien-nam"}'


def put(folder: Path, name: str, *lines: Log | bytes) -> str:
    """An NDJSON file of these logs (or raw lines)."""
    path = folder / name
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else raw(line) for line in lines) + b"\n")
    return str(path)


def words(counts: Counts) -> dict[str, int]:
    """The counts that are not zero; they add up to the records, always."""
    assert sum(counts.values()) == counts.records
    return {word: n for word, n in zip(WORDS, counts.values(), strict=True) if n}


def rows(database: str | Path, query: str, **parameters: Any) -> list[dict[str, Any]]:
    """The rows of a query over the version in force."""
    with open_reader(Database(database)) as reader:
        return reader.rows(query, parameters)


def value(database: str | Path, query: str) -> Any:
    """The one value of a query."""
    (row,) = rows(database, query)
    (found,) = row.values()
    return found


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "db")


def cut_small(monkeypatch: pytest.MonkeyPatch, size: int, hands: int) -> None:
    """Chunks of so many bytes, and batches of so many hands."""
    assert ingest.__kwdefaults__ is not None
    monkeypatch.setitem(ingest.__kwdefaults__, "chunk_size", size)
    monkeypatch.setattr(settling, "HANDS", hands)


@pytest.fixture(params=[(1, 3), pytest.param((1500, 1), marks=pytest.mark.full), (1 << 21, 8192)], ids=str)
def batches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """However the records fall into chunks and batches, nothing else may change."""
    cut_small(monkeypatch, *request.param)


# -- accounting ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("batches")
def test_every_record_gets_one_of_five_words(tmp_path: Path, db: str) -> None:
    first = log(plays("0 3S"), hand_id="a")
    second = {**first, "revision": {"number": 2, "by": "An"}}
    other = {**first, "stake": 2000}
    source = put(tmp_path, "all.ndjson", first, first, second, other, BAD, log(hand_id="b"))
    report = ingest([source], db)
    assert words(report) == {
        "accepted": 2,
        "unchanged": 1,
        "superseded": 1,
        "conflicting": 1,
        "quarantined": 1,
    }
    (told,) = rows(db, "FROM sources")
    assert told["path"] == source
    assert told["sha256"] == hashlib.sha256(Path(source).read_bytes()).hexdigest()
    assert [told[word] for word in ("records", *WORDS)] == [6, 2, 1, 1, 1, 1]
    assert "6 records read = 2 accepted + 1 unchanged + 1 superseded + 1 conflicting + 1" in report.line("en")
    (refusal,), (conflict,) = report.refusals, report.conflicts
    assert refusal.render("en").startswith(f"{source}:5: ")
    assert conflict.render("en").startswith(f"{source}:4: hand a is stored already")
    (fix,) = re.findall(r'"revision": \{.*?\}', conflict.render("en"))
    again = ingest([put(tmp_path, "more.ndjson", {**other, **json.loads("{" + fix + "}")})], db)
    assert words(again) == {"superseded": 1}


@pytest.mark.usefixtures("batches")
def test_the_same_file_twice_changes_no_hand(tmp_path: Path, db: str) -> None:
    logs = list(simulate(6, 5, preset("mien-nam"), faults=0.5))
    conflicting = {**log(hand_id="c"), "stake": 7}
    source = put(tmp_path, "a.ndjson", *logs, log(hand_id="c"), conflicting, BAD)
    once = ingest([source], db)
    tables = ["hands", "seats", "events", "transfers", "violations", "conflicts", "quarantine", "rule_sets"]
    before = {table: rows(db, f"FROM {table} ORDER BY ALL") for table in tables}
    again = ingest([source], db)
    assert words(once) == {"accepted": 7, "conflicting": 1, "quarantined": 1}
    assert words(again) == {"unchanged": 7, "conflicting": 1, "quarantined": 1}
    assert {table: rows(db, f"FROM {table} ORDER BY ALL") for table in tables} == before
    (told,) = rows(db, "FROM sources")
    assert (told["times_read"], told["records"], told["accepted"], told["unchanged"]) == (2, 9, 0, 7)
    assert told["first_read_at"] < told["last_read_at"]


def test_spelling_and_order_make_no_new_hand(tmp_path: Path, db: str) -> None:
    one = log(plays("0 3S 3D", "1", "2 4H 4S"), hand_id="a", deal=None)
    other = dict(reversed(one.items()))
    other["events"] = [{**e, "cards": [*reversed(e["cards"])]} if "cards" in e else e for e in one["events"]]
    spelled = raw(other).replace(b'"3S"', '"♠3"'.encode()).replace(b'"events"', b'"_note":{"x":1}, "events"')
    source = put(tmp_path, "a.ndjson", one, other, spelled)
    assert words(ingest([source], db)) == {"accepted": 1, "unchanged": 2}


def test_sources_are_counted_one_by_one(tmp_path: Path, db: str) -> None:
    folder = tmp_path / "evening"
    folder.mkdir()
    put(folder, "a.ndjson", log(hand_id="a"), BAD)
    (folder / "b.json").write_bytes(json.dumps([log(hand_id="b"), log(hand_id="a")], indent=1).encode())
    (folder / "c.ndjson.gz").write_bytes(gzip.compress(raw(log(hand_id="c"))))
    report = ingest([folder, tmp_path / "none.json"], db)
    assert [(Path(source.path).name, words(source)) for source in report.sources] == [
        ("a.ndjson", {"accepted": 1, "quarantined": 1}),
        ("b.json", {"accepted": 1, "unchanged": 1}),
        ("c.ndjson.gz", {"accepted": 1}),
        ("none.json", {"quarantined": 1}),
    ]
    assert words(report) == {"accepted": 3, "unchanged": 1, "quarantined": 2}
    assert report.records == sum(source.records for source in report.sources)
    assert value(db, "SELECT count(*) FROM sources") == 4
    (b,) = rows(db, "FROM hands WHERE hand_id = 'b'")
    assert (b["source_line"], b["source_index"], b["source_offset"]) == (None, 0, 3)
    assert value(db, "SELECT sha256 FROM sources WHERE path LIKE '%none.json'") is None


def test_standard_input(tmp_path: Path, db: str) -> None:
    text = raw(log(hand_id="a")) + b"\n" + BAD + b"\n"
    assert words(ingest(["-"], db, stdin=io.BytesIO(text))) == {"accepted": 1, "quarantined": 1}
    assert words(ingest(["-"], db, stdin=io.BytesIO(text))) == {"unchanged": 1, "quarantined": 1}
    (told,) = rows(db, "FROM sources")
    assert (told["path"], told["sha256"]) == ("-", hashlib.sha256(text).hexdigest())
    assert value(db, "SELECT count(*) FROM quarantine") == 1


def test_nothing_to_read_is_a_version_too(tmp_path: Path, db: str) -> None:
    empty = put(tmp_path, "empty.ndjson")
    report = ingest([empty], db)
    assert report.records == 0
    assert Database(db).current() == report.version
    assert value(db, "SELECT records FROM sources") == 0


def test_a_random_history_ends_as_its_model_says(
    tmp_path: Path, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(20)
    stored: dict[tuple[str, int], int] = {}
    for turn, size in enumerate((1, 3, 2048)):
        cut_small(monkeypatch, size * 500, size)
        expected: dict[str, int] = dict.fromkeys(WORDS, 0)
        lines: list[Log] = []
        for _ in range(25):
            hand, number, stake = rng.choice("abcd"), rng.randint(1, 4), rng.randint(1, 2)
            lines.append(log(hand_id=hand, stake=stake, revision={"number": number}))
            if (hand, number) in stored:
                word = "unchanged" if stored[hand, number] == stake else "conflicting"
            else:
                word = "superseded" if any(known == hand for known, _ in stored) else "accepted"
                stored[hand, number] = stake
            expected[word] += 1
        report = ingest([put(tmp_path, f"{turn}.ndjson", *lines)], db)
        assert dict(zip(WORDS, report.values(), strict=True)) == expected
    in_force = {hand: max(n for known, n in stored if known == hand) for hand, _ in stored}
    found = {row["hand_id"]: row for row in rows(db, "FROM hands")}
    assert {hand: row["revision"] for hand, row in found.items()} == in_force
    assert all(row["stake"] == stored[hand, row["revision"]] for hand, row in found.items())
    kept = {(row["hand_id"], row["revision"]): row["stake"] for row in rows(db, "FROM revisions")}
    assert kept == stored


# -- revisions and conflicts ---------------------------------------------------------------------


@pytest.mark.parametrize("together", [True, False], ids=["one ingest", "several"])
@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1)], ids=str)
def test_the_highest_revision_is_in_force(
    tmp_path: Path, db: str, order: tuple[int, ...], together: bool
) -> None:
    logs = [
        log(plays("0 3S 3D", "1 8S 8C") if n == 3 else plays("0 3S"), hand_id="a", revision={"number": n})
        for n in order
    ]
    if together:
        assert words(ingest([put(tmp_path, "a.ndjson", *logs)], db)) == {"accepted": 1, "superseded": 2}
    else:
        got = [words(ingest([put(tmp_path, f"{n}.ndjson", one)], db)) for n, one in enumerate(logs)]
        assert got == [{"accepted": 1}, {"superseded": 1}, {"superseded": 1}]
    assert value(db, "SELECT revision FROM hands") == 3
    assert [row["cards"] for row in rows(db, "SELECT cards FROM events ORDER BY event")] == [
        "3S 3D",
        "8S 8C",
    ]
    assert value(db, "SELECT count(*) FROM seats") == 4
    assert rows(db, "SELECT revision, in_force FROM revisions ORDER BY revision") == [
        {"revision": 1, "in_force": False},
        {"revision": 2, "in_force": False},
        {"revision": 3, "in_force": True},
    ]
    for n, one in zip(order, logs, strict=True):
        assert value(db, f"SELECT log FROM revisions WHERE revision = {n}").encode() == raw(one)


def test_what_a_revision_says_of_itself_is_kept(tmp_path: Path, db: str) -> None:
    told = {"number": 2, "by": "Bà Tư", "at": "2026-03-01T08:00:00+07:00", "reason": "ghi nhầm"}
    ingest([put(tmp_path, "a.ndjson", log(hand_id="a"), log(hand_id="a", revision=told))], db)
    (hand,) = rows(db, "FROM hands")
    assert (hand["revised_by"], hand["revision_reason"]) == ("Bà Tư", "ghi nhầm")
    assert hand["revised_at"].isoformat() == "2026-03-01T01:00:00+00:00"


@pytest.mark.parametrize("together", [True, False], ids=["one ingest", "two"])
@pytest.mark.usefixtures("batches")
def test_a_conflict_is_kept_aside_field_by_field(tmp_path: Path, db: str, together: bool) -> None:
    first = log(plays("0 3S 3D", "1"), hand_id="a", result={"net": [1, 2.5, -3, -0.5]})
    second = log(plays("0 3S", "1 8S", "2"), hand_id="a", dealer=1, result={"net": [1, 2.125, -3, -0.125]})
    if together:
        ingest([put(tmp_path, "a.ndjson", first, second)], db)
    else:
        ingest([put(tmp_path, "a.ndjson", first)], db)
        ingest([put(tmp_path, "b.ndjson", second)], db)
    (kept,) = rows(db, "FROM hands")
    (conflict,) = rows(db, "FROM conflicts")
    assert kept["log"].encode() == raw(first)
    assert conflict["log"].encode() == raw(second)
    assert (conflict["club_id"], conflict["hand_id"], conflict["revision"]) == ("", "a", 1)
    assert conflict["kept_sha256"] == kept["content_sha256"] != conflict["content_sha256"]
    assert json.loads(conflict["differences"], parse_float=Decimal) == [
        {"path": "events[0].cards[1]", "before": "3D"},
        {"path": "events[1].type", "before": "pass", "after": "play"},
        {"path": "events[1].cards", "after": ["8S"]},
        {"path": "events[2]", "after": {"type": "pass", "seat": 2}},
        {"path": "result.net[1]", "before": Decimal("2.5"), "after": Decimal("2.125")},
        {"path": "result.net[3]", "before": Decimal("-0.5"), "after": Decimal("-0.125")},
        {"path": "dealer", "after": 1},
    ]


def test_clubs_do_not_meet(tmp_path: Path, db: str) -> None:
    source = put(tmp_path, "a.ndjson", log(hand_id="a"), log(hand_id="a", club_id="x", stake=1))
    assert words(ingest([source], db)) == {"accepted": 2}


# -- refusals ------------------------------------------------------------------------------------


def test_a_refused_record_is_kept_whole(tmp_path: Path, db: str) -> None:
    garbage = b'{"hand_id": "\xff\xfe"}'
    source = put(tmp_path, "a.ndjson", log(hand_id="a"), BAD, garbage)
    report = ingest([source], db)
    bad, wrong = rows(db, "FROM quarantine ORDER BY source_offset")
    assert bad["reason"] == "unknown_key"
    assert (bad["source_path"], bad["source_line"], bad["source_index"]) == (source, 2, None)
    assert bad["source_offset"] == len(raw(log(hand_id="a"))) + 1
    assert bad["source_sha256"] == hashlib.sha256(Path(source).read_bytes()).hexdigest()
    assert bad["json_path"] == "rule"
    assert bad["raw"] == BAD
    assert bad["fix_en"] == "write rules"
    assert (bad["reason"], wrong["reason"]) == ("unknown_key", "bad_encoding")
    assert wrong["raw"] == garbage
    assert wrong["fix_en"] is None
    assert [message.render("en") for message in report.refusals] == [bad["message_en"], wrong["message_en"]]
    assert all(row[key] for row in (bad, wrong) for key in ("expected_en", "expected_vi", "message_vi"))


def test_amounts_that_no_column_holds_are_refused(tmp_path: Path, db: str) -> None:
    rules = {"extends": "mien-nam", "set": {"instant_wins.stakes": 1_000_000}}
    winner = fill("3S 3C 4S 4C 5S 5C 7S 7C 9S 9C JS JC KS", "", "", "")
    huge = log(hand_id="huge", rules=rules, deal=winner, stake=10**12, lead={"reason": "opening"})
    fine = {**huge, "hand_id": "fine", "stake": 10**8}
    assert words(ingest([put(tmp_path, "a.ndjson", huge, fine, huge)], db)) == {
        "accepted": 1,
        "quarantined": 2,
    }
    refused = rows(db, "FROM quarantine")
    assert {row["reason"] for row in refused} == {"amount_too_large"} <= set(REASONS)
    assert refused[0]["found"] == "3000000000000000000"
    assert value(db, "SELECT max(net) FROM seats") == 3 * 10**14


# -- what is stored of a hand --------------------------------------------------------------------


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Read]]:
    """A database of simulated hands, some with faults, and the hands."""
    folder = tmp_path_factory.mktemp("evening")
    logs = [
        one
        for rules, players in (
            ("mien-nam", None),
            ("mien-bac-cuoc", 3),
            ("nhan-cuoc", 4),
            ("mien-nam-diem", 4),
        )
        for one in simulate(30, 11, preset(rules), players=players, faults=0.4)
    ]
    source = put(folder, "a.ndjson", *logs)
    db = str(folder / "db")
    assert words(ingest([source], db)) == {"accepted": len(logs)}
    return db, [record for record in records(source) if isinstance(record, Read)]


def test_events_are_the_events_of_the_log(evening: tuple[str, list[Read]]) -> None:
    db, hands = evening
    stored = rows(db, "FROM events ORDER BY hand_key, event")
    expected = []
    ranks: list[str | None] = ["error", "warning", "info"]
    for read in hands:
        judgement = judge(read.hand, house_of(read.rules))
        for index, (event, trick) in enumerate(zip(read.hand.events, judgement.replay.tricks, strict=True)):
            worst: list[str | None] = [f.severity for f in judgement.findings if f.event == index]
            cards = getattr(event, "cards", None)
            expected.append(
                (
                    read.hand.hand_id,
                    index,
                    event.__struct_config__.tag,
                    event.seat,
                    " ".join(cards) if cards else None,
                    event.at,
                    trick,
                    min(worst, key=ranks.index, default=None),
                )
            )
    names = ("hand_id", "event", "type", "seat", "cards", "at_seconds", "trick", "severity")
    assert [tuple(row[name] for name in names) for row in stored] == expected
    assert {row["severity"] for row in stored} >= {"error", "warning", None}
    assert {row["type"] for row in stored} > {"play", "pass"}


def test_every_other_key_of_an_event_is_kept(tmp_path: Path, db: str) -> None:
    events: list[Log] = [
        {"type": "exchange", "seat": 0, "to": 3, "cards": ["2S"], "at": 1.5},
        {"type": "note", "text": "bàn «hai»"},
        {"type": "say", "seat": 0, "meaning": "play", "cards": ["3S"]},
        {"type": "play", "seat": 0, "cards": ["3S"], "as": "steal_lead"},
        {"type": "pass", "seat": 1, "how": "timeout", "at": 2},
        {"type": "pass", "seat": 2},
        {"type": "pass", "seat": 3, "how": "said"},
        {"type": "pass", "seat": 3, "how": "button"},
    ]
    ingest([put(tmp_path, "a.ndjson", log(events, hand_id="a"))], db)
    found = rows(db, "SELECT seat, at_seconds, details FROM events ORDER BY event")
    assert [(row["seat"], row["at_seconds"]) for row in found] == [
        (0, 1.5), (None, None), (0, None), (0, None), (1, 2.0), (2, None), (3, None), (3, None)
    ]  # fmt: skip
    assert [json.loads(row["details"]) if row["details"] else None for row in found] == [
        {"to": 3},
        {"text": "bàn «hai»"},
        {"meaning": "play"},
        {"as": "steal_lead"},
        {"how": "timeout"},
        None,
        {"how": "said"},
        {"how": "button"},
    ]


def test_every_way_to_pass_can_be_stored_and_no_event_has_more_than_one_key_of_its_own() -> None:
    words, nothing = get_args(get_type_hints(PassEvent)["how"])
    assert set(_PASSES) == {*get_args(words), None}
    assert nothing is type(None)
    assert max(map(len, _KEYS.values())) == 1


def test_hands_seats_and_money_are_the_judges(evening: tuple[str, list[Read]]) -> None:
    db, hands = evening
    stored = {row["hand_id"]: row for row in rows(db, "FROM hands")}
    seats = rows(db, "FROM seats ORDER BY hand_key, seat")
    for read in hands:
        judgement = judge(read.hand, house_of(read.rules))
        row = stored[read.hand.hand_id]
        assert row["log"].encode() == read.raw
        assert row["content_sha256"] == hashlib.sha256(read.canonical).hexdigest()
        assert row["outcome"] == judgement.outcome
        assert row["disputed_from"] == judgement.disputed_from
        assert row["violation_count"] == len(judgement.findings)
        assert row["has_forfeit"] == (judgement.forfeit is not None)
        assert (row["rules_id"], row["rules_sha256"]) == (read.rules.id, read.rules.sha256)
        assert (row["places_check"], row["net_check"]) == (judgement.places_check, judgement.net_check)
        mine = [seat for seat in seats if seat["hand_id"] == read.hand.hand_id]
        assert [seat["player_id"] for seat in mine] == [player.id for player in read.hand.players]
        assert [seat["net"] * 1000 for seat in mine] == judgement.settlement.net
        order = sorted(mine, key=lambda seat: seat["place"] or 0)
        assert judgement.places is None or [seat["seat"] for seat in order] == judgement.places
    facts = rows(db, "FROM violations")
    assert all(isinstance(json.loads(row["facts"]), dict) and row["message_vi"] for row in facts)
    assert {row["sha256"] for row in rows(db, "FROM rule_sets")} == {read.rules.sha256 for read in hands}


def test_what_a_seat_wins_is_the_sum_of_its_transfers(evening: tuple[str, list[Read]]) -> None:
    db, _ = evening
    wrong = """
        SELECT hand_id, seat, net, coalesce(got, 0) - coalesce(paid, 0) AS moved FROM seats
        LEFT JOIN (SELECT hand_key, to_seat AS seat, sum(amount) AS got FROM transfers GROUP BY ALL)
            USING (hand_key, seat)
        LEFT JOIN (SELECT hand_key, from_seat AS seat, sum(amount) AS paid FROM transfers GROUP BY ALL)
            USING (hand_key, seat)
        WHERE net <> moved
    """
    assert rows(db, wrong) == []
    assert value(db, "SELECT count(DISTINCT reason) FROM transfers") >= 4


def test_halves_and_thousandths_stay_exact(tmp_path: Path, db: str) -> None:
    rules = {"extends": "mien-nam", "set": {"instant_wins.stakes": 0.5}}
    winner = fill("3S 3C 4S 4C 5S 5C 7S 7C 9S 9C JS JC KS", "", "", "")
    hands = [
        log(hand_id="a", rules=rules, deal=winner, stake=5, lead={"reason": "opening"}),
        log(hand_id="b", rules={"extends": "mien-nam", "set": {"instant_wins.stakes": 0.001}}, deal=winner,
            stake=1, lead={"reason": "opening"}),
    ]  # fmt: skip
    ingest([put(tmp_path, "a.ndjson", *hands)], db)
    amounts = rows(db, "SELECT hand_id, net, typeof(net) AS type FROM seats WHERE seat = 1 ORDER BY hand_id")
    assert [(row["net"], row["type"]) for row in amounts] == [
        (Decimal("-2.5"), "DECIMAL(18,3)"),
        (Decimal("-0.001"), "DECIMAL(18,3)"),
    ]
    assert value(db, "SELECT sum(net) FROM seats WHERE seat = 0") == Decimal("7.503")


@pytest.mark.parametrize(
    ("keys", "evening"),
    [
        ({"session_id": "s 1", "table_id": "t", "played_at": "2026-03-01T20:00:00+07:00"}, "session s 1"),
        ({"table_id": "t", "played_at": "2026-03-01T23:30:00-05:00"}, "table t day 2026-03-01"),
        ({"played_at": "2026-03-01 00:30:00Z"}, "day 2026-03-01"),
        ({"table_id": "t"}, "table t"),
        ({}, "source -"),
    ],
)
def test_the_evening_a_hand_belongs_to(db: str, keys: Log, evening: str) -> None:
    ingest(["-"], db, stdin=io.BytesIO(raw(log(hand_id="a", **keys))))
    assert value(db, "SELECT evening FROM hands") == evening
    assert value(db, "SELECT evening FROM sessions") == evening


def test_times_are_instants(db: str) -> None:
    ingest(
        ["-"], db, stdin=io.BytesIO(raw(log(hand_id="a", played_at="2026-03-01t23:30:00.123456789-05:00")))
    )
    (hand,) = rows(db, "SELECT played_at, played_on, typeof(played_at) AS type FROM hands")
    assert hand["type"] == "TIMESTAMP WITH TIME ZONE"
    assert hand["played_at"].isoformat() == "2026-03-02T04:30:00.123456+00:00"
    assert hand["played_on"].isoformat() == "2026-03-01"


def test_a_seat_that_played_more_than_it_held_has_none_left(tmp_path: Path, db: str) -> None:
    acts = [f"0 {card}" for card in [*log()["deal"][0][:-2], "4H"]] + ["0 KC 2S"]
    ingest([put(tmp_path, "a.ndjson", log(plays(*acts), hand_id="a"))], db)
    assert [row["cards_left"] for row in rows(db, "FROM seats ORDER BY seat")] == [0, 13, 13, 13]


def test_unknown_cards_leave_possible_blocks(tmp_path: Path, db: str) -> None:
    hidden = log(plays("0 2S", "1"), hand_id="a", deal=[log()["deal"][0], None, None, None])
    ingest([put(tmp_path, "a.ndjson", hidden)], db)
    (block,) = rows(db, "FROM missed_blocks")
    assert (block["event"], block["seat"], block["certainty"]) == (1, 1, "possible")


# -- interruptions -------------------------------------------------------------------------------


@pytest.fixture
def many(tmp_path: Path) -> str:
    """A file of a few hundred small hands."""
    return put(tmp_path, "many.ndjson", *(log(plays("0 3S"), hand_id=f"m-{n}") for n in range(400)))


def leftovers(db: str) -> list[str]:
    return [str(path) for path in Path(db).rglob("*") if ".tmp" in path.name]


def test_progress_is_told_and_ctrl_c_leaves_nothing(
    db: str, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_small(monkeypatch, 1, 100)
    told: list[tuple[int, int | None, int]] = []

    def progress(at: IngestProgress) -> None:
        told.append((at.bytes_read, at.bytes_total, at.read))
        if len(told) == 3:
            raise KeyboardInterrupt

    ingest([put(Path(many).parent, "one.ndjson", log(hand_id="one"))], db)
    before = Database(db).current()
    with pytest.raises(KeyboardInterrupt):
        ingest([many], db, progress=progress)
    assert [records for *_, records in told] == [100, 200, 300]
    assert all(0 < done < (total or 0) == os.path.getsize(many) for done, total, _ in told)
    assert Database(db).current() == before
    assert leftovers(db) == []
    assert [path.name for path in (Path(db) / "segments").iterdir()] == ["00000001.duckdb"]
    assert words(ingest([many], db)) == {"accepted": 400}


KILLED = """
import os, signal, sys
from pathlib import Path
from analyzer.store.ingest import ingest

path, db, step, when = sys.argv[1:]
rename, count = Path.rename, 0

def renamed(self, target):
    global count
    count += 1
    if count == int(step) and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    rename(self, target)
    if count == int(step) and when == "after":
        os.kill(os.getpid(), signal.SIGKILL)

Path.rename = renamed
ingest([path], db)
"""


def python(*arguments: str, **keys: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **keys,
    )


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", [1, 2, 3], ids=["segment", "manifest", "CURRENT"])
def test_a_kill_while_publishing(tmp_path: Path, db: str, many: str, step: int, when: str) -> None:
    ingest([put(tmp_path, "one.ndjson", log(hand_id="one"))], db)
    with python("-c", KILLED, many, db, str(step), when) as killed:
        assert killed.wait(120) == -signal.SIGKILL
    done = (step, when) == (3, "after")
    assert value(db, "SELECT count(*) FROM hands") == (401 if done else 1)
    assert words(ingest([many], db)) == ({"unchanged": 400} if done else {"accepted": 400})
    assert value(db, "SELECT count(DISTINCT hand_id) FROM hands") == 401
    assert leftovers(db) == []
    segments = {segment.name for segment in Database(db).manifest().segments}
    on_disk = {path.name for path in (Path(db) / "segments").iterdir()}
    assert segments <= on_disk
    assert len(on_disk - segments) <= 1  # one that a manifest names which never came into force


@pytest.mark.parametrize("attempt", range(2))
def test_a_kill_at_any_moment(tmp_path: Path, db: str, many: str, attempt: int) -> None:
    ingest([put(tmp_path, "one.ndjson", log(hand_id="one"))], db)
    rng = random.Random(os.urandom(8))
    with python("-c", KILLED, many, db, "0", "never") as killed:
        try:
            killed.wait(rng.uniform(0.2, 2.0))
        except subprocess.TimeoutExpired:
            killed.kill()
    assert value(db, "SELECT count(*) FROM hands") in (1, 401)
    ingest([many], db)
    assert value(db, "SELECT count(DISTINCT hand_id) FROM hands") == 401
    assert leftovers(db) == []


def test_a_second_writer_is_told_who_is_writing(tmp_path: Path, db: str) -> None:
    source = put(tmp_path, "a.ndjson", log(hand_id="a"))
    database = Database(db)
    with database.lock(), pytest.raises(DatabaseBusy, match=f"Process {os.getpid()} is writing"):
        ingest([source], database)
    assert words(ingest([source], database)) == {"accepted": 1}


READING = """
import sys, time
from analyzer.store.database import Database
from analyzer.store.reader import open_reader

database = Database(sys.argv[1])
print("ready", flush=True)
while not sys.stdin.closed:
    with open_reader(database) as reader:
        (row,) = reader.rows(
            "SELECT (SELECT count(*) FROM hands) AS hands, (SELECT count(*) FROM seats) AS seats, "
            "(SELECT count(*) FROM events) AS events, (SELECT count(DISTINCT hand_id) FROM hands) AS ids"
        )
    print(row["hands"], row["seats"], row["events"], row["ids"], flush=True)
    if row["hands"] == int(sys.argv[2]):
        break
"""


def test_readers_see_whole_versions_while_an_ingest_publishes(tmp_path: Path, db: str) -> None:
    groups = [[log(plays("0 3S"), hand_id=f"{g}-{n}") for n in range(50)] for g in range(5)]
    files = [put(tmp_path, f"{g}.ndjson", *logs) for g, logs in enumerate(groups)]
    ingest(files[:1], db)
    readers = [python("-c", READING, db, "250", stdin=subprocess.PIPE) for _ in range(2)]
    try:
        for reader in readers:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
        for file in files[1:]:
            assert words(ingest([file], db)) == {"accepted": 50}
        for reader in readers:
            out, err = reader.communicate(timeout=120)
            assert reader.returncode == 0, err
            seen = [tuple(map(int, line.split())) for line in out.splitlines()]
            assert seen == sorted(seen)
            assert set(seen) <= {(n, 4 * n, n, n) for n in range(50, 251, 50)}
            assert seen[-1] == (250, 1000, 250, 250)
    finally:
        for reader in readers:
            reader.kill()
            reader.communicate()


def test_a_report_is_small_however_much_was_refused(
    tmp_path: Path, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settling, "TOLD", 3)
    report: IngestReport = ingest([put(tmp_path, "a.ndjson", *[BAD] * 10)], db)
    assert (report.quarantined, len(report.refusals)) == (10, 3)
    assert value(db, "SELECT count(*) FROM quarantine") == 10


def test_plays_alone_make_the_played_cards(evening: tuple[str, list[Read]]) -> None:
    db, hands = evening
    played = [event for read in hands for event in read.hand.events if type(event) is PlayEvent]
    found = rows(db, "SELECT cards FROM events WHERE type = 'play' ORDER BY hand_key, event")
    assert [row["cards"] for row in found] == [" ".join(event.cards) for event in played]


def test_names_and_records_that_are_no_text(tmp_path: Path, db: str) -> None:
    folder = os.fsencode(tmp_path / "in")
    os.mkdir(folder)
    twice = b'{"\\ud800": 1, "\\ud800": 2}'
    with open(os.path.join(folder, b"b\xff.ndjson"), "wb") as file:
        file.write(raw(log(hand_id="a")) + b"\n" + twice + b"\n" + raw(log(hand_id="a", stake=2)) + b"\n")
    report = ingest([os.fsdecode(folder)], db)
    assert words(report) == {"accepted": 1, "conflicting": 1, "quarantined": 1}
    (bad,) = rows(db, "FROM quarantine")
    assert (bad["json_path"], bad["raw"]) == ("\\ud800", twice)
    for table, column in (("hands", "source_path"), ("conflicts", "source_path"), ("sources", "path")):
        assert value(db, f"SELECT {column} FROM {table}").endswith("/in/b\\udcff.ndjson")


def test_the_stored_facts_of_a_transfer_are_its_own(tmp_path: Path, db: str) -> None:
    hands = [
        {**one, "hand_id": f"{rules}-{stake}-{number}", "club_id": "", "stake": stake}
        for rules in preset_ids()
        for number, one in enumerate(simulate(30, 3, preset(rules)))
        for stake in (1, 20_000)  # the same transfers again, of other amounts
    ]
    source = put(tmp_path, "a.ndjson", *hands)
    ingest([source], db)
    told = {}
    for record in records(source):
        assert isinstance(record, Read)
        hand, house = record.hand, house_of(record.rules)
        told[hand.hand_id] = [
            facts_of(transfer, house, hand.stake) for transfer in judge(hand, house).settlement.transfers
        ]
    stored: dict[str, list[Any]] = {hand: [] for hand in told}
    for row in rows(db, "SELECT hand_id, facts FROM transfers ORDER BY hand_key, number"):
        stored[row["hand_id"]].append(json.loads(row["facts"]))
    assert stored == told


def test_a_conflict_with_a_record_that_is_read_no_more(
    tmp_path: Path, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest([put(tmp_path, "a.ndjson", log(hand_id="a"))], db)

    def refuse(_: bytes) -> None:
        raise Fault("not_yet", "", "this", Message("that"))

    monkeypatch.setattr(conflicts, "read_record", refuse)
    ingest([put(tmp_path, "b.ndjson", log(hand_id="a", stake=2))], db)
    told = json.loads(value(db, "SELECT differences FROM conflicts"))
    assert {"path": "stake", "before": 1000, "after": 2} in told


def test_a_disk_that_fails_is_told(tmp_path: Path, db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = put(tmp_path, "a.ndjson", log(hand_id="a"))
    ingest([source], db)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fail)
        with pytest.raises(DatabaseBroken, match="No space left on device"):
            ingest([source], db)
    assert leftovers(db) == []
    (Path(db) / "lock").unlink()
    (Path(db) / "lock").mkdir()
    with pytest.raises(DatabaseBroken, match="Is a directory"):
        ingest([source], db)
