"""Lists with a search, filters and pages."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet

from surpeer.web.request import WebRequest
from surpeer.web.venues.list_filters import Filter, narrowed
from surpeer.web.venues.models import Venue
from surpeer.web.venues.progress import Counted, with_counts

ON_A_PAGE = 100


def searched(
    request: WebRequest,
    venue: Venue,
    every: QuerySet[Counted],
    fields: tuple[str, ...],
    filters: Sequence[Filter[Counted]],
) -> dict[str, Any]:
    """The page of the list that was asked for, each row with its counts; every word must be in one of the fields.

    Only the rows of the page are counted: counting all of a large venue would take its time.
    """
    words = request.GET.get("q", "").replace("\0", "").strip()
    show = request.GET.get("show", "")
    query = _with_words(narrowed(every, filters, venue, show), words, fields)
    page = Paginator(query, ON_A_PAGE).get_page(request.GET.get("page"))
    pks = [row.pk for row in page.object_list]
    counted = {row.pk: row for row in with_counts(every.model._default_manager.filter(pk__in=pks))}
    return {
        "page": page,
        "rows": [counted[pk] for pk in pks if pk in counted],
        "q": words,
        "show": show if show in {one.name for one in filters} else "",
        "filters": _links(venue, every, words, filters),
    }


def _with_words(query: QuerySet[Counted], words: str, fields: tuple[str, ...]) -> QuerySet[Counted]:
    for word in words.split()[:10]:
        anywhere = Q()
        for field in fields:
            anywhere |= Q(**{f"{field}__icontains": word})
        query = query.filter(anywhere)
    return query


def _links(
    venue: Venue, every: QuerySet[Counted], words: str, filters: Sequence[Filter[Counted]]
) -> list[dict[str, str | int]]:
    """Each part of the list with how many are in it and its address, in which the words that are sought stay."""
    parts: list[tuple[str, str, QuerySet[Counted]]] = [("", "all", every)]
    parts += [(one.name, one.label, one.rows(venue)) for one in filters]
    return [
        {
            "name": name,
            "label": label,
            "count": rows.count(),
            "address": "?" + urlencode({key: text for key, text in (("show", name), ("q", words)) if text}),
        }
        for name, label, rows in parts
    ]
