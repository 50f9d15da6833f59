"""What is read from OpenReview's notes, for tests."""

from typing import Any

import pytest

from surpeer.errors import ReviewProblems
from surpeer.io.content import Content
from surpeer.io.platforms.openreview.form import read_form
from surpeer.io.platforms.openreview.platform import PLATFORM
from surpeer.io.review_form.export import Export, Field


def read(document: Any, form: Any = None) -> Export:
    content = Content("notes.json", json=document)
    return PLATFORM.read(content, None if form is None else read_form(form))


def cells(export: Export, name: str) -> list[str | None]:
    return field(export, name).cells


def field(export: Export, name: str) -> Field:
    return next(field for field in export.fields if field.name == name)


def problem_of(document: Any) -> str:
    with pytest.raises(ReviewProblems) as caught:
        read(document)
    return str(caught.value)
