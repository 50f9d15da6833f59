"""Files to take away, and the report on the screen."""

import re

from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.http import require_safe

from surpeer.report.audience import Audience
from surpeer.web.access import for_result_files, for_results
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.results.downloads import DOWNLOADS, EVERYTHING, everything, for_spreadsheets
from surpeer.web.results.file_making import report_name
from surpeer.web.results.freshness import Freshness
from surpeer.web.results.looking import saw_results
from surpeer.web.results.stored import file_of, result_of
from surpeer.web.venues.models import Venue

POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')
"""Of the report: it names its own scripts by their hashes."""
SECTIONS = b'<nav aria-label="Sections">'
"""Where the report lists its sections."""


@require_safe
@for_results
def downloads(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """What can be downloaded."""
    fresh = Freshness.of(venue)
    decided = fresh.result is not None and bool(fresh.result.summary.get("decision"))
    listed = [one for one in DOWNLOADS.values() if decided or not one.name.startswith("decisions.")]
    context = {"venue": venue, "fresh": fresh, "result": fresh.result, "page_name": "downloads", "downloads": listed}
    return render(request, "results/downloads.html", {**context, "everything": EVERYTHING})


@require_safe
@for_result_files
def download(request: WebRequest, venue: Venue, name: str) -> HttpResponseBase:
    """One file, or all of them; written into the log."""
    if name != EVERYTHING and name not in DOWNLOADS:
        raise Http404("There is no such file.")
    result = result_of(venue)
    response = _all(venue) if name == EVERYTHING else _one(request, venue, name)
    if response.status_code == 200 and request.method == "GET":
        stamp = "" if result is None else result.stamp
        record(request.user, Action.EXPORTED, venue, about=name, stamp=stamp)
    return response


@require_safe
@for_results
def report_page(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """The report as a page of its own: it may run its own scripts, which it names by their hashes, and nothing else."""
    result = result_of(venue)
    name = request.GET.get("audience", Audience.CHAIR.value)
    if name not in {audience.value for audience in Audience}:
        raise Http404("There is no report for this audience.")
    page = None if result is None else file_of(result, report_name(Audience(name)))
    if page is None or result is None:
        return _nothing_yet(request, venue, status=200)
    saw_results(request.user, venue, result)
    shown = with_way_back(page, reverse("results", args=[venue.slug]))
    return HttpResponse(shown, headers={"Content-Security-Policy": report_policy(page)})


def with_way_back(page: bytes, address: str) -> bytes:
    """The report with a link out of it, first in its list of sections: the file by itself leads nowhere else."""
    link = f'\n  <a href="{escape(address)}">‹ Back to the results</a>'
    return page.replace(SECTIONS, SECTIONS + link.encode(), 1)


def report_policy(page: bytes) -> str:
    """The report's own policy, and that nobody frames it."""
    found = POLICY.search(page)
    if found is None:
        raise ValueError("the report has no security policy")
    return f"{found[1].decode()}; frame-ancestors 'none'"


def _one(request: WebRequest, venue: Venue, name: str) -> HttpResponseBase:
    wanted = DOWNLOADS[name]
    parts = wanted.parts(venue, result_of(venue))
    if parts is None:
        return _nothing_yet(request, venue, status=409)
    response = StreamingHttpResponse(for_spreadsheets(name, parts), content_type=wanted.content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{venue.slug}-{name}"'
    return response


def _all(venue: Venue) -> HttpResponseBase:
    file = everything(venue, result_of(venue))
    return FileResponse(file, as_attachment=True, filename=f"{venue.slug}-{EVERYTHING}", content_type="application/zip")


def _nothing_yet(request: WebRequest, venue: Venue, status: int) -> HttpResponse:
    """Why there is no such file; 409 where one was asked for, so that nobody takes the page for it."""
    fresh = Freshness.of(venue)
    context = {"venue": venue, "fresh": fresh, "result": fresh.result, "page_name": "downloads"}
    return render(request, "results/none.html", context, status=status)
