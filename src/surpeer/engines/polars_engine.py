"""Sums by paper in this process, by polars, of reviews that are in memory."""

from collections.abc import Iterator
from itertools import chain

import polars as pl

from surpeer.columns import PAPER
from surpeer.engines.numbered import are_numbered, numbered_sums, sums_as_they_come
from surpeer.engines.repeated import PAIR, Repeated
from surpeer.engines.rows import Form
from surpeer.engines.summed import Summed, SummedInTables, sum_at_once
from surpeer.engines.sums import sums_by_paper


def sum_rows(rows: pl.DataFrame, form: Form) -> pl.DataFrame:
    """The sums of these reviews."""
    numbered = numbered_sums(rows, form)
    if numbered is not None:
        return numbered
    sums: pl.DataFrame = sums_by_paper(rows.lazy(), form).collect(engine="streaming")
    return sums


def sum_in_memory(rows: Iterator[pl.DataFrame], form: Form, repeated: Repeated, reviews: int, at_once: int) -> Summed:
    """Sums of reviews that all fit into memory, about so many. Those of papers with numbers are divided while others
    are still read. at_once : of how many reviews sums are one table"""
    first = next(rows)
    every = chain([first], rows)
    if not are_numbered(first, form):
        return sum_at_once(every, form, repeated, sum_rows)
    pairs: list[pl.DataFrame] = []
    summed = SummedInTables(form, sums_as_they_come(_without_pairs(every, pairs), form, reviews, at_once))
    repeated.look_in(pl.concat(pairs, rechunk=False))
    return summed.in_memory() if form.moments or isinstance(summed.tables, list) else summed


def _without_pairs(rows: Iterator[pl.DataFrame], pairs: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Reviews without what shows whether one is there twice, which is set aside."""
    for frame in rows:
        if frame[PAPER].dtype.is_integer():  # if not, the reading says in the end what is wrong
            pairs.append(frame.select(name for name in frame.columns if name == PAIR))
            yield frame.drop(PAIR, strict=False)
