"""Saving drafts, so that two windows do not overwrite each other silently.

A window that saves names the number of the draft it started from and the version that was submitted by then, and goes
on with the number it gets back. A window is known by the key of its form: what it saved itself it may always replace,
also where the answer to an earlier save got lost; its saves are counted (`turn`), so that one that arrives late
changes nothing. A draft that is thrown away leaves its number behind, without what was typed: numbers that began again
would let an old window take a later draft for the one it knows.
"""

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.reviews.submitting import current_submission
from surpeer.web.reviews.typed import Typed
from surpeer.web.reviews.window import Window
from surpeer.web.venues.models import Assignment

DISCARDED = "discarded"
"""In the fields of a draft that was thrown away."""


@dataclass(frozen=True)
class Saved:
    """What came of saving: the draft that is stored now. Where `conflict`, it is another window's, and unchanged."""

    conflict: bool
    draft: Draft | None


def current_draft(assignment: Assignment, submitted: int) -> Draft | None:
    """The draft, unless it was thrown away, or started before the version that was submitted last."""
    draft = Draft.objects.filter(assignment=assignment).first()
    if draft is None or is_discarded(draft) or draft.fields.get("based_on") != submitted:
        return None
    return draft


def is_discarded(draft: Draft) -> bool:
    """Whether nothing is left of it but its number."""
    return DISCARDED in draft.fields


def is_behind(assignment: Assignment, window: Window) -> bool:
    """Whether another window saved a draft that this one has not seen."""
    draft = current_draft(assignment, window.based_on)
    return draft is not None and _is_of_another(draft, window)


def save_draft(assignment: Assignment, typed: Typed, window: Window) -> Saved:
    """Store what was typed as the draft of this review, unless another window got ahead."""
    try:
        with transaction.atomic():
            return _save(assignment, typed, window)
    except IntegrityError:  # another window made the first draft at the same moment
        return Saved(True, Draft.objects.filter(assignment=assignment).first())


@transaction.atomic
def discard_draft(assignment: Assignment, window: Window) -> Saved:
    """Throw the draft of this review away, unless another window got ahead."""
    current: Submission | None = current_submission(assignment)
    submitted = current.number if current else 0
    draft = current_draft(assignment, submitted)
    if submitted != window.based_on:
        return Saved(True, draft)
    if draft is None:
        return Saved(False, None)
    if _is_of_another(draft, window):
        return Saved(True, draft)
    nothing = {DISCARDED: True, "based_on": submitted, "key": str(window.key), "turn": window.turn}
    return _replaced(draft, nothing)


def _is_of_another(draft: Draft, window: Window) -> bool:
    """Whether another window saved this draft, and this one has not seen it."""
    return draft.fields.get("key") != str(window.key) and draft.number != window.draft and not is_discarded(draft)


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
    if _is_of_another(draft, window):
        return Saved(True, draft)
    if draft.fields.get("key") == str(window.key) and draft.fields.get("turn", 0) > window.turn:
        return Saved(False, draft)
    return _replaced(draft, fields)


def _replaced(draft: Draft, fields: dict[str, object]) -> Saved:
    """Write over a draft, unless somebody did just now."""
    number, now = draft.number + 1, timezone.now()
    if not Draft.objects.filter(pk=draft.pk, number=draft.number).update(fields=fields, number=number, saved_at=now):
        return Saved(True, Draft.objects.filter(pk=draft.pk).first())
    draft.fields, draft.number, draft.saved_at = fields, number, now
    return Saved(False, draft)
