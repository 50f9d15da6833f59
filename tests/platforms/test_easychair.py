"""EasyChair's conference data: one cell with all scores, versions, subreviewers, withdrawn papers."""

import pytest
from workbook_samples import archive, xls, xlsx

from surpeer.errors import Problem, ReviewProblems
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.easychair.answers import read_scores, read_texts
from surpeer.io.platforms.easychair.platform import PLATFORM
from surpeer.io.review_form.export import Export
from surpeer.io.review_form.form import Form, Option, Question
from surpeer.io.workbook import read_workbook

HEADER = [
    "#",
    "submission #",
    "member #",
    "member name",
    "number",
    "version",
    "text",
    "scores",
    "total score",
    "reviewer first name",
    "reviewer last name",
    "reviewer email",
    "reviewer person #",
    "date",
    "time",
    "attachment?",
]
SUBMISSIONS = ["#", "title", "authors", "decision", "notified", "deleted?"]


def review(
    paper: object, number: object, member: str, scores: str, *, version: object = 1, text: str = "", total: object = "",
    sub: tuple[str, str, str] = ("", "", ""), date: str = "2024-05-01", time: str = "10:00", member_number: str = "",
) -> list[str]:  # fmt: skip
    row = [
        "7",
        paper,
        member_number or member.lower(),
        member,
        number,
        version,
        text,
        scores,
        total,
        *sub,
        "",
        date,
        time,
        "no",
    ]
    return [str(cell) for cell in row]


def content(*rows: list[str], header: list[str] | None = None, more: tuple[Sheet, ...] = ()) -> Content:
    return Content("data.xlsx", (Sheet([header or HEADER, *rows], "Reviews"), *more))


def read(
    *rows: list[str], header: list[str] | None = None, more: tuple[Sheet, ...] = (), form: Form | None = None
) -> Export:
    return PLATFORM.read(content(*rows, header=header, more=more), form)


def cells(export: Export) -> dict[str, list[str | None]]:
    return {field.name: field.cells for field in export.fields}


def test_scores_are_fields() -> None:
    export = read(
        review(3, 1, "Ada", "Overall evaluation: -2\nReviewer's confidence: 4"),
        review(3, 2, "Bob", "Overall evaluation: 0\nReviewer's confidence: 5\nBest paper: yes"),
        review(12, 1, "Ada", "Overall evaluation: +3\r\nReviewer's confidence: 3 (medium)\n"),
        review(12, 2, "Cleo", ""),
    )
    assert cells(export) == {
        "Overall evaluation": ["-2", "0", "+3", None],
        "Reviewer's confidence": ["4", "5", "3 (medium)", None],
        "Best paper": [None, "yes", None, None],
    }
    assert (export.kind, export.rating) == ("reviews", "Overall evaluation")
    assert export.paper == ["3", "3", "12", "12"]
    assert export.place == [2, 3, 4, 5]
    assert export.reviewer == ["Ada", "Bob", "Ada", "Cleo"]
    assert export.name == ["1 of submission 3", "2 of submission 3", "1 of submission 12", "2 of submission 12"]
    assert (export.withdrawn, export.track, export.notes, export.problems) == (None, None, (), ())


@pytest.mark.parametrize(
    ("line", "label", "score"),
    [
        ("Overall evaluation: 2", "Overall evaluation", "2"),
        ("Reviewer's confidence: 4: (high)", "Reviewer's confidence", "4: (high)"),
        ("Relevance: to the venue: -1", "Relevance: to the venue", "-1"),
        ("Ratio 2:1 kept: yes", "Ratio 2:1 kept", "yes"),
        ("Predicted shares: 10:20:70", "Predicted shares", "10:20:70"),
        ("Predicted shares: 10 20 70", "Predicted shares", "10 20 70"),
        ("Award: best paper: no", "Award", "best paper: no"),
        ("Presentation:", "Presentation", ""),
    ],
)
def test_a_line_of_scores(line: str, label: str, score: str) -> None:
    assert read_scores(f"  {line}  ") == {label: score}


@pytest.mark.parametrize("cell", ["2", "no colon here", ": 3", "A: 1\nA: 2", "A: 1\njust text"])
def test_cells_that_are_no_scores(cell: str) -> None:
    assert read_scores(cell) is None


def test_scores_that_cannot_be_read_are_problems() -> None:
    export = read(review(1, 1, "Ada", "A: 1"), review(1, 2, "Bob", "well done"), review("", 1, "Cleo", "A: 2"))
    assert export.paper == ["1"]
    assert export.problems == (
        Problem(3, "scores", '"well done"', 'lines such as "Overall evaluation: 2"', "correct the cell"),
        Problem(4, "submission #", "an empty cell", "the id of a paper", "fill it in or delete the row"),
    )
    nothing = read(review(1, 1, "Ada", "3"))
    assert nothing.paper == []
    assert [str(problem) for problem in nothing.problems] == [
        'row 2, column scores: found "3", expected lines such as "Overall evaluation: 2"; correct the cell'
    ]


def test_the_last_version_of_a_review_counts() -> None:
    export = read(
        review(1, 1, "Ada", "Overall evaluation: 1", version=2),
        review(1, 1, "Ada", "Overall evaluation: -1", version=1),
        review(1, 2, "Bob", "Overall evaluation: 2", version=9),
        review(1, 2, "Bob", "Overall evaluation: 3", version=10),
        review(2, 1, "Ada", "Overall evaluation: 0", version=1),
    )
    assert cells(export) == {"Overall evaluation": ["1", "3", "0"]}
    assert export.place == [2, 5, 6]
    assert export.notes == ("2 earlier versions of reviews left out: the last one counts",)


def test_subreviewers_write_their_own_reviews_and_namesakes_are_told_apart() -> None:
    export = read(
        review(1, 1, "Ada", "A: 1"),
        review(1, 2, "Ada", "A: 1", sub=("Sue", "Breviewer", "sue@example.org")),
        review(1, 3, "Ada", "A: 1", sub=("Tom", "Breviewer", "")),
        review(1, 4, "Bo", "A: 1", member_number="4"),
        review(1, 5, "Bo", "A: 1", member_number="5"),
        review(1, 6, "", "A: 1", member_number="6"),
    )
    assert export.reviewer == ["Ada", "sue@example.org", "Tom Breviewer", "Bo (4)", "Bo (5)", "6"]


def test_when_reviews_were_written() -> None:
    export = read(
        review(1, 1, "Ada", "A: 1", date="2024-05-01", time="10:00"),
        review(1, 2, "Bob", "A: 1", date="2024-05-01", time="10:01:30"),
        review(1, 3, "Cleo", "A: 1", date="2024-05-01", time=""),
        review(1, 4, "Dan", "A: 1", date="yesterday"),
        review(1, 5, "Eve", "A: 1", date=""),
    )
    first, second, *others = export.submitted or []
    assert first is not None
    assert second == first + 90
    assert others == [first - 36000, None, None]


def test_the_rating_is_the_score_that_the_total_repeats() -> None:
    rows = [review(1, at, f"R{at}", f"Confidence: {at}\nVerdict: {-at}", total=-at) for at in range(1, 4)]
    assert read(*rows).rating == "Verdict"
    assert read(*(row[:8] for row in rows), header=HEADER[:8]).rating is None


def test_a_weighted_total_is_left_out_and_counted_as_such() -> None:
    rows = [review(1, at, f"R{at}", f"Overall evaluation: {at}\nNovelty: {at}", total=3 * at) for at in range(1, 4)]
    export = read(*rows)
    assert export.rating == "Overall evaluation"
    assert export.notes == ("the total score, which is a weighted sum of several scores, left out",)
    assert list(cells(export)) == ["Overall evaluation", "Novelty"]


def test_two_scores_that_both_agree_with_the_total() -> None:
    rows = [review(1, at, f"R{at}", f"Confidence: {at}\nOverall evaluation: {at}", total=at) for at in range(1, 4)]
    assert read(*rows).rating == "Overall evaluation"


def test_texts_under_headings_are_fields() -> None:
    text = "(OVERALL EVALUATION)\nGood.\n(I mean it.)\n\n(PREDICTED SHARES (1 TO 3)) 10 20 70\n(NLP) is hard\n"
    export = read(
        review(1, 1, "Ada", "Overall evaluation: 1", text=text),
        review(1, 2, "Bob", "Overall evaluation: 2", text="No heading here (AT ALL)\nbut two lines"),
    )
    assert cells(export) == {
        "Overall evaluation": ["1", "2"],
        "Overall evaluation (text)": ["Good.\n(I mean it.)", None],
        "Predicted shares (1 to 3)": ["10 20 70\n(NLP) is hard", None],
        "text": [None, "No heading here (AT ALL)\nbut two lines"],
    }
    assert export.rating == "Overall evaluation"


def test_a_heading_of_somebodys_own_is_not_one_of_the_forms() -> None:
    texts = ["(SUMMARY)\nfine"] * 199 + ["(SUMMARY)\nfine\n(MY OWN HEADING)\nmore"]
    read_back = read_texts(texts)
    assert read_back[:199] == [{"Summary": "fine"}] * 199
    assert read_back[199] == {"Summary": "fine"}
    assert read_texts(texts[199:]) == [{"Summary": "fine", "My own heading": "more"}]


def test_very_many_brackets_take_no_time() -> None:
    assert list(read_texts(["\n(" * 500_000])[0]) == ["text"]
    assert read_texts(["(AAAA)\nx\n" * 100_000])[0]["Aaaa"].startswith("x\nx\n")


def test_papers_that_are_out_and_tracks() -> None:
    header = [*SUBMISSIONS, "track name"]
    rows = [
        ["1", "A", "", "no decision", "no", "no", "Main"],
        ["2", "B", "", "withdrawn", "no", "no", "Main"],
        ["3", "C", "", "accept", "no", "yes", "Demos"],
        ["4", "D", "", "Desk Reject", "no", "no", "Demos"],
        ["", "nobody's", "", "withdrawn", "", "", ""],
    ]
    export = read(*(review(at, 1, "Ada", "A: 1") for at in range(1, 6)), more=(Sheet([header, *rows], "Submissions"),))
    assert export.withdrawn == [False, True, True, True, False]
    assert export.track == ["Main", "Main", "Demos", "Demos", None]


def test_one_track_is_none() -> None:
    submissions = Sheet([[*SUBMISSIONS, "track name"], ["1", "A", "", "accept", "", "no", "Main"]])
    assert read(review(1, 1, "Ada", "A: 1"), more=(submissions,)).track is None


def test_the_form_gives_names_and_levels() -> None:
    options = (Option("-1", "reject"), Option("1", "accept"))
    form = Form((Question("Verdict", ("overall evaluation",), options),))
    export = read(review(1, 1, "Ada", "Overall evaluation: 1"), form=form)
    assert (export.rating, export.fields[0].name, export.fields[0].options) == ("Verdict", "Verdict", options)


@pytest.mark.parametrize("kind", ["xlsx", "xls", "zip"])
def test_the_whole_download(kind: str) -> None:
    reviews = [
        HEADER,
        review(1, 1, "Ada", "Overall evaluation: -1\nReviewer's confidence: 4", text='(SUMMARY)\nA "b".'),
    ]
    submissions = [SUBMISSIONS, ["1", "On it", "A. B.", "withdrawn", "no", "no"]]
    sheets = {"Submissions": submissions, "Comments": [["submission #", "comment"], ["1", "hm"]], "Reviews": reviews}
    if kind == "zip":
        files = {"submission.csv": "#,title,decision,deleted?\n1,On it,withdrawn,no\n"}
        quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in reviews]
        data = archive({**files, "review.csv": "\n".join(quoted)})
    else:
        data = (xlsx if kind == "xlsx" else xls)(sheets)
    whole = Content("data", read_workbook("data", data))
    assert PLATFORM.recognise(whole) == "reviews"
    export = PLATFORM.read(whole, None)
    assert cells(export) == {
        "Overall evaluation": ["-1"],
        "Reviewer's confidence": ["4"],
        "Summary": ['A "b".'],
    }
    assert (export.paper, export.place, export.withdrawn) == (["1"], [2], [True])


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        (HEADER, "reviews"),
        ([name.upper() for name in HEADER], "reviews"),
        (["submission #", "number", "scores"], "reviews"),
        (["submission #", "scores"], None),
        (["paper", "reviewer", "rating", "p_1"], None),
        (["Paper ID", "Reviewer Email", "Q1 (Overall)"], None),
        (SUBMISSIONS, None),
        ([], None),
    ],
)
def test_what_is_recognised(header: list[str], kind: str | None) -> None:
    assert PLATFORM.recognise(Content("f", (Sheet([header]),))) == kind
    assert PLATFORM.recognise(Content("f", (Sheet([["Conference X"], [], header]),))) == kind


def test_rows_below_a_title_keep_their_numbers() -> None:
    rows = [["EasyChair"], [], ["submission #", "scores"], ["1", "A: 1"], ["1", "A: 2", "too", "many"]]
    export = PLATFORM.read(Content("f", (Sheet(rows),)), None)
    assert export.place == [4]
    assert export.problems[0].row == 5
    assert export.reviewer is None


@pytest.mark.parametrize(
    ("foreign", "found"),
    [
        (Content("f", (Sheet([["paper", "rating"]]),)), 'a table with the columns "paper", "rating"'),
        (Content("f", json={"a": 1}), 'a JSON object with the keys "a"'),
        (Content("f"), "neither a table nor JSON"),
    ],
)
def test_foreign_content(foreign: Content, found: str) -> None:
    assert PLATFORM.recognise(foreign) is None
    with pytest.raises(ReviewProblems) as caught:
        PLATFORM.read(foreign, None)
    expected = (
        "expected EasyChair's reviews, with the columns submission # and scores; download the conference data again"
    )
    assert f"found {found}, {expected}" in str(caught.value)


def test_too_many_labels_are_no_form() -> None:
    with pytest.raises(ReviewProblems, match="found 301 scores, expected a form of at most 300"):
        read(review(1, 1, "Ada", "\n".join(f"Score {at}: 1" for at in range(301))))
