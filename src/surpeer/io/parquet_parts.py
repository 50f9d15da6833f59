"""Parquet of any size, so many rows at a time; only the columns that are needed."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import polars as pl

from surpeer.columns import PAPER
from surpeer.errors import InputError
from surpeer.io.parquet_sizes import AtOnce, Division
from surpeer.io.row_groups import groups_of, read_group
from surpeer.io.table import unusable
from surpeer.io.table_parts import TablePart

FIRST_ROWS = 4096  # that show how wide rows with texts are

SMALL_FILE = 2**20  # bytes that cannot become many, however well texts are packed
LARGE_FILE, LARGE_WITH_TEXTS = 200 * 2**20, 16 * 2**20  # bytes of which it matters whether they are read at once
LONG_TEXTS = 32  # bytes of a row in a file, packed, from which on its texts are long


def parquet_schema(path: Path) -> dict[str, pl.DataType]:
    """The columns of a file and their types."""
    with _damage(path):
        return dict(pl.scan_parquet(path, glob=False).collect_schema())


def parquet_rows(path: Path) -> int:
    """How many rows a file says that it has."""
    with _damage(path):
        return int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())


def held_while_reading(path: Path, columns: Sequence[str]) -> int:
    """Bytes of memory that it takes to read any row of a file with texts, beside the rows; 0 where that is little, or
    where the file is damaged: whoever reads it will name it with all others that are."""
    division = None
    with suppress(InputError), _damage(path):
        if not _are_numbers(path, columns):
            division = _division(path, columns, parquet_rows(path), only_numbers=False)
    return 0 if division is None else division.held


def parquet_parts(path: Path, columns: Sequence[str], rows: int, most_bytes: int | None = None) -> Iterator[TablePart]:
    """The rows of a file, so many at a time. Where papers are missing, all columns: a row may be empty or not.

    most_bytes : that rows with texts take at a time, so that there are fewer of them where texts are long
    """
    size, count = path.stat().st_size, parquet_rows(path)
    start = 0
    for frame in _frames(path, columns, rows, count, most_bytes):
        if PAPER in frame.columns and frame[PAPER].null_count():
            with _damage(path):
                frame = pl.scan_parquet(path, glob=False).slice(start, len(frame)).collect()  # noqa: PLW2901
        yield TablePart(frame, start + 1, size * (start + len(frame)) // max(count, 1))
        start += len(frame)
    if start != count:
        raise unusable(path, "a damaged Parquet file (rows are missing)", "a sound one", "write it again")


def _frames(
    path: Path, columns: Sequence[str], rows: int, count: int, most_bytes: int | None
) -> Iterator[pl.DataFrame]:
    table = pl.scan_parquet(path, glob=False).select(columns)
    with _damage(path):
        only_numbers = _are_numbers(path, columns)
        division = _division(path, columns, count, only_numbers)
        at_once = AtOnce.of_numbers(rows, len(columns)) if only_numbers else AtOnce.of_texts(rows, most_bytes)
        if not only_numbers and count > FIRST_ROWS:
            by_pages = division is not None and division.by_pages and at_once.is_large(division.groups[0])
            at_once.look_at(_first_page(path, columns) if by_pages else table.head(FIRST_ROWS).collect())
    start = 0
    for run in at_once.steps(count) if division is None else at_once.runs(division):
        with _damage(path):
            if run.pages is None:
                frames: Iterator[pl.DataFrame] = iter([table.slice(start, run.rows).collect()])
            else:
                frames = read_group(path, columns, run.pages, at_once.rows_of_pages(run))
            for frame in frames:
                at_once.look_at(frame)
                yield frame
        start += run.rows


def _are_numbers(path: Path, columns: Sequence[str]) -> bool:
    schema = parquet_schema(path)
    return all(schema[name].is_numeric() for name in columns)


def _division(path: Path, columns: Sequence[str], rows: int, only_numbers: bool) -> Division | None:
    """How a file is divided into groups, where that matters."""
    size = path.stat().st_size
    if size <= (LARGE_FILE if only_numbers else SMALL_FILE):
        return None
    wide = size > LARGE_FILE or size > max(LARGE_WITH_TEXTS, LONG_TEXTS * rows)
    return Division.of(groups_of(path, columns), wide)


def _first_page(path: Path, columns: Sequence[str]) -> pl.DataFrame:
    """The first rows of a group that is large: to show its first row, polars would read all of it."""
    with closing(read_group(path, columns, 0, FIRST_ROWS)) as pages:
        return next(pages)


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
