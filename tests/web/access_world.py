"""Two venues with something of every kind in them, marked so that a page which shows it can be told."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from unittest import mock

from django.contrib.auth.tokens import default_token_generator
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from surpeer.web.accounts.models import ApiToken, Invitation, Role, User
from surpeer.web.results import computing
from surpeer.web.results.models import ResultFile
from surpeer.web.results.pictures import OF_THE_VENUE
from surpeer.web.results.stored import packed
from surpeer.web.reviews.models import Draft
from surpeer.web.venues.models import ImportUpload, Membership, Paper, Reviewer, Venue
from web.filled_venue import add_review, excluded, fill
from web.people import People, make_link, make_user

ROLES = ("anonymous", "reviewer", "other reviewer", "chair", "other chair", "observer")
MARKS = {
    "venue": "Markvenue Workshop",
    "title": "Marktitle of Deep Networks",
    "authors": "Markauthor Jones",
    "name": "Markname Ben",
    "email": "markmail-ben@example.org",
    "comment": "Markcomment: the proof is wrong",
    "draft": "Markdraft: not yet sure",
    "other venue": "Farvenue Elsewhere",
    "other title": "Fartitle of Shallow Networks",
    "other authors": "Farauthor Smith",
    "other name": "Farname Cleo",
    "other email": "farmail-cleo@example.org",
    "other comment": "Farcomment: well written",
}
"""What of this venue and of the other is to be found on pages: of this one the paper that `second_reviewer` reviewed."""
PICTURE = f"{OF_THE_VENUE[0]}-light.svg"
ENOUGH_PAPERS = 6
CLOSED = b"The results have not been opened"
SENT = b"<h1>Open your personal link again</h1>"


@dataclass
class World:
    """The people, what belongs to them, and their browsers."""

    people: People
    secrets: dict[str, str]
    objects: dict[str, int]
    sessions: dict[str, str] = field(default_factory=dict)
    """Of each role, by which browsers are made: requests may change or end what a browser holds."""
    tokens: dict[str, str] = field(default_factory=dict)

    @classmethod
    def make(cls, **settings: object) -> "World":
        """Reviews are in, and the results of both venues are closed. `settings` are fields of both venues."""
        people = People.make()
        for venue, prefix in ((people.venue, ""), (people.other_venue, "other ")):
            _mark(venue, prefix, **settings)
        second, other = people.second_reviewer, people.other_reviewer
        _rename(second, MARKS["name"], MARKS["email"])
        _rename(other, MARKS["other name"], MARKS["other email"])
        theirs = second.assignments.get(paper=people.papers[0])
        add_review(theirs, 1, [3, 17], comment=MARKS["comment"])
        Draft.objects.create(
            assignment=second.assignments.get(paper=people.papers[1]), fields={"comment": MARKS["draft"]}
        )
        add_review(people.assignments[0], 0, [13, 7], comment="her own words")
        add_review(other.assignments.get(), 1, [2, 18], comment=MARKS["other comment"])
        fill(people.venue, ENOUGH_PAPERS)
        objects, secrets = _more(people)
        world = cls(people, secrets, {**objects, **_of_the_other_venue(people), "their assignment": theirs.pk})
        found = {role: browser.cookies.get("sessionid") for role, browser in people.browsers.items()}
        world.sessions = {role: cookie.value for role, cookie in found.items() if cookie is not None}
        world.tokens = {role: _token(user) for role, user in world.users.items()}
        return world

    @property
    def users(self) -> dict[str, User]:
        """Those who have accounts, by role."""
        return {"chair": self.people.chair, "other chair": self.people.other_chair, "observer": self.people.observer}

    def browser(self, role: str, **options: Any) -> Client:
        """A new browser in which somebody of this role is signed in."""
        browser = Client(**options)
        if role in self.sessions:
            browser.cookies["sessionid"] = self.sessions[role]
        return browser

    def open_results(self, files: bool = True) -> None:
        """Open and compute the results of this venue; making all its files takes a while."""
        venue = self.people.venue
        venue.opened_at = timezone.now()
        venue.save()
        if not self.people.assignments[0].exclusions.exists():
            excluded(self.people, self.people.assignments[0])
        left_out = "venue_pictures" if files else "_all_files"
        with mock.patch.object(computing, left_out, return_value=[]):
            result = computing.compute(venue)
        assert not result.problem, result.problem
        ResultFile.objects.update_or_create(result=result, name=PICTURE, content=packed(b"<svg/>"), alt="a chart")


def _mark(venue: Venue, prefix: str, **settings: object) -> None:
    venue.name = MARKS[f"{prefix}venue"]
    for name, value in settings.items():
        setattr(venue, name, value)
    venue.save()
    paper = venue.papers.order_by("key")[0]
    Paper.objects.filter(pk=paper.pk).update(title=MARKS[f"{prefix}title"], authors=MARKS[f"{prefix}authors"])


def _rename(reviewer: Reviewer, name: str, email: str) -> None:
    reviewer.name, reviewer.email, reviewer.invited_at = name, email, timezone.now()
    reviewer.save()


def _more(people: People) -> tuple[dict[str, int], dict[str, str]]:
    """Objects by what they are, and the secrets that open some of them."""
    soon = timezone.now() + timedelta(days=1)
    invitation = Invitation(venue=people.venue, email="invited@example.org", expires_at=soon, invited_by=people.chair)
    _, secret = make_link(people.reviewer)
    token = ApiToken(user=people.chair, name="nightly", expires_at=soon)
    watcher = Membership.objects.create(venue=people.venue, user=make_user("watcher@example.org"), role=Role.OBSERVER)
    secrets = {"invitation": invitation.make(), "link": secret, "token": token.make()}
    secrets["uid"] = urlsafe_base64_encode(force_bytes(watcher.user_id))
    secrets["reset"] = default_token_generator.make_token(watcher.user)
    upload = ImportUpload.objects.create(
        venue=people.venue, user=people.chair, kind="papers", name="p.csv", data=b"id,title\nN1,New one\n"
    )
    return {"invitation": invitation.pk, "token": token.pk, "membership": watcher.pk, "upload": upload.pk}, secrets


def _of_the_other_venue(people: People) -> dict[str, int]:
    """The same kinds of things that belong to the other venue."""
    venue, chair, soon = people.other_venue, people.other_chair, timezone.now() + timedelta(days=1)
    invitation = Invitation(venue=venue, email="far@example.org", expires_at=soon, invited_by=chair)
    invitation.make()
    upload = ImportUpload.objects.create(venue=venue, user=chair, kind="papers", name="p.csv", data=b"id\nN1\n")
    return {
        "other paper": venue.papers.get().pk,
        "other reviewer": people.other_reviewer.pk,
        "other assignment": people.other_reviewer.assignments.get().pk,
        "other membership": venue.memberships.get().pk,
        "other invitation": invitation.pk,
        "other upload": upload.pk,
    }


def _token(user: User) -> str:
    return ApiToken(user=user, name="script", expires_at=timezone.now() + timedelta(days=1)).make()


@contextmanager
def undone() -> Iterator[list[str]]:
    """Whatever is done within is undone; yields the tables that were written to."""
    written: list[str] = []

    def watch(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        found = re.match(r'\s*(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+"?(\w+)"?', sql, re.IGNORECASE)
        if found:
            written.append(found[1])
        return execute(sql, *more)

    with transaction.atomic():
        with connection.execute_wrapper(watch):
            yield written
        transaction.set_rollback(True)


def outcome(response: HttpResponse) -> str:
    """What came back, in the notation of the matrix."""
    if response.status_code == 200 and not response.streaming and CLOSED in response.content:
        return "closed"
    if response.status_code == 403 and not response.streaming and SENT in response.content:
        return "sent"
    if response.status_code not in (301, 302):
        return str(response.status_code)
    where = response["Location"]
    return "in" if where.startswith("/login/?next=") else "link" if where == "/link-needed/" else "go"


def content_of(response: HttpResponse) -> bytes:
    """All of it, also of an answer in parts."""
    return b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]
