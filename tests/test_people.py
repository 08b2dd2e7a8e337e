"""Who is who and which day is which, from the journal: nothing circular, everything reversible."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from analyzer.store import queries
from analyzer.store.club_days import BadSetting, Clock, clocks
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.journal import Entry, Journal
from analyzer.store.people import ALIAS, UNDONE, AliasRefused, aliases, checked, persons, relation
from analyzer.store.reader import open_reader
from tests.hands import log, raw

ADD = (
    "import sys\n"
    "from analyzer.store.database import Database\n"
    "from analyzer.store.journal import Journal\n"
    "from analyzer.store.people import AliasRefused, checked\n"
    "data = {'club': 'c', 'player': 'b', 'is': 'a'}\n"
    "try:\n"
    "    Journal(Database(sys.argv[1])).append('alias', data, sys.argv[2], checked('alias', data))\n"
    "except AliasRefused:\n"
    "    print('refused')\n"
)


def entries(*told: tuple[str, dict[str, Any]]) -> list[Entry]:
    return [
        Entry(number, datetime(2026, 11, 28, tzinfo=UTC), "Hà", kind, data, "0" * 64)
        for number, (kind, data) in enumerate(told, 1)
    ]


def alias(player: str, is_: str, club: str = "c") -> tuple[str, dict[str, Any]]:
    return ALIAS, {"club": club, "player": player, "is": is_}


def undone(number: int) -> tuple[str, dict[str, Any]]:
    return UNDONE, {"alias": number}


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    database = Database(tmp_path / "db")
    with database.lock():
        pass
    return Journal(database)


# -- names ---------------------------------------------------------------------------------------


def test_a_player_whose_name_is_empty_is_called_by_the_id(tmp_path: Path) -> None:
    players = [{"id": "an", "name": ""}, {"id": "binh"}, {"id": "chi", "name": "Chi"}, {"id": "dung"}]
    (tmp_path / "a.json").write_bytes(raw(log(players=players, club_id="c")))
    ingest([tmp_path / "a.json"], tmp_path / "db")
    with open_reader(Database(tmp_path / "db")) as reader:
        found = reader.rows("SELECT player_id, name FROM people([]) ORDER BY player_id")
        (evening,) = queries.run(reader, "evenings", club="c", limit=10, offset=0).to_dicts()
    assert [row["name"] for row in found] == ["an", "binh", "Chi", "dung"]
    assert sorted(player["name"] for player in evening["players"]) == ["Chi", "an", "binh", "dung"]


# -- persons -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ([], {}),
        ([alias("b", "a")], {"b": "a"}),
        ([alias("b", "a"), alias("d", "a")], {"b": "a", "d": "a"}),
        ([alias("b", "a"), alias("d", "b")], {"b": "a", "d": "a"}),
        ([alias("d", "b"), alias("b", "a")], {"b": "a", "d": "a"}),
        ([alias("d", "b"), alias("b", "a"), undone(2)], {"d": "b"}),
        ([alias("b", "a"), undone(1), alias("a", "b")], {"a": "b"}),
        ([alias("b", "a"), undone(1), undone(1), undone(7)], {}),
        ([alias("a", "a")], {}),
        ([alias("b", "a"), alias("b", "d")], {"b": "a"}),
        ([alias("b", "a"), alias("a", "b")], {"b": "a"}),
        ([alias("b", "a"), alias("d", "b"), alias("a", "d")], {"b": "a", "d": "a"}),
        ([(ALIAS, {"club": "c", "player": 1, "is": "a"}), (ALIAS, {}), (UNDONE, {"alias": "x"})], {}),
        ([("payment", {"club": "c", "player": "b", "is": "a"})], {}),
    ],
)
def test_chains_resolve_and_circles_count_for_nothing(told: list[Any], found: dict[str, str]) -> None:
    assert persons(entries(*told)) == {("c", player): person for player, person in found.items()}


def test_a_person_is_a_clubs() -> None:
    assert persons(entries(alias("b", "a", "one"), alias("b", "d", "two"))) == {
        ("one", "b"): "a",
        ("two", "b"): "d",
    }


def test_who_said_so_and_when_is_kept() -> None:
    known = aliases(entries(alias("x", "y"), alias("b", "a"), undone(1)))
    assert {key: (entry.number, entry.by) for key, entry in known.items()} == {("c", "b"): (2, "Hà")}


@pytest.mark.parametrize(
    ("kind", "data", "why"),
    [
        (ALIAS, {"club": "c", "player": "a", "is": "a"}, "a is the same id twice"),
        (ALIAS, {"club": "c", "player": "b", "is": "d"}, "b already counts as a. Undo that first."),
        (ALIAS, {"club": "c", "player": "a", "is": "b"}, "b already counts as a. Undo that first."),
        (UNDONE, {"alias": 9}, "undone already"),
    ],
)
def test_what_cannot_be_is_refused_before_it_is_written(
    journal: Journal, kind: str, data: dict[str, Any], why: str
) -> None:
    first = {"club": "c", "player": "b", "is": "a"}
    journal.append(ALIAS, first, "Hà", checked(ALIAS, first))
    with pytest.raises(AliasRefused, match=why):
        journal.append(kind, data, "Hà", checked(kind, data))
    assert len(journal.entries()) == 1


def test_of_two_people_who_enter_the_same_alias_at_once_one_is_refused(journal: Journal) -> None:
    folder = str(journal.path.parents[1])
    command = [sys.executable, "-c", ADD, folder]
    both = [subprocess.Popen([*command, by], stdout=subprocess.PIPE, text=True) for by in ("Hà", "Lan")]
    assert sorted(process.communicate(timeout=60)[0] for process in both) == ["", "refused\n"]
    assert len(journal.entries(ALIAS)) == 1


def test_the_relation_people_has_every_player_once_under_the_persons_name(tmp_path: Path) -> None:
    names = [{"id": "a", "name": "An"}, {"id": "b", "name": "An (máy 2)"}, {"id": "c"}]
    logs = [
        log(seats=2, hand_id=str(n), club_id="c", players=pair)
        for n, pair in enumerate((names[::2], names[1:]))
    ]
    (tmp_path / "a.ndjson").write_bytes(b"\n".join(raw(one) for one in logs))
    ingest([tmp_path / "a.ndjson"], tmp_path / "db")
    known = persons(entries(alias("b", "a"), alias("gone", "a")))
    with open_reader(Database(tmp_path / "db")) as reader:
        query = "SELECT player_id, person_id, name FROM people($aliases) ORDER BY player_id"
        found = [tuple(row.values()) for row in reader.rows(query, {"aliases": relation(known)})]
        alone = [tuple(row.values()) for row in reader.rows(query, {"aliases": relation({})})]
    assert found == [("a", "a", "An"), ("b", "a", "An"), ("c", "c", "c")]
    assert alone == [("a", "a", "An"), ("b", "b", "An (máy 2)"), ("c", "c", "c")]


# -- club days -----------------------------------------------------------------------------------


def test_an_evening_past_midnight_belongs_to_the_day_it_began() -> None:
    clock = Clock()
    for text, day in [
        ("2026-11-28T23:59:00+07:00", date(2026, 11, 28)),
        ("2026-11-29T02:30:00+07:00", date(2026, 11, 28)),
        ("2026-11-29T05:59:59+07:00", date(2026, 11, 28)),
        ("2026-11-29T06:00:00+07:00", date(2026, 11, 29)),
        ("2026-11-28T22:59:59+00:00", date(2026, 11, 28)),
    ]:
        assert clock.day_of(datetime.fromisoformat(text)) == day, text


@pytest.mark.parametrize(
    "clock", [Clock(), Clock("Europe/Berlin", "04:30"), Clock("America/New_York", "00:00")]
)
def test_a_day_begins_where_the_one_before_ends(clock: Clock) -> None:
    for number in range(0, 400, 7):
        day = date(2026, 1, 1) + timedelta(number)
        begin = clock.begins(day)
        assert clock.day_of(begin) == day
        assert clock.day_of(begin.astimezone(UTC) - timedelta(seconds=1)) == day - timedelta(1)


def test_the_last_setting_of_a_club_counts_and_a_bad_one_does_not() -> None:
    told: list[tuple[str, dict[str, Any]]] = [
        ("setting", {"club": "a", "time_zone": "Europe/Paris"}),
        ("setting", {"club": "a", "day_starts": "05:00"}),
        ("setting", {"club": "b", "time_zone": "../../etc/passwd"}),
        ("setting", {"club": "b", "day_starts": "25:00"}),
        ("setting", {"club": "b", "day_starts": 6}),
        ("setting", {"club": 7, "day_starts": "05:00"}),
        ("payment", {"club": "b", "day_starts": "05:00"}),
        ("setting", {"club": "c", "time_zone": "Asia/Tokyo", "day_starts": "07:00"}),
        ("setting", {"club": "c", "time_zone": "Asia/Ho_Chi_Minh", "day_starts": "08:00"}),
    ]
    assert clocks(entries(*told)) == {"a": Clock("Europe/Paris", "05:00"), "c": Clock(day_starts="08:00")}


@pytest.mark.parametrize(
    ("clock", "why"),
    [
        (Clock("Hà Nội"), "Hà Nội is no time zone. Write one like Asia/Ho_Chi_Minh."),
        (Clock("/etc/localtime"), "is no time zone"),
        (Clock(""), "is no time zone"),
        (Clock(day_starts="6h"), "6h is no time of the day"),
        (Clock(day_starts="24:00"), "24:00 is no time of the day"),
    ],
)
def test_a_bad_setting_says_what_is_expected(clock: Clock, why: str) -> None:
    with pytest.raises(BadSetting, match=why):
        clock.check()
