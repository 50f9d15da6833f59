"""Checked reviews on a cluster -> sums by paper, and what a method learns from them."""

from collections.abc import Iterator
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from surpeer.checked_rows import CheckedRows, RowCounts
from surpeer.columns import EXPECTED, PAPER, TRACK
from surpeer.engines.learning import learn
from surpeer.engines.reading import with_named_tracks
from surpeer.engines.rows import Form, Typical, whole_rows
from surpeer.engines.spark_batches import Named, collected, map_batches
from surpeer.engines.spark_checking import Checked
from surpeer.engines.summed import SummedInMemory
from surpeer.engines.sums import LAST_TRACK, sums_by_paper
from surpeer.errors import InputError, Problem, quoted
from surpeer.findings import MOST
from surpeer.id_hash import id_hash
from surpeer.prediction_counts import PredictionCounts, Settled
from surpeer.scale import Scale
from surpeer.scores import find_method
from surpeer.scores.method import Learned

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CHANGED = "the rows are not the same when they are read again"
"""What is said of a DataFrame that is computed at random, or of files that are being written."""

Sizes = dict[str | None, int]
"""How many papers each track has; None is a venue without tracks."""


def sum_on_spark(checked: Checked) -> "DataFrame":
    """The sums of every paper; nothing is computed yet."""
    checker, form = checked.checker, checked.form
    values = np.asarray(checker.scale.values)
    typical = checked.totals.typical() if form.completes else None

    def to_rows(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        for frame in frames:
            part = with_named_tracks(checker.check(frame, np.arange(len(frame)), 1))
            if len(part):
                rows, needed = whole_rows(part, form, values, typical)
                if part.problems or needed != form:
                    raise InputError(CHANGED)
                yield rows

    pattern, _ = whole_rows(_pattern(checked, typical), form, values, typical)
    sums: DataFrame = sums_by_paper(map_batches(checked.rows, to_rows, pattern.schema), form)
    return sums


def _pattern(checked: Checked, typical: Typical | None) -> CheckedRows:
    """No rows, or where nobody predicts one like all others: what is made of them has the right columns."""
    checker, form = checked.checker, checked.form
    rows = int(not form.predictions)
    track = "any" if typical is None or typical.names is None else typical.names[0]
    return CheckedRows(
        rows=np.arange(rows),
        paper=pl.Series([None] * rows, dtype=pl.Int64 if has_numbers(checked.rows, PAPER) else pl.String),
        rating=np.zeros(rows, dtype=np.int8),
        shares=np.full((rows, form.levels), np.nan, order="F"),
        expected=np.full(rows, np.nan) if EXPECTED in checked.rows.names else None,
        reviewer=None,
        track=pl.Series([track] * rows, dtype=pl.String) if form.track else None,
        title=pl.Series([None] * rows, dtype=pl.String) if form.title else None,
        problems=(),
        problem_count=0,
        counts=RowCounts(0, 0, PredictionCounts(checker.settled or Settled(checker.unit, checker.unit))),
    )


def has_numbers(rows: Named, name: str) -> bool:
    """Whether a column holds whole numbers."""
    from pyspark.sql.types import DecimalType, IntegralType

    kind = rows.table.schema[rows.column(name)].dataType
    return isinstance(kind, IntegralType) or (isinstance(kind, DecimalType) and kind.scale == 0)


def track_problems(sums: "DataFrame") -> list[Problem]:
    """A problem for every paper with two tracks."""
    twice = sums.where(f"{TRACK} != {LAST_TRACK}").select(PAPER, TRACK, LAST_TRACK).orderBy(PAPER).limit(MOST)
    return [
        Problem(
            None,
            TRACK,
            f"both {quoted(one)} and {quoted(other)} for paper {quoted(paper)}",
            "one track for all reviews of a paper",
            "make them the same, or rename the column if it is something else",
        )
        for paper, one, other in collected(twice).iter_rows()
    ]


def sizes_of_tracks(sums: "DataFrame", form: Form) -> Sizes:
    """How many papers there are, by track."""
    if not form.track:
        return {None: sums.count()}
    return dict(collected(sums.groupBy(TRACK).count()).iter_rows())


def learn_on_spark(sums: "DataFrame", form: Form, scale: Scale, method: str, sizes: Sizes) -> Learned | None:
    """What the method learned, on the driver, from the papers with the smallest hashes; None if it does not learn."""
    learning = find_method(method).learning
    if learning is None:
        return None
    most = learning.most_papers
    slack = 6 * sqrt(most)  # that fewer papers are below the bound than are wanted is as good as impossible, ...
    while True:
        bounds = {name: bound_of(size, most + slack) for name, size in sizes.items()}
        sample = collected(map_batches(Named.of(sums), BelowBound(bounds), _schema(sums)))
        found = dict(sample[TRACK].value_counts().iter_rows()) if form.track else {None: len(sample)}
        if all(found.get(name, 0) >= min(size, most) for name, size in sizes.items()):
            return learn(SummedInMemory(form, sample), scale, method)
        slack = 2 * slack + most  # ... but if they are, look again


def bound_of(size: int, wanted: float) -> int:
    """The hash below which about so many of the papers are."""
    return min(2**64 - 1, int(2**64 * min(1.0, wanted / size)))


class BelowBound:
    """Picks papers whose hash is not above the bound of their track."""

    def __init__(self, bounds: dict[str | None, int]) -> None:
        self.bounds = bounds

    def __call__(self, frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        for sums in frames:
            hashes = pl.Series(id_hash(sums[PAPER]))
            if None in self.bounds:
                yield sums.filter(hashes <= self.bounds[None])
            else:
                bound = sums[TRACK].replace_strict(self.bounds, return_dtype=pl.UInt64)
                yield sums.filter(hashes <= bound)


def _schema(sums: "DataFrame") -> pl.Schema:
    """That of sums: text and whole numbers."""
    from pyspark.sql.types import StringType

    return pl.Schema(
        {entry.name: pl.String if isinstance(entry.dataType, StringType) else pl.Int64 for entry in sums.schema.fields}
    )
