"""Papers that are ids and numbers of kinds (surpeer.engines.paper_kinds) -> ranked tables, as their whole rows would be
ranked by surpeer.engines.ranked_table: kinds are compared, not papers, and whole rows are made when they are in order.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.core.places import PaperPlaces, paper_places
from surpeer.core.shapes import IntArray
from surpeer.engines.kinds import MOST_BITS
from surpeer.engines.paper_kinds import KIND, PaperKinds
from surpeer.engines.ranked_table import defined_in, order_of_rows, with_places
from surpeer.ranking import fast_argsort

ROWS_AT_ONCE = 1 << 17
"""Sorted papers that are taken apart at once."""


@dataclass(frozen=True)
class RankedKinds:
    """Where every kind stands, once all papers have one."""

    kinds: PaperKinds

    @cached_property
    def _found(self) -> PaperPlaces:
        table = self.kinds.table
        score, mean = table["score"].to_numpy(), table["mean"].to_numpy()
        return paper_places(score, defined_in(table), mean, self.kinds.papers, fast_argsort)

    @property
    def place(self) -> IntArray:
        """(k,) of each kind."""
        return self._found.place

    @property
    def undefined(self) -> int:
        """Papers without a score."""
        return self.kinds.undefined()

    @property
    def broken(self) -> int:
        """Pairwise comparisons that the order does not keep."""
        return self._found.broken

    @cached_property
    def _table(self) -> pl.DataFrame:
        return with_places(self.kinds.table, self._found.place, self._found.tie, self._found.cycle)

    def places(self, rows: pl.DataFrame) -> IntArray:
        """(n,) of these papers."""
        return np.asarray(self._found.place[rows[KIND].to_numpy()])

    @cached_property
    def _by_place(self) -> "_ByPlace":
        return _ByPlace.of(self._found.place)

    def in_order(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Ids and kinds of these papers by rank, then by id."""
        found = self._by_place.sorted(rows) if rows[PAPER].dtype.is_integer() and len(rows) else None
        if found is not None:
            return found
        rows = rows.rechunk()  # picking rows from many pieces takes several times as long
        tie = self._found.tie[rows[KIND].to_numpy()]
        return rows[order_of_rows(self.places(rows), tie, rows[PAPER])]

    def whole(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The ranked table of these papers, in the order in which they are."""
        return self._table[rows[KIND]].insert_column(1, rows[PAPER])


class _Bits(NamedTuple):
    """How many bits of a number are for what."""

    place: int
    id: int
    which: int


class _ByPlace(NamedTuple):
    """Kinds in the order of their places, for sorting papers as numbers: place, id, and which of the kinds that share
    the place. Numbers are sorted several times as fast as rows, and say afterwards what they were made of."""

    kind: IntArray
    """(k,) in order."""
    place: IntArray
    """(k,) of each kind, by its number: places from 0 on, none left out."""
    which: IntArray
    """(k,) of each kind, by its number: among those that share its place."""
    first: IntArray
    """(p,) where the kinds of each place begin."""

    @classmethod
    def of(cls, place: IntArray) -> "_ByPlace":
        distinct, dense = np.unique(place, return_inverse=True)
        order = np.argsort(dense, kind="stable")
        first = np.searchsorted(dense[order], np.arange(len(distinct)))
        which = np.empty_like(order)
        which[order] = np.arange(len(order)) - first[dense[order]]
        return cls(order, dense, which, first)

    def sorted(self, rows: pl.DataFrame) -> pl.DataFrame | None:
        """Papers with whole numbers as ids by place, then by id; None where that is too much for 64 bits."""
        least, most = rows.select(least=pl.col(PAPER).min(), most=pl.col(PAPER).max()).row(0)
        bits = _Bits(*(int(highest).bit_length() for highest in (self.place.max(), most - least, self.which.max())))
        if sum(bits) > MOST_BITS:
            return None
        numbers = np.empty(len(rows), dtype=np.int64)
        of_kind = self.place << (bits.id + bits.which) | self.which
        parts = _parts(numbers)
        for number, part in zip(parts, rows.iter_slices(ROWS_AT_ONCE), strict=True):
            np.left_shift(part[PAPER].to_numpy() - least, bits.which, out=number)
            np.bitwise_or(number, of_kind[part[KIND].to_numpy()], out=number)
        numbers.sort()
        return pl.concat([self._rows(number, bits, least) for number in parts])

    def _rows(self, number: IntArray, bits: _Bits, least: int) -> pl.DataFrame:
        """The papers that these numbers were made of."""
        kind = self.first[number >> (bits.id + bits.which)] + (number & ((1 << bits.which) - 1))
        paper = ((number >> bits.which) & ((1 << bits.id) - 1)) + least
        return pl.DataFrame({PAPER: paper, KIND: self.kind[kind].astype(np.uint32)})


def _parts(numbers: IntArray) -> list[IntArray]:
    """Views of as many as are worked on at once: large arrays one after the other take several times as long, the
    memory for each being found and cleared anew."""
    return [numbers[start : start + ROWS_AT_ONCE] for start in range(0, len(numbers), ROWS_AT_ONCE)]
