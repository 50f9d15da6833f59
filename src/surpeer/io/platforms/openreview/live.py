"""Reviews straight from a venue on OpenReview, with openreview-py (the extra `openreview`).

Only reading: the group of the venue, its submissions with the replies to them, and the invitation to review.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from surpeer.errors import InputError, counted, printable
from surpeer.io.content import Content
from surpeer.io.extras import needs_extra
from surpeer.io.platforms.openreview.form import read_form
from surpeer.io.platforms.openreview.form import venue_id as checked
from surpeer.io.platforms.openreview.notes import value_of
from surpeer.io.review_form.form import Form

LIVE = "https://api2.openreview.net"
PAGE = 1_000
SECONDS = 120  # that the server may take for one answer
ATTEMPTS = 3

_KEPT = ("review_name", "review_names", "review_rating")


def fetch_notes(
    venue_id: str,
    *,
    baseurl: str | None = None,
    username: str | None = None,
    password: str | None = None,
    token: str | None = None,
    client: Any = None,
) -> tuple[Content, Form | None]:
    """All submissions of a venue with their replies, as the API gives them, and the review form if it may be read.

    venue_id : such as Conf.org/2026/Conference
    baseurl : another server than OpenReview's own (or the environment variable OPENREVIEW_API_BASEURL_V2)
    username, password : of a program chair (or OPENREVIEW_USERNAME and OPENREVIEW_PASSWORD)
    token : of a session, instead of these (or OPENREVIEW_TOKEN)
    client : an openreview.api.OpenReviewClient that is logged in already; then nothing else is needed
    """
    venue = checked(venue_id)
    if username is None and password is None:
        token = token or os.environ.get("OPENREVIEW_TOKEN")
    secrets = [password, token, os.environ.get("OPENREVIEW_PASSWORD")]
    with _errors_of_the_client(venue, secrets), contextlib.redirect_stdout(sys.stderr):
        client = client or _log_in(baseurl, username, password, token)
        group = client.get_group(venue)
        names = {key: value_of(entry) for key, entry in (group.content or {}).items()}
        if not names.get("submission_name"):
            raise InputError(
                f"{venue}: found no venue of API v2, or none that you may see; check the id, or give a file of notes"
            )
        notes = list(_submissions(client, str(names.get("submission_id") or f"{venue}/-/{names['submission_name']}")))
        content = {key: {"value": names[key]} for key in _KEPT if names.get(key)}
        document = {"notes": notes, "count": len(notes), "group": {"id": venue, "content": content}}
        return Content(venue, json=document), _form(client, venue, names)


def _log_in(baseurl: str | None, username: str | None, password: str | None, token: str | None) -> Any:
    """A client that gives up after a while; openreview-py's own would try for minutes, and wait for ever."""
    with needs_extra("openreview", "reading from OpenReview needs openreview-py", "openreview", "give a file of notes"):
        from openreview.api import OpenReviewClient  # type: ignore[import-untyped, import-not-found, unused-ignore]

    class PatientClient(OpenReviewClient):  # type: ignore[misc, unused-ignore]
        def login_user(self, *args: Any, **kwargs: Any) -> Any:
            _set_limits(self.session)
            return super().login_user(*args, **kwargs)

        def get_profile(self, *args: Any, **kwargs: Any) -> Any:
            _set_limits(self.session)
            return super().get_profile(*args, **kwargs)

    url = baseurl or os.environ.get("OPENREVIEW_API_BASEURL_V2") or LIVE
    client = PatientClient(baseurl=url.rstrip("/"), username=username, password=password, token=token)
    _set_limits(client.session)
    return client


def _set_limits(session: Any) -> None:
    """A time limit for every request, and few attempts, however long the server asks us to wait between them."""
    session.request = partial(type(session).request, session, timeout=SECONDS)
    for adapter in session.adapters.values():
        adapter.max_retries = adapter.max_retries.new(
            total=ATTEMPTS - 1, backoff_factor=1, respect_retry_after_header=False
        )


@contextlib.contextmanager
def _errors_of_the_client(venue: str, secrets: list[str | None]) -> Iterator[None]:
    """Whatever goes wrong between us and the server becomes one message, without passwords."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # the client raises KeyError, IndexError and others for answers that it does not expect
        message = _message(error)
        for secret in secrets:
            message = message.replace(secret, "***") if secret else message
        raise InputError(f"{venue}: cannot be read from OpenReview: {message}") from None


def _message(error: Exception) -> str:
    """What the server said, or what happened on the way to it."""
    reason = error.args[0] if error.args else ""
    if isinstance(reason, dict):
        reason = reason.get("message") or reason.get("name") or ""
    said = printable(str(reason))[:300]
    if type(error).__module__.startswith("openreview"):
        return said or "no reason given"
    if isinstance(error, ValueError):
        return "an answer that is no JSON; the server may be busy, try again later"
    kind = "no connection" if isinstance(error, OSError) else "an answer that was not expected"
    return f"{kind} ({type(error).__name__}: {said})"


def _submissions(client: Any, invitation: str) -> Iterator[dict[str, Any]]:
    """All submissions with the replies to them, page by page. A server that begins again would give pages for ever."""
    get_page = partial(client.get_notes, invitation=invitation, details="directReplies", sort="id", limit=PAGE)
    page, count = get_page(with_count=True)
    seen: set[str] = set()
    while fresh := [note for note in page if note.id not in seen]:
        yield from map(_as_json, fresh)
        seen.update(note.id for note in fresh)
        page = get_page(after=fresh[-1].id)
    if isinstance(count, int) and len(seen) < count:
        raise InputError(f"the server has {counted(count, 'submission')} and gave {len(seen):,}; try again later")


def _as_json(note: Any) -> dict[str, Any]:
    """A note as the API gives it; the client's own to_json leaves out the number and the replies."""
    extra = {"number": note.number, "details": note.details, "tmdate": note.tmdate, "domain": note.domain}
    return {**note.to_json(), **{key: value for key, value in extra.items() if value is not None}}


def _form(client: Any, venue: str, names: dict[str, Any]) -> Form | None:
    """The review form, which not everybody may read."""
    from openreview import OpenReviewException

    name = names.get("review_name")
    if not isinstance(name, str):
        return None
    try:
        invitation = client.get_invitation(f"{venue}/-/{name}")
    except OpenReviewException:  # it may not be read, or is not there; anything else is an error
        return None
    return read_form({"edit": invitation.edit})
