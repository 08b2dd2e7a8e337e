"""The database folder, its relations, and the queries of the dashboards."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
import threading
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path

import duckdb
import pytest

from analyzer.logs.differences import MOST, differences
from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store import queries
from analyzer.store.database import (
    Database,
    DatabaseBroken,
    DatabaseBusy,
    DatabaseError,
    DatabaseTooNew,
    NoDatabase,
)
from analyzer.store.debts import EXACT, Payment, fewest_payments
from analyzer.store.ingest import ingest
from analyzer.store.reader import Reader, open_reader
from analyzer.store.relations import columns, script
from tests.hands import log, plays, raw

CONTRACT = [
    *("sources", "hands", "seats", "events", "violations", "missed_blocks", "forfeits", "chops", "transfers"),
    *("quarantine", "conflicts", "rule_sets", "rulings", "players", "sessions", "debts"),
]


def put(folder: Path, name: str, *logs: dict[str, object]) -> str:
    path = folder / name
    path.write_bytes(b"\n".join(map(raw, logs)))
    return str(path)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """A database of one hand."""
    ingest([put(tmp_path, "a.ndjson", log(plays("0 3S"), hand_id="a"))], tmp_path / "db")
    return Database(tmp_path / "db")


# -- the folder ----------------------------------------------------------------------------------


def test_the_folder_is_as_it_is_written_down(database: Database) -> None:
    names = {str(path.relative_to(database.path)) for path in database.path.rglob("*")}
    assert names == {
        "CURRENT",
        "journal",
        "lock",
        "manifests",
        "manifests/00000000.json",
        "manifests/00000001.json",
        "segments",
        "segments/00000001.duckdb",
    }
    assert (database.path / "CURRENT").read_text() == "00000001\n"


def test_a_manifest_tells_what_is_in_its_segments(tmp_path: Path, database: Database) -> None:
    times = ("2026-01-02T00:00:00Z", "2026-03-04T00:00:00+07:00", "2026-02-03T00:00:00Z")
    more = [log(hand_id=f"b-{n}", played_at=at) for n, at in enumerate(times)]
    ingest([put(tmp_path, "b.ndjson", *more)], database)
    manifest = database.manifest()
    first, second = manifest.segments
    assert (manifest.number, manifest.parent, manifest.schema, manifest.hands) == (2, 1, 2, 4)
    assert (first.hands, first.first_played_at, second.hands) == (1, None, 3)
    assert second.first_played_at is not None
    assert second.last_played_at is not None
    assert second.first_played_at.isoformat() == "2026-01-02T00:00:00+00:00"
    assert second.last_played_at.isoformat() == "2026-03-03T17:00:00+00:00"
    for segment in manifest.segments:
        assert hashlib.sha256(database.segment_path(segment.name).read_bytes()).hexdigest() == segment.sha256
        with duckdb.connect(str(database.segment_path(segment.name)), read_only=True) as connection:
            for table in columns():
                (counted,) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()
                assert counted[0] == segment.rows.get(table, 0)


def test_an_older_version_stays_readable(tmp_path: Path, database: Database) -> None:
    ingest([put(tmp_path, "b.ndjson", log(hand_id="a", revision={"number": 2}))], database)
    for name, revision in (("00000001", 1), ("00000002", 2)):
        with open_reader(database, name) as reader:
            assert reader.rows("SELECT revision FROM hands") == [{"revision": revision}]
    with open_reader(database, "00000000") as reader:
        assert reader.rows("FROM hands") == []


def test_keys_stay_what_they_were(tmp_path: Path, database: Database) -> None:
    ingest([put(tmp_path, "b.ndjson", log(hand_id="b"), log(hand_id="a"), log(hand_id="c"))], database)
    with open_reader(database) as reader:
        keys = {row["hand_id"]: row["hand_key"] for row in reader.rows("FROM hands")}
    assert keys == {"a": 1, "b": 2, "c": 3}


def test_what_a_killed_writer_left_is_ignored_and_cleaned(tmp_path: Path, database: Database) -> None:
    segments = database.path / "segments"
    for name in ("00000002.duckdb.tmp", "00000002.duckdb.tmp.wal", "00000002.duckdb"):
        (segments / name).write_bytes(b"half")
    (segments / "00000002.duckdb.tmp.spill").mkdir()
    (database.path / "manifests" / "00000002.json.tmp").write_bytes(b"{")
    (database.path / "CURRENT.tmp").write_bytes(b"")
    (database.path / "journal" / "own.tmp").write_bytes(b"the journal's writer cleans for itself")
    with open_reader(database) as reader:
        assert len(reader.rows("FROM hands")) == 1
    ingest([put(tmp_path, "b.ndjson", log(hand_id="b"))], database)
    assert sorted(path.name for path in segments.iterdir()) == ["00000001.duckdb", "00000002.duckdb"]
    assert [path.name for path in database.path.rglob("*.tmp")] == ["own.tmp"]
    with open_reader(database) as reader:
        assert len(reader.rows("FROM hands")) == 2


# -- what is wrong with a folder -----------------------------------------------------------------


def test_no_database(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoDatabase, match=r"There is no database at .*none"):
        open_reader(Database(tmp_path / "none"))
    for name in ("other", "empty", "other/letter.txt"):
        with pytest.raises(NoDatabase, match="is not a tienlen database"):
            open_reader(Database(tmp_path / name))
    source = put(tmp_path, "a.ndjson", log(hand_id="a"))
    for name in ("other", "other/letter.txt"):
        with pytest.raises(NoDatabase, match="is not a tienlen database"):
            ingest([source], tmp_path / name)
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["letter.txt"]
    assert ingest([source], tmp_path / "empty").accepted == 1


def test_a_first_ingest_killed_early_can_be_done_again(tmp_path: Path) -> None:
    (tmp_path / "db" / "manifests").mkdir(parents=True)
    (tmp_path / "db" / "lock").write_text("1\n")
    assert ingest([put(tmp_path, "a.ndjson", log(hand_id="a"))], tmp_path / "db").accepted == 1


def test_a_later_layout(database: Database) -> None:
    path = database.path / "manifests" / f"{database.current()}.json"
    path.write_text(json.dumps({"schema": 99, "program": "9.9.9", "segments": {"not": "known"}}))
    with pytest.raises(DatabaseTooNew, match=r"written by tienlen 9\.9\.9 with layout 99.*up to 2\."):
        open_reader(database)
    with pytest.raises(DatabaseTooNew):
        ingest([], database)


@pytest.mark.parametrize("name", ["CURRENT", "manifests/00000001.json", "segments/00000001.duckdb"])
@pytest.mark.parametrize("damage", ["missing", "cut", "garbage"])
def test_a_damaged_file_is_named(database: Database, name: str, damage: str) -> None:
    path = database.path / name
    content = path.read_bytes()
    path.unlink()
    if damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "garbage":
        path.write_bytes(b"\xff" * 5000)
    with pytest.raises(DatabaseError) as caught:
        open_reader(database)
    expected = NoDatabase if (name, damage) == ("CURRENT", "missing") else DatabaseBroken
    assert type(caught.value) is expected
    assert str(database.path) in str(caught.value)
    assert caught.value.message.render("vi")


def test_one_writer_at_a_time(database: Database) -> None:
    with database.lock():
        with pytest.raises(DatabaseBusy), database.lock():
            pass
        with open_reader(database) as reader:
            assert len(reader.rows("FROM hands")) == 1
    with database.lock() as manifest:
        assert manifest.name == "00000001"


# -- the relations -------------------------------------------------------------------------------


def test_the_contracts_relations_are_there(database: Database) -> None:
    with open_reader(database) as reader:
        found = {row["name"] for row in reader.rows("SELECT table_name AS name FROM duckdb_tables()")}
        found |= {row["name"] for row in reader.rows("SELECT view_name AS name FROM duckdb_views()")}
        for relation in CONTRACT:
            assert relation in found
            reader.frame(f"FROM {relation}")
        for relation in ("seats", "events", "violations", "transfers", "chops", "forfeits", "missed_blocks"):
            named = set(reader.frame(f"FROM {relation} LIMIT 0").columns)
            assert {"club_id", "hand_id"} <= named


def test_every_relation_and_column_has_a_comment(database: Database) -> None:
    uncommented = (
        "SELECT table_name, {column} FROM {source}() WHERE NOT internal AND comment IS NULL AND {where}"
    )
    with open_reader(database) as reader:
        where = "database_name = 'memory' AND schema_name = 'main'"
        assert (
            reader.rows(uncommented.format(column="column_name", source="duckdb_columns", where=where)) == []
        )
        for source, name in (("duckdb_views", "view_name"), ("duckdb_tables", "table_name")):
            assert reader.rows(f"FROM {source}() WHERE NOT internal AND comment IS NULL AND {where}") == [], (
                name
            )
        shown = reader.rows(f"FROM duckdb_columns() WHERE {where} AND table_name = 'hands'")
        assert {row["column_name"] for row in shown} == set(columns()["hands"])
    segment = database.manifest().segments[0]
    with duckdb.connect(str(database.segment_path(segment.name)), read_only=True) as connection:
        for source in ("duckdb_columns", "duckdb_tables"):
            query = f"SELECT count(*) FROM {source}() WHERE NOT internal AND comment IS NULL"
            assert connection.execute(query).fetchall() == [(0,)]


def test_amounts_and_times_have_their_types(database: Database) -> None:
    types = {(table, column): kind for table, names in columns().items() for column, kind in names.items()}
    money = {name for name, kind in types.items() if kind == "DECIMAL(18,3)"}
    assert money == {("hands", "stake"), ("seats", "net"), ("transfers", "amount"), ("chops", "amount")}
    times = {column for (_, column), kind in types.items() if column.endswith("_at") and "ZONE" not in kind}
    assert times == set()
    floats = {name for name, kind in types.items() if kind.startswith(("DOUBLE", "FLOAT"))}
    assert floats == {("acts", "at_seconds")}
    with open_reader(database) as reader:
        for view in ("players", "debts"):
            shown = reader.rows(
                f"SELECT data_type FROM duckdb_columns() WHERE table_name = '{view}' "
                "AND column_name IN ('net', 'amount')"
            )
            assert shown == [{"data_type": "DECIMAL(38,3)"}]


def test_a_segment_of_an_older_layout_gives_null(database: Database) -> None:
    segment = database.manifest().segments[0]
    with duckdb.connect(str(database.segment_path(segment.name))) as connection:
        connection.execute("ALTER TABLE hands DROP COLUMN revised_by")
    with open_reader(database) as reader:
        assert reader.rows("SELECT hand_id, revised_by FROM hands") == [{"hand_id": "a", "revised_by": None}]


def test_a_reader_serves_many_threads(database: Database) -> None:
    found: list[int] = []
    with open_reader(database) as reader:

        def ask() -> None:
            found.extend(
                len(reader.rows("FROM seats")) + reader.frame("FROM hands").height for _ in range(20)
            )

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [5] * 80


def test_a_reader_takes_no_python_variable_for_a_table(database: Database) -> None:
    secret = reader = open_reader(database)
    with reader, pytest.raises(duckdb.Error, match="secret"):
        reader.rows("FROM secret")
    assert secret is reader


def test_two_readers_and_a_writer_in_one_process(tmp_path: Path, database: Database) -> None:
    with open_reader(database) as one, open_reader(database) as other:
        ingest([put(tmp_path, "b.ndjson", log(hand_id="b"))], database)
        for reader in (one, other):
            assert len(reader.rows("FROM hands")) == 1
        with open_reader(database) as newest:
            assert len(newest.rows("FROM hands")) == 2


def test_a_dozen_segments(tmp_path: Path) -> None:
    database = Database(tmp_path / "db")
    for n in range(12):
        ingest([put(tmp_path, f"{n}.ndjson", log(hand_id="x", revision={"number": n + 1}))], database)
    with open_reader(database) as reader:
        assert reader.rows("SELECT revision FROM hands") == [{"revision": 12}]
        assert len(reader.rows("FROM revisions")) == 12
        assert len(reader.rows("FROM seats")) == 4
        assert len(reader.rows("FROM sources")) == 12
    sizes = [database.segment_path(segment.name).stat().st_size for segment in database.manifest().segments]
    assert max(sizes) < 300_000


# -- queries -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Two evenings of one club, and a hand without a club."""
    folder = tmp_path_factory.mktemp("club")
    names = {"p0": "Người Đức", "p1": "Trân Ân"}
    logs: list[dict[str, object]] = []
    for evening, rules in enumerate(("mien-nam", "mien-bac-cuoc")):
        for number, made in enumerate(simulate(20, 3, preset(rules), faults=0.3)):
            players = [{**p, "name": names.get(p["id"], p["id"])} for p in made["players"]]  # type: ignore[attr-defined]
            made |= {"club_id": "clb", "session_id": f"e{evening}", "hand_no": number + 1, "currency": "VND"}
            made |= {"players": players, "played_at": f"2026-03-{evening + 1:02}T20:{number:02}:00+07:00"}
            logs.append({key: value for key, value in made.items() if not key.startswith("_")})
    logs.append(log(plays("0 3S"), hand_id="lone"))
    ingest([put(folder, "a.ndjson", *logs)], folder / "db")
    return open_reader(Database(folder / "db"))


def test_every_query_says_what_it_is_and_runs_without_parameters(club: Reader) -> None:
    assert queries.names() == [
        *("cases", "causes", "conflicts", "counted_elsewhere", "emptied_evenings", "evening_hands", "evening_nets"),
        *("evening_players", "evening_rulings", "evening_seats", "evening_transfers"),
        *("evenings", "flags", "hand", "hands", "logs", "missing_numbers", "persons", "placings", "player"),
        *("player_blocks", "player_opponents", "players", "transfers", "turns", "unknown_cards"),
    ]  # fmt: skip
    for name in queries.names():
        text = queries.text_of(name)
        assert text.startswith("-- ")
        paging = {key: value for key, value in (("limit", 10), ("offset", 0)) if f"${key}" in text}
        queries.run(club, name, **paging)
        for parameter in queries.parameters_of(name):
            comment = "".join(line for line in text.splitlines() if line.startswith("--"))
            assert f"${parameter}" in comment or name == "hands", f"{name}: ${parameter} is not described"
    with pytest.raises(TypeError, match="query hand has no parameter hand_id; it has club, hand, revision"):
        queries.run(club, "hand", hand_id="x")


def test_hands_are_found_page_by_page(club: Reader) -> None:
    first = queries.run(club, "hands", limit=15, offset=0)
    rest = [queries.run(club, "hands", limit=15, offset=n) for n in (15, 30, 45)]
    assert [frame.height for frame in (first, *rest)] == [15, 15, 11, 0]
    assert set(first["total"]) == {41}
    ids = [*first["hand_id"], *(id_ for frame in rest for id_ in frame["hand_id"])]
    assert sorted(ids) == sorted(club.frame("SELECT hand_id FROM hands")["hand_id"])
    assert ids[-1] == "lone"
    times = first["played_at"].to_list()
    assert times == sorted(times, reverse=True)
    assert "log" not in first.columns
    assert [len(row) for row in first["players"]] == first["player_count"].to_list()


MARCH_2 = datetime(2026, 3, 1, 23, tzinfo=UTC)
LATE = datetime(2026, 3, 2, 13, 5, tzinfo=UTC)
AT_THE_TABLE = "hand_key IN (SELECT hand_key FROM seats WHERE player_id {})"


def seat(player: str, person: str | None = None) -> dict[str, str]:
    return {"player_id": player, "person_id": person or player}


@pytest.mark.parametrize(
    ("filters", "where"),
    [
        ({}, "true"),
        ({"filters": {"rules": "mien-bac-cuoc"}}, "rules_id = 'mien-bac-cuoc'"),
        ({"violation": True}, "severity IN ('error', 'warning')"),
        ({"violation": False}, "severity IN ('info', 'none')"),
        ({"forfeit": True}, "has_forfeit"),
        ({"filters": {"since": MARCH_2}}, "played_at >= '2026-03-02T06:00:00+07:00'"),
        ({"filters": {"until": MARCH_2}}, "played_at < '2026-03-02T06:00:00+07:00'"),
        ({"filters": {"since": MARCH_2, "since_of": {"clb": LATE}}}, "played_at >= '2026-03-02T20:05:00+07:00'"),
        ({"filters": {"since": MARCH_2, "since_of": {"other": LATE}}}, "played_at >= '2026-03-02T06:00:00+07:00'"),
        ({"filters": {"stake": Decimal("1000"), "currency": "VND"}}, "stake = 1000 AND currency = 'VND'"),
        ({"filters": {"players": 4}}, "player_count = 4"),
        ({"filters": {"table_id": "no such table"}}, "false"),
        ({"filters": {"club": ""}}, "hand_id = 'lone'"),
        ({"filters": {"club": "clb", "evening": "session e1"}}, "club_id = 'clb' AND session_id = 'e1'"),
        ({"filters": {"without": list(range(38))}}, "hand_key > 37"),
        ({"filters": {"seated": [seat("p1")]}}, AT_THE_TABLE.format("= 'p1'")),
        ({"filters": {"seated": [seat("p1"), seat("p2", "p1")]}}, AT_THE_TABLE.format("IN ('p1', 'p2')")),
        ({"filters": {"seated": [seat("p1"), seat("p2")]}},
         AT_THE_TABLE.format("= 'p1'") + " AND " + AT_THE_TABLE.format("= 'p2'")),
        ({"text": "nguoi duc"}, "hand_key IN (SELECT hand_key FROM seats WHERE name = 'Người Đức')"),
        ({"text": "Trân"}, "hand_key IN (SELECT hand_key FROM seats WHERE name = 'Trân Ân')"),
        ({"text": "LONE"}, "hand_id = 'lone'"),
        ({"text": "%"}, "false"),
        ({"filters": {"seated": [seat("p1")], "rules": "mien-nam"}, "violation": True},
         "rules_id = 'mien-nam' AND severity IN ('error', 'warning') AND " + AT_THE_TABLE.format("= 'p1'")),
    ],
    ids=str,
)  # fmt: skip
def test_filters_of_the_hand_list(club: Reader, filters: Mapping[str, object], where: str) -> None:
    found = queries.run(club, "hands", limit=100, offset=0, **filters)
    expected = club.frame(f"SELECT hand_key FROM hands WHERE {where}")
    assert sorted(found["hand_key"]) == sorted(expected["hand_key"])


def test_one_hand_has_everything(club: Reader) -> None:
    (chosen,) = club.rows(
        "SELECT club_id, hand_id, hand_key FROM hands WHERE severity = 'error' ORDER BY hand_key LIMIT 1"
    )
    found = queries.run(club, "hand", club=chosen["club_id"], hand=chosen["hand_id"])
    (row,) = found.to_dicts()
    assert json.loads(row["log"])["hand_id"] == chosen["hand_id"]
    assert row["in_force"]
    for table in ("seats", "violations", "missed_blocks", "forfeits", "chops", "transfers"):
        stored = club.frame(f"FROM {table} WHERE hand_key = $key", {"key": chosen["hand_key"]})
        assert len(row[table] or []) == stored.height, table
    assert [seat["seat"] for seat in row["seats"]] == list(range(row["player_count"]))
    assert sum(seat["net"] for seat in row["seats"]) == 0
    assert [revision["revision"] for revision in row["revisions"]] == [1]
    assert queries.run(club, "hand", club="", hand="nobody's").height == 0


def test_a_revision_out_of_force_can_be_opened(tmp_path: Path) -> None:
    logs = [log(hand_id="a", stake=n, revision={"number": n}) for n in (1, 2)]
    ingest([put(tmp_path, "a.ndjson", *logs, {**logs[0], "stake": 9})], tmp_path / "db")
    with open_reader(Database(tmp_path / "db")) as reader:
        in_force = queries.run(reader, "hand", club="", hand="a").to_dicts()[0]
        older = queries.run(reader, "hand", club="", hand="a", revision=1).to_dicts()[0]
    assert (in_force["stake"], in_force["in_force"], older["stake"], older["in_force"]) == (2, True, 1, False)
    assert [revision["in_force"] for revision in older["revisions"]] == [False, True]
    assert len(in_force["conflicts"]) == len(older["conflicts"]) == 1


def test_events_of_one_hand_do_not_read_the_others(club: Reader) -> None:
    (plan,) = club.rows("EXPLAIN (FORMAT json) SELECT * FROM events WHERE hand_id = 'lone'")
    nodes = [json.loads(plan["explain_value"])[0]]
    filters = []
    while nodes:
        node = nodes.pop()
        nodes += node["children"]
        if "acts" in str(node["extra_info"].get("Table")):
            filters.append(str(node["extra_info"].get("Filters")))
    assert filters
    assert all("hand_id" in found for found in filters)


def test_evenings_and_their_money(club: Reader) -> None:
    evenings = queries.run(club, "evenings", limit=10, offset=0)
    assert evenings["evening"].to_list()[:2] == ["session e1", "session e0"]
    assert evenings["hands"].to_list()[:2] == [20, 20]
    assert set(evenings["total"]) == {3}
    assert queries.run(club, "evenings", player="nobody", limit=10, offset=0).height == 0
    assert queries.run(club, "evenings", player="an", limit=10, offset=0)["hands"].to_list() == [1]
    hands = queries.run(club, "evening_hands", club="clb", evening="session e0")
    assert hands["hand_no"].to_list() == list(range(1, 21))
    players = queries.run(club, "evening_players", club="clb", evening="session e0")
    assert sum(players["net"]) == 0
    assert sum(players["hands"]) == sum(hands["player_count"])
    causes = queries.run(club, "evening_transfers", club="clb", evening="session e0").to_dicts()
    for player, net in zip(players["player_id"], players["net"], strict=True):
        got = sum(row["amount"] for row in causes if row["to_player"] == player)
        assert got - sum(row["amount"] for row in causes if row["from_player"] == player) == net
    debts = club.rows("FROM debts WHERE club_id = 'clb' AND evening = 'session e0'")
    assert all(row["amount"] > 0 for row in debts)
    pairs = {frozenset((row["from_player"], row["to_player"])) for row in debts}
    assert len(pairs) == len(debts)
    for player, net in zip(players["player_id"], players["net"], strict=True):
        got = sum(row["amount"] for row in debts if row["to_player"] == player)
        assert got - sum(row["amount"] for row in debts if row["from_player"] == player) == net


def test_players_and_sessions(club: Reader) -> None:
    (duc,) = club.rows("FROM players WHERE player_id = 'p0'")
    assert (duc["name"], duc["currency"], duc["evenings"]) == ("Người Đức", "VND", 2)
    assert duc["hands"] == len(club.rows("FROM seats WHERE player_id = 'p0'"))
    (session,) = club.rows("FROM sessions WHERE session_id = 'e0'")
    assert (session["hands"], session["rules"], session["currencies"]) == (20, ["mien-nam"], ["VND"])
    assert session["played_on"] == date(2026, 3, 1)


def test_the_bank_is_no_player(tmp_path: Path) -> None:
    logs = list(simulate(40, 9, preset("binh-tri-thien"), players=4))
    ingest([put(tmp_path, "a.ndjson", *logs)], tmp_path / "db")
    with open_reader(Database(tmp_path / "db")) as reader:
        assert all(row["from_player"] and row["to_player"] for row in reader.rows("FROM debts"))


def test_the_schema_is_written_in_one_place() -> None:
    written = set(re.findall(r"CREATE (?:TABLE|VIEW) (\w+)", script("schema.sql") + script("views.sql")))
    assert set(CONTRACT) - written == set()


# -- differences ---------------------------------------------------------------------------------


def test_differences_by_path() -> None:
    assert differences(b'{"a":1,"b":[1,{"c":2}]}', b'{"a":true,"b":[1,{"c":2,"d":null}]}') == [
        {"path": "a", "before": 1, "after": True},
        {"path": "b[1].d", "after": None},
    ]
    assert differences(b'{"a":123456789012345.678}', b'{"a":123456789012345.679}') == [
        {"path": "a", "before": Decimal("123456789012345.678"), "after": Decimal("123456789012345.679")}
    ]
    assert differences(b"[1]", b"[1]") == []
    assert len(differences(json.dumps([0] * 999).encode(), json.dumps([1] * 999).encode())) == MOST


# -- who pays whom -------------------------------------------------------------------------------


@cache
def fewest(balances: tuple[int, ...]) -> int:
    """The fewest payments, by trying: the first debtor pays each creditor in turn, in full or all it owes."""
    balances = tuple(sorted(filter(None, balances)))
    if not balances:
        return 0
    first, rest = balances[0], balances[1:]
    return 1 + min(
        fewest((*rest[:k], rest[k] + first, *rest[k + 1 :])) for k in range(len(rest)) if rest[k] * first < 0
    )


@pytest.mark.parametrize("seed", range(60))
def test_up_to_twelve_people_the_payments_are_the_fewest_of_all(seed: int) -> None:
    rng = random.Random(seed)
    people = EXACT if seed % 4 == 0 else rng.randint(2, EXACT)
    amounts = [rng.choice([n for n in range(-6, 7) if n]) for _ in range(people - 1)]
    amounts.append(-sum(amounts))
    net = {f"p{k}": Decimal(amount) / 2 for k, amount in enumerate(amounts)}
    payments = fewest_payments(net)
    assert len(payments) == fewest(tuple(amounts))
    for payment in payments:
        assert payment.amount > 0
        net[payment.from_player] += payment.amount
        net[payment.to_player] -= payment.amount
    assert not any(net.values())


def test_payments_beyond_the_exact_search() -> None:
    rng = random.Random(1)
    for people in (EXACT, EXACT + 1, 40):
        amounts = [rng.randint(-1000, 1000) for _ in range(people - 1)]
        net = {f"p{k:02}": Decimal(amount) for k, amount in enumerate([*amounts, -sum(amounts)])}
        payments = fewest_payments(net)
        assert len(payments) <= people - 1
        for payment in payments:
            net[payment.from_player] += payment.amount
            net[payment.to_player] -= payment.amount
        assert not any(net.values())


def test_beyond_the_exact_search_pairs_that_are_even_pay_each_other() -> None:
    net = {f"p{k:02}": Decimal(k + 1) for k in range(20)}
    net |= {f"q{k:02}": -Decimal(k + 1) for k in range(20)}
    assert fewest_payments(net) == [Payment(f"q{k:02}", f"p{k:02}", Decimal(k + 1)) for k in range(20)]


def test_payments_are_always_the_same_and_refuse_what_does_not_add_up() -> None:
    net = {
        "an": Decimal("-2.5"),
        "binh": Decimal("2.5"),
        "chi": Decimal(0),
        "dung": Decimal(-1),
        "em": Decimal(1),
    }
    expected = [Payment("an", "binh", Decimal("2.5")), Payment("dung", "em", Decimal(1))]
    for order in itertools.permutations(net.items()):
        assert fewest_payments(dict(order)) == expected
    assert fewest_payments({}) == []
    with pytest.raises(ValueError, match="add up to 1, not to 0"):
        fewest_payments({"an": Decimal(1)})
