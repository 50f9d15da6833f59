"""What the caller may do with a venue: the rules of the pages (`surpeer.web.access`), for calls."""

from surpeer.web.access import membership_of, require_chair
from surpeer.web.api.problems import Refusal
from surpeer.web.api.tokens import ApiRequest, caller_of
from surpeer.web.results.freshness import Freshness
from surpeer.web.results.models import Result
from surpeer.web.venues.models import Membership, Venue

NOT_OPEN = "The results are not open. A chair opens them, once, with POST .../results/open; it is written into the log."


def member(request: ApiRequest, slug: str) -> Membership:
    """The caller's part in the venue; 404 where there is none."""
    return membership_of(caller_of(request), slug)


def to_read(request: ApiRequest, slug: str) -> Venue:
    """For chairs and observers."""
    return member(request, slug).venue


def to_change(request: ApiRequest, slug: str) -> Venue:
    """For chairs; 403 for observers."""
    membership = member(request, slug)
    require_chair(membership)
    return membership.venue


def with_results(request: ApiRequest, slug: str) -> Venue:
    """For chairs and observers once the results are open; 409 before."""
    return _opened(to_read(request, slug))


def to_judge(request: ApiRequest, slug: str) -> Venue:
    """For chairs once the results are open."""
    return _opened(to_change(request, slug))


def _opened(venue: Venue) -> Venue:
    if not venue.is_open:
        raise Refusal(409, NOT_OPEN)
    return venue


def computed(venue: Venue) -> tuple[Freshness, Result]:
    """The result that there is; 409 where none was computed yet, or could not be."""
    fresh = Freshness.of(venue)
    if fresh.result is None:
        raise Refusal(409, fresh.sentence)
    if fresh.result.problem:
        raise Refusal(409, fresh.result.problem)
    return fresh, fresh.result
