"""Who may call a view: the one place where it is decided.

    @for_readers   chairs and observers of the venue in the address
    @for_chairs    its chairs
    @for_results   chairs and observers; before a chair has opened the results, a page that says so
    @for_result_files  the same for what is no page (downloads, pictures, answers to scripts): 409 before that
    @for_reviewers whoever came by a personal link
    @for_assigned  whoever came by one and has the assignment in the address

To somebody without a role in the venue the venue does not exist (404): its name is nobody else's business.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render

from surpeer.web.accounts.models import Role, User
from surpeer.web.came_by_link import assignment_of, reviewer_of
from surpeer.web.request import WebRequest
from surpeer.web.reviews.sent import Sent
from surpeer.web.venues.models import Assignment, Membership, Reviewer, Venue

P = ParamSpec("P")
VenueView = Callable[Concatenate[WebRequest, Venue, P], HttpResponseBase]
ReviewerView = Callable[Concatenate[WebRequest, Reviewer, P], HttpResponseBase]
AssignmentView = Callable[Concatenate[WebRequest, Assignment, P], HttpResponseBase]
View = Callable[..., HttpResponseBase]

ONLY_CHAIRS = "Only chairs of the venue may do this. You are here as an observer, who may read everything."
NO_NEW_VENUES = "Your account may not create venues. Ask a chair to invite you as a chair."


def membership_of(user: User, slug: str) -> Membership:
    """The role of somebody in the venue of this address; Http404 where there is none."""
    found = Membership.objects.select_related("venue").filter(user=user, venue__slug=slug).first()
    if found is None:
        raise Http404("There is no such venue, or you have no part in it.")
    return found


def require_chair(membership: Membership) -> None:
    """PermissionDenied for observers."""
    if membership.role != Role.CHAIR:
        raise PermissionDenied(ONLY_CHAIRS)


def require_creator(user: User) -> None:
    """PermissionDenied for people who may not create venues."""
    if not user.may_create_venues:
        raise PermissionDenied(NO_NEW_VENUES)


def for_readers(view: VenueView[P]) -> View:
    """For chairs and observers of the venue, which the view gets instead of its slug."""
    return _guarded(view, lambda _: None)


def for_chairs(view: VenueView[P]) -> View:
    """For chairs of the venue."""
    return _guarded(view, lambda request: require_chair(request.membership))


def for_results(view: VenueView[P]) -> View:
    """For chairs and observers once the results were opened; before that nobody sees a rating, and whoever followed a
    link to this page reads why."""
    return _guarded(view, lambda request: _unless_open(request, status=200))


def for_result_files(view: VenueView[P]) -> View:
    """The same where no person reads the answer: a program must not take it for the file it asked for."""
    return _guarded(view, lambda request: _unless_open(request, status=409))


def _unless_open(request: WebRequest, status: int) -> HttpResponseBase | None:
    venue = request.membership.venue
    return None if venue.is_open else render(request, "results/not_open.html", {"venue": venue}, status=status)


def _guarded(view: VenueView[P], refusal: Callable[[WebRequest], HttpResponseBase | None]) -> View:
    """The view for members of the venue whom `refusal` does not answer otherwise."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        known = cast(WebRequest, request)
        known.membership = membership_of(known.user, slug)
        return refusal(known) or view(known, known.membership.venue, *args, **kwargs)

    return guarded


def for_reviewers(view: ReviewerView[P]) -> View:
    """For whoever came by a personal link; the view gets the reviewer with her venue."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        known = cast(WebRequest, request)
        reviewer = reviewer_of(known.session)
        if reviewer is None:
            return _link_needed(request)
        known.reviewer = reviewer
        return view(known, reviewer, *args, **kwargs)

    return guarded


def for_assigned(view: AssignmentView[P]) -> View:
    """For whoever came by a personal link and has this assignment, which the view gets instead of its number. Whoever
    has a form open since before, by another link, gets back what she typed and reads how to go on; whether there is
    such a paper is not said."""

    @wraps(view)
    def guarded(request: HttpRequest, assignment: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        known = cast(WebRequest, request)
        found = assignment_of(known.session, assignment)
        if found is not None:
            known.reviewer = found.reviewer
            return view(known, found, *args, **kwargs)
        reviewer = reviewer_of(known.session)
        if reviewer is None:
            return _link_needed(request)
        known.reviewer = reviewer
        shown = {"venue": reviewer.venue, "sent": Sent.by(request)}
        return render(request, "reviews/not_hers.html", shown, status=404)

    return guarded


def _link_needed(request: HttpRequest) -> HttpResponseBase:
    """For whoever came by no link that counts: what she typed must not get lost on the way to the page that says so."""
    if sent := Sent.by(request):
        return render(request, "reviews/not_stored.html", {"sent": sent}, status=403)
    return redirect("link_needed")


def creates_venues(view: Callable[Concatenate[WebRequest, P], HttpResponseBase]) -> View:
    """For people who may create venues."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        known = cast(WebRequest, request)
        require_creator(known.user)
        return view(known, *args, **kwargs)

    return guarded
