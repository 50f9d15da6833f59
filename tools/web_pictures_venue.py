"""A made-up workshop for the pictures of the application: always the same papers, people, ratings and predictions."""

import csv
import math
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from django.utils import timezone

NAME = "Workshop on Urban Ecology 2027"
CHAIR, PASSWORD = "chair@example.org", "seven-grey-herons"
LEVELS = ("reject", "weak accept", "accept", "strong accept")
IMAGINED = 20
PANEL = 4
SEED = 12
EXPLAINED = "U11"
"""The paper whose own page is shown."""
TITLES = {
    "Birds": (
        "Night song of blackbirds near street lamps",
        "Do pigeons read traffic lights?",
        "Forty winters at one bird feeder",
        "Swifts, roofs and the price of insulation",
        "A model of gulls and fast food",
    ),
    "Plants": (
        "Moss on north walls as a clock",
        "Trees that cool a bus stop",
        "Seeds in the tyres of commuters",
        "Roof gardens after ten dry summers",
        "Why plane trees drop their bark early",
    ),
    "Water": (
        "Newts in fire ponds",
        "Counting eels from their DNA in a canal",
        "Road salt and the spring of small streams",
        "What fountains do to mosquitoes",
        "A famous river, measured again",
        "Rain gardens: twelve cities compared",
    ),
}
PEOPLE = (
    *("Ada Berg", "Bo Chen", "Carmen Diaz", "Dele Okoro", "Eva Novak", "Farid Amini", "Grace Hill", "Hugo Roy"),
    *("Ines Melo", "Jun Sato", "Kofi Mensah", "Lea Weber", "Mina Park", "Nils Dahl", "Olga Ruiz", "Pia Lund"),
)
INSTRUCTIONS = "Strong accept is for papers that you would tell a colleague about. Rate the work, not the topic."
ABSTRACT = (
    "We recorded blackbirds in 40 gardens over two springs. Birds that sang within 30 metres of a lamp began "
    "52 minutes earlier than others in their street, and raised as many young. What does this say about lamps?"
)
COMMENT = "Careful field work. I would like to see the two streets without lamps in the main table."


def fill() -> str:
    """Fill an empty database; returns the path of a reviewer's personal link."""
    from surpeer.web.accounts.models import User

    chair = User.objects.create_user(CHAIR, PASSWORD, name="Robin Chair", may_create_venues=True)
    now = timezone.now()
    running = _venue(chair, "running", deadline=(now + timedelta(days=9)).replace(hour=23, minute=59))
    _reviews(running, given=0.72, until=now)
    over = now - timedelta(days=1)
    _reviews(_venue(chair, "results", deadline=over, closed_at=over, opened_at=now), given=1.0, until=over)
    return _link(running)


def problem_file(folder: Path) -> Path:
    """Assignments with the mistakes that people make."""
    rows = [("paper", "reviewer"), *((f"U{n:02}", f"{_address(name)}") for n, name in enumerate(PEOPLE[:9], start=1))]
    rows[3] = ("U3", rows[3][1])
    rows[6] = (rows[6][0], "farid.amini@exmaple.org")
    rows[8] = (rows[8][0], "")
    path = folder / "assignments.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def _venue(chair: Any, slug: str, **times: datetime) -> Any:
    from surpeer.web.accounts.models import Role
    from surpeer.web.venues.models import Membership, Paper, Reviewer, Venue

    levels = [{"label": label, "value": value} for value, label in enumerate(LEVELS, start=1)]
    venue = Venue.objects.create(
        slug=slug, name=NAME, levels=levels, accept="4", instructions=INSTRUCTIONS, created_by=chair, **times
    )
    Membership.objects.create(venue=venue, user=chair, role=Role.CHAIR)
    papers = [(title, track) for track, titles in TITLES.items() for title in titles]
    for number, (title, track) in enumerate(papers, start=1):
        abstract = ABSTRACT if number == 1 else ""
        Paper.objects.create(venue=venue, key=f"U{number:02}", title=title, track=track, abstract=abstract)
    invited = timezone.now() - timedelta(days=12)
    for name in PEOPLE:
        Reviewer.objects.create(venue=venue, name=name, email=_address(name), invited_at=invited)
    return venue


def _address(name: str) -> str:
    return f"{name.lower().replace(' ', '.')}@example.org"


def _reviews(venue: Any, given: float, until: datetime) -> None:
    """Four reviewers for each paper, and this share of their reviews."""
    from surpeer.web.reviews.models import Submission
    from surpeer.web.venues.models import Assignment

    rng = np.random.default_rng(SEED)
    people = list(venue.reviewers.order_by("pk"))
    at = until - timedelta(days=6)
    for place, paper in enumerate(venue.papers.order_by("key")):
        for reviewer, (rating, prediction) in zip(_panel(place, people), _opinions(rng), strict=True):
            assignment = Assignment.objects.create(paper=paper, reviewer=reviewer)
            at += timedelta(minutes=float(rng.uniform(20, 180)))
            if rng.random() < given and not (place == 0 and reviewer == people[0] and given < 1):
                comment = COMMENT if place == 0 else ""
                values: dict[str, Any] = {"rating": rating, "prediction": prediction, "comment": comment}
                Submission.objects.create(
                    assignment=assignment, number=1, key=uuid4(), submitted_at=min(at, until), **values
                )


def _panel(place: int, people: list[Any]) -> list[Any]:
    """Neighbours in a circle, so that everybody has as many papers."""
    return [people[(place + step) % len(people)] for step in (0, 3, 7, 12)]


def _opinions(rng: np.random.Generator) -> Iterator[tuple[int, list[int]]]:
    """A rating and a prediction of each reviewer of one paper, which is better or worse, and pushed up or down."""
    quality, push = rng.beta(2.2, 2.2), rng.choice([-0.18, 0.0, 0.0, 0.2])
    top = len(LEVELS) - 1
    for _ in range(PANEL):
        rating = int(rng.binomial(top, np.clip(quality + push, 0.03, 0.97)))
        expected = np.clip(0.5 + push + 0.22 * (rating / top - 0.5) + rng.normal(0, 0.04), 0.05, 0.95)
        yield rating, rng.multinomial(IMAGINED, _binomial(top, float(expected))).tolist()


def _binomial(top: int, share: float) -> list[float]:
    return [math.comb(top, k) * share**k * (1 - share) ** (top - k) for k in range(top + 1)]


def _link(venue: Any) -> str:
    from surpeer.web.venues.links import new_link

    return str(new_link(venue.reviewers.order_by("pk").first()))
