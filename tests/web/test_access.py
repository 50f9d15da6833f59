"""Every address, as everybody: what the matrix says comes back, and a refusal changes nothing."""

import logging
from collections.abc import Iterator

import pytest
from django.http import HttpResponse
from pytest_django.plugin import DjangoDbBlocker

from web.access_matrix import PAGES, REFUSALS, Row, rows_of
from web.access_requests import FOREIGN, address, form, named_addresses
from web.access_world import MARKS, ROLES, World, content_of, outcome, undone

pytestmark = pytest.mark.django_db
METHODS = ("GET", "POST")
ROWS = rows_of(PAGES)
BY_OPENING = [row for row in ROWS if row.depends_on_opening]
KEPT_ANYWAY = {"visits_visit", "accounts_wrongguess", "audit_entry"}
"""What may be written whatever is asked for: sessions, wrong guesses and the log."""
WRITTEN_BY_GET = {"personal_link": {"venues_personallink"}}
"""When a link was last used."""
HER_OWN = {"other reviewer": {"other venue", "other name"}, "reviewer": {"venue"}}
"""What a refusal may repeat: by whose link of which venue a reviewer came."""


def _id(row: Row) -> str:
    return f"{row.method}-{row.name}"


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Before the results are opened."""
    logging.disable(logging.WARNING)
    with django_db_blocker.unblock(), undone():
        yield World.make()
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="module")
def opened(world: World) -> Iterator[World]:
    """The same world after the results were opened."""
    with undone():
        world.open_results()
        yield world


def ask(world: World, name: str, method: str, role: str, url: str = "") -> HttpResponse:
    browser = world.browser(role)
    url = url or address(world, name)
    return browser.post(url, form(world, name)) if method == "POST" else browser.generic(method, url)  # type: ignore[return-value]


def test_every_address_and_method_has_a_row_and_every_row_an_address() -> None:
    expected = {(name, method) for name in named_addresses() for method in METHODS}
    rows = [(row.name, row.method) for row in ROWS]
    assert len(rows) == len(set(rows))
    assert set(rows) == expected


@pytest.mark.parametrize("row", ROWS, ids=_id)
def test_before_the_results_are_opened(world: World, row: Row) -> None:
    assert _outcomes(world, row) == {role: row.expected(role, opened=False) for role in ROLES}


@pytest.mark.parametrize("row", BY_OPENING, ids=_id)
def test_after_the_results_were_opened(opened: World, row: Row) -> None:
    assert _outcomes(opened, row) == {role: row.expected(role, opened=True) for role in ROLES}


def _outcomes(world: World, row: Row) -> dict[str, str]:
    """What each role gets; checked on the way that refusals change nothing and say nothing, and GET changes nothing."""
    found = {}
    for role in ROLES:
        with undone() as written:
            response = ask(world, row.name, row.method, role)
            found[role] = outcome(response)
            changed = set(written) - KEPT_ANYWAY
            if found[role] in REFUSALS:
                assert changed == set(), f"{role} was refused, and yet written was to {changed}"
            if row.method == "GET":
                assert changed <= WRITTEN_BY_GET.get(row.name, set()), f"a GET of {role} wrote to {changed}"
            if found[role] in ("in", "link", "sent", "404", "405"):
                _says_nothing(response, role)
    return found


def _says_nothing(response: HttpResponse, role: str) -> None:
    text = content_of(response).decode() + str(response.headers)
    seen = {name for name, mark in MARKS.items() if mark in text}
    assert seen <= HER_OWN.get(role, set()), f"a refusal of {role} says too much: {seen}"


@pytest.mark.parametrize("row", [row for row in ROWS if row.method == "POST" and row.allows_somebody], ids=_id)
def test_a_form_without_its_token_is_refused(opened: World, row: Row) -> None:
    role = next(role for role in ("chair", "reviewer") if row.expected(role, opened=True) in ("200", "go"))
    with undone() as written:
        browser = opened.browser(role, enforce_csrf_checks=True)
        response = browser.post(address(opened, row.name), form(opened, row.name))
        assert response.status_code == 403
        assert b"The form has expired" in response.content
        assert set(written) <= KEPT_ANYWAY


@pytest.mark.parametrize("name", named_addresses())
def test_other_methods_change_nothing(opened: World, name: str) -> None:
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "HEAD"):
        with undone() as written:
            response = ask(opened, name, method, "chair")
            assert response.status_code < 500
            assert set(written) <= KEPT_ANYWAY, f"{method} wrote to {written}"


WITH_NUMBERS = [
    name for name, pattern in named_addresses().items() if {"slug", "pk"} <= pattern.pattern.converters.keys()
]
OF_REVIEWERS = [name for name, pattern in named_addresses().items() if "assignment" in pattern.pattern.converters]


@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_what_belongs_to_another_venue_is_not_found_under_the_name_of_ones_own(opened: World, name: str) -> None:
    url = address(opened, name, pk=opened.objects[f"other {FOREIGN[name]}"])
    found = []
    for method in METHODS:
        with undone() as written:
            response = ask(opened, name, method, "chair", url)
            found.append(outcome(response))
            _says_nothing(response, "chair") if found[-1] == "404" else None
            assert set(written) <= KEPT_ANYWAY
    assert set(found) in ({"404"}, {"404", "405"})


@pytest.mark.parametrize("name", OF_REVIEWERS)
def test_another_reviewers_paper_is_not_found(opened: World, name: str) -> None:
    url = address(opened, name, assignment=opened.objects["their assignment"])
    found = []
    for method in METHODS:
        with undone() as written:
            response = ask(opened, name, method, "reviewer", url)
            found.append(outcome(response))
            _says_nothing(response, "reviewer")
            assert set(written) <= KEPT_ANYWAY
    assert set(found) in ({"404"}, {"404", "405"})
