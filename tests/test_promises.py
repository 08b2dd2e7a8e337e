"""What a database promises whatever breaks: kills, full disks, read-only folders, readers all the while."""

from __future__ import annotations

import ctypes
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store.compaction import compact
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.reader import open_reader
from analyzer.store.verification import verify
from analyzer.store.versions import before as version_before
from analyzer.store.versions import rollback
from tests.hands import raw

ROOT = Path(__file__).parents[1]


def put(folder: Path, seed: int, hands: int) -> str:
    """A file of simulated hands, of ids that no other seed gives."""
    path = folder / f"{seed}.ndjson"
    path.write_bytes(b"\n".join(map(raw, simulate(hands, seed, preset("mien-nam")))))
    return str(path)


def child(*words: str | Path) -> subprocess.Popen[str]:
    """A process of tests.children that has begun its work, with the program that these tests have."""
    # This folder goes last in the path: an installed, compiled program is tested as it is installed.
    start = "import sys; sys.path.append('.'); from tests.children import main; main()"
    command = [sys.executable, "-c", start, *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "go\n", process.communicate()
    return process


@contextmanager
def readers(database: Database, count: int) -> Iterator[list[dict[str, Any]]]:
    """Processes that read all the while; what each saw is there when they are through, all without an error."""
    stop = database.path.with_name("stop")
    processes = [child("read", database.path, stop) for _ in range(count)]
    told: list[dict[str, Any]] = []
    try:
        yield told
    finally:
        stop.touch()
        ended = [process.communicate() for process in processes]
    for process, (out, errors) in zip(processes, ended, strict=True):
        assert process.returncode == 0, errors
        told.append(json.loads(out))


def contents(database: Database) -> dict[str, Any]:
    """What tells the content of the version in force from any other."""
    with open_reader(database) as reader:
        (row,) = reader.rows(
            "SELECT count(*) AS hands, count(DISTINCT hand_id) AS ids, bit_xor(hash(hand_id, log)) AS logs, "
            "(SELECT bit_xor(hash(t)) FROM transfers AS t) AS money FROM hands"
        )
    return row


# -- kills and readers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kills", "hands"), [(3, 40), pytest.param(200, 100, marks=pytest.mark.full)], ids=["3", "200"]
)
def test_a_kill_at_any_moment_leaves_one_of_two_versions(tmp_path: Path, kills: int, hands: int) -> None:
    rng = random.Random(7)
    database = Database(tmp_path / "db")
    for seed in (1, 2):
        ingest([put(tmp_path, seed, hands)], database)
    seconds = {}
    for seed, work in enumerate(("ingest", "compact", "rollback")):
        process = child(work, database.path, put(tmp_path, 3 + seed, hands))
        began = time.perf_counter()
        assert process.wait() == 0, process.communicate()
        seconds[work] = time.perf_counter() - began
    ended = set()
    with readers(database, 1) as seen:
        for seed in range(10, 10 + kills):
            work = ("ingest", "compact", "ingest", "rollback")[seed % 4]
            published = killed(
                database, work, put(tmp_path, seed, hands), rng.uniform(0, 1.5 * seconds[work])
            )
            ended.add((work, published))
    assert seen[0]["reads"] > kills
    assert kills < 100 or len(ended) == 6, "each work was killed before and after it was published"


def killed(database: Database, work: str, source: str, after: float) -> bool:
    """Kills one process at its work after so many seconds, and does the work again; whether it was done."""
    name, old = database.current(), contents(database)
    expected = old["hands"]
    if work == "ingest":
        expected += len(Path(source).read_bytes().splitlines())
    elif work == "rollback":
        expected = version_before(database, database.manifest()).hands
    process = child(work, database.path, source)
    time.sleep(after)
    process.kill()
    process.communicate()
    published, found = database.current() != name, contents(database)
    assert verify(database).faults == []
    if work == "ingest":
        ingest([source], database)
    elif work == "compact":
        compact(database, keep=3)
    elif not published:
        rollback(database)
    new = contents(database)
    assert found == (new if published or work == "compact" else old)
    assert new["hands"] == new["ids"] == expected
    assert verify(database).faults == []
    assert not list(database.path.rglob("*.tmp*"))
    return published


@pytest.mark.parametrize(
    ("count", "publishes", "hands"),
    [(2, 4, 50), pytest.param(4, 10, 20_000, marks=pytest.mark.full)],
    ids=["2 readers", "4 readers"],
)
def test_readers_all_the_while_see_whole_versions_that_only_rise(
    tmp_path: Path, count: int, publishes: int, hands: int
) -> None:
    sources = [put(tmp_path, seed, hands) for seed in range(publishes)]
    database = Database(tmp_path / "db")
    ingest([put(tmp_path, 1000, 5)], database)
    with readers(database, count) as seen:
        for number, source in enumerate(sources):
            ingest([source], database)
            if number % 3 == 2:
                compact(database, keep=1)
    assert all(len(told["versions"]) > 1 for told in seen)
    assert contents(database)["hands"] == publishes * hands + 5


# -- what cannot be written ----------------------------------------------------------------------


def limited(size: int) -> Callable[[], None]:
    """A process that can write no file beyond so many bytes: a disk that is full."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def unprivileged() -> None:
    """Whoever runs the tests, even root: permissions count."""
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def tienlen(prepare: Callable[[], None], *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "analyzer", *map(str, words)],
        capture_output=True, text=True, check=False, cwd=ROOT, preexec_fn=prepare,
        env={**os.environ, "TIENLEN_LANG": "en"},
    )  # fmt: skip


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """Two versions, which a compaction would make one."""
    database = Database(tmp_path / "db")
    for seed in (1, 2):
        ingest([put(tmp_path, seed, 40)], database)
    return database


@pytest.mark.parametrize("size", [0, 1000, 100_000])
def test_a_full_disk_leaves_the_old_version_and_nothing_in_the_way(
    tmp_path: Path, database: Database, size: int
) -> None:
    before, name = contents(database), database.current()
    source = put(tmp_path, 3, 400)
    commands: list[tuple[str | Path, ...]] = [("ingest", source), ("db", "compact")]
    if not size:
        commands.append(("db", "rollback", "--yes"))
    for words in commands:
        done = tienlen(limited(size), *words, "--db", database.path)
        assert done.returncode == 2, done
        assert "cannot be read or written" in done.stderr
        assert "File too large" in done.stderr
        assert "Traceback" not in done.stderr
        assert (database.current(), contents(database)) == (name, before)
        assert verify(database).faults == []
    ingest([source], database)
    assert contents(database)["hands"] == 480
    assert verify(database).leftovers == []


def test_a_read_only_folder_can_be_read_and_is_not_changed(tmp_path: Path, database: Database) -> None:
    name, source = database.current(), put(tmp_path, 3, 5)
    files = [database.path, *database.path.rglob("*")]
    for path in files:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        for words in (("ingest", source), ("db", "compact"), ("db", "rollback", "--yes")):
            done = tienlen(unprivileged, *words, "--db", database.path)
            assert done.returncode == 2
            assert "cannot be read or written: Permission denied" in done.stderr
            assert "Traceback" not in done.stderr
        for words in (("db", "status"), ("db", "versions"), ("db", "verify"), ("quarantine", "list")):
            assert tienlen(unprivileged, *words, "--db", database.path).returncode == 0
    finally:
        for path in files:
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert database.current() == name
    assert ingest([source], database).accepted == 5
