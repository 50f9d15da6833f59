"""The file that Cornell's revNorm takes."""

from typing import Any

import pytest

from surpeer.errors import ReviewProblems
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.revnorm import PLATFORM
from surpeer.io.review_form.export import Export
from surpeer.io.review_form.form import Form, Option, Question


def table(*lines: str) -> Content:
    return Content("scores.csv", (Sheet([line.split(",") for line in lines]),))


def read(*lines: str, form: Form | None = None) -> Export:
    return PLATFORM.read(table(*lines), form)


def test_one_review_a_row() -> None:
    export = read("Paper,Reviewer,Score", "12,Ada,3", "P 7,Bob,-1.50", "12,Bob,4.0", "12,Cleo,")
    assert export.kind == "scores (CSV)"
    assert export.paper == ["12", "P 7", "12", "12"]
    assert export.reviewer == ["Ada", "Bob", "Bob", "Cleo"]
    assert [(field.name, field.cells) for field in export.fields] == [("Score", ["3", "-1.5", "4", None])]
    assert export.rating == "Score"
    assert export.place == [2, 3, 4, 5]
    assert export.problems == ()


def test_further_columns_are_fields_and_rows_may_be_short_or_empty() -> None:
    export = read("Paper,Reviewer,Score,p_1,<b>p_2</b>,", "1,A,1,20,80", ",,", "2,A,2", "3,,2,,5")
    assert [(field.name, field.cells) for field in export.fields] == [
        ("Score", ["1", "2", "2"]),
        ("p_1", ["20", None, None]),
        ("p_2", ["80", None, "5"]),
    ]
    assert export.place == [2, 4, 5]
    assert export.reviewer == ["A", "A", None]


def test_columns_in_any_order_when_asked_for() -> None:
    assert PLATFORM.recognise(table("score,paper", "3,1")) is None
    export = read("score,paper", "3,1")
    assert (export.paper, export.reviewer, export.fields[0].cells) == (["1"], None, ["3"])


def test_the_form_names_the_levels() -> None:
    options = (Option("1", "reject"), Option("2", "accept"))
    export = read("Paper,Reviewer,Score", "1,A,1", form=Form((Question("Overall", ("score",), options),)))
    assert export.rating == "Overall"
    assert export.fields[0].name == "Overall"
    assert export.fields[0].options == options
    assert export.fields[0].keywords == ("Score", "score")


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("Paper,Reviewer,Score", "scores (CSV)"),
        (" paper , REVIEWER,score,", "scores (CSV)"),
        ("Paper,Reviewer,Score,p_1,p_2", "scores (CSV)"),
        ("paper,reviewer,rating,p_1,p_2", None),
        ("paper,reviewer,score,rating", None),
        ("Paper,Score,Reviewer", None),
        ("paper,title,reviewer,score", None),
        ("", None),
    ],
)
def test_what_is_recognised(header: str, kind: str | None) -> None:
    assert PLATFORM.recognise(table(header, "1,2,3")) == kind


@pytest.mark.parametrize("content", [Content("x"), Content("x", json=[1]), Content("x", (Sheet([]),))])
def test_other_content_is_not_recognised(content: Content) -> None:
    assert PLATFORM.recognise(content) is None


def problems(content: Content) -> str:
    with pytest.raises(ReviewProblems) as caught:
        PLATFORM.read(content, None)
    return str(caught.value)


EXPECTED = "expected a table with the columns Paper, Reviewer, Score; leave --from out, or name the platform that the file comes from"


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (table("paper,rating", "1,2"), 'a table with the columns "paper", "rating"'),
        (table(*[",".join(f"c{at}" for at in range(13))]), '"c11", ...'),
        (Content("scores.csv", (Sheet([[""]]),)), "a table without a header"),
        (Content("scores.csv"), "neither a table nor JSON"),
        (Content("scores.csv", json=3), "other JSON"),
        (Content("scores.csv", json=[{"id": 3}]), 'a JSON list of objects with the keys "id"'),
        (Content("scores.csv", json={}), "a JSON object with the keys (none)"),
    ],
)
def test_foreign_content(content: Content, found: str) -> None:
    text = problems(content)
    assert text.startswith("scores.csv: 1 problem\n  found ")
    assert f"{found}, {EXPECTED}" in text


def test_all_problems_of_rows_at_once() -> None:
    export = read("Paper,Reviewer,Score", "1,A,good", ",B,2", "1,B,3,more,,", "1,C,2", "1,D,1e3", f"1,E,{'1' * 30}")
    assert export.place == [5]
    assert [str(problem) for problem in export.problems] == [
        'row 2, column Score: found "good", expected a number; correct it, or delete the row',
        "row 3, column Paper: found an empty cell, expected the id of a paper; fill it in or delete the row",
        'row 4: found 4 cells (it begins "1,B"), expected 3 as in the header; remove the extra cells, or put quotes around text with separators in it',
        'row 6, column Score: found "1e3", expected a number; correct it, or delete the row',
        f'row 7, column Score: found "{"1" * 30}", expected a number; correct it, or delete the row',
    ]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (
            ["Paper,Reviewer,Score,paper", "1,A,2,1"],
            "found 2 columns Paper, expected every column once; rename or delete the others",
        ),
        (
            ["Paper,Reviewer,Score" + ",x" * 300, "1,A,2"],
            "found 303 columns, expected a form of at most 300; is this an export of reviews?",
        ),
    ],
)
def test_nothing_that_can_be_used(lines: list[str], text: str) -> None:
    assert text in problems(table(*lines))


def test_twins_among_further_columns_have_their_numbers() -> None:
    export = read("Paper,Reviewer,Score,note,Note,,last", "1,A,2,a,b,c,d")
    assert [field.name for field in export.fields] == [
        "Score",
        "note (column 4)",
        "Note (column 5)",
        "(column 6)",
        "last",
    ]


def test_a_later_sheet_may_be_the_one() -> None:
    content: Any = Content(
        "x.xlsx", (Sheet([["About"]], "a"), Sheet([["Paper", "Reviewer", "Score"], ["1", "A", "2"]], "b"))
    )
    assert PLATFORM.recognise(content) == "scores (CSV)"
    assert PLATFORM.read(content, None).paper == ["1"]
