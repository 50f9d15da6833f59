"""Reviews that do not count: excluded by a chair who says why, and never silently."""

from django.db import IntegrityError, transaction
from django.http import Http404
from django.utils import timezone

from surpeer.web.accounts.models import User
from surpeer.web.audit.log import Action, record
from surpeer.web.results.pseudonyms import review_code
from surpeer.web.reviews.models import Exclusion
from surpeer.web.venues.models import Assignment, Paper


def assignment_of(paper: Paper, code: str) -> Assignment:
    """The assignment whose review has this code; only those with a review have one."""
    for assignment in paper.assignments.filter(submissions__isnull=False, declined_at=None).distinct():
        if review_code(assignment.pk) == code:
            return assignment
    raise Http404("This paper has no such review.")


def exclude(assignment: Assignment, chair: User, reason: str) -> bool:
    """Let the review count no more; False if it is excluded already."""
    try:
        with transaction.atomic():
            Exclusion.objects.create(assignment=assignment, reason=reason, excluded_by=chair)
            _log(Action.EXCLUDED, assignment, chair)
    except IntegrityError:
        return False
    return True


@transaction.atomic
def lift(assignment: Assignment, chair: User) -> bool:
    """Let the review count again; False if it is not excluded."""
    active = assignment.exclusions.filter(lifted_at=None)
    if not active.update(lifted_at=timezone.now(), lifted_by=chair):
        return False
    _log(Action.LIFTED_EXCLUSION, assignment, chair)
    return True


def _log(action: Action, assignment: Assignment, chair: User) -> None:
    paper = assignment.paper
    record(chair, action, paper.venue, about=paper.key, review=review_code(assignment.pk))
