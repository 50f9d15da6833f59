"""The predictions of one review: numbers in a row -> shares of one, or a problem for every row that cannot be used.

An empty cell is a share that was not predicted, and stays NaN, unless the other cells of its row say what it is:

    they sum to one                  then the empty ones can only be 0
    it is the only one in its row    then it is what they leave of one

Both are counted in a note, and so are the rows that stay incomplete.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from surpeer.columns import PREDICTION, SHARE_PREFIX, Layout
from surpeer.core.fixed_point import FINE, decimal_complement, nearest_decimal
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import Problem, counted
from surpeer.prediction_cells import LARGEST, ROUNDING, prediction_columns, read_prediction_cells

# Three shares of a third, typed as 0.333 or 33.3 %, sum to 0.999. Such a prediction is taken as it was written; one
# that is further off is a mistake.
SUM_TOLERANCE = 1e-3


def read_predictions(
    frame: pl.DataFrame, layout: Layout, unit: str, rows: IntArray
) -> tuple[FloatArray, list[Problem], list[str]]:
    """(n, K) predicted shares with NaN where there is none, problems, and notes."""
    unit_problems = _unit_problems(layout, unit)
    if unit_problems or not prediction_columns(layout):
        return np.full((len(frame), len(layout.scale)), np.nan), unit_problems, []
    with np.errstate(invalid="ignore", over="ignore"):  # numbers far out of range are reported as what they are
        cells, problems = read_prediction_cells(frame, layout, unit, rows)
        notes = _small_percentages(cells, unit)
        if layout.top_share and layout.scale.is_binary:
            return _from_top_share(cells[:, 1], unit), problems, notes
        usable = np.ones(len(frame), dtype=np.bool_)
        usable[np.searchsorted(rows, [problem.row for problem in problems if problem.row is not None])] = False
        shares, row_problems, row_notes = _read_rows(cells, usable, layout, unit, rows)
        return shares, problems + row_problems, notes + row_notes


def _read_rows(
    cells: FloatArray, usable: BoolArray, layout: Layout, unit: str, rows: IntArray
) -> tuple[FloatArray, list[Problem], list[str]]:
    """Shares, problems and notes of the rows in which every cell by itself is sound."""
    columns = _span(prediction_columns(layout))
    sums = cells.sum(axis=1)  # NaN where a cell is empty
    complete = usable & ~np.isnan(sums)
    partial = _partial_rows(cells, usable & ~complete)
    if unit == "count":
        sum_problems = _uncounted(cells, partial, layout.shares, rows) + _no_one(sums, complete, rows, columns)
        with np.errstate(divide="ignore"):
            return np.asarray(cells / sums[:, None]), sum_problems, []
    zero, last, over = _fill_zeros(cells, sums, partial, LARGEST[unit])
    complete[zero] = True
    problems = [_over(int(rows[at]), float(np.nansum(cells[at])), columns, LARGEST[unit]) for at in over]
    sum_problems, sum_notes = _check_sums(sums, complete, unit, rows, columns)
    shares = cells if unit == "fraction" else nearest_decimal(cells, 100)
    if len(last):
        shares[last] = np.where(np.isnan(shares[last]), _rest(shares[last])[:, None], shares[last])
    notes = _partial_notes(len(zero), len(last), len(partial) - len(zero) - len(last), LARGEST[unit])
    return shares, problems + sum_problems, notes + sum_notes


def _from_top_share(top: FloatArray, unit: str) -> FloatArray:
    """(n, 2) shares from that of the higher of two levels."""
    shares = top if unit == "fraction" else nearest_decimal(top, 100)
    return np.stack([np.maximum(decimal_complement(shares), 0.0), shares], axis=1)


def _unit_problems(layout: Layout, unit: str) -> list[Problem]:
    """What keeps us from turning counts into shares."""
    if unit != "count":
        return []
    if layout.top_share:
        remedy = "give a count for each level, or use another unit"
        return [Problem(None, PREDICTION, "the unit count", "p_<level> columns", remedy)]
    missing = [SHARE_PREFIX + level for level in layout.scale.levels if SHARE_PREFIX + level not in layout.shares]
    if not layout.shares or not missing:
        return []
    remedy = "add the columns, or use another unit: shares can only be worked out from the counts of all levels"
    return [Problem(None, None, f"the unit count and no column {_span(missing)}", "a count for every level", remedy)]


def _small_percentages(cells: FloatArray, unit: str) -> list[str]:
    """A note where percentages look like fractions and no sum is there to prove it."""
    if unit != "percent" or not 0 < np.nanmax(cells, initial=0.0) <= 1:
        return []
    return ["no prediction is above 1 percent: use --unit fraction if they are fractions"]


def _partial_rows(cells: FloatArray, candidates: BoolArray) -> IntArray:
    """Positions of the rows, among these, that have some cell."""
    chosen = np.flatnonzero(candidates)
    return chosen[~np.isnan(cells[chosen]).all(axis=1)] if len(chosen) else chosen


def _fill_zeros(
    cells: FloatArray, sums: FloatArray, partial: IntArray, total: float
) -> tuple[IntArray, IntArray, IntArray]:
    """Write zeros, and the sum, where the cells of a partly empty row already sum to the total.

    Returns the positions of the rows that were filled, that have one cell left to fill, and that sum to more.
    """
    empty = np.isnan(cells[partial])
    sum_of_given = np.nansum(cells[partial], axis=1)
    given = (~empty).sum(axis=1)
    over = sum_of_given > total * (1 + SUM_TOLERANCE * (1 + ROUNDING))
    tolerance = np.where(given > 1, SUM_TOLERANCE, 0.0)  # one number alone has no sum that rounding could put off
    zero = ~over & (sum_of_given >= total * (1 - tolerance * (1 + ROUNDING)))
    last = ~over & ~zero & (empty.sum(axis=1) == 1)
    rows = partial[zero]
    cells[rows] = np.where(empty[zero], 0.0, cells[rows])
    sums[rows] = sum_of_given[zero]
    return rows, partial[last], partial[over]


def _rest(shares: FloatArray) -> FloatArray:
    """(n,) what the shares of a row leave of one, as the float nearest to the exact difference of decimals."""
    given = np.where(np.isnan(shares), 0.0, shares)
    units = np.rint(given * FINE)
    total = np.where((units / FINE == given).all(axis=1), units.sum(axis=1) / FINE, given.sum(axis=1))
    return np.maximum(decimal_complement(total), 0.0)


def _partial_notes(zero: int, last: int, incomplete: int, total: float) -> list[str]:
    notes = []
    if zero:
        notes.append(f"{_leaving(zero)} levels empty that can only be 0: the others sum to {total:g}")
    if last:
        notes.append(f"{_leaving(last)} one level empty, which is what the others leave of {total:g}")
    if incomplete:
        notes.append(
            f"{_leaving(incomplete)} some levels empty: the method venue uses what is given, "
            "the paper's methods leave such predictions out"
        )
    return notes


def _leaving(count: int) -> str:
    return f"{counted(count, 'prediction')} {'leaves' if count == 1 else 'leave'}"


def _uncounted(cells: FloatArray, partial: IntArray, columns: tuple[str, ...], rows: IntArray) -> list[Problem]:
    """A problem for every review that counts some levels and not others."""
    return [
        Problem(
            int(rows[at]),
            ", ".join(name for name, is_empty in zip(columns, np.isnan(cells[at]), strict=True) if is_empty),
            "an empty cell beside counts for other levels",
            "a count for every level or for none",
            "write 0 where no reviewer is imagined, or use another unit",
        )
        for at in partial
    ]


def _over(row: int, found: float, columns: str, total: float) -> Problem:
    remedy = "correct them, or leave all empty to count the rating alone"
    with_empty = f"predictions that sum to {found:.6g} with some levels left empty"
    return Problem(row, columns, with_empty, f"at most {total:g}", remedy)


def _span(columns: Sequence[str]) -> str:
    """The columns of one prediction, for a message."""
    return ", ".join(columns) if len(columns) <= 3 else f"{columns[0]} ... {columns[-1]}"


def _no_one(sums: FloatArray, complete: BoolArray, rows: IntArray, columns: str) -> list[Problem]:
    return [
        Problem(int(rows[at]), columns, "no imagined reviewer at all", "at least one", "leave the cells empty instead")
        for at in np.flatnonzero(complete & (sums == 0))
    ]


def _check_sums(
    sums: FloatArray, complete: BoolArray, unit: str, rows: IntArray, columns: str
) -> tuple[list[Problem], list[str]]:
    total = LARGEST[unit]
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
