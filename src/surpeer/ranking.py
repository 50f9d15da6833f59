"""Scores -> Ranking: one place for every paper, and what a chair should know about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from surpeer.core.places import paper_places, rows_in_order
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.core.status import Status
from surpeer.paper_flags import FLAGS, flag_bits, flag_sets, flags_of_papers
from surpeer.scores.method import Scores
from surpeer.showing import DrawnVenue

__all__ = ["FLAGS", "Ranking", "fast_argsort", "rank"]


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
        return flag_bits(self.flags, len(self))

    @property
    def _flag_sets(self) -> list[list[str]]:
        """The names behind each number that `flag_code` can hold."""
        return flag_sets()

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
    found = paper_places(scores.value, scores.defined, scores.mean, argsort=fast_argsort)
    masks = {**flags_of_papers(scores), "tie": found.tie, "cycle": found.cycle}
    order = rows_in_order(found.place, found.tie)  # papers come sorted by id
    bits = flag_bits(masks, len(scores)).astype(np.int16)[order]
    return Ranking(
        scores=scores,
        order=order,
        rank=found.place[order] + 1,
        flags={name: (bits & (1 << bit)) > 0 for bit, name in enumerate(FLAGS)},
        broken=found.broken,
    )


def fast_argsort(numbers: FloatArray) -> IntArray:
    """np.argsort on all processors."""
    return np.asarray(pl.Series(numbers).arg_sort().to_numpy().astype(np.int64))
