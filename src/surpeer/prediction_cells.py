"""The prediction columns: cells -> shares of one, or a problem for every cell and row that cannot be used."""

import re

import numpy as np
import polars as pl

from surpeer.columns import PREDICTION, Layout
from surpeer.core.fixed_point import decimal_complement, nearest_decimal
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import Problem, counted, quoted

# Three shares of a third, typed as 0.333 or 33.3 %, sum to 0.999. Such a prediction is taken as it was written; one
# that is further off is a mistake.
SUM_TOLERANCE = 1e-3
ROUNDING = 1e-6  # of floats of either size, which nobody need be told of

LARGEST = {"fraction": 1.0, "percent": 100.0, "count": 1e9}


def read_predictions(
    frame: pl.DataFrame, layout: Layout, unit: str, rows: IntArray
) -> tuple[FloatArray, list[Problem], list[str]]:
    """(n, K) predicted shares with rows of NaN where there is none, problems, and notes."""
    columns = [PREDICTION] if layout.top_share else list(layout.shares)
    if layout.top_share and unit == "count":
        remedy = "give a count for each level, or use another unit"
        return _nothing(frame, layout), [Problem(None, PREDICTION, "the unit count", "p_<level> columns", remedy)], []
    if not columns:
        return _nothing(frame, layout), [], []
    cells = np.empty((len(frame), len(columns)), order="F")  # each column is filled, checked and summed as a whole
    problems: list[Problem] = []
    for at, name in enumerate(columns):
        cells[:, at], cell_problems = _read_cells(frame[name], unit, rows)
        problems += cell_problems
    with np.errstate(invalid="ignore", over="ignore"):
        sums = cells.sum(axis=1)  # NaN where a cell is empty
    complete = ~np.isnan(sums)
    if problems:
        with_problem = [problem.row for problem in problems if problem.row is not None]
        complete[np.searchsorted(rows, with_problem)] = False
    if not complete.all():
        problems += _incomplete(cells, {problem.row for problem in problems}, columns, rows)
    if layout.top_share:
        top = cells[:, 0] if unit == "fraction" else nearest_decimal(cells[:, 0], 100)
        return np.stack([decimal_complement(top), top], axis=1), problems, []
    sum_problems, notes = _check_sums(sums, complete, unit, rows, _span(columns))
    return _shares(cells, sums, unit), problems + sum_problems, notes


def _nothing(frame: pl.DataFrame, layout: Layout) -> FloatArray:
    return np.full((len(frame), len(layout.scale)), np.nan)


def _shares(cells: FloatArray, sums: FloatArray, unit: str) -> FloatArray:
    if unit == "percent":
        return nearest_decimal(cells, 100)
    if unit == "count":
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(cells / sums[:, None])
    return cells


def _read_cells(column: pl.Series, unit: str, rows: IntArray) -> tuple[FloatArray, list[Problem]]:
    """(n,) numbers, NaN for an empty cell, and a problem for every cell that is not a number in range."""
    name, largest = column.name, LARGEST[unit]
    if column.dtype.is_numeric():
        numbers = column.cast(pl.Float64).fill_nan(None)
        unreadable = np.zeros(len(column), dtype=np.bool_)
    else:
        texts = column.cast(pl.String, strict=False).str.strip_chars()
        numbers = texts.cast(pl.Float64, strict=False).fill_nan(None)
        unreadable = (numbers.is_null() & (texts.str.len_bytes().fill_null(0) > 0)).to_numpy()
    cells = numbers.fill_null(float("nan")).to_numpy()
    with np.errstate(invalid="ignore"):
        outside = (cells < 0) | (cells > largest * (1 + ROUNDING))
    problems = [_unreadable(int(rows[at]), name, str(column[int(at)]), unit) for at in np.flatnonzero(unreadable)]
    problems += [_outside(int(rows[at]), name, float(cells[at]), unit) for at in np.flatnonzero(outside)]
    return cells, problems


def _expected(unit: str) -> str:
    return {
        "fraction": "a fraction between 0 and 1",
        "percent": "a percentage between 0 and 100",
        "count": "a number of imagined reviewers between 0 and 1e9",
    }[unit]


def _unreadable(row: int, name: str, text: str, unit: str) -> Problem:
    bare = text.strip()
    if re.fullmatch(r"[\d.]+\s*%", bare):
        remedy = "write the number alone and use --unit percent"
    elif re.fullmatch(r"\d+,\d+", bare):
        remedy = "write a point instead of the comma"
    else:
        remedy = "leave the cells empty if there is no prediction"
    return Problem(row, name, quoted(text), _expected(unit), remedy)


def _outside(row: int, name: str, number: float, unit: str) -> Problem:
    other_unit = unit == "fraction" and 2 <= number < np.inf
    remedy = "use --unit percent or --unit count if that is what predictions are" if other_unit else "correct it"
    return Problem(row, name, f"{number:g}", _expected(unit), remedy)


def _incomplete(cells: FloatArray, reported: set[int | None], columns: list[str], rows: IntArray) -> list[Problem]:
    """A problem for every review that predicts some levels and not others."""
    empty = np.isnan(cells)
    partial = np.flatnonzero(empty.any(axis=1) & ~empty.all(axis=1))
    return [
        Problem(
            int(rows[at]),
            ", ".join(name for name, is_empty in zip(columns, empty[at], strict=True) if is_empty),
            "an empty cell beside predictions for other levels",
            "a prediction for every level or for none",
            "write 0 if that level is not expected at all",
        )
        for at in partial
        if int(rows[at]) not in reported
    ]


def _span(columns: list[str]) -> str:
    """The columns of one prediction, for a message."""
    return ", ".join(columns) if len(columns) <= 3 else f"{columns[0]} ... {columns[-1]}"


def _check_sums(
    sums: FloatArray, complete: BoolArray, unit: str, rows: IntArray, columns: str
) -> tuple[list[Problem], list[str]]:
    if unit == "count":
        return [
            Problem(
                int(rows[at]), columns, "no imagined reviewer at all", "at least one", "leave the cells empty instead"
            )
            for at in np.flatnonzero(complete & (sums == 0))
        ], []
    total = LARGEST[unit]
    with np.errstate(invalid="ignore"):
        error = np.abs(sums - total) / total
    if not (complete & (error > ROUNDING)).any():
        return [], []
    wrong = complete & (error > SUM_TOLERANCE * (1 + ROUNDING))
    problems = [
        Problem(
            int(rows[at]),
            columns,
            f"predictions that sum to {sums[at]:.6g}",
            f"{total:g}",
            _sum_remedy(float(sums[at]), unit),
        )
        for at in np.flatnonzero(wrong)
    ]
    rounded = complete & (error > ROUNDING) & ~wrong
    count = int(rounded.sum())
    if not count:
        return problems, []
    low, high = sums[rounded].min(), sums[rounded].max()
    return problems, [f"{counted(count, 'prediction')} summing to {low:.6g} ... {high:.6g} taken as written"]


def _sum_remedy(total: float, unit: str) -> str:
    if unit == "percent" and abs(total - 1) <= SUM_TOLERANCE:
        return "use --unit fraction if predictions are fractions"
    if unit == "percent" and total == round(total):
        return "correct them, or use --unit count if they are numbers of imagined reviewers"
    return "correct them, or leave all empty to count the rating alone"
