"""Invitations and reminders."""

from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet
from django.utils import timezone
from ninja import Router
from pydantic import BaseModel, Field, StrictInt

from surpeer.web.api import rights
from surpeer.web.api.answers import BODY, CHAIRS, CONFLICT, answers
from surpeer.web.api.fields import MOST_PK, Given, Key, Moment, Slug
from surpeer.web.api.problems import Refusal
from surpeer.web.api.tokens import ApiRequest, caller_of
from surpeer.web.venues import mailing
from surpeer.web.venues.mail_views import OVER
from surpeer.web.venues.models import Reviewer, Venue

router = Router(tags=["mails"])


class InviteIn(Given):
    """Whom to write to."""

    after: Annotated[StrictInt, Field(ge=0, le=MOST_PK)] = Field(
        default=0,
        description="Only reviewers whose `pk` is larger: `last` of the answer before, to go on after failures.",
    )
    only: Annotated[list[Key], Field(max_length=1000)] | None = Field(
        default=None, description="Only these reviewers (`pk`), of those who would be written to."
    )


class RemindIn(InviteIn):
    """Whom to remind."""

    since: Moment | None = Field(
        default=None,
        description="Who was invited or reminded since then is not reminded; a day ago where it is left out.",
    )


class FailedMail(BaseModel):
    """A mail that was not sent."""

    reviewer: int
    email: str
    why: str


class MailsOut(BaseModel):
    """What came of it. Sending goes on for some seconds; where `left` is not 0, call again."""

    sent: int = Field(description="Mails that the mail server took.")
    filed: int = Field(
        description="Mails that were put into files instead, because there is no mail server: they reach nobody until "
        "somebody passes them on."
    )
    failed: list[FailedMail]
    left: int = Field(description="Reviewers who are still to be written to.")
    last: int = Field(description="The last reviewer who was tried; give it as `after` to go on.")
    stopped: str | None = Field(description="Why nothing more could be sent: the mail server itself failed.")


ANSWERS = answers(MailsOut, *BODY, *CHAIRS, *CONFLICT)


@router.post("/venues/{slug:slug}/invitations", response=ANSWERS, summary="Invite reviewers")
def send_invitations(request: ApiRequest, slug: Slug, given: InviteIn) -> MailsOut:
    """A mail with a personal link to every reviewer who has papers and an address and got no invitation yet. Those
    whose links a chair revoked are left out: give them a link of their own."""
    venue = _collecting(request, slug)
    return _send(request, "invite", mailing.to_invite(venue), given)


@router.post("/venues/{slug:slug}/reminders", response=ANSWERS, summary="Remind reviewers")
def send_reminders(request: ApiRequest, slug: Slug, given: RemindIn) -> MailsOut:
    """A mail with a personal link to every reviewer who was invited and has reviews to submit. Those whose
    links a chair revoked are left out: give them a link of their own."""
    venue = _collecting(request, slug)
    since: datetime = given.since or timezone.now() - mailing.PAUSE
    return _send(request, "remind", mailing.to_remind(venue, since), given)


def _collecting(request: ApiRequest, slug: str) -> Venue:
    """The venue, if it takes reviews; else there is nothing to write about."""
    venue = rights.to_change(request, slug)
    if not venue.takes_reviews:
        raise Refusal(409, OVER)
    return venue


def _send(request: ApiRequest, kind: mailing.Kind, query: QuerySet[Reviewer], given: InviteIn) -> MailsOut:
    query = query if given.only is None else query.filter(pk__in=given.only)
    outcome = mailing.send(kind, query, caller_of(request), request, after=given.after)
    failed = [FailedMail(reviewer=one.pk, email=one.email, why=why) for one, why in outcome.failed]
    return MailsOut(
        sent=outcome.sent,
        filed=outcome.filed,
        failed=failed,
        left=outcome.left,
        last=outcome.last,
        stopped=outcome.stopped or None,
    )
