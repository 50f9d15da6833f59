"""Importing in three pages: choose a file, see what it would do, do it."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surpeer.errors import InputError
from surpeer.web.access import for_chairs
from surpeer.web.request import WebRequest
from surpeer.web.venues import import_uploads
from surpeer.web.venues.forms import UploadForm
from surpeer.web.venues.import_columns import COLUMNS
from surpeer.web.venues.import_header import other_names
from surpeer.web.venues.import_plan import New, Plan
from surpeer.web.venues.import_writing import HAS_CHANGED, apply
from surpeer.web.venues.importing import READERS
from surpeer.web.venues.models import ImportUpload, Venue
from surpeer.web.venues.settings_views import FORM_METHODS

ON_A_PAGE = 200
EXAMPLES = {
    "papers": "id,title,authors,track,url,abstract\nP1,On fair reviews,Ada Adams; Ben Bell,Theory,https://example.org/p1,",
    "reviewers": "email,name\nada@example.org,Ada Adams\nben@example.org,Ben Bell",
    "assignments": "paper,reviewer\nP1,ada@example.org\nP1,ben@example.org",
}


@require_http_methods(FORM_METHODS)
@for_chairs
def import_file(request: WebRequest, venue: Venue, kind: str) -> HttpResponseBase:
    """Upload a file; nothing of it is written before it is confirmed."""
    if kind not in READERS:
        raise Http404("Papers, reviewers and assignments can be imported.")
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        upload = import_uploads.keep(venue, request.user, kind, file.name, file.read())
        return redirect("import_preview", venue.slug, upload.pk)
    columns = [(column, other_names(column)) for column in COLUMNS[kind]]
    context = {"venue": venue, "kind": kind, "form": form, "columns": columns, "example": EXAMPLES[kind]}
    return render(request, "venues/import.html", context, status=422 if form.errors else 200)


@require_safe
@for_chairs
def import_preview(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """What the file would do: every problem row, and what is new, changed and unchanged."""
    upload = _upload(request, venue, pk)
    return _preview(request, upload, _plan(upload))


@require_POST
@for_chairs
def import_confirm(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Do exactly what was shown; where it would be something else by now, show that instead."""
    upload = _upload(request, venue, pk)
    with transaction.atomic():
        Venue.objects.select_for_update().get(pk=venue.pk)  # two imports, one after the other
        plan = _plan(upload)
        if plan.problems or plan.fingerprint != request.POST.get("fingerprint"):
            messages.error(request, HAS_CHANGED)
            return redirect("import_preview", venue.slug, pk)
        try:
            apply(plan, request.user)
        except InputError as error:
            messages.error(request, str(error))
            return redirect("import_preview", venue.slug, pk)
        upload.delete()
    messages.success(request, f"Imported. {plan.summary}")
    return redirect("reviewers" if upload.kind == "assignments" else upload.kind, venue.slug)


def _upload(request: WebRequest, venue: Venue, pk: int) -> ImportUpload:
    return get_object_or_404(import_uploads.kept_for(venue, request.user), pk=pk)


def _plan(upload: ImportUpload) -> Plan:
    return READERS[upload.kind](upload.venue, upload.name, bytes(upload.data))


def _preview(request: WebRequest, upload: ImportUpload, plan: Plan) -> HttpResponseBase:
    """One list at a time: problems where there are any, else what is new, else what changes."""
    lists: dict[str, list[Any]] = {"problems": plan.problems, "new": plan.new, "changed": plan.changed}
    filled = [name for name, entries in lists.items() if entries]
    asked = request.GET.get("list")
    shown = asked if asked in filled else next(iter(filled), "problems")
    page = Paginator(lists[shown], ON_A_PAGE).get_page(request.GET.get("page"))
    columns = COLUMNS[upload.kind]
    context = {
        "venue": upload.venue,
        "upload": upload,
        "plan": plan,
        "shown": shown,
        "lists": [(name, len(lists[name])) for name in filled],
        "page": page,
        "columns": columns,
        "new": [[one.fields.get(column.field, "") for column in columns] for one in page if isinstance(one, New)],
    }
    return render(request, "venues/import_preview.html", context)
