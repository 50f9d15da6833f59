"""Two filled venues to look around in: one that is collecting reviews, and one whose results are open.

Everything in them is made up, and was made up when the server started: that is the time that reviews, links and the log
say. The log has what people would have done, in the order in which they would have done it.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
import polars as pl
from django.db import transaction
from django.utils import timezone

from surpeer.demo import make_venue
from surpeer.web.accounts.models import Role, User
from surpeer.web.accounts.secret_links import new_secret
from surpeer.web.demo_content import CONFERENCE_TITLES, WORKSHOP_TITLES, address, person
from surpeer.web.demo_log import write_log
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.links import made_link
from surpeer.web.venues.models import Assignment, Membership, Paper, PersonalLink, Reviewer, Venue

LEVELS = [{"label": "reject", "value": 0}, {"label": "accept", "value": 1}]
IMAGINED = 20
CHAIR = "chair@example.org"
OPEN, CLOSED = "A workshop that is collecting reviews", "A conference whose results are open"
TO_TRY = 2


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
    collecting = _venue(chair, "workshop", OPEN, deadline=_midnight(now, days=10))
    links = _fill(collecting, np.random.default_rng(seed), WORKSHOP_TITLES, given=0.6)
    early = {"deadline": _midnight(now, days=1), "closed_at": now, "opened_at": now}  # every review was in
    opened = _venue(chair, "conference", CLOSED, **early)
    _fill(opened, np.random.default_rng(seed + 1), CONFERENCE_TITLES, given=1.0)
    for venue in (collecting, opened):
        write_log(venue, chair)
    return Demo(CHAIR, password, {str(one): links[one.pk] for one in _with_work_left(collecting)})


def _midnight(now: datetime, days: int) -> datetime:
    """The last minute of a day so far from now."""
    return (now + timedelta(days=days)).replace(hour=23, minute=59, second=0, microsecond=0)


def _venue(chair: User, slug: str, name: str, **times: datetime) -> Venue:
    venue = Venue.objects.create(slug=slug, name=name, levels=LEVELS, imagined=IMAGINED, created_by=chair, **times)
    Membership.objects.create(venue=venue, user=chair, role=Role.CHAIR)
    return venue


def _fill(venue: Venue, rng: np.random.Generator, titles: tuple[str, ...], given: float) -> dict[int, str]:
    """Papers, reviewers and assignments of a made-up venue, and this share of its reviews. Returns personal links, by
    the keys of their reviewers: of all who were invited, who are all who have reviewed something."""
    made = make_venue(rng, len(titles))
    rows = list(made.reviews.iter_rows(named=True))
    papers = _papers(venue, titles, made.truth)
    reviewers = _reviewers(venue, {row["reviewer"] for row in rows})
    assignments = Assignment.objects.bulk_create(
        Assignment(paper=papers[row["paper"]], reviewer=reviewers[row["reviewer"]]) for row in rows
    )
    came = np.flatnonzero(rng.random(len(rows)) < given)
    Submission.objects.bulk_create(_submission(assignments[at], rows[at]) for at in rng.permutation(came))
    return _invite({assignments[at].reviewer_id: assignments[at].reviewer for at in came})


def _papers(venue: Venue, titles: tuple[str, ...], truth: pl.DataFrame) -> dict[str, Paper]:
    """By the name that the made-up reviews call them. In brackets stands what sways their reviewers."""
    papers = {}
    for title, (name, signal) in zip(titles, truth.select("paper", "cheap_signal").iter_rows(), strict=True):
        known = "" if signal == "none" else f" ({signal})"
        papers[name] = Paper(venue=venue, key=name.replace("Paper ", "P"), title=f"{title}{known}")
    Paper.objects.bulk_create(papers.values())
    return papers


def _reviewers(venue: Venue, names: set[str]) -> dict[str, Reviewer]:
    """By the name that the made-up reviews call them: people, instead of numbers."""
    people = {name: person(int(name.rpartition(" ")[2])) for name in sorted(names)}
    made = {name: Reviewer(venue=venue, name=called, email=address(called)) for name, called in people.items()}
    Reviewer.objects.bulk_create(made.values())
    return made


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


def _invite(reviewers: dict[int, Reviewer]) -> dict[int, str]:
    """Personal links of these reviewers, who have opened them."""
    links = {pk: made_link(reviewer) for pk, reviewer in sorted(reviewers.items())}
    Reviewer.objects.filter(pk__in=reviewers).update(invited_at=timezone.now())
    PersonalLink.objects.filter(reviewer__in=reviewers).update(used_at=timezone.now())
    return {pk: path for pk, (_, path) in links.items()}


def _with_work_left(venue: Venue) -> list[Reviewer]:
    """Some of those who were invited, for whoever wants to try."""
    left = venue.reviewers.filter(invited_at__isnull=False, assignments__submissions=None)
    return list(left.distinct()[:TO_TRY])
