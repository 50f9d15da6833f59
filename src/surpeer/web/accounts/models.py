"""Accounts of chairs and observers, their invitations and tokens, and what was guessed wrongly of late."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from surpeer.web.accounts.secret_links import hash_of, new_secret

HASH_LENGTH = 64


class UserManager(BaseUserManager["User"]):
    """Makes accounts; an e-mail address means the same in capitals."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser):
    """Somebody with a password: a chair or an observer of one or more venues. Reviewers have links instead."""

    email = models.EmailField("e-mail address", unique=True)
    name = models.CharField("name", max_length=200)
    may_create_venues = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(Lower("email"), name="one_account_per_address")]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return self.name


class OpenSecrets(models.QuerySet[Any]):
    """Those that still open something."""

    def open(self) -> "OpenSecrets":
        return self.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now())


class Secret(models.Model):
    """A random secret, kept as a hash, that expires and can be revoked."""

    hash = models.CharField(max_length=HASH_LENGTH, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and self.expires_at > timezone.now()

    def make(self) -> str:
        """Save with a new secret, which is returned and nowhere else to be had."""
        secret = new_secret()
        self.hash = hash_of(secret)
        self.save()
        return secret


class Role(models.TextChoices):
    """What somebody with an account may do in a venue."""

    CHAIR = "chair", "Chair"
    OBSERVER = "observer", "Observer (may read, not change)"


class Invitation(Secret):
    """A one-time link to create an account, or to join a venue with the one that there is."""

    email = models.EmailField(blank=True)
    """Empty for the very first chair, who is whoever reads the screen of the server."""
    venue = models.ForeignKey("venues.Venue", models.CASCADE, null=True, blank=True, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.CHAIR)
    invited_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True)

    objects = OpenSecrets.as_manager()

    @property
    def is_open(self) -> bool:
        return super().is_open and self.used_at is None


class ApiToken(Secret):
    """By which a script acts for a user."""

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField("what it is for", max_length=100)

    objects = models.Manager()


class WrongGuess(models.Model):
    """A link, token or password that did not open anything, for the limit on guessing. Old ones are deleted."""

    what = models.CharField(max_length=20)
    whence = models.CharField(max_length=100)
    """A keyed hash of the network address or of the account's name: enough to count by, no personal data."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["what", "whence", "at"])]
