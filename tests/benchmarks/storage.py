"""What storing costs, and what it still costs when much is stored.

    python -m tests.benchmarks.storage [--hands 1000000] [--write]

Builds a database of simulated hands, file by file, and measures on the way: loading, the disk space of
each table, one more hand (taken in, and seen by a reader that opens after it), opening a reader, and every
query of the dashboards. The floor is SQLite with the raw log as the one row of a hand, nothing judged and
nothing settled: the least that an embedded database does to keep a hand. Queries are told as multiples of
counting the hands.
"""

from __future__ import annotations

import argparse
import json
import platform
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store import queries
from analyzer.store.compaction import compact
from analyzer.store.database import Database
from analyzer.store.ingest import ingest
from analyzer.store.reader import Reader, open_reader
from analyzer.store.relations import alias, columns
from tests.benchmarks.speed import cpu, write_section

FILE = 50_000
"""Hands in a file, at most."""

PLAYED = 2_500
"""Hands that are played for one file."""

ROUNDS = 5


def lines(seed: int, hands: int) -> Iterator[bytes]:
    """Simulated hands of one club, one evening every 60 hands; another seed gives other hands and ids.

    After ``PLAYED`` hands the same ones come again under ids of their own: playing a million takes longer
    than judging and storing them.
    """
    played = list(simulate(min(hands, PLAYED), seed, preset("mien-nam"), faults=0.05))
    for number in range(hands):
        log = {**played[number % PLAYED], "hand_id": f"{seed}-{number}", "club_id": "clb"}
        log |= {"session_id": f"{seed}-{number // 60}", "hand_no": number % 60 + 1}
        yield json.dumps(log, ensure_ascii=False, separators=(",", ":")).encode()


def timed(work: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """Median seconds of the processor: the clock would count what other programs on the machine do."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return statistics.median(times)


class Floor:
    """SQLite with one row a hand."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "floor.sqlite"
        self.connection = sqlite3.connect(self.path)
        self.connection.execute("CREATE TABLE hands (hand_id TEXT PRIMARY KEY, log BLOB) WITHOUT ROWID")

    def load(self, path: Path) -> None:
        with path.open("rb") as file, self.connection:
            rows = ((json.loads(line)["hand_id"], line) for line in file)
            self.connection.executemany("INSERT INTO hands VALUES (?, ?)", rows)


class Run:
    """A database and its floor as they grow."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = Database(folder / "db")
        self.floor = Floor(folder)
        self.seed = self.stored = self.loaded = self.bytes = 0
        self.load = self.floor_load = self.longest = 0.0
        self.single: list[tuple[int, int, float, float, float]] = []

    def file(self, hands: int) -> Path:
        self.seed += 1
        path = self.folder / f"{self.seed}.ndjson"
        path.write_bytes(b"\n".join(lines(self.seed, hands)))
        return path

    def grow(self, hands: int) -> None:
        """Loads until so many are stored."""
        while (missing := hands - self.stored) > 0:
            path = self.file(min(missing, FILE))
            self.bytes += path.stat().st_size
            self.load += timed(lambda path=path: ingest([path], self.database), 1)  # type: ignore[misc]
            self.floor_load += timed(lambda path=path: self.floor.load(path), 1)  # type: ignore[misc]
            path.unlink()
            self.stored += min(missing, FILE)
            self.loaded += min(missing, FILE)
            print(f"{self.stored:,} hands stored, {self.load / self.loaded * 1e6:.0f} µs a hand", flush=True)

    def one_more(self) -> None:
        """Measures one hand taken in: by ingest alone, until a reader sees it, and by the floor."""
        segments = len(self.database.manifest().segments)
        taken, seen, floor = [], [], []
        for _ in range(ROUNDS):
            path = self.file(1)
            wanted = json.loads(path.read_bytes())["hand_id"]
            began = time.perf_counter()
            taken.append(timed(lambda path=path: ingest([path], self.database), 1))  # type: ignore[misc]
            seen.append(taken[-1] + timed(lambda wanted=wanted: self.find(wanted), 1))  # type: ignore[misc]
            self.longest = max(self.longest, time.perf_counter() - began)
            floor.append(timed(lambda path=path: self.floor.load(path), 1))  # type: ignore[misc]
            path.unlink()
        found = (statistics.median(taken), statistics.median(seen), statistics.median(floor))
        self.single.append((self.stored, segments, *found))
        self.stored += ROUNDS

    def find(self, hand: str) -> None:
        """A reader opens and looks for a hand, which must be there."""
        with open_reader(self.database) as reader:
            assert reader.rows("SELECT hand_id FROM hands WHERE hand_id = $id", {"id": hand})


def table_sizes(database: Database) -> dict[str, int]:
    """Bytes of the blocks that each table names, in the whole version in force."""
    sizes = dict.fromkeys(columns(), 0)
    with open_reader(database) as reader:
        for segment in reader.manifest.segments:
            name = alias(segment)
            (block,) = reader.rows(
                f"SELECT block_size FROM pragma_database_size() WHERE database_name = '{name}'"
            )
            for table in segment.rows:
                (found,) = reader.rows(
                    "SELECT count(DISTINCT block) AS blocks FROM (SELECT unnest(list_append("
                    "additional_block_ids, block_id)) AS block "
                    f"FROM pragma_storage_info('{name}.main.{table}')) WHERE block >= 0"
                )
                sizes[table] += found["blocks"] * block["block_size"]
    return sizes


def question(reader: Reader, name: str) -> Callable[[], Any]:
    """One query as a page asks it: first page, one evening, one hand."""
    (some,) = reader.rows("SELECT club_id, hand_id, evening FROM hands WHERE hand_no = 30 LIMIT 1")
    given = {"club": some["club_id"], "hand": some["hand_id"], "evening": some["evening"]}
    given |= {"limit": 50, "offset": 0}
    if name in ("hands", "evenings"):
        given = {key: given[key] for key in ("limit", "offset")}
    known = {key: value for key, value in given.items() if key in queries.parameters_of(name)}
    return lambda: queries.run(reader, name, **known)


def measure(hands: int, folder: Path) -> str:
    run = Run(folder)
    for point in sorted({min(10_000, hands), min(100_000, hands), hands}):
        run.grow(point)
        run.one_more()
    base = run.stored
    size = sum(path.stat().st_size for path in (run.database.path / "segments").iterdir())
    floor_size = run.floor.path.stat().st_size
    out = [
        f"Measured {date.today().isoformat()} on {platform.machine()}, {cpu()}, Python {platform.python_version()};",
        f"{base:,} simulated hands of {run.bytes / run.loaded / 1000:.2f} kB in files of up to {FILE:,}. The floor is "
        "SQLite with the raw log as the one row of a hand, nothing judged. Times are the processor's.",
        "",
        "| what | ours | floor | ratio |",
        "|---|---|---|---|",
        _row("load, µs a hand", run.load / run.loaded * 1e6, run.floor_load / run.loaded * 1e6),
        _row("on disk, bytes a hand", size / base, floor_size / base),
    ]
    for stored, segments, taken, seen, floor in run.single:
        where = f"with {stored:,} stored in {segments} segments"
        out.append(_row(f"one hand more {where}, ms", taken * 1e3, floor * 1e3))
        out.append(_row(f"the same until a reader sees it {where}, ms", seen * 1e3, floor * 1e3))
    first, last = run.single[0], run.single[-1]
    out += [
        "",
        f"One hand more costs {last[2] / first[2]:.2f} times as much with {last[0]:,} stored as with {first[0]:,}.",
        f"By the clock, a reader saw it after {run.longest:.1f} s at most.",
    ]
    sizes = sorted(table_sizes(run.database).items(), key=lambda entry: -entry[1])
    out += ["", "Blocks by table, bytes a hand (one that two tables share counts for both): "]
    out[-1] += ", ".join(f"{table} {size / base:,.0f}" for table, size in sizes if size) + "."
    segments = len(run.database.manifest().segments)
    compaction = timed(lambda: compact(run.database), 1)
    merged = len(run.database.manifest().segments)
    out += ["", f"Compaction of {segments} segments to {merged}: {compaction:.1f} s.", ""]
    out += ["| what | ms | times counting the hands |", "|---|---|---|"]
    with open_reader(run.database) as reader:
        counting = timed(lambda: reader.rows("SELECT count(*) FROM hands"))
        asked = {"counting the hands": counting}
        asked["opening a reader"] = timed(lambda: open_reader(run.database).close())
        asked |= {f"query {name}": timed(question(reader, name)) for name in queries.names()}
    out += [f"| {name} | {took * 1e3:.1f} | {took / counting:.1f} |" for name, took in asked.items()]
    return "\n".join(out) + "\n"


def _row(what: str, ours: float, floor: float) -> str:
    return f"| {what} | {ours:,.1f} | {floor:,.1f} | {ours / floor:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text = measure(options.hands, Path(folder))
    print(text)
    if options.write:
        write_section("## Storage", text)


if __name__ == "__main__":
    main()
