"""Results through the interface: ranking, one paper, reviews, exclusions."""

from typing import get_args

import pytest
from pytest_django import DjangoAssertNumQueries

from surpeer.proposals import Proposal
from surpeer.web.api.exclusions import COUNTS, EXCLUDED
from surpeer.web.api.results import Kind, Sort, finite
from surpeer.web.audit.models import Entry
from surpeer.web.results.computing import compute
from surpeer.web.results.forms import SORTS
from surpeer.web.results.pseudonyms import review_code
from surpeer.web.reviews.models import Exclusion, Submission
from surpeer.web.venues.models import Blindness, Paper
from web.api_script import Script
from web.filled_venue import add_review, excluded, open_and_filled, opened, without_pictures
from web.people import People

RESULTS = "/venues/workshop/results"


@pytest.fixture
def ranked(people: People, monkeypatch: pytest.MonkeyPatch) -> list[Paper]:
    """Twelve papers in two tracks, whose results are open and computed."""
    without_pictures(monkeypatch)
    papers = open_and_filled(people, tracks=("A", "B"))
    compute(people.venue)
    return papers


def test_orders_and_proposals_are_those_of_the_pages() -> None:
    assert list(get_args(Sort)) == list(SORTS)
    assert sorted(get_args(Kind)) == sorted(kind.label for kind in Proposal)
    assert (finite(0.5), finite(float("inf")), finite(float("nan")), finite(None)) == (0.5, None, None, None)


def test_the_whole_is_summed_up_with_every_note(people: People, ranked: list[Paper]) -> None:
    answer = Script(people.observer).get(RESULTS)
    assert answer.status == 200
    assert (answer.json["papers"], answer.json["reviews"]) == (12, 48)
    assert (answer.json["levels"], answer.json["tracks"]) == (["reject", "accept"], ["A", "B"])
    assert answer.json["decision"] == {"places": 3, "certainty": 0.8, "accept": 0, "discuss": 6, "reject": 6}
    assert answer.json["not_decided"] is None
    assert answer.json["facts"][0] == {"name": "reviews", "value": "48"}
    assert answer.json["headline"][0].startswith("12 papers with 48 reviews were ranked")
    assert "2 tracks: A: 6 papers, B: 6 papers." in answer.json["notes"]
    assert answer.json["state"]["is_current"] is True
    assert Entry.objects.filter(action="saw the results", user=people.observer.pk).count() == 1


def test_the_ranking_comes_in_parts(people: People, ranked: list[Paper]) -> None:
    script = Script(people.chair)
    whole = script.get(f"{RESULTS}/papers").json
    assert (whole["count"], [row["rank"] for row in whole["items"]][:3]) == (12, [1, 2, 3])
    part = script.get(f"{RESULTS}/papers", limit=5, offset=3).json
    assert (part["count"], part["items"], part["state"]) == (12, whole["items"][3:8], whole["state"])
    first = whole["items"][0]
    assert set(first) == {
        *("pk", "id", "title", "track", "rank", "reviews", "mean"),
        *("score", "p_accept", "proposal", "reason", "flags"),
    }
    assert (first["id"], first["reviews"], first["mean"]) == ("S002", 4, 0.75)
    assert (first["proposal"], first["reason"], first["flags"]) == ("discuss", "undecided", [])


def test_the_ranking_is_filtered_and_ordered_as_on_the_page(people: People, ranked: list[Paper]) -> None:
    script = Script(people.chair)
    assert {row["track"] for row in script.get(f"{RESULTS}/papers", track="B").json["items"]} == {"B"}
    found = script.get(f"{RESULTS}/papers", find="study 11").json
    assert [row["id"] for row in found["items"]] == ["S011"]
    discussed = script.get(f"{RESULTS}/papers", proposal="discuss", sort="uncertain").json["items"]
    assert len(discussed) == 6
    distances = [abs(row["p_accept"] - 0.5) for row in discussed]
    assert distances == sorted(distances)
    by_id = [row["id"] for row in script.get(f"{RESULTS}/papers", sort="paper").json["items"]]
    assert by_id == sorted(by_id)


def test_what_cannot_be_asked_for_is_refused_and_not_ignored(people: People, ranked: list[Paper]) -> None:
    script = Script(people.chair)
    assert script.get(f"{RESULTS}/papers", track="C").messages == [
        "Select a valid choice. C is not one of the available choices."
    ]
    assert script.get(f"{RESULTS}/papers", sort="beauty").status == 422
    people.venue.accept = "500"
    people.venue.save()
    Paper.objects.filter(venue=people.venue).update(track="")
    compute(people.venue)
    answer = script.get(f"{RESULTS}/papers", track="A", proposal="accept")
    assert (answer.status, answer.messages) == (422, ["The results have no tracks.", "The results have no proposals."])
    undecided = script.get(RESULTS).json
    assert undecided["decision"] is None
    assert undecided["not_decided"]
    assert script.get(f"{RESULTS}/papers").json["items"][0]["p_accept"] is None


def test_results_that_are_not_there_yet_or_cannot_be(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    without_pictures(monkeypatch)
    opened(people.venue)
    script = Script(people.chair)
    waiting = script.get(RESULTS)
    assert waiting.status == 409
    assert waiting.messages[0].startswith("The results are being computed.")
    compute(people.venue)
    none = script.get(f"{RESULTS}/papers")
    assert (none.status, none.messages) == (
        409,
        ["No review counts yet. There will be a ranking once reviews have been submitted."],
    )


def test_a_newer_review_makes_the_result_old(people: People, ranked: list[Paper]) -> None:
    script = Script(people.chair)
    before = script.get(f"{RESULTS}/papers").json["state"]
    one = Submission.objects.first()
    assert one is not None
    add_review(one.assignment, 1 - one.rating, one.prediction, number=2)
    after = script.get(f"{RESULTS}/papers").json["state"]
    assert (before["is_current"], after["is_current"], after["version"]) == (True, False, before["version"])
    assert after["sentence"] == "1 newer review is being counted."


def test_one_paper_is_explained(people: People, ranked: list[Paper]) -> None:
    answer = Script(people.observer).get(f"{RESULTS}/papers/{ranked[0].pk}")
    assert (answer.json["id"], answer.json["place"]["rank"]) == ("S000", 9)
    explained = answer.json["explanation"]
    assert explained["levels"] == [
        {"label": "reject", "given": 4, "expected": 3.0},
        {"label": "accept", "given": 0, "expected": 1.0},
    ]
    total = sum(part["number"] for part in explained["parts"])
    assert total == pytest.approx(answer.json["place"]["score"])
    assert explained["story"].startswith("Reject: it belongs among the best 3")
    assert explained["low"] < answer.json["place"]["score"] < explained["high"]
    assert explained["what_if"][0].startswith("With one accept more")
    assert Entry.objects.filter(action="saw the results of a paper", about="S000").count() == 1


def test_a_paper_without_reviews_has_no_place(people: People, ranked: list[Paper]) -> None:
    new = Paper.objects.create(venue=people.venue, key="new")
    answer = Script(people.chair).get(f"{RESULTS}/papers/{new.pk}")
    assert (answer.status, answer.json["place"], answer.json["explanation"]) == (200, None, None)
    elsewhere = Paper.objects.get(venue=people.other_venue)
    assert Script(people.chair).get(f"{RESULTS}/papers/{elsewhere.pk}").status == 404


def _review(people: People, paper: Paper) -> Submission:
    found = Submission.objects.filter(assignment__paper=paper).first()
    assert found is not None
    return found


def test_reviews_are_told_with_who_wrote_them(people: People, ranked: list[Paper]) -> None:
    given = _review(people, ranked[0])
    answer = Script(people.observer).get(f"{RESULTS}/papers/{ranked[0].pk}/reviews")
    assert len(answer.json["reviews"]) == 4
    shown = next(one for one in answer.json["reviews"] if one["code"] == review_code(given.assignment_id))
    assert shown["reviewer"] == str(given.assignment.reviewer)
    assert (shown["rating"], shown["in_percent"], shown["version"]) == ("reject", False, 1)
    assert shown["prediction"] == [
        {"label": "reject", "number": given.prediction[0]},
        {"label": "accept", "number": given.prediction[1]},
    ]
    assert shown["submitted_at"] is not None
    assert shown["excluded_because"] is None


def test_nobody_is_named_where_chairs_may_not_know_who_wrote_what(people: People, ranked: list[Paper]) -> None:
    people.venue.blindness = Blindness.TRIPLE
    people.venue.save()
    script = Script(people.chair)
    one = script.get(f"{RESULTS}/papers/{ranked[0].pk}/reviews").json["reviews"]
    assert [review["reviewer"] for review in one] == [f"Reviewer {letter}" for letter in "ABCD"]
    assert {(review["submitted_at"], review["version"]) for review in one} == {(None, None)}
    assert [review["code"] for review in one] == sorted(review["code"] for review in one)
    whole = script.get(f"{RESULTS}/reviews").json
    assert whole["items"][0]["reviews"] == one
    assert "@" not in str(whole)
    assert "reviewer1" not in str(whole).lower()


def test_all_reviews_come_paper_by_paper_and_are_logged_as_an_export(
    people: People, ranked: list[Paper], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    script = Script(people.chair)
    script.get("/venues")
    with django_assert_max_num_queries(9):
        answer = script.get(f"{RESULTS}/reviews", limit=5, offset=2)
    assert (answer.json["count"], [one["id"] for one in answer.json["items"]]) == (12, [f"S00{n}" for n in range(2, 7)])
    assert [len(one["reviews"]) for one in answer.json["items"]] == [4] * 5
    entry = Entry.objects.get(action="exported", user=people.chair.pk)
    assert (entry.about, entry.details) == ("reviews", {"offset": 2, "papers": 5})


def test_a_review_is_excluded_with_a_reason_and_counts_again(people: People, ranked: list[Paper]) -> None:
    script = Script(people.chair)
    code = review_code(_review(people, ranked[0]).assignment_id)
    path = f"{RESULTS}/papers/{ranked[0].pk}/reviews/{code}/exclusion"
    blank = script.post(path, {"reason": "  "})
    assert (blank.status, blank.json["problems"][0]["where"]) == (422, "reason")
    done = script.post(path, {"reason": "It is about another paper."})
    assert done.status == 201
    assert (done.json["paper"], done.json["review"], done.json["excluded_by"]) == ("S000", code, "Chair")
    assert (done.json["reason"], done.json["lifted_at"]) == ("It is about another paper.", None)
    again = script.post(path, {"reason": "Once more."})
    assert (again.status, again.messages) == (409, [EXCLUDED])
    shown = script.get(f"{RESULTS}/papers/{ranked[0].pk}/reviews").json["reviews"]
    assert [one["excluded_because"] for one in shown if one["code"] == code] == ["It is about another paper."]
    lifted = script("delete", path)
    assert (lifted.status, lifted.json["lifted_by"]) == (200, "Chair")
    twice = script("delete", path)
    assert (twice.status, twice.messages) == (409, [COUNTS])
    assert script.get(f"{RESULTS}/exclusions").json == {"count": 1, "items": [lifted.json]}
    assert Exclusion.objects.count() == 1


def test_a_review_is_found_only_at_its_paper_and_its_venue(people: People, ranked: list[Paper]) -> None:
    code = review_code(_review(people, ranked[0]).assignment_id)
    script = Script(people.chair)
    for paper, tried in ((ranked[1], code), (ranked[0], "0" * 16), (Paper.objects.get(venue=people.other_venue), code)):
        path = f"{RESULTS}/papers/{paper.pk}/reviews/{tried}/exclusion"
        assert script.post(path, {"reason": "a reason"}).status == 404
        assert script("delete", path).status == 404
    assert not Exclusion.objects.exists()


def test_exclusions_are_listed_of_this_venue_only(people: People, ranked: list[Paper]) -> None:
    excluded(people, _review(people, ranked[0]).assignment, "one")
    excluded(people, _review(people, ranked[1]).assignment, "two")
    elsewhere = people.other_reviewer.assignments.get()
    add_review(elsewhere, 1, [5, 15])
    excluded(people, elsewhere, "elsewhere")
    answer = Script(people.observer).get(f"{RESULTS}/exclusions", limit=1, offset=1)
    assert (answer.json["count"], [one["reason"] for one in answer.json["items"]]) == (2, ["two"])
