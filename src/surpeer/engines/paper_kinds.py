"""Kinds of papers (surpeer.engines.kinds) among those of many batches: a kind is scored and ranked once, and a paper is
its id and the number of its kind, which is less to keep, to write and to read again than its row of the scored table.

Where kinds turn out to be many, papers are scored one by one from there on.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.engines.kinds import Kinds, kinds_of

KIND = "kind"
"""The column with the number."""

COUNTS = re.compile(r"n\d+")  # columns of sums: reviews that gave a level


Hashes = NDArray[np.uint64]


class Looked(NamedTuple):
    """Papers of which many are of one kind."""

    sums: pl.DataFrame
    reviews: int
    """Of all these papers."""
    kind: IntArray
    """(n,) of each paper: where among the examples its own is."""
    examples: pl.DataFrame
    """Sums of one paper of each kind."""
    hashes: Hashes
    """(h,) of the examples, ascending, each once."""
    first: IntArray
    """(h,) the first example that has it."""
    which: IntArray
    """(k,) of each example: where among the hashes its own is."""

    @classmethod
    def of(cls, sums: pl.DataFrame, kinds: Kinds) -> "Looked":
        examples = sums.drop(PAPER)[kinds.examples]
        hashes, first, which = np.unique(examples.hash_rows().to_numpy(), return_index=True, return_inverse=True)
        counts = [name for name in sums.columns if COUNTS.fullmatch(name)]
        reviews = sum(int(sums[name].sum()) for name in counts)
        return cls(sums, reviews, kinds.kind, examples, hashes, first, which)


class PaperKinds:
    """The kinds that were found up to now."""

    def __init__(self, score: Callable[[pl.DataFrame], pl.DataFrame], most: int) -> None:
        """None yet.

        score : sums by paper, none below 0 -> their scored table, each row by itself
        most : how many kinds are few
        """
        self.few = most > 0
        """Whether all papers up to now have the number of a kind."""
        self.reviews = 0
        """Of all papers up to now."""
        self.papers: IntArray = np.zeros(0, dtype=np.int64)
        """How many each kind has."""
        self._score, self._most = score, most
        self._table = pl.DataFrame()
        self._unscored: list[pl.DataFrame] = []
        self._sums = pl.DataFrame()
        self._hashes: Hashes = np.zeros(0, dtype=np.uint64)  # ascending
        self._numbers: IntArray = np.zeros(0, dtype=np.int64)  # of the kinds that have them

    @property
    def table(self) -> pl.DataFrame:
        """A scored table of kinds instead of papers, in the order of their numbers. Those that are new are scored now:
        all at once takes less time."""
        if self._unscored:
            sums = pl.concat(self._unscored)
            self._unscored.clear()
            scored = self._score(sums.with_columns(pl.Series(PAPER, np.arange(len(sums))))).drop(PAPER)
            self._table = pl.concat([self._table, scored], rechunk=True) if len(self._table) else scored
        return self._table

    def undefined(self) -> int:
        """Papers with a kind that has no score."""
        return int(self.papers[self.table["score"].is_nan().to_numpy()].sum()) if len(self.papers) else 0

    def look(self, sums: pl.DataFrame) -> Looked | pl.DataFrame:
        """Which papers of a batch are of one kind, or their scored table where kinds are many. In any thread."""
        found = kinds_of([column.to_numpy() for column in sums.drop(PAPER)]) if self.few else None
        return self._score(sums) if found is None else Looked.of(sums, found)

    def numbered(self, batch: Looked | pl.DataFrame) -> pl.DataFrame:
        """Ids and kinds of papers, or their scored table where kinds are many, now and from then on."""
        if isinstance(batch, pl.DataFrame):
            self.few = False
            self.reviews += int(batch["reviews"].sum())
            return batch
        self.reviews += batch.reviews
        kind = self._kinds(batch) if self.few else None
        if kind is None:
            self.few = False
            return self._score(batch.sums)
        self.papers += np.bincount(kind, minlength=len(self.papers))
        return pl.DataFrame({PAPER: batch.sums[PAPER], KIND: kind.astype(np.uint32)})

    def whole(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The scored table of papers with the numbers of their kinds; others are scored already."""
        if KIND not in rows.columns:
            return rows
        return self.table[rows[KIND]].insert_column(0, rows[PAPER])

    def _kinds(self, batch: Looked) -> IntArray | None:
        """(n,) the kinds of these papers; None where there are too many."""
        number = self._known(batch.hashes)
        new = np.flatnonzero(number < 0)
        if len(self.papers) + len(new) > self._most:
            return None
        if len(new):
            number[new] = len(self.papers) + np.arange(len(new))
            self._add(batch.examples[batch.first[new]], batch.hashes[new])
        of_examples = number[batch.which]
        if not self._sums[of_examples].equals(batch.examples):
            return None  # different kinds have the same hash
        return np.asarray(of_examples[batch.kind])

    def _known(self, hashes: Hashes) -> IntArray:
        """(n,) the numbers of kinds with these hashes, -1 for new ones."""
        if not len(self._hashes):
            return np.full(len(hashes), -1)
        at = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        return np.where(self._hashes[at] == hashes, self._numbers[at], -1)

    def _add(self, sums: pl.DataFrame, hashes: Hashes) -> None:
        """Add kinds that were not there before. hashes : (n,) ascending"""
        first = len(self.papers)
        self._unscored.append(sums)
        self._sums = pl.concat([self._sums, sums], rechunk=True) if first else sums
        self.papers = np.append(self.papers, np.zeros(len(sums), dtype=np.int64))
        there = np.searchsorted(self._hashes, hashes)
        self._hashes = np.insert(self._hashes, there, hashes)
        self._numbers = np.insert(self._numbers, there, first + np.arange(len(sums)))
