"""A venue with reviews, for tests of results: papers whose ratings and predictions are made up by a rule."""

from uuid import uuid4

import numpy as np
import pytest
from django.utils import timezone

from surpeer.web.results import computing, file_making
from surpeer.web.reviews.models import Exclusion, Submission
from surpeer.web.venues.models import Assignment, Paper, Reviewer, Venue
from web.people import People, make_reviewer

PANEL = 4


def add_review(
    assignment: Assignment, rating: int, prediction: list[int], number: int = 1, comment: str = ""
) -> Submission:
    """One version of a review, as it is kept."""
    return Submission.objects.create(
        assignment=assignment, number=number, key=uuid4(), rating=rating, prediction=prediction, comment=comment
    )


def fill(venue: Venue, papers: int, seed: int = 1, tracks: tuple[str, ...] = ("",)) -> list[Paper]:
    """Papers with four reviews each. Better papers get more accepts; who accepts predicts more of them."""
    rng = np.random.default_rng(seed)
    reviewers = [make_reviewer(venue, f"reviewer{n}-{venue.slug}@example.org") for n in range(max(PANEL, papers // 2))]
    made = []
    for n in range(papers):
        paper = Paper.objects.create(
            venue=venue, key=f"S{n:03}", title=f"Study {n}", track=tracks[n % len(tracks)], authors="Somebody"
        )
        quality, push = rng.beta(2, 2), rng.choice([-4, 0, 4])
        for at in rng.choice(len(reviewers), PANEL, replace=False):
            assignment = Assignment.objects.create(paper=paper, reviewer=reviewers[at])
            rating = int(rng.random() < np.clip(quality + push / 20, 0.02, 0.98))
            top = int(np.clip(10 + push + (3 if rating else -3) + rng.integers(-2, 3), 0, 20))
            add_review(assignment, rating, [20 - top, top])
        made.append(paper)
    return made


def opened(venue: Venue) -> Venue:
    """The same venue after its results were opened."""
    venue.opened_at = timezone.now()
    venue.save()
    return venue


def open_and_filled(people: People, papers: int = 12, **options: object) -> list[Paper]:
    """The venue of these people with that many papers and their reviews, opened; its own three papers are gone."""
    Assignment.objects.filter(paper__venue=people.venue).delete()
    people.venue.papers.all().delete()
    Reviewer.objects.filter(venue=people.venue).exclude(pk=people.reviewer.pk).delete()
    made = fill(people.venue, papers, **options)  # type: ignore[arg-type]
    opened(people.venue)
    return made


def excluded(people: People, assignment: Assignment, reason: str = "wrote about another paper") -> Exclusion:
    """An exclusion by the chair."""
    return Exclusion.objects.create(assignment=assignment, reason=reason, excluded_by=people.chair)


def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charts take most of the time of computing; tests that do not look at them do without."""
    monkeypatch.setattr(computing, "venue_pictures", lambda document: iter(()))


def without_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same of reports, which have a library for charts in them."""
    page = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'">"""
    monkeypatch.setattr(file_making, "page_of", lambda document: page)
