"""Tables that come one after the other -> one Parquet file, each written as it comes and only once.

Polars writes a Parquet file in one go, from a query. The query here reads from a queue, in a thread of its own; the
thread that makes the tables stays free, and is the one that is told to stop.
"""

import io
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from queue import Empty, Full, Queue
from typing import IO, Any, BinaryIO, cast

import polars as pl
from polars.io.plugins import register_io_source

# Tables that were made and wait to be written.
WAITING = 1

# Seconds after which one side looks whether the other is still there.
PATIENCE = 0.05


class _Stopped(Exception):
    """The file is not to be completed."""


class _Tables:
    """What goes from one thread to the other."""

    def __init__(self, schema: pl.Schema) -> None:
        self.schema = schema
        self.stopped = False
        self._queue: Queue[pl.DataFrame | None] = Queue(WAITING)

    def query(self) -> pl.LazyFrame:
        return register_io_source(lambda *_: self._taken(), schema=self.schema)

    def _taken(self) -> Iterator[pl.DataFrame]:
        while not self.stopped:
            try:
                table = self._queue.get(timeout=PATIENCE)
            except Empty:
                continue
            if table is None:
                return
            if len(table):
                yield table
        raise _Stopped

    def put(self, table: pl.DataFrame | None) -> None:
        """Wait for room, as long as somebody takes; None is the end."""
        if table is not None and table.schema != self.schema:
            raise ValueError(f"found a table with columns {table.schema}, expected {self.schema}, as in the first one")
        while not self.stopped:
            try:
                self._queue.put(table, timeout=PATIENCE)
            except Full:
                continue
            return


class _Target(io.RawIOBase):
    """A file that says at once that it cannot be written: polars alone would first take all tables that there are."""

    def __init__(self, file: BinaryIO, tables: _Tables) -> None:
        self.file, self.tables = file, tables
        self.error: OSError | None = None

    def write(self, data: Any) -> int:
        try:
            return self.file.write(data)
        except OSError as error:
            self.error, self.tables.stopped = error, True
            raise


def write_parquet_stream(tables: Iterable[pl.DataFrame], path: Path, row_group: int) -> None:
    """Write all these tables, of which there is at least one, perhaps empty; all have the columns of the first."""
    rest = iter(tables)
    first = next(rest)
    passing = _Tables(first.schema)
    _hear_of_ctrl_c()
    with open(path, "wb") as file, ThreadPoolExecutor(1) as workers:
        try:  # a run may be told to stop at any moment, also while the thread begins
            writing = workers.submit(_write, passing, _Target(file, passing), row_group)
            for table in chain([first], rest):
                passing.put(table)
                if passing.stopped:
                    break
            passing.put(None)
            writing.result()
        finally:
            passing.stopped = True


def _hear_of_ctrl_c() -> None:
    """Have Ctrl-C end the thread that makes tables, which ends the other one in good order: polars, which takes Ctrl-C
    for itself as soon as it is at work, would break off in the middle of a file and say so at length."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)


def _write(tables: _Tables, target: _Target, row_group: int) -> None:
    try:
        tables.query().sink_parquet(cast("IO[bytes]", target), row_group_size=row_group, maintain_order=True)
    except Exception:
        if target.error is not None:
            raise target.error from None
        raise
    finally:
        tables.stopped = True  # whoever waits for room need not wait any longer
