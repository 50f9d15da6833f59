"""The sums of all papers, wherever they are kept: an engine's result, which can be gone through more than once."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import polars as pl

from surpeer.engines.repeated import PAIR, Repeated
from surpeer.engines.rows import Form
from surpeer.engines.sums import with_ids
from surpeer.engines.sums_of_parts import Tables
from surpeer.io.in_threads import in_threads

AddUp: TypeAlias = Callable[[pl.DataFrame, Form], pl.DataFrame]
"""Reviews that are in memory -> their sums by paper: what an engine has to do."""


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


@dataclass(frozen=True)
class SummedInTables:
    """Many batches, with ids as they are in rows; they may be added up when somebody asks for them."""

    form: Form
    tables: Tables
    in_hash_order: bool = False

    def __len__(self) -> int:
        return len(self.tables)

    def batch(self, number: int) -> pl.DataFrame:
        """One of them."""
        return with_ids(pl.DataFrame(self.tables[number]), self.form)

    def batches(self) -> Iterator[pl.DataFrame]:
        return in_threads(self.batch, range(len(self)))

    def in_memory(self) -> SummedInMemory:
        """The same for those who go through all of them more than once."""
        return SummedInMemory(self.form, pl.concat(self.batches(), rechunk=False))


def sum_at_once(rows: Iterable[pl.DataFrame], form: Form, repeated: Repeated, sum_rows: AddUp) -> SummedInMemory:
    """Sums of reviews that all fit into memory."""
    table = pl.concat(rows, rechunk=False)
    repeated.look_in(table)
    return SummedInMemory(form, with_ids(sum_rows(table.drop(PAIR, strict=False), form), form))
