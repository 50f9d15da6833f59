"""Addresses in mails and on the screen: absolute, by the name under which people reach the server."""

from django.conf import settings
from django.http import HttpRequest


def absolute(path: str, request: HttpRequest | None = None) -> str:
    """The whole address of a path. Where no public address is configured, that of the request is as good as any: the
    server then answers this machine alone."""
    if settings.DEPLOYMENT.public_url:
        return f"{settings.DEPLOYMENT.public_url}{path}"
    return request.build_absolute_uri(path) if request is not None else path
