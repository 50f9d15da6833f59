"""Cells of columns that nobody reads, of rows of a Parquet file that have no paper: such a row may be empty or not.

Nobody reads these columns because they are not ours: they may be long texts, reviews for instance. So they are gone
through a few rows at a time, and only cells of rows without a paper are kept.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.io.row_groups import Group, PagedFile

ROWS = 512  # at a time
ROWS_BY_POLARS = 4096  # the same where polars reads, which begins anew at every step

ROW = "number of the row"


class OtherCells:
    """Of one file, whose rows are asked for in their order."""

    def __init__(self, table: pl.LazyFrame, columns: Sequence[str], pages: PagedFile | None, groups: Sequence[Group]):
        """table : the whole file; columns : that nobody reads; pages : of these columns, where they are read so"""
        self.table, self.columns, self.pages = table, list(columns), pages
        self.starts = [0, *accumulate(group.rows for group in groups)]
        self._rest: Iterator[tuple[int, pl.DataFrame]] = iter(())
        self._group = -1
        self._now = 0, pl.DataFrame()

    def beside(self, frame: pl.DataFrame, start: int) -> pl.DataFrame:
        """These rows, of which the first has this number, with all cells of those that have no paper."""
        if not self.columns:
            return frame
        wanted = np.flatnonzero(frame[PAPER].is_null().to_numpy())
        found = pl.concat(self._by_polars(wanted + start) if self.pages is None else self._by_pages(wanted + start))
        numbered = found.with_columns(pl.Series(ROW, wanted))
        rows = frame.with_columns(pl.Series(ROW, np.arange(len(frame))))
        return rows.join(numbered, on=ROW, how="left", maintain_order="left").drop(ROW)

    def _by_polars(self, rows: IntArray) -> Iterator[pl.DataFrame]:
        for step in np.unique(rows // ROWS_BY_POLARS).tolist():
            start = step * ROWS_BY_POLARS
            here = rows[rows // ROWS_BY_POLARS == step] - start
            yield self.table.select(self.columns).slice(start, int(here[-1]) + 1).collect()[here]

    def _by_pages(self, rows: IntArray) -> Iterator[pl.DataFrame]:
        while len(rows):
            start, some = self._go_to(int(rows[0]))
            here = rows[rows < start + len(some)]
            yield some[here - start]
            rows = rows[len(here) :]

    def _go_to(self, row: int) -> tuple[int, pl.DataFrame]:
        """The rows among which this one is, and the number of the first."""
        start, some = self._now
        while not start <= row < start + len(some):
            group = int(np.searchsorted(self.starts, row, side="right")) - 1
            if group != self._group:
                self._group, self._rest = group, self._rows_of(group)
            found = next(self._rest, None)
            if found is None:
                raise ValueError("rows are missing")
            self._now = start, some = found
        return self._now

    def _rows_of(self, group: int) -> Iterator[tuple[int, pl.DataFrame]]:
        if self.pages is None:
            raise ValueError("pages are not read here")
        start = self.starts[group]
        for some in self.pages.rows_of(group, ROWS):
            yield start, some
            start += len(some)
