"""The sums of all papers, wherever they are kept: an engine's result, which can be gone through more than once."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import polars as pl

from surpeer.engines.rows import Form


class Summed(Protocol):
    """Sums by paper in batches: every paper in one of them, and once."""

    @property
    def form(self) -> Form:
        """Which sums there are."""

    @property
    def in_hash_order(self) -> bool:
        """Whether all ids of a batch have smaller hashes than those of later batches."""

    def batches(self) -> Iterator[pl.DataFrame]:
        """From the first one on, each time this is called."""


@dataclass(frozen=True)
class SummedInMemory:
    """One batch."""

    form: Form
    table: pl.DataFrame
    in_hash_order: bool = True

    def batches(self) -> Iterator[pl.DataFrame]:
        yield self.table
