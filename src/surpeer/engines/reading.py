"""Files of reviews -> whole numbers, batch by batch, and everything that is to be said about them.

The form of the whole numbers (surpeer.engines.rows) is taken from the first batch. If a later one needs a larger form,
reading starts again; and where predictions have to be completed from typical ones, all are looked at once before.
"""

import os
import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from surpeer.checked_rows import CheckedRows, RowChecker, RowCounts
from surpeer.core.fixed_point import FixedPointSums, sum_by_cell
from surpeer.core.shapes import IntArray
from surpeer.core.venue.completion import typical_forecasts_of_sums
from surpeer.engines.made_rows import RowMaker
from surpeer.engines.memory import LEAST, own_memory
from surpeer.engines.odd_reviews import OddReviews
from surpeer.engines.progress import Progress
from surpeer.engines.rows import Form, Typical
from surpeer.errors import InputError
from surpeer.findings import Findings
from surpeer.io.first_look import all_notes
from surpeer.io.in_threads import in_threads
from surpeer.io.review_files import Batch, ReviewFiles, file_name
from surpeer.paper_cells import NO_TRACK

ROWS_AT_ONCE = 1 << 19
LEAST_ROWS = 1 << 14
BYTES_PER_ROW, BYTES_PER_SHARE = 8192, 3200
"""Of memory for each row of a batch, or for each of its levels, if that is more: several batches are on their way at
the same time, each in several forms."""
BYTES_PER_LEVEL = 1200
"""The same for each level of a row, of memory beyond the least: small batches take time."""

COMPLETED = 2
"""How many times as much memory rows take whose predictions are completed."""
WIDEST_ROW = 128
"""Bytes of a row of which there can be as many in a batch: of rows with longer texts there are fewer."""
BATCH_OF_MEMORY = 48
"""One over the part of the memory that the rows of a batch may take, however wide they are."""
FAR_MORE = 1.25
"""Times the memory that was asked for: nobody would have called that obeyed."""
TIMES_MORE = 2
"""How many more reviews than came are expected at least, once there were more than expected."""


class LargerForm(Exception):
    """What was read has to be read again, in this form."""

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.form = form


@dataclass(frozen=True)
class Part:
    """A batch that was checked."""

    checked: CheckedRows
    batch: Batch
    form: Form | None = None
    """None where nothing can be made of these reviews."""
    rows: pl.DataFrame | None = None


# By so many the form is guessed; if it turns out too small for others, reading starts again.
FIRST_ROWS = 1 << 16


@dataclass
class Reading:
    """Files, and how they are read. Whatever goes through them says the same about them."""

    files: ReviewFiles
    checker: RowChecker
    maker: RowMaker
    progress: Progress
    rows_at_once: int = ROWS_AT_ONCE
    ahead: int = 0
    """Batches that wait to be checked, beside those that are."""
    findings: Findings | None = None
    commas: int = 0
    """Numbers with a decimal comma."""
    _begun: Iterator[Batch] | None = None
    """All batches, where the first of them was read already."""
    most_memory: int | None = None
    """Bytes that the process may have after a batch was read; None where nobody cares."""
    database: int = 0
    """Bytes of it that a database takes by itself, if there is one."""
    other_memory: int = 0
    """Bytes that it had before, for other things."""
    held: int = 0
    """Bytes that files take as long as any of their rows are read, however few."""
    _fraction: float = 0.0
    """Of all bytes of all files, how many had been read when the last part was."""

    @classmethod
    def within(
        cls,
        files: ReviewFiles,
        checker: RowChecker,
        maker: RowMaker,
        progress: Progress,
        memory: int | None,
        held: int = 0,
    ) -> "Reading":
        """With batches that are small enough for the memory that was asked for, and with one more if none was."""
        if memory is None:
            return cls(files, checker, maker, progress, ahead=1)
        memory -= held
        more = max(0, memory - LEAST) // (BYTES_PER_LEVEL * len(checker.scale))
        per_row = max(BYTES_PER_ROW, BYTES_PER_SHARE * len(checker.scale))
        rows = min(ROWS_AT_ONCE, max(LEAST_ROWS, memory // per_row + more))
        return cls(files, checker, maker, progress, rows, held=held)

    def first_form(self) -> Form:
        """The form that the first reviews need. The first batch is kept, so that it is not read again."""
        batches = self._batches(None)
        for first in batches:
            part = self._part(replace(first, frame=first.frame.head(FIRST_ROWS)), None, None)
            if part.form is None or (part.checked.paper.dtype == pl.String and not part.form.numbers):
                break  # ids that must stay text are read as text everywhere
            self._begun = chain([first], batches)
            return part.form
        batches.close()  # what files take as long as they are read would be there twice
        for part in self._parts():
            if part.form is not None:
                return part.form
        return self.maker.least(len(self.checker.scale))

    def look(self) -> tuple[Form, Typical]:
        """The form that all reviews need, and what incomplete predictions are completed from."""
        form: Form | None = None
        totals = Totals(len(self.checker.scale))
        for part in self._all("looking"):
            if part.form is not None:
                form = part.form if form is None else form.merged(part.form)
                totals.add(part.checked)
        self._end_if_unsound()
        return form or self.maker.least(len(self.checker.scale)), totals.typical()

    def rows(self, form: Form, typical: Typical | None) -> Iterator[pl.DataFrame]:
        """Whole numbers of all reviews. Raises LargerForm where they have no room in this one."""
        for part in self._all("reading", form, typical):
            if part.rows is not None and part.form is not None:
                if part.form != form:
                    raise LargerForm(part.form)
                yield part.rows
        self._end_if_unsound()

    def name_odd(self, odd: OddReviews) -> None:
        """Raise for reviews that do not go with others of their papers, if there are any, and for all else."""
        if not odd:
            return
        for part in self._all("looking for reviews that do not go together"):
            if part.form is not None:
                odd.name(part.checked, part.batch.file)
        problems, total = odd.found()
        self._found.add_in_order([file_name(self.files, path) for path in self.files.paths], problems, total)
        self.raise_problems()

    def _end_if_unsound(self) -> None:
        """Raise problems after the last part, where nothing else is made of reviews that have any."""
        if self.maker.only_sound:
            self.raise_problems()

    def _all(self, phase: str, form: Form | None = None, typical: Typical | None = None) -> Iterator[Part]:
        """Every part; what there is to say of them is known after the last one."""
        self.findings, self.commas = Findings(self.checker, self.files.source), 0
        self.progress.begin(phase, self.expected_rows)
        for part in self._parts(form, typical):
            self.findings.add(part.checked, part.batch.file, part.batch.problems)
            self.commas += part.batch.commas
            self.progress.advance(len(part.batch.frame))
            self._check_memory()
            self._fraction = part.batch.fraction
            yield part

    def _check_memory(self) -> None:
        """Raise where batches, as small as they are, take far more memory than was asked for: a Parquet file may be
        such that no row can be read without very many others."""
        taken = own_memory() if self.most_memory is not None else None
        if self.most_memory is None or taken is None:
            return
        taken -= self.other_memory
        if taken > FAR_MORE * self.most_memory:
            by_pages = "" if find_spec("pyarrow") else "install pyarrow, which reads parts of groups, "
            raise InputError(
                f"{self.files.source}: found that reading it takes {taken // 1_000_000:,} MB, expected no more than "
                f"the {self.most_memory // 1_000_000:,} MB of memory that were allowed; write Parquet "
                f"{self.files.held_while_reading().remedy}, {by_pages}or allow more"
            )

    def raise_problems(self) -> None:
        """Raise what was found up to now, if anything was."""
        self._found.raise_if_any()

    @property
    def _found(self) -> Findings:
        if self.findings is None:
            raise ValueError("nothing was read yet")
        return self.findings

    @property
    def counts(self) -> RowCounts:
        """What there is to say of the rows that were read, in numbers."""
        if self._found.counts is None:
            raise ValueError("nothing was read yet")
        return self._found.counts

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about how the files were read."""
        return all_notes(self.files, self._found, self.commas)

    @cached_property
    def expected_rows(self) -> int:
        """How many reviews there are, or about how many."""
        return self.files.rows if self.files.rows is not None else about_rows(self.files)

    def expect_more(self, rows: int) -> None:
        """More came than were expected, so many up to now."""
        likely = int(rows / self._fraction) if self._fraction > 0 else 0
        self.expected_rows = self.files.rows or max(likely, TIMES_MORE * rows)

    def _parts(self, form: Form | None = None, typical: Typical | None = None) -> Iterator[Part]:
        batches = self._begun or self._batches(form)
        self._begun = None
        # Text is read by all processors; while they do, more threads than half of them only wait for one another.
        threads = None if self.files.kind == "Parquet" else max((os.cpu_count() or 1) // 2, 1)
        return in_threads(lambda batch: self._part(batch, form, typical), batches, threads, ahead=self.ahead)

    def _batches(self, form: Form | None) -> Generator[Batch]:
        # Who is found to have reviewed twice is named by ids as they are written.
        shorten_ids = not self.checker.layout.has_reviewer and (form is None or form.numbers)
        at_once = self.rows_at_once // (COMPLETED if form is not None and form.completes else 1)
        most_bytes = WIDEST_ROW * self.rows_at_once
        if self.most_memory is not None:
            most_bytes = min(most_bytes, (self.most_memory - self.database - self.held) // BATCH_OF_MEMORY)
        return self.files.batches(rows_per_batch=at_once, shorten_ids=shorten_ids, most_bytes=most_bytes)

    def _part(self, batch: Batch, form: Form | None, typical: Typical | None) -> Part:
        checked = with_named_tracks(self.checker.check(batch.frame, batch.rows))
        checked = replace(checked, short_ids=batch.short_ids)
        unsound = self.maker.only_sound and (checked.problems or batch.problems)
        if unsound or not len(checked):
            return Part(checked, batch)
        if form is None:
            return Part(checked, batch, self.maker.form(checked))
        rows, needed = self.maker.rows(checked, form, np.asarray(self.checker.scale.values), typical)
        return Part(checked, batch, needed, rows)


def about_rows(files: ReviewFiles) -> int:
    """How many rows there are in files of text, if all are as long as those that are read first."""
    first = next(files.batches(rows_per_batch=sys.maxsize), None)
    return 0 if first is None or first.fraction <= 0 else int(len(first.frame) / first.fraction)


@dataclass
class Totals:
    """Ratings and complete predictions of every track: what typical predictions are made of."""

    levels: int
    counts: dict[str | None, IntArray] = field(default_factory=dict)
    sums: dict[str | None, list[Any]] = field(default_factory=dict)
    """Parts of exact sums, (K, K) each, of Python's integers."""

    def add(self, checked: CheckedRows) -> None:
        """Add the reviews of a batch."""
        names, track = _track_numbers(checked)
        cells = track * self.levels + checked.rating
        shape = (len(names), self.levels)
        counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
        has = ~np.isnan(checked.shares.sum(axis=1))
        sums = sum_by_cell(checked.shares[has], cells[has], shape)
        for at, name in enumerate(names):
            self.counts[name] = self.counts.get(name, np.zeros(self.levels, dtype=np.int64)) + counts[at]
            parts = [part[at].astype(object) for part in sums.parts]
            known = self.sums.get(name, [])
            longer, shorter = sorted((known, parts), key=len, reverse=True)
            self.sums[name] = [part + shorter[i] if i < len(shorter) else part for i, part in enumerate(longer)]

    def typical(self) -> Typical:
        """What predictions are completed from."""
        names = sorted(self.counts, key=lambda name: name or "")
        forecasts = []
        for name in names:
            counts = self.counts[name]
            q = (counts + 0.5) / (counts.sum() + 0.5 * self.levels)
            parts = tuple(part.astype(np.float64) for part in self.sums[name])  # each the nearest float
            exact = FixedPointSums(parts, np.ones(self.levels, dtype=np.bool_))
            forecasts.append(typical_forecasts_of_sums(exact, q))
        return Typical(None if names == [None] else pl.Series(names, dtype=pl.String), np.stack(forecasts))


def _track_numbers(checked: CheckedRows) -> tuple[list[str | None], IntArray]:
    if checked.track is None:
        return [None], np.zeros(len(checked), dtype=np.int64)
    names = checked.track.unique().sort()
    return names.to_list(), names.search_sorted(checked.track).to_numpy().astype(np.int64)


def with_named_tracks(checked: CheckedRows) -> CheckedRows:
    """Papers without a track are a track of their own."""
    return checked if checked.track is None else replace(checked, track=checked.track.fill_null(NO_TRACK))
