"""Chunks judged by the workers of a dask cluster, through Parquet files in a folder that all of them share.

A chunk is one task. What it gives lies under a name made from the bytes that it judges, and comes to stand
there whole by a rename; so a task may run twice, on two workers at once even, and an ingest that was broken
off finds again what was done. The writer takes the results in the order of the chunks, so what is stored is
what a single process would have stored.
"""

from __future__ import annotations

import hashlib
import logging
import re
import shutil
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from uuid import uuid4

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from analyzer.locale import N_, Message
from analyzer.logs.carriers import Raw
from analyzer.logs.refusal import Fault, Place, Refusal
from analyzer.store.chunks import Chunk, ChunkResult, Counts, Unjudged, judge_chunk
from analyzer.store.database import DatabaseError, broken
from analyzer.store.workers import Bundle
from analyzer.version import VERSION

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL: Final = "local"
"""Stands for a cluster of this machine's own processes."""

CHUNK: Final = 8 * 1024 * 1024
"""Bytes of records in a task: some seconds of work at most, so that a lost worker costs little."""

AHEAD: Final = 3
"""Chunks under way for each thread of the cluster."""

PATIENCE: Final = 30
"""Seconds to wait for the scheduler, at the start and after it was lost."""

DONE: Final = "done.json"
"""The file in the folder of a bundle's tables that says of how many records they are."""

_ADDRESS: Final = re.compile(r"(tcp|tls|ws|wss)://\S+:\d+")

Tag = TypeVar("Tag")


class ClusterLost(DatabaseError):
    """The scheduler cannot be reached, or no longer."""


class Judged(NamedTuple):
    """What a task returns: everything of a ChunkResult but its tables, which lie in the shared folder."""

    counts: list[Counts]
    refusals: list[tuple[int, Message]]
    unjudged: list[Unjudged]


class Cluster:
    """A dask scheduler and its workers, asked for the results of chunks; a task judges a bundle of them.

    ``address`` is the scheduler's, or LOCAL; ``folder`` is seen by all workers under the same path.
    """

    def __init__(self, address: str, folder: Path) -> None:
        from distributed import Client, LocalCluster

        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise broken(folder, error) from None
        self.folder = folder.absolute()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told by this class
        self.own: LocalCluster | None = None
        if address != LOCAL and not _ADDRESS.fullmatch(address):
            raise ClusterLost(
                N_("{address} is no address of a scheduler: expected local, or one like tcp://10.0.0.1:8786"),
                address=repr(address),
            )
        try:
            if address == LOCAL:
                self.own = LocalCluster(  # type: ignore[no-untyped-call]
                    processes=True, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
                )
            self.client: Client = Client(  # type: ignore[no-untyped-call]
                self.own or address, timeout=PATIENCE, set_as_default=False
            )
        except (OSError, TimeoutError, ValueError) as error:
            raise ClusterLost(
                N_("There is no scheduler at {address} ({why}). Start one with: dask scheduler"),
                address=address,
                why=str(error).partition("\n")[0] or type(error).__name__,
            ) from None

    def judge(self, bundles: Iterable[tuple[Tag, Bundle]]) -> Iterator[tuple[Tag, ChunkResult]]:
        """The result of each bundle, with its tag, in order. Raises ClusterLost.

        Of a bundle on which one worker after another died, each chunk comes back as a single refused record.
        """
        under_way: deque[tuple[Tag, Bundle, str, Future[Judged] | Judged]] = deque()
        threads = max(1, sum(self.client.nthreads().values()))  # type: ignore[no-untyped-call]
        for tag, bundle in bundles:
            name = name_of(bundle)
            asked = done_before(self.folder / name) or self._submit(bundle, name)
            under_way.append((tag, bundle, name, asked))
            if len(under_way) >= AHEAD * threads:
                yield self._result(*under_way.popleft())
        while under_way:
            yield self._result(*under_way.popleft())

    def _submit(self, bundle: Bundle, name: str) -> Future[Judged]:
        # Its name is its key: a bundle that is asked for twice is judged once.
        return self.client.submit(judge_into, str(self.folder), name, bundle, key=f"tienlen-{name}")

    def _result(
        self, tag: Tag, bundle: Bundle, name: str, asked: Future[Judged] | Judged
    ) -> tuple[Tag, ChunkResult]:
        judged = asked if isinstance(asked, Judged) else self._wait(bundle, asked)
        if judged is None:
            return tag, judge_chunk(*(Chunk(chunk.source, content=[died(chunk)]) for chunk in bundle))
        return tag, ChunkResult(judged.counts, load(self.folder / name), judged.refusals, judged.unjudged)

    def _wait(self, bundle: Bundle, future: Future[Judged]) -> Judged | None:
        """What a task returned; None where its workers died. Asks again and again whether there is still a
        scheduler, for a future of one that is gone never ends."""
        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError

        lost = 0
        while True:
            try:
                judged: Judged = future.result(timeout=1)
                return judged
            except KilledWorker:
                return None
            except TimeoutError:
                lost = 0 if self.client.status == "running" else lost + 1
                if lost < PATIENCE:
                    continue
            except (CancelledError, CommClosedError):
                pass
            except OSError as error:  # the worker could not write what it had judged
                raise broken(self.folder, error) from None
            raise ClusterLost(
                N_(
                    "The scheduler was lost while {source} was judged. Nothing of this ingest is stored; "
                    "the version before stays in force. What was judged lies in {folder}: run this again "
                    "with a scheduler, and it goes on from there."
                ),
                source=bundle[0].source,
                folder=self.folder,
            )

    def forget(self) -> None:
        """Removes what was judged, once it is stored."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close(timeout=2)  # type: ignore[no-untyped-call]
        if self.own is not None:
            self.own.close(timeout=5)


def judge_into(folder: str, name: str, bundle: Bundle) -> Judged:
    """A task: judges chunks and puts their tables into ``folder`` under ``name``, whole or not at all."""
    result = judge_chunk(*bundle)
    place = Path(folder) / name
    draft = place.with_name(f"{name}.{uuid4().hex}.tmp")
    draft.mkdir(parents=True)
    try:
        for table, rows in result.tables.items():
            pq.write_table(plain(rows), draft / f"{table}.parquet", compression="zstd")
        judged = Judged(result.counts, result.refusals, result.unjudged)
        if not (judged.refusals or judged.unjudged):  # those are told only by the task itself
            (draft / DONE).write_bytes(msgspec.json.encode(judged.counts))
        try:
            draft.rename(place)
        except OSError:
            if not place.is_dir():
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return judged


def plain(table: pa.Table) -> pa.Table:
    """A table without dictionaries: Parquet makes its own, and cannot write those with a null in them."""
    return table.cast(pa.schema([field.with_type(_plain(field.type)) for field in table.schema]))


def _plain(type_: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(type_):
        return _plain(type_.value_type)
    return pa.list_(_plain(type_.value_type)) if pa.types.is_list(type_) else type_


def done_before(place: Path) -> Judged | None:
    """What an earlier run left of chunks whose records were all judged."""
    try:
        return Judged(msgspec.json.decode((place / DONE).read_bytes(), type=list[Counts]), [], [])
    except (OSError, msgspec.DecodeError):
        return None


def load(place: Path) -> dict[str, pa.Table]:
    """The tables of judged chunks."""
    return {path.stem: pq.read_table(path) for path in sorted(place.glob("*.parquet"))}


def name_of(bundle: Bundle) -> str:
    """A name that no other bytes get, nor the same bytes from another version of the program."""
    told: list[Any] = [VERSION]
    for chunk in bundle:
        content = chunk.content
        told.append([chunk.source, chunk.offset, chunk.size, chunk.line, chunk.sha256])
        if isinstance(content, list):
            told += [
                (raw.line, raw.element, raw.offset, raw.size, raw.text) if isinstance(raw, Raw) else raw.raw
                for raw in content
            ]
        elif content is not None:
            told.append(content)
        elif chunk.sha256 is None:  # it could not be read: nothing says that it is the same next time
            told.append(uuid4().hex)
    return hashlib.sha256(repr(told).encode("utf-8", "backslashreplace")).hexdigest()[:40]


def died(chunk: Chunk) -> Refusal:
    """What is told of a chunk on which one worker after another died."""
    place = Place(chunk.source, chunk.line + 1, None, chunk.offset)
    found = f"{chunk.length} B"
    expected = Message(N_("records that can be judged; every worker that tried these died"))
    fix = Message(N_("give the workers more memory and take this source in again: nothing is taken twice"))
    return Refusal.of(place, Fault("unreadable", "", found, expected, fix), b"")
