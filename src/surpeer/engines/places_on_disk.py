"""The places of papers whose scores do not fit into memory: those of surpeer.core.places, found with files.

Where papers are of few kinds (the same score and mean), the kinds are ordered in memory and papers look theirs up.
Otherwise:

1. A survey of all scores and means: which means there are, which scores come again and again (heavy ones), and which
   scores split the others into ranges that fit into memory.
2. The other papers are written into a file for each range; heavy scores, and papers without a score, are only counted.
3. Range by range, from the best: papers are sorted and become kinds, which are appended to columns in files. Equal
   scores stay together: those at the end of a range wait for the next one.
4. surpeer.core.many_places chooses the order and says where every kind stands; each paper's place is written to the
   file of the batch that it came from.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from surpeer.core import places as in_memory
from surpeer.core.many_places import Loose, Ranked, Standing, Standings, standings
from surpeer.core.order import class_of, class_starts, different_values
from surpeer.core.places import Places, by_score, kinds_in_order, paper_places
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.engines.number_files import FileColumn, ScatteredRecords, pieces
from surpeer.engines.scored_parts import Batch, ScoredParts
from surpeer.io.in_threads import in_threads
from surpeer.ranking import fast_argsort

# So many scores are looked at to choose ranges. A score that comes HEAVY times among them is a heavy one.
SAMPLE, HEAVY = 100_000, 4

# Bytes that a paper takes while places are found in memory, and while its range is sorted.
PER_PAPER = 100

# Papers whose places are written at a time.
AT_ONCE = 200_000

# Batches at the same time.
AT_A_TIME = 2

# Bytes for each kind of papers, while their places are found and looked up.
PER_KIND = 400
KIND = ("score", "defined", "mean")

LIGHT = np.dtype([("score", "f8"), ("mean", "i4"), ("row", "i8")])
PLACED = np.dtype([("row", "i8"), ("place", "i8"), ("bits", "i1")])

PlacesOfBatch = tuple[IntArray, BoolArray, BoolArray]


class FoundPlaces(NamedTuple):
    """The places of all papers."""

    batches: Iterator[PlacesOfBatch]
    """Place, tie and cycle of the rows of each batch, in the order of batches; once."""
    undefined: int
    broken: int


def find_places(parts: ScoredParts, folder: Path, free: int) -> FoundPlaces:
    """The places of all papers, in memory if that takes no more than `free` bytes."""
    if parts.papers * PER_PAPER <= free or parts.papers <= in_memory.MANY:
        return _in_memory(parts)
    kinds = _few_kinds(parts, free // PER_KIND)
    if kinds is not None:
        return _looked_up(parts, kinds)
    ranges = min(1 + parts.papers * PER_PAPER // max(1, free // 2), 10_000)
    on_disk = _OnDisk(parts, folder, _survey(parts, ranges))
    on_disk.scatter()
    on_disk.sort()
    found = standings(on_disk.ranked, on_disk.loose, len(on_disk.survey.means))
    return FoundPlaces(on_disk.places(found), int(on_disk.loose.weight.sum()), found.broken)


def _in_memory(parts: ScoredParts) -> FoundPlaces:
    columns = [np.concatenate(column) for column in zip(*(batch.numbers() for batch in parts.batches), strict=True)]
    score, defined, mean = columns
    found = paper_places(score, defined, mean, argsort=fast_argsort)
    rows = [slice(batch.first, batch.first + batch.rows) for batch in parts.batches]
    batches = ((found.place[part], found.tie[part], found.cycle[part]) for part in rows)
    return FoundPlaces(batches, int((~defined).sum()), found.broken)


def _few_kinds(parts: ScoredParts, most: int) -> pl.DataFrame | None:
    """The different scores and means with their numbers of papers, if they are few: with predictions in whole percents,
    and a handful of reviews for each paper, they are."""
    found: list[pl.DataFrame] = []
    for of_batch in in_threads(_kinds_of, parts.batches, AT_A_TIME):
        found.append(of_batch)
        if sum(map(len, found)) > 2 * most:  # not after each batch, because it takes as long as there are kinds
            found = [_merged(found)]
            if len(found[0]) > most:
                return None
    kinds = _merged(found)
    return kinds if len(kinds) <= most else None


def _merged(kinds: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(kinds).group_by(KIND).agg(pl.col("papers").sum())


def _kinds_of(batch: Batch) -> pl.DataFrame:
    score, defined, mean = batch.numbers()
    table = pl.DataFrame({"score": np.where(defined, score, 0.0), "defined": defined, "mean": mean})
    return table.group_by(KIND).agg(pl.len().cast(pl.Int64).alias("papers"))


def _looked_up(parts: ScoredParts, kinds: pl.DataFrame) -> FoundPlaces:
    """The places of kinds in memory, in which batches look themselves up."""
    score, defined, mean, papers = (kinds[name].to_numpy() for name in (*KIND, "papers"))
    places = Places.of(score, defined, mean, papers)
    batches = in_threads(lambda batch: places.lookup(*batch.numbers()), parts.batches, AT_A_TIME)
    return FoundPlaces(batches, int(papers[~defined].sum()), places.broken)


class Survey(NamedTuple):
    """What is known of all papers before they are sorted."""

    means: FloatArray
    """The lowest number of each class of equal means, ascending."""
    heavy: FloatArray
    """Scores that come again and again, ascending."""
    splitters: FloatArray
    """Scores at which ranges begin, ascending."""


def _survey(parts: ScoredParts, ranges: int) -> Survey:
    step = max(1, parts.papers // SAMPLE)
    means, sample = np.empty(0), [np.empty(0)]
    for batch in parts.batches:
        score, defined, mean = batch.numbers()
        means = np.union1d(means, different_values(mean))
        sample.append(score[defined][::step])
    values, counts = np.unique(np.concatenate(sample), return_counts=True)
    light = values[counts < HEAVY]
    splitters = light[np.arange(1, ranges) * len(light) // ranges] if len(light) else light
    return Survey(means[class_starts(means)], values[counts >= HEAVY], np.unique(splitters))


@dataclass
class _Entries:
    """Papers and heavy scores on their way into the order."""

    score: FloatArray
    mean: IntArray
    papers: IntArray
    source: IntArray
    """The row of a paper, or -1 - the number of a heavy score."""

    def take(self, rows: IntArray) -> "_Entries":
        return _Entries(self.score[rows], self.mean[rows], self.papers[rows], self.source[rows])

    @classmethod
    def joined(cls, parts: list["_Entries"]) -> "_Entries":
        return cls(
            np.concatenate([part.score for part in parts]),
            np.concatenate([part.mean for part in parts]),
            np.concatenate([part.papers for part in parts]),
            np.concatenate([part.source for part in parts]),
        )


class _OnDisk:
    def __init__(self, parts: ScoredParts, folder: Path, survey: Survey) -> None:
        self.parts, self.survey, self.folder = parts, survey, folder
        self.ranges = ScatteredRecords(folder / "ranges", LIGHT, len(survey.splitters) + 1)
        self.mean = FileColumn(folder / "kind-mean", np.int32)
        self.weight = FileColumn(folder / "kind-weight", np.int64)
        self.new_score = FileColumn(folder / "kind-new", np.int8)
        self.light = FileColumn(folder / "kind-light", np.int64)  # papers of each kind whose score is not heavy
        self.rows = FileColumn(folder / "rows", np.int64)  # their rows, in the order of kinds
        self.heavy_keys, self.heavy_papers = np.empty((2, 0), dtype=np.int64)
        self.without = np.zeros(len(survey.means), dtype=np.int64)

    @property
    def ranked(self) -> Ranked:
        return Ranked(self.mean, self.weight, self.new_score)

    @property
    def loose(self) -> Loose:
        return Loose(np.flatnonzero(self.without), self.without[self.without > 0])

    def scatter(self) -> None:
        """Write papers into the files of their ranges, and count the others."""
        for batch in self.parts.batches:
            score, defined, mean = batch.numbers()
            means = class_of(mean, self.survey.means)
            self.without += np.bincount(means[~defined], minlength=len(self.without))
            heavy = self._heavy_number(score)
            self._count_heavy(heavy[heavy >= 0] * len(self.without) + means[heavy >= 0])
            chosen = np.flatnonzero(defined & (heavy < 0))
            records = np.empty(len(chosen), LIGHT)
            records["score"], records["mean"], records["row"] = score[chosen], means[chosen], batch.first + chosen
            self.ranges.add(np.searchsorted(self.survey.splitters, score[chosen], side="right"), records)
        self.heavy_kind = np.full(len(self.heavy_keys), -1)

    def _heavy_number(self, score: FloatArray) -> IntArray:
        """(n,) which of the heavy scores it is, -1 where it is none."""
        heavy = self.survey.heavy
        if not len(heavy):
            return np.full(len(score), -1)
        at = np.minimum(np.searchsorted(heavy, score), len(heavy) - 1)
        return np.where(heavy[at] == score, at, -1)

    def _count_heavy(self, keys: IntArray) -> None:
        found, papers = np.unique(keys, return_counts=True)
        keys, where = np.unique(np.concatenate([self.heavy_keys, found]), return_inverse=True)
        counted = np.concatenate([self.heavy_papers, papers])
        self.heavy_keys, self.heavy_papers = keys, np.bincount(where, counted, minlength=len(keys)).astype(np.int64)

    def sort(self) -> None:
        """Make kinds of the papers, from the best score to the worst."""
        heavy = self._heavy_entries()
        range_of = np.searchsorted(self.survey.splitters, heavy.score, side="right")
        waiting = heavy.take(np.empty(0, dtype=np.int64))
        for number in range(len(self.survey.splitters), -1, -1):
            light = self.ranges.take(number)
            ones = np.ones(len(light), dtype=np.int64)
            papers = _Entries(light["score"], light["mean"].astype(np.int64), ones, light["row"])
            entries = _Entries.joined([waiting, papers, heavy.take(np.flatnonzero(range_of == number))])
            order, new = by_score(entries.score, entries.mean, len(self.survey.means), fast_argsort)
            ready = int(np.flatnonzero(new)[-1]) if number and len(new) else len(new)
            self._append(entries.take(order[:ready]), new[:ready])
            waiting = entries.take(order[ready:])

    def _heavy_entries(self) -> _Entries:
        number, mean = np.divmod(self.heavy_keys, max(1, len(self.without)))
        return _Entries(self.survey.heavy[number], mean, self.heavy_papers, -1 - np.arange(len(number)))

    def _append(self, ordered: _Entries, new: NDArray[np.int8]) -> None:
        starts, kinds = kinds_in_order(ordered.mean, new, ordered.papers)
        kind = np.cumsum(starts) - 1
        light = ordered.source >= 0
        self.heavy_kind[-1 - ordered.source[~light]] = len(self.mean) + kind[~light]
        self.light.append(np.bincount(kind[light], minlength=len(kinds.mean)))
        self.rows.append(ordered.source[light])
        for column, numbers in zip((self.mean, self.weight, self.new_score), kinds, strict=True):
            column.append(np.asarray(numbers))

    def places(self, found: Standings) -> Iterator[PlacesOfBatch]:
        """The places of each batch."""
        firsts = self.parts.firsts
        by_batch = ScatteredRecords(self.folder / "places", PLACED, len(firsts))
        heavy = _empty_standing(len(self.heavy_keys))
        read = 0
        for kinds, standing in found.blocks(self.ranked):
            self._place_heavy(heavy, kinds, standing)
            light = self.light[kinds]
            bits = standing.tie + 2 * standing.cycle.astype(np.int8)
            for _, few in pieces(np.cumsum(light) // AT_ONCE):  # a kind may have many papers
                rows = self.rows[read : read + int(light[few].sum())]
                read += len(rows)
                records = np.empty(len(rows), PLACED)
                records["row"] = rows
                records["place"] = np.repeat(standing.place[few], light[few])
                records["bits"] = np.repeat(bits[few], light[few])
                by_batch.add(np.searchsorted(firsts, rows, side="right") - 1, records)
        for number in range(len(firsts)):
            yield self._of_batch(number, by_batch.take(number), heavy, found.loose)

    def _place_heavy(self, heavy: Standing, kinds: slice, standing: Standing) -> None:
        here = np.flatnonzero((self.heavy_kind >= kinds.start) & (self.heavy_kind < kinds.stop))
        for target, of_kind in zip(heavy, standing, strict=True):
            target[here] = of_kind[self.heavy_kind[here] - kinds.start]

    def _of_batch(self, number: int, light: NDArray[Any], heavy: Standing, loose: Standing) -> PlacesOfBatch:
        batch = self.parts.batches[number]
        score, defined, mean = batch.numbers()
        means = class_of(mean, self.survey.means)
        result = _empty_standing(batch.rows)
        at = light["row"] - batch.first
        result.place[at], result.tie[at], result.cycle[at] = light["place"], light["bits"] & 1, light["bits"] & 2
        which = self._heavy_number(score)
        is_heavy = np.flatnonzero(which >= 0)
        known = np.searchsorted(self.heavy_keys, which[is_heavy] * len(self.without) + means[is_heavy])
        unscored = np.flatnonzero(~defined)
        kind = np.searchsorted(np.flatnonzero(self.without), means[unscored])
        for target, of_heavy, of_loose in zip(result, heavy, loose, strict=True):
            target[is_heavy], target[unscored] = of_heavy[known], of_loose[kind]
        return result.place, result.tie, result.cycle


def _empty_standing(size: int) -> Standing:
    tie, cycle = np.zeros((2, size), dtype=np.bool_)
    return Standing(np.zeros(size, dtype=np.int64), tie, cycle)
