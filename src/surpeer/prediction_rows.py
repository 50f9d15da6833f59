"""The predictions of one review: numbers in a row -> shares of one, or a problem for every row that cannot be used.

An empty cell is a share that was not predicted, and stays NaN, unless the other cells of its row say what it is:

    they sum to one                  then the empty ones can only be 0
    it is the only one in its row    then it is what they leave of one

Both are counted in a note, and so are the rows that stay incomplete.
"""

from dataclasses import replace

import numpy as np
import polars as pl

from surpeer.columns import PREDICTION, SHARE_PREFIX, Layout
from surpeer.core.fixed_point import FINE, decimal_complement
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import Problem
from surpeer.plain_predictions import read_plain_predictions
from surpeer.prediction_cells import ROUNDING, count_signs, prediction_columns, read_prediction_cells, span
from surpeer.prediction_counts import LISTED, PredictionCounts, Settled, unit_by_signs
from surpeer.prediction_sums import no_one, over_top, over_whole, sums_of, uncounted, wrong_sum_slips, wrong_sums
from surpeer.prediction_units import NORMALISED, SUM_TOLERANCE, SumCounts, Units, find_units
from surpeer.slips import Slips


def settle(frame: pl.DataFrame, layout: Layout, unit: str) -> tuple[Settled, list[Problem]]:
    """The unit, as these rows have it, and what keeps us from telling; with `auto` it needs their sums, too."""
    signs = count_signs(frame, layout) if unit == "fraction" else None
    if signs is None:
        return Settled(unit, unit), []
    counts = PredictionCounts(Settled(unit, unit_by_signs(*signs) or unit), signed=signs[0], plain=signs[1])
    return counts.settled, counts.problems(span(prediction_columns(layout)))


def read_predictions(
    frame: pl.DataFrame,
    layout: Layout,
    settled: Settled,
    rows: IntArray,
    normalise: bool = False,
    drop_bad: bool = False,
) -> tuple[FloatArray, list[Slips], PredictionCounts]:
    """(n, K) predicted shares with NaN where there is none, problems, and what there is to say.

    normalise : whether sums that are nearly right are scaled; drop_bad : whether rows with problems have no prediction
    instead, both counted
    """
    plain = read_plain_predictions(frame, layout, settled)
    if plain is not None:
        return plain[0], [], plain[1]
    if not prediction_columns(layout):
        return np.full((len(frame), len(layout.scale)), np.nan, order="F"), [], PredictionCounts(settled)
    with np.errstate(invalid="ignore", over="ignore"):  # numbers far out of range are reported as what they are
        shares, slips, counts = _read(frame, layout, settled, rows, normalise)
    if not drop_bad or not slips:
        return shares, slips, counts
    bad = np.unique(np.concatenate([some.at for some in slips]))
    shares = shares.copy()
    shares[bad] = np.nan
    first_rows = tuple(rows[bad[: LISTED + 1]].tolist())
    return shares, [], replace(counts, dropped=len(bad), dropped_rows=first_rows)


def unreadable_predictions(frame: pl.DataFrame, layout: Layout, rows: IntArray) -> list[Slips]:
    """The cells that are no numbers in any unit, where it is not known in which unit they are."""
    with np.errstate(invalid="ignore", over="ignore"):
        return read_prediction_cells(frame, layout, "auto", rows)[2] if prediction_columns(layout) else []


def _read(
    frame: pl.DataFrame, layout: Layout, settled: Settled, rows: IntArray, normalise: bool
) -> tuple[FloatArray, list[Slips], PredictionCounts]:
    cells, signs, slips = read_prediction_cells(frame, layout, settled.unit, rows)
    usable = np.ones(len(frame), dtype=np.bool_)
    for some in slips:
        usable[some.at] = False
    units, sums = find_units(cells, signs, usable, settled.unit, settled.usual)
    counts = _first_counts(frame, layout, settled, cells, sums)
    if settled.unit == "auto":
        totals = units.total[usable & ~np.isnan(cells).all(axis=1)]
        percent = int((totals == 100).sum())
        counts = replace(counts, percent=percent, fractions=len(totals) - percent)
    counts = replace(counts, totals=frozenset(np.unique(units.total).tolist()))
    if layout.top_share and layout.scale.is_binary:
        too_much = over_top(cells[:, 1], units, usable, rows)
        return _from_top_share(units.shares(cells[:, 1:])[:, 0]), slips + too_much, counts
    shares, row_slips, counts = _read_rows(cells, usable, layout, units, rows, normalise, counts)
    return shares, slips + row_slips, counts


def _first_counts(
    frame: pl.DataFrame, layout: Layout, settled: Settled, cells: FloatArray, sums: SumCounts
) -> PredictionCounts:
    """What there is to say of the numbers, before anybody looks at their sums."""
    if settled.unit == "auto":
        return PredictionCounts(replace(settled, usual=settled.usual or sums.usual), sums=sums)
    largest = float(np.nanmax(cells, initial=0.0)) if settled.unit == "percent" else 0.0
    if settled.asked != "fraction" or layout.distribution:
        return PredictionCounts(settled, largest)
    signed, plain = count_signs(frame, layout) or (0, int(np.count_nonzero(np.nan_to_num(cells))))
    return PredictionCounts(settled, largest, signed, plain)


def _read_rows(
    cells: FloatArray,
    usable: BoolArray,
    layout: Layout,
    units: Units,
    rows: IntArray,
    normalise: bool,
    counts: PredictionCounts,
) -> tuple[FloatArray, list[Slips], PredictionCounts]:
    """Shares, problems and counts of the rows in which every cell by itself is sound."""
    columns = span(prediction_columns(layout))
    sums = cells.sum(axis=1)  # NaN where a cell is empty
    complete = usable & ~np.isnan(sums)
    partial = _partial_rows(cells, usable & ~complete)
    if units.count:
        slips = uncounted(cells, partial, layout.shares or (columns,) * cells.shape[1], rows)
        slips += no_one(sums, complete, rows, columns)
        with np.errstate(divide="ignore"):
            return np.asarray(cells / sums[:, None]), slips, counts
    zero, last, over = _fill_zeros(cells, sums, partial, units.total[partial])
    complete[zero] = True
    slips = over_whole(cells, over, columns, units.total, rows)
    wrong, rounded = wrong_sums(sums, complete, units)
    shares = units.shares(cells)
    scaled = wrong[:0]
    if normalise and len(wrong):
        off = np.abs(sums[wrong] / units.total[wrong] - 1)
        scaled = wrong[off <= NORMALISED * (1 + ROUNDING)]
        shares[scaled] = cells[scaled] / sums[scaled, None]
        wrong = np.setdiff1d(wrong, scaled)
    right = int(complete.sum()) - len(wrong)
    slips += wrong_sum_slips(sums, wrong, columns, units, rows, right > 0)
    if len(last):
        shares[last] = np.where(np.isnan(shares[last]), _rest(shares[last])[:, None], shares[last])
    incomplete = len(partial) - len(zero) - len(last)
    return (
        shares,
        slips,
        replace(
            counts,
            zero=len(zero),
            last=len(last),
            incomplete=incomplete,
            right=right,
            rounded=sums_of(sums[rounded]),
            normalised=sums_of(sums[scaled]),
        ),
    )


def _from_top_share(shares: FloatArray) -> FloatArray:
    """(n, 2) shares from that of the higher of two levels."""
    return np.stack([np.maximum(decimal_complement(shares), 0.0), shares], axis=1)


def unit_problems(layout: Layout, unit: str) -> list[Problem]:
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
