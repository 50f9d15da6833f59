"""Scores -> Ranking: one place for every paper, and what a chair should know about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from surpeer.core.order import Contest
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.core.status import Status
from surpeer.core.total_order import total_order
from surpeer.scores.method import Scores
from surpeer.showing import DrawnVenue

# The reconstructed prior should sum to one. Further off than this, a chair should know before she trusts the score.
PRIOR_SUM_TOLERANCE = 0.01

FLAGS: dict[str, str] = {
    "tie": "shares its rank with another paper",
    "ranked_by_mean": "has no score, so its mean rating decided every comparison",
    "cycle": "comparisons by score and by mean contradict each other; its place goes against at least one of them",
    "incoherent_forecasts": (
        "predictions contradict each other (who rated higher did not predict higher ratings): discuss this paper"
    ),
    "missing_predictions": "some reviews have no prediction that the method could use",
    "one_review": "has a single review",
    "prior_sum": "the shares of ratings that its predictions lead one to expect do not add up to 100%",
}
"""Every flag that a paper can carry, in the order in which they are listed, with its meaning."""


@dataclass(frozen=True, repr=False)
class Ranking(DrawnVenue):
    """Papers from the best to the worst: rows of a table in that order."""

    scores: Scores
    order: IntArray
    """(N,) position in `scores` of each row."""
    rank: IntArray
    """(N,) from 1, in the order of rows; ties share the lowest: 1, 2, 2, 4."""
    flags: dict[str, BoolArray]
    """(N,) for each flag, in the order of rows."""
    broken: int
    """Pairwise comparisons that the order does not keep: 0 unless they contradict each other."""

    def __len__(self) -> int:
        return len(self.order)

    def __repr__(self) -> str:
        return f"<Ranking by {self.scores.method}>\n{self.table}"

    @cached_property
    def table(self) -> pl.DataFrame:
        """Columns rank, paper, reviews, mean, score, status, flags; with `venue` also standard_error and own_share, and
        title and track where reviews have them.

        Score is null where it is undefined.
        """
        return self._table_with(pl.Series("flags", self._flag_sets, dtype=pl.List(pl.String)))

    def table_with_joined_flags(self, separator: str) -> pl.DataFrame:
        """The same table with the flags of a paper as one text, for formats that have no lists."""
        return self._table_with(pl.Series("flags", [separator.join(names) or None for names in self._flag_sets]))

    def _table_with(self, flag_sets: pl.Series) -> pl.DataFrame:
        value, status = self.scores.value[self.order], self.scores.status[self.order]
        labels = pl.Series([kind.label for kind in Status], dtype=pl.String)
        return pl.DataFrame(
            {
                "rank": self.rank,
                "paper": self.scores.papers.gather(self.order),
                **self.title_column,
                **self.track_column,
                "reviews": self.scores.reviews[self.order],
                "mean": self.scores.mean[self.order],
                "score": pl.Series(value).fill_nan(None),
                **self._extra_columns,
                "status": labels.gather(status),
                "flags": flag_sets.gather(self.flag_code),
            }
        )

    @property
    def title_column(self) -> dict[str, pl.Series]:
        """The title of each row's paper, where reviews have titles."""
        title = self.scores.matrices.source.title
        return {} if title is None else {"title": title.gather(self.order)}

    @property
    def track_column(self) -> dict[str, pl.Series]:
        """The track of each row, where reviews have tracks."""
        track = self.scores.matrices.source.track
        return {} if track is None else {"track": track.gather(self.order)}

    @property
    def _extra_columns(self) -> dict[str, FloatArray]:
        """What only some methods know."""
        columns = {"standard_error": self.scores.standard_error, "own_share": self.scores.own_share}
        return {name: column[self.order] for name, column in columns.items() if column is not None}

    @cached_property
    def flag_code(self) -> IntArray:
        """(N,) the flags of each row as the bits of a number, the first flag in bit 0."""
        bits = (mask.astype(np.int64) << bit for bit, mask in enumerate(self.flags.values()))
        return sum(bits, start=np.zeros(len(self), dtype=np.int64))

    @property
    def _flag_sets(self) -> list[list[str]]:
        """The names behind each number that `flag_code` can hold."""
        names = list(self.flags)
        return [[name for bit, name in enumerate(names) if code >> bit & 1] for code in range(1 << len(names))]

    def flags_of(self, row: int) -> list[str]:
        """The flags of the paper in this row."""
        return [name for name, mask in self.flags.items() if mask[row]]

    def __iter__(self) -> Iterator[dict[str, object]]:
        return self.table.iter_rows(named=True)


def rank(scores: Scores) -> Ranking:
    """Order all papers by the pairwise rule of `compare`.

    The order is the pairwise rule's whenever that has no cycle; surpeer.core.total_order says what happens when it
    has one. It does not depend on the order of the rows: papers that tie are listed by their id.
    """
    result = total_order(Contest.of(scores.value, scores.defined, scores.mean))
    size = max(1, len(scores))
    order = np.sort(result.place * size + np.arange(len(scores))) % size  # by place, then by id: papers come sorted
    place = result.place[order]
    return Ranking(
        scores=scores,
        order=order,
        rank=place + 1,
        flags={name: mask[order] for name, mask in _flags(scores, result.place, result.broken > 0).items()},
        broken=int(result.broken.sum()) // 2,
    )


def _usable_predictions(scores: Scores) -> IntArray:
    """(N,) reviews with a prediction that the method can use: `venue` can use partial ones."""
    matrices = scores.matrices
    if not scores.outcome.tracks:
        return np.asarray(matrices.predicted.sum(axis=1))
    source = matrices.source
    return np.bincount(source.paper[source.has_forecast], minlength=len(matrices.papers))


def _flags(scores: Scores, place: IntArray, contradicted: BoolArray) -> dict[str, BoolArray]:
    matrices = scores.matrices
    with np.errstate(invalid="ignore"):
        prior_off = (matrices.q > 0).all(axis=1) & (np.abs(matrices.q.sum(axis=1) - 1) > PRIOR_SUM_TOLERANCE)
    masks: dict[str, BoolArray] = {
        "tie": np.bincount(place, minlength=len(place))[place] > 1,
        "ranked_by_mean": ~scores.defined,
        "cycle": contradicted,
        "incoherent_forecasts": matrices.complete & ~matrices.coherent,
        "missing_predictions": _usable_predictions(scores) < matrices.reviews,
        "one_review": matrices.reviews == 1,
        "prior_sum": prior_off,
    }
    return {name: masks[name] for name in FLAGS}
