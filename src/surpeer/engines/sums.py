"""Whole numbers of reviews -> sums by paper: the sufficient statistics that every engine must produce, bit for bit.

One narwhals expression, for polars, DuckDB and Spark: group by paper, add up whole numbers. What is added up:

    n<r>            reviews that gave level r                  p<r>   with a complete prediction, where some have none
    s<r>_<k>        shares of level k predicted by those who gave r (in as many parts as rows have: s, f, x)
    t<j>_<k>        products of shares, for the venue method
    a<r>, v<r>_<k>  completed predictions of those who left levels empty

`statistics_of` turns a table of such sums into what methods score.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from surpeer.columns import PAPER, RATING, TITLE, TRACK
from surpeer.core.fixed_point import FixedPointSums
from surpeer.core.shapes import BoolArray, IntArray, level_sums
from surpeer.core.venue.moments import PRODUCT_UNIT, Moments
from surpeer.engines.rows import ANY, COARSE_PER_MILLIONTH, HAS, INEXACT, MILLION, Form
from surpeer.paper_statistics import PaperStatistics
from surpeer.scale import Scale

LAST_TRACK = "last_track"
"""The largest name of a track among a paper's reviews; TRACK is the smallest: they should be one."""

LAST_TITLE = "last_title"
"""The same of titles, where papers are only counted."""

SUMMED_PARTS = {"m": "s", "f": "f", "x": "x"}  # parts of a share and of their sums


def sums_by_paper(rows: Any, form: Form) -> Any:
    """The sums of a lazy table of rows (polars, DuckDB, Spark), as a lazy table of the same engine."""
    table = nw.from_native(rows).lazy()
    texts = [name for name, there in ((TRACK, form.track), (TITLE, form.title)) if there]
    sums = _summands(form)
    chosen = table.select(PAPER, *texts, *(expression.cast(nw.Int64).alias(name) for name, expression in sums.items()))
    aggregates = [nw.col(name).sum() for name in sums]
    if form.track:
        aggregates += [nw.col(TRACK).min(), nw.col(TRACK).max().alias(LAST_TRACK)]
    if form.title:
        aggregates.append(nw.col(TITLE).min())
    if form.title and form.counted:
        aggregates.append(nw.col(TITLE).max().alias(LAST_TITLE))
    grouped = chosen.group_by(PAPER).agg(*aggregates)
    # DuckDB adds whole numbers of 64 bits up in 128.
    whole = [nw.col(name).cast(nw.Int64) for name in sums]
    kept = [name for name, there in _text_names(form).items() if there]
    return grouped.select(PAPER, *kept, *whole).to_native()


def _text_names(form: Form) -> dict[str, bool]:
    """Columns beside the sums, in their order, and whether they are there."""
    return {TRACK: form.track, LAST_TRACK: form.track, TITLE: form.title, LAST_TITLE: form.title and form.counted}


def sum_names(form: Form) -> list[str]:
    """The columns of sums, in their order."""
    return list(_summands(form))


def with_ids(sums: pl.DataFrame, form: Form) -> pl.DataFrame:
    """Sums with ids as they were written."""
    return sums.with_columns(pl.col(PAPER).cast(pl.String)) if form.numbers else sums


def without_products(sums: pl.DataFrame, form: Form) -> pl.DataFrame:
    """Sums without those that only learning needs: papers that differ in nothing else have the same score."""
    return sums.drop([f"t{one}_{two}" for one, two in form.pairs], strict=False)


def number_of_sums(form: Form) -> int:
    """How many numbers are added up for each paper."""
    return len(_summands(form))


def plain_form(levels: int, *, moments: bool) -> Form:
    """Of complete predictions in whole per cents."""
    return Form(levels, predictions=True, moments=moments)


def more_sums(form: Form) -> int:
    """How many more than of complete predictions in whole per cents."""
    return max(0, number_of_sums(form) - number_of_sums(plain_form(form.levels, moments=form.moments)))


def _summands(form: Form) -> dict[str, nw.Expr]:
    """What is added up, under the name of its sum."""
    every: dict[str, nw.Expr] = {}
    for level in range(form.levels):
        here = nw.col(RATING) == level
        every[f"n{level}"] = here
        if form.predictions and not form.complete:
            every[f"p{level}"] = _where(here, HAS)
        for part in form.parts:
            every |= {f"{SUMMED_PARTS[part]}{level}_{k}": _where(here, f"{part}{k}") for k in form.shares}
        if form.completes:
            every[f"a{level}"] = _where(here, ANY)
            every |= {f"v{level}_{k}": _where(here, f"v{k}") for k in range(form.levels)}
    if form.predictions and not form.decimal:
        every[INEXACT] = nw.col(INEXACT)
    for one, two in form.pairs:
        name = f"t{one}_{two}"
        every[name] = nw.col(name) if form.products_written else _whole(f"m{one}") * _whole(f"m{two}")
    return every


def _whole(column: str) -> nw.Expr:
    return nw.col(column).cast(nw.Int64)


def _where(here: nw.Expr, column: str) -> nw.Expr:
    return nw.when(here).then(_whole(column)).otherwise(nw.lit(0))


def merged_sums(tables: list[pl.DataFrame]) -> pl.DataFrame:
    """Sums of parts of the reviews -> sums of all of them: sums are additive."""
    table = pl.concat(tables)
    texts = {name: pl.col(name).min() for name in (TRACK, TITLE)}
    texts |= {name: pl.col(name).max() for name in (LAST_TRACK, LAST_TITLE)}
    return table.group_by(PAPER).agg(texts.get(name, pl.col(name).sum()) for name in table.columns if name != PAPER)


@dataclass(frozen=True)
class StatisticsOfSums(PaperStatistics):
    """What a table of sums says of its papers."""

    table: pl.DataFrame
    form: Form
    of_scale: Scale

    @property
    def scale(self) -> Scale:
        return self.of_scale

    @property
    def papers(self) -> pl.Series:
        return self.table[PAPER]

    @property
    def track(self) -> pl.Series | None:
        return self.table[TRACK] if self.form.track else None

    @property
    def title(self) -> pl.Series | None:
        return self.table[TITLE] if self.form.title else None

    def _levels(self, prefix: str) -> IntArray:
        """(N, K), signals first in memory: sums over the few signals of many papers are then sums of whole columns."""
        return np.stack([self.table[f"{prefix}{level}"].to_numpy() for level in range(self.form.levels)]).T

    @cached_property
    def counts(self) -> IntArray:  # type: ignore[override]
        return self._levels("n")

    @cached_property
    def predicted(self) -> IntArray:  # type: ignore[override]
        if not self.form.predictions:
            return np.zeros_like(self.counts)
        return self.counts if self.form.complete else self._levels("p")

    @cached_property
    def forecasts(self) -> IntArray:
        total = level_sums(self.predicted)
        return np.asarray(total + self._levels("a").sum(axis=1) if self.form.completes else total)

    @cached_property
    def _sums(self) -> FixedPointSums:
        """(N, K, K)"""
        form = self.form
        exact = np.ones(len(self.table), dtype=np.bool_)
        if not form.predictions:
            return FixedPointSums((np.zeros((len(self.table), form.levels, form.levels), dtype=np.int64),), exact)
        if form.decimal:
            millionths = self._cells("s")
            if form.closed:
                millionths[:, :, 0] = self.predicted * MILLION - millionths[:, :, 1:].sum(axis=2)
            return FixedPointSums((millionths * COARSE_PER_MILLIONTH,), exact)
        return FixedPointSums(
            tuple(self._cells(SUMMED_PARTS[part]) for part in form.parts), self.table[INEXACT].to_numpy() == 0
        )

    def _cells(self, prefix: str) -> IntArray:
        """(N, K, K) sums by own level and level; zeros for shares that are not written down."""
        levels, form = self.form.levels, self.form
        cells = np.zeros((levels, levels, len(self.table)), dtype=np.int64)
        for own in range(levels):
            for level in range(levels) if prefix == "v" else form.shares:
                cells[own, level] = self.table[f"{prefix}{own}_{level}"].to_numpy()
        by_paper = np.moveaxis(cells, -1, 0)
        # With two levels each sum stays in one piece of memory, which is faster; with more, sums of sums would be added
        # in another order than in memory, and differ in the last digit.
        return by_paper if levels == 2 else np.ascontiguousarray(by_paper)

    def prediction_sums(self, chosen: BoolArray) -> FixedPointSums:
        return self._sums if chosen.all() else self._sums.take(np.flatnonzero(chosen))

    @cached_property
    def _products(self) -> IntArray | None:
        """(N, T) in units of 1 / PRODUCT_UNIT; None in a table without them."""
        form = self.form
        triangle = list(combinations_with_replacement(range(form.levels), 2))
        if not form.pairs:
            return np.zeros((len(self.table), len(triangle)), dtype=np.int64)
        if any(f"t{one}_{two}" not in self.table.columns for one, two in form.pairs):
            return None
        known = {pair: self.table[f"t{pair[0]}_{pair[1]}"].to_numpy() for pair in form.pairs}
        if (0, 0) not in known:  # shares sum to one, so that those of level 0 follow
            total = self._sums.parts[0].sum(axis=1) // COARSE_PER_MILLIONTH  # (N, K) millionths, of all own levels
            for level in range(1, form.levels):
                others = sum(known[min(level, k), max(level, k)] for k in range(1, form.levels))
                known[0, level] = total[:, level] * MILLION - others
            known[0, 0] = total[:, 0] * MILLION - sum(known[0, level] for level in range(1, form.levels))
        return np.stack([known[pair] for pair in triangle], axis=1)

    def moments(self, papers: IntArray) -> Moments:
        forecasts = self.predicted[papers]
        completed = None
        if self.form.completes:
            forecasts = forecasts + self._levels("a")[papers]
            completed = self._cells("v")[papers]
        products = None if self._products is None else self._products[papers]
        return Moments.of_sums(self.counts[papers], forecasts, self._sums.take(papers), completed, products)


def statistics_of(table: pl.DataFrame, form: Form, scale: Scale) -> StatisticsOfSums:
    """What methods score, from a table of sums."""
    return StatisticsOfSums(table, form, scale)


assert PRODUCT_UNIT == MILLION**2, "products of millionths are sums in the unit of products"  # noqa: S101
