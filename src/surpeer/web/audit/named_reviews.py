"""Whose review an entry is about, called as the page of the paper calls it: by name, or Reviewer A, Reviewer B, ..."""

from collections import defaultdict
from collections.abc import Iterable

from surpeer.web.audit.models import Entry
from surpeer.web.results.pseudonyms import in_order_of_codes, review_code, shown_names
from surpeer.web.reviews.models import Submission
from surpeer.web.reviews.submitting import current_submissions
from surpeer.web.venues.models import Venue

CODE = "review"
"""The detail of an entry that holds the code of a review, which no page shows."""


def named_reviews(entries: Iterable[Entry]) -> dict[tuple[int, str], str]:
    """By venue and code, for entries about reviews; two queries for each venue."""
    papers: dict[int, set[str]] = defaultdict(set)
    for entry in entries:
        if CODE in entry.details and entry.venue is not None:
            papers[entry.venue].add(entry.about)
    venues = Venue.objects.in_bulk(papers) if papers else {}
    return {(pk, code): name for pk, venue in venues.items() for code, name in _of_venue(venue, papers[pk]).items()}


def _of_venue(venue: Venue, keys: set[str]) -> dict[str, str]:
    """What the pages of these papers call each of their reviews."""
    of_papers: dict[int, list[Submission]] = defaultdict(list)
    found = current_submissions(venue).filter(assignment__paper__key__in=keys)
    for submission in found.select_related("assignment__reviewer"):
        of_papers[submission.assignment.paper_id].append(submission)
    return {code: name for some in of_papers.values() for code, name in _of_paper(venue, some)}


def _of_paper(venue: Venue, some: list[Submission]) -> Iterable[tuple[str, str]]:
    ordered = in_order_of_codes(some)
    names = shown_names(venue, [one.assignment.reviewer for one in ordered])
    return zip([review_code(one.assignment_id) for one in ordered], names, strict=True)
