"""Rows of a table -> checked rows: the same rules for a table in memory and for the parts of one that is larger.

A part knows nothing of the others. So what there is to say of its rows is counted, and the counts of all parts together
make the same notes as the whole table would; problems come with the numbers of their rows. What only all rows of a
paper can tell is for those who have them: the same review given twice, and two tracks of one paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from surpeer.columns import EXPECTED, PAPER, REVIEWER, TITLE, TRACK, Layout, reviewer_notes
from surpeer.core.shapes import FloatArray, IntArray
from surpeer.errors import Problem, counted
from surpeer.expected_cells import ExpectedCounts, combine, expected_problems, read_expected, stand_for_others
from surpeer.paper_cells import title_texts, track_texts
from surpeer.paper_ids import blank_ids, id_problems, long_ids, plain_ids
from surpeer.prediction_cells import list_problems, prediction_columns, span
from surpeer.prediction_counts import PredictionCounts, Settled, with_remedy
from surpeer.prediction_rows import read_predictions, settle, unit_problems, unreadable_predictions
from surpeer.rating_cells import Codes, read_ratings
from surpeer.scale import Scale
from surpeer.slips import MOST_DESCRIBED, Slips, first_problems, in_order
from surpeer.verdicts import upside_down, usual_order


@dataclass(frozen=True, slots=True)
class ForecastCounts:
    """How many of some reviews say what of the others."""

    complete: int
    """A share for every level."""
    partial: int
    """Shares for some levels, or an expected rating."""

    @classmethod
    def of(cls, shares: FloatArray, expected: FloatArray | None) -> "ForecastCounts":
        """Of rows that are sound. shares, expected : as in CheckedRows"""
        if not any(np.isnan(column.min(initial=0.0)) for column in shares.T):
            return cls(len(shares), 0)
        empty = np.isnan(shares)
        says = ~empty.all(axis=1) if expected is None else ~empty.all(axis=1) | ~np.isnan(expected)
        complete = len(shares) - int(empty.any(axis=1).sum())
        return cls(complete, int(says.sum()) - complete)

    def __add__(self, other: "ForecastCounts") -> "ForecastCounts":
        return ForecastCounts(self.complete + other.complete, self.partial + other.partial)


@dataclass(frozen=True, slots=True)
class RowCounts:
    """What there is to say of some rows."""

    rows: int
    skipped: int
    """Rows without any content, which are not among the checked ones."""
    predictions: PredictionCounts
    expected: ExpectedCounts | None = None
    forecasts: ForecastCounts | None = None
    """Where somebody asks for them, and all rows are sound."""

    def __add__(self, other: "RowCounts") -> "RowCounts":
        return RowCounts(
            self.rows + other.rows,
            self.skipped + other.skipped,
            self.predictions + other.predictions,
            None if self.expected is None or other.expected is None else self.expected + other.expected,
            None if self.forecasts is None or other.forecasts is None else self.forecasts + other.forecasts,
        )


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """n rows that are sound unless there are problems; then only `rows` and the problems mean anything."""

    rows: IntArray
    """(n,) their numbers."""
    paper: pl.Series
    """(n,) ids: Int64 or String."""
    rating: Codes
    """(n,) index into the scale's levels."""
    shares: FloatArray
    """(n, K) predicted shares, NaN where none is given, each level in one piece of memory (order F)."""
    expected: FloatArray | None
    """(n,) as in Reviews."""
    reviewer: pl.Series | None
    """(n,) ids as they are given."""
    track: pl.Series | None
    """(n,) text without spaces around it, null for an empty cell."""
    title: pl.Series | None
    """(n,) text as it was written, null for an empty cell."""
    problems: tuple[Problem, ...]
    """The first of them, by row."""
    problem_count: int
    counts: RowCounts
    short_ids: bool = False
    """Whether ids are text, and all of them whole numbers as one writes them: then they are those numbers here."""

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class RowChecker:
    """How rows are to be read; the same for all parts of a table, on every machine."""

    layout: Layout
    unit: str = "fraction"
    normalise: bool = False
    drop_bad_predictions: bool = False
    settled: Settled | None = None
    """In which unit predictions are found to be; without it every part says so itself."""
    columns: tuple[str, ...] = ()
    """All columns of the table, for the notes."""
    counts_forecasts: bool = False
    """Whether somebody wants to know how many there are."""

    @property
    def scale(self) -> Scale:
        return self.layout.scale

    def settle(self, frame: pl.DataFrame) -> "RowChecker":
        """The same, with the unit as these first rows have it; their problems come up when they are checked."""
        return replace(self, settled=self._check(frame, np.arange(len(frame)), 0).counts.predictions.settled)

    def check(self, frame: pl.DataFrame, rows: IntArray, most: int = 1000) -> CheckedRows:
        """Check these rows; at most so many problems are described, and all are counted.

        rows : (n,) increasing numbers of the rows, for messages
        """
        checked = self._check(frame, rows, most)
        ids, slips = long_ids(checked.paper, checked.rows)
        if not slips:
            return replace(checked, paper=ids)
        problems = in_order([*checked.problems, *first_problems(slips, most)])[:most]
        total = checked.problem_count + len(slips[0])
        return replace(checked, paper=ids, problems=tuple(problems), problem_count=total)

    def check_any_ids(self, frame: pl.DataFrame, rows: IntArray) -> CheckedRows:
        """The same for a table in memory: many problems are described, and ids are whole numbers of any size."""
        return self._check(frame, rows, MOST_DESCRIBED)

    def notes(self, counts: RowCounts, with_rows: bool = True) -> tuple[str, ...]:
        """What a user should know about rows with these counts, but for what is said of papers.

        with_rows : whether the numbers of rows say which they are; in several files they do not
        """
        scale = self.scale
        return (
            *self.layout.notes,
            *([f"skipped {counted(counts.skipped, 'empty row')}"] if counts.skipped else []),
            *reviewer_notes(self.columns),
            *_order_notes(scale),
            *_value_notes(scale),
            *counts.predictions.notes(with_rows),
            *([] if counts.expected is None else counts.expected.notes(scale)),
        )

    def problem_notes(self) -> tuple[str, ...]:
        """How the table was understood, for people who look for what is wrong with it."""
        return (*self.layout.notes, *_order_notes(self.scale))

    def problems_of_all(self, counts: RowCounts, problems: Sequence[Problem]) -> list[Problem]:
        """The problems of all parts as the whole table has them, in order, and those that only the whole has."""
        columns = span(prediction_columns(self.layout))
        of_parts = [with_remedy(problem, counts.predictions) for problem in problems]
        of_whole = [problem for problem in counts.predictions.problems(columns) if problem not in of_parts]
        return [*of_whole, *of_parts]

    def _check(self, frame: pl.DataFrame, rows: IntArray, most: int) -> CheckedRows:
        kept = rows_with_content(frame)
        skipped = 0 if kept is None else len(frame) - len(kept)
        if kept is not None and skipped:
            frame, rows = frame[kept], rows[kept]
        layout = self.layout
        problems = id_problems(frame[PAPER])
        ids = frame[PAPER] if problems else plain_ids(frame[PAPER])
        slips = [] if problems else blank_ids(ids, rows)
        ratings, rating_slips = read_ratings(frame, layout.scale, rows)
        shares, share_problems, share_slips, prediction_counts = self._predictions(frame, rows)
        expected, expected_problems, expected_slips = self._expected(frame, rows)
        track, track_problems = track_texts(frame[TRACK]) if layout.has_track else (None, [])
        title, title_problems = title_texts(frame[TITLE]) if layout.has_title else (None, [])
        problems += [*share_problems, *expected_problems, *track_problems, *title_problems]
        slips += [*rating_slips, *share_slips, *expected_slips]
        expected_counts = ExpectedCounts() if layout.has_expected else None
        sound = not (problems or slips)
        if expected is not None and sound:
            expected, shares, expected_counts = combine(expected, shares, layout.scale)
        forecasts = ForecastCounts.of(shares, expected) if self.counts_forecasts and sound else None
        return CheckedRows(
            rows=rows,
            paper=ids,
            rating=ratings,
            shares=shares,
            expected=expected,
            reviewer=frame[REVIEWER] if layout.has_reviewer else None,
            track=track,
            title=title,
            problems=(*problems, *first_problems(slips, most)),
            problem_count=len(problems) + sum(map(len, slips)),
            counts=RowCounts(len(rows), skipped, prediction_counts, expected_counts, forecasts),
        )

    def _predictions(
        self, frame: pl.DataFrame, rows: IntArray
    ) -> tuple[FloatArray, list[Problem], list[Slips], PredictionCounts]:
        problems = [*unit_problems(self.layout, self.unit), *list_problems(frame, self.layout)]
        if problems:
            return self._no_shares(frame), problems, [], PredictionCounts(Settled(self.unit, self.unit))
        settled, problems = (self.settled, []) if self.settled else settle(frame, self.layout, self.unit)
        if problems:  # what numbers are parts of must be known before their sums say anything
            dropped = self.drop_bad_predictions
            unreadable = [] if dropped else unreadable_predictions(frame, self.layout, rows)
            return self._no_shares(frame), problems, unreadable, PredictionCounts(settled)
        shares, slips, counts = read_predictions(
            frame, self.layout, settled, rows, self.normalise, self.drop_bad_predictions
        )
        return shares, [], slips, counts

    def _no_shares(self, frame: pl.DataFrame) -> FloatArray:
        return np.full((len(frame), len(self.scale)), np.nan)

    def _expected(self, frame: pl.DataFrame, rows: IntArray) -> tuple[FloatArray | None, list[Problem], list[Slips]]:
        if not self.layout.has_expected:
            return None, [], []
        problems = expected_problems(self.scale)
        if problems:
            return np.full(len(rows), np.nan), problems, []
        expected, slips = read_expected(frame[EXPECTED], self.scale, rows)
        return expected, [], slips


def rows_with_content(frame: pl.DataFrame) -> IntArray | None:
    """Positions of the rows in which some cell is filled; None where all have a paper."""
    if not frame[PAPER].null_count():
        return None
    return np.flatnonzero(frame.select(pl.any_horizontal(pl.all().is_not_null())).to_series().to_numpy())


def _order_notes(scale: Scale) -> list[str]:
    """A note where levels that everybody knows are given in another order than the usual one."""
    usual, pair = usual_order(scale.levels), upside_down(scale.levels)
    given = f"levels as given, lowest first: {', '.join(scale.levels)}"
    if usual is not None and usual != scale.levels:
        return [f"{given}; usually it is {', '.join(usual)}"]
    return [] if pair is None else [f"{given}; usually {pair[0]} is lower than {pair[1]}"]


def _value_notes(scale: Scale) -> list[str]:
    """A note where levels are numbers but stand for others, so that nobody takes 1..5 for -2..2."""
    if not stand_for_others(scale):
        return []
    standing_for = ", ".join(f"{value:g}" for value in scale.values)
    return [f"the levels {', '.join(scale.levels)} stand for {standing_for}; --values gives other numbers"]
