"""Sums by paper where ids are whole numbers without large gaps: then an id says where its sums are, and nothing need be
looked up.

The same table as that of surpeer.engines.sums, several times as fast as any group-by.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polars as pl

from surpeer.columns import PAPER, RATING
from surpeer.core.fixed_point import EXACT_FLOAT
from surpeer.core.shapes import FloatArray, IntArray
from surpeer.engines.rows import ANY, HAS, INEXACT, MILLION, Form
from surpeer.engines.sums import SUMMED_PARTS, sum_names

# Places for ids that nobody has, for each review. With more gaps than this looking up is faster than the empty places.
GAPS = 4

# Reviews and predictions of one paper are added up in one float, reviews in steps of this.
PACK = 1 << 32
MOST_PACKED = PACK // MILLION - 1

# Reviews at a time, so that what is computed on the way does not double the memory.
LEAST_AT_ONCE = 1 << 22

Column = tuple[str, IntArray]


def numbered_sums(rows: pl.DataFrame, form: Form) -> pl.DataFrame | None:
    """The sums by paper, or None if ids are no such numbers. Papers come in the order of their ids."""
    ids = rows[PAPER]
    if form.track or form.title or not ids.dtype.is_integer() or not len(ids):
        return None
    first, last = int(ids.min()), int(ids.max())  # type: ignore[arg-type]
    places = last - first + 1
    if places > GAPS * len(ids) + 1000:
        return None
    number = ids.to_numpy() - first
    adding = _Adding(number, rows, form, places)
    sums = dict(adding.packed() or adding.columns())
    there = np.zeros(places, dtype=np.bool_)
    for level in range(form.levels):
        there |= sums[f"n{level}"] > 0
    present = np.flatnonzero(there)
    columns = {name: sums[name] if len(present) == places else sums[name][present] for name in sum_names(form)}
    return pl.DataFrame({PAPER: (present + first).astype(np.int64), **columns})


class _Adding:
    """Whole numbers of reviews, and where each belongs."""

    def __init__(self, number: IntArray, rows: pl.DataFrame, form: Form, places: int) -> None:
        self.number, self.rows, self.form, self.places = number, rows, form, places
        self.rating = rows[RATING].to_numpy()

    def packed(self) -> list[Column] | None:
        """Reviews and predictions added up at once, where there is one number for each review."""
        form = self.form
        if list(form.shares) != [1] or not (form.decimal and form.complete) or form.pairs:
            return None
        shares = self.rows["m1"].to_numpy()
        size = form.levels * self.places

        def part(block: slice) -> FloatArray:
            packed = shares[block].astype(np.float64) + float(PACK)
            return np.asarray(np.bincount(self._cells(block), weights=packed, minlength=size), dtype=np.float64)

        total = _added(part, self._blocks(max(size, LEAST_AT_ONCE)))
        counts = np.floor(total * (1 / PACK))
        if counts.max() > MOST_PACKED or counts.sum() != len(shares):
            return None
        predicted = (total - counts * PACK).astype(np.int64).reshape(form.levels, -1)
        by_level = counts.astype(np.int64).reshape(form.levels, -1)
        return [(f"n{own}", by_level[own]) for own in range(2)] + [(f"s{own}_1", predicted[own]) for own in range(2)]

    def columns(self) -> Iterator[Column]:
        """One sum after the other."""
        form, cells = self.form, self._cells(slice(None))
        counts = np.bincount(cells, minlength=form.levels * self.places).reshape(form.levels, -1)
        self.most = int(counts.sum(axis=0).max())
        yield from self._by_level("n", counts)
        by_cell: dict[str, str] = {}
        if form.predictions and not form.complete:
            by_cell["p"] = HAS
        by_cell |= {f"{SUMMED_PARTS[part]}{{}}_{k}": f"{part}{k}" for part in form.parts for k in form.shares}
        if form.completes:
            by_cell |= {"a": ANY, **{f"v{{}}_{k}": f"v{k}" for k in range(form.levels)}}
        by_paper = [INEXACT] if form.predictions and not form.decimal else []
        with ThreadPoolExecutor(os.cpu_count() or 1) as workers:
            found = workers.map(lambda name: self._sum(cells, self._column(name), form.levels), by_cell.values())
            for name, sums in zip(by_cell, found, strict=True):
                yield from self._by_level(name, sums)
            names = by_paper + [f"t{one}_{two}" for one, two in form.pairs]
            found = workers.map(lambda name: self._sum(self.number, self._column(name), 1)[0], names)
            yield from zip(names, found, strict=True)

    def _by_level(self, name: str, sums: IntArray) -> Iterator[Column]:
        pattern = name if "{}" in name else name + "{}"
        return ((pattern.format(own), sums[own]) for own in range(self.form.levels))

    def _column(self, name: str) -> IntArray:
        if name in self.rows.columns:
            return np.asarray(self.rows[name].to_numpy().astype(np.int64))
        one, two = name[1:].split("_")  # a product
        return np.asarray(self.rows[f"m{one}"].to_numpy().astype(np.int64) * self.rows[f"m{two}"].to_numpy())

    def _sum(self, cells: IntArray, numbers: IntArray, levels: int) -> IntArray:
        """(levels, places). In floats where no sum can leave the whole numbers that they hold."""
        size = levels * self.places
        if int(np.abs(numbers).max(initial=0)) * self.most < EXACT_FLOAT:
            return np.bincount(cells, weights=numbers, minlength=size).astype(np.int64).reshape(levels, -1)
        sums = np.zeros(size, dtype=np.int64)
        np.add.at(sums, cells, numbers)
        return sums.reshape(levels, -1)

    def _cells(self, block: slice) -> IntArray:
        """One for each level and paper, papers next to each other."""
        cells = self.rating[block] * np.int64(self.places)
        cells += self.number[block]
        return np.asarray(cells)

    def _blocks(self, rows: int) -> list[slice]:
        return [slice(start, start + rows) for start in range(0, len(self.number), rows)]


def _added(part: Callable[[slice], FloatArray], blocks: list[slice]) -> FloatArray:
    with ThreadPoolExecutor(os.cpu_count() or 1) as workers:
        parts = workers.map(part, blocks)
        total = next(parts)
        for other in parts:
            total += other
    return total
