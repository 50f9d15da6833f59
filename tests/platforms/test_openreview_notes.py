"""OpenReview's JSON in all its shapes. Venues, ids and values are invented."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st
from openreview_reading import cells, field, problem_of, read
from openreview_samples import VENUE, submission, v1, v2

from surpeer.errors import ReviewProblems
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.openreview.platform import PLATFORM
from surpeer.io.review_form.export import Export

REVIEWS = [v2(1, rating=3), v2(2, rating=4.0), v2(2, by="Reviewer_Zz9y", rating=3.5)]


@pytest.mark.parametrize(
    ("document", "kind", "places"),
    [
        ({"notes": REVIEWS, "count": 3}, "notes of API v2 (JSON)", [1, 2, 3]),
        (REVIEWS, "notes of API v2 (JSON)", [1, 2, 3]),
        ([{"notes": REVIEWS[:1]}, {"notes": REVIEWS[1:]}], "notes of API v2 (JSON)", [1, 2, 3]),
        ([submission(1, REVIEWS[0]), submission(2, *REVIEWS[1:])], "submissions with replies (JSON)", [2, 4, 5]),
        ({"notes": [submission(1), submission(2), *REVIEWS]}, "notes of API v2 (JSON)", [3, 4, 5]),
    ],
    ids=["answer", "list", "pages", "direct replies", "flat forum"],
)
def test_the_shape_does_not_matter(document: Any, kind: str, places: list[int]) -> None:
    assert PLATFORM.recognise(Content("notes.json", json=document)) == kind
    export = read(document)
    assert export.kind == kind
    assert export.paper == ["1", "2", "2"]
    assert export.place == places
    assert export.reviewer == ["Submission1/Reviewer_aB1c", "Submission2/Reviewer_aB1c", "Submission2/Reviewer_Zz9y"]
    assert cells(export, "rating") == ["3", "4", "3.5"]
    assert export.withdrawn == [False, False, False]
    assert export.problems == ()
    assert export.draft is None
    assert export.round is None


def test_a_single_note_is_a_file_of_one() -> None:
    assert read(v2(7, rating=1)).paper == ["7"]


def test_replies_are_read_as_direct_replies_are_and_those_to_reviews_are_none() -> None:
    review = v2(1, rating=3)
    answer = {**v2(1, "Official_Review", rating=9), "id": "below", "replyto": review["id"]}
    parent = submission(1)
    parent["details"] = {"replies": [review, answer]}
    export = read([parent])
    assert cells(export, "rating") == ["3"]
    assert export.notes == ("1 note that is no review left out (1 Official_Review)",)


def test_what_the_client_dumps_has_no_number_or_has_other_names() -> None:
    short = {key: value for key, value in v2(12, rating=2).items() if key not in ("number", "domain", "tmdate")}
    snake = {**v2(13, rating=3), "parent_invitations": f"{VENUE}/-/Official_Review", "details": None, "ddate": None}
    export = read([short, snake])
    assert export.paper == ["12", "13"]
    assert export.submitted == [1_764_000_000_000, 1_764_000_000_013]


def test_api_v1_writes_values_bare() -> None:
    document = {
        "notes": [v1(1, rating="6: Marginally above", confidence="4: Sure"), v1(2, rating="3: Clear rejection")]
    }
    assert PLATFORM.recognise(Content("notes.json", json=document)) == "notes of API v1 (JSON)"
    export = read(document)
    assert export.paper == ["1", "2"]
    assert export.reviewer == ["Paper1/AnonReviewer1", "Paper2/AnonReviewer1"]
    assert cells(export, "rating") == ["6: Marginally above", "3: Clear rejection"]
    assert cells(export, "confidence") == ["4: Sure", None]


@pytest.mark.parametrize(
    "invitation",
    ["Example.org/2018/-/Paper12/Official_Review", "Example.org/2017/conference/-/paper12/official/review"],
)
def test_invitations_of_the_first_years(invitation: str) -> None:
    export = read([{**v1(3, rating="5: fair"), "invitation": invitation}])
    assert export.paper == ["12"]


def test_the_number_of_a_submission_goes_before_the_name_of_an_invitation() -> None:
    review = v2(5, rating=1)
    parent = {**submission(5), "number": 105}
    assert read([parent, review]).paper == ["105"]
    assert read([{**parent, "number": 105.0}, review]).paper == ["105"]
    assert read([{**parent, "number": None}, review]).paper == ["5"]


def test_the_number_may_stand_in_the_signature_alone() -> None:
    review = {**v2(5, rating=1), "invitations": [f"{VENUE}/-/Official_Review"]}
    assert read([review]).paper == ["5"]


def test_papers_without_a_number_go_by_their_forum_and_so_do_two_of_one_number() -> None:
    bare = {**v2(5, rating=1), "invitations": [f"{VENUE}/-/Official_Review"], "signatures": ["~Some_Body1"]}
    other = json.loads(json.dumps(v2(6, rating=1)).replace(VENUE, "Other.org/2026"))
    other |= {"id": "another", "forum": "elsewhere", "replyto": "elsewhere"}
    export = read([bare, v2(6, rating=2), other])
    assert export.paper == ["forum5", "forum6", "elsewhere"]
    assert export.notes == (
        "1 paper named by the forum, because no number is given",
        "2 papers named by the forum, because others have the same number",
    )
    assert export.round == [VENUE, VENUE, "Other.org/2026"]
    assert export.reviewer == [
        "~Some_Body1",
        f"{VENUE}/Submission6/Reviewer_aB1c",
        "Other.org/2026/Submission6/Reviewer_aB1c",
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([6, "6: Marginally above ", None], ["6", "6: Marginally above", None]),
        (["3 good", "10, 20, 50, 20", "10% 90%"], ["3 good", "10, 20, 50, 20", "10% 90%"]),
        ([True, False, " x "], ["yes", "no", "x"]),
        ([["a", "b"], [], {}], ["a, b", None, "{}"]),
        ([3.0, 1e300, -0.5], ["3", "1e+300", "-0.5"]),
    ],
)
def test_answers_become_cells(values: list[Any], expected: list[str | None]) -> None:
    reviews = [v2(at, answer=value) for at, value in enumerate(values, start=1)]
    assert cells(read(reviews), "answer") == expected


def test_hidden_values_and_strange_ones_are_cells_too() -> None:
    review = v2(1, rating=3)
    review["content"] |= {"hidden": {"readers": [VENUE]}, "odd": {"x": 1}, "bare": 7, "none": {"value": None}}
    export = read([review])
    found = {field.name: field.cells for field in export.fields}
    assert found == {"rating": ["3"], "hidden": [None], "odd": ["{...}"], "bare": ["7"], "none": [None]}


def test_a_form_gives_options() -> None:
    form = {
        "rating": {"value": {"param": {"type": "string", "enum": ["3: good", "2: fair", "1: bad"]}}},
        "soundness": {"value": {"param": {"type": "string", "enum": ["good", "poor"]}}},
    }
    export = read(
        [v2(1, rating="3: good"), v2(2, rating="2: fairly"), v2(3, rating="9: super", soundness="good")], form
    )
    assert cells(export, "rating") == ["3: good", "2: fairly", "9: super"]
    assert [(option.symbol, option.label) for option in field(export, "rating").options] == [
        ("1", "bad"),
        ("2", "fair"),
        ("3", "good"),
    ]
    assert cells(export, "soundness") == [None, None, "good"]


def test_names_of_levels_with_signs_and_points_can_be_found() -> None:
    export = read([v2(1, predicted_share_minus_2=10, predicted_share_3_5=90, Overall_Rating=1)])
    assert [(field.name, field.keywords) for field in export.fields] == [
        ("predicted share -2", ("predicted_share_minus_2",)),
        ("predicted share 3.5", ("predicted_share_3_5",)),
        ("Overall_Rating", ("Overall Rating",)),
    ]


def test_the_venue_may_say_what_its_reviews_and_ratings_are_called() -> None:
    group = {"content": {"review_name": {"value": "Appraisal"}, "review_rating": {"value": "mark"}}}
    notes = [v2(1, "Appraisal", mark=3, note=1), v2(1, "Extra_Review", mark=4)]
    export = read({"notes": notes, "group": group})
    assert cells(export, "mark") == ["3"]
    assert export.rating == "mark"
    assert export.round is None
    several = {"content": {"review_rating": {"value": ["rating", "final_rating"]}}}
    assert read({"notes": [v2(1, rating=1)], "group": several}).rating is None


def test_groups_that_sign_are_nobody() -> None:
    signers = [["Example.org/2026/Conference"], [f"{VENUE}/Program_Chairs"], [], None, ["~A_B1", "~C_D1"], "~E_F1"]
    reviews = [{**v2(at, rating=1), "signatures": signer} for at, signer in enumerate(signers, start=1)]
    assert read(reviews).reviewer == [None, None, None, None, "~A_B1, ~C_D1", "~E_F1"]


def test_tracks_are_those_of_the_submissions() -> None:
    export = read([submission(1, v2(1, rating=1), track="Systems"), submission(2, v2(2, rating=1))])
    assert export.track == ["Systems", None]
    assert read([submission(1, v2(1, rating=1))]).track is None


def test_every_record_that_cannot_be_read_is_reported() -> None:
    no_paper = {
        "invitations": ["V/-/Review"],
        "replyto": "",
        "forum": "",
        "content": {"rating": {"value": 1}},
        "id": "x",
    }
    no_content = {**v2(3, rating=1), "content": "text"}
    export = read([v2(1, rating=1), None, 7, no_content, {**v2(4, rating=1), "content": None}])
    assert export.paper == ["1"]
    assert [str(problem) for problem in export.problems] == [
        "row 2: found null, expected a note (a JSON object); export the notes again",
        'row 3: found "7", expected a note (a JSON object); export the notes again',
        "row 4, column content: found no answers, expected the content of the review; export it again",
        "row 5, column content: found no answers, expected the content of the review; export it again",
    ]
    assert read([v2(1, rating=1), no_paper]).paper == ["1"]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (
            [submission(1), submission(2)],
            "found 2 submissions without replies, expected submissions with their reviews",
        ),
        (
            [v2(1, "Decision", "Program_Chairs")],
            "found no reviews among 1 Decision, expected notes such as Official_Review",
        ),
        ({"edits": [{"note": {}}]}, "column edits: found the history of notes, expected the notes as they are now"),
        (
            {"name": "ForbiddenError", "message": "not yours", "status": 403},
            'found an error that OpenReview gave instead of notes: "not yours", expected notes',
        ),
        ({"rating": {"value": {"param": {"enum": [1, 2]}}}}, "found a review form, expected reviews; give the file of"),
        ({"notes": []}, 'found a JSON object with the keys "notes", expected notes of OpenReview'),
        ([], "found other JSON, expected notes of OpenReview's API"),
        ([{"pid": 1, "rating": 3}], 'found a JSON list of objects with the keys "pid", "rating", expected notes'),
        (None, "found neither a table nor JSON, expected notes"),
        (3, "found other JSON, expected notes"),
    ],
)
def test_what_holds_no_reviews_says_what_it_is(document: Any, said: str) -> None:
    assert said in problem_of(document)


def test_the_console_has_averages_only() -> None:
    header = ["number", "forum", "min rating", "max rating", "average rating"]
    content = Content("status.csv", (Sheet([header, ["1", "f", "1", "4", "2.5"]]),))
    assert PLATFORM.recognise(content) == "paper status (CSV of the console)"
    with pytest.raises(ReviewProblems, match="found the paper status of the console, which has averages and no single"):
        PLATFORM.read(content, None)


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        "text",
        [{"paper": 1, "reviewer": "a", "rating": 3}],
        {"notes": ["a text"]},
        [{"pid": 1, "reviews": [{"content": {}}]}],
        {"invitation": 3, "content": {}},
        {"settings": {"rf": []}},
    ],
)
def test_other_json_is_not_recognised(document: Any) -> None:
    assert PLATFORM.recognise(Content("x.json", json=document)) is None


def test_other_tables_are_not_recognised() -> None:
    assert PLATFORM.recognise(Content("x.csv", (Sheet([["paper", "reviewer", "rating", "p_1"]]),))) is None
    assert PLATFORM.recognise(Content("x.csv")) is None


def test_a_form_has_an_end() -> None:
    many = {f"field_{at}": at for at in range(301)}
    assert "found 301 fields, expected a form of at most 300" in problem_of([v2(1, **many)])


def test_large_venues_are_read_whole() -> None:
    papers = range(1, 5_001)
    notes = [
        submission(at, *(v2(at, by=f"Reviewer_{who}", rating=f"{who}: label {who}", text="x" * 50) for who in "1234"))
        for at in papers
    ]
    export = read({"notes": notes})
    assert len(export.paper) == 20_000
    assert export.paper[-1] == "5000"
    assert cells(export, "rating")[:2] == ["1: label 1", "2: label 2"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = [
    "id",
    "forum",
    "replyto",
    "number",
    "invitations",
    "invitation",
    "signatures",
    "content",
    "details",
    "ddate",
    "tmdate",
]


def _changed(base: dict[str, Any], changes: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {**base, **dict(changes)}


@examples(300, derandomize=True)
@given(
    st.lists(st.lists(st.tuples(st.sampled_from(KEYS), JSON), max_size=3), min_size=1, max_size=4), JSON, st.booleans()
)
def test_whatever_the_json_is_there_is_an_export_or_a_list_of_problems(
    changes: list[list[tuple[str, Any]]], other: Any, nested: bool
) -> None:
    notes = [_changed(v2(at, rating=at), change) for at, change in enumerate(changes, start=1)]
    document = [_changed(submission(1, *notes), changes[0]), other] if nested else [*notes, other]
    for given_document in (document, {"notes": document}, other):
        content = Content("x.json", json=given_document)
        PLATFORM.recognise(content)
        try:
            export = PLATFORM.read(content, None)
        except ReviewProblems:
            continue
        size = len(export.paper)
        assert all(export.paper)
        assert export.place == sorted(set(export.place))
        for column in (export.place, export.name, export.reviewer, export.submitted, export.withdrawn):
            assert column is not None
            assert len(column) == size
        assert all(len(field.cells) == size for field in export.fields)


@pytest.mark.shared_data
def test_samples_made_from_the_clients_code(shared_data: Path) -> None:
    def load(name: str) -> Export:
        return read(json.loads((shared_data / "openreview" / name).read_text()))

    flat, nested = load("reviews_notes.json"), load("submissions_with_directReplies.json")
    assert flat.paper == nested.paper == ["1"] * 4 + ["2"] * 4 + ["3"] * 4
    assert [field.name for field in flat.fields] == [
        *("review", "rating", "confidence"),
        *(f"predicted_share_{level}" for level in (1, 2, 3, 4)),
    ]
    assert flat.fields == nested.fields
    assert flat.reviewer == nested.reviewer
    assert cells(flat, "rating") == ["1", "4", "3", "2", "4", "4", "2", "1", "4", "3", "2", "3"]
    assert nested.notes == ("6 notes that are no reviews left out (3 Decision, 3 Official_Comment)",)
    assert cells(load("reviews_api_v1.json"), "rating") == ["6: Marginally above acceptance threshold"]
    variants = load("reviews_value_variants_v2.json")
    assert cells(variants, "overall_assessment") == [None, "3.5", None]
    assert cells(variants, "predicted_distribution") == [None, None, "10, 20, 50, 20"]
