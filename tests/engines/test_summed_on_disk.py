"""Reviews that are added up piece by piece, in parts or in buckets on disk, have the sums of a group-by."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from at_length import every_pair
from polars.testing import assert_frame_equal

from surpeer.columns import PAPER, RATING
from surpeer.core.shapes import IntArray
from surpeer.engines import part_sums, summed_in_parts
from surpeer.engines.bucket_sizes import BASE, GROUPING, BucketSizes
from surpeer.engines.equal_numbers import MIXING
from surpeer.engines.memory import (
    LEAST_OF_TABLE,
    MOST_OF_TABLE,
    least_memory,
    papers_fit,
    reviews_fit,
    reviews_of_table,
)
from surpeer.engines.repeated import PAIR, Repeated
from surpeer.engines.rows import Form
from surpeer.engines.score_files import score_files
from surpeer.engines.summed import Summed
from surpeer.engines.summed_in_buckets import sum_in_buckets
from surpeer.engines.summed_in_parts import SummedInParts, go_into_parts, sum_in_parts
from surpeer.engines.sums import more_sums, number_of_sums, sums_by_paper
from surpeer.errors import InputError
from surpeer.id_hash import id_hash

FORM = Form(2, predictions=True)

FORMS = {
    "two levels": FORM,
    "with products": Form(2, predictions=True, moments=True),
    "four levels": Form(4, predictions=True),
    "no predictions": Form(3),
}

IDS: dict[str, Callable[[IntArray], IntArray]] = {
    "without gaps": lambda number: number,
    "with gaps": lambda number: number * 3 - 5000,
    "far apart": lambda number: (number + 1) * 2**40,
    "all even": lambda number: number << 1,
    "at the lower end": lambda number: number + -(2**63),
    "at the upper end": lambda number: 2**63 - 1 - number,
    "without any order": lambda number: (number.view(np.uint64) * np.uint64(MIXING)).view(np.int64),
}

LITTLE = 10**6
"""Bytes of memory: every batch is written as soon as it is there."""


def rows_of(ids: pl.Series, form: Form = FORM) -> pl.DataFrame:
    rng = np.random.default_rng(len(ids))
    shares = {f"m{level}": rng.integers(0, 10**6, len(ids)).astype(np.int32) for level in form.shares}
    return pl.DataFrame({PAPER: ids, RATING: rng.integers(0, form.levels, len(ids)).astype(np.int8), **shares})


def papers(reviews: int = 20_000, each: int = 4) -> IntArray:
    return np.random.default_rng(1).permutation(reviews) // each


def check(found: Summed, rows: pl.DataFrame, form: Form) -> list[pl.DataFrame]:
    batches = list(found.batches())
    expected: pl.DataFrame = sums_by_paper(rows.lazy(), form).collect()
    assert_frame_equal(pl.concat(batches).sort(PAPER), expected.sort(PAPER), check_exact=True)
    return batches


def in_parts(
    rows: pl.DataFrame, form: Form, folder: Path, parts: int = 4, at_once: int = 10**6, memory: int = LITTLE
) -> SummedInParts:
    assert go_into_parts(rows, form)
    sizes = BucketSizes(parts, at_once)
    return sum_in_parts(rows.iter_slices(3000), form, folder, memory, sizes, Repeated())


@every_pair("form, ids, parts, at_once", FORMS, IDS, [1, 4, 512], [10**6, 1500])
def test_sums_of_papers_with_whole_numbers(form: str, ids: str, parts: int, at_once: int, tmp_path: Path) -> None:
    rows = rows_of(pl.Series(IDS[ids](papers())), FORMS[form])
    found = in_parts(rows, FORMS[form], tmp_path, parts, at_once)
    assert len(check(found, rows, FORMS[form])) == parts
    check(found, rows, FORMS[form])  # once more
    assert not found.in_hash_order


@pytest.mark.parametrize("memory", [LITTLE, 10**9])
def test_ids_that_are_too_large_for_short_rows_beside_others(
    memory: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of a part are in files of two kinds, and a paper may have reviews in both."""
    monkeypatch.setattr("surpeer.engines.numbered.SMALL_BATCH", 1)
    few = papers(3000)
    rows = rows_of(pl.Series(np.concatenate([few, few + 2**62, few, np.repeat([5, 2**62 + 5], 1500)])))
    check(in_parts(rows, FORM, tmp_path, memory=memory), rows, FORM)
    kinds = {path.name.split("-")[0] for path in tmp_path.iterdir()}
    assert kinds == {"row", "block", "rating", "m1"}


@pytest.mark.parametrize("form", ["two levels", "with products"])
def test_ids_without_gaps_are_not_looked_up(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(pl.Series(papers(80_000)))
    found = in_parts(rows, FORMS[form], tmp_path)
    monkeypatch.setattr(part_sums, "equal_numbers", lambda _: pytest.fail("looked up"))
    check(found, rows, FORMS[form])


def test_ids_of_which_most_are_missing_are_looked_up(tmp_path: Path) -> None:
    """They would need more memory than the reviews themselves."""
    rows = rows_of(pl.Series(papers() * 300))
    found = in_parts(rows, FORM, tmp_path)
    assert found._sums.blocks is None
    check(found, rows, FORM)


def test_a_paper_with_more_reviews_than_are_added_up_at_once(tmp_path: Path) -> None:
    rows = rows_of(pl.Series(np.concatenate([np.full(9000, 17), papers(2000)])))
    check(in_parts(rows, FORM, tmp_path, at_once=500), rows, FORM)


def test_a_paper_with_more_reviews_than_have_room_in_one_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("surpeer.engines.adding.MOST_PACKED", 5)
    rows = rows_of(pl.Series(np.concatenate([np.full(50, 17), papers(2000)])))
    for form in (FORMS["two levels"], FORMS["with products"]):
        folder = tmp_path / str(form.moments)
        folder.mkdir()
        check(in_parts(rows, form, folder), rows, form)


@pytest.mark.parametrize("memory", [LITTLE, 10**9])
def test_reviews_that_are_there_twice(memory: int, tmp_path: Path) -> None:
    """Those without a reviewer are not compared."""
    ids = papers(4000)
    pair = pl.Series(np.arange(4000, dtype=np.uint64)).set(pl.Series(np.arange(4000) % 3 == 0), None)
    again = pl.DataFrame({PAPER: ids[[1, 2, 2, 3]], PAIR: pair[[1, 2, 2, 3]]})
    plain = pl.concat([pl.DataFrame({PAPER: ids, PAIR: pair}), again])
    rows = rows_of(plain[PAPER]).with_columns(plain[PAIR])
    found = in_parts(rows, FORM, tmp_path, memory=memory)
    for _ in range(2):
        check(found, rows.drop(PAIR), FORM)
        assert (found.repeated.pairs, found.repeated.reviews) == ({1, 2}, 3)


@pytest.mark.parametrize("reviewers", ["none", "of some papers"])
def test_parts_without_reviewers(reviewers: str, tmp_path: Path) -> None:
    ids = papers(4000)
    has_one = pl.Series(ids < (2 if reviewers == "of some papers" else 0))
    pair = pl.Series(np.full(len(ids), 7, dtype=np.uint64)).set(~has_one, None)
    rows = rows_of(pl.Series(ids)).with_columns(pair.alias(PAIR))
    found = in_parts(rows, FORM, tmp_path, 64)
    check(found, rows.drop(PAIR), FORM)
    assert found.repeated.pairs == ({7} if reviewers == "of some papers" else set())


@pytest.mark.parametrize("left", [0, 13, 800])
def test_files_that_were_cut_off_are_noticed(left: int, tmp_path: Path) -> None:
    rows = rows_of(pl.Series(papers(4000)))
    found = in_parts(rows, FORM, tmp_path)
    file = tmp_path / "row-00002"
    file.write_bytes(file.read_bytes()[:left])
    with pytest.raises(OSError, match="Input/output error.*row-00002"):
        list(found.batches())


def test_batches_with_ids_of_another_kind_are_left_to_whoever_reads(tmp_path: Path) -> None:
    rows = rows_of(pl.Series(papers(4000)))
    frames = iter([rows, rows.with_columns(pl.col(PAPER).cast(pl.String)), rows[:0]])
    found = sum_in_parts(frames, FORM, tmp_path, LITTLE, BucketSizes(2, 10**6), Repeated())
    check(found, rows, FORM)


def test_what_goes_into_parts() -> None:
    numbers = rows_of(pl.Series(papers(100)))
    text = numbers.with_columns(pl.col(PAPER).cast(pl.String))
    three = Form(3, predictions=True, moments=True)
    assert not go_into_parts(text, FORM)
    assert not go_into_parts(numbers, three)
    assert not go_into_parts(numbers, Form(2, track=True))
    assert go_into_parts(numbers, Form(3, predictions=True))


def test_parts_are_added_up_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But no more than are there: memory is planned for so many."""
    running, most = 0, 0
    real = SummedInParts._sum

    def counting(self: SummedInParts, part: int) -> pl.DataFrame:
        nonlocal running, most
        running += 1
        most = max(most, running)
        try:
            return real(self, part)
        finally:
            running -= 1

    monkeypatch.setattr(SummedInParts, "_sum", counting)
    rows = rows_of(pl.Series(papers()))
    check(in_parts(rows, FORM, tmp_path, 64), rows, FORM)
    assert 1 <= most <= summed_in_parts.PARTS_AT_ONCE


@pytest.mark.parametrize(("text", "form"), [(True, FORM), (False, Form(3, predictions=True, moments=True))])
@pytest.mark.parametrize("at_once", [10**6, 300])
def test_buckets_are_in_the_order_of_hashes(text: bool, form: Form, at_once: int, tmp_path: Path) -> None:
    ids = pl.Series(papers(4000))
    rows = rows_of(ids.cast(pl.String) if text else ids, form)
    sizes = BucketSizes(4, at_once)
    found = sum_in_buckets(rows.iter_slices(3000), form, tmp_path, LITTLE, sizes, Repeated())
    assert found.in_hash_order
    hashes = [id_hash(batch[PAPER]) for batch in check(found, rows, form)]
    assert len(hashes) == 4
    for before, after in pairwise(hashes):
        assert before.max() < after.min()


@pytest.mark.parametrize("memory", [384_000_000, 512_000_000])
def test_what_is_added_up_at_once_fits_beside_one_giant_paper(memory: int) -> None:
    rows = rows_of(pl.Series(papers(4000)))
    width = rows.estimated_size() / len(rows)
    assert BucketSizes.of(rows, FORM, 10**8, memory).rows_at_once * width * GROUPING <= memory - BASE


def test_ids_that_are_looked_up_need_more_memory() -> None:
    """Measured: 382 MB of 384 for 2.4 million of them as if they were not."""
    dense, sparse = (rows_of(pl.Series(papers(4000) * step)) for step in (1, 2**40))
    sizes = [BucketSizes.of(rows, FORM, 10**7, 384_000_000) for rows in (dense, sparse, rows_of(dense[PAPER][:0]))]
    assert sizes[1].buckets == 2 * sizes[0].buckets
    assert sizes[1].rows_at_once < 0.6 * sizes[0].rows_at_once
    assert sizes[2].buckets == sizes[0].buckets


def test_reviews_that_may_be_the_only_ones_of_their_papers_need_room_for_all_their_sums() -> None:
    """Measured: 2,845 MB for a million papers with one review each, ten levels, and 885 MB for 1.7 million with four."""
    ten, four = (number_of_sums(Form(levels, predictions=True, moments=True)) for levels in (10, 4))
    assert not reviews_fit(1_000_000, 45, ten, 2_845_000_000)
    assert not reviews_fit(1_700_000, 21, four, 885_000_000)
    assert reviews_fit(1_000_000, 45, ten, 3_500_000_000)


def test_papers_that_are_ranked_in_memory_fit_beside_what_was_read_before() -> None:
    """Measured when they were thought to fit: 465 MB for a million papers by venue, 401 MB for 0.7 million,
    and 584 of 574 MB for 0.87 million on five levels."""
    assert not papers_fit(1_020_000, 384_000_000)
    assert not papers_fit(700_000, 384_000_000)
    assert papers_fit(450_000, 384_000_000)
    assert papers_fit(10**9, None)


def test_texts_take_room_several_times() -> None:
    """Measured when they were thought to take it once, of 512 MB: 536 for three million reviews with ids of 8 letters,
    632 for two million with titles, 618 with 20 tracks, and up to 1,068 for two million papers with one review each
    and ids of 60 letters; 507 while 700,000 such papers with titles were ranked."""
    two = number_of_sums(Form(2, predictions=True))
    assert reviews_fit(3_000_000, 13, two, 512_000_000)
    assert not reviews_fit(2_000_000, 21, two, 512_000_000, texts=1)
    assert reviews_fit(1_500_000, 21, two, 512_000_000, texts=1)
    assert not reviews_fit(600_000, 181, two, 512_000_000, texts=3)
    assert not papers_fit(700_000, 512_000_000, texts=700_000 * 150)
    assert papers_fit(350_000, 512_000_000, texts=350_000 * 150)


def test_tables_of_sums_are_smaller_where_there_is_little_memory_or_many_sums() -> None:
    """Measured with two million reviews in each: 453 MB of 384 for papers with one review on two levels, and with 65,536
    on ten levels 1,043 MB of 1,000."""
    few, many = (number_of_sums(Form(levels, predictions=True, moments=levels > 2)) for levels in (2, 10))
    assert reviews_of_table(few, None) == reviews_of_table(few, 10**10) == MOST_OF_TABLE
    assert reviews_of_table(few, 384_000_000) < 200_000
    assert LEAST_OF_TABLE < reviews_of_table(many, 10**9) < 25_000
    assert reviews_of_table(many, 0) == LEAST_OF_TABLE


def test_learning_takes_memory_for_each_level_and_pair_of_levels() -> None:
    """Measured for 65,536 papers: 429 MB on four levels, 459 on five, 574 on seven, 739 on ten."""
    for levels, megabytes in ((4, 429), (5, 459), (7, 574), (10, 739)):
        assert megabytes < least_memory(levels, 65_536) / 1e6 < 1.2 * megabytes
    assert least_memory(4, 0) == least_memory(2, 65_536) == 384_000_000


def test_learning_takes_more_memory_from_predictions_with_many_decimals_and_from_partial_ones() -> None:
    """Measured with both: 423 MB on three levels, 592 on five, 734 on seven, 1,094 on ten."""
    for levels, megabytes in ((3, 423), (5, 592), (7, 734), (10, 1094)):
        odd = Form(levels, predictions=True, complete=False, closed=False, decimal=False, partial=True, moments=True)
        assert megabytes < least_memory(levels, 65_536, more_sums(odd)) / 1e6 < 1.25 * megabytes
    assert more_sums(Form(4, predictions=True, moments=True)) == more_sums(Form(4)) == 0


@pytest.mark.parametrize("decimals", [2, 8])
def test_too_little_memory_for_predictions_such_as_these(tmp_path: Path, decimals: int) -> None:
    """Known when the first ones were seen, before all are read."""
    shares = np.random.default_rng(1).dirichlet([1, 1, 1], 70_000)[:, :2].round(decimals)
    shares = np.column_stack([shares, 1 - shares.sum(axis=1)]).round(decimals)
    frame = pl.DataFrame(
        {"paper": np.arange(70_000), "rating": np.arange(70_000) % 3, **dict(zip("abc", shares.T, strict=True))}
    )
    frame.rename({"a": "p_0", "b": "p_1", "c": "p_2"}).write_parquet(tmp_path / "reviews.parquet")
    if decimals == 2:
        assert score_files(tmp_path / "reviews.parquet", memory=420_000_000).papers == 70_000
        return
    said = (
        "found 420 MB of memory, expected 440 MB at least for the method venue with 3 levels and predictions such as "
        "these; allow more, or use another method"
    )
    with pytest.raises(InputError, match=f"^{said}$"):
        score_files(tmp_path / "reviews.parquet", memory=420_000_000)
    with pytest.raises(InputError, match="expected 407 MB at least for the method venue with 3 levels; allow more"):
        score_files(tmp_path / "reviews.parquet", memory=390_000_000)
