"""What a method learns from the venue before it scores any paper: from a sample of each track, the same everywhere.

The papers that are learned from are those whose ids have the smallest hashes (surpeer.id_hash). They are found in one
pass over the sums, of which hardly more than the sample is kept; then tracks are learned from one after the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from surpeer.columns import PAPER, TRACK
from surpeer.core.venue import VenueModel
from surpeer.engines.memory import memory_to_learn
from surpeer.engines.rows import Form
from surpeer.engines.summed import Summed
from surpeer.engines.sums import statistics_of
from surpeer.errors import InputError
from surpeer.id_hash import id_hash, smallest
from surpeer.matrices import Matrices
from surpeer.scale import Scale
from surpeer.scores import find_method
from surpeer.scores.method import Learned

HASH = "hash"


def learn(summed: Summed, scale: Scale, method: str, memory: int | None = None) -> Learned | None:
    """What the method learned; None for methods that need not learn.

    memory : bytes that were asked for

    Raises InputError where all tracks together, whose number is known only now, take more.
    """
    learning = find_method(method).learning
    return None if learning is None else learn_from(Sample.of(summed, learning.most_papers), scale, method, memory)


def learn_from(sample: "Sample", scale: Scale, method: str, memory: int | None = None) -> Learned:
    """The same from the papers of a sample that is complete."""
    learning = find_method(method).learning
    if learning is None:
        raise ValueError(f"the method {method} does not learn")
    if sample.form.track and memory is not None:
        _check_memory(sample, memory, memory_to_learn(sample.bytes, sample.most_of_a_track, len(scale)))
    learned: dict[str | None, VenueModel] = {}
    for papers in sample.tracks():
        learned.update(learning.learn(Matrices(statistics_of(papers, sample.form, scale))))
    return learned


def _check_memory(sample: "Sample", memory: int, need: int) -> None:
    if need > memory:
        raise InputError(
            f"found {sample.papers:,} papers to learn from, up to {sample.most:,} of each track, expected no more than "
            f"fit into {memory // 1_000_000:,} MB of memory; allow {-(-need // 1_000_000):,} MB, or give each track a "
            "file of its own"
        )


@dataclass
class Sample:
    """Sums of the papers to learn from, at most so many of each track."""

    form: Form
    most: int
    parts: list[pl.DataFrame] = field(default_factory=list)
    _enough: int = 0
    """Papers from which on those that are not needed are dropped."""

    @classmethod
    def of(cls, summed: Summed, most: int) -> "Sample":
        """Found in one pass."""
        sample = cls(summed.form, most)
        for batch in summed.batches():
            sample.add(batch)
            if summed.in_hash_order and not summed.form.track and sample.papers >= most:
                break
        sample.complete()
        return sample

    def add(self, sums: pl.DataFrame) -> None:
        """Look at papers that are added up."""
        if len(sums):
            self.parts.append(sums.with_columns(pl.Series(HASH, id_hash(sums[PAPER]))))
        if self.papers > max(2 * self.most, self._enough):
            self._drop_others()

    def complete(self) -> None:
        """All papers were looked at."""
        if not self.parts:
            raise ValueError("there is no paper to learn from")
        self._drop_others()

    @property
    def papers(self) -> int:
        return sum(map(len, self.parts))

    @property
    def bytes(self) -> int:
        return sum(int(part.estimated_size()) for part in self.parts)

    @property
    def most_of_a_track(self) -> int:
        """Papers of the largest one."""
        return min(self.most, self.papers)

    def tracks(self) -> Iterator[pl.DataFrame]:
        """The papers of each track, in the order of their ids."""
        table = pl.concat(self.parts, rechunk=False)
        if not self.form.track:
            yield table.drop(HASH).sort(PAPER)
            return
        for name in table[TRACK].unique().sort():
            yield table.filter(pl.col(TRACK) == name).drop(HASH).sort(PAPER)

    def _drop_others(self) -> None:
        """Of a track with few papers there are none."""
        table = pl.concat(self.parts, rechunk=False)
        if not self.form.track:
            kept = smallest(table[HASH].to_numpy(), self.most)
        else:
            kept = (table.select(pl.col(HASH).rank("min").over(TRACK)).to_series() <= self.most).to_numpy()
        if not kept.all():
            self.parts = [table.filter(kept)]
        self._enough = max(self._enough, 2 * self.papers)
