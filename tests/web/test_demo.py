"""What `surpeer serve --demo` fills its venues with; test_serve.py looks at it as it runs."""

import re
from datetime import timedelta

import pytest
from django.db.models import Count
from django.utils import timezone

from surpeer.decisions import decide
from surpeer.pipeline import calibrate
from surpeer.proposals import Proposal
from surpeer.typed_numbers import read_accept
from surpeer.web import demo_content
from surpeer.web.audit.models import Entry
from surpeer.web.audit.reading import in_words
from surpeer.web.demo_venues import fill
from surpeer.web.results.reviews_table import reviews_of
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.models import Paper, PersonalLink, Reviewer, Venue


def test_its_papers_have_titles_of_their_own_and_its_people_have_names() -> None:
    titles = (*demo_content.WORKSHOP_TITLES, *demo_content.CONFERENCE_TITLES)
    people = [demo_content.person(number) for number in range(1, 61)]
    assert (len(titles), len(set(titles)), max(map(len, titles)) <= 40) == (84, 84, True)
    assert (len(set(people)), len({demo_content.address(name) for name in people})) == (60, 60)


@pytest.mark.django_db
def test_its_log_tells_what_people_would_have_done_in_that_order() -> None:
    demo = fill()
    assert [name for name, path in demo.links.items() if re.fullmatch(r"/r/[\w-]{43}/", path)] == list(demo.links)
    workshop, conference = Venue.objects.order_by("pk")
    for venue in (workshop, conference):
        lines = in_words(Entry.objects.filter(venue=venue.pk).order_by("pk"))
        papers, reviewers, invited = venue.papers.count(), venue.reviewers.count(), _invited(venue)
        actions = [line.entry.action for line in lines]
        assert actions[:4] == ["created the venue", "imported", "imported", "imported"]
        assert lines[0].details == ["made up: for this demonstration"]
        assert [line.details[0] for line in lines[1:3]] == [f"new: {papers}", f"new: {reviewers}"]
        assert actions[4 : 4 + invited] == ["invited"] * invited
        submitted = [(line.who, line.about) for line in lines if line.entry.action == "submitted a review"]
        assert len(submitted) == len(set(submitted)) == _reviews(venue)
        opened = [line.who for line in lines if line.entry.action == "opened a personal link"]
        assert (len(opened), set(opened)) == (invited, {who for who, _ in submitted})
        assert all(actions.index("submitted a review") > at for at in range(4 + invited))
    assert actions[-2:] == ["closed the round", "opened the results"]
    assert lines[-1].details == ["reviews: 301", "reviews missing: 0"]


@pytest.mark.django_db
def test_what_it_shows_fits_together() -> None:
    demo = fill()
    workshop, conference = Venue.objects.order_by("pk")
    assert (_reviews(workshop), workshop.takes_reviews, conference.takes_reviews) == (70, True, False)
    assert set(demo.links) <= set(workshop.reviewers.filter(invited_at__isnull=False).values_list("name", flat=True))
    assert not Paper.objects.filter(title="").exists()
    assert (
        Paper.objects.get(venue=workshop, key="P01").title == "Hedgehogs and the hour of the bin lorry (famous group)"
    )
    results = decide(calibrate(reviews_of(conference)), read_accept(conference.accept, "accept"))
    assert [results.count(kind) for kind in Proposal] == [7, 38, 15]
    idle = workshop.reviewers.filter(assignments__isnull=False, assignments__submissions=None)
    never = workshop.reviewers.filter(invited_at=None)
    assert set(never) <= set(idle)
    assert PersonalLink.objects.filter(reviewer__in=never).count() == 0
    per_reviewer = Reviewer.objects.exclude(invited_at=None).annotate(own=Count("links"))
    assert set(per_reviewer.values_list("own", flat=True)) == {1}


@pytest.mark.django_db
def test_its_times_are_spread_as_those_of_a_real_round() -> None:
    before = timezone.now()
    fill()
    workshop, conference = Venue.objects.order_by("pk")
    for venue, days in ((workshop, 7), (conference, 30)):
        times = list(Entry.objects.filter(venue=venue.pk).order_by("pk").values_list("at", flat=True))
        assert times == sorted(times)
        assert venue.created_at == times[0]
        assert times[-1] <= before
        assert times[-1] - times[0] > timedelta(days=days)
        submissions = Submission.objects.filter(assignment__paper__venue=venue)
        given = list(submissions.order_by("pk").values_list("submitted_at", flat=True))
        assert given == sorted(given)
        assert len({moment.date() for moment in given}) > days - 2
        _check_links(venue)
    assert workshop.created_at < before < workshop.deadline
    closed, opened = conference.closed_at, conference.opened_at
    assert closed is not None
    assert opened is not None
    assert given[-1] < closed < opened < before


def _check_links(venue: Venue) -> None:
    """Each was made with the invitation, and opened between that and the first review."""
    for reviewer in venue.reviewers.exclude(invited_at=None):
        link = reviewer.links.get()
        first = Submission.objects.filter(assignment__reviewer=reviewer).order_by("submitted_at").first()
        assert first is not None
        assert link.created_at == reviewer.invited_at
        assert link.created_at < link.used_at < first.submitted_at
        opened = Entry.objects.get(action="opened a personal link", reviewer=reviewer.pk)
        assert opened.at == link.used_at


def _invited(venue: Venue) -> int:
    return venue.reviewers.exclude(invited_at=None).count()


def _reviews(venue: Venue) -> int:
    return venue.papers.aggregate(reviews=Count("assignments__submissions"))["reviews"]
