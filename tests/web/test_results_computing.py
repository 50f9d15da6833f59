"""From rows of the database to a kept result."""

import json
import logging

import polars as pl
import pytest
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac
from pytest_django import DjangoAssertNumQueries

from surpeer import Reviews, Scale, calibrate, decide
from surpeer.report.charts import CHARTS
from surpeer.report.drawing import picture_of_document
from surpeer.typed_numbers import read_accept
from surpeer.web.audit.log import Action, record
from surpeer.web.results import computing
from surpeer.web.results.computing import OUR_FAULT, compute
from surpeer.web.results.freshness import Freshness
from surpeer.web.results.models import Result
from surpeer.web.results.paper_table import read_list, read_row
from surpeer.web.results.pseudonyms import review_code, review_codes
from surpeer.web.results.reviews_table import NO_REVIEWS, reviews_of, table_of
from surpeer.web.results.stamp import find_stamp, stamp_of
from surpeer.web.results.stored import document_of_result, file_of, papers_of
from surpeer.web.reviews.models import Submission
from surpeer.web.reviews.tasks import decline, take_back
from surpeer.web.venues.models import Blindness, Paper, PredictionForm
from surpeer.web.venues.scales import scale_of
from web.filled_venue import add_review, excluded, open_and_filled, without_pictures, without_reports
from web.people import People

THREE = [{"label": "no", "value": 0}, {"label": "maybe", "value": 1}, {"label": "yes", "value": 5}]


@pytest.fixture(autouse=True)
def quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the test of files has them made."""
    if "files_and_pictures" not in request.node.name:
        without_pictures(monkeypatch)
        without_reports(monkeypatch)


def test_the_table_has_the_reviews_that_count(people: People) -> None:
    first, second, third = people.assignments
    add_review(first, 0, [15, 5])
    add_review(first, 1, [8, 12], number=2)
    add_review(second, 1, [10, 10])
    add_review(third, 1, [10, 10])
    excluded(people, second)
    third.declined_at = timezone.now()
    third.save()
    table = table_of(people.venue, scale_of(people.venue))
    assert table.to_dicts() == [
        {
            "paper": "P1",
            "reviewer": f"R{people.reviewer.pk}",
            "rating": "accept",
            "p_reject": 8.0,
            "p_accept": 12.0,
            "title": "Paper 1",
        }
    ]


def test_a_lifted_exclusion_counts_again(people: People) -> None:
    add_review(people.assignments[0], 1, [10, 10])
    exclusion = excluded(people, people.assignments[0])
    assert len(table_of(people.venue, scale_of(people.venue))) == 0
    exclusion.lifted_at, exclusion.lifted_by = timezone.now(), people.chair
    exclusion.save()
    assert len(table_of(people.venue, scale_of(people.venue))) == 1


def test_counts_percentages_and_the_top_level_become_shares(people: People) -> None:
    venue = people.venue
    add_review(people.assignments[0], 1, [5, 15])
    assert reviews_of(venue).predictions.tolist() == [[0.25, 0.75]]
    venue.prediction_form = PredictionForm.SHARES
    people.assignments[0].submissions.update(prediction=[35, 65])
    assert reviews_of(venue).predictions.tolist() == [[0.35, 0.65]]
    venue.prediction_form = PredictionForm.TOP
    people.assignments[0].submissions.update(prediction=[30])
    assert reviews_of(venue).predictions.tolist() == [[0.7, 0.3]]


def test_a_prediction_of_another_form_is_left_out_and_its_rating_counts(people: People) -> None:
    add_review(people.assignments[0], 1, [60])
    assert [row["p_accept"] for row in table_of(people.venue, scale_of(people.venue)).to_dicts()] == [None]


def test_values_and_tracks_reach_the_library(people: People) -> None:
    people.venue.levels = THREE
    Paper.objects.filter(pk=people.papers[0].pk).update(track="A")
    add_review(people.assignments[0], 2, [5, 5, 10])
    add_review(people.assignments[1], 1, [5, 5, 10])
    reviews = reviews_of(people.venue)
    assert reviews.scale == Scale(["no", "maybe", "yes"], [0, 1, 5])
    assert reviews.track is not None
    assert reviews.track.to_list() == ["A", "(none)"]


def test_ids_that_are_numbers_are_ordered_as_numbers(people: People) -> None:
    for paper, key in zip(people.papers, ("10", "9", "100"), strict=True):
        Paper.objects.filter(pk=paper.pk).update(key=key)
    for assignment in people.assignments:
        add_review(assignment, 1, [10, 10])
    assert reviews_of(people.venue).papers.to_list() == [9, 10, 100]
    compute(people.venue)
    listed = read_list(bytes(Result.objects.get().table))
    assert dict(listed.select("paper", "pk").iter_rows()) == {
        key: paper.pk for key, paper in zip(("10", "9", "100"), people.papers, strict=True)
    }


def test_where_chairs_may_not_know_who_rated_no_two_reviews_share_an_id(people: People) -> None:
    people.venue.blindness = Blindness.TRIPLE
    for assignment in people.assignments:
        add_review(assignment, 1, [10, 10])
    ids = table_of(people.venue, scale_of(people.venue))["reviewer"]
    assert ids.n_unique() == 3
    assert ids.str.contains(r"^review-[0-9a-f]{16}$").all()


def test_codes_of_reviews_are_keyed_and_the_same_for_one_and_for_many() -> None:
    """Links to reviews and files that were downloaded have them."""
    expected = [salted_hmac("surpeer.web.results.review", text, algorithm="sha256").hexdigest() for text in ("7", "12")]
    assert review_codes([7, 12]) == [code[:16] for code in expected]
    assert [review_code(7), review_code(12)] == review_codes([7, 12])
    assert review_codes([]) == []


def test_the_result_is_the_library_s(people: People) -> None:
    open_and_filled(people, 12, tracks=("north", "south"))
    result = compute(people.venue)
    expected = decide(calibrate(reviews_of(people.venue)), read_accept("25%"))
    listed = papers_of(result)
    assert listed["paper"].to_list() == expected.table["paper"].to_list()
    for name in ("rank", "score", "p_accept", "proposal", "reason", "mean", "reviews", "track"):
        assert listed[name].to_list() == expected.table[name].to_list()
    assert (result.reviews, result.submissions, result.problem, result.complete) == (48, 48, "", True)
    assert result.summary["decision"] == {
        "places": 3,
        "certainty": 0.8,
        **{word: expected.count(word) for word in ("accept", "discuss", "reject")},
    }
    assert document_of_result(result)["papers"]["id"] == listed["paper"].to_list()


def test_a_card_has_what_the_report_says_and_parts_that_add_up(people: People) -> None:
    papers = open_and_filled(people, 10)
    result = compute(people.venue)
    row = read_row(bytes(result.table), papers[3].pk)
    assert row is not None
    columns, at = document_of_result(result)["papers"], row["rank"] - 1
    at = columns["id"].index("S003")
    assert (row["card"]["why"], row["card"]["story"]) == (columns["why"][at], columns["story"][at])
    assert sum(row["card"]["counts"]) == 4
    assert sum(row["card"]["parts"]) == pytest.approx(row["score"])
    assert read_row(bytes(result.table), 10**9) is None


def test_files_and_pictures_are_kept_with_it(people: People) -> None:
    open_and_filled(people, 12)
    result = compute(people.venue)
    names = set(result.files.values_list("name", flat=True))
    assert {
        "decisions.csv",
        "decisions.xlsx",
        "ranking.json",
        "reviews.csv",
        "scale.json",
        "report-public.html",
    } <= names
    assert {"intervals-light.svg", "intervals-dark.svg", "curve-light.svg", "moved-dark.svg"} <= names
    picture = file_of(result, "intervals-light.svg")
    assert picture is not None
    assert picture.startswith(b"<svg")
    assert result.files.get(name="intervals-light.svg").alt.endswith(".")
    dark = picture_of_document(document_of_result(result), CHARTS["intervals"], None, "dark", titled=False)
    assert file_of(result, "intervals-dark.svg") == dark.svg().encode()
    assert file_of(result, "nothing.csv") is None


def test_no_reviews_is_said_and_not_an_error(people: People) -> None:
    result = compute(people.venue)
    assert (result.problem, result.complete, result.reviews) == (NO_REVIEWS, True, 0)


def test_one_paper_is_ranked_without_proposals(people: People) -> None:
    add_review(people.assignments[0], 1, [5, 15])
    result = compute(people.venue)
    assert result.problem == ""
    assert result.summary["decision"] is None
    assert result.summary["not_decided"] == "found 1 paper, expected at least two to choose from"
    assert result.summary["caveats"][-1] == "2 papers have no review that counts, and so no place here."
    assert not result.files.filter(name__startswith="decisions").exists()


@pytest.mark.parametrize(
    ("accept", "message"),
    [
        ("many", "accept many: expected a number of papers such as 12, or a share such as 25% or 0.25"),
        ("100%", "accept 100%: expected a share of more than 0% and less than 100%, or a number of papers such as 12"),
        ("1/0", "accept 1/0: expected a number of papers such as 12, or a share such as 25% or 0.25"),
        (
            "7",
            "accept 7 of 3 papers: expected from 1 to 2, so that some are accepted and some are not; did you mean 7%?",
        ),
    ],
)
def test_a_number_to_accept_that_cannot_be_used_leaves_the_ranking(people: People, accept: str, message: str) -> None:
    people.venue.accept = accept
    for assignment in people.assignments:
        add_review(assignment, 1, [5, 15])
    result = compute(people.venue)
    assert result.summary["not_decided"] == message
    assert len(papers_of(result)) == 3


def test_what_the_library_refuses_is_kept_in_its_words(people: People) -> None:
    people.venue.levels = [{"label": "a", "value": 1}, {"label": "b", "value": 0}]
    add_review(people.assignments[0], 1, [5, 15])
    problem = (
        "the rating scale cannot be used: found the values 1, 0, expected increasing numbers (levels are lowest first)"
    )
    assert compute(people.venue).problem == problem


def test_our_own_errors_are_logged_and_said(
    people: People, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    add_review(people.assignments[0], 7, [5, 15])  # a level that there is not
    with caplog.at_level(logging.ERROR):
        assert compute(people.venue).problem == OUR_FAULT
    assert "the results of venue workshop could not be computed" in caplog.text


def test_a_ranking_survives_files_that_cannot_be_made(
    people: People, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    open_and_filled(people, 4)
    monkeypatch.setattr(computing, "venue_pictures", lambda document: 1 / 0)
    with caplog.at_level(logging.ERROR):
        result = compute(people.venue)
    assert (result.problem, result.complete, len(papers_of(result))) == ("", True, 4)
    assert result.files.filter(name="decisions.csv").exists()
    assert "some files of the results of venue workshop could not be made" in caplog.text


def test_the_stamp_changes_with_everything_that_matters_and_nothing_else(people: People) -> None:
    venue, assignment = people.venue, people.assignments[0]
    stamps = [stamp_of(venue)]

    def changed() -> bool:
        stamps.append(stamp_of(venue))
        return stamps.count(stamps[-1]) == 1

    record(people.chair, Action.SAW_RESULTS, venue)
    assert not changed()
    add_review(assignment, 1, [5, 15])
    assert changed()
    add_review(assignment, 0, [5, 15], number=2)
    assert changed()
    exclusion = excluded(people, assignment)
    assert changed()
    exclusion.lifted_at = timezone.now()
    exclusion.save()
    assert changed()
    decline(people.assignments[1], "")
    assert changed()
    take_back(people.assignments[1])
    assert changed()
    for action in (Action.IMPORTED, Action.CHANGED, Action.DECLINED):
        record(people.chair, action, venue)
        assert changed()
    venue.accept = "2"
    assert changed()
    other = people.other_reviewer.assignments.get()
    add_review(other, 1, [5, 15])
    excluded(people, other)
    record(people.chair, Action.IMPORTED, people.other_venue)
    assert stamp_of(venue) == stamps[-1]


def test_reviews_of_a_venue_are_counted_again_only_when_there_are_others(
    people: People, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first, second, _ = people.assignments
    add_review(first, 1, [5, 15])
    before = stamp_of(people.venue)
    with django_assert_num_queries(5):
        assert stamp_of(people.venue) == before
    add_review(people.other_reviewer.assignments.get(), 1, [5, 15])
    with django_assert_num_queries(7):
        assert stamp_of(people.venue) == before
    add_review(second, 1, [5, 15])
    with django_assert_num_queries(7):
        assert find_stamp(people.venue).submissions == 2


def test_a_submission_that_was_begun_first_and_is_finished_last_is_counted(people: People) -> None:
    """Its id is lower than that of one that was there before."""
    first, second, _ = people.assignments
    add_review(first, 1, [5, 15])
    Submission.objects.update(id=F("id") + 10)
    before = find_stamp(people.venue)
    add_review(second, 1, [5, 15])
    Submission.objects.filter(assignment=second).update(id=F("id") - 5)
    after = find_stamp(people.venue)
    assert (before.submissions, after.submissions) == (1, 2)
    assert before.text != after.text


def test_freshness_counts_newer_reviews(people: People) -> None:
    first, second, _ = people.assignments
    add_review(first, 1, [5, 15])
    assert Freshness.of(people.venue).sentence.startswith("The results are being computed.")
    compute(people.venue)
    assert (Freshness.of(people.venue).is_current, Freshness.of(people.venue).sentence) == (True, "")
    add_review(first, 0, [5, 15], number=2)
    assert Freshness.of(people.venue).sentence == "1 newer review is being counted."
    add_review(second, 0, [5, 15])
    assert Freshness.of(people.venue).sentence == "2 newer reviews are being counted."
    compute(people.venue)
    excluded(people, first)
    sentence = "Something that matters was changed; the results are being computed again."
    assert (Freshness.of(people.venue).is_current, Freshness.of(people.venue).sentence) == (False, sentence)


def test_the_scale_file_is_what_the_command_line_reads(people: People) -> None:
    people.venue.levels = THREE
    for assignment in people.assignments:
        add_review(assignment, 2, [5, 5, 10])
    content = file_of(compute(people.venue), "scale.json")
    assert content is not None
    assert Scale.from_mapping(json.loads(content)) == scale_of(people.venue)
    assert isinstance(
        Reviews.from_table(pl.DataFrame({"paper": [1], "rating": ["yes"]}), scale_of(people.venue)), Reviews
    )
