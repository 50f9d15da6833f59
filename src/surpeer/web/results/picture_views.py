"""Charts as images."""

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from surpeer.errors import InputError
from surpeer.web.access import for_result_files
from surpeer.web.request import WebRequest
from surpeer.web.results.pictures import OF_A_PAPER, OF_THE_VENUE, THEMES, TYPES, paper_picture
from surpeer.web.results.stored import file_of, paper_of, result_of
from surpeer.web.venues.models import Venue

POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""An image opened by itself runs nothing and loads nothing."""
NO_PICTURE = "There is no such chart."


@require_safe
@for_result_files
def result_picture(request: WebRequest, venue: Venue, name: str) -> HttpResponseBase:
    """A chart of the venue, as it was drawn with the result."""
    chart, _, ending = name.partition(".")
    if chart not in {f"{one}-{theme}" for one in OF_THE_VENUE for theme in THEMES} or ending not in TYPES:
        raise Http404(NO_PICTURE)
    result = result_of(venue)
    content = None if result is None else file_of(result, name)
    if content is None:
        raise Http404(NO_PICTURE)
    return _image(content, ending)


@require_safe
@for_result_files
def paper_chart(request: WebRequest, venue: Venue, pk: int, chart: str, theme: str) -> HttpResponseBase:
    """A chart of one paper, drawn now."""
    paper = get_object_or_404(venue.papers, pk=pk)
    result = result_of(venue)
    row = None if result is None else paper_of(result, paper.pk)
    if chart not in OF_A_PAPER or theme not in THEMES or result is None or row is None:
        raise Http404(NO_PICTURE)
    try:
        picture = paper_picture(result.summary["levels"], row, chart, theme)
    except InputError as error:
        raise Http404(str(error)) from None
    return _image(picture.svg().encode(), "svg")


def _image(content: bytes, ending: str) -> HttpResponse:
    return HttpResponse(content, content_type=TYPES[ending], headers={"Content-Security-Policy": POLICY})
