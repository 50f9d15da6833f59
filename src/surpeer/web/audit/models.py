"""The log."""

from typing import ClassVar

from django.db import models
from django.utils import timezone


class Entry(models.Model):
    """Who did what, and when. No names of people and nothing that they wrote, so that nothing has to be erased."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    venue = models.BigIntegerField(null=True, db_index=True)
    """Primary keys instead of references: an entry outlives what it is about."""
    user = models.BigIntegerField(null=True)
    reviewer = models.BigIntegerField(null=True)
    action = models.CharField(max_length=40)
    about = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [models.Index(fields=["venue", "action"], name="entries_of_an_action")]
        verbose_name_plural = "entries"
