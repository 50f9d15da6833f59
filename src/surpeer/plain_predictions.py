"""Predictions of which nothing need be said: numbers in range, all levels of a row or none, sums that are right.

Most large tables are like that, and then a prediction takes a few nanoseconds. Whatever is in doubt is left to
surpeer.prediction_rows, which has all the rules and finds the same numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from surpeer.columns import DISTRIBUTION, PREDICTION, Layout
from surpeer.core.fixed_point import decimal_complement, nearest_decimal
from surpeer.core.shapes import FloatArray
from surpeer.distribution_cells import list_cells
from surpeer.float_cells import as_floats
from surpeer.prediction_counts import PredictionCounts, Settled
from surpeer.prediction_units import SumCounts

BLOCK = 32_768  # rows that fit, with all that is computed of them, into a processor's cache

NO_DOUBT = 0.9e-6  # of the whole that a sum is off: surely less than `ROUNDING`


def read_plain_predictions(
    frame: pl.DataFrame, layout: Layout, settled: Settled
) -> tuple[FloatArray, PredictionCounts] | None:
    """(n, K) predicted shares and their counts; None where there may be more to say."""
    columns = _columns(frame, layout)
    if columns is None or not len(frame):
        return None
    total = _total(columns, settled)
    if total is None:
        return None
    shares = np.empty((len(frame), len(layout.scale)), order="F")
    largest, plain, complete = 0.0, 0, 0
    for start in range(0, len(frame), BLOCK):
        block = _Block([column[start : start + BLOCK] for column in columns], total)
        if not block.write(shares[start : start + BLOCK]):
            return None
        complete += block.complete
        plain += block.filled if settled.asked == "fraction" and not layout.distribution else 0
        largest = max(largest, block.largest) if total == 100 or settled.unit == "auto" else 0.0
    return shares, _counts(settled, total, complete, plain, largest, layout.top_share)


def _counts(
    settled: Settled, total: float, complete: int, plain: int, largest: float, top_share: bool
) -> PredictionCounts:
    percent = complete if total == 100 else 0
    common = {"plain": plain, "totals": frozenset({total}), "right": 0 if top_share else complete}
    if settled.unit != "auto":
        return PredictionCounts(settled, largest if settled.unit == "percent" else 0.0, **common)  # type: ignore[arg-type]
    sums = SumCounts(complete, percent, complete - percent, largest)
    settled = Settled(settled.asked, settled.unit, settled.usual or sums.usual)
    return PredictionCounts(settled, **common, percent=percent, fractions=complete - percent, sums=sums)  # type: ignore[arg-type]


def _columns(frame: pl.DataFrame, layout: Layout) -> list[FloatArray] | None:
    """The numbers of each level, or of the higher of two; None where cells have to be read."""
    if layout.distribution:
        column = frame[DISTRIBUTION]
        is_list = column.dtype in (pl.List, pl.Array) and column.dtype.inner.is_numeric()  # type: ignore[attr-defined]
        cells = list_cells(column, len(layout.scale)) if is_list else None
        return None if cells is None else list(cells.T)
    names = [PREDICTION] if layout.top_share else list(layout.shares)
    expected = 1 if layout.top_share and layout.scale.is_binary else len(layout.scale)
    if len(names) != expected or not all(frame[name].dtype.is_numeric() for name in names):
        return None
    numbers = [as_floats(frame[name]) for name in names]
    return [(column.fill_null(float("nan")) if column.null_count() else column).to_numpy() for column in numbers]


def _total(columns: Sequence[FloatArray], settled: Settled) -> float | None:
    """What every row should sum to; with `auto` what the first row sums to, so that any other is a doubt."""
    if settled.unit in ("fraction", "percent"):
        return 100.0 if settled.unit == "percent" else 1.0
    first = sum(float(column[0]) for column in columns)
    is_complete = settled.unit == "auto" and len(columns) > 1
    return next((total for total in (1.0, 100.0) if is_complete and abs(first / total - 1) <= NO_DOUBT), None)


@dataclass(slots=True)
class _Block:
    """The numbers of some rows."""

    columns: Sequence[FloatArray]
    total: float
    complete: int = 0

    def write(self, into: FloatArray) -> bool:
        """Write the shares of every row; False where there is a doubt."""
        if len(self.columns) == 1:
            return self._write_top(into)
        return self._sums_are_right() and self._write_levels(into)

    @property
    def filled(self) -> int:
        """How many numbers are not 0."""
        return sum(int(np.count_nonzero(column)) for column in self.columns) - self._empty()

    @property
    def largest(self) -> float:
        return float(max(np.fmax.reduce(column, initial=0.0) for column in self.columns))

    def _empty(self) -> int:
        return (len(self.columns[0]) - self.complete) * len(self.columns)

    def _sums_are_right(self) -> bool:
        first, *others = self.columns
        off = first - self.total
        for column in others:
            off += column
        np.abs(off, out=off)
        limit = self.total * NO_DOUBT
        self.complete = len(first)
        if not off.max() <= limit:
            doubtful = np.flatnonzero(~(off <= limit))
            self.complete -= len(doubtful)
            return all(bool(np.isnan(column[doubtful]).all()) for column in self.columns)
        return True

    def _write_levels(self, into: FloatArray) -> bool:
        for level, column in enumerate(self.columns):
            if not column.min() >= 0 and (column < 0).any():
                return False
            into[:, level] = column if self.total == 1 else nearest_decimal(column, 100)
        return True

    def _write_top(self, into: FloatArray) -> bool:
        (column,) = self.columns
        self.complete = len(column)
        if not (column.min() >= 0 and column.max() <= self.total):
            self.complete -= int(np.isnan(column).sum())
            if ((column < 0) | (column > self.total)).any():
                return False
        top = column if self.total == 1 else nearest_decimal(column, 100)
        into[:, 1] = top
        into[:, 0] = decimal_complement(top)
        return True
