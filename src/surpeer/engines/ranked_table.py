"""Scored tables -> ranked tables in memory: the ranking of surpeer.ranking for tables with codes.

A scored table is that of surpeer.engines.finishing; a ranked one has the column rank before it, the flags `tie` and
`cycle`, and its rows are sorted by rank and then by id.
"""

from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.core.places import paper_places, rows_in_order
from surpeer.core.shapes import BoolArray, IntArray
from surpeer.core.status import Status
from surpeer.paper_flags import FLAGS
from surpeer.ranking import fast_argsort

ROWS_OF_RESULT = 250_000
"""Papers in a chunk of a result: of a whole ranked table, or of one that is made piece by piece."""

TIE, CYCLE = (1 << list(FLAGS).index(name) for name in ("tie", "cycle"))


class RankedTable(NamedTuple):
    """A ranking of all papers."""

    table: pl.DataFrame
    undefined: int
    """Papers without a score."""
    broken: int
    """Pairwise comparisons that the order does not keep."""


def ranked_table(scored: pl.DataFrame) -> RankedTable:
    """All papers in order."""
    scored = scored.rechunk()  # picking rows from many pieces takes several times as long
    defined = defined_in(scored)
    found = paper_places(scored["score"].to_numpy(), defined, scored["mean"].to_numpy(), argsort=fast_argsort)
    ranked = with_places(scored, found.place, found.tie, found.cycle)
    return RankedTable(in_order(ranked), int((~defined).sum()), found.broken)


def defined_in(scored: pl.DataFrame) -> BoolArray:
    """Which rows have a score, be it infinite."""
    return np.asarray(scored["status"].to_numpy() <= Status.MINUS_INFINITY)


def with_places(scored: pl.DataFrame, place: IntArray, tie: BoolArray, cycle: BoolArray) -> pl.DataFrame:
    """The table with ranks and the flags that depend on them; rows stay where they are."""
    flags = scored["flags"].to_numpy() | tie * np.int16(TIE) | cycle * np.int16(CYCLE)
    return scored.with_columns(pl.Series("flags", flags)).insert_column(0, pl.Series("rank", place + 1))


def in_order(ranked: pl.DataFrame) -> pl.DataFrame:
    """Rows by rank, then by id. `ranked` may be a part of a ranking, with all papers of its ranks or not."""
    tie = (ranked["flags"].to_numpy() & TIE) > 0
    return ranked[order_of_rows(ranked["rank"].to_numpy(), tie, ranked[PAPER])]


def order_of_rows(rank: IntArray, tie: BoolArray, ids: pl.Series) -> IntArray:
    """(n,) the same order, without the rows. rank : ranks, or places; tie : which are shared"""
    if not tie.any() and len(rank) and int(rank.max()) - int(rank.min()) == len(rank) - 1:
        return rows_in_order(rank - rank.min(), tie)
    if not tie.any():
        return _stable_argsort(rank)
    if not ids.dtype.is_integer():
        # Polars sorts both at once several times as fast as texts alone, if these are in one piece.
        ranks = pl.Series("rank", rank).shrink_dtype()
        both = pl.DataFrame([ranks, ids.alias("id").rechunk()])
        return both.select(pl.arg_sort_by("rank", "id")).to_series().to_numpy()
    by_id = ids.arg_sort().to_numpy()
    return np.asarray(by_id[_stable_argsort(rank[by_id])])


def _stable_argsort(rank: IntArray) -> IntArray:
    """np.argsort(rank, kind="stable"), faster where there are few ranks: numbers of 16 bits are sorted by counting."""
    if not len(rank):
        return np.zeros(0, dtype=np.int64)
    above = rank - rank.min()
    if int(above.max()) > 8 * len(rank):
        return np.argsort(rank, kind="stable")
    number = np.cumsum(np.bincount(above) > 0) - 1
    few = number[-1] < 1 << 16
    return np.argsort(number.astype(np.uint16)[above] if few else rank, kind="stable")
