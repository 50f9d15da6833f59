"""Parquet files that are one large group of rows. Polars reads the packed bytes of a whole group before it hands on any
row, again for every part of it; pyarrow, where it is installed, reads page by page.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl


def has_large_groups(path: Path, rows: int) -> bool:
    """Whether a file has a group of more rows than this, and pyarrow is there to read it."""
    file = _open(path)
    if file is None:
        return False
    groups = file.metadata
    return any(groups.row_group(at).num_rows > rows for at in range(groups.num_row_groups))


def read_groups(path: Path, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
    """All rows, so many at a time. Raises OSError or ValueError for a damaged file."""
    file = _open(path)
    if file is not None:
        for batch in file.iter_batches(rows, columns=list(columns)):
            yield pl.DataFrame(batch)


def _open(path: Path) -> Any:
    try:
        from pyarrow.parquet import ParquetFile  # takes a tenth of a second
    except ImportError:
        return None
    return ParquetFile(path, pre_buffer=False, buffer_size=2**20)
