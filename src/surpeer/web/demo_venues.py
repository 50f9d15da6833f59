"""Two filled venues to look around in: one that is collecting reviews, and one whose results are open."""

import uuid
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from django.db import transaction
from django.utils import timezone

from surpeer.demo import make_venue
from surpeer.web.accounts.models import Role, User
from surpeer.web.accounts.secret_links import new_secret
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.links import new_link
from surpeer.web.venues.models import Assignment, Membership, Paper, Reviewer, Venue

LEVELS = [{"label": "reject", "value": 0}, {"label": "accept", "value": 1}]
IMAGINED = 20
CHAIR = "chair@example.org"
OPEN, CLOSED = "A workshop that is collecting reviews", "A conference whose results are open"


@dataclass(frozen=True)
class Demo:
    """How to get in."""

    email: str
    password: str
    links: dict[str, str]
    """Personal links, by the names of reviewers who have something left to do."""


@transaction.atomic
def fill(seed: int = 1) -> Demo:
    """Fill an empty database."""
    password = new_secret()[:12]
    chair = User.objects.create_user(CHAIR, password, name="Demo Chair", may_create_venues=True)
    now = timezone.now()
    collecting = _venue(chair, "workshop", OPEN, deadline=now + timedelta(days=10))
    _fill(collecting, np.random.default_rng(seed), papers=24, given=0.6)
    opened = {"deadline": now - timedelta(days=2), "closed_at": now - timedelta(days=2), "opened_at": now}
    _fill(_venue(chair, "conference", CLOSED, **opened), np.random.default_rng(seed + 1), papers=60, given=1.0)
    return Demo(CHAIR, password, {str(one): new_link(one) for one in _with_work_left(collecting)})


def _venue(chair: User, slug: str, name: str, **times: object) -> Venue:
    venue = Venue.objects.create(slug=slug, name=name, levels=LEVELS, imagined=IMAGINED, created_by=chair, **times)
    Membership.objects.create(venue=venue, user=chair, role=Role.CHAIR)
    return venue


def _fill(venue: Venue, rng: np.random.Generator, papers: int, given: float) -> None:
    """Papers, reviewers and assignments of a made-up venue, and this share of its reviews."""
    made = make_venue(rng, papers)
    table = made.reviews
    about = dict(made.truth.select("paper", "cheap_signal").iter_rows())
    paper = {
        key: Paper.objects.create(venue=venue, key=key, title=f"{key} ({about[key]})" if about[key] != "none" else key)
        for key in table["paper"].unique().sort()
    }
    names = table["reviewer"].unique().sort()
    reviewer = {
        name: Reviewer.objects.create(venue=venue, name=name, email=f"{name.replace(' ', '-').lower()}@example.org")
        for name in names
    }
    rows = list(table.iter_rows(named=True))
    assignments = Assignment.objects.bulk_create(
        Assignment(paper=paper[row["paper"]], reviewer=reviewer[row["reviewer"]]) for row in rows
    )
    there = rng.random(len(rows)) < given
    Submission.objects.bulk_create(
        _submission(assignment, row)
        for assignment, row, is_there in zip(assignments, rows, there, strict=True)
        if is_there
    )


def _submission(assignment: Assignment, row: dict[str, object]) -> Submission:
    accepts = round(float(str(row["p_accept"])) * IMAGINED)
    labels = [str(level["label"]) for level in LEVELS]
    return Submission(
        assignment=assignment,
        number=1,
        key=uuid.uuid4(),
        rating=labels.index(str(row["rating"])),
        prediction=[IMAGINED - accepts, accepts],
    )


def _with_work_left(venue: Venue) -> list[Reviewer]:
    """Two of them are enough to try."""
    return list(venue.reviewers.filter(assignments__submissions=None, assignments__isnull=False).distinct()[:2])
