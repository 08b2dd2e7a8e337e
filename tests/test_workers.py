"""Chunks and workers: the same result however the work is divided, and no process left behind."""

from __future__ import annotations

import gzip
import hashlib
import io
import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from analyzer.logs.carriers import Read, raw_records, records
from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store import settling
from analyzer.store.accounting import WORDS, IngestReport, SourceReport
from analyzer.store.chunks import Chunk, judge_chunk
from analyzer.store.cutting import cut
from analyzer.store.database import Database
from analyzer.store.declared import TABLES
from analyzer.store.ingest import ingest
from analyzer.store.reader import open_reader
from analyzer.store.relations import columns, connect
from analyzer.store.seen import Seen
from analyzer.store.workers import WorkerLost, Workers
from tests.hands import Log, fill, log, plays, raw
from tests.test_ingest import BAD, ROOT, leftovers, put, rows, value, words

RELATIONS = (
    "revisions", "seats", "events", "violations", "missed_blocks", "forfeits", "chops", "transfers",
    "rule_sets", "conflicts", "quarantine", "sources",
)  # fmt: skip
PLACES = {
    "path", "sha256", "source_path", "source_sha256", "source_line", "source_index", "source_offset",
    "ingested_at", "quarantined_at", "found_at", "first_read_at", "last_read_at", "evening",
    "message_vi", "message_en",
}  # fmt: skip
"""Columns that say where and when, which may differ, or tell it in a message."""


def troubled(seed: int) -> list[bytes]:
    """Lines of every kind, spread at random: hands, copies, revisions, conflicts, refusals."""
    rng = random.Random(seed)
    hands: list[Log] = []
    for rules in ("mien-nam", "mien-bac-cuoc"):
        hands += simulate(25, seed, preset(rules), faults=0.5)
    winner = fill("3S 3C 4S 4C 5S 5C 7S 7C 9S 9C JS JC KS", "", "", "")
    huge = log(
        hand_id="huge",
        rules={"extends": "mien-nam", "set": {"instant_wins.stakes": 1_000_000}},
        deal=winner,
        stake=10**12,
        lead={"reason": "opening"},
    )
    lines = [raw(hand) for hand in hands]
    for hand in rng.sample(hands, 20):
        number = rng.randint(1, 3)
        lines.append(raw({**hand, "revision": {"number": number}}))
        lines.append(raw({**hand, "revision": {"number": number}, "stake": 7}))
    lines += [raw(hand) for hand in rng.sample(hands, 10)]
    lines += [BAD, b'{"hand_id": "\xff"}', b"", b"  ", b"nothing", raw(huge), raw({**huge, "dealer": 1})]
    lines.append(raw({**huge, "rules": "mien-nam"}))
    lines.append(b"[" * 1_100_000)
    rng.shuffle(lines)
    return lines


def content(db: str | Path) -> dict[str, list[dict[str, Any]]]:
    """Everything that is stored, but for where it came from and when."""
    found = {}
    with open_reader(Database(db)) as reader:
        for relation in RELATIONS:
            names = [row["column_name"] for row in reader.rows(f"DESCRIBE {relation}")]
            kept = [name for name in names if name not in PLACES or relation == "violations"]
            found[relation] = reader.rows(f"SELECT {', '.join(kept)} FROM {relation} ORDER BY ALL")
    return found


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return troubled(3)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> tuple[IngestReport, Any]:
    """What one process makes of the lines of one file, in one chunk."""
    folder = tmp_path_factory.mktemp("alone")
    report = ingest([put(folder, "a.ndjson", *lines)], folder / "db")
    assert set(words(report)) == {"accepted", "unchanged", "superseded", "conflicting", "quarantined"}
    return report, content(folder / "db")


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("carrier", ["ndjson", "gz", "zst", "stdin", "two files", "a file a line"])
def test_carriers_and_workers_change_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    lines: list[bytes],
    alone: tuple[IngestReport, Any],
    carrier: str,
    workers: int,
) -> None:
    text = b"\n".join(lines) + b"\n"
    monkeypatch.setattr(settling, "HANDS", 20)
    sources: list[str] = [put(tmp_path, "a.ndjson", *lines)]
    if carrier == "gz":
        sources = [str(tmp_path / "a.ndjson.gz")]
        Path(sources[0]).write_bytes(gzip.compress(text))
    elif carrier == "zst":
        sources = [str(tmp_path / "a.jsonl.zst")]
        with pa.output_stream(sources[0], compression="zstd") as packed:
            packed.write(text)
    elif carrier == "stdin":
        sources = ["-"]
    elif carrier == "two files":
        sources = [put(tmp_path, "a.ndjson", *lines[:40]), put(tmp_path, "b.ndjson", *lines[40:])]
    elif carrier == "a file a line":
        os.mkdir(tmp_path / "in")
        sources = [put(tmp_path / "in", f"{n:03}.ndjson", line) for n, line in enumerate(lines)]
    report = ingest(
        sources, tmp_path / "db", workers=workers, chunk_size=9_000, small=20_000, stdin=io.BytesIO(text)
    )
    whole, expected = alone
    assert words(report) == words(whole)
    assert sum(source.records for source in report.sources) == whole.records
    found = content(tmp_path / "db")
    if len(sources) > 1:
        assert len(found.pop("sources")) == len(sources)
        stored = {row["path"]: row for row in rows(tmp_path / "db", "FROM sources")}
        for source in report.sources:
            told = stored[source.path]
            assert [told[word] for word in WORDS] == list(source.values())
            assert told["sha256"] == hashlib.sha256(Path(source.path).read_bytes()).hexdigest()
        expected = {name: told for name, told in expected.items() if name != "sources"}
    assert found == expected
    if carrier != "stdin":
        wrong = "SELECT 1 FROM quarantine LEFT JOIN sources ON path = source_path AND sha256 = source_sha256 WHERE path IS NULL"
        assert rows(tmp_path / "db", wrong) == []
    refused = [message.render("vi").partition("]: ")[2] for message in report.refusals]
    assert refused == [message.render("vi").partition("]: ")[2] for message in whole.refusals]


def test_places_are_those_of_the_whole_file(tmp_path: Path, lines: list[bytes]) -> None:
    bom = [b"\xef\xbb\xbf" + raw(log(hand_id="bom")), *lines]
    source = put(tmp_path, "a.ndjson", *(line + b"\r" for line in bom))
    expected = [(r.place.line, r.place.offset) for r in records(source)]
    found = []
    for chunk, _ in cut(SourceReport(path=source), 9_000):
        result = judge_chunk(chunk)
        places = [
            (line, offset)
            for table in ("hands", "quarantine")
            if table in result.tables
            for line, offset in zip(
                result.tables[table]["source_line"].to_pylist(),
                result.tables[table]["source_offset"].to_pylist(),
                strict=True,
            )
        ]
        places += [(one.refusal.place.line, one.refusal.place.offset) for one in result.unjudged]
        assert len(places) == result.counts[0].records
        found += sorted(places)
    assert found == expected


def test_a_chunk_is_the_same_as_range_bytes_and_records(tmp_path: Path, lines: list[bytes]) -> None:
    source = put(tmp_path, "a.ndjson", *lines)
    text = Path(source).read_bytes()
    forms = [
        Chunk(source, 0, len(text)),
        Chunk(source, content=text),
        Chunk(source, content=list(raw_records(source))),
    ]
    one, *others = [pickle.loads(pickle.dumps(judge_chunk(pickle.loads(pickle.dumps(c))))) for c in forms]
    for other in others:
        assert other.tables == one.tables
        assert (other.counts, repr(other.unjudged)) == (one.counts, repr(one.unjudged))
    (counts,) = one.counts
    assert counts.hands == one.hands == one.tables["hands"].num_rows
    assert counts.refused == one.tables["quarantine"].num_rows
    assert counts.records == counts.hands + counts.refused + len(one.unjudged)
    middle = text.index(b"\n", len(text) // 2) + 1
    line = text.count(b"\n", 0, middle)
    assert judge_chunk(Chunk(source, middle, len(text) - middle, line)).tables == (
        judge_chunk(Chunk(source, middle, 0, line, text[middle:])).tables
    )


def test_a_file_that_becomes_shorter_is_told(tmp_path: Path) -> None:
    source = put(tmp_path, "a.ndjson", log(hand_id="a"), log(hand_id="b"))
    size = os.path.getsize(source)
    os.truncate(source, len(raw(log(hand_id="a"))) + 1)
    result = judge_chunk(Chunk(source, 0, size))
    assert result.counts == [(2, 1, 1)]
    assert "became shorter" in result.refusals[0][1].render("en")


def test_the_tables_of_a_worker_are_those_of_the_database() -> None:
    with connect() as connection:
        for table, types in columns().items():
            assert list(TABLES[table]) == list(types)
            empty = pa.table({name: pa.array([], type_) for name, type_ in TABLES[table].items()})
            described = connection.execute("DESCRIBE FROM empty").fetchall()
            for (name, found, *_), declared in zip(described, types.values(), strict=True):
                assert declared.replace("JSON", "VARCHAR") == found, (table, name, empty.num_rows)


def test_identities_are_met_again_whatever_the_batches() -> None:
    import numpy as np

    rng = random.Random(8)
    kept: set[int] = set()
    seen = Seen()
    for _ in range(60):
        batch = [rng.randrange(1 << 10) + (rng.randrange(2) << 63) for _ in range(rng.randrange(40))]
        expected = [one in kept or batch.count(one) > 1 for one in batch]
        assert seen.add(np.array(batch, np.uint64)).tolist() == expected
        kept.update(batch)
    assert len(seen.runs) < 12


def test_hands_of_earlier_versions_are_met_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = [log(plays("0 3S"), hand_id=f"h{n}") for n in range(30)]
    db = str(tmp_path / "db")
    monkeypatch.setattr(settling, "HANDS", 4)
    ingest([put(tmp_path, "a.ndjson", *hands[:10])], db)
    report = ingest([put(tmp_path, "b.ndjson", *hands[20:], *hands[:20])], db, chunk_size=1)
    assert words(report) == {"accepted": 20, "unchanged": 10}
    assert value(db, "SELECT count(DISTINCT hand_key) FROM hands") == 30


# -- processes -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file of small hands."""
    folder = tmp_path_factory.mktemp("many")
    return put(folder, "many.ndjson", *(log(plays("0 3S"), hand_id=f"m-{n}") for n in range(1500)))


INGEST = """
import sys
from analyzer.store.ingest import ingest
from analyzer.store.reader import open_reader

if __name__ == "__main__":
    print("begun", flush=True)
    ingest([sys.argv[1]], sys.argv[2], workers=2, chunk_size=20_000, small=0)
"""


def begin(source: str, db: str) -> subprocess.Popen[str]:
    """An ingest with two workers in a process group of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", INGEST, source, db],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def group(leader: int) -> Iterator[int]:
    """The living processes of a process group."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, pgrp = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(pgrp) == leader and state != "Z":
            yield int(path.parent.name)


def nobody_left(leader: int) -> bool:
    """Waits until a process group is gone."""
    for _ in range(600):
        if not list(group(leader)):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
@pytest.mark.parametrize("whole_group", [True, False], ids=["all of them", "the writer alone"])
@pytest.mark.parametrize("wait", [0.0, 0.4, 0.8, 1.6])
def test_a_kill_at_any_moment_leaves_no_process_and_a_whole_version(
    tmp_path: Path, many: str, wait: float, whole_group: bool
) -> None:
    db = str(tmp_path / "db")
    ingest([put(tmp_path, "one.ndjson", log(hand_id="one"))], db)
    with begin(many, db) as killed:
        time.sleep(wait * random.Random(os.urandom(8)).uniform(0.5, 1.5))
        (os.killpg if whole_group else os.kill)(killed.pid, signal.SIGKILL)
        killed.wait(60)
        assert nobody_left(killed.pid)
    assert value(db, "SELECT count(*) FROM hands") in (1, 1501)
    ingest([many], db)
    assert value(db, "SELECT count(DISTINCT hand_id) FROM hands") == 1501
    assert leftovers(db) == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_ctrl_c_ends_the_workers_too(tmp_path: Path, many: str) -> None:
    db = str(tmp_path / "db")
    ingest([put(tmp_path, "one.ndjson", log(hand_id="one"))], db)
    before = Database(db).current()
    with begin(many, db) as stopped:
        while len(list(group(stopped.pid))) < 3 and stopped.poll() is None:
            time.sleep(0.01)
        os.killpg(stopped.pid, signal.SIGINT)
        _, err = stopped.communicate(timeout=60)
        assert stopped.returncode in (0, -signal.SIGINT)
        assert "multiprocessing/spawn" not in err, err  # no worker has anything to say about it
        assert nobody_left(stopped.pid)
    if stopped.returncode:
        assert Database(db).current() == before
    assert leftovers(db) == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_ctrl_c_is_kept_out_of_the_first_worker_too() -> None:
    """In a process that has no resource tracker yet: starting that unblocks the signal."""
    program = (
        "from pathlib import Path\n"
        "from analyzer.store.workers import Workers\n"
        "with Workers(2) as workers:\n"
        "    for worker in workers.workers:\n"
        "        print(Path(f'/proc/{worker.process.pid}/status').read_text())\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    blocked = [int(line.split()[1], 16) for line in told.stdout.splitlines() if line.startswith("SigBlk:")]
    assert [mask >> (signal.SIGINT - 1) & 1 for mask in blocked] == [1, 1]


def test_a_worker_that_dies_ends_the_ingest_and_is_told(many: str) -> None:
    with Workers(2) as workers:
        workers.workers[0].process.kill()
        chunks = [(n, [Chunk(many, content=[*raw_records(many)][:3])]) for n in range(8)]
        with pytest.raises(WorkerLost, match=r"exit code -9\)\. Nothing of this ingest is stored"):
            list(workers.judge(chunks))
    assert all(worker.process.exitcode is not None for worker in workers.workers)


def test_after_a_lost_worker_the_old_version_is_in_force(
    tmp_path: Path, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = str(tmp_path / "db")
    ingest([put(tmp_path, "one.ndjson", log(hand_id="one"))], db)
    before = Database(db).current()
    take = settling.Settler.take

    def killing(self: settling.Settler, *args: Any) -> bool:
        for process in multiprocessing.active_children():
            process.kill()
        return take(self, *args)

    monkeypatch.setattr(settling.Settler, "take", killing)
    with pytest.raises(WorkerLost):
        ingest([many], db, workers=2, chunk_size=5_000, small=0)
    assert Database(db).current() == before
    assert leftovers(db) == []


def test_an_error_in_a_worker_is_an_error_here() -> None:
    with Workers(2) as workers, pytest.raises(AttributeError):
        list(workers.judge([(0, [Chunk("x", content=[None])])]))  # type: ignore[list-item]


def test_results_come_in_the_order_of_the_chunks(lines: list[bytes]) -> None:
    hands = [line for line in lines if isinstance(read_of(line), Read)]
    sizes = [1, 9, 2, 8, 3, 7, 4, 6, 5]
    with Workers(2) as workers:
        found = list(workers.judge((n, [Chunk("x", content=b"\n".join(hands[:n]))]) for n in sizes))
    assert [(tag, result.counts[0].records) for tag, result in found] == [(n, n) for n in sizes]


def read_of(line: bytes) -> Any:
    return next(records("-", io.BytesIO(line)), None)


def test_a_source_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    packed = gzip.compress(b"\n".join(raw(log(hand_id=f"h{n}")) for n in range(50)))
    put(tmp_path, "b.ndjson.gz", packed[:-40])
    for name, hands in (("none.ndjson", 0), ("none.json", 0), ("b.ndjson.gz", 40)):
        source = SourceReport(path=str(tmp_path / name))
        result = judge_chunk(*(chunk for chunk, _ in cut(source, 1 << 20)))
        assert "the source cannot be read" in result.refusals[-1][1].render("en")
        assert result.hands >= hands
        assert (source.sha256 is None) == name.startswith("none")
