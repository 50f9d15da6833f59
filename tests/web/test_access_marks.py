"""Who sees what: texts that are planted in two venues, looked for on every page that each role may open."""

import io
import logging
import re
import zipfile
from collections.abc import Iterator

import pytest

from surpeer.web.results.downloads import DOWNLOADS, EVERYTHING
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.models import Blindness
from web.access_calls import call, operations
from web.access_matrix import PAGES, rows_of
from web.access_requests import address, form
from web.access_world import MARKS, ROLES, World, content_of, undone

pytestmark = pytest.mark.django_db
OF_THE_VENUE = {"venue", "title", "authors", "name", "email"}
OF_THE_OTHER_REVIEWER = {"other venue", "other title", "other name", "other email", "other comment"}
READ = [row for row in rows_of(PAGES) if row.method == "GET"]
NOTHING_TO_READ = {"in", "link", "404", "405"}
"""Refusals that say nothing, as the matrix has shown."""
CHANGES_BY_ITSELF = re.compile(
    r'name="csrfmiddlewaretoken" value="\w+"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|"\d{4}-\d\d-\d\dT[^"]+"'
)
"""Tokens of forms, keys of windows, and times of what was written into the log just now."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Refusals are logged, and here there are many."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


def pages(world: World, role: str) -> Iterator[tuple[str, str]]:
    """Everything that somebody of this role gets to read: every page, every download, and the export of a person."""
    opened = world.people.venue.is_open
    for name in [row.name for row in READ if row.expected(role, opened) not in NOTHING_TO_READ]:
        for other in _variants(name):
            yield "-".join([name, *other.values()]), _read(world, role, "GET", address(world, name, **other))
    for name in [name for name, (method, _) in operations().items() if method == "GET" and role in world.tokens]:
        with undone():
            response = call(world, name, role)
            yield f"api {name}", f"{response.status_code} {response.content.decode()}"
    url = address(world, "export_person")
    yield "export_person", _read(world, role, "POST", url, form(world, "export_person"))


def _variants(name: str) -> list[dict[str, str]]:
    if name == "download":
        return [{"name": file} for file in (*DOWNLOADS, EVERYTHING)]
    return [{"kind": kind} for kind in ("papers", "reviewers", "assignments")] if name == "import" else [{}]


def _read(world: World, role: str, method: str, url: str, sent: dict[str, object] | None = None) -> str:
    with undone():
        browser = world.browser(role)
        response = browser.get(url) if method == "GET" else browser.post(url, sent)
        content = content_of(response)
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = b"\n".join(archive.read(file) for file in archive.namelist())
    return f"{response.status_code} {content.decode('utf-8', 'replace')}"


def seen(world: World, role: str) -> dict[str, set[str]]:
    """The marks on each page that has any."""
    found = {page: {mark for mark, text in MARKS.items() if text in content} for page, content in pages(world, role)}
    return {page: marks for page, marks in found.items() if marks}


def expected(blindness: Blindness, opened: bool) -> dict[str, set[str]]:
    """Chairs and observers read comments once the results are open; reviewers see nothing of others, ever."""
    authors = {"authors"} if blindness == Blindness.SINGLE else set()
    invitation = {"venue"}  # whoever opens the planted invitation learns what she is invited to
    runs = OF_THE_VENUE | ({"comment"} if opened else set())
    return {
        "anonymous": invitation,
        "reviewer": {"venue", "title"} | authors,
        "other reviewer": OF_THE_OTHER_REVIEWER | invitation,
        "chair": runs | ({"draft"} if opened and blindness != Blindness.TRIPLE else set()),
        "other chair": {"other venue"} | invitation,
        "observer": runs,
    }


@pytest.mark.parametrize("blindness", Blindness)
def test_everybody_sees_what_is_hers_and_no_more(blindness: Blindness) -> None:
    world = World.make(blindness=blindness)
    roles = ROLES if blindness == Blindness.DOUBLE else ("reviewer", "chair", "observer")
    for opened in (False, True):
        if opened:
            world.open_results()
        found = {role: seen(world, role) for role in roles}
        anywhere = {role: set().union(*by_page.values()) for role, by_page in found.items()}
        assert anywhere == {role: expected(blindness, opened)[role] for role in roles}
    if blindness == Blindness.TRIPLE:
        _nobody_can_tell_who_wrote_what(found)
    else:
        assert {"comment", "name"} <= found["chair"]["paper_result"]
        assert found["chair"]["export_person"] >= {"comment", "draft"}


def _nobody_can_tell_who_wrote_what(found: dict[str, dict[str, set[str]]]) -> None:
    for role in ("chair", "observer"):
        with_comment = {page: marks for page, marks in found[role].items() if "comment" in marks}
        expected = {"paper_result", "download-versions.csv", f"download-{EVERYTHING}", "api list_reviews"}
        assert expected <= with_comment.keys()
        assert [page for page, marks in with_comment.items() if marks & {"name", "email"}] == []


def test_before_the_opening_no_page_depends_on_what_a_review_says() -> None:
    world = World.make()
    before = {role: _steady(world, role) for role in ROLES}
    _change_their_review(world)
    for role in ROLES:
        assert _different(before[role], _steady(world, role)) == [], role


def test_after_the_opening_still_no_page_of_other_people_does() -> None:
    world = World.make()
    world.open_results(files=False)
    others = [role for role in ROLES if role not in ("chair", "observer")]
    before = {role: _steady(world, role) for role in others}
    _change_their_review(world)
    world.open_results(files=False)
    assert {role: _different(before[role], _steady(world, role)) for role in others} == {role: [] for role in others}
    assert "something else altogether" in _read(world, "chair", "GET", address(world, "paper_result"))


def _steady(world: World, role: str) -> dict[str, str]:
    return {name: CHANGES_BY_ITSELF.sub("", content) for name, content in pages(world, role)}


def _different(one: dict[str, str], other: dict[str, str]) -> list[str]:
    return [name for name in one if one[name] != other[name]]


def _change_their_review(world: World) -> None:
    found = Submission.objects.filter(assignment=world.objects["their assignment"])
    assert found.update(rating=0, prediction=[19, 1], comment="something else altogether") == 1
