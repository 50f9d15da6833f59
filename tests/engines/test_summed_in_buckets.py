"""Reviews that are added up bucket by bucket have the sums of a group-by, whatever their ids."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from surpeer.columns import PAPER, RATING
from surpeer.core.shapes import IntArray
from surpeer.engines import summed_in_buckets
from surpeer.engines.buckets import BASE, GROUPING
from surpeer.engines.memory import reviews_fit
from surpeer.engines.repeated import Repeated
from surpeer.engines.rows import Form
from surpeer.engines.summed_in_buckets import SummedInBuckets, sum_in_buckets
from surpeer.engines.sums import number_of_sums, sums_by_paper

FORM = Form(2, predictions=True)

IDS: dict[str, Callable[[IntArray], IntArray]] = {
    "without gaps": lambda number: number,
    "with gaps": lambda number: number * 3 - 5000,
    "far apart": lambda number: (number + 1) * 2**40,
    "a block apart": lambda number: number << summed_in_buckets.BLOCK_BITS,
    "at the lower end": lambda number: number + -(2**63),
    "at the upper end": lambda number: 2**63 - 1 - number,
}


def rows_of(ids: pl.Series, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rating = rng.integers(0, 2, len(ids)).astype(np.int8)
    return pl.DataFrame({PAPER: ids, RATING: rating, "m1": rng.integers(0, 10**6, len(ids)).astype(np.int32)})


def papers(reviews: int = 20_000, each: int = 4) -> IntArray:
    return np.random.default_rng(1).permutation(reviews) // each


def summed(rows: pl.DataFrame, form: Form, folder: Path, monkeypatch: pytest.MonkeyPatch) -> SummedInBuckets:
    monkeypatch.setattr(summed_in_buckets, "how_many_buckets", lambda *_: 4)
    return sum_in_buckets(rows.iter_slices(3000), form, folder, 10**6, len(rows), Repeated())


def check(found: SummedInBuckets, rows: pl.DataFrame, form: Form) -> list[pl.DataFrame]:
    batches = list(found.batches())
    expected: pl.DataFrame = sums_by_paper(rows.lazy(), form).collect()
    assert_frame_equal(pl.concat(batches).sort(PAPER), expected.sort(PAPER), check_exact=True)
    return batches


@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("at_once", [10**6, 1500])
def test_sums_of_whole_numbers(ids: str, at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summed_in_buckets, "ROWS_AT_ONCE", at_once)
    rows = rows_of(pl.Series(IDS[ids](papers())))
    found = summed(rows, FORM, tmp_path, monkeypatch)
    check(found, rows, FORM)
    assert not found.in_hash_order


@pytest.mark.parametrize("form", [FORM, Form(2, predictions=True, moments=True)])
def test_ids_without_gaps_are_not_looked_up(form: Form, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(pl.Series(papers(80_000)))
    found = summed(rows, form, tmp_path, monkeypatch)
    monkeypatch.setattr(summed_in_buckets, "sum_rows", lambda *_: pytest.fail("looked up"))
    batches = check(found, rows, form)
    assert len(batches) == 4


def test_ids_of_which_most_are_missing_are_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would need more memory than the reviews themselves."""
    rows = rows_of(pl.Series(papers() * 300))
    assert summed_in_buckets._sums_in_blocks(rows, FORM) is None
    check(summed(rows, FORM, tmp_path, monkeypatch), rows, FORM)


@pytest.mark.parametrize(("text", "form"), [(True, FORM), (False, Form(3, predictions=True, moments=True))])
def test_where_ids_go_one_by_one_buckets_are_in_the_order_of_hashes(
    text: bool, form: Form, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from surpeer.id_hash import id_hash

    ids = pl.Series(papers(4000))
    rows = rows_of(ids.cast(pl.String) if text else ids).with_columns(m2=pl.lit(7, dtype=pl.Int32))
    found = summed(rows, form, tmp_path, monkeypatch)
    assert found.in_hash_order
    hashes = [id_hash(batch[PAPER]) for batch in check(found, rows, form)]
    assert len(hashes) == 4
    for before, after in pairwise(hashes):
        assert before.max() < after.min()


def test_no_reviews(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="^there are no reviews$"):
        sum_in_buckets(iter([]), FORM, tmp_path, 10**6, 0, Repeated())


@pytest.mark.parametrize("memory", [384_000_000, 512_000_000])
def test_a_bucket_with_one_giant_paper_is_read_in_slices_that_fit(memory: int, tmp_path: Path) -> None:
    rows = rows_of(pl.Series(papers(4000)))
    found = sum_in_buckets(iter([rows]), FORM, tmp_path, memory, 10**8, Repeated())
    width = rows.estimated_size() / len(rows)
    assert found.rows_at_once * width * GROUPING <= memory - BASE


def test_reviews_that_may_be_the_only_ones_of_their_papers_need_room_for_all_their_sums() -> None:
    """Measured: 2,845 MB for a million papers with one review each, ten levels, and 885 MB for 1.7 million with four."""
    ten, four = (number_of_sums(Form(levels, predictions=True, moments=True)) for levels in (10, 4))
    assert not reviews_fit(1_000_000, 45, ten, 2_845_000_000)
    assert not reviews_fit(1_700_000, 21, four, 885_000_000)
    assert reviews_fit(1_000_000, 45, ten, 3_500_000_000)
