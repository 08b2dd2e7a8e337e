"""The command ``ingest``: logs into the database."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from analyzer.console import (
    _,
    ctrl_c,
    database_errors,
    db_option,
    example,
    failed,
    lang_option,
    say,
    say_no_hand,
)
from analyzer.locale import N_, Message

if TYPE_CHECKING:
    from analyzer.store.accounting import IngestReport
    from analyzer.store.ingest import Judges


@click.command(
    help=example(
        N_("Takes logs into the database; the same file twice changes nothing."),
        "tienlen ingest sample_logs/ --db club-db",
    )
)
@click.argument("paths", nargs=-1, required=True)
@db_option
@click.option(
    "--workers",
    type=click.IntRange(0, 64),
    help=_(N_("Processes that judge hands: as many as there are processors, if not given; 1 for none.")),
)
@click.option("--watch", is_flag=True, help=_(N_("Go on, and take in files as they appear and grow.")))
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help=_(N_("Have a dask cluster judge: the scheduler's address, or local for one of this machine.")),
)
@click.option(
    "--exchange",
    type=click.Path(path_type=Path),
    help=_(N_("Folder that all of the cluster see under this path; beside the database, if not given.")),
)
@lang_option
def ingest(
    paths: tuple[str, ...],
    db: Path,
    workers: int | None,
    watch: bool,
    cluster: str | None,
    exchange: Path | None,
    lang: str,
) -> None:
    from analyzer.logs.sources import expand
    from analyzer.reports.progress import ingest_progress
    from analyzer.store.compaction import compact_if_needed
    from analyzer.store.database import Database, DatabaseError
    from analyzer.store.ingest import ingest as take_in
    from analyzer.store.workers import spare_pandas

    spare_pandas()
    if cluster is not None and (watch or workers is not None):
        raise click.UsageError(_(N_("--cluster goes with neither --watch nor --workers.")))
    database = Database(db)

    def take(sources: Sequence[str] | Mapping[str, int]) -> IngestReport:
        shared = exchange or db.with_name(f"{db.name}-exchange")
        with hired(workers, cluster, shared, lang) as (judges, size), ingest_progress(lang) as progress:
            report = take_in(sources, database, workers=judges, progress=progress, chunk_size=size)
        try:
            compact_if_needed(database)
        except DatabaseError as error:  # the hands are stored all the same
            say(error.message, lang)
        return report

    with database_errors(lang):
        if watch:
            take_in_as_they_appear(paths, take, lang)
        try:
            sources = expand(paths)
        except OSError as error:
            raise failed(str(error)) from None
        report = take(sources)
    tell_ingest(report, lang)
    if not report.records:
        say_no_hand(paths, lang)
    sys.exit(1 if report.quarantined or report.conflicting else 0)


@contextmanager
def hired(
    workers: int | None, cluster: str | None, exchange: Path, lang: str
) -> Iterator[tuple[int | Judges, int]]:
    """Who judges, and how many bytes of records they are given at a time."""
    if cluster is None:
        from analyzer.store.chunks import SIZE
        from analyzer.store.workers import cores

        yield cores() if workers is None else workers, SIZE
        return
    try:
        import distributed  # noqa: F401
    except ImportError:
        missing = Message(N_("A cluster needs dask. Install it with: pip install 'dask[distributed]'"))
        raise failed(missing, lang) from None
    from analyzer.cluster import CHUNK, Cluster

    with Cluster(cluster, exchange) as judges:
        yield judges, CHUNK
        judges.forget()


def tell_ingest(report: IngestReport, lang: str) -> None:
    """The account of an ingest, and what it refused or set aside."""
    click.echo(report.line(lang))
    for told in (*report.refusals, *report.conflicts):
        say(told, lang)


def take_in_as_they_appear(
    paths: tuple[str, ...], take: Callable[[Mapping[str, int]], IngestReport], lang: str
) -> NoReturn:
    """Ingests in rounds until Ctrl-C or SIGTERM, which end the program with exit status 0."""
    import signal

    from analyzer.store.database import DatabaseBusy
    from analyzer.store.watching import Watcher

    for path in paths:
        if not os.path.exists(path):
            why = Message(N_("--watch needs files or folders that exist; found {path}."), path=repr(path))
            raise click.UsageError(why.render(lang))

    def tell(told: IngestReport | DatabaseBusy) -> None:
        if isinstance(told, DatabaseBusy):
            say(told.message, lang)
        else:
            tell_ingest(told, lang)

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with ctrl_c():
            Watcher(paths, take).run(tell)
    except KeyboardInterrupt:
        sys.exit(0)
