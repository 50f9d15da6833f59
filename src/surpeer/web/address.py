"""Addresses in mails and on the screen: absolute, by the name under which people reach the server."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def absolute(path: str, request: HttpRequest | None = None) -> str:
    """The whole address of a path. Where no public address is configured, that of the request is as good as any: the
    server then answers this machine alone."""
    if settings.DEPLOYMENT.public_url:
        return f"{settings.DEPLOYMENT.public_url}{path}"
    return request.build_absolute_uri(path) if request is not None else path


def only_here(request: HttpRequest) -> str:
    """How links begin, if they open on this computer alone; else empty."""
    start = absolute("/", request).rstrip("/")
    return start if is_loopback(urlsplit(start).hostname or "") else ""


def is_loopback(host: str) -> bool:
    """Whether every computer means itself by this name.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "review.example.org", "192.168.0.7")]
    [True, True, True, False, False]
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
