"""Invitations and reminders: one mail for each reviewer, with a personal link of her own.

Sending takes as long as a mail server likes, so a request sends for a while and says who is left; the next one goes on.
Nobody gets a mail twice: a reviewer is marked before her mail goes, by a statement that only one request can win, and
unmarked if it fails.
"""

import time
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from smtplib import SMTPException
from typing import TYPE_CHECKING, Literal

from django.core.mail import EmailMessage, get_connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from surpeer.web.accounts.mail_text import mail_text
from surpeer.web.accounts.models import User
from surpeer.web.audit.log import Action, record
from surpeer.web.mail_folder import NamedMail
from surpeer.web.venues.links import kept_out, made_link, working_links
from surpeer.web.venues.local_times import deadline_text
from surpeer.web.venues.mail_files import headers_for, mails_are_sent, only_filed
from surpeer.web.venues.models import Reviewer, Venue
from surpeer.web.venues.progress import assignments_of, late_reviewers

if TYPE_CHECKING:
    from surpeer.web.venues.progress import CountedAssignment

Kind = Literal["invite", "remind"]
SECONDS = 15.0  # for which one request sends
PAUSE = timedelta(days=1)
"""Who was invited or reminded within it is not reminded again, unless the chair or the script says so: a call that is
repeated because its answer got lost must not bother people twice."""
FAILURES = (SMTPException, OSError, ValueError)  # of a server, of the network, of an address


@dataclass
class Sent:
    """What came of a request to send."""

    sent: int = 0
    filed: int = 0
    """Put into files instead, because there is no mail server."""
    failed: list[tuple[Reviewer, str]] = field(default_factory=list)
    last: int = 0
    """The last reviewer who was tried, after whom the next request goes on."""
    left: int = 0
    stopped: str = ""
    """Why nothing more could be sent: the mail server itself failed."""


def to_invite(venue: Venue) -> QuerySet[Reviewer]:
    """Reviewers who have something to do and an address and got no invitation; once there is a mail server, one that is
    only in a file is none. Not those whom a chair keeps out."""
    return _without_invitation(venue).filter(~kept_out())


def _without_invitation(venue: Venue) -> QuerySet[Reviewer]:
    left = assignments_of(venue).filter(reviewer=OuterRef("pk"), declined_at=None, is_done=False)
    not_invited = Q(invited_at=None) | only_filed() if mails_are_sent() else Q(invited_at=None)
    return venue.reviewers.filter(not_invited, Exists(left), erased_at=None).exclude(email="")


def has_work_left(reviewer: Reviewer) -> bool:
    """Whether there is a paper that she has neither reviewed nor declined."""
    return _left_to(reviewer).exists()


def _left_to(reviewer: Reviewer) -> "QuerySet[CountedAssignment]":
    return assignments_of(reviewer.venue).filter(reviewer=reviewer, declined_at=None, is_done=False)


def late(venue: Venue) -> QuerySet[Reviewer]:
    """Reviewers who have something left to do and whom no chair keeps out."""
    return late_reviewers(venue).filter(~kept_out())


def to_remind(venue: Venue, since: datetime) -> QuerySet[Reviewer]:
    """Reviewers who are late and were neither invited nor reminded since."""
    return late(venue).filter(~written_to(since))


def written_to(since: datetime) -> Q:
    """The condition on reviewers that they were invited or reminded since then."""
    return Q(invited_at__gte=since) | Q(reminded_at__isnull=False, reminded_at__gte=since)


def left_out(kind: Kind, venue: Venue) -> QuerySet[Reviewer]:
    """Reviewers who would be written to if no chair had revoked their links."""
    waiting = _without_invitation(venue) if kind == "invite" else late_reviewers(venue)
    return waiting.filter(kept_out())


def send(
    kind: Kind, query: QuerySet[Reviewer], by: User, request: HttpRequest, *, after: int = 0, seconds: float = SECONDS
) -> Sent:
    """Send to those of the query whose keys come after `after`, for so many seconds."""
    outcome = Sent(last=after)
    end = time.monotonic() + seconds
    query = query.order_by("pk")
    try:
        post = Post(by, request)
    except FAILURES as error:
        return Sent(left=query.count(), last=after, stopped=_reason(error))
    with closing(post):
        for reviewer in query.filter(pk__gt=after).select_related("venue"):
            if time.monotonic() > end:
                break
            post.send(kind, reviewer, outcome)
            outcome.last = reviewer.pk
    outcome.left = query.filter(pk__gt=outcome.last).count()
    return outcome


def send_to(kind: Kind, reviewer: Reviewer, by: User, request: HttpRequest) -> Sent:
    """Send to one reviewer, whether or not she got a mail before."""
    outcome = Sent()
    before: datetime | None = getattr(reviewer, _MARKS[kind][0])
    if before is not None and timezone.now() - before < DOUBLE_CLICK:
        return outcome
    try:
        post = Post(by, request)
    except FAILURES as error:
        return Sent(failed=[(reviewer, _reason(error))])
    with closing(post):
        post.send(kind, reviewer, outcome)
    return outcome


DOUBLE_CLICK = timedelta(minutes=1)
_MARKS = {"invite": ("invited_at", "invitation_filed"), "remind": ("reminded_at", "reminder_filed")}
"""What is noted of a reviewer: when, and whether it was put into a file."""
_ACTIONS = {"invite": Action.INVITED, "remind": Action.REMINDED}


class Post:
    """The way to the mail server: one connection for many mails, a new one after a failure."""

    def __init__(self, by: User, request: HttpRequest) -> None:
        """Raises what the mail server raises when it cannot be reached."""
        self.by, self.request = by, request
        self.files = not mails_are_sent()
        self.connection = None if self.files else get_connection()
        if self.connection is not None:
            self.connection.open()

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()

    def send(self, kind: Kind, reviewer: Reviewer, outcome: Sent) -> None:
        """Mark, send, and unmark where it failed."""
        at, was_filed = _MARKS[kind]
        before = {name: getattr(reviewer, name) for name in (at, was_filed)}
        unchanged = Reviewer.objects.filter(pk=reviewer.pk, erased_at=None, **before)
        if not unchanged.update(**{at: timezone.now(), was_filed: self.files}):
            return  # another request sends this mail
        has_earlier = has_working_link(reviewer)
        link, address = made_link(reviewer, self.request)
        try:
            message = compose(kind, reviewer, address, self.by, has_earlier=has_earlier)
            message.connection = self.connection
            message.send()
        except FAILURES as error:
            Reviewer.objects.filter(pk=reviewer.pk).update(**before)
            link.delete()
            self.close()
            outcome.failed.append((reviewer, _reason(error)))
        else:
            self._note(kind, reviewer, outcome)

    def _note(self, kind: Kind, reviewer: Reviewer, outcome: Sent) -> None:
        """Into the log, and into what is said of the request."""
        how = {"mail": "filed"} if self.files else {}
        record(self.by, _ACTIONS[kind], reviewer.venue, about=str(reviewer.pk), **how)
        if self.files:
            outcome.filed += 1
        else:
            outcome.sent += 1


def has_working_link(reviewer: Reviewer) -> bool:
    """Whether a link that she may have got earlier still opens her pages."""
    return working_links().filter(reviewer=reviewer).exists()


def compose(kind: Kind, reviewer: Reviewer, link: str, by: User, *, has_earlier: bool = False) -> EmailMessage:
    """The mail to a reviewer; answers go to who sends it.

    has_earlier : whether a link that she got before works, too
    """
    venue = reviewer.venue
    left = _left_to(reviewer)
    titles = [str(one.paper) for one in left.select_related("paper").order_by("paper__key")[:MOST_TITLES]]
    context = {
        "reviewer": reviewer,
        "venue": venue,
        "link": link,
        "has_earlier": has_earlier,
        "by": by,
        "titles": titles,
        "more": max(0, left.count() - len(titles)),
        "deadline": deadline_text(venue),
    }
    subject = f"{venue.name}: {'your papers to review' if kind == 'invite' else 'reviews are still missing'}"
    body = mail_text(f"venues/mail_{kind}.txt", context)
    headers = headers_for(reviewer)
    mail = NamedMail(_one_line(subject), body, to=[reviewer.email], reply_to=[by.email], headers=headers)
    mail.whom, mail.kind = reviewer.name, "invitation" if kind == "invite" else "reminder"
    return mail


MOST_TITLES = 30


def _one_line(text: str) -> str:
    """Line ends in a header would be somebody else's header."""
    return " ".join(text.split())


def _reason(error: Exception) -> str:
    said = " ".join(str(error).split())[:300]
    return said or type(error).__name__
