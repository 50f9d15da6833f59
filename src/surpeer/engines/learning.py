"""What a method learns from the venue before it scores any paper: from a sample of each track, the same everywhere.

The papers that are learned from are those whose ids have the smallest hashes (surpeer.id_hash). They are found in one
pass over the sums, of which hardly more than the sample is kept; then tracks are learned from one after the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from surpeer.columns import PAPER, TITLE, TRACK
from surpeer.core.venue import VenueModel
from surpeer.engines.memory import give_back, memory_to_learn, sample_that_fits
from surpeer.engines.rows import Form
from surpeer.engines.summed import Summed
from surpeer.engines.sums import statistics_of
from surpeer.engines.texts_apart import with_texts_apart
from surpeer.errors import InputError
from surpeer.id_hash import id_hash, smallest
from surpeer.matrices import Matrices
from surpeer.paper_statistics import PaperStatistics
from surpeer.scale import Scale
from surpeer.scores import find_method
from surpeer.scores.method import Learned

HASH, PAPERS = "hash", "papers"

MORE = 1.5
"""Times the papers to learn from that are kept before others are dropped."""

DROPPED_AT_ONCE = 4
"""Papers that are not needed take one over this of the memory for all, before they are dropped."""


def learn(summed: Summed, scale: Scale, method: str, memory: int | None = None) -> Learned | None:
    """What the method learned; None for methods that need not learn.

    memory : bytes that were asked for

    Raises InputError where all tracks together, whose number is known only now, take more.
    """
    learning = find_method(method).learning
    return None if learning is None else learn_from(Sample.of(summed, learning.most_papers, memory), scale, method)


def learn_from(sample: "Sample", scale: Scale, method: str) -> Learned:
    """The same from the papers of a sample that is complete."""
    learning = find_method(method).learning
    if learning is None:
        raise ValueError(f"the method {method} does not learn")
    sample.check_memory()
    learned: dict[str | None, VenueModel] = {}

    def statistics_of_track(papers: pl.DataFrame) -> PaperStatistics:
        return statistics_of(papers, sample.form, scale)

    for statistics in map(statistics_of_track, sample.taken_out()):  # so that nothing holds on to sums meanwhile
        if sample.memory is not None:
            give_back()
        learned.update(learning.learn(Matrices(statistics)))
    return learned


@dataclass
class TrackSizes:
    """How many papers there are to learn from, where they take so much memory that they are only counted."""

    most: int
    """Of each track."""
    bytes_per_paper: float
    room: int
    """Bytes that the names of tracks may take."""
    sizes: pl.DataFrame
    """Papers of each track."""
    others: int = 0
    """Papers that came when there were too many tracks to tell them apart."""

    def add(self, sums: pl.DataFrame) -> None:
        """Count papers."""
        if self.sizes.estimated_size() > self.room:
            self.others += len(sums)
        else:
            self.sizes = pl.concat([self.sizes, papers_of_tracks(sums)]).group_by(TRACK).agg(pl.col(PAPERS).sum())

    @property
    def papers(self) -> int:
        """That would be learned from, at most."""
        return int(self.sizes[PAPERS].clip(upper_bound=self.most).sum()) + self.others

    @property
    def largest(self) -> int:
        """Papers of a track that would be learned from, at most."""
        return min(self.most, int(self.sizes[PAPERS].max()) + self.others)  # type: ignore[arg-type]


@dataclass
class Sample:
    """Sums of the papers to learn from, at most so many of each track.

    The more papers were looked at, the more are kept. So where they take too much memory before all were, this will not
    change: from then on papers are only counted, so that the error can say how much memory they would take.
    """

    form: Form
    most: int
    memory: int | None = None
    """Bytes that the whole process may take, where somebody said so."""
    parts: list[pl.DataFrame] = field(default_factory=list)
    counted: TrackSizes | None = None
    """Instead of parts, where these would take too much memory."""
    _largest: int = 0
    """Papers of the largest track, when those that are not needed were dropped."""
    _bytes: int = 0
    _enough: int = 0
    """Papers from which on those that are not needed are dropped."""
    _room: int = 0
    """Bytes from which on they are, where memory is limited."""
    _cut: np.uint64 | None = None
    """Papers with larger hashes are not needed; None where that is not known, or depends on the track."""

    @classmethod
    def of(cls, summed: Summed, most: int, memory: int | None = None) -> "Sample":
        """Found in one pass."""
        sample = cls(summed.form, most, memory)
        for batch in summed.batches():
            sample.add(batch)
            if summed.in_hash_order and not summed.form.track and sample.papers >= most:
                break
        sample.complete()
        return sample

    def add(self, sums: pl.DataFrame) -> None:
        """Look at papers that are added up. Nothing is learned from titles, and they may be long."""
        sums = sums.drop(TITLE, strict=False)
        if self.counted is not None:
            self.counted.add(sums)
            return
        if len(sums):
            hashes = id_hash(sums[PAPER])
            part = sums.with_columns(pl.Series(HASH, hashes))
            self.parts.append(part if self._cut is None else part.filter(hashes <= self._cut))
            self._bytes += int(self.parts[-1].estimated_size())
        if self.papers > max(int(MORE * self.most), self._enough) or (self._is_limited and self._bytes > self._room):
            self._drop_others()

    def complete(self) -> None:
        """All papers were looked at."""
        if not self.parts and self.counted is None:
            raise ValueError("there is no paper to learn from")
        if self.counted is None:
            self._drop_others()

    def check_memory(self) -> None:
        """Raise where all tracks together take more memory than was asked for."""
        if self.memory is not None and self._is_limited and self.need > self.memory:
            raise InputError(
                f"found {self.papers:,} papers to learn from, up to {self.most:,} of each track, expected no more than "
                f"fit into {self.memory // 1_000_000:,} MB of memory; allow {-(-self.need // 1_000_000):,} MB, or give "
                "each track a file of its own"
            )

    @property
    def need(self) -> int:
        """Bytes of memory that learning from what there is up to now takes."""
        if self.counted is None:
            return memory_to_learn(self._bytes, self._largest, self.form.levels)
        counted = self.counted
        return memory_to_learn(int(counted.papers * counted.bytes_per_paper), counted.largest, self.form.levels)

    @property
    def papers(self) -> int:
        return sum(map(len, self.parts)) if self.counted is None else self.counted.papers

    @property
    def _is_limited(self) -> bool:
        """A single track has room always, or it was said before anything was read."""
        return self.form.track and self.memory is not None

    def taken_out(self) -> Iterator[pl.DataFrame]:
        """The papers of each track, in the order of their ids. They are no longer here then, nor in this function."""
        tables = [pl.concat(self.parts).drop(HASH)]
        self.parts = []
        if not self.form.track:
            tables = [tables.pop().sort(PAPER)]
            yield tables.pop()
            return
        table = tables.pop().sort(TRACK)
        start = 0
        for length in table[TRACK].rle().struct.field("len"):
            yield table.slice(start, length).sort(PAPER)
            start += length

    def _drop_others(self) -> None:
        """Of a track with few papers there are none."""
        table = pl.concat(self.parts, rechunk=False)
        largest = int(papers_of_tracks(table)[PAPERS].max()) if self.form.track else len(table)  # type: ignore[arg-type]
        if largest > self.most:
            if self.form.track:
                kept = (table.select(pl.col(HASH).rank("min").over(TRACK)).to_series() <= self.most).to_numpy()
            else:
                kept = smallest(table[HASH].to_numpy(), self.most)
            self.parts = [with_texts_apart(table.filter(kept))]
            self._bytes = int(self.parts[0].estimated_size())
            if not self.form.track:
                self._cut = self.parts[0][HASH].to_numpy().max()
        self._largest = min(self.most, largest)
        self._enough = max(self._enough, int(MORE * self.papers))
        if self.memory is not None and self._is_limited:
            fits = sample_that_fits(self.memory)
            self._room = self._bytes + fits // DROPPED_AT_ONCE
            if self.need > self.memory:
                self.counted = TrackSizes(self.most, self._bytes / self.papers, fits, papers_of_tracks(table))
                self.parts = []


def papers_of_tracks(sums: pl.DataFrame) -> pl.DataFrame:
    """How many there are of each."""
    return with_texts_apart(sums.group_by(TRACK).agg(pl.len().alias(PAPERS)))
