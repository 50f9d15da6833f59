"""A venue and what belongs to it."""

from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from surpeer.web.accounts.models import Role, Secret


class PredictionForm(models.TextChoices):
    """How reviewers are asked for what they expect of others."""

    IMAGINED = "imagined", "Out of a number of imagined reviewers, how many give each rating"
    SHARES = "shares", "How many per cent of the other reviewers give each rating"
    TOP = "top", "How many per cent of the other reviewers give the highest rating"


class Blindness(models.TextChoices):
    """Who knows whom."""

    SINGLE = "single", "Reviewers see the authors"
    DOUBLE = "double", "Reviewers do not see the authors"
    TRIPLE = "triple", "Reviewers do not see the authors, and chairs do not see who gave which rating"


class Venue(models.Model):
    """One round of reviews."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField("name", max_length=200)
    instructions = models.TextField("instructions for reviewers", max_length=10_000, blank=True)
    mail_message = models.TextField("message in mails to reviewers", max_length=5000, blank=True)
    levels = models.JSONField("rating scale")
    """[{"label": "reject", "value": 0}, ...], the lowest first."""
    prediction_form = models.CharField(
        "form of the predictions", max_length=10, choices=PredictionForm.choices, default=PredictionForm.IMAGINED
    )
    imagined = models.PositiveSmallIntegerField(
        "number of imagined reviewers", default=20, validators=[MinValueValidator(5), MaxValueValidator(100)]
    )
    blindness = models.CharField("blindness", max_length=10, choices=Blindness.choices, default=Blindness.DOUBLE)
    deadline = models.DateTimeField("deadline")
    time_zone = models.CharField("time zone", max_length=60, default="UTC")
    accept = models.CharField("how many to accept", max_length=20, default="25%")
    """As `surpeer decide --accept` takes it: a number of papers, or a share in per cent."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    opened_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When a chair first opened the results."""

    def __str__(self) -> str:
        return self.name

    @property
    def takes_reviews(self) -> bool:
        """Whether reviewers can still submit or revise."""
        return self.closed_at is None and timezone.now() < self.deadline

    @property
    def is_open(self) -> bool:
        """Whether the results may be seen by those who run or watch the venue."""
        return self.opened_at is not None

    @property
    def hides_reviewers(self) -> bool:
        """Whether chairs may not know who gave which rating."""
        return self.blindness == Blindness.TRIPLE

    @property
    def stays_closed(self) -> bool:
        """Whether the round cannot be reopened: a review that changed in open results would show whose it is."""
        return self.is_open and self.hides_reviewers

    @property
    def whole(self) -> int:
        """What the numbers of a prediction add up to."""
        return self.imagined if self.prediction_form == PredictionForm.IMAGINED else 100

    @property
    def labels(self) -> list[str]:
        return [level["label"] for level in self.levels]


class Membership(models.Model):
    """Somebody with an account runs or watches a venue."""

    venue = models.ForeignKey(Venue, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    since = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["venue", "user"], name="one_role_per_person")]


class Paper(models.Model):
    """Something to be rated: a paper, a proposal, an entry."""

    venue = models.ForeignKey(Venue, models.CASCADE, related_name="papers")
    key = models.CharField("id", max_length=200)
    """The chair's own id."""
    title = models.CharField(max_length=1000, blank=True)
    authors = models.CharField(max_length=2000, blank=True)
    track = models.CharField(max_length=200, blank=True)
    url = models.URLField(max_length=2000, blank=True)
    abstract = models.TextField(max_length=20_000, blank=True)

    class Meta:
        ordering: ClassVar = ["key"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["venue", "key"], name="one_paper_per_id")]

    def __str__(self) -> str:
        return self.title or self.key


class Reviewer(models.Model):
    """Somebody who rates papers of one venue, and gets in by a personal link."""

    venue = models.ForeignKey(Venue, models.CASCADE, related_name="reviewers")
    name = models.CharField(max_length=200, blank=True)
    email = models.EmailField(blank=True)
    """Lower case; empty once erased."""
    invited_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    invitation_filed = models.BooleanField(default=False)
    """Whether the last invitation was put into a file, because there was no mail server, instead of being sent."""
    reminder_filed = models.BooleanField(default=False)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["name", "email", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["venue", "email"], condition=~models.Q(email=""), name="one_reviewer_per_address"
            )
        ]

    def __str__(self) -> str:
        if self.erased_at is not None:
            return f"erased reviewer {self.pk}"
        return self.name or self.email or f"reviewer {self.pk}"


class PersonalLink(Secret):
    """By which a reviewer gets in; `used_at` is the last time."""

    reviewer = models.ForeignKey(Reviewer, models.CASCADE, related_name="links")

    objects = models.Manager()


class Assignment(models.Model):
    """A reviewer is asked to rate a paper."""

    paper = models.ForeignKey(Paper, models.CASCADE, related_name="assignments")
    reviewer = models.ForeignKey(Reviewer, models.CASCADE, related_name="assignments")
    declined_at = models.DateTimeField(null=True, blank=True)
    declined_because = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["paper", "reviewer"], name="one_assignment")]


class ImportUpload(models.Model):
    """A file that a chair has uploaded and not yet imported: kept between the preview and the confirmation."""

    venue = models.ForeignKey(Venue, models.CASCADE, related_name="uploads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    name = models.CharField(max_length=200)
    data = models.BinaryField()
    uploaded_at = models.DateTimeField(default=timezone.now)
