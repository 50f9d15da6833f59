"""When results can be opened, what a chair is told before, and what stays shut where chairs must not know who is who."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surpeer.core.venue.venue_fit import LEAST_PAPERS
from surpeer.web.audit.models import Entry
from surpeer.web.results.opening import CLOSE_FIRST, NO_REVIEW
from surpeer.web.venues.creating import STAYS_CLOSED
from surpeer.web.venues.few_predictions import few_predictions
from surpeer.web.venues.models import Assignment, Blindness, Paper, Venue
from web.api_script import Script
from web.filled_venue import add_review, opened
from web.people import People, browser_of

OPEN = "/venues/workshop/results/open/"
LATER = {"deadline": "2099-01-01T10:00", "time_zone": "UTC"}


@pytest.fixture
def chair(people: People) -> Client:
    return browser_of(people.chair)


def blind(people: People, **changes: object) -> Venue:
    """The venue hides who gave which rating, and has a review."""
    add_review(people.assignments[0], 1, [5, 15])
    Venue.objects.filter(pk=people.venue.pk).update(blindness=Blindness.TRIPLE, **changes)
    people.venue.refresh_from_db()
    return people.venue


def actions(people: People) -> list[str]:
    return list(Entry.objects.filter(venue=people.venue.pk).order_by("pk").values_list("action", flat=True))


def is_open(people: People) -> bool:
    return Venue.objects.get(pk=people.venue.pk).is_open


@pytest.mark.parametrize("declined", [False, True])
def test_without_a_review_nothing_is_opened(people: People, chair: Client, declined: bool) -> None:
    if declined:  # a review that was withdrawn counts for nothing
        add_review(people.assignments[0], 1, [5, 15])
        Assignment.objects.filter(pk=people.assignments[0].pk).update(declined_at=timezone.now())
    page = chair.get(OPEN)
    assert NO_REVIEW in page.content.decode()
    assert b"<button" not in page.content.split(b"<h2>Open the results?</h2>")[1]
    refused = chair.post(OPEN)
    assert (refused.status_code, NO_REVIEW in refused.content.decode()) == (409, True)
    answer = Script(people.chair).post("/venues/workshop/results/open")
    assert (answer.status, answer.messages) == (409, [NO_REVIEW])
    assert not is_open(people)
    assert "opened the results" not in actions(people)


def test_where_reviewers_are_hidden_the_round_must_be_over(people: People, chair: Client) -> None:
    blind(people)
    page = chair.get(OPEN).content.decode()
    assert CLOSE_FIRST in page
    assert 'href="/venues/workshop/close/"' in page
    assert chair.post(OPEN).status_code == 409
    assert Script(people.chair).post("/venues/workshop/results/open").messages == [CLOSE_FIRST]
    assert not is_open(people)
    chair.post("/venues/workshop/close/")
    page = chair.get(OPEN).content.decode()
    assert CLOSE_FIRST not in page
    assert "After the opening the round cannot be reopened" in page
    assert chair.post(OPEN).status_code == 302
    assert is_open(people)
    assert actions(people) == ["closed the round", "opened the results"]


def test_where_reviewers_are_seen_the_round_may_be_open(people: People, chair: Client) -> None:
    add_review(people.assignments[0], 1, [5, 15])
    assert chair.post(OPEN).status_code == 302
    assert Venue.objects.get(pk=people.venue.pk).takes_reviews
    Venue.objects.filter(pk=people.venue.pk).update(closed_at=timezone.now())
    assert chair.post("/venues/workshop/reopen/", LATER).status_code == 302
    assert Venue.objects.get(pk=people.venue.pk).takes_reviews


def test_after_a_deadline_the_opening_closes_the_round_as_well(people: People, chair: Client) -> None:
    """Or else a later deadline in the settings would let reviews in."""
    blind(people, deadline=timezone.now() - timedelta(hours=1))
    assert chair.post(OPEN).status_code == 302
    assert actions(people) == ["closed the round", "opened the results"]
    Venue.objects.filter(pk=people.venue.pk).update(deadline=timezone.now() + timedelta(days=3))
    assert not Venue.objects.get(pk=people.venue.pk).takes_reviews


def test_a_round_whose_results_are_open_stays_closed_where_reviewers_are_hidden(people: People, chair: Client) -> None:
    opened(blind(people, closed_at=timezone.now()))
    assert b"/reopen/" not in chair.get("/venues/workshop/").content
    for refused in (chair.get("/venues/workshop/reopen/"), chair.post("/venues/workshop/reopen/", LATER)):
        assert (refused.status_code, STAYS_CLOSED in refused.content.decode()) == (409, True)
    answer = Script(people.chair).post("/venues/workshop/reopen", {"deadline": "2099-01-01T00:00:00Z"})
    assert (answer.status, answer.messages) == (409, [STAYS_CLOSED])
    assert Venue.objects.get(pk=people.venue.pk).closed_at is not None
    assert actions(people) == []


@pytest.mark.parametrize(("blindness", "warned"), [("double", False), ("triple", True)])
def test_erasing_warns_where_it_can_show_who_wrote_a_review(
    people: People, chair: Client, blindness: str, warned: bool
) -> None:
    Venue.objects.filter(pk=people.venue.pk).update(blindness=blindness)
    page = chair.get(f"/venues/workshop/reviewers/{people.reviewer.pk}/erase/").content.decode()
    assert ("the missing comment may show which review was hers" in page) == warned


def test_too_few_predictions_are_told_before_the_opening(people: People, chair: Client) -> None:
    """Three papers with two reviewers each are just enough, and one review less is too few."""
    assert LEAST_PAPERS == 3
    assert few_predictions(people.venue, "assigned") == ""
    for number, assignment in enumerate(Assignment.objects.filter(paper__venue=people.venue).order_by("pk")):
        if number:
            add_review(assignment, 1, [5, 15])
    sentence = (
        "Predictions will not count: papers will be ranked by their ratings alone. At least 3 papers with two reviews "
        "or more are needed to judge predictions by; there are 2."
    )
    assert few_predictions(people.venue, "done") == sentence
    assert sentence in chair.get(OPEN).content.decode()
    assert "will not count" not in chair.get("/venues/workshop/").content.decode()
    Assignment.objects.filter(pk=people.assignments[0].pk).update(declined_at=timezone.now())
    overview = chair.get("/venues/workshop/").content.decode()
    needed = "At least 3 papers assigned to two reviewers or more are needed to judge predictions by; there are 2."
    assert needed in overview
    opened(people.venue)
    assert "will not count" not in chair.get("/venues/workshop/").content.decode()


def test_each_track_needs_predictions_of_its_own(people: People) -> None:
    Paper.objects.filter(pk=people.papers[0].pk).update(track="Theory")
    assert few_predictions(people.venue, "assigned") == (
        "Predictions will not count in any track, because each track is read by itself: papers there will be ranked by "
        "their ratings alone. At least 3 papers assigned to two reviewers or more are needed to judge predictions by "
        "in a track; too few have (none) (2), Theory (1)."
    )
    for number in range(3):
        paper = Paper.objects.create(venue=people.venue, key=f"Q{number}", track="Practice")
        for reviewer in (people.reviewer, people.second_reviewer):
            Assignment.objects.create(paper=paper, reviewer=reviewer)
    assert "Predictions will not count in 2 of 3 tracks" in few_predictions(people.venue, "assigned")
