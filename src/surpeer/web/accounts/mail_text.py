"""The text of a mail from its template: plain text, which a page that shows it escapes like any other."""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string


def mail_text(template: str, said: Mapping[str, Any]) -> str:
    """The template filled in. Django marks what it renders as safe HTML, which a mail with names and titles that others
    typed is not: a slice is an ordinary `str` without that mark."""
    return render_to_string(template, dict(said))[:]
