"""Groups of rows of Parquet files. Polars reads the packed bytes of a whole group before it hands on any row, again for
every part of it: so whole groups are read at once, or, where they are large, pyarrow reads them page by page.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl


def rows_of_groups(path: Path) -> list[int] | None:
    """How many rows each group of a file has; None where there is no pyarrow to tell."""
    file = _open(path)
    if file is None:
        return None
    groups = file.metadata
    return [groups.row_group(at).num_rows for at in range(groups.num_row_groups)]


def read_groups(path: Path, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
    """All rows, so many at a time, page by page. Raises OSError or ValueError for a damaged file."""
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
