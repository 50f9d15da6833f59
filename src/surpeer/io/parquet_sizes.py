"""How much of a Parquet file is read at once: whole groups of rows where these are small, fewer rows where texts are
long.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import polars as pl

from surpeer.io.row_groups import PYARROW, Group, can_read_pages

SEVERAL = 4  # batches that are read at once

FEW_BYTES = 64 * 2**20

BYTES_OF_GROUP = 320  # that a group of rows may take, for each row of a batch, to be read at once

FEW_HELD, FEW_PACKED = 32_000_000, 40_000_000  # bytes held, and of a packed group, that need not be planned with

ANEW = 1.15  # times the memory that polars takes, which unpacks dictionaries again for every part of a group


class Division(NamedTuple):
    """How a file is divided into groups, and who reads those that are too large to be read at once."""

    groups: Sequence[Group]
    by_pages: bool
    """Whether they are read page by page."""

    @classmethod
    def of(cls, groups: Sequence[Group], wide: bool) -> "Division":
        """wide : whether there is much to read again for every part of a group. Otherwise pyarrow, which takes memory
        itself, is worth it only where what polars reads of a group for every part of it would take more."""
        worth_it = wide or any(max(group.packed, group.held + group.as_categories) > PYARROW for group in groups)
        return cls(groups, worth_it and can_read_pages())

    @property
    def held(self) -> int:
        """Bytes of memory that it takes to read any row, beside the rows; 0 where that is little."""
        most = max((group.held + (0 if self.by_pages else group.as_categories) for group in self.groups), default=0)
        if most <= FEW_HELD:
            return 0
        if self.by_pages:
            return most + PYARROW
        return int(ANEW * most) + max(0, max(group.packed for group in self.groups) - FEW_PACKED)


class Run(NamedTuple):
    """Rows that are read next."""

    rows: int
    bytes: int = 0
    """As of their groups, if they are whole ones."""
    pages: int | None = None
    """The number of their group, where it is too large to be read at once."""


class AtOnce:
    """How many rows may be read at once; for files with texts that depends on those that were read last."""

    def __init__(self, batch: int, rows: int, largest_group: int, most_bytes: int | None) -> None:
        """batch : rows of a batch; rows : of several groups, or of none; largest_group : rows of a single one"""
        self.batch, self.rows, self.largest_group, self.most_bytes = batch, rows, largest_group, most_bytes
        self._fit: int | None = None

    @classmethod
    def of_numbers(cls, batch: int, columns: int) -> "AtOnce":
        """A file may be one single group of rows, of which polars reads all up to the rows that are asked for, again
        and again: so more of them where they are only numbers."""
        bytes_per_row = 8 * max(columns, 1)
        rows = max(batch, min(SEVERAL * batch, FEW_BYTES // bytes_per_row))
        return cls(batch, rows, max(SEVERAL * batch, BYTES_OF_GROUP * batch // bytes_per_row), None)

    @classmethod
    def of_texts(cls, batch: int, most_bytes: int | None) -> "AtOnce":
        """most_bytes : that all rows may take, however many there are"""
        return cls(batch, batch, SEVERAL * batch, most_bytes)

    def look_at(self, frame: pl.DataFrame) -> None:
        """The next rows will be about as wide as these."""
        if self.most_bytes is not None and len(frame):
            self._fit = max(1, len(frame) * self.most_bytes // max(1, int(frame.estimated_size())))

    def steps(self, count: int, most: int | None = None) -> Iterator[Run]:
        """So many rows, whatever groups they are in. most : of them at once"""
        left, rows = count, self.rows if most is None else min(self.rows, most)
        while left > 0:
            run = Run(min(self._fitting(rows), left))
            yield run
            left -= run.rows

    def runs(self, division: Division) -> Iterator[Run]:
        """All groups: several at once as long as they are small; a large one page by page, or some rows at a time."""
        groups, at = division.groups, 0
        while at < len(groups):
            run, number = Run(groups[at].rows, groups[at].bytes), at
            at += 1
            if self.go_by_pages(division, number):
                yield run._replace(pages=number)
                continue
            if self.is_large(groups[number]):
                yield from self.steps(run.rows, self._as_wide_as(run))
                continue
            while at < len(groups) and self._go_together(
                both := Run(run.rows + groups[at].rows, run.bytes + groups[at].bytes)
            ):
                run, at = both, at + 1
            yield run

    def go_by_pages(self, division: Division, number: int) -> bool:
        """Whether the rows of this group are read page by page."""
        return division.by_pages and self.is_large(division.groups[number])

    def rows_of_pages(self, run: Run) -> int:
        """How many rows of a group that is read page by page are read at once."""
        return min(self._fitting(self.batch), self._as_wide_as(run))

    def is_large(self, group: Group) -> bool:
        """Whether a group is too large to be read at once."""
        return group.rows > self._fitting(self.largest_group) or self._takes_too_much(group.bytes)

    def _as_wide_as(self, run: Run) -> int:
        """How many rows may be read at once of a group, as far as that depends on what it says of itself."""
        return self.rows if self.most_bytes is None else max(1, run.rows * self.most_bytes // max(1, run.bytes))

    def _fitting(self, rows: int) -> int:
        return rows if self._fit is None else min(rows, self._fit)

    def _go_together(self, run: Run) -> bool:
        return run.rows <= self._fitting(self.rows) and not self._takes_too_much(run.bytes)

    def _takes_too_much(self, size: int) -> bool:
        return self.most_bytes is not None and size > self.most_bytes
