"""Submitting a review: one transaction, and the same form sent twice is one submission.

Versions are only ever added. Whoever submits says on which version she based hers; if there is a newer one by then
(two open windows), nothing is written and she is asked. The unique constraints on (assignment, number) and on the key
decide between two requests that arrive at the same moment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef, QuerySet

from surpeer.web.audit.log import Action, record
from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.venues.models import Assignment, Venue


class Status(Enum):
    """What came of a submission."""

    STORED = "stored"
    REPEATED = "stored before, by the same form"
    CONFLICT = "another version was submitted in the meantime"
    CLOSED = "the round takes no more reviews"
    DECLINED = "the paper was declined"
    CHANGED = "the chairs changed the scale or the question in the meantime"


@dataclass(frozen=True)
class Outcome:
    """What came of a submission, and the version that counts now, if any."""

    status: Status
    current: Submission | None

    @property
    def succeeded(self) -> bool:
        return self.status in (Status.STORED, Status.REPEATED)


def submit(
    assignment: Assignment, rating: int, prediction: Sequence[int], comment: str, key: UUID, based_on: int
) -> Outcome:
    """Store a review of values that were checked. `based_on` is the number of the version it revises, 0 for none."""
    new = Submission(
        assignment=assignment,
        number=based_on + 1,
        key=key,
        rating=rating,
        prediction=list(prediction),
        comment=comment,
    )
    try:
        with transaction.atomic():
            return _refusal(new, settled_venue(assignment)) or _stored(new)
    except IntegrityError:  # the same form, or another one, was faster
        return _refusal(new, assignment.reviewer.venue) or Outcome(Status.CONFLICT, current_submission(assignment))


def settled_venue(assignment: Assignment) -> Venue:
    """The venue of the assignment as it is now and stays until the end of the transaction: chairs who close the round
    or change the scale wait. Many submissions hold this lock at once; SQLite, whose transactions that write come one
    after the other, has no need of it."""
    share = " FOR SHARE" if connection.features.has_select_for_update else ""
    query = f"SELECT * FROM {Venue._meta.db_table} WHERE id = %s{share}"  # noqa: S608 - of names of our own
    return Venue.objects.raw(query, [assignment.reviewer.venue_id])[0]


def _refusal(new: Submission, venue: Venue) -> Outcome | None:
    """Why a submission cannot be stored, or need not be."""
    assignment = new.assignment
    versions = list(Submission.objects.filter(assignment=assignment).order_by("-number"))
    current = versions[0] if versions else None
    before = next((version for version in versions if version.key == new.key), None)
    if before is not None and _same(before, new):
        return Outcome(Status.REPEATED, current)
    if not venue.takes_reviews:
        return Outcome(Status.CLOSED, current)
    if _asked(venue) != _asked(assignment.reviewer.venue):
        return Outcome(Status.CHANGED, current)
    if assignment.declined_at is not None:
        return Outcome(Status.DECLINED, current)
    if new.number != (current.number if current else 0) + 1:
        return Outcome(Status.CONFLICT, current)
    return None


def _asked(venue: Venue) -> tuple[object, ...]:
    """What reviewers of the venue are asked: the values were checked by this."""
    return venue.levels, venue.prediction_form, venue.imagined


def _stored(new: Submission) -> Outcome:
    assignment = new.assignment
    new.save(force_insert=True)
    Draft.objects.filter(assignment=assignment).delete()
    venue = assignment.reviewer.venue
    record(assignment.reviewer, Action.SUBMITTED, venue, about=assignment.paper.key, number=new.number)
    return Outcome(Status.STORED, new)


def _same(before: Submission, new: Submission) -> bool:
    """A form that was changed after it had been sent (by the back button) is no repetition, although its key is."""
    return (before.rating, before.prediction, before.comment) == (new.rating, new.prediction, new.comment)


def current_submission(assignment: Assignment) -> Submission | None:
    """The version of this review that counts."""
    return Submission.objects.filter(assignment=assignment).order_by("-number").first()


def current_submissions(venue: Venue) -> QuerySet[Submission]:
    """The version that counts of each review of a venue, without papers that were declined after all. Reviews that the
    chairs excluded are among them."""
    later = Submission.objects.filter(assignment=OuterRef("assignment"), number__gt=OuterRef("number"))
    return Submission.objects.filter(
        ~Exists(later), assignment__paper__venue=venue, assignment__declined_at=None
    ).order_by("pk")
