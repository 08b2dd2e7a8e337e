"""A cluster judges: the same rows as one process, whatever dies meanwhile. Everything listens on loopback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer import cluster
from analyzer.cluster import DONE, Cluster, ClusterLost, name_of
from analyzer.logs.sources import expand
from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store.accounting import IngestReport
from analyzer.store.chunks import Chunk
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.workers import Bundle
from tests.hands import raw
from tests.test_workers import content, troubled

pytest.importorskip("distributed")

SMALL = 40_000  # bytes of a chunk, so that a small source has many

POISON = """
import os
from analyzer import cluster
judged = getattr(cluster.judge_chunk, "judged", cluster.judge_chunk)  # this file is loaded more than once
def judge_chunk(*chunks):
    result = judged(*chunks)
    if any("poison" in hand for hand in result.tables["hands"]["hand_id"].to_pylist()):
        os._exit(9)
    return result
judge_chunk.judged = judged
cluster.judge_chunk = judge_chunk
"""
"""What a worker is started with that dies of certain hands, as of too little memory."""


class Processes:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.all: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", "--port", "0")
        self.workers: list[subprocess.Popen[bytes]] = []

    def _start(self, what: str, *more: str) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-m",
            f"distributed.cli.dask_{what}",
            "--host",
            "127.0.0.1",
            "--no-dashboard",
        ]
        process = subprocess.Popen(
            [*command, "--scheduler-file", str(self.file), *more],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.all.append(process)
        return process

    def worker(self, *more: str) -> subprocess.Popen[bytes]:
        process = self._start("worker", "--nthreads", "1", *(more or ("--no-nanny",)))
        self.workers.append(process)
        return process

    def stop(self) -> None:
        for process in reversed(self.all):
            if process.poll() is None:
                process.terminate()
        for process in self.all:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    @property
    def address(self) -> str:
        import json

        waited = 0.0
        while not self.file.exists() or not self.file.read_text():
            time.sleep(0.1)
            waited += 0.1
            assert waited < 60
        found: str = json.loads(self.file.read_text())["address"]
        return found


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    started = Processes(tmp_path)
    yield started
    started.stop()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "hands.ndjson"
    hands = [raw(hand) for hand in simulate(300, 4, preset("mien-nam"), faults=0.3)]
    path.write_bytes(b"\n".join([*hands, *troubled(5)]))
    return path


@pytest.fixture
def alone(source: Path, tmp_path: Path) -> Path:
    """The database that a single process makes of the source."""
    ingest([source], tmp_path / "alone")
    return tmp_path / "alone"


def by_cluster(address: str, source: str | Path, db: Path) -> IngestReport:
    exchange = db.with_name("exchange")
    with Cluster(address, exchange) as judges:
        report = ingest([source], db, workers=judges, chunk_size=SMALL)
        judges.forget()
    assert not exchange.exists()
    return report


def when(done: int, exchange: Path, what: subprocess.Popen[bytes]) -> threading.Thread:
    """Kills a process as soon as so many chunks are judged."""

    def watch() -> None:
        while len(list(exchange.glob(f"*/{DONE}"))) < done:
            time.sleep(0.02)
        os.kill(what.pid, signal.SIGKILL)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def test_a_worker_killed_in_mid_run_changes_no_row(
    processes: Processes, source: Path, alone: Path, tmp_path: Path
) -> None:
    first, _ = processes.worker(), processes.worker()
    address = processes.address
    with Cluster(address, tmp_path / "exchange") as judges:
        judges.client.wait_for_workers(2, timeout=60)
    killed = when(3, tmp_path / "exchange", first)
    report = by_cluster(address, source, tmp_path / "db")
    killed.join(10)
    assert first.wait(10) == -signal.SIGKILL
    assert report.records > 300
    assert content(tmp_path / "db") == content(alone)


@pytest.mark.full
def test_a_scheduler_killed_in_mid_run_leaves_the_old_version_and_a_rerun_goes_on(
    processes: Processes, source: Path, alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 5)
    processes.worker()
    address = processes.address
    db, exchange = tmp_path / "db", tmp_path / "exchange"
    killed = when(2, exchange, processes.scheduler)
    with pytest.raises(ClusterLost, match="run this again") as lost:
        by_cluster(address, source, db)
    killed.join(10)
    assert str(exchange) in str(lost.value)
    assert Database(db).manifest().hands == 0
    done = {path.parent.name for path in exchange.glob(f"*/{DONE}")}
    assert len(done) >= 2
    (tmp_path / "again").mkdir()
    again = Processes(tmp_path / "again")
    asked: list[str] = []
    submit = Cluster._submit

    def watched(self: Cluster, bundle: Bundle, name: str) -> object:
        asked.append(name)
        return submit(self, bundle, name)

    monkeypatch.setattr(Cluster, "_submit", watched)
    try:
        again.worker()
        by_cluster(again.address, source, db)
    finally:
        again.stop()
    assert asked
    assert not done & set(asked), "what was judged is judged again"
    assert content(db) == content(alone)


@pytest.mark.full
def test_hands_that_kill_their_workers_cost_only_their_chunk_and_a_rerun_takes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = [
        {**hand, "hand_id": f"poison-{k}" if k == 100 else f"h{k}"}
        for k, hand in enumerate(simulate(200, 8, preset("mien-nam")))
    ]
    source = tmp_path / "hands.ndjson"
    source.write_bytes(b"\n".join(map(raw, hands)))
    preload = tmp_path / "poison.py"
    preload.write_text(POISON)
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    started = Processes(tmp_path)
    try:
        started.worker("--nanny", "--preload", str(preload))
        report = by_cluster(started.address, source, tmp_path / "db")
    finally:
        started.stop()
    assert report.quarantined in (1, 2, 3)  # a chunk that waits at a dying worker dies with it
    assert 100 < report.accepted < 200
    assert "died" in report.refusals[0].render("en")
    rerun = ingest([source], tmp_path / "db")
    assert (rerun.unchanged, rerun.accepted) == (report.accepted, 200 - report.accepted)


def test_no_scheduler_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with pytest.raises(ClusterLost, match=r"no scheduler at tcp://127\.0\.0\.1:1 "):
        Cluster("tcp://127.0.0.1:1", tmp_path / "exchange")


def test_what_is_no_address_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ClusterLost, match="'bogus' is no address"):
        Cluster("bogus", tmp_path / "exchange")


def test_a_file_name_that_is_no_text_has_a_name_too() -> None:
    assert name_of([Chunk("\udcff.json", content=b"x")]) != name_of([Chunk("\udcfe.json", content=b"x")])


def test_the_name_of_a_chunk_hangs_on_its_bytes() -> None:
    chunk = Chunk("a.ndjson", 0, 10, 0, None, "00")
    others = [
        chunk._replace(source="b.ndjson"),
        chunk._replace(offset=1),
        chunk._replace(size=11),
        chunk._replace(line=1),
        chunk._replace(sha256="01"),
        Chunk("a.ndjson", content=b"x"),
        Chunk("a.ndjson", content=b"y"),
    ]
    assert len({name_of([each]) for each in (chunk, *others)}) == len(others) + 1
    assert name_of([chunk]) == name_of([Chunk(*chunk)])
    unread = Chunk("a.ndjson", 0, 10)
    assert name_of([unread]) != name_of([unread])


def test_patterns_and_addresses_stand_for_files(tmp_path: Path) -> None:
    for name in ("b.ndjson", "a.ndjson", "c.txt"):
        (tmp_path / name).write_bytes(b"")
    found = [str(tmp_path / name) for name in ("a.ndjson", "b.ndjson")]
    assert expand([tmp_path / "*.ndjson"]) == found
    assert expand([f"file://{tmp_path}/*.ndjson"]) == [f"file://{path}" for path in found]
    assert expand([f"file://{tmp_path}/a.ndjson"]) == [f"file://{tmp_path}/a.ndjson"]
    assert expand([tmp_path / "none*"]) == [str(tmp_path / "none*")]
    with pytest.raises(OSError, match="nowhere"):
        expand(["nowhere://x/*.ndjson"])


@pytest.mark.parametrize("ending", ["ndjson", "ndjson.gz", "ndjson.zst"])
def test_an_address_gives_the_rows_that_the_path_gives(
    ending: str, source: Path, alone: Path, tmp_path: Path
) -> None:
    import gzip

    import pyarrow as pa

    packed = tmp_path / f"packed.{ending}"
    data = source.read_bytes()
    if ending.endswith("zst"):
        with pa.CompressedOutputStream(str(packed), "zstd") as out:
            out.write(data)
    else:
        packed.write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
    ingest([f"file://{packed}"], tmp_path / "db", chunk_size=SMALL)
    assert content(tmp_path / "db") == content(alone)


def test_an_address_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    report = ingest(["nowhere://x/a.ndjson", f"file://{tmp_path}/none.ndjson"], tmp_path / "db")
    assert report.quarantined == 2
    told = [message.render("en") for message in report.refusals]
    assert "nowhere" in told[0]
    assert "none.ndjson" in told[1]
