"""Sums by paper in DuckDB, which keeps on disk what does not fit into its memory."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from surpeer.columns import PAPER
from surpeer.engines.memory import left_for_database, reviews_of_table
from surpeer.engines.repeated import MOST, PAIR, Repeated
from surpeer.engines.rows import Form
from surpeer.engines.sums import number_of_sums, sums_by_paper, with_ids
from surpeer.engines.texts_apart import with_texts_apart
from surpeer.errors import InputError

PAPERS_AT_ONCE = 1 << 16

# Bytes of memory that it takes to read a table twice at the same time, and of them for each column: some blocks.
TO_READ, PER_SUM = 55_000_000, 5 * 2**18

# In messages of DuckDB after Ctrl-C, where temporary files take all of the disk, and of Arrow where memory is missing.
INTERRUPTED = "interrupted"
FULL = "max_temp_directory_size"
OUT_OF_MEMORY = "Out of Memory Error"


@dataclass(frozen=True)
class SummedInDuckDB:
    """A table of sums in a database of this run."""

    form: Form
    connection: Any
    at_once: int
    """Papers of a batch."""
    in_hash_order: bool = False

    def batches(self) -> Iterator[pl.DataFrame]:
        with _Errors().raised():
            reader = self.connection.cursor().sql("select * from sums").to_arrow_reader(self.at_once)
            for batch in reader:
                frame = pl.from_arrow(batch)
                if isinstance(frame, pl.DataFrame) and len(frame):
                    yield with_ids(_ids_apart(frame), self.form)


def _ids_apart(sums: pl.DataFrame) -> pl.DataFrame:
    """The same, of which ids and texts can be kept without the sums: all columns of a batch of Arrow share one piece of
    memory."""
    rows, ids = with_texts_apart(sums), sums[PAPER]
    return rows if ids.dtype == pl.String else rows.with_columns(pl.Series(PAPER, ids.to_numpy().copy()))


@dataclass
class _Errors:
    """Errors of whoever makes the rows, of full disks, and of users who press Ctrl-C: DuckDB turns all of them into
    errors of its own."""

    first: BaseException | None = None

    @contextmanager
    def kept(self) -> Iterator[None]:
        try:
            yield
        except GeneratorExit:
            raise
        except BaseException as error:
            self.first = self.first or error
            raise

    @contextmanager
    def raised(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if self.first is not None:
                raise self.first from None
            if INTERRUPTED in str(error):
                raise KeyboardInterrupt from None
            if FULL in str(error):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
            if type(error).__name__ == "OutOfMemoryException" or OUT_OF_MEMORY in str(error):
                raise InputError(
                    "DuckDB needs more memory than it may take; give more with --memory, or use --engine polars"
                ) from None
            raise


def memory_to_read(form: Form, papers: int) -> int:
    """Bytes that DuckDB takes to read the sums of so many papers, at most, twice at the same time."""
    sums = number_of_sums(form)
    return TO_READ + min(sums * PER_SUM, 2 * papers * 8 * (1 + sums))


def _need_little(connection: Any, form: Form) -> None:
    """From now on a table is read from one end to the other, and memory is needed for other things."""
    connection.execute("set threads = 1")
    connection.execute("set memory_limit = ?", [f"{memory_to_read(form, sys.maxsize) // 1_000_000}MB"])


def sum_in_duckdb(
    rows: Iterator[pl.DataFrame], form: Form, folder: Path, memory: int | None, repeated: Repeated
) -> SummedInDuckDB:
    """Add up rows, which are gone through once. folder : where the database and what it sets aside is kept"""
    try:
        import duckdb
        import pyarrow as pa
    except ImportError:
        raise InputError("the engine duckdb is not installed; install it with: pip install 'surpeer[duckdb]'") from None
    if "?" in str(folder):  # for DuckDB the name of a file ends there
        raise InputError(
            f"{folder.parent}: found a folder with ? in its name, in which DuckDB cannot keep files; choose another "
            "with --temp, or use --engine polars"
        )
    connection = duckdb.connect(str(folder / "sums.duckdb"))
    connection.execute("set preserve_insertion_order = false")
    connection.execute("set temp_directory = ?", [str(folder)])
    if memory is not None:
        connection.execute("set memory_limit = ?", [f"{left_for_database(memory) // 1_000_000}MB"])
    first = next(rows)

    def batches() -> Iterator[Any]:
        with source.kept():
            yield from first.to_arrow().to_batches()
            for frame in rows:
                # DuckDB takes it for granted that ids are of one type. If they are not, the reading says so in the end.
                if frame.schema[PAPER] == first.schema[PAPER]:
                    yield from frame.to_arrow().to_batches()

    source = _Errors()
    reader = pa.RecordBatchReader.from_batches(first.to_arrow().schema, batches())
    with source.raised():
        connection.from_arrow(reader).create("rows")  # added up as they come they would take several times the limit
        if PAIR in first.columns:
            pairs = connection.table("rows").filter("pair is not null").aggregate("pair, count(*) as times", "pair")
            twice = pairs.filter("times > 1")
            ((later,),) = twice.aggregate("coalesce(sum(times - 1), 0)").fetchall()
            repeated.add([pair for pair, _ in twice.sort("pair").limit(MOST).fetchall()], int(later))
        sums_by_paper(connection.table("rows"), form).create("sums")
        connection.execute("drop table rows")
        if memory is not None:
            _need_little(connection, form)
    at_once = min(PAPERS_AT_ONCE, reviews_of_table(number_of_sums(form), memory))
    return SummedInDuckDB(form, connection, at_once)
