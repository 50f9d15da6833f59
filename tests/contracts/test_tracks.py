"""The tracks of a venue: one for every paper."""

from typing import Any

import pandas as pd
import polars as pl
import pytest

from surpeer import ReviewProblems, Reviews, Scale

PAPERS = ["B", "A", "A", "C"]


def read(tracks: Any, papers: list[Any] = PAPERS) -> Reviews:
    table = {"paper": papers, "rating": ["accept"] * len(papers), "track": tracks}
    return Reviews.from_table(table, Scale.preset("binary"))


def tracks_of(reviews: Reviews) -> list[str]:
    assert reviews.track is not None
    return list(reviews.track.to_list())


def test_one_track_for_every_paper_in_the_order_of_papers() -> None:
    reviews = read(["theory", "systems", " systems ", "theory"])
    assert reviews.papers.to_list() == ["A", "B", "C"]
    assert tracks_of(reviews) == ["systems", "theory", "theory"]
    assert "2 tracks: theory: 2 papers, systems: 1 paper" in reviews.notes


@pytest.mark.parametrize(
    "tracks",
    [
        [2, 1, 1, 2],
        [2.0, 1.0, 1.0, 2.0],
        pl.Series([2, 1, 1, 2], dtype=pl.UInt8),
        pl.Series(["2", "1", "1", "2"], dtype=pl.Categorical),
        pd.Series([2, 1, 1, 2]),
    ],
)
def test_tracks_may_be_numbers(tracks: Any) -> None:
    assert tracks_of(read(tracks)) == ["1", "2", "2"]


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_papers_without_a_track_are_a_track(nothing: Any) -> None:
    reviews = read([nothing, "x", "x", "x"])
    assert tracks_of(reviews) == ["x", "(none)", "x"]
    assert "1 paper without a track, taken as a track of their own" in reviews.notes
    assert tracks_of(read([float("nan"), 1.0, 1.0, 1.0])) == ["1", "(none)", "1"]


def test_no_track_at_all() -> None:
    assert read([None] * 4).track is None
    assert read([""] * 4).track is None
    assert Reviews.from_table({"paper": ["A"], "rating": ["accept"]}, Scale.preset("binary")).track is None


def test_many_tracks_are_not_all_listed() -> None:
    reviews = read([f"t{number}" for number in range(7)], list(range(7)))
    assert "7 tracks: t0: 1 paper, t1: 1 paper, t2: 1 paper, t3: 1 paper, t4: 1 paper, ..." in reviews.notes


def problems_of(tracks: Any, papers: list[Any] = PAPERS) -> list[str]:
    with pytest.raises(ReviewProblems) as caught:
        read(tracks, papers)
    return [str(problem) for problem in caught.value.problems]


def test_reviews_of_one_paper_must_agree() -> None:
    expected = "expected one track for all reviews of a paper; make them the same, or rename the column if it is something else"
    assert problems_of(["x", None, "y", "x", "z", "x", "w"], ["B", "A", "A", "C", "A", "D", "B"]) == [
        f'row 1, column track: found an empty cell for paper "A", which has "y" in row 2, {expected}',
        f'row 4, column track: found "z" for paper "A", which has "y" in row 2, {expected}',
        f'row 6, column track: found "w" for paper "B", which has "x" in row 0, {expected}',
    ]


def test_rows_without_a_paper_are_not_one_paper() -> None:
    assert [problem.split(":")[0] for problem in problems_of(["x", "y", "z", "z"], ["", " ", "A", "A"])] == [
        "row 0, column paper",
        "row 1, column paper",
    ]
    assert len(problems_of(["x", "y", "z", "z"], [1.5, 2.5, 3.5, 3.5])) == 1


@pytest.mark.parametrize("tracks", [[1.5, 1, 1, 1], [float("inf"), 1, 1, 1], [True, False, False, True]])
def test_tracks_that_cannot_be_names(tracks: list[Any]) -> None:
    kind = "Boolean" if tracks[0] is True else "Float64"
    assert problems_of(tracks) == [
        (
            f"column track: found tracks of type {kind}, expected text or whole numbers; convert the column, or rename it "
            "if it is something else"
        )
    ]
