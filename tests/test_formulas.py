"""Text that a spreadsheet program would run."""

import csv
import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer.io.formulas import without_formulas


def written(text: str) -> str:
    return str(without_formulas(pl.DataFrame({"paper": [text]}))["paper"][0])


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        '=HYPERLINK("http://example.org","x")',
        "+1+2",
        "-1-2",
        "-cmd|' /C calc'!A0",
        "@SUM(A1)",
        "\t=1+1",
        "\r=1+1",
        "\n=1+1",
        "-1\n",
        "-1e",
        "＝1+1",
        "＠SUM(A1)",
    ],
)
def test_formulas_are_text(text: str) -> None:
    assert written(text) == "'" + text


@pytest.mark.parametrize(
    "text", ["-7", "+3", "-0.5", "-.5", "-1e-7", "+2.", "7", "-", "++", "P1", "a=b", "", "'=1", "1-2", " =1"]
)
def test_numbers_and_other_text_stay(text: str) -> None:
    assert written(text) == text


@given(st.lists(st.text(), min_size=1))
def test_no_text_begins_like_a_formula(texts: list[str]) -> None:
    for before, after in zip(texts, map(written, texts), strict=True):
        assert after in (before, "'" + before)
        assert not after.startswith(("=", "@", "\t", "\r", "\n"))
        grade = not after.strip("+-")
        assert grade or not after.startswith(("+", "-")) or float(after) is not None


def test_other_columns_and_empty_cells_stay() -> None:
    table = pl.DataFrame({"paper": ["=1", None], "score": [-1.5, 2.0], "rank": [1, 2], "flag": [True, None]})
    after = without_formulas(table)
    assert after["paper"].to_list() == ["'=1", None]
    assert after.drop("paper").equals(table.drop("paper"))
    assert after.columns == table.columns
    rows = list(csv.reader(io.StringIO(after.write_csv())))
    assert rows[1] == ["'=1", "-1.5", "1", "true"]


@pytest.mark.parametrize("text", ["-", "+", "--", "++", "+-"])
def test_grades_that_are_signs_are_left_alone(text: str) -> None:
    assert without_formulas(pl.DataFrame({"rating": [text]}))["rating"].to_list() == [text]
