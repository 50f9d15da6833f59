"""Which reviewers and papers a list can be narrowed to, by how far they are: for pages and scripts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from surpeer.web.venues.links import without_working_link
from surpeer.web.venues.mail_files import mails_are_sent, only_filed
from surpeer.web.venues.models import Assignment, Paper, Reviewer, Venue
from surpeer.web.venues.progress import FIRST, Counted, has_submission


@dataclass(frozen=True)
class Filter(Generic[Counted]):
    """A part of a list."""

    name: str
    """In addresses."""
    label: str
    rows: Callable[[Venue], QuerySet[Counted]]


def reviewers_with_work_left(venue: Venue) -> QuerySet[Reviewer]:
    """Those of whom a review is missing, invited or not."""
    return venue.reviewers.filter(_left("reviewer"), erased_at=None)


def finished_reviewers(venue: Venue) -> QuerySet[Reviewer]:
    """Those who have reviewed everything that they were asked for and did not decline."""
    return venue.reviewers.filter(_kept("reviewer"), ~_left("reviewer"))


def reviewers_not_invited(venue: Venue) -> QuerySet[Reviewer]:
    """Those who have something to do and got no invitation; also without an address, for whom a chair makes a link."""
    not_invited = Q(invited_at=None) | only_filed() if mails_are_sent() else Q(invited_at=None)
    return reviewers_with_work_left(venue).filter(not_invited)


def reviewers_who_declined(venue: Venue) -> QuerySet[Reviewer]:
    """Those who declined at least one paper."""
    return venue.reviewers.filter(Exists(_of("reviewer").exclude(declined_at=None)))


def reviewers_locked_out(venue: Venue) -> QuerySet[Reviewer]:
    """Those who had links of which none works any more."""
    return venue.reviewers.filter(without_working_link(), erased_at=None)


def papers_without_reviews(venue: Venue) -> QuerySet[Paper]:
    """Papers that nobody has reviewed yet."""
    return venue.papers.exclude(Exists(_of("paper").filter(declined_at=None, submissions__number=FIRST)))


def papers_with_few_reviewers(venue: Venue) -> QuerySet[Paper]:
    """Papers with fewer reviewers than three papers in four were given, not counting who declined."""
    kept = Count("assignments", filter=Q(assignments__declined_at=None))
    return venue.papers.annotate(kept=kept).filter(kept__lt=usual_reviewers(venue)).order_by("key")


def papers_with_reviews_missing(venue: Venue) -> QuerySet[Paper]:
    """Papers of which a review was asked for and is not in."""
    return venue.papers.filter(_left("paper"))


def complete_papers(venue: Venue) -> QuerySet[Paper]:
    """Papers of which every review that was asked for, and at least one, is in."""
    return venue.papers.filter(_kept("paper"), ~_left("paper"))


def papers_to_give_away_again(venue: Venue) -> QuerySet[Paper]:
    """Papers that somebody declined and that have too few reviewers since."""
    return papers_with_few_reviewers(venue).filter(Exists(_of("paper").exclude(declined_at=None)))


def usual_reviewers(venue: Venue) -> int:
    """How many reviewers, or more, three papers in four were given, of those that have any; who declined counts."""
    by_paper = Assignment.objects.filter(paper__venue=venue).values("paper").annotate(number=Count("pk"))
    numbers = sorted(by_paper.values_list("number", flat=True))
    return numbers[len(numbers) // 4] if numbers else 0


def _of(model: str) -> QuerySet[Assignment]:
    return Assignment.objects.filter(**{model: OuterRef("pk")})


def _kept(model: str) -> Exists:
    return Exists(_of(model).filter(declined_at=None))


def _left(model: str) -> Exists:
    return Exists(_of(model).filter(~has_submission(), declined_at=None))


REVIEWER_FILTERS: Sequence[Filter[Reviewer]] = (
    Filter("late", "reviews missing", reviewers_with_work_left),
    Filter("finished", "finished", finished_reviewers),
    Filter("not-invited", "not invited", reviewers_not_invited),
    Filter("declined", "declined a paper", reviewers_who_declined),
    Filter("no-link", "no working link", reviewers_locked_out),
)
PAPER_FILTERS: Sequence[Filter[Paper]] = (
    Filter("none", "no review yet", papers_without_reviews),
    Filter("missing", "reviews missing", papers_with_reviews_missing),
    Filter("few", "too few reviewers", papers_with_few_reviewers),
    Filter("complete", "complete", complete_papers),
)


def narrowed(
    every: QuerySet[Counted], filters: Sequence[Filter[Counted]], venue: Venue, name: str | None
) -> QuerySet[Counted]:
    """The part of the list with this name; all of it where there is none such."""
    return next((one.rows(venue) for one in filters if one.name == name), every)
