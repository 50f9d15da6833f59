"""The titles of papers: one for every paper, as it was written; they decide nothing."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st

from surpeer import ReviewProblems, Reviews, Scale, calibrate, read_reviews

PAPERS = ["B", "A", "A", "C"]
BINARY = Scale.preset("binary")


def read(titles: Any, papers: list[Any] = PAPERS) -> Reviews:
    return Reviews.from_table({"paper": papers, "rating": ["accept"] * len(papers), "title": titles}, BINARY)


def titles_of(reviews: Reviews) -> list[str | None]:
    assert reviews.title is not None
    assert reviews.title.dtype == pl.String
    assert reviews.title.name == "title"
    return list(reviews.title.to_list())


def title_notes(reviews: Reviews) -> list[str]:
    return [note for note in reviews.notes if "title" in note]


def test_one_title_for_every_paper_in_the_order_of_papers() -> None:
    reviews = read(["Bees", "Ants", "Ants", "Cats"])
    assert reviews.papers.to_list() == ["A", "B", "C"]
    assert titles_of(reviews) == ["Ants", "Bees", "Cats"]
    assert title_notes(reviews) == []


def test_the_first_of_several_titles_counts_and_a_note_says_so() -> None:
    reviews = read(["Bees", None, "Ants", "Cats", "", "Gnats", "Ants"], ["B", "A", "A", "B", "C", "A", "A"])
    assert titles_of(reviews) == ["Ants", "Bees", None]
    assert title_notes(reviews) == ['2 papers with more than one title ("A", "B"): the first in the file is taken']
    assert title_notes(read(["x", "y", "z", "w"])) == [
        '1 paper with more than one title ("A"): the first in the file is taken'
    ]


def test_a_note_does_not_list_all_of_many_papers() -> None:
    papers = [number for number in range(7) for _ in range(2)]
    assert title_notes(read([f"t{at}" for at in range(14)], papers)) == [
        '7 papers with more than one title ("0", "1", "2", "3", "4", ...): the first in the file is taken'
    ]


@pytest.mark.parametrize("nothing", [None, "", "  ", "\t\n"])
def test_empty_cells_are_no_titles(nothing: Any) -> None:
    assert titles_of(read([nothing, nothing, "Ants", "Cats"])) == ["Ants", None, "Cats"]
    assert title_notes(read([nothing, nothing, "Ants", "Cats"])) == []
    assert read([nothing] * 4).title is None


def test_no_titles_at_all() -> None:
    assert Reviews.from_table({"paper": ["A"], "rating": ["accept"]}, BINARY).title is None


@pytest.mark.parametrize("title", ["x" * 100_000, "\x1b[2J\x00", " Ants\n in\tlines ", "=1+1", "\u202eabc", "(none)"])
def test_titles_are_kept_as_they_are(title: str) -> None:
    assert titles_of(read([title] * 4)) == [title] * 3


@pytest.mark.parametrize(
    "titles",
    [
        [1984, 2001, 2001, 1984],
        [1984.0, 2001.0, float("nan"), 1984.0],
        pl.Series(["1984", "2001", "2001", "1984"], dtype=pl.Categorical),
    ],
)
def test_titles_may_be_numbers(titles: Any) -> None:
    assert titles_of(read(titles)) == ["2001", "1984", "1984"]


def test_titles_that_are_no_text() -> None:
    with pytest.raises(ReviewProblems) as caught:
        read([["a"], ["b"], ["b"], ["c"]])
    assert [str(problem) for problem in caught.value.problems] == [
        (
            "column title: found titles of type List(String), expected text or whole numbers; "
            "convert the column, or rename it if it is something else"
        )
    ]


def test_papers_that_have_no_id_do_not_share_a_title() -> None:
    for papers, problems in (([1.5, 2.5, 3.5, 3.5], 1), (["", " ", "A", "A"], 2)):
        with pytest.raises(ReviewProblems) as caught:
            read(["x", "y", "z", "z"], papers)
        assert len(caught.value.problems) == problems
        assert all(problem.column == "paper" for problem in caught.value.problems)


@pytest.mark.parametrize("name", ["Title", " title", "TITLE "])
def test_spelling_counts_as_in_other_columns(name: str) -> None:
    with pytest.raises(ReviewProblems) as caught:
        Reviews.from_table({"paper": ["A"], "rating": ["accept"], name: ["x"]}, BINARY)
    assert [str(problem) for problem in caught.value.problems] == [
        f'found a column "{name}", expected "title"; rename it: spaces and capitals count'
    ]


def test_a_column_that_is_nearly_called_so() -> None:
    reviews = Reviews.from_table({"paper": ["A"], "rating": ["accept"], "titles": ["x"]}, BINARY)
    assert title_notes(reviews) == ['no column title ("titles" is not read)']
    assert reviews.title is None


def test_two_columns_of_titles_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    path.write_text("paper,title,rating,title\nA,x,accept,y\n")
    with pytest.raises(ReviewProblems, match="found 2 columns title, expected every column once; rename or delete the"):
        read_reviews(path, BINARY)


rows = st.lists(
    st.tuples(
        st.integers(0, 4), st.sampled_from(BINARY.levels), st.floats(0.05, 0.95), st.sampled_from(["", "x", "y", " x"])
    ),
    min_size=1,
    max_size=20,
)


def table_of(entries: list[tuple[int, str, float, str]]) -> dict[str, Any]:
    papers, ratings, shares, titles = zip(*entries, strict=True)
    return {"paper": papers, "rating": ratings, "prediction": shares, "title": titles}


@examples(100)
@given(rows)
def test_the_title_is_the_first_that_a_reader_of_the_file_meets(entries: list[tuple[int, str, float, str]]) -> None:
    reviews = Reviews.from_table(table_of(entries), BINARY)
    met: dict[int, list[str]] = {}
    for paper, _, _, title in entries:
        met.setdefault(paper, []).extend([title] if title else [])
    expected = [next(iter(met[paper]), None) for paper in sorted(met)]
    assert (reviews.title is None) == (not any(expected))
    assert reviews.title is None or reviews.title.to_list() == expected
    several = [paper for paper in sorted(met) if len(set(met[paper])) > 1]
    assert [note.split(" paper")[0] for note in title_notes(reviews)] == ([str(len(several))] if several else [])


@examples(60)
@given(rows, st.randoms(use_true_random=False))
def test_rows_may_come_in_any_order(entries: list[tuple[int, str, float, str]], random: Any) -> None:
    agreeing = [(*entry[:3], f"Title {entry[0]}" if entry[3] else "") for entry in entries]
    shuffled = random.sample(agreeing, len(agreeing))
    first, second = (Reviews.from_table(table_of(some), BINARY) for some in (agreeing, shuffled))
    assert (first.title is None) == (second.title is None)
    assert first.title is None or first.title.equals(second.title, null_equal=True)
    assert first.notes == second.notes
    assert calibrate(first).table.equals(calibrate(second).table)


@examples(60)
@given(rows)
def test_titles_change_no_rank(entries: list[tuple[int, str, float, str]]) -> None:
    table = table_of(entries)
    titled = Reviews.from_table(table, BINARY)
    bare = Reviews.from_table({name: column for name, column in table.items() if name != "title"}, BINARY)
    np.testing.assert_array_equal(titled.predictions, bare.predictions)
    results = calibrate(titled).table
    assert results.columns[:3] == (
        ["rank", "paper", "title"] if titled.title is not None else ["rank", "paper", "reviews"]
    )
    assert results.drop("title", strict=False).equals(calibrate(bare).table)
