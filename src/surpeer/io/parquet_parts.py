"""Parquet of any size, so many rows at a time; only the columns that are needed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from pathlib import Path

import polars as pl

from surpeer.columns import PAPER
from surpeer.errors import InputError
from surpeer.io.row_groups import read_groups, rows_of_groups
from surpeer.io.table import unusable
from surpeer.io.table_parts import TablePart

SEVERAL = 4  # batches that are read at once

FEW_BYTES = 64 * 2**20

BYTES_OF_GROUP = 320  # that a group of rows may take, for each row of a batch, to be read at once

LARGE_FILE = 200 * 2**20  # bytes of which it matters whether they are read at once


def parquet_schema(path: Path) -> dict[str, pl.DataType]:
    """The columns of a file and their types."""
    with _damage(path):
        return dict(pl.read_parquet_schema(path))


def parquet_rows(path: Path) -> int:
    """How many rows a file says that it has."""
    with _damage(path):
        return int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())


def parquet_parts(path: Path, columns: Sequence[str], rows: int) -> Iterator[TablePart]:
    """The rows of a file, so many at a time. Where papers are missing, all columns: a row may be empty or not."""
    size, count = path.stat().st_size, parquet_rows(path)
    start = 0
    for frame in _frames(path, columns, rows, count):
        if PAPER in frame.columns and frame[PAPER].null_count():
            with _damage(path):
                frame = pl.scan_parquet(path, glob=False).slice(start, len(frame)).collect()  # noqa: PLW2901
        yield TablePart(frame, start + 1, size * (start + len(frame)) // max(count, 1))
        start += len(frame)
    if start != count:
        raise unusable(path, "a damaged Parquet file (rows are missing)", "a sound one", "write it again")


def _frames(path: Path, columns: Sequence[str], rows: int, count: int) -> Iterator[pl.DataFrame]:
    with _damage(path):
        groups = rows_of_groups(path) if path.stat().st_size > LARGE_FILE else None
        schema = parquet_schema(path)
    only_numbers = all(schema[name].is_numeric() for name in columns)
    bytes_per_row = 8 * max(len(columns), 1)
    # A file may be one single group of rows, of which polars reads all up to the rows that are asked for, again and
    # again: so more of them where they are only numbers.
    at_once = max(rows, min(SEVERAL * rows, FEW_BYTES // bytes_per_row)) if only_numbers else rows
    largest = max(SEVERAL * rows, BYTES_OF_GROUP * rows // bytes_per_row) if only_numbers else SEVERAL * rows
    if groups is not None and max(groups, default=0) > largest:
        with _damage(path):
            yield from read_groups(path, columns, rows)
        return
    table = pl.scan_parquet(path, glob=False).select(columns)
    for start, end in pairwise(_ends(groups, at_once) if groups else [*range(0, count, at_once), count]):
        with _damage(path):
            frame = table.slice(start, end - start).collect()
        yield frame


def _ends(groups: list[int], most: int) -> list[int]:
    """0, and the ends of runs of groups that have so many rows at most; a larger group is a run by itself."""
    ends, before = [0], 0
    for end in accumulate(groups):
        if end - ends[-1] > most and before > ends[-1]:
            ends.append(before)
        before = end
    return [*ends, before]


@contextmanager
def _damage(path: Path) -> Iterator[None]:
    """Say of a file that polars cannot read that it is damaged, or that the system refuses."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check its name, and the folder that you are in") from None
    except PermissionError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (pl.exceptions.PolarsError, OSError, ValueError, NotImplementedError) as error:  # the last two are pyarrow's
        reason = (str(error).splitlines() or ["unknown reason"])[0]
        raise unusable(path, f"a damaged Parquet file ({reason})", "a sound one", "write it again") from None
    except pl.exceptions.PanicException:  # what polars does with some damaged pages
        raise unusable(path, "a damaged Parquet file", "a sound one", "write it again") from None
