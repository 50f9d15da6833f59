"""Scored tables in part files -> ranked chunks in order, within a limit of memory.

Where everything fits, it is done in memory (surpeer.engines.ranked_table). Otherwise every paper's place is found first
(surpeer.engines.places_on_disk); then the rows are written into a file for each range of ranks, and the files are
sorted one after the other. Papers that share a rank and do not fit into memory are split by their ids. The result is
the same in each case.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.engines.memory import ITSELF
from surpeer.engines.number_files import pieces
from surpeer.engines.places_on_disk import PER_PAPER, FoundPlaces, find_places
from surpeer.engines.progress import SILENT, Progress
from surpeer.engines.ranked_table import in_order, ranked_table, with_places
from surpeer.engines.scored_parts import ScoredParts

# How often a table is in memory while it is sorted.
COPIES = 3

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
        yield from self._sorted(self._by_rank(scored, found, max(1, most // 2)), most)

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

    def _by_rank(self, scored: ScoredParts, found: FoundPlaces, width: int) -> "list[list[RowFile]]":
        """Files with the rows of each range of `width` ranks."""
        folder = self._folder("ranks")
        width = max(width, -(-self.papers // MOST_FILES))
        files: list[list[RowFile]] = [[] for _ in range(-(-self.papers // width))]
        for batch, (place, tie, cycle) in zip(scored.batches, found.batches, strict=True):
            ranked = with_places(batch.read(), place, tie, cycle)
            for number, part in _split(ranked, place // width):
                files[number].append(RowFile.write(part, folder / f"{number}-{len(files[number])}.arrow"))
            self.progress.advance(batch.rows)
        return files

    def _sorted(self, files: "list[list[RowFile]]", most: int) -> Iterator[pl.DataFrame]:
        for found in filter(None, files):
            for group in _by_id(found, most) if _rows_in(found) > most else [found]:
                chunk = in_order(_take(group))
                self.progress.advance(len(chunk))
                yield chunk


def ranked_chunks(
    parts: Sequence[Path], work: Path, memory: int, progress: Progress | None = None
) -> Iterator[pl.DataFrame]:
    """The ranking of the papers in these part files, in chunks: see RankingOnDisk."""
    return RankingOnDisk(parts, work, memory, progress or SILENT).chunks()


class RowFile(NamedTuple):
    """Rows in a file."""

    path: Path
    rows: int

    @classmethod
    def write(cls, table: pl.DataFrame, path: Path) -> "RowFile":
        table.write_ipc(path)
        return cls(path, len(table))

    def read(self, columns: list[str] | None = None) -> pl.DataFrame:
        return pl.read_ipc(self.path, columns=columns)


def _by_id(files: list[RowFile], most: int) -> list[list[RowFile]]:
    """Split papers of a range of ranks that are too many: nearly all of them share its last rank.

    A rank that is shared by more papers than a range has ranks is the last one in its range.
    """
    rows = _rows_in(files)
    groups = 1 + 2 * rows // most
    last = max(int(file.read(["rank"])["rank"].max()) for file in files)  # type: ignore[arg-type]
    every = max(1, rows // IDS)
    shared = (file.read(["rank", PAPER]).filter(pl.col("rank") == last)[PAPER] for file in files)
    sample = pl.concat([ids.gather_every(every) for ids in shared]).sort()
    splitters = sample.gather(np.arange(1, groups) * len(sample) // groups)
    result: list[list[RowFile]] = [[] for _ in range(groups + 1)]
    for file in files:
        table = file.read()
        group = np.asarray(splitters.search_sorted(table[PAPER], side="right").to_numpy()).astype(np.int64) + 1
        group[table["rank"].to_numpy() < last] = 0
        for number, part in _split(table, group):
            result[number].append(RowFile.write(part, file.path.with_name(f"{file.path.stem}-{number}.arrow")))
        file.path.unlink()
    return [group for group in result if group]


def _split(table: pl.DataFrame, number: IntArray) -> Iterator[tuple[int, pl.DataFrame]]:
    """The rows of each number."""
    order = np.argsort(number.astype(np.uint16), kind="stable")
    ordered = table[order]
    return ((one, ordered[part]) for one, part in pieces(number[order]))


def _rows_in(files: list[RowFile]) -> int:
    return sum(file.rows for file in files)


def _take(files: list[RowFile]) -> pl.DataFrame:
    """The rows of these files, which are then gone."""
    table = pl.concat([file.read() for file in files], rechunk=True)
    for file in files:
        file.path.unlink()
    return table
