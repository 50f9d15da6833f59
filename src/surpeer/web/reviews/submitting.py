"""Submitting a review: one transaction, and the same form sent twice is one submission.

Versions are only ever added. Whoever submits says on which version she based hers; if there is a newer one by then
(two open windows), nothing is written and she is asked. The unique constraints on (assignment, number) and on the key
decide between two requests that arrive at the same moment. Nearly all submissions are stored by one statement
(`storing`); what it did not store is looked at here.
"""

from collections.abc import Sequence
from enum import Enum
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Exists, OuterRef, QuerySet

from surpeer.web.reviews.models import Submission
from surpeer.web.reviews.storing import ASKED, stored_at_once
from surpeer.web.venues.models import Assignment, Venue


class Status(Enum):
    """What came of a submission."""

    STORED = "stored"
    REPEATED = "stored before, by the same form"
    CONFLICT = "another version was submitted in the meantime"
    CLOSED = "the round takes no more reviews"
    DECLINED = "the paper was declined"
    CHANGED = "the chairs changed the scale, the question or who sees what in the meantime"

    @property
    def succeeded(self) -> bool:
        return self in (Status.STORED, Status.REPEATED)


def submit(
    assignment: Assignment, rating: int, prediction: Sequence[int], comment: str, key: UUID, based_on: int
) -> Status:
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
        if stored_at_once(new):
            return Status.STORED
    except IntegrityError:  # the same form, or another one, was faster
        pass
    return _refusal(new)


def _refusal(new: Submission) -> Status:
    """Why a submission was not stored, by what is in the database now."""
    assignment = Assignment.objects.select_related("reviewer__venue").get(pk=new.assignment_id)
    versions = Submission.objects.filter(assignment=assignment)
    if any(version.key == new.key and _same(version, new) for version in versions):
        return Status.REPEATED
    if not assignment.reviewer.venue.takes_reviews:
        return Status.CLOSED
    if _asked(assignment) != _asked(new.assignment):
        return Status.CHANGED
    return Status.CONFLICT if assignment.declined_at is None else Status.DECLINED


def _asked(assignment: Assignment) -> list[object]:
    return [getattr(assignment.reviewer.venue, name) for name in ASKED]


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
