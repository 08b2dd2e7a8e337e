"""Progress bars on standard error; silent when that is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from analyzer.locale import N_, translate

if TYPE_CHECKING:
    from rich.progress import Progress

    from analyzer.store.accounting import IngestProgress

T = TypeVar("T")


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(20),
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
def hands_progress(total: int, lang: str) -> Iterator[Callable[[int], None] | None]:
    """What is told how many more hands were looked at."""
    if not sys.stderr.isatty():
        yield None
        return
    with _bar() as progress:
        task = progress.add_task(translate(N_("hands"), lang), total=total, done="")

        def report(more: int) -> None:
            progress.advance(task, more)

        yield report


@contextmanager
def ingest_progress(lang: str) -> Iterator[Callable[[IngestProgress], None] | None]:
    """What an ingest reports to: hands a second, the share of the bytes that is done, the time left."""
    if not sys.stderr.isatty():
        yield None
        return
    from time import monotonic

    began = monotonic()
    with _bar() as progress:
        task = progress.add_task(translate(N_("taking in"), lang), total=None, done="")

        def report(state: IngestProgress) -> None:
            told = f"{state.read:,} · {state.read / max(monotonic() - began, 0.001):,.0f}/s"
            if state.bytes_total:
                told += f" · {state.bytes_read / state.bytes_total:.0%}"
            progress.update(task, completed=state.bytes_read, total=state.bytes_total, done=told)

        yield report
