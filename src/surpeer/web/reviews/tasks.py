"""The papers of one reviewer, and what is left of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Case, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.utils import timezone

from surpeer.web.audit.log import Action, record
from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.venues.models import Assignment, Reviewer

LEFT, DONE, DECLINED = 0, 1, 2


@dataclass(frozen=True)
class Counts:
    """How many papers are left, done and declined."""

    left: int
    done: int
    declined: int

    @classmethod
    def of(cls, states: Iterable[int]) -> "Counts":
        found = list(states)
        return cls(found.count(LEFT), found.count(DONE), found.count(DECLINED))

    @property
    def to_review(self) -> int:
        return self.left + self.done


def tasks_of(reviewer: Reviewer) -> QuerySet[Any, Any]:
    """Her assignments, what is left first, each with `state`, `submitted_at`, `version` and `drafted_at`."""
    submissions = Submission.objects.filter(assignment=OuterRef("pk")).order_by("-number")
    drafts = Draft.objects.filter(assignment=OuterRef("pk"), fields__discarded__isnull=True)
    found = reviewer.assignments.select_related("paper").defer("paper__abstract")
    noted = found.annotate(
        submitted_at=Subquery(submissions.values("submitted_at")[:1]),
        version=Subquery(submissions.values("number")[:1]),
        drafted_at=Subquery(drafts.values("saved_at")[:1]),
    )
    state = Case(
        When(declined_at__isnull=False, then=Value(DECLINED)),
        When(submitted_at__isnull=False, then=Value(DONE)),
        default=Value(LEFT),
        output_field=IntegerField(),
    )
    return noted.annotate(state=state).order_by("state", "paper__key", "pk")


def next_task(assignment: Assignment) -> Assignment | None:
    """A paper that is left: the one after this, or else the first."""
    left = tasks_of(assignment.reviewer).filter(state=LEFT).exclude(pk=assignment.pk)
    return left.filter(paper__key__gt=assignment.paper.key).first() or left.first()


@transaction.atomic
def decline(assignment: Assignment, reason: str) -> None:
    """She does not review this paper. What she submitted of it is kept and does not count."""
    _set_declined(assignment, timezone.now(), reason)
    record(assignment.reviewer, Action.DECLINED, assignment.reviewer.venue, about=assignment.paper.key)


@transaction.atomic
def take_back(assignment: Assignment) -> None:
    """She reviews it after all."""
    _set_declined(assignment, None, "")
    venue = assignment.reviewer.venue
    record(assignment.reviewer, Action.TOOK_BACK, venue, about=assignment.paper.key)


def _set_declined(assignment: Assignment, at: datetime | None, reason: str) -> None:
    assignment.declined_at, assignment.declined_because = at, reason
    assignment.save(update_fields=["declined_at", "declined_because"])
