"""Limits on guessing: who was wrong too often of late has to wait.

Counted in the database, because workers share nothing else. Neither addresses nor names are stored: a keyed hash is
enough to count by.
"""

from datetime import timedelta
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac

from surpeer.web.accounts.models import WrongGuess

MOST, WITHIN = 20, timedelta(minutes=15)
"""Wrong guesses of one network address; of one account's password from anywhere there may be as many."""


def too_many(what: str, request: HttpRequest, name: str = "") -> bool:
    """Whether this address, or whoever tries this name, has to wait."""
    since = timezone.now() - WITHIN
    found = WrongGuess.objects.filter(what=what, at__gt=since)
    return any(found.filter(whence=whence).count() >= MOST for whence in _sources(what, request, name))


def wrong(what: str, request: HttpRequest, name: str = "") -> None:
    """Count a guess that opened nothing; forget the old ones."""
    WrongGuess.objects.filter(at__lt=timezone.now() - WITHIN).delete()
    WrongGuess.objects.bulk_create(WrongGuess(what=what, whence=whence) for whence in _sources(what, request, name))


def wait_page(request: HttpRequest) -> HttpResponse:
    """The answer to somebody who has to wait."""
    minutes = int(WITHIN.total_seconds() // 60)
    response = render(request, "accounts/wait.html", {"minutes": minutes}, status=429)
    response.headers["Retry-After"] = str(minutes * 60)
    return response


def _sources(what: str, request: HttpRequest, name: str) -> list[str]:
    sources = [("address", address_of(request)), *([("name", name.strip().lower())] if name else [])]
    return [salted_hmac(f"surpeer.limits.{what}.{kind}", value).hexdigest() for kind, value in sources]


def address_of(request: HttpRequest) -> str:
    """Whence the request came: behind a proxy the last address that it names, which clients cannot make up."""
    here = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if settings.DEPLOYMENT.public_url and forwarded and _is_near(here):
        return str(forwarded.rsplit(",", 1)[-1].strip())
    return here


def _is_near(address: str) -> bool:
    """Whether it can be our own proxy: this machine, or one of the same network. Whoever comes from the internet
    directly names whatever she likes."""
    try:
        return ip_address(address).is_private
    except ValueError:
        return not address  # a socket of this machine
