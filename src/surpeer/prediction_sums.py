"""What is wrong with the sums of predictions: a problem for every row that is not what its unit says."""

import numpy as np

from surpeer.columns import PREDICTION
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import Problem
from surpeer.prediction_cells import ROUNDING
from surpeer.prediction_counts import LEAVE_OUT, PERHAPS_COUNTS, Sums
from surpeer.prediction_units import NORMALISED, SUM_TOLERANCE, Units
from surpeer.slips import Slips


def over_top(top: FloatArray, units: Units, usable: BoolArray, rows: IntArray) -> list[Slips]:
    """A problem for every share of the higher level above the whole; where the unit is given, its range says so."""
    over = np.flatnonzero(usable & (top > units.total * (1 + ROUNDING)))

    def describe(index: int) -> Problem:
        at = over[index]
        return Problem(int(rows[at]), PREDICTION, f"{top[at]:g}", f"at most {units.total[at]:g}", "correct it")

    return [Slips(over, describe)] if len(over) else []


def uncounted(cells: FloatArray, partial: IntArray, columns: tuple[str, ...], rows: IntArray) -> list[Slips]:
    """A problem for every review that counts some levels and not others."""

    def describe(index: int) -> Problem:
        at = partial[index]
        empty = dict.fromkeys(name for name, no in zip(columns, np.isnan(cells[at]), strict=True) if no)
        return Problem(
            int(rows[at]),
            ", ".join(empty),
            "an empty cell beside counts for other levels",
            "a count for every level or for none",
            "write 0 where no reviewer is imagined, or use another unit",
        )

    return [Slips(partial, describe)] if len(partial) else []


def over_whole(cells: FloatArray, over: IntArray, columns: str, total: FloatArray, rows: IntArray) -> list[Slips]:
    """A problem for every row that is over the whole though some levels are left empty."""

    def describe(index: int) -> Problem:
        at = over[index]
        too_much = f"predictions that sum to {np.nansum(cells[at]):.6g} with some levels left empty"
        return Problem(int(rows[at]), columns, too_much, f"at most {total[at]:g}", LEAVE_OUT)

    return [Slips(over, describe)] if len(over) else []


def no_one(sums: FloatArray, complete: BoolArray, rows: IntArray, columns: str) -> list[Slips]:
    """A problem for every row of counts that are all 0."""
    none = np.flatnonzero(complete & (sums == 0))

    def describe(index: int) -> Problem:
        row = int(rows[none[index]])
        return Problem(row, columns, "no imagined reviewer at all", "at least one", "leave the cells empty instead")

    return [Slips(none, describe)] if len(none) else []


def wrong_sums(sums: FloatArray, complete: BoolArray, units: Units) -> tuple[IntArray, IntArray]:
    """Positions of the complete rows whose sum is too far off, and of those that are off by rounding."""
    error = np.abs(sums - units.total) / units.total
    off = complete & (error > ROUNDING)
    wrong = off & (error > SUM_TOLERANCE * (1 + ROUNDING))
    return np.flatnonzero(wrong), np.flatnonzero(off & ~wrong)


def sums_of(sums: FloatArray) -> Sums:
    """How many these are, and from where to where they go."""
    return Sums(len(sums), float(sums.min()), float(sums.max())) if len(sums) else Sums()


def wrong_sum_slips(
    sums: FloatArray, wrong: IntArray, columns: str, units: Units, rows: IntArray, any_right: bool
) -> list[Slips]:
    """A problem for every row whose sum is too far off."""

    def describe(index: int) -> Problem:
        at = int(wrong[index])
        remedy = _sum_remedy(float(sums[at]), units, at, any_right)
        wrong_sum = f"predictions that sum to {sums[at]:.6g}"
        return Problem(int(rows[at]), columns, wrong_sum, units.expected(at), remedy)

    return [Slips(wrong, describe)] if len(wrong) else []


def _sum_remedy(total: float, units: Units, at: int, any_right: bool) -> str:
    """What to do about a sum; counts are thought of only where no other prediction has the right one."""
    if units.name == "percent" and abs(total - 1) <= SUM_TOLERANCE:
        return "use --unit fraction if predictions are fractions"
    if units.signs is not None and units.signs[at] and abs(total - 1) <= SUM_TOLERANCE:
        return "leave the % signs out if they are fractions"
    if abs(total / units.total[at] - 1) <= NORMALISED * (1 + ROUNDING):
        return f"correct them, or add --normalise, which scales what is up to {NORMALISED:.0%} off"
    if units.name != "fraction" and total == round(total) and not any_right:
        return PERHAPS_COUNTS
    return LEAVE_OUT
