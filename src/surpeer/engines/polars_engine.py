"""Sums by paper in this process, by polars, of reviews that are in memory."""

from collections.abc import Iterator

import polars as pl

from surpeer.engines.numbered import numbered_sums
from surpeer.engines.repeated import PAIR, Repeated
from surpeer.engines.rows import Form
from surpeer.engines.summed import SummedInMemory
from surpeer.engines.sums import sums_by_paper, with_ids


def sum_rows(rows: pl.DataFrame, form: Form) -> pl.DataFrame:
    """The sums of these reviews."""
    numbered = numbered_sums(rows, form)
    if numbered is not None:
        return numbered
    sums: pl.DataFrame = sums_by_paper(rows.lazy(), form).collect(engine="streaming")
    return sums


def sum_in_memory(rows: Iterator[pl.DataFrame], form: Form, repeated: Repeated) -> SummedInMemory:
    """Sums of reviews that all fit into memory."""
    every = pl.concat(rows, rechunk=False)
    repeated.look_in(every)
    return SummedInMemory(form, with_ids(sum_rows(every.drop(PAIR, strict=False), form), form))
