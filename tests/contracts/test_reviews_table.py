"""Reviews written to a file and read again."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st

from surpeer import Scale, read_reviews
from surpeer.io.formulas import without_formulas
from surpeer.io.reviews_table import WRITERS, reviews_table
from surpeer.reviews import Reviews

LEVELS = ["-1", "weak, but", "accept"]


def example(**columns: Any) -> Reviews:
    table = {"paper": ["B", "A", "A", "=1"], "rating": ["accept", "-1", "weak, but", "-1"], **columns}
    return Reviews.from_table(table, Scale(LEVELS, [-1, 0, 3]))


FULL = {
    "title": ["On\nlines", None, "Ants, bees", None],
    "reviewer": ["r1", "r2", None, 'say "hi"'],
    "p_-1": [1 / 3, 0.1, None, None],
    "p_weak, but": [1 / 3, 0.2, 0.5, None],
    "p_accept": [1 / 3, 0.7, None, None],
    "expected": [None, None, None, 1.25],
    "track": ["x", "y", "y", "x"],
}


def test_the_columns() -> None:
    table = reviews_table(example(**FULL))
    assert table.columns == [
        "paper",
        "title",
        "reviewer",
        "rating",
        "p_-1",
        "p_weak, but",
        "p_accept",
        "expected",
        "track",
    ]
    assert table["paper"].to_list() == ["B", "A", "A", "=1"]
    assert table["rating"].to_list() == ["accept", "-1", "weak, but", "-1"]
    assert table["p_-1"].to_list() == [1 / 3, 0.1, None, None]
    assert table["expected"].to_list() == [None, None, None, 1.25]
    assert table["track"].to_list() == ["x", "y", "y", "x"]
    assert table["title"].to_list() == ["On\nlines", "Ants, bees", "Ants, bees", None]
    assert reviews_table(example()).columns == ["paper", "rating"]


@pytest.mark.parametrize("ending", WRITERS)
def test_what_is_written_is_read_again(ending: str, tmp_path: Path) -> None:
    reviews = example(**FULL)
    stream = io.BytesIO()
    WRITERS[ending](reviews, stream)
    path = tmp_path / f"reviews{ending}"
    path.write_bytes(stream.getvalue())
    again = read_reviews(path, reviews.scale)
    np.testing.assert_array_equal(again.predictions, reviews.predictions)
    np.testing.assert_array_equal(again.rating, reviews.rating)
    np.testing.assert_array_equal(again.expected, reviews.expected)  # type: ignore[arg-type]
    assert again.reviewer is not None
    assert again.reviewer.to_list() == FULL["reviewer"]
    papers = reviews.papers.to_list() if ending != ".csv" else ["'=1", "A", "B"]  # nothing that a spreadsheet would run
    assert again.papers.to_list() == papers
    assert again.track is not None
    assert again.track.to_list() == ["x", "y", "x"]
    assert again.title is not None
    assert again.title.to_list() == [None, "Ants, bees", "On\nlines"]


TITLES = st.none() | st.text(  # a CSV file with a NUL is refused
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8
).filter(str.strip)


@examples(60)
@given(st.lists(TITLES, min_size=1, max_size=4))
def test_titles_come_back_as_they_were(tmp_path_factory: Any, titles: list[str | None]) -> None:
    table = {"paper": np.arange(len(titles)), "rating": ["accept"] * len(titles)}
    reviews = Reviews.from_table(table | {"title": pl.Series(titles, dtype=pl.String)}, Scale.preset("binary"))
    folder = tmp_path_factory.mktemp("tables", numbered=True)
    for ending, writer in WRITERS.items():
        path = folder / f"reviews{ending}"
        with path.open("wb") as stream:
            writer(reviews, stream)
        again = read_reviews(path, reviews.scale).title
        expected = without_formulas(pl.DataFrame({"title": titles}, schema={"title": pl.String}))["title"].to_list()
        given_back = [None] * len(titles) if again is None else again.to_list()
        assert given_back == (expected if ending == ".csv" else titles)


@examples(30)
@given(st.lists(st.lists(st.floats(0.001, 1), min_size=3, max_size=3), min_size=1, max_size=5))
def test_shares_keep_every_digit(tmp_path_factory: Any, rows: list[list[float]]) -> None:
    shares = np.array(rows)
    shares /= shares.sum(axis=1, keepdims=True)
    columns = {f"p_{level}": shares[:, at] for at, level in enumerate("abc")}
    table = {"paper": np.arange(len(rows)), "rating": ["a"] * len(rows), **columns}
    reviews = Reviews.from_table(table, Scale(list("abc")))
    folder = tmp_path_factory.mktemp("tables", numbered=True)
    for ending, writer in WRITERS.items():
        path = folder / f"reviews{ending}"
        with path.open("wb") as stream:
            writer(reviews, stream)
        np.testing.assert_array_equal(read_reviews(path).predictions, reviews.predictions)
