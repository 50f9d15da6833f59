"""The whole description, tried by schemathesis with made-up calls, good and bad: the server never fails, and every
answer is one that the description has."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import schemathesis
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from pytest_django import DjangoDbBlocker
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    positive_data_acceptance,
    response_schema_conformance,
    status_code_conformance,
)

from surpeer.web.accounts import limits
from surpeer.web.results.computing import compute
from surpeer.web.results.pseudonyms import review_code
from surpeer.web.venues.models import Assignment
from web.api_script import make_token
from web.filled_venue import add_review, excluded, opened, without_pictures
from web.people import People

CONFIG = schemathesis.Config.from_dict({"generation": {"max-examples": 12, "deterministic": True, "no-shrink": True}})
description = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application(), config=CONFIG)

pytestmark = pytest.mark.django_db
CONFORMS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@contextmanager
def one_connection() -> Iterator[None]:
    """Django drops a connection that is in a transaction at the end of a request; its own test client does this, too."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[People]:
    """Reviews of two papers, one of them excluded, and results that are open and computed. One database for all calls:
    what they change stays until the end."""
    with django_db_blocker.unblock(), one_connection(), transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        without_pictures(patch)
        patch.setattr(limits, "MOST", 10**6)  # wrong tokens are among what is made up
        patch.setattr(settings, "EMAIL_BACKEND", "django.core.mail.backends.dummy.EmailBackend")
        people = People.make()
        of_two = Assignment.objects.filter(paper__in=people.papers[:2])
        given = [add_review(assignment, number % 2, [8, 12]) for number, assignment in enumerate(of_two)]
        excluded(people, given[0].assignment)
        compute(opened(people.venue))
        yield people
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def headers(filled: People) -> dict[str, str]:
    """Of a chair's script."""
    return {"Authorization": f"Bearer {make_token(filled.chair)[1]}"}


@description.parametrize()
def test_made_up_calls_of_a_chair(headers: dict[str, str], case: Case) -> None:
    """As they were made up: bad ones are refused. Good ones may be refused, too, by what a venue is (409, 422)."""
    response = case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance])
    assert response.status_code < 500


@description.parametrize()
def test_made_up_calls_about_what_there_is(filled: People, headers: dict[str, str], case: Case) -> None:
    """With the address of something that there is put in."""
    there = {"slug": filled.venue.slug, "pk": filled.papers[0].pk, "code": review_code(filled.assignments[0].pk)}
    case.path_parameters = {name: there[name] for name in case.path_parameters or {}}
    response = case.call_and_validate(headers=headers, checks=CONFORMS)
    assert response.status_code < 500


@description.parametrize()
def test_made_up_calls_of_nobody(filled: People, case: Case) -> None:
    case.headers.pop("Authorization", None)
    response = case.call()
    case.validate_response(response, checks=CONFORMS)
    assert response.status_code in (401, 404, 405)
