"""Groups of rows of Parquet files. Polars reads the packed bytes of a whole group before it hands on any row, again for
every part of it: so whole groups are read at once, or, where they are large, pyarrow reads them page by page.

Texts that come again and again are in a dictionary, and rows have numbers of its entries. Whoever reads any row of the
group has all of the dictionary in memory, twice: as it is unpacked, and as it is looked up. Rows are in pages, each of
which is unpacked as a whole. As a rule these are small, but some programs (DuckDB) write pages of up to 100 MB.

Columns of categories (polars, pandas) are texts in the file, like others; only a note in it says that they were
categories. By that note libraries make them categories again, of which all that are known at the same time are in
memory, and which take several times as long to read. For us they are texts.
"""

from collections.abc import Collection, Generator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import polars as pl

from surpeer.io.parquet_footer import (
    MAGIC,
    Column,
    Dictionary,
    RowGroup,
    read_dictionary,
    read_footer,
    read_page,
    row_groups,
)

if TYPE_CHECKING:
    from pyarrow.parquet import FileMetaData, ParquetFile

COPIES, PER_ENTRY = 2, 16  # of a dictionary in memory; and bytes more for each of its entries; measured

LARGE_PAGE = 4 * 2**20
"""Bytes of a page, unpacked, that need not be planned with."""

LONG_TEXT = 32
"""Bytes of texts, on average, from which on it matters that rows have them and not their numbers."""

PER_CATEGORY = 84
"""Bytes for each entry where polars makes categories of them, beside those above; measured."""

PYARROW = 45_000_000
"""Bytes of memory that pyarrow takes as soon as it is loaded."""

NOTE_AND_OTHER_NAME = b"ARROW:schema", b"arrow:schema"

# Of what pyarrow reads of a footer: it would take one for damaged that has very many names of categories.
NO_LIMITS = {"thrift_string_size_limit": 2**31 - 1, "thrift_container_size_limit": 2**31 - 1}


class Group(NamedTuple):
    """What a file says of a group of its rows."""

    rows: int
    bytes: int
    """Of the columns that are read, unpacked, each with its text where texts are long."""
    packed: int = 0
    """The same as they are in the file."""
    held: int = 0
    """Bytes of memory that dictionaries and large pages of these columns take as long as any of the rows is read."""
    as_categories: int = 0
    """Bytes more where polars reads them, and makes categories of what is in dictionaries before they are texts."""
    entries: int = 0
    """Of the dictionaries."""


def groups_of(path: Path, columns: Sequence[str] | None = None, categories: Collection[str] = ()) -> list[Group]:
    """The groups of a file. Raises OSError or ValueError for a damaged one.

    columns : that are read, all by default; categories : which of them are
    """
    with open(path, "rb") as file:
        return [_group(group, columns, categories, file) for group in row_groups(path)]


def _group(group: RowGroup, names: Sequence[str] | None, categories: Collection[str], file: BinaryIO) -> Group:
    columns = [column for column in group.columns if names is None or column.name in names]
    dictionaries = [read_dictionary(file, column) for column in columns]
    pages = [page for page in (read_page(file, column) for column in columns) if page.bytes > LARGE_PAGE]
    packed = max((page.packed for page in pages), default=0)  # until it is unpacked, or the one after it
    of_categories = (each for column, each in zip(columns, dictionaries, strict=True) if column.name in categories)
    return Group(
        group.rows,
        sum(_bytes(column, each, group.rows) for column, each in zip(columns, dictionaries, strict=True)),
        sum(column.packed for column in columns),
        sum(COPIES * each.bytes + PER_ENTRY * each.entries for each in dictionaries)
        + sum(page.bytes for page in pages)
        + packed,
        sum(PER_CATEGORY * each.entries for each in of_categories),
        sum(each.entries for each in dictionaries),
    )


def _bytes(column: Column, dictionary: Dictionary, rows: int) -> int:
    """Of a column: in the file, texts that come again and again are there once."""
    of_text = dictionary.bytes // max(1, dictionary.entries)
    return column.bytes if of_text < LONG_TEXT else max(column.bytes, rows * of_text)


def can_read_pages() -> bool:
    """Whether pyarrow is there, which takes a tenth of a second to load."""
    return find_spec("pyarrow") is not None


class PagedFile:
    """A file that is read page by page. Raises OSError or ValueError for a damaged one."""

    def __init__(self, path: Path, columns: Sequence[str], categories: bool = False) -> None:
        """categories : whether some of these columns are"""
        self.path, self.columns, self.categories = path, list(columns), categories

    def rows_of(self, group: int, at_once: int) -> Generator[pl.DataFrame]:
        """The rows of a group, so many at a time. Columns share no memory: whoever keeps ids would keep all texts."""
        for batch in self._file.iter_batches(at_once, row_groups=[group], columns=self.columns):
            yield pl.DataFrame([pl.Series(name, batch[name]) for name in batch.schema.names])

    @cached_property
    def _file(self) -> "ParquetFile":
        from pyarrow.parquet import ParquetFile

        metadata = _metadata_without_note(self.path) if self.categories else None
        return ParquetFile(self.path, metadata=metadata, pre_buffer=False, buffer_size=2**20, **NO_LIMITS)


def _metadata_without_note(path: Path) -> "FileMetaData":
    """What a file says of itself, but for the types that its columns had in memory. Nobody can be told to overlook that
    note; but under another name nobody looks for it."""
    from pyarrow import BufferReader
    from pyarrow.parquet import ParquetFile

    footer = read_footer(path).replace(*NOTE_AND_OTHER_NAME)
    rest = len(footer).to_bytes(4, "little") + MAGIC
    return ParquetFile(BufferReader(MAGIC + footer + rest), **NO_LIMITS).metadata
