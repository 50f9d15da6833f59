"""Scored tables in part files -> ranked chunks in order, within a limit of memory.

Where everything fits, it is done in memory (surpeer.engines.ranked_table). Otherwise every paper's place is found first
(surpeer.engines.places_on_disk); then the rows are written into a file for each range of ranks, and the files are
sorted one after the other. Papers that share a rank and do not fit into memory are split by their ids. The result is
the same in each case.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.engines.memory import ITSELF, give_back
from surpeer.engines.places_on_disk import PER_PAPER, FoundPlaces, find_places
from surpeer.engines.progress import SILENT, Progress
from surpeer.engines.ranked_table import in_order, ranked_table, with_places
from surpeer.engines.row_files import RowFiles
from surpeer.engines.scored_parts import ScoredParts
from surpeer.io.in_threads import in_threads

# How often a table is in memory while it is sorted.
COPIES = 3

# So many tables are sorted at a time; so many are in memory, with the one that is being written.
SORTED_AT_ONCE = 2
IN_MEMORY = 8

MOST_FILES = 10_000

# Ids at which papers of one rank are split are chosen among so many.
IDS = 10_000


@dataclass
class RankingOnDisk:
    """A ranking of the papers in part files.

    parts : scored tables, in Parquet or Arrow IPC files
    work : an empty folder for files, which belong to whoever made it
    memory : bytes that the whole process may take
    """

    parts: Sequence[Path]
    work: Path
    memory: int
    progress: Progress = SILENT
    papers: int = field(default=0, init=False)
    undefined: int = field(default=0, init=False)
    """Papers without a score."""
    broken: int = field(default=0, init=False)
    """Pairwise comparisons that the order does not keep. All three are known as soon as there is a chunk."""

    def chunks(self) -> Iterator[pl.DataFrame]:
        """Ranked tables; all of them, one after the other, are the ranking."""
        free = max(1, self.memory - ITSELF)
        scored = ScoredParts(self.parts, max(1, free // (4 * COPIES)))
        self.papers = scored.papers
        if self.papers * (COPIES * scored.row_bytes + PER_PAPER) <= free:
            yield self._in_memory(scored)
            return
        self.progress.begin("ranking", 2 * self.papers)
        found = find_places(scored, self._folder("places"), free // 2)
        self.undefined, self.broken = found.undefined, found.broken
        most = max(1, free // (COPIES * max(1, scored.row_bytes) + PER_PAPER))
        files = self._by_rank(scored, found, max(1, most // (2 * IN_MEMORY)), free // 6)
        if files is not None:
            give_back()
            yield from self._sorted(files, max(1, most // IN_MEMORY))

    def _in_memory(self, scored: ScoredParts) -> pl.DataFrame:
        self.progress.begin("ranking", self.papers)
        result = ranked_table(pl.concat([batch.read() for batch in scored.batches]))
        self.undefined, self.broken = result.undefined, result.broken
        self.progress.advance(self.papers)
        return result.table

    def _folder(self, name: str) -> Path:
        folder = self.work / name
        folder.mkdir()
        return folder

    def _by_rank(self, scored: ScoredParts, found: FoundPlaces, width: int, buffer: int) -> RowFiles | None:
        """Files with the rows of each range of `width` ranks."""
        files: RowFiles | None = None
        width = max(width, -(-self.papers // MOST_FILES))
        for batch, (place, tie, cycle) in zip(scored.batches, found.batches, strict=True):
            ranked = with_places(batch.read(), place, tie, cycle)
            if files is None:
                files = RowFiles(self._folder("ranks"), -(-self.papers // width), ranked.schema, buffer=buffer)
            files.put(ranked, place // width)
            self.progress.advance(batch.rows)
        if files is not None:
            files.close()
        return files

    def _sorted(self, files: RowFiles, most: int) -> Iterator[pl.DataFrame]:
        """The rows of all files in order, while the next ones are sorted already."""
        for chunk in in_threads(_taken_in_order, _that_fit(files, most), SORTED_AT_ONCE):
            self.progress.advance(len(chunk))
            yield chunk


def ranked_chunks(
    parts: Sequence[Path], work: Path, memory: int, progress: Progress | None = None
) -> Iterator[pl.DataFrame]:
    """The ranking of the papers in these part files, in chunks: see RankingOnDisk."""
    return RankingOnDisk(parts, work, memory, progress or SILENT).chunks()


def _that_fit(files: RowFiles, most: int) -> Iterator[tuple[RowFiles, int]]:
    """The files that have rows, with their numbers; those with more than `most` rows are split."""
    for number in range(files.count):
        if files.rows(number) > most:
            split = _by_id(files, number, most)
            yield from ((split, group) for group in range(split.count) if split.rows(group))
        elif files.rows(number):
            yield files, number


def _by_id(files: RowFiles, number: int, most: int) -> RowFiles:
    """Split papers of a range of ranks that are too many: nearly all of them share its last rank.

    A rank that is shared by more papers than a range has ranks is the last one in its range.
    """
    rows = files.rows(number)
    groups = 1 + 2 * rows // most
    last = max(int(table["rank"].max()) for table in files.read_slices(number, most))  # type: ignore[arg-type]
    every = max(1, rows // IDS)
    shared = (table.filter(pl.col("rank") == last)[PAPER] for table in files.read_slices(number, most))
    sample = pl.concat([ids.gather_every(every) for ids in shared]).sort()
    splitters = sample.gather(np.arange(1, groups) * len(sample) // groups)
    folder = files.folder / f"split-{number:05d}"
    folder.mkdir()
    split = RowFiles(folder, groups + 1, files.schema, buffer=files.buffer)
    for table in files.read_slices(number, most):
        group = np.asarray(splitters.search_sorted(table[PAPER], side="right").to_numpy()).astype(np.int64) + 1
        group[table["rank"].to_numpy() < last] = 0
        split.put(table, group)
    split.close()
    files.delete(number)
    return split


def _taken_in_order(file: tuple[RowFiles, int]) -> pl.DataFrame:
    """The rows of a file, which is then gone."""
    files, number = file
    table = files.read(number).rechunk()  # picking rows from many pieces takes several times as long
    files.delete(number)
    return in_order(table)
