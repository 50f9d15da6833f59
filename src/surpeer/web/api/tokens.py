"""Who calls: whoever made the token that the script brings. Cookies mean nothing here."""

from datetime import timedelta

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from surpeer.web.accounts import limits
from surpeer.web.accounts.models import ApiToken, User
from surpeer.web.accounts.secret_links import hash_of
from surpeer.web.api.problems import TOO_MANY, Refusal

WHAT = "token"
NOTED_EVERY = timedelta(minutes=1)
"""A busy script does not write with every call that it reads."""


class ApiRequest(HttpRequest):
    """A call with the token that it brought. Only a name for types."""

    auth: ApiToken


def caller_of(request: ApiRequest) -> User:
    """For whom the script acts."""
    return request.auth.user


class Token(HttpBearer):
    """Finds a token that is open. A good one works however many wrong ones came from the same address: with 256 random
    bits nobody guesses, and one forgotten script should not lock its neighbours out."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        found = ApiToken.objects.select_related("user").filter(hash=hash_of(token), user__is_active=True).first()
        if found is not None and found.is_open:
            note_use(found)
            return found
        if limits.too_many(WHAT, request):
            raise Refusal(429, TOO_MANY)
        limits.wrong(WHAT, request)
        return None


def note_use(token: ApiToken) -> None:
    """Remember when a token was last used, to the minute."""
    now = timezone.now()
    if token.used_at is None or token.used_at < now - NOTED_EVERY:
        earlier = Q(used_at=None) | Q(used_at__lt=now - NOTED_EVERY)
        ApiToken.objects.filter(earlier, pk=token.pk).update(used_at=now)
