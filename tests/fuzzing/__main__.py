"""Spoilt logs through the reader, the judge and the account.

    python -m tests.fuzzing [--minutes 10] [--seed 1] [--only NUMBER] [--out FOLDER]

Whatever fails is written into the folder, as a file that ``tienlen replay`` takes and a text that says
what happened.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.fuzzing.examining import SLOW, run


def _until(end: float) -> Iterator[int]:
    number = 0
    while time.monotonic() < end:
        yield number
        number += 1


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="one input, by its number")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "tienlen-fuzzing")
    options = parser.parse_args()
    numbers = (
        iter([options.only]) if options.only is not None else _until(time.monotonic() + options.minutes * 60)
    )
    report = run(options.seed, numbers, options.out, SLOW)
    print(*report.lines(), sep="\n")
    for number, what in report.failures.items():
        print(f"\ninput {number}, kept as {options.out}/{options.seed}-{number}.*:\n{what}")
    sys.exit(1 if report.failures else 0)


if __name__ == "__main__":
    main()
