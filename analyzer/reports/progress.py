"""Progress bars on standard error; silent when that is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from analyzer.locale import N_, translate

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[done]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield progress


def counted(items: Iterable[T], total: int, lang: str) -> Iterator[T]:
    """The items, with a bar that counts them."""
    if not sys.stderr.isatty():
        yield from items
        return
    with _bar() as progress:
        task = progress.add_task(translate(N_("hands"), lang), total=total, done="")
        for number, item in enumerate(items, 1):
            progress.update(task, completed=number, done=f"{number}/{total}")
            yield item


@contextmanager
def ingest_progress(paths: Sequence[str], lang: str) -> Iterator[Callable[[Any], None] | None]:
    """What an ingest reports to: bytes read of the bytes there are, and hands a second."""
    if not sys.stderr.isatty():
        yield None
        return
    from time import monotonic

    total = sum(_size(Path(path)) for path in paths if path != "-")
    began = monotonic()
    with _bar() as progress:
        task = progress.add_task(translate(N_("taking in"), lang), total=total or None, done="")

        def report(state: Any) -> None:
            speed = state.read / max(monotonic() - began, 0.001)
            told = f"{state.read} · {speed:,.0f}/s"
            progress.update(task, completed=state.bytes_read, done=told)

        yield report


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size if path.is_file() else 0
