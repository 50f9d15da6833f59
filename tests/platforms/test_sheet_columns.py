"""The columns of a sheet."""

from surpeer.errors import Problem
from surpeer.io.content import Sheet
from surpeer.io.platforms.sheet_columns import read_columns


def test_columns_of_a_sheet() -> None:
    columns = read_columns(
        Sheet([["<i>A</i>", "b", "", ""], [" 1 ", "", "", ""], [], ["", ""], ["2", "3"]]), "f", ("A",)
    )
    assert columns.cells == {"A": ["1", "2"], "b": [None, "3"]}
    assert columns.place == [2, 5]
    assert columns.take(" B ") == [None, "3"]
    assert columns.take("b") is None
    assert read_columns(Sheet([]), "f", ()).cells == {}
    assert read_columns(Sheet([["a"]]), "f", ()).cells == {"a": []}
    assert [str(problem) for problem in read_columns(Sheet([[], ["1"]]), "f", ()).problems] == [
        'row 2: found 1 cell (it begins "1"), expected 0 as in the header; remove the extra cells, or put quotes around text with separators in it'
    ]


def test_rows_without_a_paper_are_problems_among_the_others() -> None:
    sheet = Sheet([["Paper", "x"], ["", "1"], ["A", "2", "3"], ["B", "4"], ["", "5"]], "in a workbook")
    papers, columns = read_columns(sheet, "f", ()).take_papers("paper")
    assert (papers, columns.cells, columns.place) == (["B"], {"x": ["4"]}, [4])
    empty = ("an empty cell", "the id of a paper", "fill it in or delete the row")
    assert columns.problems == (
        Problem(2, "paper", *empty),
        Problem(3, None, '3 cells (it begins "A,2")', "2 as in the header", "remove the extra cells"),
        Problem(5, "paper", *empty),
    )
    lower = columns.lower(2)
    assert (lower.place, [problem.row for problem in lower.problems]) == ([6], [4, 5, 7])


def test_names_that_differ_only_in_capitals_may_be_two_columns() -> None:
    sheet = Sheet([["review", "Review", "x", "x"], ["a", "b", "c", "d"]])
    assert list(read_columns(sheet, "f", ("review",), fold=str).cells) == [
        "review",
        "Review",
        "x (column 3)",
        "x (column 4)",
    ]
