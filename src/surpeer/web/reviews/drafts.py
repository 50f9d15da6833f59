"""Saving drafts, so that two windows do not overwrite each other silently.

A window that saves names the number of the draft it started from and the version that was submitted by then, and goes
on with the number it gets back. A window is known by the key of its form: what it saved itself it may always replace,
also where the answer to an earlier save got lost; its saves are counted (`turn`), so that one that arrives late
changes nothing.
"""

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.reviews.submitting import current_submission
from surpeer.web.reviews.typed import Typed
from surpeer.web.venues.models import Assignment


@dataclass(frozen=True)
class Window:
    """Where a form stands: its own key, and what it knows of."""

    key: UUID
    based_on: int = 0
    """The number of the submitted version when it was opened, 0 for none."""
    draft: int = 0
    """The number of the draft that it shows or has saved, 0 for none."""
    turn: int = 0
    """How many times it has saved."""


@dataclass(frozen=True)
class Saved:
    """What came of saving: the draft that is stored now. Where `conflict`, it is another window's, and unchanged."""

    conflict: bool
    draft: Draft | None


def current_draft(assignment: Assignment, submitted: int) -> Draft | None:
    """The draft, unless it was started before the version that was submitted last."""
    draft = Draft.objects.filter(assignment=assignment).first()
    return draft if draft is not None and draft.fields.get("based_on") == submitted else None


def save_draft(assignment: Assignment, typed: Typed, window: Window) -> Saved:
    """Store what was typed as the draft of this review, unless another window got ahead."""
    try:
        with transaction.atomic():
            return _save(assignment, typed, window)
    except IntegrityError:  # another window made the first draft at the same moment
        return Saved(True, Draft.objects.filter(assignment=assignment).first())


def _save(assignment: Assignment, typed: Typed, window: Window) -> Saved:
    current: Submission | None = current_submission(assignment)
    submitted = current.number if current else 0
    draft = Draft.objects.filter(assignment=assignment).first()
    if submitted != window.based_on:
        return Saved(True, draft)
    fields = {**typed.as_draft, "based_on": submitted, "key": str(window.key), "turn": window.turn}
    if draft is None or draft.fields.get("based_on") != submitted:
        Draft.objects.filter(assignment=assignment).delete()
        return Saved(False, Draft.objects.create(assignment=assignment, fields=fields))
    if draft.fields.get("key") == str(window.key):
        if draft.fields.get("turn", 0) > window.turn:
            return Saved(False, draft)
    elif draft.number != window.draft:
        return Saved(True, draft)
    return _replaced(draft, fields)


def _replaced(draft: Draft, fields: dict[str, object]) -> Saved:
    """Write over a draft, unless somebody did just now."""
    number, now = draft.number + 1, timezone.now()
    if not Draft.objects.filter(pk=draft.pk, number=draft.number).update(fields=fields, number=number, saved_at=now):
        return Saved(True, Draft.objects.filter(pk=draft.pk).first())
    draft.fields, draft.number, draft.saved_at = fields, number, now
    return Saved(False, draft)
