"""How the numbers of predictions are meant: as fractions of one, as percentages, or as counts of imagined reviewers.

With the unit `auto` each row says so itself, by its sum or its per cent signs:

    it sums to 1                         fractions
    it sums to 100, or has a % sign      percentages
    most rows are whole numbers that     other rows are counts of that many imagined reviewers
    sum to the same other number

Any other sum is a mistake. A row that leaves levels empty, or gives one number only, is read as most others are; where
there are no others, as percentages if any number is above 1.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from surpeer.core.fixed_point import nearest_decimal
from surpeer.core.shapes import BoolArray, FloatArray

# Three shares of a third, typed as 0.333 or 33.3 %, sum to 0.999. Such a prediction is taken as it was written; one
# that is further off is a mistake.
SUM_TOLERANCE = 1e-3

# How far off a sum may be for `--normalise` to scale it: a slip of ten points in a hundred.
NORMALISED = 0.1

MOST_SUMS = 10_000  # different sums of whole numbers that are counted

UNITS = ("fraction", "percent", "count", "auto")


@dataclass(frozen=True, slots=True)
class Usual:
    """With the unit `auto`: what the numbers of a row are parts of that does not say so itself."""

    total: float = 1.0
    imagined: bool = False
    """Whether that is a number of imagined reviewers."""

    @property
    def name(self) -> str:
        """For a message."""
        if self.imagined:
            return f"counts of {self.total:g} imagined reviewers"
        return "percentages" if self.total == 100 else "fractions"


@dataclass(frozen=True, slots=True)
class SumCounts:
    """With the unit `auto`: what the sums of rows say. The counts of parts of a table add up to those of all of it."""

    complete: int = 0
    hundred: int = 0
    one: int = 0
    largest: float = 0.0
    """Of all numbers."""
    imagined: tuple[tuple[float, int], ...] = ()
    """Sums of rows of whole numbers that may be of imagined reviewers, and how many rows have each."""
    relying: int = 0
    """Rows that do not say themselves what they are parts of."""

    def __add__(self, other: "SumCounts") -> "SumCounts":
        imagined = (Counter(dict(self.imagined)) + Counter(dict(other.imagined))).most_common(MOST_SUMS)
        return SumCounts(
            self.complete + other.complete,
            self.hundred + other.hundred,
            self.one + other.one,
            max(self.largest, other.largest),
            tuple(imagined),
            self.relying + other.relying,
        )

    @property
    def usual(self) -> Usual:
        """What most rows say."""
        total, times = max(self.imagined, key=lambda pair: pair[1], default=(0.0, 0))
        if times >= 2 and times * 2 > self.complete:
            return Usual(total, imagined=True)
        percent = self.hundred > self.one if self.hundred or self.one else self.largest > 1
        return Usual(100.0 if percent else 1.0)


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

    def shares(self, cells: FloatArray) -> FloatArray:
        """(n, any) the cells as shares of one."""
        shares = cells
        for total in np.unique(self.total[self.total != 1]):
            of_total = nearest_decimal(cells, 100) if total == 100 else cells / total
            shares = np.where((self.total == total)[:, None], of_total, shares)
        return shares

    def expected(self, at: int) -> str:
        """What this row should sum to, for a message."""
        if self.name != "auto":
            return f"{self.total[at]:g}"
        if self.signs is not None and self.signs[at]:
            return "100, because of the % signs"
        return "1 or 100" if self.total[at] in (1, 100) else f"{self.total[at]:g}, as most others do"


def find_units(
    cells: FloatArray, signs: BoolArray, usable: BoolArray, unit: str, usual: Usual | None = None
) -> tuple[Units, SumCounts]:
    """The unit that was asked for, or with `auto` what the rows themselves say; and what they say.

    cells : (n, K) numbers, NaN where there are none; signs : (n,) whether a row has per cent signs
    usual : for rows that do not say so themselves; by default as most of these rows are
    """
    if unit != "auto":
        return Units(unit, np.full(len(cells), 100.0 if unit == "percent" else 1.0), unit == "count"), SumCounts()
    sums = cells.sum(axis=1)
    complete = usable & ~np.isnan(sums)
    hundred = complete & (signs | _is_near(sums, 100))
    one = complete & ~hundred & _is_near(sums, 1)
    filled = usable & ~np.isnan(cells).all(axis=1)
    counts = SumCounts(
        int(complete.sum()),
        int(hundred.sum()),
        int(one.sum()),
        float(np.nanmax(cells, initial=0.0)),
        _imagined_reviewers(cells[complete & ~signs]),
        int((filled & ~hundred & ~one & ~signs).sum()),
    )
    usual = usual or counts.usual
    if usual.imagined:
        return Units(unit, np.select([hundred | signs, one], [100.0, 1.0], usual.total), signs=signs), counts
    total = np.full(len(cells), usual.total)
    total[hundred | signs] = 100.0
    total[one] = 1.0
    wrong = complete & ~hundred & ~one  # measured against the total that it is nearest to
    total[wrong] = np.where(sums[wrong] > 10, 100.0, 1.0)
    return Units(unit, total, signs=signs), counts


def _is_near(sums: FloatArray, total: float) -> BoolArray:
    return np.abs(sums - total) <= total * SUM_TOLERANCE * (1 + 1e-6)


def _imagined_reviewers(cells: FloatArray) -> tuple[tuple[float, int], ...]:
    """Of how many reviewers rows may be counts, and how many rows of each; not what may be 100 with a slip.

    cells : of the rows without per cent signs that have a sum
    """
    whole = cells[(cells == np.rint(cells)).all(axis=1)]
    totals, times = np.unique(whole.sum(axis=1), return_counts=True)
    possible = (totals >= 2) & (np.abs(totals - 100) > 100 * NORMALISED)
    pairs = zip(totals[possible].tolist(), times[possible].tolist(), strict=True)
    return tuple(Counter(dict(pairs)).most_common(MOST_SUMS))
