"""Lists with a search and pages."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet

from surpeer.web.request import WebRequest
from surpeer.web.venues.progress import Counted, with_counts

ON_A_PAGE = 100


def searched(request: WebRequest, query: QuerySet[Counted], fields: tuple[str, ...]) -> dict[str, Any]:
    """The page of the list that was asked for, each row with its counts; every word must be in one of the fields.

    Only the rows of the page are counted: counting all of a large venue would take its time.
    """
    words = request.GET.get("q", "").replace("\0", "").strip()
    for word in words.split()[:10]:
        anywhere = Q()
        for field in fields:
            anywhere |= Q(**{f"{field}__icontains": word})
        query = query.filter(anywhere)
    page = Paginator(query, ON_A_PAGE).get_page(request.GET.get("page"))
    pks = [row.pk for row in page.object_list]
    counted = {row.pk: row for row in with_counts(query.model._default_manager.filter(pk__in=pks))}
    return {"page": page, "rows": [counted[pk] for pk in pks if pk in counted], "q": words}
