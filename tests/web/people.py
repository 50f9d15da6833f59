"""Two venues with people in every role, and a browser (a test client) for each of them."""

from dataclasses import dataclass
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from surpeer.web.accounts.models import Role, User
from surpeer.web.venues.models import Assignment, Membership, Paper, PersonalLink, Reviewer, Venue
from surpeer.web.visits.store import LINK

LEVELS = [{"label": "reject", "value": 0}, {"label": "accept", "value": 1}]
PASSWORD = "correct horse battery staple"


def make_user(email: str, **fields: object) -> User:
    return User.objects.create_user(email, PASSWORD, name=email.split("@")[0].title(), **fields)


def make_venue(slug: str, chair: User, **fields: object) -> Venue:
    chosen: dict[str, object] = {"levels": LEVELS, "deadline": timezone.now() + timedelta(days=7), **fields}
    venue = Venue.objects.create(slug=slug, name=slug.title(), created_by=chair, **chosen)
    Membership.objects.create(venue=venue, user=chair, role=Role.CHAIR)
    return venue


def make_reviewer(venue: Venue, email: str) -> Reviewer:
    return Reviewer.objects.create(venue=venue, email=email, name=email.split("@")[0].title())


def make_link(reviewer: Reviewer, days: int = 30) -> tuple[PersonalLink, str]:
    """A personal link and its secret."""
    link = PersonalLink(reviewer=reviewer, expires_at=timezone.now() + timedelta(days=days))
    return link, link.make()


def browser_of(who: User | Reviewer | None) -> Client:
    """A browser in which this person is signed in, or nobody."""
    client = Client()
    if isinstance(who, User):
        client.force_login(who)
    elif who is not None:
        link, _ = make_link(who)
        session = client.session
        session[LINK] = link.pk
        session.save()
        client.cookies["sessionid"] = str(session.session_key)
    return client


@dataclass(frozen=True)
class People:
    """Who there is, and their browsers by role."""

    venue: Venue
    other_venue: Venue
    chair: User
    other_chair: User
    observer: User
    reviewer: Reviewer
    second_reviewer: Reviewer
    other_reviewer: Reviewer
    papers: tuple[Paper, ...]
    assignments: tuple[Assignment, ...]
    """Of `reviewer`, one for each paper; `second_reviewer` has them all, too."""

    @classmethod
    def make(cls) -> "People":
        chair = make_user("chair@example.org", may_create_venues=True)
        other_chair = make_user("other-chair@example.org", may_create_venues=True)
        observer = make_user("observer@example.org")
        venue, other_venue = make_venue("workshop", chair), make_venue("elsewhere", other_chair)
        Membership.objects.create(venue=venue, user=observer, role=Role.OBSERVER)
        reviewer, second = (make_reviewer(venue, f"{name}@example.org") for name in ("ada", "ben"))
        other_reviewer = make_reviewer(other_venue, "cleo@example.org")
        papers = tuple(
            Paper.objects.create(venue=venue, key=f"P{n}", title=f"Paper {n}", authors=f"Author {n}") for n in (1, 2, 3)
        )
        Assignment.objects.create(
            paper=Paper.objects.create(venue=other_venue, key="X1", title="Elsewhere 1"), reviewer=other_reviewer
        )
        assignments = tuple(Assignment.objects.create(paper=paper, reviewer=reviewer) for paper in papers)
        for paper in papers:
            Assignment.objects.create(paper=paper, reviewer=second)
        return cls(
            venue, other_venue, chair, other_chair, observer, reviewer, second, other_reviewer, papers, assignments
        )

    @property
    def browsers(self) -> dict[str, Client]:
        """One for each kind of person."""
        return {
            "anonymous": browser_of(None),
            "reviewer": browser_of(self.reviewer),
            "other reviewer": browser_of(self.other_reviewer),
            "chair": browser_of(self.chair),
            "other chair": browser_of(self.other_chair),
            "observer": browser_of(self.observer),
        }
