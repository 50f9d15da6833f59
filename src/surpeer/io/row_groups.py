"""Groups of rows of Parquet files. Polars reads the packed bytes of a whole group before it hands on any row, again for
every part of it: so whole groups are read at once, or, where they are large, pyarrow reads them page by page.

Texts that come again and again are in a dictionary, and rows have numbers of its entries. Whoever reads any row of the
group has all of the dictionary in memory, twice: as it is unpacked, and as it is looked up. Rows are in pages, each of
which is unpacked as a whole. As a rule these are small, but some programs (DuckDB) write pages of up to 100 MB.
"""

from collections.abc import Generator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, NamedTuple

import polars as pl

from surpeer.io.parquet_footer import RowGroup, read_dictionary, read_page, row_groups

COPIES, PER_ENTRY = 2, 16  # of a dictionary in memory; and bytes more for each of its entries; measured

LARGE_PAGE = 4 * 2**20
"""Bytes of a page, unpacked, that need not be planned with."""

PYARROW = 45_000_000
"""Bytes of memory that pyarrow takes as soon as it is loaded."""


class Group(NamedTuple):
    """What a file says of a group of its rows."""

    rows: int
    bytes: int
    """Of the columns that are read, unpacked. In memory it is more where texts come again and again."""
    packed: int = 0
    """The same as they are in the file."""
    held: int = 0
    """Bytes of memory that dictionaries and large pages of these columns take as long as any of the rows is read."""


def groups_of(path: Path, columns: Sequence[str]) -> list[Group]:
    """The groups of a file. Raises OSError or ValueError for a damaged one."""
    with open(path, "rb") as file:
        return [_group(group, columns, file) for group in row_groups(path)]


def _group(group: RowGroup, names: Sequence[str], file: BinaryIO) -> Group:
    columns = [column for column in group.columns if column.name in names]
    dictionaries = [read_dictionary(file, column) for column in columns]
    pages = [page for page in (read_page(file, column) for column in columns) if page.bytes > LARGE_PAGE]
    packed = max((page.packed for page in pages), default=0)  # until it is unpacked, or the one after it
    return Group(
        group.rows,
        sum(column.bytes for column in columns),
        sum(column.packed for column in columns),
        sum(COPIES * each.bytes + PER_ENTRY * each.entries for each in dictionaries)
        + sum(page.bytes for page in pages)
        + packed,
    )


def can_read_pages() -> bool:
    """Whether pyarrow is there, which takes a tenth of a second to load."""
    return find_spec("pyarrow") is not None


def read_group(path: Path, columns: Sequence[str], group: int, rows: int) -> Generator[pl.DataFrame]:
    """The rows of a group, so many at a time, page by page. Raises OSError or ValueError for a damaged file."""
    from pyarrow.parquet import ParquetFile

    file = ParquetFile(path, pre_buffer=False, buffer_size=2**20)
    for batch in file.iter_batches(rows, row_groups=[group], columns=list(columns)):
        yield pl.DataFrame(batch)
