"""The journal of decisions: nothing lost, nothing half there, no later change unnoticed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analyzer.store.database import Database, DatabaseBroken
from analyzer.store.journal import MAX_ENTRY, START, Entry, Journal

ADD = (
    "import sys\n"
    "from analyzer.store.database import Database\n"
    "from analyzer.store.journal import Journal\n"
    "journal = Journal(Database(sys.argv[1]))\n"
    "for n in range(int(sys.argv[2])):\n"
    "    entry = journal.append('payment', {'who': sys.argv[3], 'n': n}, 'Thủ quỹ')\n"
    "    print(entry.number, flush=True)\n"
)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    found = Database(tmp_path / "db")
    with found.lock():
        pass
    return found


def adding(database: Database, count: int, who: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ADD, str(database.path), str(count), who]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_an_entry_comes_back_as_it_was_written(database: Database) -> None:
    journal = Journal(database)
    assert journal.entries() == () and journal.state() == 0
    first = journal.append("alias", {"from": "p1", "to": "p2"}, "Đặng")
    second = journal.append("payment", {"amount": "0.125"}, "Đặng")
    assert (first.number, second.number) == (1, 2)
    assert first.previous == START != second.previous
    assert Journal(database).entries() == (first, second)
    assert journal.entries("payment") == (second,)


def test_the_state_changes_with_every_entry(database: Database) -> None:
    journal = Journal(database)
    states = [journal.state()]
    for _ in range(3):
        journal.append("setting", {}, "x")
        states.append(journal.state())
    assert len(set(states)) == 4


def test_two_processes_adding_at_once_lose_nothing(database: Database) -> None:
    both = [adding(database, 40, who) for who in ("a", "b")]
    for process in both:
        process.communicate(timeout=60)
        assert process.returncode == 0
    entries = Journal(database).entries()
    assert [entry.number for entry in entries] == list(range(1, 81))
    for who in ("a", "b"):
        assert [entry.data["n"] for entry in entries if entry.data["who"] == who] == list(range(40))


def test_a_writer_killed_at_any_moment_leaves_whole_entries(database: Database) -> None:
    journal = Journal(database)
    for delay in (0.0, 0.01, 0.03, 0.05):
        before = len(journal.entries())
        process = adding(database, 10_000, "killed")
        assert process.stdout is not None
        told = [process.stdout.readline()]
        time.sleep(delay)
        os.kill(process.pid, signal.SIGKILL)
        told += process.communicate()[0].splitlines()
        entries = journal.entries()
        assert before < int(told[-1]) <= len(entries) <= int(told[-1]) + 1
    assert journal.append("alias", {}, "x").number == len(entries) + 1


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_an_unfinished_line_is_no_entry_and_the_next_writer_removes_it(database: Database, cut: int) -> None:
    journal = Journal(database)
    first = journal.append("alias", {"n": 1}, "x")
    second = journal.append("alias", {"n": 2}, "x")
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:-cut])
    journal.path.with_name("head").write_text(f"1:{second.previous}\n")  # as a killed writer leaves it
    assert journal.entries() == (first,)
    again = journal.append("alias", {"n": 3}, "y")
    assert journal.entries() == (first, again)


def changed(lines: list[bytes]) -> dict[str, list[bytes]]:
    return {
        "a value changed": [lines[0].replace(b"10000", b"90000"), *lines[1:]],
        "a line left out": [lines[0], *lines[2:]],
        "two lines exchanged": [lines[1], lines[0], *lines[2:]],
        "a line put in": [lines[0], lines[0], *lines[1:]],
        "no JSON": [lines[0], b"{", *lines[2:]],
        "the last one changed": [*lines[:2], lines[2].replace(b"10000", b"90000")],
        "the last one cut off": lines[:2],
    }


@pytest.mark.parametrize("what", changed([b"", b"", b""]))
def test_a_later_change_is_noticed_and_the_line_named(database: Database, what: str) -> None:
    journal = Journal(database)
    for n in range(3):
        journal.append("payment", {"amount": "10000", "n": n}, "Thủ quỹ")
    lines = journal.path.read_bytes().splitlines(keepends=True)
    journal.path.write_bytes(b"".join(line.rstrip() + b"\n" for line in changed(lines)[what]))
    with pytest.raises(DatabaseBroken, match=r"decisions\.ndjson, line [123]"):
        journal.entries()
    with pytest.raises(DatabaseBroken):
        journal.append("payment", {}, "x")


def test_a_check_sees_all_entries_and_may_refuse(database: Database) -> None:
    journal = Journal(database)
    journal.append("closing", {"evening": "e"}, "x")

    def refuse(entries: tuple[Entry, ...]) -> None:
        assert [entry.kind for entry in entries] == ["closing"]
        raise PermissionError

    with pytest.raises(PermissionError):
        journal.append("payment", {}, "x", refuse)
    assert len(journal.entries()) == 1


def test_an_entry_too_large_is_refused_and_nothing_written(database: Database) -> None:
    journal = Journal(database)
    with pytest.raises(ValueError, match="bytes"):
        journal.append("note", {"text": "x" * MAX_ENTRY}, "x")
    assert journal.entries() == ()


def test_a_folder_that_cannot_be_written_is_told(database: Database) -> None:
    journal = Journal(database)
    journal.path.mkdir(parents=True)
    with pytest.raises(DatabaseBroken, match=r"decisions\.ndjson cannot be read or written"):
        journal.append("note", {}, "x")
