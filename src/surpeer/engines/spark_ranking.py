"""Scores of papers on a cluster -> ranks: the driver orders the different kinds of papers, executors look theirs up."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from surpeer.core.places import Places
from surpeer.core.shapes import IntArray
from surpeer.core.status import Status
from surpeer.engines.ranked_table import defined_in, with_places
from surpeer.engines.spark_batches import Named, broadcast, collected, map_batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

KIND = ("score", "mean", "defined")


class RankedOnSpark(NamedTuple):
    """Ranked papers, and what there is to say of them."""

    table: "DataFrame"
    broken: int
    """Comparisons that the order does not keep."""
    papers: int
    undefined: int
    """Papers without a score."""
    ranks: IntArray
    """The different ranks, best first."""
    papers_of_rank: IntArray
    """How many papers have each of them."""

    def papers_at(self, rank: int) -> int:
        """How many papers have this rank."""
        return int(self.papers_of_rank[np.searchsorted(self.ranks, rank)])


def rank_on_spark(scored: "DataFrame", schema: pl.Schema) -> RankedOnSpark:
    """The same table with a column rank before the others, and the flags that depend on other papers."""
    kinds = collected(
        scored.selectExpr("score", "mean", f"status <= {int(Status.MINUS_INFINITY)} as defined").groupBy(*KIND).count()
    )
    score, mean, weight = (kinds[name].to_numpy() for name in ("score", "mean", "count"))
    defined = kinds["defined"].to_numpy()
    places = Places.of(score, defined, mean, weight)
    table = map_batches(Named.of(scored), _LookUp(broadcast(scored, places)), ranked_schema(schema))
    ranks, kind = np.unique(places.lookup(score, defined, mean)[0] + 1, return_inverse=True)
    sizes = np.bincount(kind, weight).astype(np.int64)
    return RankedOnSpark(table, places.broken, int(weight.sum()), int(weight[~defined].sum()), ranks, sizes)


def ranked_schema(scored: pl.Schema) -> pl.Schema:
    """The columns of a ranked table."""
    return pl.Schema([("rank", pl.Int64()), *scored.items()])


class _LookUp:
    """Adds ranks to scored papers, on an executor."""

    def __init__(self, places: Any) -> None:
        self.places = places

    def __call__(self, frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        return (ranked(frame, self.places.value) for frame in frames)


def ranked(scored: pl.DataFrame, places: Places) -> pl.DataFrame:
    """A batch of scored papers with their ranks."""
    found = places.lookup(scored["score"].to_numpy(), defined_in(scored), scored["mean"].to_numpy())
    return with_places(scored, *found)
