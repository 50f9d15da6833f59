"""The predictions of one review: numbers in a row -> shares of one, or a problem for every row that cannot be used.

An empty cell is a share that was not predicted, and stays NaN, unless the other cells of its row say what it is:

    they sum to one                  then the empty ones can only be 0
    it is the only one in its row    then it is what they leave of one

Both are counted in a note, and so are the rows that stay incomplete.
"""

import numpy as np
import polars as pl

from surpeer.columns import PREDICTION, SHARE_PREFIX, Layout
from surpeer.core.fixed_point import FINE, decimal_complement
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import Problem, counted, listed
from surpeer.prediction_cells import ROUNDING, prediction_columns, read_prediction_cells, settled_unit, span
from surpeer.prediction_units import NORMALISED, SUM_TOLERANCE, Units, find_units

LISTED = 20


def read_predictions(
    frame: pl.DataFrame, layout: Layout, unit: str, rows: IntArray, normalise: bool = False, drop_bad: bool = False
) -> tuple[FloatArray, list[Problem], list[str]]:
    """(n, K) predicted shares with NaN where there is none, problems, and notes.

    normalise : whether sums that are nearly right are scaled; drop_bad : whether rows with problems have no prediction
    instead, both counted in a note
    """
    shares, problems, notes = _read(frame, layout, unit, rows, normalise)
    bad = sorted({problem.row for problem in problems if problem.row is not None})
    if not drop_bad or not bad:
        return shares, problems, notes
    shares = shares.copy()
    shares[np.searchsorted(rows, bad)] = np.nan
    named = listed(map(str, bad), LISTED)
    notes.append(f"{counted(len(bad), 'prediction')} that cannot be used left out, as asked: rows {named}")
    return shares, [problem for problem in problems if problem.row is None], notes


def _read(
    frame: pl.DataFrame, layout: Layout, unit: str, rows: IntArray, normalise: bool
) -> tuple[FloatArray, list[Problem], list[str]]:
    unit_problems = _unit_problems(layout, unit)
    if unit_problems or not prediction_columns(layout):
        return np.full((len(frame), len(layout.scale)), np.nan), unit_problems, []
    with np.errstate(invalid="ignore", over="ignore"):  # numbers far out of range are reported as what they are
        unit, unit_problems, unit_notes = settled_unit(frame, layout, unit)
        if unit_problems:  # what numbers are parts of must be known before their sums say anything
            unreadable = read_prediction_cells(frame, layout, "auto", rows)[2]
            return np.full((len(frame), len(layout.scale)), np.nan), unit_problems + unreadable, []
        cells, signs, problems = read_prediction_cells(frame, layout, unit, rows)
        usable = np.ones(len(frame), dtype=np.bool_)
        usable[np.searchsorted(rows, [problem.row for problem in problems if problem.row is not None])] = False
        units = find_units(cells, signs, usable, unit)
        notes = [*unit_notes, *_small_percentages(cells, unit), *units.notes]
        if layout.top_share and layout.scale.is_binary:
            over = _over_top(cells[:, 1], units, usable, rows)
            return _from_top_share(units.shares(cells[:, 1:])[:, 0]), problems + over, notes
        shares, row_problems, row_notes = _read_rows(cells, usable, layout, units, rows, normalise)
        return shares, problems + row_problems, notes + row_notes


def _read_rows(
    cells: FloatArray, usable: BoolArray, layout: Layout, units: Units, rows: IntArray, normalise: bool
) -> tuple[FloatArray, list[Problem], list[str]]:
    """Shares, problems and notes of the rows in which every cell by itself is sound."""
    columns = span(prediction_columns(layout))
    sums = cells.sum(axis=1)  # NaN where a cell is empty
    complete = usable & ~np.isnan(sums)
    partial = _partial_rows(cells, usable & ~complete)
    if units.count:
        sum_problems = _uncounted(cells, partial, layout.shares or (columns,) * cells.shape[1], rows)
        sum_problems += _no_one(sums, complete, rows, columns)
        with np.errstate(divide="ignore"):
            return np.asarray(cells / sums[:, None]), sum_problems, []
    zero, last, over = _fill_zeros(cells, sums, partial, units.total[partial])
    complete[zero] = True
    problems = [_over(int(rows[at]), float(np.nansum(cells[at])), columns, units.total[at]) for at in over]
    wrong, sum_notes = _wrong_sums(sums, complete, units)
    shares = units.shares(cells)
    if normalise and len(wrong):
        off = np.abs(sums[wrong] / units.total[wrong] - 1)
        scaled = wrong[off <= NORMALISED * (1 + ROUNDING)]
        shares[scaled] = cells[scaled] / sums[scaled, None]
        sum_notes += _normalised_notes(sums[scaled])
        wrong = np.setdiff1d(wrong, scaled)
    any_right = len(wrong) < int(complete.sum())
    problems += [_wrong_sum(int(rows[at]), float(sums[at]), columns, units, int(at), any_right) for at in wrong]
    if len(last):
        shares[last] = np.where(np.isnan(shares[last]), _rest(shares[last])[:, None], shares[last])
    notes = _partial_notes(len(zero), len(last), len(partial) - len(zero) - len(last), units)
    return shares, problems, notes + sum_notes


def _from_top_share(shares: FloatArray) -> FloatArray:
    """(n, 2) shares from that of the higher of two levels."""
    return np.stack([np.maximum(decimal_complement(shares), 0.0), shares], axis=1)


def _over_top(top: FloatArray, units: Units, usable: BoolArray, rows: IntArray) -> list[Problem]:
    """A problem for every share of the higher level above the whole; where the unit is given, its range says so."""
    over = usable & (top > units.total * (1 + ROUNDING))
    return [
        Problem(int(rows[at]), PREDICTION, f"{top[at]:g}", f"at most {units.total[at]:g}", "correct it")
        for at in np.flatnonzero(over)
    ]


def _unit_problems(layout: Layout, unit: str) -> list[Problem]:
    """What keeps us from turning counts into shares."""
    if unit != "count":
        return []
    if layout.top_share:
        remedy = "give a count for each level, or use another unit"
        return [Problem(None, PREDICTION, "the unit count", "p_<level> columns", remedy)]
    missing = [SHARE_PREFIX + level for level in layout.scale.levels if SHARE_PREFIX + level not in layout.shares]
    if not layout.shares or not missing or layout.distribution:
        return []
    remedy = "add the columns, or use another unit: shares can only be worked out from the counts of all levels"
    return [Problem(None, None, f"the unit count and no column {span(missing)}", "a count for every level", remedy)]


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
    cells: FloatArray, sums: FloatArray, partial: IntArray, total: FloatArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Write zeros, and the sum, where the cells of a partly empty row already sum to its total.

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


def _partial_notes(zero: int, last: int, incomplete: int, units: Units) -> list[str]:
    notes, total = [], units.whole
    if zero:
        notes.append(f"{_leaving(zero)} levels empty that can only be 0: the others sum to {total}")
    if last:
        notes.append(f"{_leaving(last)} one level empty, which is what the others leave of {total}")
    if incomplete:
        notes.append(
            f"{_leaving(incomplete)} some levels empty: the method venue uses what is given, "
            "other methods leave such predictions out"
        )
    return notes


def _leaving(count: int) -> str:
    return f"{counted(count, 'prediction')} {'leaves' if count == 1 else 'leave'}"


def _uncounted(cells: FloatArray, partial: IntArray, columns: tuple[str, ...], rows: IntArray) -> list[Problem]:
    """A problem for every review that counts some levels and not others."""
    return [
        Problem(
            int(rows[at]),
            ", ".join(dict.fromkeys(name for name, no in zip(columns, np.isnan(cells[at]), strict=True) if no)),
            "an empty cell beside counts for other levels",
            "a count for every level or for none",
            "write 0 where no reviewer is imagined, or use another unit",
        )
        for at in partial
    ]


def _over(row: int, found: float, columns: str, total: float) -> Problem:
    remedy = "correct them, leave all empty, or add --drop-bad-predictions to count ratings alone"
    with_empty = f"predictions that sum to {found:.6g} with some levels left empty"
    return Problem(row, columns, with_empty, f"at most {total:g}", remedy)


def _no_one(sums: FloatArray, complete: BoolArray, rows: IntArray, columns: str) -> list[Problem]:
    return [
        Problem(int(rows[at]), columns, "no imagined reviewer at all", "at least one", "leave the cells empty instead")
        for at in np.flatnonzero(complete & (sums == 0))
    ]


def _wrong_sums(sums: FloatArray, complete: BoolArray, units: Units) -> tuple[IntArray, list[str]]:
    """Positions of the complete rows whose sum is too far off, and a note on those that are off by rounding."""
    error = np.abs(sums - units.total) / units.total
    off = complete & (error > ROUNDING)
    if not off.any():
        return np.array([], dtype=np.int64), []
    wrong = off & (error > SUM_TOLERANCE * (1 + ROUNDING))
    rounded = off & ~wrong
    notes = []
    if rounded.any():
        found = f"{counted(int(rounded.sum()), 'prediction')} summing to {_from_to(sums[rounded])}"
        notes = [f"{found} taken as written"]
    return np.flatnonzero(wrong), notes


def _from_to(sums: FloatArray) -> str:
    low, high = f"{sums.min():.6g}", f"{sums.max():.6g}"
    return low if low == high else f"{low} ... {high}"


def _normalised_notes(sums: FloatArray) -> list[str]:
    if not len(sums):
        return []
    found = f"{counted(len(sums), 'prediction')} summing to {_from_to(sums)}"
    return [f"{found} scaled to the whole, as asked (--normalise: up to {NORMALISED:.0%} off)"]


def _wrong_sum(row: int, total: float, columns: str, units: Units, at: int, any_right: bool) -> Problem:
    remedy = _sum_remedy(total, units, at, any_right)
    return Problem(row, columns, f"predictions that sum to {total:.6g}", units.expected(at), remedy)


def _sum_remedy(total: float, units: Units, at: int, any_right: bool) -> str:
    """What to do about a sum; counts are thought of only where no other prediction has the right one."""
    if units.name == "percent" and abs(total - 1) <= SUM_TOLERANCE:
        return "use --unit fraction if predictions are fractions"
    if units.signs is not None and units.signs[at] and abs(total - 1) <= SUM_TOLERANCE:
        return "leave the % signs out if they are fractions"
    if abs(total / units.total[at] - 1) <= NORMALISED * (1 + ROUNDING):
        return f"correct them, or add --normalise, which scales what is up to {NORMALISED:.0%} off"
    if units.name != "fraction" and total == round(total) and not any_right:
        return "correct them, or use --unit count if they are numbers of imagined reviewers"
    return "correct them, leave all empty, or add --drop-bad-predictions to count ratings alone"
