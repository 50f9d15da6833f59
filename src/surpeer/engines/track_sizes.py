"""How many papers each track has, however many tracks there are: those that do not fit into memory are kept on disk.

A venue has a handful. But a column `track` may hold anything, a text of its own for every paper, too.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polars as pl

from surpeer.columns import TRACK
from surpeer.engines.buckets import Buckets
from surpeer.engines.texts_apart import with_texts_apart
from surpeer.id_hash import id_hash
from surpeer.paper_cells import LISTED, NO_TRACK

PAPERS = "papers"

MOST = 1 << 17
"""Different tracks that are kept in memory, where their names are short."""
MOST_BYTES = 1 << 23
"""Of their names."""
BUCKETS, BUFFER = 256, 1 << 24
"""Of tracks on disk, and bytes of memory that writing them takes."""


class Tracks(NamedTuple):
    """What there is to say of all tracks."""

    number: int
    """How many there are; papers without one are one more, if others have one."""
    largest: dict[str, int]
    """Papers of the largest, one more of them than are ever named."""
    without: int
    """Papers without a track."""


class TrackSizes:
    """Papers of each track that were counted up to now."""

    def __init__(self, folder: Path) -> None:
        """None yet. folder : where tracks go that are too many"""
        self._folder = folder
        self._sizes = pl.DataFrame(schema={TRACK: pl.String, PAPERS: pl.Int64})
        self._buckets: Buckets | None = None

    def add(self, tracks: pl.Series) -> None:
        """Count papers by their tracks, each paper once; not all at once, as they may be very many."""
        for start in range(0, len(tracks), MOST):
            sizes = tracks[start : start + MOST].alias(TRACK).value_counts(name=PAPERS).cast({PAPERS: pl.Int64})
            self._sizes = _summed(pl.concat([self._sizes, sizes]))
            if len(self._sizes) > MOST or self._sizes.estimated_size() > MOST_BYTES:
                self._put_aside()

    def _put_aside(self) -> None:
        if self._buckets is None:
            self._buckets = Buckets(self._folder, BUCKETS, self._sizes.schema, buffer=BUFFER)
        self._buckets.add(self._sizes, id_hash(self._sizes[TRACK]))
        self._sizes = self._sizes.clear()

    def all(self) -> Tracks:
        """What there is to say, once all papers are counted."""
        number, without, largest = 0, 0, self._sizes.clear()
        for sizes in self._pieces():
            number += len(sizes)
            without += int(sizes.filter(pl.col(TRACK) == NO_TRACK)[PAPERS].sum())
            largest = pl.concat([largest, sizes]).sort(-pl.col(PAPERS), TRACK).head(LISTED + 1)
        return Tracks(number, dict(largest.iter_rows()), without)

    def _pieces(self) -> Iterator[pl.DataFrame]:
        """All tracks, each in one piece and once."""
        if self._buckets is None:
            yield self._sizes
            return
        self._put_aside()
        self._buckets.close()
        yield from (_summed(self._buckets.read(bucket)) for bucket in range(self._buckets.count))


def _summed(sizes: pl.DataFrame) -> pl.DataFrame:
    return with_texts_apart(sizes.group_by(TRACK).agg(pl.col(PAPERS).sum()))
