"""Ranked papers on a cluster -> decisions: the driver finds the cut, executors judge their papers by it.

The driver needs the score and the standard error of every paper for that: 16 bytes for each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.core.cut import Batch, Cut, find_cut
from surpeer.core.shapes import BoolArray
from surpeer.deciding import AtTheCut, decided
from surpeer.engines.spark_batches import Named, broadcast, collected, map_batches
from surpeer.engines.spark_ranking import RankedOnSpark
from surpeer.paper_flags import FLAGS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

INCOHERENT = 1 << list(FLAGS).index("incoherent_forecasts")

DECIDED = {"p_accept": pl.Float64(), "p_better_than_cut": pl.Float64(), "proposal": pl.Int8(), "reason": pl.Int8()}

IS_SCORED = "not isnan(score) and abs(score) < double('Infinity') and abs(standard_error) < double('Infinity')"


@dataclass(frozen=True)
class Line:
    """Between which papers the cut goes: everybody of a better rank than `rank` is above it, and of this rank those
    whose ids come first, up to `last_id`."""

    rank: int
    last_id: int | str | None
    """None where no paper of this rank is above."""

    def above(self, ranked: pl.DataFrame) -> BoolArray:
        """Which papers are above the cut."""
        better = ranked["rank"] < self.rank
        if self.last_id is not None:
            better |= (ranked["rank"] == self.rank) & (ranked[PAPER] <= self.last_id)
        return better.to_numpy()

    def is_above(self, ranked: "DataFrame") -> "Column":
        """The same, to be computed by Spark."""
        better = ranked["rank"] < self.rank
        if self.last_id is not None:
            better = better | ((ranked["rank"] == self.rank) & (ranked[PAPER] <= self.last_id))
        return better


def decide_on_spark(
    ranking: RankedOnSpark, schema: pl.Schema, places: int, certainty: float
) -> tuple["DataFrame", AtTheCut]:
    """The table with probabilities, proposals and reasons, as codes; and what is around the cut."""
    ranked = ranking.table
    line, around = _line(ranking, places)
    _look_around(ranked, line, around)
    known = collected(ranked.where(IS_SCORED).select("score", "standard_error"))
    known = known.sort("score", "standard_error", descending=[True, False])
    score, error = known["score"].to_numpy(), known["standard_error"].to_numpy()
    cut = find_cut(lambda: [Batch(score, error)], around.free, around.start)
    judge = _Judge(broadcast(ranked, (around, line, cut)), certainty)
    return map_batches(Named.of(ranked), judge, pl.Schema([*schema.items(), *DECIDED.items()])), around


def _line(ranking: RankedOnSpark, places: int) -> tuple[Line, AtTheCut]:
    """Where the cut goes."""
    at = int(np.searchsorted(ranking.ranks, places, side="right")) - 1
    rank, papers = int(ranking.ranks[at]), int(ranking.papers_of_rank[at])
    around = AtTheCut(places, last_rank=rank)
    if rank - 1 + papers <= places:
        return Line(rank + papers, None), around
    around.tied_rank = rank
    tied = ranking.table.where(ranking.table["rank"] == rank).select(PAPER)
    first = collected(tied.orderBy(PAPER).limit(places - rank + 1))
    return Line(rank, first[PAPER][-1]), around


def _look_around(ranked: "DataFrame", line: Line, around: AtTheCut) -> None:
    """Look up the papers with a score next to the cut, and count those above it."""
    from pyspark.sql.functions import expr

    scored = ranked.where(IS_SCORED).withColumn("above", line.is_above(ranked))
    known, order = "struct(score, standard_error)", f"struct(rank, {PAPER})"
    free, last_above, first_below = scored.agg(
        expr("count_if(above)"),
        expr(f"max_by({known}, {order}) filter (where above)"),
        expr(f"min_by({known}, {order}) filter (where not above)"),
    ).collect()[0]
    around.free = free
    around.last_above = None if last_above is None else tuple(last_above)
    around.first_below = None if first_below is None else tuple(first_below)


class _Judge:
    """Decides on ranked papers, on an executor."""

    def __init__(self, known: Any, certainty: float) -> None:
        self.known, self.certainty = known, certainty

    def __call__(self, frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        around, line, cut = self.known.value
        for frame in frames:
            above = line.above(frame)
            yield _decided(frame.filter(above), -len(frame), around, cut, self.certainty)
            yield _decided(frame.filter(~above), around.places, around, cut, self.certainty)


def _decided(ranked: pl.DataFrame, first_row: int, around: AtTheCut, cut: Cut, certainty: float) -> pl.DataFrame:
    """Papers all above the cut, or all below it, with what is decided; `first_row` says on which side they are."""
    incoherent = (ranked["flags"].to_numpy() & INCOHERENT) > 0
    rank, score, error = (ranked[name].to_numpy() for name in ("rank", "score", "standard_error"))
    chance, better, proposal, reason = decided((rank, score, error, incoherent), first_row, around, cut, certainty)
    return ranked.with_columns(
        pl.Series("p_accept", chance),
        pl.Series("p_better_than_cut", better),
        pl.Series("proposal", proposal.astype(np.int8)),
        pl.Series("reason", reason.astype(np.int8)),
    )
