"""Groups of rows of Parquet files. Polars reads the packed bytes of a whole group before it hands on any row, again for
every part of it: so whole groups are read at once, or, where they are large, pyarrow reads them page by page.
"""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl


class Group(NamedTuple):
    """What a file says of a group of its rows."""

    rows: int
    bytes: int
    """Of the columns that are read, unpacked. In memory it is more where texts come again and again."""


def groups_of(path: Path, columns: Sequence[str]) -> list[Group] | None:
    """The groups of a file; None where there is no pyarrow to tell."""
    file = _open(path)
    if file is None:
        return None
    every, chosen = file.metadata, _leaves(file, columns)
    groups = (every.row_group(at) for at in range(every.num_row_groups))
    return [Group(group.num_rows, sum(group.column(at).total_uncompressed_size for at in chosen)) for group in groups]


def read_group(path: Path, columns: Sequence[str], group: int, rows: int) -> Generator[pl.DataFrame]:
    """The rows of a group, so many at a time, page by page. Raises OSError or ValueError for a damaged file."""
    file = _open(path)
    if file is not None:
        for batch in file.iter_batches(rows, row_groups=[group], columns=list(columns)):
            yield pl.DataFrame(batch)


def _leaves(file: Any, columns: Sequence[str]) -> list[int]:
    """Where the columns are in the file, in which lists are below their names; a name may have points itself."""
    whole, below = set(file.schema_arrow.names), tuple(f"{name}." for name in columns)
    names = [file.schema.column(at).path for at in range(len(file.schema))]
    return [at for at, name in enumerate(names) if name in columns or (name not in whole and name.startswith(below))]


def _open(path: Path) -> Any:
    try:
        from pyarrow.parquet import ParquetFile  # takes a tenth of a second
    except ImportError:
        return None
    return ParquetFile(path, pre_buffer=False, buffer_size=2**20)
