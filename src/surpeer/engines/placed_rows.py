"""Papers on their way into the files of their ranks: whole rows with ranks, or, where papers are of few kinds, ids and
numbers of kinds, which are several times as small and become whole rows when they are in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.engines.places_on_disk import FoundPlaces
from surpeer.engines.ranked_kinds import RankedKinds
from surpeer.engines.ranked_table import in_order, with_places
from surpeer.engines.scored_parts import Batch, ScoredParts
from surpeer.io.in_threads import in_threads

READ_AT_ONCE = 2

# Batches of ids and kinds, which are small, that wait while others are written.
AHEAD = 4

# Among so many ids of those that share a place it is guessed where others belong.
IDS = 1000


class PlacedRows(Protocol):
    """Rows of all papers, and the places of these papers."""

    @property
    def undefined(self) -> int:
        """Papers without a score."""

    @property
    def broken(self) -> int:
        """Pairwise comparisons that the order does not keep."""

    def batches(self) -> Iterator[tuple[pl.DataFrame, IntArray]]:
        """Rows, and about where they belong among all: whoever has a higher rank, or the same one and a larger id, does
        not have a smaller number. Once."""

    def ranks(self, rows: pl.DataFrame) -> IntArray:
        """(n,) of these rows."""

    def in_order(self, rows: pl.DataFrame) -> pl.DataFrame:
        """These rows, sorted."""

    def whole(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The ranked table of these rows."""


@dataclass(frozen=True)
class WholeRows:
    """Scored tables that get a rank."""

    scored: ScoredParts
    found: FoundPlaces

    @property
    def undefined(self) -> int:
        return self.found.undefined

    @property
    def broken(self) -> int:
        return self.found.broken

    def batches(self) -> Iterator[tuple[pl.DataFrame, IntArray]]:
        for batch, (place, tie, cycle) in zip(self.scored.batches, self.found.batches, strict=True):
            yield with_places(batch.read(), place, tie, cycle), place

    def ranks(self, rows: pl.DataFrame) -> IntArray:
        return rows["rank"].to_numpy()

    def in_order(self, rows: pl.DataFrame) -> pl.DataFrame:
        return in_order(rows)

    def whole(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows


class _Shared(NamedTuple):
    """A place that many papers have."""

    place: int
    papers: int
    ids: pl.Series
    """Of some of them, ascending."""


@dataclass(frozen=True)
class RowsOfKinds:
    """Ids and numbers of kinds."""

    scored: ScoredParts
    ranked: RankedKinds
    many: int
    """Papers that are too many to stay together because they share a place."""

    @property
    def undefined(self) -> int:
        return self.ranked.undefined

    @property
    def broken(self) -> int:
        return self.ranked.broken

    def batches(self) -> Iterator[tuple[pl.DataFrame, IntArray]]:
        if not self.scored.batches:
            return iter(())
        shared = self._shared(self.scored.batches[0].read_as_kept())

        def placed(batch: Batch) -> tuple[pl.DataFrame, IntArray]:
            rows = batch.read_as_kept()
            return rows, _spread(rows[PAPER], self.ranked.places(rows), shared)

        return in_threads(placed, self.scored.batches, READ_AT_ONCE, ahead=AHEAD)

    def _shared(self, rows: pl.DataFrame) -> list[_Shared]:
        """Places that too many papers share, with the ids of those that are among these rows."""
        there = self.ranked.places(rows)
        places, which = np.unique(self.ranked.place, return_inverse=True)
        papers = np.bincount(which, self.ranked.kinds.papers).astype(np.int64)
        found = []
        for heavy in np.flatnonzero(papers > self.many).tolist():
            ids = rows[PAPER].filter(there == places[heavy])
            some = ids.gather_every(1 + len(ids) // IDS).sort()
            found.append(_Shared(int(places[heavy]), int(papers[heavy]), some))
        return found

    def ranks(self, rows: pl.DataFrame) -> IntArray:
        return self.ranked.places(rows) + 1

    def in_order(self, rows: pl.DataFrame) -> pl.DataFrame:
        return self.ranked.in_order(rows)

    def whole(self, rows: pl.DataFrame) -> pl.DataFrame:
        return self.ranked.whole(rows)


def _spread(ids: pl.Series, place: IntArray, shared: list[_Shared]) -> IntArray:
    """Places; papers that share one have it for themselves, as far as it can be guessed from the ids of others."""
    spread = place.copy()
    for heavy in shared:
        here = np.flatnonzero(place == heavy.place)
        below = np.asarray(heavy.ids.search_sorted(ids.gather(here), side="right").to_numpy()).astype(np.int64)
        spread[here] += below * heavy.papers // (len(heavy.ids) + 1)
    return spread
