"""The last computed result of each venue, and the files that were made of it."""

from typing import ClassVar

from django.db import models

from surpeer.web.venues.models import Venue


class Result(models.Model):
    """What came of the reviews that `stamp` stands for; a newer one replaces it."""

    venue = models.OneToOneField(Venue, models.CASCADE, related_name="result")
    stamp = models.CharField(max_length=200)
    """Which reviews, exclusions and settings it was made of (results.stamp)."""
    computed_at = models.DateTimeField()
    reviews = models.PositiveIntegerField(default=0)
    """That count."""
    submissions = models.PositiveIntegerField(default=0)
    """Versions of reviews that there were, counted or not: what came since is newer."""
    summary = models.JSONField(default=dict)
    """What the pages say of the venue as a whole (results.summary)."""
    document = models.BinaryField(default=bytes)
    """The document of the chair's report (surpeer.report.document), as compressed JSON."""
    table = models.BinaryField(default=bytes)
    """A row for each paper of the ranking or the decisions, as Parquet (results.paper_table)."""
    problem = models.TextField(blank=True)
    """Why there is no ranking."""
    complete = models.BooleanField(default=False)
    """Whether its files are there: they are made after the ranking, which people wait for."""


class ResultFile(models.Model):
    """A picture or a file to download, made once for everybody who will ask for it."""

    result = models.ForeignKey(Result, models.CASCADE, related_name="files")
    name = models.CharField(max_length=60)
    content = models.BinaryField()
    """Compressed (results.stored)."""
    alt = models.TextField(blank=True)
    """What a picture shows, for those who cannot see it."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["result", "name"], name="one_file_per_name")]
