"""Reviews of pretalx: the organiser's export, in CSV and JSON, and the API's answers."""

from typing import Any

import pytest

from surpeer.errors import ReviewProblems
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.pretalx.platform import PLATFORM
from surpeer.io.review_form.export import Export
from surpeer.io.review_form.form import Form, Option, Question

PREDICTION = "What will the other reviewers give? (shares of 0, 1, 2)"
HEADER = [
    "Score",
    "Text",
    "Proposal ID",
    "Proposal title",
    "Created",
    "Updated",
    "Reviewer name",
    "Reviewer email",
    PREDICTION,
]
ROWS = [
    HEADER,
    ["2.00", "Good,\nvery good", "AB7CD3", "Bees", "2031-05-01 10:00:00+00:00", "2031-05-02 10:00:00+00:00", "Ada", "a@example.org", "10 20 70"],
    ["", "", "AB7CD3", "Bees", "2031-05-01 10:00:00+00:00", "", "Bob", "", "'-"],
    ["0.50", "", "EF8GH9", "Ants", "2031-05-01 10:00:00+00:00", "never", "Ada", "a@example.org"],
]  # fmt: skip


def table(rows: list[list[str]]) -> Content:
    return Content("demo_reviews.csv", (Sheet(rows),))


def read(content: Content, form: Form | None = None) -> Export:
    return PLATFORM.read(content, form)


def cells(export: Export) -> dict[str, list[str | None]]:
    return {field.name: field.cells for field in export.fields}


def error(content: Content) -> str:
    with pytest.raises(ReviewProblems) as caught:
        read(content)
    return str(caught.value)


def test_the_csv_of_the_organisers() -> None:
    export = read(table(ROWS))
    assert export.kind == PLATFORM.recognise(table(ROWS)) == "reviews (CSV or JSON)"
    assert export.paper == ["AB7CD3", "AB7CD3", "EF8GH9"]
    assert export.reviewer == ["a@example.org", "Bob", "a@example.org"]
    assert export.place == [2, 3, 4]
    assert export.rating == "Score"
    assert cells(export) == {
        "Score": ["2", None, "0.5"],
        "Text": ["Good,\nvery good", None, None],
        PREDICTION: ["10 20 70", "-", None],
    }
    assert export.submitted is not None
    assert export.submitted[0] - export.submitted[1] == 24 * 3600  # type: ignore[operator]
    assert export.submitted[2] is None
    assert export.notes == ("1 cell that pretalx had put an apostrophe before read without it",)
    assert export.problems == ()
    assert export.withdrawn is None


def test_the_json_of_the_organisers_is_the_same() -> None:
    records = [dict(zip(HEADER, [cell or None for cell in row], strict=False)) for row in ROWS[1:]]
    records[1][PREDICTION] = "-"
    content = Content("demo_reviews.json", json=records)
    assert PLATFORM.recognise(content) == "reviews (CSV or JSON)"
    export, other = read(content), read(table(ROWS))
    assert cells(export) == cells(other)
    assert (export.paper, export.reviewer, export.submitted, export.rating) == (
        other.paper,
        other.reviewer,
        other.submitted,
        other.rating,
    )
    assert export.place == [1, 2, 3]
    assert export.notes == ()


def test_columns_of_categories() -> None:
    rows = [
        ["Score", "Score in “Relevance”", "Score in “Clarity”", "Proposal ID", "Reviewer name", "Relevance", "Clarity"],
        ["5.00", "", "", "AB7CD3", "Ada", "2.00", "3.00"],
    ]
    export = read(table(rows))
    assert cells(export) == {"Score": ["5"], "Relevance": ["2"], "Clarity": ["3"]}
    assert export.notes == (
        'the column "Score in “Relevance”", in which there is nothing, left out',
        'the column "Score in “Clarity”", in which there is nothing, left out',
        "Score is pretalx's weighted sum of Relevance, Clarity; --rating takes one of them instead",
    )


def test_categories_of_older_versions() -> None:
    rows = [["Proposal ID", "Reviewer name", "Score", "Score in 'Relevance'"], ["AB7CD3", "Ada", "4.00", "2.00"]]
    export = read(table(rows))
    assert cells(export) == {"Score": ["4"], "Score in 'Relevance'": ["2"]}
    assert export.fields[1].keywords == ("Relevance",)
    assert export.notes == ()


def test_without_score_the_rating_is_not_fixed() -> None:
    rows = [["Proposal ID", "Reviewer name", "Text", "Merit"], ["AB7CD3", "Ada", "", "2"]]
    assert read(table(rows)).rating is None


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        (HEADER, "reviews (CSV or JSON)"),
        (["Proposal ID", "Score", "Reviewer email"], "reviews (CSV or JSON)"),
        (["Proposal ID", "Score"], None),
        (["Proposal ID", "Proposal title", "Created"], None),
        (["paper", "reviewer", "rating", "p_1", "p_2"], None),
        (["Paper", "Reviewer", "Score"], None),
        (["Score", "Text", "Created", "Updated", "Reviewer name"], None),
        (["ID", "Proposal title", "Proposal state", "Median score"], "sessions"),
        (["Median score"], None),
        ([], None),
    ],
)
def test_which_tables_are_recognised(header: list[str], kind: str | None) -> None:
    assert PLATFORM.recognise(table([header, ["1"] * len(header)])) == kind
    assert PLATFORM.recognise(Content("x", json=[dict.fromkeys(header, "1")])) == kind


EXPORT = "in pretalx, with English as your language: Review, Export, tick at least Proposal ID, Score, Reviewer name and the questions that ask for predictions"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            table([["ID", "Proposal title", "Median score"], ["AB", "Bees", "2"]]),
            f"found a list of sessions with their mean scores, expected single reviews; {EXPORT}",
        ),
        (
            table([["paper", "rating"]]),
            f'found a table with the columns "paper", "rating", expected reviews of pretalx with Proposal ID and Score; {EXPORT}',
        ),
        (Content("x", json={"results": []}), f"expected reviews of pretalx with Proposal ID and Score; {EXPORT}"),
        (Content("x"), "found neither a table nor JSON, expected reviews of pretalx"),
        (
            table([["Proposal title", "Score", "Reviewer name"], ["Bees", "1", "Ada"]]),
            'found a table with the columns "Proposal title", "Score", "Reviewer name", expected a column Proposal ID; export again and tick Proposal ID',
        ),
        (table([[*HEADER, "score"]]), "found 2 columns Score, expected every column once"),
        (
            Content("x", json=[{"Proposal ID": "A", "Score": "1", "Text": ""}, *({f"k{at}": 1} for at in range(300))]),
            "found 303 keys, expected a form of at most 300",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_used(content: Content, text: str) -> None:
    assert text in error(content)


def test_rows_that_cannot_be_read() -> None:
    export = read(table([HEADER, ["1.00", "", "A"], ["1.00"], ["1.00", "", "B", *"1234567"]]))
    assert (export.paper, export.place) == (["A"], [2])
    assert [problem.row for problem in export.problems] == [3, 4]
    records: list[Any] = [
        {"Proposal ID": "A", "Score": 1.0, "Text": ""},
        "x\x1b[2J",
        None,
        {"Proposal ID": {"en": " "}},
    ]
    export = read(Content("x", json=records))
    assert (export.paper, cells(export)["Score"]) == (["A"], ["1"])
    assert [str(problem) for problem in export.problems] == [
        'row 2: found "x\\x1b[2J", expected an object with the keys of a review',
        "row 3: found nothing, expected an object with the keys of a review",
        "row 4, column Proposal ID: found an empty cell, expected the id of a paper; fill it in or delete the row",
    ]


def answer(question: Any, text: str, **other: Any) -> dict[str, Any]:
    return {"id": 1, "question": question, "answer": text, "answer_file": None, "submission": None, "review": 23,
            "person": None, "options": [], **other}  # fmt: skip


def review(number: int, code: Any, user: Any, score: Any, *answers: Any, **other: Any) -> dict[str, Any]:
    return {"id": number, "submission": code, "text": "", "score": score, "scores": [], "answers": list(answers),
            "user": user, **other}  # fmt: skip


def page(*reviews: Any, count: int | None = None) -> dict[str, Any]:
    return {"count": len(reviews) if count is None else count, "next": None, "previous": None, "results": list(reviews)}


def api(json: Any, form: Form | None = None) -> Export:
    return read(Content("reviews.json", json=json), form)


def test_what_the_api_answers() -> None:
    scores = [{"id": 5, "category": 3, "value": "2.00", "label": "yes"}]
    export = api(
        page(
            review(23, "AB7CD3", "USER01", "2.00", answer(17, "10 20 70"), scores=scores, text="Fine"),
            review(24, "AB7CD3", "USER02", None, answer(18, "", options=[{"id": 1, "answer": {"en": "Maybe"}}])),
        )
    )
    assert export.kind == "reviews (API)"
    assert export.paper == ["AB7CD3", "AB7CD3"]
    assert export.reviewer == ["USER01", "USER02"]
    assert export.name == ["23", "24"]
    assert export.place == [1, 2]
    assert export.rating == "Score"
    assert cells(export) == {
        "Score": ["2", None],
        "category 3": ["2", None],
        "Text": ["Fine", None],
        "question 17": ["10 20 70", None],
        "question 18": [None, "Maybe"],
    }
    assert (export.submitted, export.track, export.notes, export.problems) == (None, None, (), ())
    assert export.withdrawn == [False, False]


def test_what_the_api_answers_when_asked_to_expand() -> None:
    categories = [
        {"id": 3, "name": {"de": "Neuheit", "en": "Novelty"}, "is_independent": False},
        {"id": 4, "name": "Clarity", "is_independent": False},
        {"id": 5, "name": {"de": "Form"}, "is_independent": True},
    ]
    scores = [{"id": at, "category": category, "value": f"{at}.00"} for at, category in enumerate(categories)]
    submission = {"code": "AB7CD3", "state": "withdrawn", "track": {"id": 2, "name": {"en": "Theory"}}}
    question = {"id": 17, "question": {"en": "<i>Predicted</i>  shares"}, "variant": "string"}
    user = {"code": "U", "name": "Ada", "email": "a@example.org"}
    export = api([page(review(1, submission, user, "1.00", answer(question, "1 2"), scores=scores))])
    assert (export.paper, export.reviewer, export.withdrawn) == (["AB7CD3"], ["a@example.org"], [True])
    assert export.track == ["Theory"]
    assert list(cells(export)) == ["Score", "Novelty", "Clarity", "Form", "Text", "Predicted shares"]
    assert export.fields[5].keywords == ("question 17",)
    assert export.notes == ("Score is pretalx's weighted sum of Novelty, Clarity; --rating takes one of them instead",)


def test_the_version_before() -> None:
    old = {"id": 7, "answers": [], "submission": "AB7CD3", "user": "Ada", "text": None, "score": 3, "override_vote": None,
           "created": "2031-05-01T10:00:00", "updated": "2031-05-01T12:00:00+02:00"}  # fmt: skip
    export = api([old, {**old, "override_vote": True, "score": None, "updated": None}])
    assert cells(export) == {"Score": ["3", None], "Override vote": [None, "yes"], "Text": [None, None]}
    assert export.submitted is not None
    assert export.submitted[0] == export.submitted[1]
    assert export.reviewer == ["Ada", "Ada"]


def test_all_pages_must_be_there() -> None:
    first, second = page(review(1, "A", "U", "1.00"), count=2), page(review(2, "B", "U", "1.00"), count=2)
    assert api([first, second]).problems == ()
    export = api(first)
    assert [str(problem) for problem in export.problems] == [
        "found 1 of 2 reviews, expected all of them; put all pages of the answer in one JSON list"
    ]
    assert str(api([second, first, 3]).problems[0]) == 'column page 3: found "3", expected a page with results'


def test_what_the_api_does_not_answer() -> None:
    export = api(
        [
            review(1, "A", {}, "1.00", 5, answer(None, "x"), scores=[7]),
            None,
            review(2, {"code": ""}, None, "1.00"),
            review(3, "B", None, [], scores={"a": 1}, submission="B", answers={}),
        ]
    )
    assert export.place == [1, 4]
    assert export.reviewer == [None, None]
    assert export.notes == (
        "1 score of categories given by a number of pretalx's own left out",
        "3 answers without a question left out",
    )
    assert [str(problem) for problem in export.problems] == [
        "row 2: found nothing, expected a review",
        "row 3, column submission: found nothing, expected the code of a proposal",
    ]
    nothing = api([review(1, None, None, None)])
    assert (nothing.paper, [problem.row for problem in nothing.problems]) == ([], [1])


def test_the_form_gives_names_and_options() -> None:
    options = (Option("0", "no"), Option("1", "yes"))
    questions = (Question("Merit", ("score",), options), Question("Shares", ("question 17",)))
    form = Form(questions)
    export = api([review(1, "A", "U", "1.00", answer(17, "50 50"))], form)
    assert export.rating == "Merit"
    assert export.fields[0].options == options
    assert export.fields[-1].name == "Shares"
    export = read(table(ROWS), form)
    assert (export.rating, export.fields[0].keywords) == ("Merit", ("Score", "score"))


@pytest.mark.parametrize(
    ("json", "kind"),
    [
        (page(review(1, "A", "U", "1.00")), "reviews (API)"),
        ([page(review(1, "A", "U", "1.00"))], "reviews (API)"),
        ([review(1, "A", "U", "1.00")], "reviews (API)"),
        (review(1, "A", "U", "1.00"), None),
        (page(), None),
        ([[]], None),
        ({"notes": [{"id": "x", "content": {}}]}, None),
        ([{"submission": "A", "score": 1}], None),
    ],
)
def test_which_json_is_recognised(json: Any, kind: str | None) -> None:
    assert PLATFORM.recognise(Content("x", json=json)) == kind
