"""Rows of a ranking are in the order of ranks and, where ranks are shared, of ids."""

import numpy as np
import polars as pl
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st

from surpeer.engines.ranked_table import order_of_rows

TEXTS = st.text(max_size=20) | st.sampled_from(
    ["", "P", "P1", "P10", "P2", "Ärger", "a" * 40, "a" * 40 + "b", "\0", "漢"]
)
NUMBERS = st.integers(-(2**63), 2**63 - 1)


@examples(200)
@given(data=st.data(), most=st.sampled_from([1, 3, 100, 2**40]))
@pytest.mark.parametrize("ids", [TEXTS, NUMBERS])
def test_by_rank_then_by_id(ids: st.SearchStrategy[str | int], data: st.DataObject, most: int) -> None:
    """Texts as their bytes are; ids may come in several pieces, and ranks may be any of a much longer ranking."""
    papers = data.draw(st.lists(ids, unique=True, min_size=1, max_size=40))
    rank = np.array(data.draw(st.lists(st.integers(0, most), min_size=len(papers), max_size=len(papers))))
    half = len(papers) // 2
    series = pl.concat(
        [pl.Series(papers[:half], dtype=pl.Series(papers).dtype), pl.Series(papers[half:])], rechunk=False
    )
    tie = np.isin(
        rank, [number for number, count in zip(*np.unique(rank, return_counts=True), strict=True) if count > 1]
    )
    found = order_of_rows(rank, tie, series).tolist()
    assert found == sorted(range(len(papers)), key=lambda at: (rank[at], _bytes(papers[at])))


def _bytes(paper: str | int) -> bytes | int:
    return paper.encode() if isinstance(paper, str) else paper
