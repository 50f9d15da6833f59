"""Files of reviews of any size -> sums by paper: what every run over files on this machine begins with.

    files -> whole numbers -> sums by paper

What becomes of the sums is for others: scores, ranks and decisions (surpeer.engines.run), or numbers of papers and of
what is wrong with them (surpeer.engines.counting_run). Everything is in memory where it fits. Otherwise reviews are
divided into pieces on disk, which are added up one after the other; the sums are the same.
"""

import gc
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from shutil import rmtree

import polars as pl

from surpeer.columns import TITLE
from surpeer.engines.bucket_sizes import BucketSizes
from surpeer.engines.duckdb_engine import sum_rows_in_duckdb
from surpeer.engines.memory import (
    PER_SUM_OF_QUERY,
    give_back,
    memory_limit,
    own_memory,
    reviews_fit,
    reviews_of_table,
)
from surpeer.engines.odd_reviews import OddReviews
from surpeer.engines.planned_room import MORE, MoreReviews, bytes_per_row, within_room
from surpeer.engines.polars_engine import sum_in_memory
from surpeer.engines.reading import LargerForm, Reading
from surpeer.engines.rows import Form, Typical
from surpeer.engines.summed import Summed, sum_at_once
from surpeer.engines.summed_in_buckets import sum_in_buckets
from surpeer.engines.summed_in_parts import go_into_parts, sum_in_parts
from surpeer.engines.sums import number_of_sums
from surpeer.engines.work_folder import WorkFolder

NEARLY = 0.7
"""The part of the memory that was asked for from which on what was freed is given back: taking it again takes time."""


@dataclass
class SummingRun:
    """One run over files on this machine, up to the sums of all papers."""

    reading: Reading
    work: WorkFolder
    engine: str = "polars"
    memory: int | None = None
    """Bytes that were asked for; None to take what is free."""
    _folders: int = 0
    _width: int = 0
    """Bytes of a row, at least, where they turned out to be more than the first ones have."""
    _odd: OddReviews = field(default_factory=OddReviews)

    @cached_property
    def limit(self) -> int | None:
        """Bytes to plan with; None where nobody knows."""
        limit = memory_limit(self.memory)
        return None if limit is None else limit - self.reading.database

    def _limit_to_add_up(self, form: Form) -> int | None:
        """Without what files, and queries for the sums of this form, take by themselves."""
        return None if self.limit is None else self.limit - self.reading.held - self._of_query(form)

    def _of_query(self, form: Form) -> int:
        return number_of_sums(form) * PER_SUM_OF_QUERY if self._by_database else 0

    def check_memory(self, form: Form) -> None:
        """Raise where reviews of this form need more memory than may be taken."""

    @cached_property
    def summed(self) -> Summed:
        """Sums of all papers."""
        form, typical = self.reading.first_form(), None
        while True:
            if form.completes and typical is None:
                form, typical = self.reading.look()
            try:
                return self._sum(form, typical)
            except LargerForm as larger:
                form, typical = self._after(larger)
            except MoreReviews as more:
                self._width = more.width
                self.reading.expect_more(more.rows)
            gc.collect()
            give_back()

    def _after(self, larger: LargerForm) -> tuple[Form, Typical | None]:  # noqa: ARG002 - others take this one
        """The form in which all is read again: all reviews say which, so that it is once more only."""
        return self.reading.look()

    def _rows(self, form: Form, typical: Typical | None) -> Iterator[pl.DataFrame]:
        """What is added up."""
        return self.reading.rows(form, typical)

    def _sum(self, form: Form, typical: Typical | None) -> Summed:
        self.check_memory(form)
        rows = self._rows(form, typical)
        self._odd.repeated.forget()
        first = next(rows, None)
        if first is None:
            self.reading.raise_problems()
            raise ValueError("no review was read, and nobody said why")
        limit, expected, sums = self._limit_to_add_up(form), self.reading.expected_rows, number_of_sums(form)
        width = max(self._width, bytes_per_row(len(first), int(first.estimated_size())))
        # Titles that are only counted are numbers here, but adding them up takes as much.
        texts = sum(dtype == pl.String or name == TITLE for name, dtype in first.schema.items())

        def fit(number: int, each: int) -> bool:
            return reviews_fit(number, each, sums, limit, texts, self._by_database)

        if limit is not None and not fit(expected, width):
            return self._sum_on_disk(first, rows, form, limit, width)
        at_once = reviews_of_table(sums, limit)
        most = max(MORE * expected, at_once)  # by what is expected they are divided into tables
        fitting = within_room(_chain(first, rows), lambda number, each: number <= most and fit(number, each))
        if self._by_database:
            return sum_at_once(fitting, form, self._odd.repeated, sum_rows_in_duckdb)
        return sum_in_memory(fitting, form, self._odd.repeated, expected, at_once)

    def _sum_on_disk(
        self, first: pl.DataFrame, rows: Iterator[pl.DataFrame], form: Form, limit: int, width: int
    ) -> Summed:
        """limit : bytes of memory; width : of a row"""
        expected, repeated = self.reading.expected_rows, self._odd.repeated
        self.work.check_space(expected * width)
        sizes = BucketSizes.of(first, form, expected, limit, width, database=self._by_database)
        fitting = within_room(
            _chain(first, rows), lambda number, each: number * max(each, width) <= MORE * sizes.rows * width
        )
        folder = self._folder()
        try:
            if self._by_database:
                return sum_in_buckets(fitting, form, folder, limit, sizes, repeated, sum_rows_in_duckdb)
            sum_on_disk = sum_in_parts if go_into_parts(first, form) else sum_in_buckets
            return sum_on_disk(fitting, form, folder, limit, sizes, repeated)
        except (LargerForm, MoreReviews):
            rmtree(folder)  # all of it comes once more, and needs the room
            raise

    @property
    def _by_database(self) -> bool:
        return self.engine == "duckdb"

    def _folder(self, name: str = "rows") -> Path:
        """A new one each time."""
        self._folders += 1
        folder = self.work.path / f"{name}-{self._folders}"
        folder.mkdir()
        return folder

    def _give_back(self) -> None:
        """Before more is taken, where little may be."""
        if self.memory is not None and (own_memory() or self.memory) > NEARLY * self.memory:
            give_back()


def _chain(first: pl.DataFrame, rest: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    yield first
    yield from rest
