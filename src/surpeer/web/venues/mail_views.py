"""Pages on which reviewers are invited and reminded."""

from datetime import datetime

from django.contrib import messages
from django.core.mail import EmailMessage
from django.db.models import F, QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_http_methods, require_POST

from surpeer.web.access import for_chairs
from surpeer.web.request import WebRequest
from surpeer.web.venues import mailing
from surpeer.web.venues.mail_files import mails_are_sent, only_filed
from surpeer.web.venues.mailing import Kind, Sent
from surpeer.web.venues.models import Reviewer, Venue
from surpeer.web.venues.settings_views import FORM_METHODS

OVER = "Reviewing is over, so nobody was written to. Reopen the round, or give it a later deadline, first."
MOST_LISTED = 200


@require_http_methods(FORM_METHODS)
@for_chairs
def invite(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Show who would be invited; then send, for a while, and say who is left."""
    query = mailing.to_invite(venue)
    if request.method != "POST":
        people = venue.reviewers.filter(erased_at=None)
        without_papers = people.filter(assignments=None).count()
        with_papers = people.exclude(assignments=None)
        filed = (query if mails_are_sent() else with_papers).filter(only_filed()).count()
        more = {
            "without_papers": without_papers,
            "filed": filed,
            "has_reviewers": people.exists(),
            "was_invited": with_papers.filter(invited_at__isnull=False).exists(),
        }
        return _page(request, venue, "invite", query, query.count(), **more)
    return _send(request, venue, "invite", timezone.now())


@require_http_methods(FORM_METHODS)
@for_chairs
def remind(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """The same for those who are late. Who was invited or reminded within a day, or since the page was loaded if the
    chair asked for everybody, is not reminded again."""
    now = timezone.now()
    if request.method == "POST":
        return _send(request, venue, "remind", _moment(request.POST.get("since", "")) or now - mailing.PAUSE)
    since = now if "all" in request.GET else now - mailing.PAUSE
    late = mailing.late(venue)
    query = mailing.to_remind(venue, since)
    more = {
        "since": since,
        "not_invited": mailing.to_invite(venue).count(),
        "late": late.count(),
        "listed": late.order_by(F("reminded_at").asc(nulls_first=True), "name", "email", "pk")[:MOST_LISTED],
        "written_to": late.filter(mailing.written_to(now - mailing.PAUSE)).count(),
        "includes_all": "all" in request.GET,
    }
    return _page(request, venue, "remind", query, query.count(), **more)


def _send(request: WebRequest, venue: Venue, kind: Kind, since: datetime) -> HttpResponseBase:
    if not venue.takes_reviews:
        messages.error(request, OVER)
        return redirect(kind, venue.slug)
    query = mailing.to_invite(venue) if kind == "invite" else mailing.to_remind(venue, since)
    after = request.POST.get("after", "")
    outcome = mailing.send(kind, query, request.user, request, after=int(after) if after.isdecimal() else 0)
    return _page(request, venue, kind, query, outcome.left, outcome=outcome, since=since)


def _page(
    request: WebRequest, venue: Venue, kind: Kind, query: QuerySet[Reviewer], left: int, **more: object
) -> HttpResponseBase:
    """One page before, between and after: how many are left, and what came of the last request."""
    first = query.first()
    context = {
        "venue": venue,
        "kind": kind,
        "left": left,
        "example": None if first is None else _example(kind, first, request),
        "left_out": mailing.left_out(kind, venue),
        **more,
    }
    return render(request, "venues/send.html", context)


def _example(kind: Kind, reviewer: Reviewer, request: WebRequest) -> EmailMessage:
    """The mail that she would get."""
    has_earlier = mailing.has_working_link(reviewer)
    return mailing.compose(kind, reviewer, "(the personal link)", request.user, has_earlier=has_earlier)


@require_POST
@for_chairs
def send_one(request: WebRequest, venue: Venue, pk: int, kind: Kind) -> HttpResponseBase:
    """Invite or remind one reviewer, now. Who was never invited is not reminded of anything."""
    reviewer = get_object_or_404(venue.reviewers.filter(erased_at=None).exclude(email=""), pk=pk)
    if not venue.takes_reviews:
        messages.error(request, OVER)
    elif kind == "remind" and reviewer.invited_at is None:
        messages.error(request, f"{reviewer} was not invited yet, so no reminder went out. Send an invitation instead.")
    elif kind == "remind" and not mailing.has_work_left(reviewer):
        messages.info(request, f"{reviewer} has nothing left to review, so no reminder went out.")
    else:
        _say(request, kind, mailing.send_to(kind, reviewer, request.user, request), reviewer.email)
    return redirect("reviewer", venue.slug, reviewer.pk)


def _say(request: WebRequest, kind: Kind, outcome: Sent, email: str) -> None:
    mail = "An invitation" if kind == "invite" else "A reminder"
    if outcome.sent:
        messages.success(request, f"{mail} went to {email}.")
    elif outcome.filed:
        messages.warning(request, f"{mail} to {email} was put as a file into the folder “mail” of the data, not sent.")
    elif outcome.failed:
        messages.error(request, f"The mail to {email} was not sent: {outcome.failed[0][1]}")
    else:
        messages.info(request, f"A mail went to {email} a moment ago; it was not sent twice.")


def _moment(text: str) -> datetime | None:
    """A moment of the past that a form of ours brought along; None for anything else."""
    try:
        found = parse_datetime(text)
    except ValueError:
        return None
    return found if found is not None and timezone.is_aware(found) and found <= timezone.now() else None
