"""What only all reviews of a paper show is named by file and row, all at once, and the same whoever added them up."""

from pathlib import Path

import polars as pl
import pytest
from at_length import in_both
from large_ways import WAYS, scored, ways, write_files

from surpeer import ReviewProblems
from surpeer.io.review_file import read_reviews

REVIEWS = 120


def reviews() -> pl.DataFrame:
    """Of thirty papers, each with a track and four reviewers."""
    number = pl.int_range(REVIEWS)
    return pl.select(
        paper=number % 30,
        reviewer=pl.format("R{}", number // 30),
        rating=number % 2,
        p_0=pl.lit(0.25),
        p_1=pl.lit(0.75),
        track=pl.lit("A"),
    )


def odd() -> pl.DataFrame:
    """A review by one who has given one already; two papers with another track, and one of which some cells are empty."""
    frame = reviews()
    frame[100, "reviewer"], frame[45, "track"], frame[107, "track"] = "R0", "B", "C"
    frame[3, "track"], frame[93, "track"] = None, ""
    return frame


def problems_of(way: str, folder: Path) -> ReviewProblems:
    with pytest.raises(ReviewProblems) as error:
        scored(way, folder, method="surprisal")
    return error.value


@pytest.mark.parametrize("way", WAYS)
def test_all_of_them_at_once_as_in_a_file_that_is_read_whole(way: str, tmp_path: Path) -> None:
    path = tmp_path / "reviews.parquet"
    odd().write_parquet(path)
    with pytest.raises(ReviewProblems) as small:
        read_reviews(path, platform="surpeer")
    expected = sorted(str(problem) for problem in small.value.problems)
    assert len(expected) == 5
    assert expected == sorted(str(problem) for problem in problems_of(way, path).problems)


@pytest.mark.parametrize("way", WAYS)
def test_they_are_in_the_order_of_files_and_rows(way: str, tmp_path: Path) -> None:
    found = problems_of(way, write_files(odd(), tmp_path / "parts", 3))
    assert found.total == 5
    texts = [str(problem).partition(", expected")[0] for problem in found.problems]
    assert texts == [
        (
            'part-000.parquet, row 4, column track: found an empty cell for paper "3", which has "A" in row 34 of '
            "part-000.parquet"
        ),
        'part-001.parquet, row 6, column track: found "B" for paper "15", which has "A" in row 16 of part-000.parquet',
        (
            'part-002.parquet, row 14, column track: found an empty cell for paper "3", which has "A" in row 34 of '
            "part-000.parquet"
        ),
        (
            'part-002.parquet, row 21, column reviewer: found a second review of paper "10" by "R0" (the first is in row 11 '
            "of part-000.parquet)"
        ),
        'part-002.parquet, row 28, column track: found "C" for paper "17", which has "A" in row 18 of part-000.parquet',
    ]


@in_both
@pytest.mark.parametrize("text", [False, True])
def test_where_they_are_many_all_are_counted_and_the_same_ones_named(text: bool, tmp_path: Path) -> None:
    frame = pl.concat([reviews().with_columns(pl.col("paper") + 30 * copy) for copy in range(13)])
    twice = pl.concat([frame, frame, frame[:40]])
    if text:
        twice = twice.with_columns(pl.format("P{}", "paper").alias("paper"))
    twice[5, "track"] = "B"
    folder = write_files(twice, tmp_path / "parts", 4)
    found = {way: problems_of(way, folder) for way in ways()}
    assert {error.total for error in found.values()} == {len(frame) + 40 + 9}
    assert len({tuple(map(str, error.problems)) for error in found.values()}) == 1
    assert {len(error.problems) for error in found.values()} == {1000}
