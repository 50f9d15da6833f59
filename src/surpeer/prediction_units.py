"""How the numbers of predictions are meant: as fractions of one, as percentages, or as counts of imagined reviewers.

With the unit `auto` each row says so itself, by its sum or its per cent signs:

    it sums to 1                         fractions
    it sums to 100, or has a % sign      percentages
    most rows are whole numbers that     other rows are counts of that many imagined reviewers
    sum to the same other number

Any other sum is a mistake. A row that leaves levels empty, or gives one number only, is read as most others are; where
there are no others, as percentages if any number is above 1.
"""

from dataclasses import dataclass

import numpy as np

from surpeer.core.fixed_point import nearest_decimal
from surpeer.core.shapes import BoolArray, FloatArray
from surpeer.errors import counted

# Three shares of a third, typed as 0.333 or 33.3 %, sum to 0.999. Such a prediction is taken as it was written; one
# that is further off is a mistake.
SUM_TOLERANCE = 1e-3

# How far off a sum may be for `--normalise` to scale it: a slip of ten points in a hundred.
NORMALISED = 0.1

UNITS = ("fraction", "percent", "count", "auto")


@dataclass(frozen=True, slots=True)
class Units:
    """What the numbers of each row are parts of."""

    name: str
    total: FloatArray
    """(n,) what a row should sum to: 1, 100, or a number of imagined reviewers."""
    count: bool = False
    """Whether the numbers are counts that may sum to anything."""
    signs: BoolArray | None = None
    """(n,) which rows have per cent signs."""
    notes: tuple[str, ...] = ()

    def shares(self, cells: FloatArray) -> FloatArray:
        """(n, any) the cells as shares of one."""
        shares = cells
        for total in np.unique(self.total[self.total != 1]):
            of_total = nearest_decimal(cells, 100) if total == 100 else cells / total
            shares = np.where((self.total == total)[:, None], of_total, shares)
        return shares

    @property
    def whole(self) -> str:
        """What rows should sum to, for a note on several of them."""
        totals = np.unique(self.total)
        return f"{totals[0]:g}" if len(totals) == 1 else "the whole"

    def expected(self, at: int) -> str:
        """What this row should sum to, for a message."""
        if self.name != "auto":
            return f"{self.total[at]:g}"
        if self.signs is not None and self.signs[at]:
            return "100, because of the % signs"
        return "1 or 100" if self.total[at] in (1, 100) else f"{self.total[at]:g}, as most others do"


def find_units(cells: FloatArray, signs: BoolArray, usable: BoolArray, unit: str) -> Units:
    """The unit that was asked for, or with `auto` what the rows themselves say.

    cells : (n, K) numbers, NaN where there are none; signs : (n,) whether a row has per cent signs
    """
    if unit != "auto":
        return Units(unit, np.full(len(cells), 100.0 if unit == "percent" else 1.0), unit == "count")
    sums = cells.sum(axis=1)
    complete = usable & ~np.isnan(sums)
    hundred = complete & (signs | _is_near(sums, 100))
    one = complete & ~hundred & _is_near(sums, 1)
    imagined = _imagined_reviewers(cells[complete & ~signs], sums[complete])
    if imagined is not None:
        total = np.select([hundred | signs, one], [100.0, 1.0], imagined)
        note = f"predictions are read as counts of {imagined:g} imagined reviewers, because most sum to {imagined:g}"
        return Units(unit, total, signs=signs, notes=(note,))
    total = np.full(len(cells), 100.0 if _mostly_percent(cells, int(hundred.sum()), int(one.sum())) else 1.0)
    total[hundred | signs] = 100.0
    total[one] = 1.0
    wrong = complete & ~hundred & ~one  # measured against the total that it is nearest to
    total[wrong] = np.where(sums[wrong] > 10, 100.0, 1.0)
    return Units(unit, total, signs=signs, notes=_notes(total[usable & ~np.isnan(cells).all(axis=1)]))


def _is_near(sums: FloatArray, total: float) -> BoolArray:
    return np.abs(sums - total) <= total * SUM_TOLERANCE * (1 + 1e-6)


def _imagined_reviewers(cells: FloatArray, sums: FloatArray) -> float | None:
    """Of how many reviewers most rows are counts; None if they are not, or if that may be 100 with a slip.

    cells : of the rows without per cent signs; sums : of all rows that have a sum
    """
    whole = cells[(cells == np.rint(cells)).all(axis=1)]
    totals, times = np.unique(whole.sum(axis=1), return_counts=True)
    if len(totals) == 0 or times.max() < 2 or times.max() * 2 <= len(sums):
        return None
    total = float(totals[times.argmax()])
    return total if total >= 2 and abs(total - 100) > 100 * NORMALISED else None


def _mostly_percent(cells: FloatArray, hundred: int, one: int) -> bool:
    return hundred > one if hundred or one else bool(np.nanmax(cells, initial=0.0) > 1)


def _notes(total: FloatArray) -> tuple[str, ...]:
    percent = int((total == 100).sum())
    fractions = len(total) - percent
    if percent and fractions:
        return (f"{counted(percent, 'prediction')} read as percentages and {fractions:,} as fractions, by their sums",)
    return (f"predictions are read as {'percentages' if percent else 'fractions'}",) if len(total) else ()
