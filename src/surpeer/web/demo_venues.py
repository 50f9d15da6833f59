"""Two filled venues to look around in: one that is collecting reviews, and one whose results are open.

Everything in them is made up, also the times (`demo_times`): the one looks as if it had been collecting for a week, the
other as if it had taken a month. The log has what people would have done, when they would have done it.
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
from surpeer.web.demo_times import BETWEEN_MAILS, READING, Moments, at_clock, of_the_conference, of_the_workshop
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.links import made_link
from surpeer.web.venues.models import Assignment, Membership, Paper, PersonalLink, Reviewer, Venue

LEVELS = [{"label": "reject", "value": 0}, {"label": "accept", "value": 1}]
IMAGINED = 20
CHAIR = "chair@example.org"
OPEN, CLOSED = "A workshop that is collecting reviews", "A conference whose results are open"
TO_TRY = 2
OF_ALL_KINDS = 29
"""Makes up a conference with papers to accept, to discuss and to reject; most of so few reviews have none to accept."""


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
    now = timezone.now()
    began = of_the_conference(now)
    joined = began.created - timedelta(days=1)
    chair = User.objects.create_user(CHAIR, password, name="Demo Chair", may_create_venues=True, created_at=joined)
    venues = {
        "workshop": Planned(OPEN, WORKSHOP_TITLES, 0.6, of_the_workshop(now), at_clock(now, 10, 23, 59), seed),
        "conference": Planned(  # ended early
            CLOSED, CONFERENCE_TITLES, 1.0, began, at_clock(now, 1, 23, 59), seed + OF_ALL_KINDS, accept="40%"
        ),
    }
    links: dict[str, str] = {}
    for slug, planned in venues.items():
        venue = _venue(chair, slug, planned)
        inside = _fill(venue, planned, np.random.default_rng(planned.seed))
        write_log(venue, chair, planned.moments)
        links |= {str(one): inside[one.pk] for one in _with_work_left(venue)}
    return Demo(CHAIR, password, links)


@dataclass(frozen=True)
class Planned:
    """A venue to be made up."""

    name: str
    titles: tuple[str, ...]
    given: float
    """The share of the reviews that is in."""
    moments: Moments
    deadline: datetime
    seed: int
    accept: str = "25%"


def _venue(chair: User, slug: str, planned: Planned) -> Venue:
    moments = planned.moments
    times = {"created_at": moments.created, "closed_at": moments.closed, "opened_at": moments.opened}
    venue = Venue.objects.create(
        slug=slug,
        name=planned.name,
        levels=LEVELS,
        imagined=IMAGINED,
        created_by=chair,
        deadline=planned.deadline,
        accept=planned.accept,
        **times,
    )
    Membership.objects.create(venue=venue, user=chair, role=Role.CHAIR, since=moments.created)
    return venue


def _fill(venue: Venue, planned: Planned, rng: np.random.Generator) -> dict[int, str]:
    """Papers, reviewers and assignments of a made-up venue, and its share of the reviews. Returns personal links, by
    the keys of their reviewers: of all who were invited, who are all who have reviewed something."""
    titles, moments = planned.titles, planned.moments
    made = make_venue(rng, len(titles))
    rows = list(made.reviews.iter_rows(named=True))
    papers = _papers(venue, titles, made.truth)
    reviewers = _reviewers(venue, {row["reviewer"] for row in rows})
    assignments = Assignment.objects.bulk_create(
        Assignment(paper=papers[row["paper"]], reviewer=reviewers[row["reviewer"]]) for row in rows
    )
    came = rng.permutation(np.flatnonzero(rng.random(len(rows)) < planned.given))
    when = moments.reviews(rng, len(came))
    Submission.objects.bulk_create(
        _submission(assignments[place], rows[place], at) for place, at in zip(came, when, strict=True)
    )
    first = {assignments[place].reviewer: at for place, at in zip(came[::-1], when[::-1], strict=True)}
    return _invite(first, moments)


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


def _submission(assignment: Assignment, row: dict[str, object], at: datetime) -> Submission:
    accepts = round(float(str(row["p_accept"])) * IMAGINED)
    labels = [str(level["label"]) for level in LEVELS]
    return Submission(
        assignment=assignment,
        number=1,
        key=uuid.uuid4(),
        rating=labels.index(str(row["rating"])),
        prediction=[IMAGINED - accepts, accepts],
        submitted_at=at,
    )


def _invite(reviewers: dict[Reviewer, datetime], moments: Moments) -> dict[int, str]:
    """Personal links of these reviewers, who have opened them before their first reviews."""
    paths, links = {}, []
    for number, (reviewer, first) in enumerate(sorted(reviewers.items(), key=lambda pair: pair[0].pk)):
        link, paths[reviewer.pk] = made_link(reviewer)
        link.created_at = reviewer.invited_at = moments.invited + number * BETWEEN_MAILS
        link.used_at = first - READING
        links.append(link)
    Reviewer.objects.bulk_update(reviewers, ["invited_at"])
    PersonalLink.objects.bulk_update(links, ["created_at", "used_at"])
    return paths


def _with_work_left(venue: Venue) -> list[Reviewer]:
    """Some of those who were invited, for whoever wants to try."""
    left = venue.reviewers.filter(invited_at__isnull=False, assignments__submissions=None)
    return list(left.distinct()[:TO_TRY])
