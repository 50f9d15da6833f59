"""Parquet of any size, so many rows at a time; only the columns that are needed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import polars as pl
import polars.selectors as cs

from surpeer.columns import PAPER
from surpeer.errors import InputError
from surpeer.io.other_cells import OtherCells
from surpeer.io.parquet_footer import footer_length
from surpeer.io.parquet_sizes import AtOnce, Division
from surpeer.io.row_groups import PYARROW, PagedFile, can_read_pages, groups_of
from surpeer.io.table import unusable
from surpeer.io.table_parts import TablePart

FIRST_ROWS = 4096  # that show how wide rows with texts are

SMALL_FILE = 2**14  # bytes that cannot become many, however well texts are packed
LARGE_FILE, LARGE_WITH_TEXTS = 200 * 2**20, 16 * 2**20  # bytes of which it matters whether they are read at once
LONG_TEXTS = 32  # bytes of a row in a file, packed, from which on its texts are long

LONG_FOOTER = 2**20  # bytes
MORE = 9  # megabytes that are named beyond that: two levels take as much, and numbers are rounded
COPIES_OF_FOOTER, PER_NAME = 11, 250  # in memory, while polars reads anything, and bytes for each name in it; measured

CATEGORIES = (pl.Categorical, pl.Enum)


def parquet_names(path: Path, memory: int | None = None) -> list[str]:
    """The columns of a file. memory : bytes that it may take to see them"""
    if memory is not None:
        with _damage(path):
            needed = _to_look(path)
            if needed > memory:  # then it is named with what will be needed to read rows
                needed += max((group.held for group in groups_of(path)), default=0) + PYARROW
        if needed > memory:
            raise InputError(
                f"{path}: found a Parquet file that says so much of itself that it takes {needed // 1_000_000:,} MB of "
                f"memory, expected no more than {memory // 1_000_000:,} MB, which is what is left for that of what was "
                "allowed; write plain text instead of an enum, which has all its names there, and groups of about "
                f"100,000 rows, or allow {(needed - memory) // 1_000_000 + MORE:,} MB more"
            )
    return list(_schema(path))


def _to_look(path: Path) -> int:
    """Bytes of memory that it takes to see what is in a file, and then to read any of it; 0 where that is little. Names
    of an enum are in dictionaries, too."""
    length = footer_length(path)
    if length <= LONG_FOOTER:
        return 0
    names = max((group.entries for group in groups_of(path)), default=0)
    return COPIES_OF_FOOTER * length + PER_NAME * names


def parquet_rows(path: Path) -> int:
    """How many rows a file says that it has."""
    with _damage(path):
        return int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())


class WhileReading(NamedTuple):
    """What it takes to read any row of a file."""

    held: int = 0
    """Bytes of memory, beside the rows; 0 where that is little."""
    by_pages: bool = False
    """Whether groups that are large are read page by page."""
    categories: tuple[str, ...] = ()
    """Columns that are categories."""


def while_reading(path: Path, columns: Sequence[str]) -> WhileReading:
    """What it takes to read these columns; nothing where the file is damaged: whoever reads it will name it with all
    others that are."""
    with suppress(InputError), _damage(path):
        wanted = _Wanted(columns, _schema(path))
        division = None if wanted.only_numbers else _division(path, wanted, parquet_rows(path))
        held, by_pages = (0, False) if division is None else (division.held, division.by_pages)
        return WhileReading(held + _to_look(path), by_pages, wanted.categories)
    return WhileReading()


def parquet_parts(path: Path, columns: Sequence[str], rows: int, most_bytes: int | None = None) -> Iterator[TablePart]:
    """The rows of a file, so many at a time. Those without a paper have all their cells: they may be empty or not.

    Categories are texts. most_bytes : that rows with texts take at a time, so that there are fewer of them where texts
    are long
    """
    size, count = path.stat().st_size, parquet_rows(path)
    start, others = 0, None
    for frame in _frames(path, columns, rows, count, most_bytes):
        if PAPER in frame.columns and frame[PAPER].null_count():
            with _damage(path):
                others = others or _other_cells(path, columns)
                frame = others.beside(frame, start)  # noqa: PLW2901
        yield TablePart(frame, start + 1, size * (start + len(frame)) // max(count, 1))
        start += len(frame)
    if start != count:
        raise unusable(path, "a damaged Parquet file (rows are missing)", "a sound one", "write it again")


@dataclass(frozen=True)
class _Wanted:
    """Columns that are read."""

    columns: Sequence[str]
    schema: Mapping[str, pl.DataType]
    """Of all columns of the file."""

    @property
    def only_numbers(self) -> bool:
        return all(self.schema[name].is_numeric() for name in self.columns)

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(name for name in self.columns if self.schema[name] in CATEGORIES)


def _schema(path: Path) -> dict[str, pl.DataType]:
    with _damage(path):
        return dict(pl.scan_parquet(path, glob=False).collect_schema())


def _frames(
    path: Path, columns: Sequence[str], rows: int, count: int, most_bytes: int | None
) -> Iterator[pl.DataFrame]:
    with _damage(path):
        wanted = _Wanted(columns, _schema(path))
        division = _division(path, wanted, count)
        at_once = AtOnce.of_numbers(rows, len(columns)) if wanted.only_numbers else AtOnce.of_texts(rows, most_bytes)
        pages = PagedFile(path, columns, categories=bool(wanted.categories))
        table = _scan(path, wanted.schema).select(columns)
        if not wanted.only_numbers and count > FIRST_ROWS:
            by_pages = division is not None and at_once.go_by_pages(division, 0)
            at_once.look_at(_first_page(pages) if by_pages else table.head(FIRST_ROWS).collect())
    start = 0
    for run in at_once.steps(count) if division is None else at_once.runs(division):
        with _damage(path):
            if run.pages is None:
                frames: Iterator[pl.DataFrame] = iter([table.slice(start, run.rows).collect()])
            else:
                frames = pages.rows_of(run.pages, at_once.rows_of_pages(run))
            for frame in frames:
                at_once.look_at(frame)
                yield frame
        start += run.rows


def _scan(path: Path, schema: Mapping[str, pl.DataType]) -> pl.LazyFrame:
    """A file in which categories are texts, so that they are forgotten as soon as rows are read: polars keeps all those
    that it has seen as long as there are any."""
    texts = {name: pl.String() if dtype == pl.Categorical else dtype for name, dtype in schema.items()}
    allowed = pl.ScanCastOptions(categorical_to_string="allow")
    return pl.scan_parquet(path, glob=False, schema=texts, cast_options=allowed).with_columns(cs.enum().cast(pl.String))


def _division(path: Path, wanted: _Wanted, rows: int) -> Division | None:
    """How a file is divided into groups, where that matters."""
    size = path.stat().st_size
    if size <= (LARGE_FILE if wanted.only_numbers else SMALL_FILE):
        return None
    wide = size > LARGE_FILE or size > max(LARGE_WITH_TEXTS, LONG_TEXTS * rows)
    return Division.of(groups_of(path, wanted.columns, wanted.categories), wide)


def _other_cells(path: Path, columns: Sequence[str]) -> OtherCells:
    """Of all columns but these."""
    schema = _schema(path)
    others = _Wanted([name for name in schema if name not in columns], schema)
    by_pages = path.stat().st_size > LARGE_WITH_TEXTS and can_read_pages()
    pages = PagedFile(path, others.columns, bool(others.categories)) if by_pages else None
    return OtherCells(_scan(path, schema), others.columns, pages, groups_of(path, []))


def _first_page(pages: PagedFile) -> pl.DataFrame:
    """The first rows of a group that is large: to show its first row, polars would read all of it."""
    with closing(pages.rows_of(0, FIRST_ROWS)) as rows:
        return next(rows)


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
