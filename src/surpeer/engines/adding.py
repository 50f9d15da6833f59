"""Whole numbers of reviews added up by paper, where every review has the number of its paper.

The same sums as those of surpeer.engines.sums, several times as fast as any group-by.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from surpeer.columns import PAPER, RATING
from surpeer.core.fixed_point import EXACT_FLOAT
from surpeer.core.shapes import IntArray
from surpeer.engines.rows import ANY, HAS, INEXACT, MILLION, Form
from surpeer.engines.sums import SUMMED_PARTS, sum_names

# Reviews and predictions of one paper are added up in one float, reviews in steps of this.
PACK = 1 << 32
MOST_PACKED = PACK // MILLION - 1

Columns = Mapping[str, IntArray]
"""Of rows (surpeer.engines.rows), or of sums; each (n,), of whole numbers of any size."""


def is_short(form: Form) -> bool:
    """Whether a row is an id, one of two levels, and one share in millionths."""
    return list(form.shares) == [1] and form.decimal and form.complete and not form.completes


def sums_by_number(number: IntArray, rows: Columns, form: Form, places: int) -> dict[str, IntArray]:
    """The sums of papers 0 to places - 1, by the names of their columns.

    number : (n,) of the paper of each review
    """
    sums = None
    if is_short(form):
        cells = number << 1
        cells |= rows[RATING]
        sums = sums_of_two_levels(cells, rows["m1"], places, bool(form.pairs))
    if sums is None:
        sums = dict(_Adding(number, rows, form, places).columns())
    return {name: sums[name] for name in sum_names(form)}


def sums_of_two_levels(cells: IntArray, shares: IntArray, places: int, products: bool) -> dict[str, IntArray] | None:
    """The same of rows that are short: reviews and predictions are added up at once. None if there are too many.

    cells : (n,) twice the number of the paper, and one more for the higher level; products : of shares, too
    """
    packed = shares + float(PACK)
    total = np.bincount(cells, weights=packed, minlength=2 * places).reshape(-1, 2)
    counts = np.floor(total * (1 / PACK))
    if counts.max() > MOST_PACKED or counts.sum() != len(packed):
        return None
    total -= counts * PACK
    n, s = (numbers.T.astype(np.int64, order="C") for numbers in (counts, total))
    sums = columns_of_two_levels(n[0], s[0], n[1], s[1])
    if products:
        sums["t1_1"] = _exact_sums(cells >> 1, shares.astype(np.int64) ** 2, places, int(n.sum(axis=0).max()))
    return sums


def columns_of_two_levels(n0: IntArray, s0: IntArray, n1: IntArray, s1: IntArray) -> dict[str, IntArray]:
    """Reviews of the lower level and their shares, and those of the higher one, by the names of their columns."""
    return {"n0": n0, "s0_1": s0, "n1": n1, "s1_1": s1}


def merged_by_number(number: IntArray, sums: Columns, places: int) -> dict[str, IntArray]:
    """The same of sums of some of the reviews each: sums are additive."""
    return {name: _exact_sums(number, column, places) for name, column in sums.items() if name != PAPER}


def joined_tables(tables: Sequence[Columns]) -> list[Columns]:
    """The same sums; a paper that is last in one table and first in the next is only in the latter, with those of
    both."""
    done: list[Columns] = []
    for table in tables:
        if done and done[-1][PAPER][-1] == table[PAPER][0]:
            before = done.pop()
            for name in before.keys() - {PAPER}:
                table[name][0] += before[name][-1]
            if len(before[PAPER]) > 1:
                done.append({name: column[:-1] for name, column in before.items()})
        done.append(table)
    return done


def joined_columns(tables: Sequence[Columns]) -> dict[str, IntArray]:
    """The rows of all of them."""
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}


def papers_there(sums: Columns) -> IntArray:
    """The places of papers that have reviews."""
    levels = (name for name in sums if name[0] == "n")
    return np.flatnonzero(sum((sums[name] for name in levels), start=np.int64(0)))


def chosen(sums: Columns, ids: IntArray, places: IntArray) -> dict[str, IntArray]:
    """The papers at these places, with their ids. ids : of the first places; there may be more, for other sums"""
    if len(places) == len(ids):
        return {PAPER: ids, **{name: column[: len(ids)] for name, column in sums.items()}}
    return {PAPER: ids[places], **{name: column[places] for name, column in sums.items()}}


class _Adding:
    """Whole numbers of reviews, and where each belongs."""

    def __init__(self, number: IntArray, rows: Columns, form: Form, places: int) -> None:
        self.number, self.rows, self.form, self.places = number, rows, form, places
        # One for each level and paper, papers next to each other.
        self.cells = rows[RATING] * np.int64(places)
        self.cells += number

    def columns(self) -> Iterator[tuple[str, IntArray]]:
        """One sum after the other."""
        form, levels = self.form, self.form.levels
        counts = np.bincount(self.cells, minlength=levels * self.places).reshape(levels, -1)
        self.most = int(counts.sum(axis=0).max())
        yield from self._by_level("n{}", counts)
        by_cell: dict[str, str] = {}
        if form.predictions and not form.complete:
            by_cell["p{}"] = HAS
        by_cell |= {f"{SUMMED_PARTS[part]}{{}}_{k}": f"{part}{k}" for part in form.parts for k in form.shares}
        if form.completes:
            by_cell |= {"a{}": ANY, **{f"v{{}}_{k}": f"v{k}" for k in range(levels)}}
        for name, column in by_cell.items():
            yield from self._by_level(name, self._sum(self.cells, self._column(column), levels))
        by_paper = [INEXACT] if form.predictions and not form.decimal else []
        for name in by_paper + [f"t{one}_{two}" for one, two in form.pairs]:
            yield name, self._sum(self.number, self._column(name), 1)[0]

    def _by_level(self, name: str, sums: IntArray) -> Iterator[tuple[str, IntArray]]:
        return ((name.format(own), sums[own]) for own in range(self.form.levels))

    def _column(self, name: str) -> IntArray:
        if name in self.rows:
            return self.rows[name].astype(np.int64)
        one, two = name[1:].split("_")  # a product
        return np.asarray(self.rows[f"m{one}"].astype(np.int64) * self.rows[f"m{two}"])

    def _sum(self, cells: IntArray, numbers: IntArray, levels: int) -> IntArray:
        """(levels, places)"""
        return _exact_sums(cells, numbers, levels * self.places, self.most).reshape(levels, -1)


def _exact_sums(cells: IntArray, numbers: IntArray, size: int, most: int | None = None) -> IntArray:
    """(size,) In floats where no sum can leave the whole numbers that they hold. most : numbers in one cell at most"""
    if int(np.abs(numbers).max(initial=0)) * (len(numbers) if most is None else most) < EXACT_FLOAT:
        return np.bincount(cells, weights=numbers, minlength=size).astype(np.int64)
    sums = np.zeros(size, dtype=np.int64)
    np.add.at(sums, cells, numbers)
    return sums
