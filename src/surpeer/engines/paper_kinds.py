"""Kinds of papers (surpeer.engines.kinds) among those of many batches: a kind is scored once, and a paper is its id and
the number of its kind, which is less to write and to read again than its row of the scored table.

Where kinds turn out to be many, papers are scored one by one from there on.
"""

from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.engines.kinds import kinds_of

KIND = "kind"
"""The column with the number."""

Hashes = NDArray[np.uint64]


class PaperKinds:
    """The kinds that were found up to now."""

    def __init__(self, score: Callable[[pl.DataFrame], pl.DataFrame], most: int) -> None:
        """None yet.

        score : sums by paper, none below 0 -> their scored table, each row by itself
        most : how many kinds are few
        """
        self.few = most > 0
        """Whether all papers up to now have the number of a kind."""
        self.table = pl.DataFrame()
        """A scored table of kinds instead of papers, in the order of their numbers."""
        self.papers: IntArray = np.zeros(0, dtype=np.int64)
        """How many each kind has."""
        self._score, self._most = score, most
        self._sums = pl.DataFrame()
        self._hashes: Hashes = np.zeros(0, dtype=np.uint64)  # ascending
        self._numbers: IntArray = np.zeros(0, dtype=np.int64)  # of the kinds that have them

    def numbered(self, sums: pl.DataFrame) -> pl.DataFrame | None:
        """Ids and kinds of the papers of a batch; None where kinds are many, now and from then on."""
        kind = self._kinds(sums.drop(PAPER)) if self.few else None
        if kind is None:
            self.few = False
            return None
        self.papers += np.bincount(kind, minlength=len(self.papers))
        return pl.DataFrame({PAPER: sums[PAPER], KIND: kind.astype(np.uint32)})

    def whole(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The scored table of papers with the numbers of their kinds; others are scored already."""
        if KIND not in rows.columns:
            return rows
        return self.table[rows[KIND]].insert_column(0, rows[PAPER])

    def values(self, rows: pl.DataFrame, column: str) -> pl.Series:
        """One column of that table."""
        return rows[column] if KIND not in rows.columns else self.table[column].gather(rows[KIND])

    def _kinds(self, sums: pl.DataFrame) -> IntArray | None:
        """(n,) the kinds of these papers; new ones are scored."""
        found = kinds_of([column.to_numpy() for column in sums])
        if found is None:
            return None
        examples = sums[found.examples]
        different, first, which = np.unique(examples.hash_rows().to_numpy(), return_index=True, return_inverse=True)
        number = self._known(different)
        new = np.flatnonzero(number < 0)
        if len(self.papers) + len(new) > self._most:
            return None
        if len(new):
            number[new] = len(self.papers) + np.arange(len(new))
            self._add(examples[first[new]], different[new])
        if not self._sums[number[which]].equals(examples):
            return None  # different kinds have the same hash
        return np.asarray(number[which][found.kind])

    def _known(self, hashes: Hashes) -> IntArray:
        """(n,) the numbers of kinds with these hashes, -1 for new ones."""
        if not len(self._hashes):
            return np.full(len(hashes), -1)
        at = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        return np.where(self._hashes[at] == hashes, self._numbers[at], -1)

    def _add(self, sums: pl.DataFrame, hashes: Hashes) -> None:
        """Add kinds that were not there before."""
        scored = self._score(sums.with_columns(pl.Series(PAPER, np.arange(len(sums))))).drop(PAPER)
        first = len(self.papers)
        self._sums = pl.concat([self._sums, sums], rechunk=True) if first else sums
        self.table = pl.concat([self.table, scored], rechunk=True) if first else scored
        self.papers = np.append(self.papers, np.zeros(len(sums), dtype=np.int64))
        known, numbers = np.append(self._hashes, hashes), np.append(self._numbers, first + np.arange(len(sums)))
        order = np.argsort(known)
        self._hashes, self._numbers = known[order], numbers[order]
