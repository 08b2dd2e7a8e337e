"""How time and memory of an ingest grow with what is taken in.

    python -m tests.benchmarks.growth [--hands 20000 200000 2000000] [--workers 2] [--write]

Each size goes into a database of its own, in a process of its own: processor time of the ingesting process
and of its workers, time by the clock, and the peak memory of either. The floor is the decoding of the same
bytes by msgspec without types.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import msgspec

from analyzer.version import is_compiled
from tests.benchmarks.speed import cpu, write_section
from tests.benchmarks.storage import FILE, lines

SIZES = (20_000, 200_000, 2_000_000)


def one(folder: Path, workers: int) -> dict[str, float]:
    """Takes a folder in, and tells what it cost this process and its workers."""
    from analyzer.store.ingest import ingest
    from analyzer.store.workers import spare_pandas

    spare_pandas()
    began = time.perf_counter()
    report = ingest([folder], folder.parent / "db", workers=workers)
    took = time.perf_counter() - began
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "hands": report.accepted,
        "clock": took,
        "writer": own.ru_utime + own.ru_stime,
        "workers": children.ru_utime + children.ru_stime,
        "writer_mb": own.ru_maxrss / 1024,
        "worker_mb": children.ru_maxrss / 1024,
    }


def floor(folder: Path) -> float:
    """Seconds of the processor that decoding the first file takes, a hand."""
    path = min(folder.iterdir())
    found = path.read_bytes().splitlines()
    began = time.process_time()
    for line in found:
        msgspec.json.decode(line)
    return (time.process_time() - began) / len(found)


def measure(sizes: list[int], workers: int) -> str:
    out = [
        f"Measured {date.today().isoformat()} on {platform.machine()}, {cpu()}, Python {platform.python_version()}"
        f"{', compiled' if is_compiled() else ''}; {workers} workers on two cores.",
        "",
        "| hands | hands/s by the clock | processor, µs a hand | times decoding | writer, MB | a worker, MB |",
        "|---|---|---|---|---|---|",
    ]
    costs = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "logs"
            folder.mkdir()
            for number in range(-(-size // FILE)):
                hands = min(FILE, size - number * FILE)
                (folder / f"{number:04d}.ndjson").write_bytes(b"\n".join(lines(number + 1, hands)))
            command = [sys.executable, __file__, "--one", str(folder), "--workers", str(workers)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            told = json.loads(done.stdout)
            least = floor(folder)
        assert told["hands"] == size, told
        cost = (told["writer"] + told["workers"]) / size
        costs.append(cost)
        out.append(
            f"| {size:,} | {size / told['clock']:,.0f} | {cost * 1e6:.0f} | {cost / least:.1f} "
            f"| {told['writer_mb']:.0f} | {told['worker_mb']:.0f} |"
        )
        print(out[-1], file=sys.stderr, flush=True)
    out += [
        "",
        f"A hand of the largest costs {costs[-1] / costs[0]:.2f} times as much as one of the smallest.",
    ]
    return "\n".join(out) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    options = parser.parse_args()
    if options.one is not None:
        print(json.dumps(one(options.one, options.workers)))
        return
    text = measure(options.hands, options.workers)
    print(text)
    if options.write:
        write_section("## Growth, compiled" if is_compiled() else "## Growth", text)


if __name__ == "__main__":
    main()
