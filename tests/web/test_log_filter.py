"""What the server's log says of addresses with secrets in them."""

import logging

import pytest
from django.conf import settings
from django.test import Client

from surpeer.web.log_filter import WithoutSecrets


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
    assert settings.LOGGING["handlers"]["stderr"]["filters"] == ["without secrets"]
    caplog.handler.addFilter(WithoutSecrets())
    assert Client().get("/r/a-secret-that-opens-nothing/").status_code == 404
    assert "/r/(secret)/" in caplog.text
    assert "a-secret-that-opens-nothing" not in caplog.text
