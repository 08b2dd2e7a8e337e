"""Chunks judged by worker processes, or in this one, with the results in the order of the chunks."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Final, TypeVar

import pyarrow as pa

from analyzer.locale import N_
from analyzer.store.chunks import Chunk, ChunkResult, judge_chunk
from analyzer.store.database import DatabaseError

AHEAD: Final = 3
"""Bundles under way for each worker, so that it seldom waits for the writer; each costs a few MB."""

Tag = TypeVar("Tag")
Bundle = Sequence[Chunk]
"""Chunks that are judged together: a large one, or small ones."""


class WorkerLost(DatabaseError):
    """A worker process died in the middle of its work."""


class Workers:
    """So many worker processes; none for a number below 2, where the work is done in this process.

    A worker ends when this process does, however it ends, because the pipe between them then closes. It
    never sees Ctrl-C: to end the workers is for this process alone.
    """

    def __init__(self, count: int) -> None:
        self.workers = [_Worker() for _ in range(count)] if count > 1 else []

    def judge(self, bundles: Iterable[tuple[Tag, Bundle]]) -> Iterator[tuple[Tag, ChunkResult]]:
        """The result of each bundle, with its tag. Raises WorkerLost, and what judge_chunk raises."""
        if not self.workers:
            for tag, bundle in bundles:
                yield tag, judge_chunk(*bundle)
            return
        idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self.workers:
            idle.put(worker)

        def judged(bundle: Bundle) -> ChunkResult:
            worker = idle.get()
            try:
                return worker.judge(bundle)
            finally:
                idle.put(worker)

        under_way: deque[tuple[Tag, Future[ChunkResult]]] = deque()
        with ThreadPoolExecutor(len(self.workers)) as threads:
            try:
                for tag, bundle in bundles:
                    under_way.append((tag, threads.submit(judged, bundle)))
                    if len(under_way) >= AHEAD * len(self.workers):
                        first, future = under_way.popleft()
                        yield first, future.result()
                for first, future in under_way:
                    yield first, future.result()
            except BaseException:
                self.stop()  # the threads wait for them
                threads.shutdown(wait=False, cancel_futures=True)
                raise

    def stop(self) -> None:
        """Ends the processes at once."""
        for worker in self.workers:
            worker.process.kill()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        for worker in self.workers:
            worker.process.join()
            worker.pipe.close()


class _Worker:
    """A process and this end of the pipe to it: a bundle goes in, its result or an exception comes out."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other,), name="tienlen worker", daemon=True)
        with _ctrl_c_kept_out():
            self.process.start()
        other.close()

    def judge(self, bundle: Bundle) -> ChunkResult:
        try:
            self.pipe.send(bundle)
            told, sizes = self.pipe.recv()
            parts = [_read(self.pipe, size) for size in sizes]
            found: ChunkResult | Exception = pickle.loads(told, buffers=parts)
        except (EOFError, OSError):
            self.process.join(5)
            raise WorkerLost(
                N_(
                    "A worker process ended in the middle of its work on {source} (exit code {code}). "
                    "Nothing of this ingest is stored; the version before stays in force. "
                    "Suggested fix: run it again, with --workers 1 if memory is short."
                ),
                code=self.process.exitcode,
                source=bundle[0].source,
            ) from None
        if isinstance(found, Exception):
            raise found
        return found


def _work(pipe: Connection) -> None:
    """What a worker process does until the other end of its pipe is closed."""
    spare_pandas()
    pa.set_memory_pool(pa.system_memory_pool())  # Arrow's own gives back what the next chunk asks for again
    try:
        while True:
            bundle = pipe.recv()
            try:
                result: ChunkResult | Exception = judge_chunk(*bundle)
            except Exception as error:
                result = error
            parts: list[pickle.PickleBuffer] = []  # the columns, sent as they lie in memory
            told = pickle.dumps(result, 5, buffer_callback=parts.append)
            views = [part.raw() for part in parts]
            pipe.send((told, [len(view) for view in views]))
            for view in views:
                _write(pipe, view)
    except (EOFError, OSError):
        return


def _read(pipe: Connection, size: int) -> bytearray:
    """So many bytes of a pipe, read into their place: ``recv_bytes`` puts them together piece by piece."""
    found = bytearray(size)
    rest = memoryview(found)
    while rest:
        count = os.readv(pipe.fileno(), [rest])
        if not count:
            raise EOFError
        rest = rest[count:]
    return found


def _write(pipe: Connection, rest: memoryview) -> None:
    while rest:
        rest = rest[os.write(pipe.fileno(), rest) :]


def spare_pandas() -> None:
    """Spares this process a third of a second and 45 MB: Arrow imports pandas as soon as it is given a list,
    only to see that it is no series. From now on it does so only when something is to become pandas'."""
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _NoPandas)
        try:
            pa.array([])  # it tries but once
        finally:
            sys.meta_path.remove(_NoPandas)


class _NoPandas:
    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Finds no pandas, and leaves all else to others."""
        if name == "pandas":
            raise ImportError(name)


@contextmanager
def _ctrl_c_kept_out() -> Iterator[None]:
    """A process started meanwhile never gets Ctrl-C; this one gets it afterwards.

    To block the signal, which the new process inherits, does not keep it from other threads of this one.
    """
    resource_tracker.ensure_running()  # would be started with the first process, and unblocks the signal
    came: list[int] = []
    here = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number)) if here else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
