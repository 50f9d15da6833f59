"""Scored tables in part files -> ranked chunks in order, within a limit of memory.

Where everything fits, it is done in memory (surpeer.engines.ranked_table). Otherwise every paper's place is found first
(surpeer.engines.places_on_disk); then rows, or what stands for them (surpeer.engines.placed_rows), are written into a
file for each range of ranks, and the files are sorted one after the other. Papers that share a rank and do not fit into
memory are split by their ids. The result is the same in each case.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.engines.memory import ITSELF, give_back
from surpeer.engines.paper_kinds import PaperKinds
from surpeer.engines.placed_rows import PlacedRows, RowsOfKinds, WholeRows
from surpeer.engines.places_on_disk import PER_PAPER, find_places
from surpeer.engines.progress import SILENT, Progress
from surpeer.engines.ranked_kinds import RankedKinds
from surpeer.engines.ranked_table import ROWS_OF_RESULT, ranked_table
from surpeer.engines.row_files import RowFiles
from surpeer.engines.scored_parts import ScoredParts
from surpeer.engines.texts_apart import with_texts_apart
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
    kinds : those that parts have numbers of
    """

    parts: Sequence[Path]
    work: Path
    memory: int
    progress: Progress = SILENT
    kinds: PaperKinds | None = None
    papers: int = field(default=0, init=False)
    undefined: int = field(default=0, init=False)
    """Papers without a score."""
    broken: int = field(default=0, init=False)
    """Pairwise comparisons that the order does not keep. All three are known as soon as there is a chunk."""

    def chunks(self) -> Iterator[pl.DataFrame]:
        """Ranked tables; all of them, one after the other, are the ranking."""
        free = max(1, self.memory - ITSELF)
        scored = ScoredParts(self.parts, max(1, free // (4 * COPIES)), self.kinds)
        self.papers = scored.papers
        if self.papers * (COPIES * scored.row_bytes + PER_PAPER) <= free:
            yield self._in_memory(scored)
            return
        self.progress.begin("ranking", 2 * self.papers)
        row_bytes = scored.row_bytes if self._few_kinds is None else scored.kept_bytes
        most = max(1, free // (COPIES * max(1, row_bytes) + PER_PAPER))
        rows = self._placed(scored, free // 2, max(1, most // (2 * IN_MEMORY)))
        self.undefined, self.broken = rows.undefined, rows.broken
        files = self._by_rank(rows, max(1, most // (2 * IN_MEMORY)), free // 6)
        if files is not None:
            give_back()
            yield from self._sorted(files, rows, max(1, most // IN_MEMORY))

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

    @property
    def _few_kinds(self) -> PaperKinds | None:
        """Those of all papers; None where there are too many, and rows are whole before they are in order."""
        return self.kinds if self.kinds is not None and self.kinds.few else None

    def _placed(self, scored: ScoredParts, free: int, many: int) -> PlacedRows:
        if self._few_kinds is not None:
            return RowsOfKinds(scored, RankedKinds(self._few_kinds), many)
        return WholeRows(scored, find_places(scored, self._folder("places"), free))

    def _by_rank(self, rows: PlacedRows, width: int, buffer: int) -> RowFiles | None:
        """Files with the rows of each range of `width` ranks."""
        width = max(width, -(-self.papers // MOST_FILES))
        batches = rows.batches()
        first = next(batches, None)
        if first is None:
            return None
        files = RowFiles(self._folder("ranks"), -(-self.papers // width), first[0].schema, buffer=buffer)

        def put(batch: tuple[pl.DataFrame, IntArray]) -> int:
            files.put(batch[0], batch[1] // width)
            return len(batch[0])

        # In a thread of its own, so that reading goes on while rows are sorted and written.
        for papers in in_threads(put, chain([first], batches), threads=1, ahead=1):
            self.progress.advance(papers)
        files.close()
        return files

    def _sorted(self, files: RowFiles, rows: PlacedRows, most: int) -> Iterator[pl.DataFrame]:
        """The ranked tables of all files, while the next ones are sorted already."""

        def taken_in_order(file: tuple[RowFiles, int]) -> pl.DataFrame:
            return rows.in_order(_taken(*file))

        tables = in_threads(taken_in_order, _that_fit(files, rows, most), SORTED_AT_ONCE)
        slices = (some for table in tables for some in table.iter_slices(ROWS_OF_RESULT))
        for chunk in in_threads(rows.whole, slices, SORTED_AT_ONCE):
            self.progress.advance(len(chunk))
            yield chunk


def ranked_chunks(
    parts: Sequence[Path], work: Path, memory: int, progress: Progress | None = None
) -> Iterator[pl.DataFrame]:
    """The ranking of the papers in these part files, in chunks: see RankingOnDisk."""
    return RankingOnDisk(parts, work, memory, progress or SILENT).chunks()


def _that_fit(files: RowFiles, rows: PlacedRows, most: int) -> Iterator[tuple[RowFiles, int]]:
    """The files that have rows, with their numbers; those with more than `most` rows are split."""
    for number in range(files.count):
        if files.rows(number) > most:
            split = _by_id(files, rows, number, most)
            yield from ((split, group) for group in range(split.count) if split.rows(group))
        elif files.rows(number):
            yield files, number


def _by_id(files: RowFiles, rows: PlacedRows, number: int, most: int) -> RowFiles:
    """Split papers of a range of ranks that are too many: nearly all of them share one rank."""
    groups = 1 + 2 * files.rows(number) // most
    shared, ids = _shared_rank(files, rows, number, most)
    splitters = ids.gather(np.arange(1, groups) * len(ids) // groups)
    folder = files.folder / f"split-{number:05d}"
    folder.mkdir()
    split = RowFiles(folder, groups + 2, files.schema, buffer=files.buffer)
    for table in files.read_slices(number, most):
        group = np.asarray(splitters.search_sorted(table[PAPER], side="right").to_numpy()).astype(np.int64) + 1
        rank = rows.ranks(table)
        group[rank < shared], group[rank > shared] = 0, groups + 1
        split.put(table, group)
    split.close()
    files.delete(number)
    return split


def _shared_rank(files: RowFiles, rows: PlacedRows, number: int, most: int) -> tuple[int, pl.Series]:
    """The rank that most papers of a file share, and ids of some that have it, in order."""
    every = max(1, files.rows(number) // IDS)
    sample = pl.concat(
        [
            with_texts_apart(pl.DataFrame({"rank": rows.ranks(table), PAPER: table[PAPER]}).gather_every(every))
            for table in files.read_slices(number, most)
        ]
    )
    shared = int(sample["rank"].mode().min())  # type: ignore[arg-type]
    return shared, sample.filter(pl.col("rank") == shared)[PAPER].sort()


def _taken(files: RowFiles, number: int) -> pl.DataFrame:
    """The rows of a file, which is then gone."""
    table = files.read(number).rechunk()  # picking rows from many pieces takes several times as long
    files.delete(number)
    return table
