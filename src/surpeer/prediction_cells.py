"""The prediction columns: cells -> numbers, or a problem for every cell that is not a number in range."""

import re
from collections.abc import Sequence

import numpy as np
import polars as pl

from surpeer.columns import DISTRIBUTION, PREDICTION, SHARE_PREFIX, Layout
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.distribution_cells import read_distributions
from surpeer.errors import Problem, quoted
from surpeer.float_cells import as_floats
from surpeer.slips import Slips

ROUNDING = 1e-6  # of floats of either size, which nobody need be told of

LARGEST = {"fraction": 1.0, "percent": 100.0, "count": 1e9, "auto": 1e9}


def prediction_columns(layout: Layout) -> list[str]:
    """The columns that hold predictions, in the order of the levels."""
    if layout.distribution:
        return [DISTRIBUTION]
    return [PREDICTION] if layout.top_share else list(layout.shares)


def list_problems(frame: pl.DataFrame, layout: Layout) -> list[Problem]:
    """A problem for every column that has lists where it should have one share in a cell."""
    if layout.distribution:
        return []
    remedy = f"name the column {DISTRIBUTION} if it has the shares of all levels, the lowest first"
    return [
        Problem(None, name, "a list in each cell", "one share", remedy)
        for name in prediction_columns(layout)
        if frame[name].dtype in (pl.List, pl.Array)
    ]


def read_prediction_cells(
    frame: pl.DataFrame, layout: Layout, unit: str, rows: IntArray
) -> tuple[FloatArray, BoolArray, list[Slips]]:
    """(n, K) numbers as they are written, NaN where a cell is empty or a level has no column; (n,) which rows have per
    cent signs; and problems."""
    levels = layout.scale.levels
    if layout.distribution:
        cells, percent, slips = read_distributions(frame[DISTRIBUTION], layout.scale, rows)
        return cells, percent, slips + _out_of_range(cells, DISTRIBUTION, unit, rows)
    cells = np.full((len(frame), len(levels)), np.nan, order="F")  # each column is filled and checked as a whole
    percent = np.zeros(len(frame), dtype=np.bool_)
    slips = []
    for name in prediction_columns(layout):
        at = len(levels) - 1 if layout.top_share else levels.index(name.removeprefix(SHARE_PREFIX))
        cells[:, at], signs, unreadable = _read_cells(frame[name], unit, rows)
        slips += unreadable + _out_of_range(cells[:, at : at + 1], name, unit, rows)
        percent |= signs
    return cells, percent, slips


def count_signs(frame: pl.DataFrame, layout: Layout) -> tuple[int, int] | None:
    """How many numbers have a per cent sign and how many, but for zeros, have none; None if no cell has any sign."""
    names = prediction_columns(layout)
    if layout.distribution or not any(_has_signs(frame[name]) for name in names):
        return None
    signed = plain = 0
    for name in names:
        numbers, unreadable = read_numbers(frame[name])
        plain += int((np.abs(np.nan_to_num(numbers)) > 0).sum())
        signed += int((unreadable & ~np.isnan(_without_signs(frame[name]))).sum()) if unreadable.any() else 0
    return signed, plain


def span(columns: Sequence[str]) -> str:
    """The columns of one prediction, for a message."""
    return ", ".join(columns) if len(columns) <= 3 else f"{columns[0]} ... {columns[-1]}"


def _has_signs(column: pl.Series) -> bool:
    return column.dtype == pl.String and bool(column.str.contains("%", literal=True).any())


def _without_signs(column: pl.Series) -> FloatArray:
    """(n,) the numbers of a column of text that are numbers when a per cent sign behind them is left out, else NaN."""
    if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
        return np.full(len(column), np.nan)
    return read_numbers(column.cast(pl.String, strict=False).str.replace(r"\s*%\s*$", ""))[0]


def _read_cells(column: pl.Series, unit: str, rows: IntArray) -> tuple[FloatArray, BoolArray, list[Slips]]:
    """(n,) numbers, NaN for an empty cell; which have per cent signs; a problem for every cell that is no number."""
    cells, unreadable = read_numbers(column)
    signs = np.zeros(len(column), dtype=np.bool_)
    if unit in ("percent", "auto") and unreadable.any():
        without_sign = _without_signs(column)
        signs = unreadable & ~np.isnan(without_sign)
        cells, unreadable = np.where(signs, without_sign, cells), unreadable & ~signs
    wrong = np.flatnonzero(unreadable)
    if not len(wrong):
        return cells, signs, []
    return (
        cells,
        signs,
        [
            Slips(
                wrong,
                lambda at: _unreadable(int(rows[wrong[at]]), column.name, shown_cell(column, int(wrong[at])), unit),
            )
        ],
    )


def _out_of_range(cells: FloatArray, name: str, unit: str, rows: IntArray) -> list[Slips]:
    """A problem for every number out of range, of the (n, any) cells of a column."""
    with np.errstate(invalid="ignore"):
        outside = (cells < 0) | (cells > LARGEST[unit] * (1 + ROUNDING))
    if not outside.any():
        return []
    at, level = np.nonzero(outside)
    numbers = cells[at, level]
    return [Slips(at, lambda index: _outside(int(rows[at[index]]), name, float(numbers[index]), unit))]


def read_numbers(column: pl.Series) -> tuple[FloatArray, BoolArray]:
    """(n,) numbers, NaN for an empty cell, and which cells are neither empty nor a number."""
    if column.dtype.is_numeric():
        numbers = as_floats(column).fill_nan(None)
        unreadable = np.zeros(len(column), dtype=np.bool_)
    elif column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
        return np.full(len(column), np.nan), column.is_not_null().to_numpy()
    else:
        texts = column.cast(pl.String, strict=False).str.strip_chars()
        numbers = texts.cast(pl.Float64, strict=False).fill_nan(None)
        unreadable = (numbers.is_null() & (texts.str.len_bytes().fill_null(0) > 0)).to_numpy()
    return numbers.fill_null(float("nan")).to_numpy(), unreadable


def shown_cell(column: pl.Series, at: int) -> str:
    """A cell as text, for a message."""
    cell = column[at]
    return str(cell.to_list() if isinstance(cell, pl.Series) else cell)


def _expected(unit: str) -> str:
    return {
        "fraction": "a fraction between 0 and 1",
        "percent": "a percentage between 0 and 100",
        "count": "a number of imagined reviewers between 0 and 1e9",
        "auto": "a share or a number of imagined reviewers",
    }[unit]


def _unreadable(row: int, name: str, text: str, unit: str) -> Problem:
    bare = text.strip()
    if re.fullmatch(r"[\d.]+\s*%", bare):
        remedy = "write it as the others are, or use --unit percent if all predictions are percentages"
    elif re.fullmatch(r"\d+,\d+", bare):
        remedy = "write a point instead of the comma"
    else:
        remedy = "correct it, or leave the cells empty if there is no prediction"
    return Problem(row, name, quoted(text), _expected(unit), remedy)


def _outside(row: int, name: str, number: float, unit: str) -> Problem:
    other_unit = unit == "fraction" and 2 <= number < np.inf
    remedy = "use --unit percent or --unit count if that is what predictions are" if other_unit else "correct it"
    return Problem(row, name, f"{number:g}", _expected(unit), remedy)
