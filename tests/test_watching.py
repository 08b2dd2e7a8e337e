"""`ingest --watch`: files are taken in as they appear and grow, and no record is read half."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.store.accounting import IngestReport
from analyzer.store.database import Database, DatabaseBusy, DatabaseError
from analyzer.store.ingest import ingest
from analyzer.store.watching import STILL, STILL_LONGER, Watcher
from tests.hands import log, raw
from tests.test_ingest import ROOT, rows, value, words

A, B, C = (raw(log(hand_id=name)) + b"\n" for name in "abc")


class Clock:
    """A watcher over one folder, whose looks are as far apart as one says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "in"
        self.folder.mkdir()
        self.db = folder / "db"
        self.now = 0.0
        self.read: list[dict[str, int]] = []
        self.watcher = Watcher([str(self.folder)], self.take)

    def take(self, sources: dict[str, int]) -> IngestReport:
        self.read.append({Path(path).name: size for path, size in sources.items()})
        return ingest(sources, self.db)

    def append(self, name: str, text: bytes) -> None:
        with open(self.folder / name, "ab") as file:
            file.write(text)

    def look(self, after: float = 2 * STILL) -> dict[str, int] | None:
        """What a look found, so many seconds after the last one."""
        self.now += after
        report = self.watcher.look(self.now)
        return words(report) if report is not None else None


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    return Clock(tmp_path)


def test_a_file_is_taken_when_it_has_been_still_and_only_once(clock: Clock) -> None:
    assert clock.look() is None
    clock.append("a.ndjson", A)
    assert clock.look() is None
    clock.append("a.ndjson", B)
    assert clock.look() is None
    assert clock.look(STILL / 2) is None
    assert clock.look() == {"accepted": 2}
    assert clock.look(100) is None
    clock.append("b.ndjson", C)
    assert clock.look() is None
    assert clock.look() == {"accepted": 1}
    assert clock.read[-1] == {"b.ndjson": len(C)}
    clock.append("a.ndjson", C)
    assert clock.look() is None
    assert clock.look() == {"unchanged": 3}
    assert clock.look(100) is None


def test_a_last_line_without_an_end_waits(clock: Clock) -> None:
    half = B[: len(B) // 2]
    clock.append("a.ndjson", A + half)
    assert [clock.look(), clock.look()] == [None, {"accepted": 1}]
    assert clock.read == [{"a.ndjson": len(A)}]
    clock.append("a.ndjson", B[len(half) :])
    assert [clock.look(), clock.look()] == [None, {"accepted": 1, "unchanged": 1}]
    assert value(clock.db, "SELECT count(*) FROM quarantine") == 0
    clock.append("a.ndjson", C.strip())
    assert [clock.look(), clock.look()] == [None, None]  # the same whole lines as before
    assert clock.look(STILL_LONGER) == {"accepted": 1, "unchanged": 2}
    assert clock.look(100) is None
    clock.append("a.ndjson", b"\n")
    assert [clock.look(), clock.look()] == [None, {"unchanged": 3}]


def test_what_is_written_during_the_reading_waits_too(clock: Clock) -> None:
    clock.append("a.ndjson", A)
    clock.look()
    take = clock.watcher.take

    def writing(sources: dict[str, int]) -> IngestReport:
        clock.append("a.ndjson", B[:50])
        return take(sources)

    clock.watcher.take = writing
    assert clock.look() == {"accepted": 1}
    assert value(clock.db, "SELECT count(*) FROM quarantine") == 0


def test_a_line_longer_than_any_record_is_refused_without_waiting(clock: Clock) -> None:
    clock.append("a.ndjson", A + b"[" * (1 << 21))
    assert [clock.look(), clock.look()] == [None, {"accepted": 1, "quarantined": 1}]
    assert value(clock.db, "SELECT reason FROM quarantine") == "record_too_large"


def test_files_of_every_kind_in_folders_that_appear(clock: Clock) -> None:
    (clock.folder / "later").mkdir()
    clock.append("later/a.json", A)
    clock.append("later/b.ndjson.gz", gzip.compress(B))
    clock.append("later/c.txt", C)
    clock.append("empty.ndjson", b"")
    assert [clock.look(), clock.look()] == [None, {"accepted": 2}]
    (clock.folder / "later" / "a.json").unlink()
    assert clock.look() is None
    clock.append("later/a.json", A)
    assert [clock.look(), clock.look()] == [None, {"unchanged": 1}]


def test_a_busy_database_is_tried_again(clock: Clock) -> None:
    clock.append("a.ndjson", A)
    clock.look()
    with Database(clock.db).lock(), pytest.raises(DatabaseBusy):
        clock.look()
    assert clock.look() == {"accepted": 1}


def test_what_happens_is_told_and_a_busy_database_once(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes: list[IngestReport | DatabaseError | type[KeyboardInterrupt] | None] = [
        None, DatabaseBusy("1"), DatabaseBusy("2"), IngestReport(version="3"), DatabaseBusy("4"), KeyboardInterrupt,
    ]  # fmt: skip
    monkeypatch.setattr("analyzer.store.watching.EVERY", 0)

    def look(_: float) -> IngestReport | None:
        outcome = outcomes.pop(0)
        if outcome is None or isinstance(outcome, IngestReport):
            return outcome
        raise outcome

    monkeypatch.setattr(clock.watcher, "look", look)
    told: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        clock.watcher.run(
            lambda what: told.append(what.version if isinstance(what, IngestReport) else str(what))
        )
    assert told == ["1", "3", "4"]


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_the_command_goes_on_until_it_is_told_to_stop(tmp_path: Path, ending: signal.Signals) -> None:
    folder, db = tmp_path / "in", tmp_path / "db"
    folder.mkdir()
    (folder / "a.ndjson").write_bytes(A + B[:40])
    command = [
        sys.executable,
        "-m",
        "analyzer",
        "ingest",
        "--watch",
        str(folder),
        "--db",
        str(db),
        "--lang",
        "en",
    ]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("1 records read = 1 accepted")
            (folder / "c.ndjson").write_bytes(C)
            # Beside it, in the same round or another one, the half line is given up on.
            while "= 1 accepted" not in (line := process.stdout.readline()):
                assert line.startswith("2 records read = 0 accepted + 1 unchanged")
            process.send_signal(ending)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
        assert process.returncode == 0, err
        assert "Traceback" not in err
    assert {row["hand_id"] for row in rows(db, "FROM hands")} == {"a", "c"}
    assert [path for path in db.rglob("*") if ".tmp" in path.name] == []


def test_the_command_refuses_what_cannot_be_watched(tmp_path: Path) -> None:
    for path in ("-", str(tmp_path / "none")):
        command = [sys.executable, "-m", "analyzer", "ingest", "--watch", path, "--db", str(tmp_path / "db")]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert path in done.stderr
    assert not os.path.exists(tmp_path / "db")
