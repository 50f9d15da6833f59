"""Which of OpenReview's notes are reviews that count. Venues, ids and values are invented."""

import pytest
from openreview_reading import cells, field, problem_of, read
from openreview_samples import VENUE, submission, v1, v2

OTHERS = [
    v2(1, "Official_Comment", "Program_Chairs", comment="c"),
    v2(1, "Meta_Review", "Area_Chair_x1", recommendation="Accept", rating=9),
    v2(1, "MetaReview", "Area_Chair_x2", rating=9),
    v2(1, "Senior_Area_Chair_Review", "Senior_Area_Chair_x1", rating=9),
    v2(1, "Decision", "Program_Chairs", decision="Reject"),
    v2(1, "Ethics_Review", "Ethics_Reviewer_x1", recommendation="fine", rating=9),
    v2(1, "Author_Rebuttal", "Authors", rebuttal="r", rating=9),
    v2(1, "Official_Review", "Authors", rating=9),
    v2(1, "Public_Comment", "~Some_One1", comment="c", rating=9),
    {
        **v2(1, "Review_Rating", "Area_Chair_x1", rating=9),
        "invitations": [f"{VENUE}/Submission1/Official_Review3/-/Review_Rating"],
    },
    {**v2(1, "Rebuttal", "Authors", rating=9), "invitations": [f"{VENUE}/Submission1/Official_Review3/-/Rebuttal"]},
]


def test_only_reviews_are_reviews_although_others_have_ratings_too() -> None:
    export = read([submission(1, v2(1, rating=3), *OTHERS)])
    assert cells(export, "rating") == ["3"]
    assert [found.name for found in export.fields] == ["rating"]
    (said,) = export.notes
    assert said.startswith("11 notes that are no reviews left out (1 Author_Rebuttal, 1 Decision, ")


@pytest.mark.parametrize("kind", ["Review", "PC_Review", "Emergency_Review", "OfficialReview", "Review_Stage_2"])
def test_venues_name_their_reviews(kind: str) -> None:
    assert read([v2(1, kind, rating=3), *OTHERS]).paper == ["1"]


def test_reviews_by_another_name_are_those_that_reviewers_sign() -> None:
    export = read([v2(1, "Evaluation", rating=3), *OTHERS])
    assert cells(export, "rating") == ["3"]
    two = [v2(1, "Evaluation", rating=3), v2(1, "Assessment", rating=4)]
    assert problem_of(two) == (
        "notes.json: 1 problem\n  found notes by reviewers of several kinds, none called a review: Assessment, "
        "Evaluation, expected reviews of one kind; leave the others out of the file"
    )


def test_a_revised_review_is_one_review_whatever_changed_it() -> None:
    review = v2(1, rating=3, final_rating=4)
    review["invitations"].insert(0, f"{VENUE}/-/Edit")
    review["invitations"].append(f"{VENUE}/Submission1/Official_Review7/-/Review_Revision")
    export = read([review])
    assert cells(export, "final_rating") == ["4"]
    assert field(export, "final_rating").keywords == ("final rating",)


def test_reviews_of_two_stages_are_two_rounds() -> None:
    export = read([v2(1, "Phase1_Review", rating=3), v2(1, "Phase2_Review", rating=4)])
    assert export.round == ["Phase1_Review", "Phase2_Review"]


def test_withdrawn_and_desk_rejected_papers_are_marked_and_rejected_ones_are_not() -> None:
    states = ["Submission", "Withdrawn_Submission", "Desk_Rejected_Submission", "Rejected_Submission"]
    export = read([submission(at, v2(at, rating=1), status=status) for at, status in enumerate(states, start=1)])
    assert export.withdrawn == [False, True, True, False]


def test_a_withdrawal_that_was_taken_back_counts_no_more() -> None:
    back = submission(1, v2(1, rating=1), v2(1, "Withdrawal", "Authors"))
    back["invitations"].append(f"{VENUE}/-/Withdrawn_Submission")
    assert read([back]).withdrawn == [False]


def test_without_the_submission_a_withdrawal_among_the_replies_says_it() -> None:
    leaving = [v2(1, "Withdrawal", "Program_Chairs"), v2(2, "Desk_Rejection", "Program_Chairs")]
    returning = {**v2(2, "Desk_Rejection_Reversion", "Program_Chairs"), "tmdate": 1_764_000_009_999}
    reviews = [v2(1, rating=1), v2(2, rating=1), v2(3, rating=1)]
    assert read([*reviews, *leaving]).withdrawn == [True, True, False]
    assert read([*reviews, *leaving, returning]).withdrawn == [True, False, False]


def test_withdrawn_submissions_of_api_v1() -> None:
    gone = {
        "id": "forum1",
        "forum": "forum1",
        "invitation": f"{VENUE}/-/Withdrawn_Submission",
        "content": {"title": "t"},
    }
    assert read([gone, v1(1, rating="1: bad"), v1(2, rating="2: poor")]).withdrawn == [True, False]


def test_deleted_notes_are_left_out_and_counted() -> None:
    dead = {**v2(1, rating=5), "id": "dead", "ddate": 1_764_000_000_000}
    export = read([dead, v2(1, rating=3)])
    assert cells(export, "rating") == ["3"]
    assert export.notes == ("1 deleted note left out",)
    assert "found deleted reviews only, expected at least one review; export the notes without trash" in problem_of(
        [dead]
    )
    gone = {**submission(1, v2(1, rating=3)), "ddate": 1_764_000_000_000}
    assert read([gone]).withdrawn == [True]


def test_the_same_note_twice_is_read_once_as_it_was_last_changed() -> None:
    early = v2(1, rating=3)
    late = {**v2(1, rating=4), "tmdate": 1_764_000_999_999}
    said = "1 note left out because the same note is there twice"
    for notes in ([early, late], [late, early]):
        export = read(notes)
        assert cells(export, "rating") == ["4"]
        assert export.notes == (said,)
    parent = submission(1, early)
    parent["details"]["replies"] = [early]
    assert read([parent]).notes == (said,)
