"""Pages on which reviewers are invited and reminded."""

from datetime import datetime

from django.contrib import messages
from django.db.models import F, QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_http_methods, require_POST

from surpeer.web.access import for_chairs
from surpeer.web.request import WebRequest
from surpeer.web.venues import mailing
from surpeer.web.venues.mail_files import mails_are_sent
from surpeer.web.venues.mailing import Kind, Sent
from surpeer.web.venues.models import Reviewer, Venue
from surpeer.web.venues.progress import late_reviewers
from surpeer.web.venues.settings_views import FORM_METHODS

OVER = "Reviewing is over, so nobody was written to. Reopen the round, or give it a later deadline, first."
MOST_LISTED = 200


@require_http_methods(FORM_METHODS)
@for_chairs
def invite(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Show who would be invited; then send, for a while, and say who is left."""
    query = mailing.to_invite(venue)
    if request.method != "POST":
        without_papers = venue.reviewers.filter(assignments=None, erased_at=None).count()
        return _page(request, venue, "invite", query, query.count(), without_papers=without_papers)
    return _send(request, venue, "invite", timezone.now())


@require_http_methods(FORM_METHODS)
@for_chairs
def remind(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """The same for those who are late. Who was reminded within a day, or since the page was loaded if the chair asked
    for everybody, is not reminded again."""
    now = timezone.now()
    if request.method == "POST":
        return _send(request, venue, "remind", _moment(request.POST.get("since", "")) or now - mailing.PAUSE)
    since = now if "all" in request.GET else now - mailing.PAUSE
    late = late_reviewers(venue)
    query = mailing.to_remind(venue, since)
    more = {
        "since": since,
        "not_invited": mailing.to_invite(venue).count(),
        "late": late.count(),
        "listed": late.order_by(F("reminded_at").asc(nulls_first=True), "name", "email", "pk")[:MOST_LISTED],
        "reminded": late.filter(reminded_at__gte=now - mailing.PAUSE).count(),
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
    example = mailing.compose(kind, first, "(the personal link)") if first is not None else None
    return render(request, "venues/send.html", {"venue": venue, "kind": kind, "left": left, "example": example, **more})


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
    if outcome.sent:
        mail = "An invitation" if kind == "invite" else "A reminder"
        filed = f"{mail} to {email} was put as a file into the folder “mail” of the data, not sent."
        if mails_are_sent():
            messages.success(request, f"{mail} went to {email}.")
        else:
            messages.warning(request, filed)
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
