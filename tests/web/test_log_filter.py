"""What the server's log says of addresses with secrets in them."""

import logging

import pytest
from django.conf import settings
from django.test import Client

from surpeer.web.log_filter import RefusalsInOneLine, WithoutSecrets
from web.people import People


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/r/abc-DEF_1/", "/r/(secret)/"),
        ("/join/abc/", "/join/(secret)/"),
        ("/password/reset/MQ/abc-1/", "/password/reset/MQ/(secret)/"),
        ("/venues/r/papers/", "/venues/r/papers/"),
        ("/reviews/7/", "/reviews/7/"),
    ],
)
def test_secrets_are_left_out(path: str, shown: str) -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, "%s: %s", ("Not Found", path), None)
    assert WithoutSecrets().filter(record)
    assert record.getMessage() == f"Not Found: {shown}"


def test_a_refused_link_is_logged_without_its_secret(db: None, caplog: pytest.LogCaptureFixture) -> None:
    assert settings.LOGGING["handlers"]["stderr"]["filters"] == ["without secrets", "refusals in one line"]
    caplog.handler.addFilter(WithoutSecrets())
    assert Client().get("/r/a-secret-that-opens-nothing/").status_code == 404
    assert "/r/(secret)/" in caplog.text
    assert "a-secret-that-opens-nothing" not in caplog.text


@pytest.mark.parametrize(
    ("path", "status", "line"),
    [
        ("/venues/workshop/invite/", 403, "Forbidden (Permission denied): /venues/workshop/invite/"),
        ("/venues/elsewhere/", 404, "Not Found: /venues/elsewhere/"),
    ],
)
def test_a_refusal_is_one_line(
    people: People, caplog: pytest.LogCaptureFixture, path: str, status: int, line: str
) -> None:
    caplog.handler.addFilter(RefusalsInOneLine())
    assert people.browsers["observer"].get(path).status_code == status
    assert [caplog.handler.format(record).split(" ", 1)[1].strip() for record in caplog.records] == [
        f"django.request:log.py:{caplog.records[0].lineno} {line}"
    ]


@pytest.mark.parametrize(("more", "kept"), [({"status_code": 409}, False), ({"status_code": 500}, True), ({}, True)])
def test_only_faults_say_where_in_the_program_they_are(more: dict[str, int], kept: bool) -> None:
    failure = (ValueError, ValueError("x"), None)
    record = logging.makeLogRecord({"msg": "said", "exc_info": failure, **more})
    assert RefusalsInOneLine().filter(record)
    assert (record.exc_info == failure) is kept
