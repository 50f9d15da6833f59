"""Papers that are numbers of kinds in memory are ranked as their whole rows are."""

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from surpeer import Status
from surpeer.core import places
from surpeer.engines import ranked_kinds
from surpeer.engines.paper_kinds import KIND, PaperKinds
from surpeer.engines.ranked_kinds import RankedKinds
from surpeer.engines.ranked_table import ranked_table

LEAST, MOST = -(2**63), 2**63 - 1


def score(sums: pl.DataFrame) -> pl.DataFrame:
    """Some scored table. s : which score, some of them the same; n : which mean"""
    value = np.array([np.nan, np.inf, 2.0, 2.0, 0.3, -np.inf])[sums["s"].to_numpy()]
    status = np.select([np.isnan(value), value == np.inf, value == -np.inf], [Status.INCOHERENT, 1, 2], Status.FINITE)
    columns = {"reviews": sums["n"] + 1, "mean": sums["n"] / 3, "score": value, "status": status.astype(np.int8)}
    return pl.DataFrame({"paper": sums["paper"], **columns, "flags": np.zeros(len(sums), dtype=np.int16)})


def numbered(sums: pl.DataFrame) -> tuple[PaperKinds, pl.DataFrame]:
    """Of any papers, however few are alike: each is there often enough first."""
    kinds = PaperKinds(score, 1000)
    rows = kinds.numbered(kinds.look(pl.concat([sums] * 4)))
    assert kinds.few
    kinds.papers //= 4
    return kinds, rows.head(len(sums))


whole_numbers = st.one_of(st.integers(-50, 50), st.integers(LEAST, MOST), st.sampled_from([LEAST, MOST, 0]))


@settings(max_examples=200)
@given(
    papers=st.dictionaries(whole_numbers, st.tuples(st.integers(0, 5), st.integers(0, 2)), min_size=1, max_size=40),
    text=st.booleans(),
    many=st.sampled_from([0, 10**6]),
    at_once=st.sampled_from([1, 3, ranked_kinds.ROWS_AT_ONCE]),
)
@example(papers={LEAST: (2, 1), MOST: (3, 1), 7: (2, 1)}, text=False, many=0, at_once=3)
def test_as_whole_rows(papers: dict[int, tuple[int, int]], text: bool, many: int, at_once: int) -> None:
    ids = pl.Series("paper", list(papers), dtype=pl.Int64)
    s, n = zip(*papers.values(), strict=True)
    sums = pl.DataFrame({"paper": ids.cast(pl.String) if text else ids, "s": s, "n": n})
    kinds, rows = numbered(sums)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "MANY", many)
        patch.setattr(ranked_kinds, "ROWS_AT_ONCE", at_once)
        expected, ranked = ranked_table(score(sums)), RankedKinds(kinds)
        assert_frame_equal(ranked.whole(ranked.in_order(rows)), expected.table, check_exact=True)
        assert (ranked.undefined, ranked.broken) == (expected.undefined, expected.broken)


@pytest.mark.parametrize("bits", [20, 63])
def test_ids_that_leave_no_room_are_sorted_as_rows(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranked_kinds, "MOST_BITS", bits)
    rng = np.random.default_rng(1)
    sums = pl.DataFrame({"paper": rng.permutation(1 << 18)[:5000], "s": rng.integers(0, 6, 5000), "n": 1})
    kinds, rows = numbered(sums)
    ranked = RankedKinds(kinds)
    found = ranked._by_place.sorted(rows)
    assert (found is None) == (bits == 20)
    in_order = ranked.in_order(rows)
    assert in_order.schema == {"paper": pl.Int64(), KIND: pl.UInt32()}
    assert_frame_equal(ranked.whole(in_order), ranked_table(score(sums)).table, check_exact=True)
