"""Every operation of the API, as everybody: the same matrix as for pages, walked by the description of the API."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from importlib.util import find_spec
from typing import Any

import pytest
from django.urls import URLResolver, get_resolver
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from surpeer.web.accounts.models import ApiToken, User
from surpeer.web.venues.models import Membership
from web.access_calls import call, operations
from web.access_matrix import API, REFUSALS, Row, rows_of
from web.access_world import MARKS, ROLES, World, undone

pytestmark = pytest.mark.django_db
ROWS = rows_of(API) if find_spec("surpeer.web.api") else []
KEPT_ANYWAY = {"visits_visit", "accounts_wrongguess", "audit_entry", "accounts_apitoken"}
"""When a token was last used is kept, too."""
NO_OPERATIONS = {"api-root", "openapi-json"}


@pytest.fixture(autouse=True, scope="module")
def _quiet() -> Iterator[None]:
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Before the results are opened."""
    with django_db_blocker.unblock(), undone():
        yield World.make()


@pytest.fixture(scope="module")
def opened(world: World) -> Iterator[World]:
    """The same world after the results were opened."""
    with undone():
        world.open_results(files=False)
        yield world


def test_every_operation_has_a_row_and_every_row_an_operation() -> None:
    assert {(row.name, row.method) for row in ROWS} == {(name, method) for name, (method, _) in operations().items()}
    assert len(ROWS) == len({row.name for row in ROWS})


def test_every_address_of_the_api_is_described() -> None:
    found = {pattern.name for pattern in _addresses(get_resolver(), inside=False)}
    assert found - NO_OPERATIONS == operations().keys()


def _addresses(resolver: URLResolver, inside: bool) -> Iterator[Any]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from _addresses(pattern, inside or pattern.app_name == "ninja")
        elif inside:
            yield pattern


def _check(world: World, row: Row, opened: bool) -> None:
    for role in ROLES:
        with undone() as written:
            response = call(world, row.name, role)
            found = str(response.status_code)
            assert found == row.expected(role, opened), f"{role}: {response.content.decode()}"
            if found in REFUSALS or row.method == "GET":
                assert set(written) <= KEPT_ANYWAY, role
            if found in REFUSALS - {"403", "409"}:
                assert [name for name, mark in MARKS.items() if mark in response.content.decode()] == [], role


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_before_the_results_are_opened(world: World, row: Row) -> None:
    assert row.cells
    _check(world, row, opened=False)


@pytest.mark.parametrize("row", [row for row in ROWS if row.depends_on_opening], ids=lambda row: row.name)
def test_after_the_results_were_opened(opened: World, row: Row) -> None:
    assert row.cells
    _check(opened, row, opened=True)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_session_is_no_token_and_neither_is_one_that_is_void(opened: World, row: Row) -> None:
    method, path = operations()[row.name]
    path = path.format(slug="workshop", pk=1, code="x")
    with undone() as written:
        assert opened.browser("chair").generic(method, path).status_code == 401
        for change in ({"revoked_at": timezone.now()}, {"expires_at": timezone.now() - timedelta(seconds=1)}):
            with undone():
                ApiToken.objects.filter(user=opened.people.chair).update(**change)
                assert call(opened, row.name, "chair").status_code == 401
        assert set(written) <= KEPT_ANYWAY


def test_what_belongs_to_another_venue_is_not_found(opened: World) -> None:
    numbered = [name for name, (_, path) in operations().items() if "{pk}" in path]
    for name in numbered:
        kind = "reviewer" if "/reviewers/" in operations()[name][1] else "paper"
        with undone() as written:
            assert call(opened, name, "chair", pk=opened.objects[f"other {kind}"]).status_code == 404, name
            assert set(written) <= KEPT_ANYWAY, name
    assert numbered


def test_whoever_lost_her_part_in_a_venue_loses_it_with_her_token(opened: World) -> None:
    with undone():
        Membership.objects.filter(user=opened.people.chair).delete()
        assert call(opened, "read_venue", "chair").status_code == 404
    with undone():
        User.objects.filter(pk=opened.people.chair.pk).update(is_active=False)
        assert call(opened, "read_venue", "chair").status_code == 401
