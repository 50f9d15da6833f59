"""Scored tables in part files, read in batches that are not too large. A part may have numbers of kinds instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.engines.paper_kinds import PaperKinds
from surpeer.engines.ranked_table import defined_in
from surpeer.engines.texts_apart import size_in_memory

NUMBERS = ["score", "mean", "status"]

MOST_BATCHES = 10_000


class Batch(NamedTuple):
    """Rows of a part file."""

    path: Path
    offset: int
    rows: int
    first: int
    """The number of its first row among the rows of all parts."""
    kinds: PaperKinds | None = None

    def read(self) -> pl.DataFrame:
        """The scored table."""
        rows = self.read_as_kept()
        return rows if self.kinds is None else self.kinds.whole(rows)

    def read_as_kept(self) -> pl.DataFrame:
        """The same, or ids and numbers of kinds."""
        return scan_part(self.path).slice(self.offset, self.rows).collect()

    def columns(self, names: list[str]) -> pl.DataFrame:
        """Some columns of the scored table."""
        if self.kinds is not None:
            return self.read().select(names)
        return scan_part(self.path).select(names).slice(self.offset, self.rows).collect()

    def numbers(self) -> tuple[FloatArray, BoolArray, FloatArray]:
        """Score, whether it is defined, and mean of each row."""
        table = self.columns(NUMBERS)
        return table["score"].to_numpy(), defined_in(table), table["mean"].to_numpy()


@dataclass(frozen=True)
class ScoredParts:
    """All parts."""

    paths: Sequence[Path]
    most_bytes: int
    """How large a batch may be in memory."""
    kinds: PaperKinds | None = None
    """Those that parts have numbers of."""

    @cached_property
    def lengths(self) -> list[int]:
        return [int(scan_part(path).select(pl.len()).collect().item()) for path in self.paths]

    @cached_property
    def papers(self) -> int:
        return sum(self.lengths)

    @cached_property
    def row_bytes(self) -> int:
        """Bytes of a row of the scored table in memory, as far as the first rows of all parts tell."""
        return _bytes_of_row([head.read() for head in self._heads])

    @cached_property
    def kept_bytes(self) -> int:
        """The same of what parts have instead."""
        return _bytes_of_row([head.read_as_kept() for head in self._heads])

    @property
    def _heads(self) -> list[Batch]:
        return [Batch(path, 0, 1000, 0, self.kinds) for path in self.paths[:20]]

    @cached_property
    def batches(self) -> list[Batch]:
        step = max(1, self.most_bytes // max(1, self.row_bytes), self.papers // MOST_BATCHES)
        found, first = [], 0
        for path, length in zip(self.paths, self.lengths, strict=True):
            for offset in range(0, length, step):
                rows = min(step, length - offset)
                found.append(Batch(path, offset, rows, first, self.kinds))
                first += rows
        return found

    @property
    def firsts(self) -> IntArray:
        return np.array([batch.first for batch in self.batches], dtype=np.int64)


def _bytes_of_row(tables: list[pl.DataFrame]) -> int:
    return -(-sum(map(size_in_memory, tables)) // max(1, sum(map(len, tables))))


def scan_part(path: Path) -> pl.LazyFrame:
    """A part file, which is Parquet if its name says so, and Arrow IPC otherwise."""
    return pl.scan_parquet(path, glob=False) if path.suffix == ".parquet" else pl.scan_ipc(path, glob=False)
