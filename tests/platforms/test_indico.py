"""Indico's abstracts.json."""

import copy
from typing import Any

import pytest

from surpeer.errors import ReviewProblems
from surpeer.io.content import Content
from surpeer.io.platforms.indico import PLATFORM
from surpeer.io.review_form.export import Export
from surpeer.io.review_form.form import Form, Option, Question

QUESTIONS = [
    {"id": 12, "no_score": True, "position": 3, "title": "What will the others give? (5 numbers)"},
    {"id": 11, "no_score": False, "position": 1, "title": "<b>Overall</b> quality"},
    {"id": 13, "no_score": True, "position": 2, "title": "Suitable for a talk?"},
]


def user(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "identifier": f"User:{number}",
        "first_name": "Ada",
        "last_name": f"N{number}",
        "full_name": f"Ada N{number}",
        "email": f"ada{number}@example.org",
        "affiliation": "",
        "phone": "",
        "avatar_url": "/user/1/picture",
    }


def review(number: int, reviewer: int, *ratings: tuple[int, Any], **other: Any) -> dict[str, Any]:
    return {
        "id": number,
        "track": {"id": 5, "title": "Detectors", "code": "D"},
        "user": user(reviewer),
        "comment": " ",
        "created_dt": "2031-05-01T10:00:00+00:00",
        "modified_dt": None,
        "proposed_action": "accept",
        "proposed_contrib_type": None,
        "proposed_related_abstract": None,
        "proposed_tracks": [],
        "ratings": [{"question": question, "value": value} for question, value in ratings],
        **other,
    }


def abstract(number: int, *reviews: dict[str, Any], **other: Any) -> dict[str, Any]:
    return {
        "id": 1000 + number,
        "friendly_id": number,
        "title": f"Abstract {number}",
        "content": "",
        "state": "submitted",
        "submitter": user(99),
        "accepted_track": None,
        "reviewed_for_tracks": [{"id": 5, "title": "Detectors", "code": "D"}],
        "submitted_for_tracks": [],
        "custom_fields": [],
        "score": 3.5,
        "comments": [],
        "reviews": list(reviews),
        **other,
    }


def document(*abstracts: Any, questions: Any = QUESTIONS) -> dict[str, Any]:
    return {"version": 1, "abstracts": list(abstracts), "questions": questions}


SAMPLE = document(
    abstract(
        1,
        review(501, 21, (11, 4), (12, "0 10 20 40 30"), (13, True), (77, 2)),
        review(502, 22, (11, 0), (12, None), (13, False), comment="No.\nReally.", proposed_action="reject"),
    ),
    abstract(2, state="withdrawn"),
    abstract(3, review(503, 21, (11, 5), modified_dt="2031-05-03T10:00:00.250000+00:00"), state="withdrawn"),
)


def read(json: Any, form: Form | None = None) -> Export:
    return PLATFORM.read(Content("abstracts.json", json=json), form)


def cells(export: Export) -> dict[str, list[str | None]]:
    return {field.name: field.cells for field in export.fields}


def test_the_reviews_of_all_abstracts() -> None:
    before = copy.deepcopy(SAMPLE)
    export = read(SAMPLE)
    assert before == SAMPLE
    assert export.kind == "abstracts.json"
    assert export.paper == ["1", "1", "3"]
    assert export.reviewer == ["ada21@example.org", "ada22@example.org", "ada21@example.org"]
    assert export.name == ["501", "502", "503"]
    assert export.place == [1, 2, 3]
    assert export.withdrawn == [False, False, True]
    assert export.track == ["Detectors"] * 3
    assert export.submitted is not None
    assert export.submitted[2] - export.submitted[0] == 2 * 24 * 3600 + 0.25  # type: ignore[operator]
    assert cells(export) == {
        "Overall quality": ["4", "0", "5"],
        "Suitable for a talk?": ["yes", "no", None],
        "What will the others give? (5 numbers)": ["0 10 20 40 30", None, None],
        "Proposed action": ["accept", "reject", "accept"],
        "Comment": [None, "No.\nReally.", None],
    }
    assert export.fields[0].keywords == ("question 11",)
    assert export.rating == "Overall quality"
    assert export.notes == ("1 answer to questions that were deleted from the form left out",)
    assert export.problems == ()
    assert export.draft is None
    assert export.round is None


def test_the_rating_is_not_fixed_where_several_questions_count() -> None:
    questions = [{**QUESTIONS[1], "id": at, "title": "Quality"} for at in (1, 2)]
    export = read(document(abstract(1, review(1, 1, (1, 3), (2, 4))), questions=questions))
    assert export.rating is None
    assert list(cells(export))[:2] == ["Quality", "Quality (question 2)"]


def test_old_exports_have_no_questions() -> None:
    old = document(abstract(1, review(1, 1, (9, 3), (8, "a"))))
    del old["questions"]
    export = read(old)
    assert cells(export)["question 9"] == ["3"]
    assert cells(export)["question 8"] == ["a"]
    assert export.notes == ()
    assert PLATFORM.recognise(Content("x", json=old)) == "abstracts.json"


def test_questions_may_be_inside_the_ratings() -> None:
    ratings = [{"question": {"id": 4, "title": "Merit", "no_score": False}, "value": 2.0}]
    export = read({"abstracts": [abstract(1, review(1, 1, ratings=ratings))]})
    assert cells(export)["Merit"] == ["2"]
    assert export.rating == "Merit"


@pytest.mark.parametrize(
    ("other", "track"),
    [
        ({"accepted_track": {"id": 1, "title": "A"}}, "A"),
        ({"reviewed_for_tracks": [{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]}, None),
        ({"reviewed_for_tracks": [], "submitted_for_tracks": [{"id": 1, "code": "C"}]}, "C"),
        ({"reviewed_for_tracks": None}, None),
        ({"reviewed_for_tracks": "Detectors"}, None),
    ],
)
def test_the_track_of_an_abstract(other: dict[str, Any], track: str | None) -> None:
    assert read(document(abstract(1, review(1, 1), **other))).track == (None if track is None else [track])


@pytest.mark.parametrize(
    ("state", "out"),
    [
        ("submitted", False),
        ("accepted", False),
        ("rejected", False),
        ("withdrawn", True),
        ("merged", True),
        ("duplicate", True),
    ],
)
def test_which_abstracts_are_out_of_the_review(state: str, out: bool) -> None:
    assert read(document(abstract(1, review(1, 1), state=state))).withdrawn == [out]


@pytest.mark.parametrize(
    ("who", "name"),
    [
        ({"id": 7, "email": "", "identifier": "User:7"}, "User:7"),
        ({"id": 7}, "7"),
        ({}, None),
        (None, None),
        ("Ada", "Ada"),
    ],
)
def test_who_wrote_a_review(who: Any, name: str | None) -> None:
    assert read(document(abstract(1, review(1, 1, user=who)))).reviewer == [name]


def test_the_form_gives_names_and_options() -> None:
    options = tuple(Option(str(at)) for at in range(6))
    form = Form((Question("Rating", ("Overall quality",), options),))
    export = read(SAMPLE, form)
    assert (export.fields[0].name, export.fields[0].options) == ("Rating", options)
    assert export.fields[0].keywords == ("Overall quality", "question 11")
    assert export.rating == "Rating"


def test_what_cannot_be_read_is_told_with_its_place() -> None:
    export = read(
        document(
            abstract(
                1, review(1, 1, (11, 3), ratings=[3, {"question": None, "value": 2}, {"question": 11, "value": 3}])
            ),
            "nonsense",
            abstract(3, reviews={"a": 1}),
            abstract(4, review(2, 1), friendly_id=None, id=None),
            abstract(5, reviews=[None]),
            abstract(6, reviews=None),
            abstract(7, review(3, 1, ratings="none"), friendly_id=None),
        )
    )
    assert export.paper == ["1", "1007"]
    assert cells(export)["Overall quality"] == ["3", None]
    assert export.notes == ("3 ratings without a question left out",)
    assert [str(problem) for problem in export.problems] == [
        'column abstracts: found "nonsense" at number 2 of the list, expected an abstract',
        "column abstracts: found reviews that are no list at number 3 of the list, expected a list of reviews",
        "column abstracts: found no friendly_id and no id at number 4 of the list, expected the number of the abstract",
        "column abstracts: found nothing among the reviews at number 5 of the list, expected a review",
    ]


def error(json: Any) -> str:
    with pytest.raises(ReviewProblems) as caught:
        read(json)
    return str(caught.value)


def test_nothing_to_read() -> None:
    where = "in Indico: Call for abstracts, List of abstracts, Export, JSON"
    assert error(document(abstract(1), abstract(2))) == (
        f"abstracts.json: 1 problem\n  found 2 abstracts without a review, expected at least one review; {where}"
    )
    assert f'expected a JSON object with "abstracts"; {where}' in error([SAMPLE])
    assert 'found "3" at number 1 of the list, expected an abstract' in error(document(3))


def test_more_questions_than_a_form_has() -> None:
    many = document(*(abstract(at, review(at, 1, (at, 1))) for at in range(301)), questions=None)
    assert "found 301 questions, expected a form of at most 300; is this an export of reviews?" in error(many)


@pytest.mark.parametrize(
    ("json", "kind"),
    [
        (SAMPLE, "abstracts.json"),
        (document(), "abstracts.json"),
        ({"abstracts": []}, None),
        ({"abstracts": [{"title": "x"}]}, None),
        ({"abstracts": {}}, None),
        ([SAMPLE], None),
        (None, None),
    ],
)
def test_what_is_recognised(json: Any, kind: str | None) -> None:
    assert PLATFORM.recognise(Content("x", json=json)) == kind
