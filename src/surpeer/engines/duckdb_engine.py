"""Sums by paper by DuckDB, of reviews that are in memory.

Which reviews these are, all of them or one bucket of those on disk, is decided in the same way for every engine
(surpeer.engines.summing_run): a limit that DuckDB is given by itself does not count all that it takes.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from threading import Event
from typing import TYPE_CHECKING

import polars as pl

from surpeer.columns import PAPER
from surpeer.engines.rows import Form
from surpeer.engines.sums import sums_by_paper
from surpeer.engines.texts_apart import with_texts_apart
from surpeer.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

# In messages of Arrow where memory is missing.
OUT_OF_MEMORY = "Out of Memory Error"

REVIEWS = "reviews"
"""Their name in queries."""

AGAIN = 0.02
"""Seconds after which we look whether to stop, and tell DuckDB once more."""

ROWS_AT_ONCE = 1 << 16
"""Of sums that are fetched: in between one can stop, which DuckDB does not while it hands them over."""


def check_installed() -> None:
    """Raise, before anything is read, where DuckDB is missing."""
    try:
        import duckdb  # noqa: F401 - only whether it is there
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError("the engine duckdb is not installed; install it with: pip install 'surpeer[duckdb]'") from None


def sum_rows_in_duckdb(rows: pl.DataFrame, form: Form) -> pl.DataFrame:
    """The sums of these reviews."""
    import duckdb

    with duckdb.connect() as connection, ThreadPoolExecutor(1) as worker:
        connection.execute("set preserve_insertion_order = false")
        connection.execute("set temp_directory = ''")  # nothing of it goes to disk
        connection.register(REVIEWS, rows.to_arrow())
        # By a thread of its own: Python hears of Ctrl-C only when a call is over.
        stopped = Event()
        table = worker.submit(lambda: _fetched(connection, _query(tuple(rows.schema.items()), form), stopped))
        try:
            while not table.done():  # nothing wakes whoever waits for as long as it takes
                wait([table], AGAIN)
            sums = pl.from_arrow(table.result())
        except BaseException as error:
            stopped.set()
            while not table.done():  # what has not quite begun takes no notice the first time
                connection.interrupt()
                wait([table], AGAIN)
            raise _ours(error) from None
    if not isinstance(sums, pl.DataFrame):
        raise TypeError(f"found sums in a {type(sums).__name__}, expected a table")
    return _ids_apart(sums)


def _fetched(connection: "DuckDBPyConnection", query: str, stopped: Event) -> "pa.Table":
    """The result of a query, or some of it if nobody wants it any more."""
    import pyarrow as pa

    reader = connection.sql(query).to_arrow_reader(ROWS_AT_ONCE)
    batches = []
    for batch in reader:
        if stopped.is_set():
            break
        batches.append(batch)
    return pa.Table.from_batches(batches, reader.schema)


@cache
def _query(columns: tuple[tuple[str, pl.DataType], ...], form: Form) -> str:
    """In SQL, which is the same for all buckets of a run: to find it takes longer than to add up a small one."""
    import duckdb

    with duckdb.connect() as connection:
        connection.register(REVIEWS, pl.DataFrame(schema=dict(columns)).to_arrow())
        query: str = sums_by_paper(connection.table(REVIEWS), form).sql_query()
        return query


def _ours(error: BaseException) -> BaseException:
    """Instead of errors of DuckDB's own."""
    if type(error).__name__ == "OutOfMemoryException" or OUT_OF_MEMORY in str(error):
        return InputError("DuckDB needs more memory than there is; say how much it may take with --memory")
    return error


def _ids_apart(sums: pl.DataFrame) -> pl.DataFrame:
    """The same, of which ids and texts can be kept without the sums: all columns of a batch of Arrow share one piece of
    memory."""
    rows, ids = with_texts_apart(sums), sums[PAPER]
    return rows if ids.dtype == pl.String else rows.with_columns(pl.Series(PAPER, ids.to_numpy().copy()))
