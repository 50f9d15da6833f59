"""Reading the log of a venue."""

from django.core.paginator import Paginator
from django.http import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surpeer.web.access import for_readers
from surpeer.web.audit.models import Entry
from surpeer.web.audit.reading import in_words
from surpeer.web.request import WebRequest
from surpeer.web.venues.models import Venue

PER_PAGE = 100


@require_safe
@for_readers
def venue_log(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Who saw, changed or exported what, the latest first."""
    page = Paginator(Entry.objects.filter(venue=venue.pk), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "audit/venue_log.html", {"venue": venue, "page": page, "lines": in_words(page)})
