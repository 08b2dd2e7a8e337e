"""Going back to a version, compacting, verifying, an older layout; and the commands that do it."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest
from click.testing import CliRunner

from analyzer.cli import cli
from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store import compaction
from analyzer.store.compaction import compact, compact_if_needed
from analyzer.store.database import Database, DatabaseBusy, DatabaseError, Manifest, replace, seal
from analyzer.store.ingest import ingest
from analyzer.store.journal import Journal
from analyzer.store.reader import Reader, open_reader
from analyzer.store.relations import columns
from analyzer.store.verification import verify
from analyzer.store.versions import NoVersion, history, prune, rollback, status
from tests.hands import log, plays, raw
from tests.test_cli import tienlen

LAYOUT_1 = Path(__file__).parent / "fixtures" / "database-1"
"""Three ingests by the last program of layout 1: six hands of the sample evening, one of them in two
revisions, two refused records and a conflict."""


def take(database: Database, *logs: Any) -> Manifest:
    """Ingests logs (bytes as they are) in one version."""
    source = database.path.parent / f"{len(list(database.path.parent.glob('*.ndjson')))}.ndjson"
    source.write_bytes(b"\n".join(entry if isinstance(entry, bytes) else raw(entry) for entry in logs))
    ingest([str(source)], database)
    return database.manifest()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five ingests: revisions and conflicts across them, refused records, a rule set twice."""
    database = Database(tmp_path_factory.mktemp("made") / "db")
    take(database, log(plays("0 3S"), hand_id="a"), b"broken 1", *simulate(5, 1, preset("mien-nam")))
    take(database, log(hand_id="b"), log(plays("0 3S"), hand_id="a", stake=7), b"broken 2")
    take(database, log(hand_id="a", revision={"number": 2}), b"broken 3", log(hand_id="a", stake=5))
    take(database, log(hand_id="c", rules="mien-bac"), log(hand_id="b"))
    take(database, log(hand_id="a", revision={"number": 3}), *simulate(5, 2, preset("mien-bac"), faults=1))
    return database.path


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Database:
    """The same, to work on."""
    shutil.copytree(made, tmp_path / "db")
    return Database(tmp_path / "db")


def everything(reader: Reader) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every relation, sorted; the quarantine in its order."""
    found = {}
    for table in (*columns(), "revisions", "sources", "events", "players", "sessions", "debts"):
        rows = [tuple(map(repr, row.values())) for row in reader.rows(f"FROM {table}")]
        found[table] = rows if table == "quarantine" else sorted(rows)
    return found


# -- compaction ----------------------------------------------------------------------------------


def test_compaction_changes_no_row(database: Database) -> None:
    with open_reader(database) as older:
        before = everything(older)
        done = compact(database)
        assert (len(done.before.segments), len(done.after.segments)) == (5, 1)
        assert everything(older) == before
    with open_reader(database) as reader:
        assert everything(reader) == before
        assert len(before["quarantine"]) == 3
        assert len(before["conflicts"]) == 2
    assert done.after.next_key == done.before.next_key
    assert (done.after.hands, done.after.parent) == (done.before.hands, done.before.number)
    assert verify(database).faults == []


def test_only_small_neighbours_are_merged(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    large = take(database, *simulate(300, 3, preset("mien-nam"))).segments[-1]
    take(database, log(hand_id="d"))
    take(database, log(hand_id="e"), b"broken 4")
    with open_reader(database) as reader:
        before = everything(reader)
    small = database.segment_path(large.name).stat().st_size
    done = compact(database, small=small)
    assert [segment.hands for segment in done.after.segments] == [15, 300, 2]
    assert done.after.segments[1] == large
    names = [segment.name for segment in done.after.segments]
    assert names == ["00000009.duckdb", large.name, "00000010.duckdb"]
    assert done.after.number == 10
    with open_reader(database) as reader:
        assert everything(reader) == before
    again = compact(database, small=small)
    assert again.after == again.before == done.after
    assert verify(database).faults == []


def test_what_is_stored_is_known_after_a_compaction(database: Database) -> None:
    compact(database)
    source = database.path.parent / "again.ndjson"
    source.write_bytes(b"\n".join([raw(log(hand_id="b")), raw(log(hand_id="a", revision={"number": 4}))]))
    report = ingest([source], database)
    assert (report.unchanged, report.superseded) == (1, 1)
    with open_reader(database) as reader:
        assert reader.rows("SELECT revision FROM hands WHERE hand_id = 'a'") == [{"revision": 4}]
        assert len(reader.rows("FROM revisions WHERE hand_id = 'a'")) == 4
    assert verify(database).faults == []


def test_an_ingest_compacts_when_small_segments_are_many(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "MANY", 5)
    assert compact_if_needed(database) is None
    take(database, log(hand_id="d"))
    with database.lock():
        assert compact_if_needed(database) is None, "another writer does it in its turn"
    done = compact_if_needed(database)
    assert done is not None
    assert len(done.after.segments) == 1
    assert compact_if_needed(database) is None


def test_the_ingest_command_compacts_and_goes_on_if_it_cannot(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "MANY", 5)
    source = database.path.parent / "more.ndjson"
    words = ["ingest", str(source), "--db", str(database.path), "--lang", "en"]
    manifest = database.path / "manifests" / "00000001.json"
    for number, damaged in enumerate((False, False, True)):
        source.write_bytes(raw(log(hand_id=f"more-{number}")))
        if damaged:
            manifest.write_text("{")
            monkeypatch.setattr(compaction, "MANY", 1)
        done = CliRunner().invoke(cli, words)
        assert (done.exit_code, "1 accepted" in done.output) == (0, True)
        assert ("00000001.json cannot be read" in done.output) == damaged
    assert [manifest.made_by for manifest in history(database) if isinstance(manifest, Manifest)][:5] == [
        "compaction", "ingest", "ingest", "compaction", "ingest"
    ]  # fmt: skip


# -- old versions --------------------------------------------------------------------------------


def test_a_stated_number_of_versions_is_kept(database: Database) -> None:
    with open_reader(database, "00000002") as reader:
        before = everything(reader)
        assert compact(database, keep=2).pruned == 5
        assert database.versions() == ["00000005", "00000006"]
        assert everything(reader) == before, "an open reader keeps its files"
    assert len(list((database.path / "segments").iterdir())) == 6
    compact(database, keep=1)
    assert [path.name for path in (database.path / "segments").iterdir()] == ["00000006.duckdb"]
    assert take(database, log(hand_id="z")).number == 7
    with open_reader(database) as reader:
        assert len(reader.rows("FROM hands")) == 14
    assert verify(database).faults == []


def test_what_an_interrupted_pruning_left_goes_with_the_next(database: Database) -> None:
    compact(database)
    for name in database.versions()[:-1]:
        (database.path / "manifests" / f"{name}.json").unlink()
    assert len(verify(database).leftovers) == 5
    assert verify(database).faults == []
    take(database, log(hand_id="z"))
    with database.lock():
        prune(database)
    assert verify(database).leftovers == []
    assert len(list((database.path / "segments").iterdir())) == 2


def test_nothing_goes_while_a_manifest_cannot_be_read(database: Database) -> None:
    (database.path / "manifests" / "00000003.json").write_text("{")
    with pytest.raises(DatabaseError, match=r"00000003\.json"):
        compact(database)
    assert len(list((database.path / "segments").iterdir())) == 6
    assert len(database.manifest().segments) == 1


def test_a_reader_whose_version_goes_takes_the_next(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at CURRENT and the opening of the segments, the version is compacted away."""
    calls: list[str] = []
    told = Database.current

    def current(self: Database) -> str:
        name = told(self)
        if not calls:
            calls.append(name)
            compact(Database(self.path), keep=1)
        return name

    monkeypatch.setattr(Database, "current", current)
    with open_reader(database) as reader:
        assert (calls, reader.manifest.name) == (["00000005"], "00000006")


# -- going back ----------------------------------------------------------------------------------


def test_a_rollback_is_a_new_version_with_old_content(database: Database) -> None:
    with open_reader(database, "00000002") as reader:
        expected = everything(reader)
    journal = database.path / "journal" / "rulings.ndjson"
    journal.write_text("{}\n")
    newest = database.manifest()
    made = rollback(database, 2)
    assert (made.number, made.parent, made.made_by) == (6, 2, "rollback")
    assert made.next_key == newest.next_key, "keys are never given twice"
    with open_reader(database) as reader:
        assert everything(reader) == expected
    assert journal.read_text() == "{}\n"
    again = take(database, log(hand_id="new"))
    assert (again.number, again.parent, again.made_by) == (7, 6, "ingest")
    assert again.segments[-1].hands == 1
    assert rollback(database, 5).segments == newest.segments
    assert verify(database).faults == []


def test_going_back_undoes_one_ingest_after_the_other(database: Database) -> None:
    compact(database)
    assert rollback(database).parent == 4, "a compaction is no change to undo"
    assert rollback(database).parent == 3
    take(database, log(hand_id="new"))
    assert rollback(database).hands == database.manifest("00000003").hands
    for parent in (2, 1, 0):
        assert rollback(database).parent == parent
    with pytest.raises(NoVersion, match="There is no version —"):
        rollback(database)


def test_a_rollback_to_what_is_gone_is_refused(database: Database) -> None:
    before = database.current()
    with pytest.raises(NoVersion, match=r"There is no version 77 any more.*tienlen db versions"):
        rollback(database, 77)
    with pytest.raises(DatabaseError, match="Version 5 is in force already"):
        rollback(database, 5)
    database.segment_path("00000002.duckdb").unlink()
    with pytest.raises(NoVersion, match=r"Version 3 cannot be .* 00000002\.duckdb is gone"):
        rollback(database, 3)
    assert rollback(database, 1).number == 6
    assert before == "00000005"


# -- verification --------------------------------------------------------------------------------


def reseal(database: Database, name: str, statement: str) -> None:
    """Changes a stored segment behind the program's back, with a manifest that fits its new bytes."""
    path = database.segment_path(name)
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)
    manifest = database.manifest()
    segments = tuple(
        msgspec.structs.replace(segment, sha256=seal(path)) if segment.name == name else segment
        for segment in manifest.segments
    )
    changed = msgspec.structs.replace(manifest, segments=segments)
    replace(database.path / "manifests" / f"{manifest.name}.json", msgspec.json.encode(changed))
    for other in database.versions()[:-1]:
        (database.path / "manifests" / f"{other}.json").unlink()


@pytest.mark.parametrize(
    ("statement", "where", "what"),
    [
        ("UPDATE seats SET net = net + 1 WHERE hand_id = 'a' AND seat = 0", "transfers.amount", "do not add up to their net: 1"),
        ("DELETE FROM transfers WHERE number = 0", "00000001.duckdb", "transfers has"),
        ("DELETE FROM seats WHERE hand_id = 'a' AND seat = 3", "seats", "hands without a row for each seat: 1"),
        ("UPDATE hands SET hand_key = hand_key + 1000 WHERE hand_id = 'a'", "hands.hand_key", "later hands will get as well: 1"),
        ("UPDATE hands SET hand_id = 'b' WHERE hand_id = 'a'", "revisions.hand_key", "stored twice"),
        ("UPDATE hands SET hand_key = 2 WHERE hand_id = 'a'", "revisions.hand_key", "stored twice"),
        ("UPDATE readings SET accepted = accepted + 1", "readings", "do not add up to their records: 1"),
        ("UPDATE superseded SET hand_key = 2", "superseded.hand_key", "hands without a revision in force: 1"),
        ("UPDATE superseded SET hand_key = 2", "revisions.hand_key", "two revisions in force: 1"),
    ],
)  # fmt: skip
def test_verification_finds_rows_that_cannot_be(
    database: Database, statement: str, where: str, what: str
) -> None:
    reseal(database, "00000003.duckdb" if "superseded" in statement else "00000001.duckdb", statement)
    told = [fault.message() for fault in verify(database).faults]
    assert any(where in text.render("en") and what in text.render("en") for text in told), told
    assert all(text.render("vi") for text in told)


@pytest.mark.parametrize(
    ("file", "content", "what"),
    [
        ("segments/00000001.duckdb", None, "it cannot be read: No such file"),
        ("segments/00000001.duckdb", b"x", "its bytes changed"),
        ("manifests/00000005.json", b"{", "it cannot be read as a manifest"),
        ("manifests/00000005.json", None, "it names version 00000005, which is not there"),
        ("manifests/00000002.json", b"{", "delete manifests/00000002.json"),
        ("manifests/00000002.json", b'{"schema": 99}', "a later version of tienlen wrote it"),
        ("manifests/notes.txt", b"x", "it is not part of a database"),
        ("segments/copy.duckdb", b"x", "it is not part of a database"),
        ("letter.txt", b"x", "it is not part of a database"),
    ],
)
def test_verification_finds_files_that_are_not_right(
    database: Database, file: str, content: bytes | None, what: str
) -> None:
    path = database.path / file
    path.unlink(missing_ok=True)
    if content is not None:
        path.write_bytes(content)
    (fault,) = verify(database).faults
    assert what in fault.message().render("en")
    assert str(database.path) in str(fault.where)


def test_a_manifest_under_another_name_is_found(database: Database) -> None:
    shutil.copy(database.path / "manifests" / "00000004.json", database.path / "manifests" / "00000005.json")
    (fault,) = verify(database).faults
    assert "it says that it is version 00000004" in fault.message().render("en")


def test_a_segments_name_is_no_path(database: Database) -> None:
    path = database.path / "manifests" / "00000005.json"
    path.write_text(path.read_text().replace("00000001.duckdb", "../00000001.duckdb"))
    with pytest.raises(DatabaseError, match=r"00000005\.json cannot be read"):
        open_reader(database)


def test_the_segment_of_an_old_version_is_looked_at_too(database: Database) -> None:
    compact(database)
    database.segment_path("00000004.duckdb").unlink()
    (fault,) = verify(database).faults
    assert "delete manifests/00000004.json, manifests/00000005.json" in fault.message().render("en")


# -- an older layout -----------------------------------------------------------------------------


@pytest.fixture
def older(tmp_path: Path) -> Database:
    """The database of layout 1, to work on."""
    shutil.copytree(LAYOUT_1, tmp_path / "db")
    return Database(tmp_path / "db")


def test_layout_1_is_read_as_it_is(older: Database) -> None:
    with open_reader(older) as reader:
        assert reader.manifest.schema == 1
        found = everything(reader)
        assert {table: len(rows) for table, rows in found.items() if rows} == {
            "hands": 6, "revisions": 7, "superseded": 1, "seats": 24, "acts": 6, "events": 242,
            "missed_blocks": 21, "chops": 4, "violations": 1, "transfers": 17, "rule_sets": 1, "readings": 3, "sources": 3,
            "quarantine": 2, "conflicts": 1, "players": 4, "sessions": 1, "debts": 5,
        }  # fmt: skip
        assert reader.rows("SELECT number, solved FROM quarantine") == [
            {"number": 1, "solved": False},
            {"number": 2, "solved": False},
        ]
    assert verify(older).faults == []
    assert not (older.path / "lock").exists(), "reading writes nothing"


def test_layout_1_is_brought_forward_by_its_next_version(older: Database) -> None:
    with open_reader(older) as reader:
        before = everything(reader)
    assert take(older, log(hand_id="new"), log(hand_id="new", stake=2)).schema == 2
    assert rollback(older).schema == 2
    done = compact(older)
    assert (len(done.before.segments), len(done.after.segments)) == (3, 1)
    with open_reader(older) as reader:
        assert everything(reader) == before
    assert verify(older).faults == []
    assert rollback(older, 1).hands == 4
    assert [getattr(manifest, "made_by", "unreadable") for manifest in history(older)] == [
        "rollback", "compaction", "rollback", "ingest", None, None, None, None
    ]  # fmt: skip
    assert verify(older).faults == []


# -- the lock ------------------------------------------------------------------------------------


def test_a_writer_waits_as_long_as_it_is_told(database: Database) -> None:
    ready, done = threading.Event(), threading.Event()

    def hold() -> None:
        with Database(database.path).lock():
            ready.set()
            done.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    ready.wait(30)
    assert status(database).writer is not None
    with pytest.raises(DatabaseBusy, match="is writing to"), database.lock(wait=0.3):
        pass
    threading.Timer(0.2, done.set).start()
    with database.lock(wait=30):
        pass
    holder.join()
    assert status(database).writer is None


# -- the commands --------------------------------------------------------------------------------


def test_a_version_that_never_was_is_named_also_where_one_would_be_asked_first(database: Database) -> None:
    for words in (("99",), ("99", "--yes")):
        told = tienlen("db", "rollback", *words, "--db", str(database.path))
        assert told.returncode == 2
        assert "There is no version 99 any more" in told.stderr


def test_a_folder_without_its_versions_is_no_empty_list(database: Database) -> None:
    for path in (database.path / "manifests").iterdir():
        path.unlink()
    told = tienlen("db", "versions", "--db", str(database.path))
    assert told.returncode == 2
    assert "manifests" in told.stderr


def test_status_and_versions_as_commands(database: Database) -> None:
    rollback(database, 4)
    at = ("--db", str(database.path))
    told = tienlen("db", "status", *at)
    assert (told.returncode, told.stderr) == (0, "")
    for line in (
        "version in force: 6",
        "quarantined records: 3 open, 0 solved",
        "conflicts: 2",
        "segments: 4",
    ):
        assert line in told.stdout
    found = json.loads(tienlen("db", "status", *at, "--json").stdout)
    assert (found["version"], found["hands"], found["writer"], found["versions"]) == ("00000006", 9, None, 7)
    with database.lock():
        assert f"by process {os.getpid()}" in tienlen("db", "status", *at).stdout
    lines = tienlen("db", "versions", *at).stdout.splitlines()
    assert len(lines) == 7
    assert lines[0].startswith("→     6") and "went back to 4" in lines[0]
    listed = [json.loads(line) for line in tienlen("db", "versions", *at, "--json").stdout.splitlines()]
    assert "hands: 13 in 15 revisions  segments" in lines[1]
    assert [(entry["hands"], entry["revisions"]) for entry in listed[:2]] == [(8, 9), (13, 15)]
    assert [entry["number"] for entry in listed] == [6, 5, 4, 3, 2, 1, 0]
    assert [entry["in_force"] for entry in listed] == [True] + [False] * 6
    assert listed[0]["made_by"] == "rollback" and listed[1]["made_by"] == "ingest"
    (database.path / "manifests" / "00000003.json").write_text("{")
    told = tienlen("db", "versions", *at)
    assert told.returncode == 2 and "00000003.json cannot be read" in told.stderr
    assert len(told.stdout.splitlines()) == 6


def test_rollback_as_a_command_asks_first(database: Database) -> None:
    at = ("--db", str(database.path))
    told = tienlen("db", "rollback", *at, stdin=b"")
    assert told.returncode == 2
    assert "Hands in version 5: 13 in 15 revisions. Go back to version 4" in told.stderr
    assert "(hands: 8 in 9 revisions)" in told.stderr and "--yes" in told.stderr
    assert database.current() == "00000005"
    told = tienlen("db", "rollback", *at, "--yes")
    assert told.returncode == 0
    assert told.stderr == f"To undo this: tienlen db rollback 5 --db {database.path}\n"
    assert "Version 6 is in force, with what version 4 had; hands: 8 in 9 revisions." in told.stdout
    told = tienlen("db", "rollback", "99", *at, "--yes", lang="vi")
    assert told.returncode == 2 and "99" in told.stderr


def test_compact_and_verify_as_commands(database: Database) -> None:
    at = ("--db", str(database.path))
    told = tienlen("db", "compact", *at, "--keep", "3")
    assert told.stdout == "Version 6 is in force; segments: 5 → 1; old versions removed: 4.\n"
    told = tienlen("db", "verify", *at)
    assert (told.returncode, told.stdout) == (
        0,
        "Version 6 is whole; hands: 13 in 15 revisions, segments: 1.\n",
    )
    (database.path / "segments" / "00000007.duckdb.tmp").write_bytes(b"")
    (database.path / "letter").write_bytes(b"")
    told = tienlen("db", "verify", *at)
    assert told.returncode == 1
    assert "letter: it is not part of a database. " in told.stdout
    assert "segments/00000007.duckdb.tmp: left over" in told.stdout
    found = json.loads(tienlen("db", "verify", *at, "--json").stdout)
    assert not found["whole"] and found["faults"][0]["what"].keys() == {"vi", "en"}
    for words in (("status",), ("versions",), ("verify",), ("compact",), ("rollback", "--yes")):
        told = tienlen("db", *words, "--db", str(database.path / "none"))
        assert told.returncode == 2 and "There is no database" in told.stderr
    assert not (database.path / "none").exists()


def test_a_journal_that_was_changed_is_a_fault(tmp_path: Path) -> None:
    database = Database(tmp_path / "db")
    with database.lock():
        pass
    journal = Journal(database)
    for amount in ("1", "2"):
        journal.append("payment", {"amount": amount}, "x")
    assert not verify(database).faults
    journal.path.write_bytes(journal.path.read_bytes().replace(b'"1"', b'"9"'))
    (fault,) = verify(database).faults
    assert str(fault.where) == str(journal.path)
