"""Headers of every kind of answer, cookies, and pages that name no other host and run nothing of their own."""

import logging
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.views.defaults import server_error

from surpeer.web.pages import csrf_failure
from web.access_matrix import PAGES, rows_of
from web.access_requests import address, form
from web.access_world import ROLES, World, content_of, undone

pytestmark = pytest.mark.django_db
READ = [row for row in rows_of(PAGES) if row.method == "GET"]
SENT = ("new_venue", "venue_settings", "import", "invite_member", "make_link", "new_token", "review", "exclude_review")
OWN_POLICY = {"report_page", "result_picture", "paper_chart"}
"""Documents of their own: the report names its scripts by their hashes, and charts are images."""
NAMED_BY_CHAIRS = "https://example.org"
SHOW_INSTRUCTIONS = {"reviewer my_papers", "reviewer review", "refused review"}
"""Where reviewers read the instructions of the chairs, in which addresses are links."""
LOADED = ("src", "href", "action", "formaction", "data", "poster", "srcset", "background", "cite", "ping", "manifest")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


class Attributes(HTMLParser):
    """What a page loads, what it leads to without telling where somebody came from, and what it would run."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.followed: list[str] = []
        self.inline: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.inside = tag if tag in ("script", "style") else ""
        loaded = [given[name] or "" for name in LOADED if name in given]
        leads_out = (tag, given.get("rel"), given.get("target")) == ("a", "noreferrer noopener", "_blank")
        (self.followed if leads_out else self.links).extend(loaded)
        self.inline += [f"<{tag} {name}>" for name in given if name.startswith("on") or name == "style"]
        if (
            tag in ("iframe", "object", "embed", "base", "applet", "frame")
            or given.get("http-equiv", "").lower() == "refresh"
        ):
            self.inline.append(f"<{tag}>")

    def handle_data(self, data: str) -> None:
        if self.inside and data.strip():
            self.inline.append(f"<{self.inside}>{data[:50]}")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""


@pytest.fixture(scope="module")
def answers(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> dict[str, HttpResponse]:
    """Every page for somebody who may see it, pages of forms that were not accepted, and every kind of refusal."""
    found = {}
    logging.disable(logging.CRITICAL)
    with django_db_blocker.unblock(), undone():  # type: ignore[attr-defined]
        world = World.make()
        world.people.venue.instructions = f"see {NAMED_BY_CHAIRS} and javascript:alert(1)"
        world.people.venue.save()
        found |= {f"closed {row.name}": _get(world, row.name, "chair") for row in READ if row.depends_on_opening}
        world.open_results()
        for row in READ:
            for role in ("chair", "reviewer", "anonymous", "other chair", "observer"):
                if row.expected(role, opened=True) == "200" or role in ("anonymous", "other chair"):
                    found[f"{role} {row.name}"] = _get(world, row.name, role)
        for name in SENT:
            role = "reviewer" if name == "review" else "chair"
            with undone():
                found[f"refused {name}"] = world.browser(role).post(address(world, name), {})
            with undone():
                found[f"sent {name}"] = world.browser(role).post(address(world, name), form(world, name))
        found["anonymous nowhere"] = Client().get("/nowhere/")
    return found


def _get(world: World, name: str, role: str) -> HttpResponse:
    with undone():
        response = world.browser(role).get(address(world, name))
        response.read_content = content_of(response)  # type: ignore[attr-defined]
        return response  # type: ignore[return-value]


def _text(response: HttpResponse) -> str:
    return getattr(response, "read_content", b"" if response.streaming else response.content).decode("utf-8", "replace")


def test_every_answer_has_its_headers(answers: dict[str, HttpResponse]) -> None:
    assert {response.status_code for response in answers.values()} >= {200, 302, 403, 404, 405, 409, 422}
    for name, response in answers.items():
        headers = {key.lower(): value for key, value in response.headers.items()}
        assert headers["x-content-type-options"] == "nosniff", name
        assert headers["x-frame-options"] == "DENY", name
        assert headers["referrer-policy"] == ("no-referrer" if "personal_link" in name else "same-origin"), name
        assert headers["cross-origin-opener-policy"] == "same-origin", name
        assert "no-store" in headers["cache-control"], name
        assert headers["x-robots-tag"] == "noindex, nofollow", name


def test_every_answer_has_a_policy_that_allows_nothing_from_elsewhere(answers: dict[str, HttpResponse]) -> None:
    usual = {
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    }  # fmt: skip
    for name, response in answers.items():
        policy = response["Content-Security-Policy"]
        if name.split()[-1] in OWN_POLICY and response.status_code == 200:
            scripts = re.findall(r"script-src ([^;]*)", policy)
            assert all("unsafe" not in allowed and "http" not in allowed for allowed in scripts), name
            assert "default-src 'none'" in policy, name
            assert "frame-ancestors 'none'" in policy or "sandbox" in policy, name
            assert "http" not in policy, name
        else:
            assert set(policy.split("; ")) == usual, name


def test_no_page_names_another_host_or_runs_anything_inline(answers: dict[str, HttpResponse]) -> None:
    looked_at = 0
    for name, response in answers.items():
        if name.split()[-1] in OWN_POLICY or not response.get("Content-Type", "").startswith("text/html"):
            continue
        page = Attributes()
        page.feed(_text(response))
        looked_at += bool(_text(response))
        elsewhere = [link for link in page.links if re.match(r"(?i)\s*([a-z][a-z0-9+.-]*:|//|\\)", link)]
        assert elsewhere == [], name
        assert page.followed == ([NAMED_BY_CHAIRS] if name in SHOW_INSTRUCTIONS else []), name
        assert page.inline == [], name
        assert "url(" not in _text(response), name
    assert looked_at > 80


def test_files_of_pages_name_no_other_host() -> None:
    from django.conf import settings

    (folder,) = settings.STATICFILES_DIRS
    files = [path for path in folder.rglob("*") if path.suffix in (".css", ".js", ".svg")]
    assert len(files) > 5
    for path in files:
        found = re.findall(r"https?://[\w.-]+|url\(['\"]?//|src=['\"]//", path.read_text())
        assert set(found) <= {"http://www.w3.org"}, path  # the name of a language, which nothing loads
        assert "@import" not in path.read_text(), path
        assert not re.search(r"\beval\(|new Function|innerHTML|document\.write", path.read_text()), path


def test_errors_of_the_server_and_expired_forms_are_pages_without_details() -> None:
    request = RequestFactory().get("/")
    failed = server_error(request)
    assert (failed.status_code, b"Traceback" in failed.content) == (500, False)
    assert csrf_failure(request, "some reason").status_code == 403


def test_an_error_of_a_view_has_its_headers_and_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object, **options: object) -> None:
        raise RuntimeError("a secret detail")

    monkeypatch.setattr("surpeer.web.pages.render", broken)
    response = Client(raise_request_exception=False).get("/")
    assert response.status_code == 500
    assert b"secret detail" not in response.content
    assert b"Something went wrong here" in response.content
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert response["Cache-Control"] == "no-store, private"
    assert response["X-Frame-Options"] == "DENY"


@override_settings(
    SESSION_COOKIE_SECURE=True, CSRF_COOKIE_SECURE=True, SECURE_SSL_REDIRECT=True, SECURE_HSTS_SECONDS=31536000
)
def test_cookies_and_hsts_over_https() -> None:
    world = World.make()
    browser = Client()
    assert browser.get("/login/")["Location"] == "https://testserver/login/"
    page = browser.get("/login/", secure=True)
    signed_in = browser.post(
        "/login/", {"username": "chair@example.org", "password": "correct horse battery staple"}, secure=True
    )
    assert page["Strict-Transport-Security"] == "max-age=31536000"  # subdomains by deployment; on no list of browsers
    for cookie in (page.cookies["csrftoken"], signed_in.cookies["sessionid"]):
        flags = (cookie["secure"], cookie["httponly"], cookie["samesite"], cookie["domain"])
        assert flags == (True, True, "Lax", "")
    link = Client().get(f"/r/{world.secrets['link']}/", secure=True)
    assert link.cookies["sessionid"]["httponly"]
    assert set(ROLES) >= set(world.sessions)
