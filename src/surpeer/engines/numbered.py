"""Sums by paper where ids are whole numbers: no group-by, which spends most of its time looking papers up.

Where the reviews of a paper are next to each other, they are added up as they come. What is left, reviews or such sums,
is divided by ids into parts, each of which is added up by itself (surpeer.engines.divided).

The same table as that of surpeer.engines.sums, but for the order of papers.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np
import polars as pl

from surpeer.columns import PAPER, RATING
from surpeer.core.shapes import IntArray
from surpeer.engines.adding import Columns, is_short, joined_tables, merged_by_number, sums_by_number
from surpeer.engines.divided import in_all_threads, sums_in_parts
from surpeer.engines.rows import Form

# Reviews that are divided at once, and those that are added up at once where they need not be divided.
REVIEWS_OF_BATCH = 1 << 19
REVIEWS_AT_ONCE = 1 << 16

# Reviews below which a batch takes longer for being one than for what is in it.
SMALL_BATCH = 1 << 17


def numbered_sums(rows: pl.DataFrame, form: Form) -> pl.DataFrame | None:
    """The sums by paper of these reviews, or None if ids are no numbers."""
    if form.track or form.title or not rows[PAPER].dtype.is_integer() or not len(rows):
        return None
    every = [_columns(batch) for batch in _batches(rows)]
    sums = _as_they_come(every, form) if _are_together(every[0][PAPER]) else _divided(every, form)
    return pl.concat([pl.DataFrame(table) for table in sums], rechunk=False)


def _batches(rows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Reviews as they were read, so that columns in one piece of memory stay in it; others, where these are few."""
    lengths = rows[RATING].chunk_lengths()
    if SMALL_BATCH * len(lengths) > len(rows):
        yield from rows.iter_slices(REVIEWS_OF_BATCH)
        return
    for end, length in zip(accumulate(lengths), lengths, strict=True):
        yield from rows.slice(end - length, length).iter_slices(REVIEWS_OF_BATCH)


def _columns(frame: pl.DataFrame) -> Columns:
    return {name: frame[name].to_numpy() for name in frame.columns}


def _divided(batches: Sequence[Columns], form: Form) -> list[Columns]:
    return sums_in_parts(
        batches, lambda number, rows, places: sums_by_number(number, rows, form, places), is_short(form)
    )


def _are_together(ids: IntArray) -> bool:
    """Whether most reviews are of the same paper as the one before."""
    return bool(2 * np.count_nonzero(ids[1:] == ids[:-1]) > len(ids))


def _as_they_come(batches: Sequence[Columns], form: Form) -> list[Columns]:
    slices = [
        {name: column[start : start + REVIEWS_AT_ONCE] for name, column in batch.items()}
        for batch in batches
        for start in range(0, len(batch[PAPER]), REVIEWS_AT_ONCE)
    ]
    tables = joined_tables(in_all_threads(lambda rows: _runs(rows, form), slices))
    if _are_increasing(tables) or _are_different(tables):
        return tables
    return sums_in_parts(tables, merged_by_number)


def _runs(rows: Columns, form: Form) -> Columns:
    """Sums of equal ids next to each other."""
    ids = rows[PAPER]
    is_first = np.concatenate([[True], ids[1:] != ids[:-1]])
    number = np.cumsum(is_first) - 1
    return {PAPER: ids[is_first], **sums_by_number(number, rows, form, int(number[-1]) + 1)}


def _are_increasing(tables: Sequence[Columns]) -> bool:
    """Whether every id is larger than the one before, so that no paper is there twice."""
    inside = all((table[PAPER][1:] > table[PAPER][:-1]).all() for table in tables)
    return inside and all(one[PAPER][-1] < two[PAPER][0] for one, two in pairwise(tables))


def _are_different(tables: Sequence[Columns]) -> bool:
    """Whether no paper is there twice, in whatever order they are."""
    ids = pl.concat([pl.Series(table[PAPER]) for table in tables]).sort().to_numpy()
    return bool((ids[1:] != ids[:-1]).all())
