"""Drafts, submissions and exclusions, one assignment each."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from surpeer.web.venues.models import Assignment


class Draft(models.Model):
    """What a reviewer has typed and not submitted, as she typed it; checked only when it is submitted."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="draft")
    fields = models.JSONField()
    number = models.PositiveIntegerField(default=1)
    """Grows with every save, so that a second window notices that it is behind."""
    saved_at = models.DateTimeField(default=timezone.now)


class Submission(models.Model):
    """One version of a review. Versions are added and never changed; the one with the highest number counts."""

    # The constraint below has an index that begins with it: another one would be written for every review.
    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="submissions", db_index=False)
    number = models.PositiveIntegerField()
    key = models.UUIDField(unique=True)
    """Of the form it was sent with: the same form sent twice is one submission."""
    rating = models.PositiveSmallIntegerField()
    """Index into the venue's levels."""
    prediction = models.JSONField()
    """The numbers as they were given, the lowest level first; one number where only the top level is asked for."""
    comment = models.TextField(max_length=20_000, blank=True)
    submitted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["assignment", "number"], name="one_submission_per_number")
        ]


class Exclusion(models.Model):
    """A review that does not count, and why; lifted, it counts again."""

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="exclusions")
    reason = models.CharField(max_length=1000)
    excluded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    excluded_at = models.DateTimeField(default=timezone.now)
    lifted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["assignment"], condition=models.Q(lifted_at=None), name="excluded_once_at_a_time"
            )
        ]
