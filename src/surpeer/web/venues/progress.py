"""How far a round has come: who has reviewed what. Never a rating."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from surpeer.errors import counted
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.mail_files import mails_are_sent, only_filed
from surpeer.web.venues.models import Assignment, Paper, Reviewer, Venue

LATEST = 10
FIRST = 1  # the number of the first version of a review: every review has exactly one
Counted = TypeVar("Counted", Paper, Reviewer)

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class Done(TypedDict):
        """What the query adds to an assignment."""

        is_done: bool

    CountedAssignment = WithAnnotations[Assignment, Done]


@dataclass(frozen=True)
class Progress:
    """Counts of a venue."""

    papers: int
    reviewers: int
    with_papers: int
    """Reviewers who have something to review, or had: without those who were asked for nothing or declined all."""
    assigned: int
    """Without those that were declined."""
    done: int
    declined: int
    finished: int
    """Reviewers with nothing left to do."""
    without_reviews: int
    """Papers that nobody has reviewed yet."""

    @property
    def missing(self) -> int:
        return self.assigned - self.done

    @property
    def sentence(self) -> str:
        """The state of the round in one sentence."""
        if not self.assigned:
            return "No paper is assigned to a reviewer yet."
        verb = "is" if 1 in (self.done, self.assigned) else "are"
        return f"{self.done:,} of {counted(self.assigned, 'review')} {verb} in ({self.percent}%)."

    @property
    def percent(self) -> int:
        """How much of what was asked for is in, to the nearest; 100 only when everything is."""
        return 100 if not self.missing else min(99, round(100 * self.done / self.assigned))

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "missing": self.missing, "sentence": self.sentence}


@dataclass(frozen=True)
class Arrival:
    """A review that came in: whose, and of what; not what it says."""

    reviewer: str
    paper: str
    """Its id."""
    title: str
    at: datetime
    revised: bool
    reviewer_pk: int
    paper_pk: int


def has_submission(assignment: str = "pk") -> Exists:
    """Whether an assignment has a submission, for queries; `assignment` is how the query calls its key."""
    return Exists(Submission.objects.filter(assignment=OuterRef(assignment)))


def assignments_of(venue: Venue) -> "QuerySet[CountedAssignment]":
    """The assignments of a venue, each with `is_done`."""
    return Assignment.objects.filter(paper__venue=venue).annotate(is_done=has_submission())


def progress_of(venue: Venue) -> Progress:
    """The counts of a venue, in a fixed number of queries."""
    every = Assignment.objects.filter(paper__venue=venue)
    kept = every.filter(declined_at=None)
    counts = kept.aggregate(assigned=Count("pk"), busy_ever=Count("reviewer", distinct=True))
    done = kept.filter(submissions__number=FIRST).aggregate(done=Count("pk"), papers=Count("paper", distinct=True))
    busy = kept.exclude(has_submission()).aggregate(reviewers=Count("reviewer", distinct=True))
    papers = venue.papers.count()
    return Progress(
        papers=papers,
        reviewers=venue.reviewers.count(),
        with_papers=counts["busy_ever"],
        assigned=counts["assigned"],
        done=done["done"],
        declined=every.exclude(declined_at=None).count(),
        finished=counts["busy_ever"] - busy["reviewers"],
        without_reviews=papers - done["papers"],
    )


def latest(venue: Venue) -> list[Arrival]:
    """The reviews that came in last, the newest first."""
    rows = (
        Submission.objects.filter(assignment__paper__venue=venue)
        .select_related("assignment__paper", "assignment__reviewer")
        .only("number", "submitted_at", "assignment__paper__key", "assignment__paper__title", *REVIEWER_NAME)
        .order_by("-pk")[:LATEST]
    )
    return [_arrival(row, row.assignment.paper) for row in rows]


def _arrival(row: Submission, paper: Paper) -> Arrival:
    reviewer = row.assignment.reviewer
    return Arrival(
        str(reviewer), paper.key, paper.title, row.submitted_at, row.number > 1, reviewer.pk, row.assignment.paper_id
    )


REVIEWER_NAME = [f"assignment__reviewer__{field}" for field in ("name", "email", "erased_at")]
_DONE = Q(assignments__declined_at=None, assignments__submissions__number=FIRST)


def with_counts(query: QuerySet[Counted]) -> QuerySet[Counted]:
    """Papers or reviewers, each with `assigned`, `done` and `declined`."""
    return query.annotate(
        assigned=Count("assignments", filter=Q(assignments__declined_at=None), distinct=True),
        done=Count("assignments", filter=_DONE, distinct=True),
        declined=Count("assignments", filter=Q(assignments__declined_at__isnull=False), distinct=True),
    )


def late_reviewers(venue: Venue) -> QuerySet[Reviewer]:
    """Reviewers who were invited and have something left to do; not those who finished, declined or were erased. Once
    there is a mail server, neither those whose invitation is only in a file: they are invited first."""
    left = assignments_of(venue).filter(reviewer=OuterRef("pk"), declined_at=None, is_done=False)
    late = venue.reviewers.filter(Exists(left), erased_at=None, invited_at__isnull=False).exclude(email="")
    return late.filter(~only_filed()) if mails_are_sent() else late


def has_reviews(venue: Venue) -> bool:
    """Whether any review was submitted: from then on the scale and the form of predictions stay."""
    return Submission.objects.filter(assignment__paper__venue=venue).exists()
