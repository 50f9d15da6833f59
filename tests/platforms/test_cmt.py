"""CMT's reviews: titles above the header, a sheet for each track, words and numbers of an answer in two columns."""

import pytest
from workbook_samples import spreadsheetml, xlsx

from surpeer.errors import ReviewProblems
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.cmt.platform import PLATFORM
from surpeer.io.review_form.export import Export
from surpeer.io.review_form.form import Form, Option, Question
from surpeer.io.workbook import read_workbook

IDS = ["Paper ID", "Paper Title", "Reviewer Name", "Reviewer Email", "Reviewer Number", "Created", "Last Modified"]
OVERALL = ['Q10 (Please give an "overall score".\n)', 'Q10 (Please give an "overall score".\n - Value)']
DATES = ["3/13/2021 6:21:39 PM -08:00", "3/14/2021 6:21:39 PM -08:00"]


def ids(paper: object, reviewer: str = "ada", number: object = 1, dates: list[str] = DATES) -> list[str]:
    email = f"{reviewer}@example.org" if reviewer else ""
    return [str(paper), "A title", reviewer.title(), email, str(number), *dates]


def sheet(header: list[str], *rows: list[str], name: str = "Main") -> Sheet:
    return Sheet([["VENUE2024"], [], header, *rows], name)


def read(*sheets: Sheet, form: Form | None = None) -> Export:
    return PLATFORM.read(Content("Reviews.xls", sheets), form)


def cells(export: Export) -> dict[str, list[str | None]]:
    return {field.name: field.cells for field in export.fields}


def test_words_and_numbers_of_an_answer_are_put_together() -> None:
    header = [*IDS, "Q1 (Comments)", *OVERALL, "Q12 (Confidence  - Value)"]
    export = read(
        sheet(
            header,
            [*ids(1), "Nice.", "Accept: Good paper", "5", "3"],
            [*ids(1, "bob", 2), "", "Reject", "1", ""],
            [*ids(2)],
        )
    )
    assert cells(export) == {
        "Comments": ["Nice.", None, None],
        'Please give an "overall score".': ["5: Accept: Good paper", "1: Reject", None],
        "Confidence": ["3", None, None],
    }
    assert export.fields[1].keywords == ("Q10", 'Q10 (Please give an "overall score". )')
    assert (export.kind, export.rating, export.track) == ("Reviews", None, None)
    assert export.paper == ["1", "1", "2"]
    assert export.place == [4, 5, 6]
    assert export.reviewer == ["ada@example.org", "bob@example.org", "ada@example.org"]
    assert export.name == ["#1 of paper 1", "#2 of paper 1", "#1 of paper 2"]
    assert (export.submitted, export.problems) == (None, ())


@pytest.mark.parametrize(
    ("labels", "values", "expected"),
    [
        (["10%", "0 %", ""], ["2", "1", ""], ["10%", "0 %", None]),
        (["1", "2", "5"], ["1", "2", "5"], ["1", "2", "5"]),
        (["5: Accept", "1: Reject", "1: Reject"], ["5", "1", "1"], ["5: Accept", "1: Reject", "1: Reject"]),
        (["5 - Accept", "10 Wow", "Reject"], ["5", "1", "-2"], ["5 - Accept", "1: 10 Wow", "-2: Reject"]),
        (["Accept", "", "Reject"], ["", "3", "1.5"], ["Accept", "3", "1.5: Reject"]),
        (["1.5 stars", "15 stars", "none"], ["1", "1", "0"], ["1: 1.5 stars", "1: 15 stars", "0: none"]),
    ],
)
def test_pairs(labels: list[str], values: list[str], expected: list[str | None]) -> None:
    rows = [[*ids(at), label, value] for at, (label, value) in enumerate(zip(labels, values, strict=True))]
    assert cells(read(sheet([*IDS, "Q1 (Overall)", "Q1 (Overall - Value)"], *rows))) == {"Overall": expected}


def test_the_columns_of_a_pair_need_not_be_neighbours_nor_spaced_alike() -> None:
    header = ["Q2 (Overall  rating - Value)", *IDS, "Q1 (Overall rating)", "Q2 (Overall rating )", "Other"]
    export = read(sheet(header, ["4", *ids(1), "first", "second", "x"]))
    assert cells(export) == {"Overall rating (Q1)": ["first"], "Overall rating (Q2)": ["4: second"], "Other": ["x"]}


def test_tracks_share_questions_whatever_their_numbers() -> None:
    main = sheet([*IDS, "Q1 (Overall Rating)", "Q1 (Overall Rating - Value)"], [*ids(1), "Accept", "2"], name="Main")
    short = Sheet(
        [
            ["Demos"],
            [],
            ["Paper ID", "Reviewer Email", "Q1 (Comments)", "Q2 (overall rating)"],
            ["7", "x@example.org", "", "Yes"],
        ],
        "Demos",
    )
    export = read(main, Sheet([["Paper ID", "Meta-Reviewer Email", "Q1 (Overall)"]], "Meta"), short)
    assert cells(export) == {"Overall Rating": ["2: Accept", "Yes"], "Comments": [None, None]}
    assert export.fields[0].keywords == ("Q1", "Q1 (Overall Rating)", "Q2", "Q2 (overall rating)")
    assert export.track == ["Main", "Demos"]
    assert export.paper == ["1", "7"]
    assert export.place == [4, 8]  # rows are counted through
    assert export.name == ['#1 of paper 1, row 4 of sheet "Main"', 'of paper 7, row 4 of sheet "Demos"']


def test_who_wrote_it_and_when_it_matters() -> None:
    header = [*IDS, "Q1 (Overall)"]
    rows = [
        [*ids(1, dates=["", "3/14/2021 6:21:39 PM -08:00"]), "1"],
        [*ids(1, dates=["3/14/2021 6:22:39 PM -08:00", ""]), "2"],
        [*ids(1, "bob", dates=["2024-03-01T10:00:00", ""]), "2"],
        [*ids(2, "", 4, dates=["some day", ""]), "3"],
        [*ids(2, "", "", dates=["", ""]), "3"],
    ]
    export = read(sheet(header, *rows))
    assert export.reviewer == ["ada@example.org", "ada@example.org", "bob@example.org", "4", None]
    first, second, third, *others = export.submitted or []
    assert (first, second, third) == (1615774899.0, 1615774959.0, 1709287200.0)
    assert others == [None, None]


def test_rows_that_cannot_be_read_are_problems_with_their_place() -> None:
    export = read(
        sheet([*IDS, "Q1 (Overall)"], [*ids(1), "3"], ["", *ids(1)[1:], "3"]),
        sheet([*IDS, "Q1 (Overall)"], [*ids(2), "3", "", "extra"], [*ids(3), "4"], name="More"),
    )
    assert export.paper == ["1", "3"]
    assert [str(problem) for problem in export.problems] == [
        'row 5 (review in row 5 of sheet "Main"), column Paper ID: found an empty cell, expected the id of a paper; fill it in or delete the row',
        (
            'row 9 (review in row 4 of sheet "More"): found 10 cells (it begins "2,A title"), expected 8 as in the header; '
            "remove the extra cells"
        ),
    ]
    nothing = read(sheet([*IDS, "Q1 (Overall)"], ["", *ids(1)[1:], "3"]))
    assert (nothing.paper, [problem.row for problem in nothing.problems]) == ([], [4])


def test_the_form_gives_names_and_levels() -> None:
    options = (Option("1", "Reject"), Option("2", "Accept"))
    form = Form((Question("Verdict", ("Q1",), options),))
    export = read(sheet([*IDS, "Q1 (Overall)"], [*ids(1), "2"]), form=form)
    assert (export.fields[0].name, export.fields[0].options) == ("Verdict", options)


@pytest.mark.parametrize("write", [spreadsheetml, xlsx])
def test_files(write: object) -> None:
    header = [*IDS, *OVERALL, "Q11 (Predicted shares of <b>1</b>, 2 &amp; 3)"]
    rows = [
        ["VENUE2024"],
        [],
        header,
        [1, "T", "Ada", "ada@example.org", 1, *DATES, "Accept: Good paper", 5, "10 20 70"],
    ]
    content = Content("Reviews.xls", read_workbook("Reviews.xls", write({"VENUE2024": rows})))  # type: ignore[operator]
    assert PLATFORM.recognise(content) == "Reviews"
    export = PLATFORM.read(content, None)
    assert cells(export) == {
        'Please give an "overall score".': ["5: Accept: Good paper"],
        "Predicted shares of 1, 2 & 3": ["10 20 70"],
    }
    assert (export.paper, export.place, export.reviewer) == (["1"], [4], ["ada@example.org"])


META = ["Paper ID", "Paper Title", "Meta-Reviewer Name", "Meta-Reviewer Email", "Q1 (Overall)"]
PAPERS = ["Paper ID", "Created", "Last Modified", "Paper Title", "Author Names", "Status", "Q1 (Conflict)"]


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ([*IDS, "Q1 (Overall)"], "Reviews"),
        (["paper id", "reviewer number", "Q1 (Overall)"], "Reviews"),
        (["Paper ID", "Reviewer Email", "Rating"], None),
        (["Paper ID", "Q1 (Overall)"], None),
        (META, "Meta-Reviews"),
        (["Paper ID", "Senior Meta-Reviewer Name", "Q1 (Overall)"], "Meta-Reviews"),
        (PAPERS, "Submissions"),
        (["paper", "reviewer", "rating", "p_1"], None),
        (["submission #", "member #", "scores"], None),
    ],
)
def test_what_is_recognised(header: list[str], kind: str | None) -> None:
    assert PLATFORM.recognise(Content("f", (sheet(header),))) == kind
    assert PLATFORM.recognise(Content("f", (Sheet([header]),))) == kind


@pytest.mark.parametrize(
    ("foreign", "message"),
    [
        (Content("f", (sheet(META),)), "found CMT's Meta-Reviews, expected its Reviews; export again from the chair's console"),
        (Content("f", (sheet(PAPERS),)), "found CMT's Submissions, expected its Reviews"),
        (Content("f", (Sheet([["a", "b"]]),)), 'found a table with the columns "a", "b", expected CMT\'s Reviews, with the columns Paper ID and Reviewer Email'),
        (Content("f", json=[1]), "found other JSON, expected CMT's Reviews"),
        (Content("f", (sheet([*IDS, "Paper ID", "Q1 (Overall)"]),)), "found 2 columns Paper ID, expected every column once"),
        (Content("f", (sheet([*IDS, *(f"Q{at} (Question {at})" for at in range(301))]),)), "308 columns"),
    ],
)  # fmt: skip
def test_what_is_no_export_of_reviews(foreign: Content, message: str) -> None:
    with pytest.raises(ReviewProblems) as caught:
        PLATFORM.read(foreign, None)
    assert message in str(caught.value)


def test_columns_are_read_as_asked_even_without_a_question() -> None:
    export = read(sheet(["Paper ID", "Reviewer Email", "Rating"], ["1", "x@example.org", "3"]))
    assert cells(export) == {"Rating": ["3"]}
