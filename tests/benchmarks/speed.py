"""Speed and memory, as ratios to a named peer in the same run.

    python -m tests.benchmarks.speed [--hands 4000] [--rounds 7] [--write]

The peer is PokerKit (parsing and replaying one no-limit hold'em hand of 12 acts and 7 deals from its PHH text):
the nearest thing to a validating hand-history engine in this field. Figures are medians of rounds that
take turns, so that a machine that drifts drifts for both.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import date
from itertools import islice
from pathlib import Path
from typing import TypeVar

from analyzer.judge.judging import judge_all
from analyzer.judge.replay import replay
from analyzer.judge.settlement import find_places, settle
from analyzer.logs.canonical import canonical_bytes
from analyzer.logs.carriers import Read, records
from analyzer.logs.reading import _decoder, read
from analyzer.rules.house import house_of
from analyzer.rules.loading import preset
from analyzer.simulate import simulate
from analyzer.store.chunks import BATCH, Chunk, judge_chunk
from analyzer.version import is_compiled

T = TypeVar("T")

RESULTS = Path(__file__).with_name("RESULTS.md")

PHH = """variant = "NT"
ante_trimming_status = true
antes = [0, 0, 0, 0]
blinds_or_straddles = [1, 2, 0, 0]
min_bet = 2
starting_stacks = [200, 200, 200, 200]
actions = [
  "d dh p1 2c3d", "d dh p2 AhKh", "d dh p3 7s7d", "d dh p4 Tc9c",
  "p3 cbr 6", "p4 cc", "p1 f", "p2 cc",
  "d db Kd8c2s", "p2 cc", "p3 cbr 10", "p4 f", "p2 cc",
  "d db 5h", "p2 cc", "p3 cc", "d db Jc", "p2 cbr 20", "p3 f",
]
"""


def per_hand(work: Callable[[], int]) -> float:
    """Microseconds of the processor a hand of one round; ``work`` returns how many hands it did.

    The time of the clock would count what other programs on the machine do.
    """
    began = time.process_time()
    done = work()
    return (time.process_time() - began) / done * 1e6


def in_turns(work: Mapping[str, Callable[[], int]], rounds: int) -> dict[str, float]:
    """Of each piece of work the median microseconds a hand, over rounds in which they take turns."""
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, each in work.items():
            times[name].append(per_hand(each))
    return {name: statistics.median(measured) for name, measured in times.items()}


def sample(hands: int) -> tuple[list[bytes], float]:
    """Simulated hands as lines of NDJSON, and how many events one has on average."""
    logs = list(simulate(hands, 2026, preset("mien-nam"), players=4))
    lines = [json.dumps(log, ensure_ascii=False, separators=(",", ":")).encode() for log in logs]
    return lines, statistics.mean(len(read(line)[0].events) for line in lines)


def peer() -> Callable[[], int]:
    from pokerkit import HandHistory

    def work() -> int:
        for _ in range(40):
            for _state in HandHistory.loads(PHH):
                pass
        return 40

    return work


def over(items: list[T], work: Callable[[T], object]) -> Callable[[], int]:
    """Does the work on each item and keeps no result: what is kept costs the garbage collector."""

    def run() -> int:
        for item in items:
            work(item)
        return len(items)

    return run


def stages(lines: list[bytes]) -> dict[str, Callable[[], int]]:
    """What is measured: each stage alone, and the whole from bytes to verdict facts."""
    house = house_of(preset("mien-nam"))
    hands = [read(line)[0] for line in lines]
    canonical = [canonical_bytes(hand) for hand in hands]
    chunk = Chunk("hands.ndjson", content=b"\n".join(lines) + b"\n")
    replays = [replay(hand, house) for hand in hands]
    path = Path(tempfile.mkdtemp()) / "hands.ndjson"
    path.write_bytes(b"\n".join(lines))

    def whole() -> int:
        found = (record for record in records(str(path)) if isinstance(record, Read))
        judged = 0
        while batch := [(record.hand, record.rules) for record in islice(found, BATCH)]:
            judged += len(judge_all(batch))
        assert judged == len(lines)
        return judged

    def columns() -> int:
        assert judge_chunk(chunk).hands == len(lines)
        return len(lines)

    return {
        "decode into types (msgspec alone)": over(lines, _decoder.decode),
        "json.loads alone": over(lines, json.loads),
        "canonical form": over(hands, canonical_bytes),
        "content hash of it (SHA-256)": over(canonical, lambda text: hashlib.sha256(text).hexdigest()),
        "read (decode, check, canonical form)": over(lines, read),
        "replay": over(hands, lambda hand: replay(hand, house)),
        "places and settlement": over(replays, lambda done: settle(done, find_places(done), None)),
        "end to end: NDJSON in, verdict facts out": whole,
        "the same, hashed, in columns for every table": columns,
    }


def peak_memory(hands: int) -> dict[int, int]:
    """Peak resident kB of a process that judges so many hands, and ten times as many."""
    code = (
        "import sys\n"
        "from analyzer.logs.carriers import records\n"
        "from analyzer.judge.judging import judge\n"
        "from analyzer.rules.house import house_of\n"
        "for r in records(sys.argv[1]): judge(r.hand, house_of(r.rules))\n"
        "print(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])\n"
    )
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in (hands, hands * 10):
            path = Path(folder) / f"{count}.ndjson"
            lines = [json.dumps(log).encode() for log in simulate(hands, 1, preset("mien-nam"))]
            path.write_bytes(b"\n".join(lines * (count // hands)))
            done = subprocess.run(
                [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
            )
            found[count] = int(done.stdout)
    return found


def ingest_speed(lines: list[bytes]) -> tuple[float, float]:
    """Microseconds and bytes on disk a hand, every table, one process."""
    from analyzer.store.ingest import ingest

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.ndjson"
        path.write_bytes(b"\n".join(lines))
        began = time.perf_counter()
        ingest([str(path)], Path(folder) / "db")
        took = time.perf_counter() - began
        size = sum(file.stat().st_size for file in (Path(folder) / "db").rglob("*") if file.is_file())
    return took / len(lines) * 1e6, size / len(lines)


def heading() -> str:
    """Of the section of the results; it says which program was measured."""
    return "## Speed, compiled" if is_compiled() else "## Speed, plain Python"


def measure(hands: int, rounds: int) -> str:
    lines, events = sample(hands)
    times = in_turns({"PokerKit 0.7.7, parse and replay": peer(), **stages(lines)}, rounds)
    base = times["PokerKit 0.7.7, parse and replay"]
    out = [
        *conditions(lines, events, rounds),
        "",
        "| what | µs a hand | hands/s | times PokerKit |",
        "|---|---|---|---|",
    ]
    for name, median in times.items():
        out.append(f"| {name} | {median:.1f} | {1e6 / median:,.0f} | {base / median:.1f} |")
    took, size = ingest_speed(lines)
    out.append(
        f"| ingest into DuckDB, every table, one process | {took:.1f} | {1e6 / took:,.0f} | {base / took:.1f} |"
    )
    memory = peak_memory(2000)
    out += [
        "",
        f"On disk: {size:,.0f} bytes a hand. Peak memory of judging: "
        + ", ".join(f"{count:,} hands {kb / 1024:.0f} MB" for count, kb in memory.items())
        + ".",
    ]
    return "\n".join(out) + "\n"


def conditions(lines: list[bytes], events: float, rounds: int) -> list[str]:
    """When, where and on what a measurement was made."""
    return [
        f"Measured {date.today().isoformat()} on {platform.machine()}, {cpu()}, Python {platform.python_version()};",
        f"{len(lines)} simulated hands of {events:.1f} events ({sum(map(len, lines)) / len(lines) / 1000:.1f} kB), "
        f"medians of {rounds} rounds, one core.",
    ]


def cpu() -> str:
    """The processor's name, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def write_section(heading: str, text: str) -> None:
    """Puts a section into the results, in the place of an earlier one of that heading."""
    known = RESULTS.read_text("utf-8") if RESULTS.exists() else "# Results\n"
    head, _, rest = known.partition(f"{heading}\n")
    tail = rest[rest.find("\n## ") :] if "\n## " in rest else ""
    RESULTS.write_text(f"{head.rstrip()}\n\n{heading}\n\n{text}{tail}", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    options = parser.parse_args()
    text = measure(options.hands, options.rounds)
    print(f"{heading()}\n\n{text}")
    if options.write:
        write_section(heading(), text)


if __name__ == "__main__":
    main()
