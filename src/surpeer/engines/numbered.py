"""Sums by paper where ids are whole numbers: no group-by, which spends most of its time looking papers up.

Reviews are taken as they are read. Where those of a paper are next to each other, they are added up at once. Others, or
such sums, are divided by ids into parts (surpeer.engines.divided), each of which is added up by itself
(surpeer.engines.sums_of_parts).

The same table as that of surpeer.engines.sums, but for the order of papers.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise

import numpy as np
import polars as pl

from surpeer.columns import PAPER, RATING
from surpeer.core.shapes import IntArray
from surpeer.engines.adding import Columns, is_short, joined_tables, merged_by_number, sums_by_number
from surpeer.engines.compiled import Compiled
from surpeer.engines.memory import MOST_OF_TABLE
from surpeer.engines.part_sums import Adding
from surpeer.engines.rows import Form
from surpeer.engines.sums_of_parts import SumsOfParts, Tables
from surpeer.io.in_threads import in_threads

# Reviews that are divided at once, and those that are added up at once where they need not be divided.
REVIEWS_OF_BATCH = 1 << 18
REVIEWS_OF_LOOP = 1 << 20  # nothing is sorted, so that they need not stay near the processor
REVIEWS_AT_ONCE = 1 << 16

# Reviews below which a batch takes longer for being one than for what is in it.
SMALL_BATCH = 1 << 17


def are_numbered(rows: pl.DataFrame, form: Form) -> bool:
    """Whether reviews like these can be added up here."""
    return not (form.track or form.title) and rows[PAPER].dtype.is_integer()


def numbered_sums(rows: pl.DataFrame, form: Form) -> pl.DataFrame | None:
    """The sums by paper of these reviews, or None if ids are no numbers."""
    if not len(rows) or not are_numbered(rows, form):
        return None
    tables = sums_as_they_come(_pieces(rows), form, len(rows), MOST_OF_TABLE)
    frames = in_threads(lambda number: pl.DataFrame(tables[number]), range(len(tables)))
    return pl.concat(frames, rechunk=False)


def sums_as_they_come(frames: Iterable[pl.DataFrame], form: Form, reviews: int, at_once: int) -> Tables:
    """Tables of sums, every paper in one of them.

    frames : reviews, gone through once; reviews : about how many there are; at_once : of how many sums are one table
    """
    Compiled.prepare(reviews)
    batches = map(columns_of, small_batches(frames))
    first = next(batches)
    every = chain([first], batches)
    if _are_together(first[PAPER]):
        return _sums_of_runs(every, form, at_once)
    return SumsOfParts.of(every, reviews, at_once, adding_of(form), is_short(form), bool(form.pairs))


def adding_of(form: Form) -> Adding:
    """How reviews of this form are added up, where every one has the number of its paper."""
    return lambda number, rows, places: sums_by_number(number, rows, form, places)


def _pieces(rows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Reviews as they were read, so that columns in one piece of memory stay in it."""
    lengths = rows[RATING].chunk_lengths()
    return (rows.slice(end - length, length) for end, length in zip(accumulate(lengths), lengths, strict=True))


def small_batches(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same reviews, not too many and, where they come in small batches, not too few at once."""
    small: list[pl.DataFrame] = []
    for frame in frames:
        small.append(frame)
        if sum(map(len, small)) >= SMALL_BATCH:
            yield from _slices(small)
            small = []
    if small:
        yield from _slices(small)


def _slices(frames: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    most = REVIEWS_OF_BATCH if Compiled.loops is None else REVIEWS_OF_LOOP
    return pl.concat(frames, rechunk=False).iter_slices(most)


def columns_of(frame: pl.DataFrame) -> Columns:
    """Whole numbers, none missing."""
    return {name: frame[name].to_numpy() for name in frame.columns}


def _are_together(ids: IntArray) -> bool:
    """Whether most reviews are of the same paper as the one before."""
    return bool(2 * np.count_nonzero(ids[1:] == ids[:-1]) > len(ids))


def _sums_of_runs(batches: Iterable[Columns], form: Form, at_once: int) -> Tables:
    slices = (
        {name: column[start : start + REVIEWS_AT_ONCE] for name, column in batch.items()}
        for batch in batches
        for start in range(0, len(batch[PAPER]), REVIEWS_AT_ONCE)
    )
    tables = joined_tables(list(in_threads(lambda rows: _runs(rows, form), slices)))
    if _are_increasing(tables) or _are_different(tables):
        return tables
    return SumsOfParts.of(tables, sum(len(table[PAPER]) for table in tables), at_once, merged_by_number)


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
