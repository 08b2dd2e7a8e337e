"""`tienlen verify`: whatever was changed in a stored hand or in the journal is found, and named."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyzer.judge.rulings import WHOLE
from analyzer.store.database import Database
from analyzer.store.journal import Journal
from analyzer.store.reader import open_reader
from analyzer.store.verification import verify
from tests.test_cli import tienlen
from tests.test_rulings import charged, possible, rule, take_in
from tests.test_versions import reseal


@pytest.fixture(scope="module")
def ruled_hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hands of one club, one of them with two revisions, both ruled on."""
    folder = tmp_path_factory.mktemp("ruled")
    made = take_in(folder, charged(), possible(hand_id="v-2"))
    take_in(folder, possible(hand_id="v-2", revision={"number": 2}))
    rule(made, "v-1", "dismissed")
    rule(made, "v-2", "upheld")
    return made.path


@pytest.fixture
def database(ruled_hands: Path, tmp_path: Path) -> Database:
    """A copy of them for one test to spoil."""
    return Database(shutil.copytree(ruled_hands, tmp_path / "db"))


def told(database: Database, **how: Any) -> list[str]:
    """What is wrong, in English."""
    found = verify(database, **how)
    assert all(fault.message().render("vi") for fault in found.faults)
    return [fault.message().render("en") for fault in found.faults]


def test_a_database_that_nobody_changed_is_whole(database: Database) -> None:
    assert told(database, judge=True) == []
    done: list[int] = []
    verify(database, judge=True, progress=done.append)
    assert sum(done) == 3


@pytest.mark.parametrize(
    ("statement", "judge", "what"),
    [
        ("UPDATE hands SET log = replace(log, '10000', '20000') WHERE hand_id = 'v-1'", False,
         "hand 'v-1' of club 'clb', revision 1: its log has content hash"),
        ("UPDATE hands SET content_sha256 = repeat('0', 64) WHERE hand_id = 'v-1'", False,
         "hand 'v-1' of club 'clb', revision 1: its log has content hash"),
        ("UPDATE hands SET hand_id = 'v-9' WHERE hand_id = 'v-1'", False,
         "hand 'v-9' of club 'clb', revision 1: its log is that of another hand: hand 'v-1' of club 'clb', revision 1"),
        ("UPDATE hands SET log = '{' WHERE hand_id = 'v-1'", False,
         "hand 'v-1' of club 'clb', revision 1: its log cannot be read"),
        ("UPDATE hands SET rules_sha256 = repeat('0', 64) WHERE hand_id = 'v-1'", False,
         "hand 'v-1' of club 'clb', revision 1: the rules that it was judged under (000000000000) are not stored"),
        ("DELETE FROM hands WHERE hand_id = 'v-1'", False,
         "hand 'v-1' of club 'clb': it is gone"),
        ("UPDATE seats SET net = -net WHERE hand_id = 'v-1'; UPDATE transfers SET amount = -amount", True,
         "hand 'v-1' of club 'clb', revision 1: its stored seats, transfers are not what the engine gives"),
        ("UPDATE seats SET player_id = 'x' WHERE hand_id = 'v-2' AND seat = 2", True,
         "hand 'v-2' of club 'clb', revision 1: its stored seats are not"),
        ("UPDATE hands SET stake = 1 WHERE hand_id = 'v-1'", True,
         "hand 'v-1' of club 'clb', revision 1: its stored hands are not"),
        ("DELETE FROM forfeits WHERE hand_id = 'v-1'", True,
         "hand 'v-1' of club 'clb', revision 1: its stored forfeits are not"),
        ("UPDATE violations SET severity = 'error' WHERE hand_id = 'v-1'", True,
         "hand 'v-1' of club 'clb', revision 1: its stored violations are not"),
        ("UPDATE acts SET seat = list_reverse(seat) WHERE hand_id = 'v-1'", True,
         "hand 'v-1' of club 'clb', revision 1: its stored acts are not"),
        ("INSERT INTO missed_blocks FROM missed_blocks WHERE hand_id = 'v-1' LIMIT 1", True,
         "hand 'v-1' of club 'clb', revision 1: its stored missed_blocks are not"),
    ],
)  # fmt: skip
def test_a_change_to_a_stored_hand_is_found_and_named(
    database: Database, statement: str, judge: bool, what: str
) -> None:
    reseal(database, "00000001.duckdb", statement)
    named = [line for line in told(database, judge=judge) if line.startswith(what)]
    assert len(named) == 1, told(database, judge=judge)
    if not judge:
        return
    others = "v-1" if "'v-2'" in what else "v-2"
    if "UPDATE transfers" not in statement:
        assert not [line for line in told(database, judge=True) if f"'{others}'" in line]


def test_a_lower_revision_put_in_force_is_found_and_named(database: Database) -> None:
    with open_reader(database) as reader:
        (key,) = reader.rows("SELECT hand_key FROM revisions WHERE hand_id = 'v-2' AND in_force")
    reseal(database, "00000002.duckdb", f"UPDATE superseded SET hand_key = {key['hand_key']}")
    (line,) = told(database)
    assert line.startswith("hand 'v-2' of club 'clb': revision 1 is in force, though revision 2 is stored")


def test_the_hand_is_named_where_the_bytes_of_its_segment_tell_of_a_change_as_well(
    database: Database,
) -> None:
    with duckdb.connect(str(database.segment_path("00000002.duckdb"))) as connection:
        connection.execute("UPDATE hands SET log = replace(log, '2H', '2D')")
    lines = told(database)
    assert any("its bytes changed" in line for line in lines)
    assert any(line.startswith("hand 'v-2' of club 'clb', revision 2: its log has") for line in lines)


def test_a_ruling_whose_hand_was_exchanged_is_named(database: Database) -> None:
    """Log, hash and rows all exchanged, with a manifest that fits: the ruling still knows what it ruled on."""
    for name in database.versions()[:-1]:
        (database.path / "manifests" / f"{name}.json").unlink()
    reseal(
        database, "00000001.duckdb", "UPDATE hands SET content_sha256 = repeat('0', 64) WHERE hand_id = 'v-1'"
    )
    assert any(line.startswith("entry 1 of the journal: it rules on hand 'v-1'") for line in told(database))
    assert not any(line.startswith("entry 2 ") for line in told(database))


def test_a_change_to_a_ruling_is_found_and_its_entry_named(database: Database) -> None:
    journal = Journal(database)
    journal.path.write_bytes(journal.path.read_bytes().replace(b"20000", b"10000", 1))
    (line,) = told(database)
    assert "decisions.ndjson, line 2: this entry, or the one before it" in line


def test_a_change_to_the_last_ruling_is_found_too(database: Database) -> None:
    journal = Journal(database)
    lines = journal.path.read_bytes().splitlines(keepends=True)
    journal.path.write_bytes(lines[0] + lines[1].replace(b"20000", b"10000"))
    (line,) = told(database)
    assert "decisions.ndjson, line 2" in line
    journal.path.write_bytes(lines[0])
    (line,) = told(database)
    assert "decisions.ndjson, line 2" in line


def journal_head(line: bytes) -> str:
    """What stands in the file head after the first entry."""
    return f"1:{hashlib.sha256(line.rstrip()).hexdigest()}"


def test_entries_cut_off_the_end_are_found_by_a_head_that_was_kept(database: Database) -> None:
    journal = Journal(database)
    head = verify(database).head
    assert head == journal.head() and head.startswith("2:")
    rule(database, "v-1", "adjusted", (0, 1, 5), about=WHOLE)
    assert told(database, head=head) == []
    assert told(database, head=head[:14]) == []
    lines = journal.path.read_bytes().splitlines(keepends=True)
    journal.path.write_bytes(lines[0])
    assert len(told(database)) == 1
    journal.path.with_name("head").write_text(journal_head(lines[0]))
    assert told(database) == []  # both files exchanged: only a head kept elsewhere can tell
    (line,) = told(database, head=head)
    assert head in line
    for nonsense in ("2", "2:", "x:ab", ":", "99:ab"):
        assert len(told(database, head=nonsense)) == 1


def test_a_head_that_is_gone_is_noticed(database: Database) -> None:
    Journal(database).path.with_name("head").unlink()
    (line,) = told(database)
    assert "head is gone" in line
    rule(database, "v-2", "dismissed", about=WHOLE)
    assert told(database) == []


def forged(database: Database, change: dict[str, Any]) -> None:
    """The last ruling changed, with the chain and the head as somebody would make them who knows how."""
    journal = Journal(database)
    lines = journal.path.read_bytes().splitlines()
    entry = json.loads(lines[-1])
    entry["data"] |= change
    lines[-1] = json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
    journal.path.write_bytes(b"\n".join(lines) + b"\n")
    journal.path.with_name("head").write_text(f"{len(lines)}:{hashlib.sha256(lines[-1]).hexdigest()}\n")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"moves": [{"from_seat": 0, "to_seat": 1, "amount": "-7"}]}, "Entry 2 of the journal"),
        ({"moves": [{"from_seat": 0, "to_seat": 0, "amount": "7"}]}, "Entry 2 of the journal"),
        ({"moves": [{"from_seat": 0, "to_seat": 1, "amount": "0.0"}]}, "Entry 2 of the journal"),
        (
            {"seat": 3, "code": "does_not_beat", "event": 1, "content_sha256": "0" * 64},
            "entry 2 of the journal",
        ),
    ],
)
def test_a_ruling_that_cannot_be_is_named_even_where_the_chain_was_made_anew(
    database: Database, change: dict[str, Any], what: str
) -> None:
    forged(database, change)
    assert any(what in line for line in told(database))


def test_verify_as_a_command(database: Database) -> None:
    at = ("--db", str(database.path))
    for words in (("verify",), ("db", "verify"), ("verify", "--quick")):
        done = tienlen(*words, *at)
        assert done.returncode == 0, done
        assert done.stdout.splitlines() == [
            "Version 2 is whole; hands: 2 in 3 revisions, segments: 2.",
            f"Journal of decisions: {Journal(database).head()}",
        ]
    reseal(database, "00000001.duckdb", "UPDATE seats SET frozen = true WHERE hand_id = 'v-1'")
    assert tienlen("verify", "--quick", *at).returncode == 0
    done = tienlen("verify", *at)
    assert done.returncode == 1
    assert "hand 'v-1' of club 'clb', revision 1: its stored seats are not" in done.stdout
    found = json.loads(tienlen("verify", *at, "--json").stdout)
    assert found["faults"][0]["where"]["en"] == "hand 'v-1' of club 'clb', revision 1"
    assert found["head"] == Journal(database).head()
