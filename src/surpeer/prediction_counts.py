"""What there is to say of many predictions, counted: the counts of parts of a table add up to those of the whole.

So a table that is read in parts has the same notes as one that is read at once. What cannot be told from a part alone,
in which unit predictions are, is settled by the first part; the counts of all say whether that was right.
"""

from dataclasses import dataclass, field, replace

from surpeer.errors import Problem, counted, listed
from surpeer.prediction_units import NORMALISED, SumCounts, Usual

LISTED = 20  # rows whose predictions are left out

PERHAPS_COUNTS = "correct them, or use --unit count if they are numbers of imagined reviewers"
LEAVE_OUT = "correct them, leave all empty, or add --drop-bad-predictions to count ratings alone"


@dataclass(frozen=True, slots=True)
class Settled:
    """In which unit predictions are, once some have been looked at."""

    asked: str
    unit: str
    """Per cent where fractions were asked for and all numbers have per cent signs."""
    usual: Usual | None = None
    """With the unit `auto`."""


@dataclass(frozen=True, slots=True)
class Sums:
    """How many predictions have a sum that is worth a note, and from where to where these sums go."""

    count: int = 0
    low: float = float("inf")
    high: float = float("-inf")

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(self.count + other.count, min(self.low, other.low), max(self.high, other.high))

    def __str__(self) -> str:
        low, high = f"{self.low:.6g}", f"{self.high:.6g}"
        return f"{counted(self.count, 'prediction')} summing to {low if low == high else f'{low} ... {high}'}"


@dataclass(frozen=True, slots=True)
class PredictionCounts:
    """Counts of the predictions of some rows."""

    settled: Settled
    largest: float = 0.0
    """Of all numbers, in per cent."""
    signed: int = 0
    """Numbers with a per cent sign, where fractions were asked for."""
    plain: int = 0
    """Numbers without, but for zeros."""
    zero: int = 0
    """Rows whose empty cells can only be 0."""
    last: int = 0
    """Rows with one empty cell, which is what the others leave."""
    incomplete: int = 0
    right: int = 0
    """Complete rows that sum to what they should."""
    rounded: Sums = field(default_factory=Sums)
    normalised: Sums = field(default_factory=Sums)
    totals: frozenset[float] = frozenset()
    """What rows should sum to."""
    percent: int = 0
    fractions: int = 0
    sums: SumCounts = field(default_factory=SumCounts)
    dropped: int = 0
    dropped_rows: tuple[int, ...] = ()
    """The first of them."""

    def __add__(self, other: "PredictionCounts") -> "PredictionCounts":
        numbers = ("signed", "plain", "zero", "last", "incomplete", "right", "percent", "fractions", "dropped")
        return replace(
            self,
            **{name: getattr(self, name) + getattr(other, name) for name in numbers},
            largest=max(self.largest, other.largest),
            rounded=self.rounded + other.rounded,
            normalised=self.normalised + other.normalised,
            totals=self.totals | other.totals,
            sums=self.sums + other.sums,
            dropped_rows=(*self.dropped_rows, *other.dropped_rows)[: LISTED + 1],
        )

    def notes(self, with_rows: bool = True) -> list[str]:
        """What a user should know; with the numbers of rows, unless rows of several files have the same."""
        notes = []
        if self.settled.unit != self.settled.asked:
            notes.append("predictions have % signs and are read as percentages")
        if self.settled.unit == "percent" and 0 < self.largest <= 1:  # and no sum is there to prove it
            notes.append("no prediction is above 1 percent: use --unit fraction if they are fractions")
        return [
            *notes,
            *self._unit_notes(),
            *self._partial_notes(),
            *self._sum_notes(),
            *self._dropped_notes(with_rows),
        ]

    def problems(self, columns: str) -> list[Problem]:
        """What the whole table says of the unit, where that is something else than what its first part said."""
        settled = self.settled
        by_signs = unit_by_signs(self.signed, self.plain) if settled.asked == "fraction" else settled.unit
        remedy = "use --unit percent if all are percentages, or --unit auto if each row says by its sum what it is"
        if by_signs is None or (by_signs != settled.unit and self.plain):
            both = f"{counted(self.signed, 'number')} with a % sign and {self.plain:,} without"
            return [Problem(None, columns, both, "all predictions written in one way", remedy)]
        if by_signs != settled.unit:
            below = "numbers with % signs, but none in the first rows"
            return [Problem(None, columns, below, "all predictions written in one way", remedy)]
        usual = self.sums.usual
        if settled.usual is None or usual == settled.usual or not self.sums.relying:
            return []
        other = f"predictions that are {settled.usual.name} by the first rows, and {usual.name} by all"
        return [Problem(None, columns, other, "one and the same", "use --unit fraction, percent or count")]

    def _unit_notes(self) -> list[str]:
        usual = self.settled.usual
        if usual is None:
            return []
        if usual.imagined:
            return [f"predictions are read as {usual.name}, because most sum to {usual.total:g}"]
        if self.percent and self.fractions:
            percent = counted(self.percent, "prediction")
            return [f"{percent} read as percentages and {self.fractions:,} as fractions, by their sums"]
        some = self.percent or self.fractions
        return [f"predictions are read as {'percentages' if self.percent else 'fractions'}"] if some else []

    def _partial_notes(self) -> list[str]:
        notes, whole = [], f"{min(self.totals):g}" if len(self.totals) == 1 else "the whole"
        if self.zero:
            notes.append(f"{_leaving(self.zero)} levels empty that can only be 0: the others sum to {whole}")
        if self.last:
            notes.append(f"{_leaving(self.last)} one level empty, which is what the others leave of {whole}")
        if self.incomplete:
            notes.append(
                f"{_leaving(self.incomplete)} some levels empty: the method venue uses what is given, "
                "other methods leave such predictions out"
            )
        return notes

    def _sum_notes(self) -> list[str]:
        notes = [f"{self.rounded} taken as written"] if self.rounded.count else []
        if self.normalised.count:
            how = f"(--normalise: up to {NORMALISED:.0%} off)"
            notes.append(f"{self.normalised} scaled to the whole, as asked {how}")
        return notes

    def _dropped_notes(self, with_rows: bool) -> list[str]:
        if not self.dropped:
            return []
        named = f": rows {listed(map(str, self.dropped_rows), LISTED)}" if with_rows else ""
        return [f"{counted(self.dropped, 'prediction')} that cannot be used left out, as asked{named}"]


def unit_by_signs(signed: int, plain: int) -> str | None:
    """The unit, where fractions are asked for, of numbers so many of which have per cent signs; None if none fits."""
    if signed and not plain:
        return "percent"
    return "fraction" if signed <= plain else None


def with_remedy(problem: Problem, counts: PredictionCounts) -> Problem:
    """The problem of a part of a table, as the whole table has it: counts are thought of only where no prediction has
    the right sum."""
    return replace(problem, remedy=LEAVE_OUT) if problem.remedy == PERHAPS_COUNTS and counts.right else problem


def _leaving(count: int) -> str:
    return f"{counted(count, 'prediction')} {'leaves' if count == 1 else 'leave'}"
