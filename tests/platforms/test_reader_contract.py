"""Whatever content a reader is given, it makes an Export that keeps its promises, or says what is wrong."""

import contextlib
import json

import pytest
from at_length import in_both
from damage import damaged_cells, damaged_document, documents, samples_that_end_in, tries
from hypothesis import given
from hypothesis import strategies as st
from platform_samples import (
    SAMPLES,
    rows_of,
)

from surpeer.errors import SurpeerError
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.registry import PLATFORMS
from surpeer.io.review_form.export import Export, Platform

contents = st.builds(Content, st.just("file"), st.just(()), documents) | st.builds(
    Content,
    st.just("file"),
    st.lists(st.builds(Sheet, st.lists(st.lists(st.text(max_size=6), max_size=5), max_size=4)), max_size=2).map(tuple),
)


def check_export(export: Export) -> None:
    """What the contract of an export says."""
    count = len(export.paper)
    assert all(isinstance(paper, str) and paper.strip() for paper in export.paper)
    for name in ("place", "reviewer", "name", "round", "submitted", "draft", "withdrawn", "track", "title"):
        column = getattr(export, name)
        assert column is None or len(column) == count, name
    assert export.place == sorted(export.place)
    assert all(title is None or (title and title == title.strip()) for title in export.title or ())
    for field in export.fields:
        assert len(field.cells) == count
        assert all(cell is None or (isinstance(cell, str) and cell == cell.strip() and cell) for cell in field.cells)
    assert export.rating is None or export.rating in [field.name for field in export.fields]


def check_platform(platform: Platform, content: Content) -> None:
    kind = platform.recognise(content)
    assert kind is None or (isinstance(kind, str) and kind)
    with contextlib.suppress(SurpeerError):
        check_export(platform.read(content, None))


@in_both
@pytest.mark.parametrize("name", sorted(PLATFORMS))
def test_readers_take_anything(name: str) -> None:
    @tries(100)
    @given(contents)
    def check(content: Content) -> None:
        check_platform(PLATFORMS[name], content)

    check()


@in_both
@pytest.mark.parametrize("name", [name for name in samples_that_end_in(".json", ".csv") if SAMPLES[name].platform])
def test_readers_take_what_is_damaged(name: str) -> None:  # of other samples a reader gets the same sheets
    sample = SAMPLES[name]
    if sample.name.endswith(".json"):
        made = damaged_document(json.loads(sample.data)).map(lambda document: Content("file", json=document))
    else:
        made = damaged_cells(rows_of(sample.data)).map(lambda rows: Content("file", (Sheet(rows),)))

    @tries(60)
    @given(made)
    def check(content: Content) -> None:
        check_platform(PLATFORMS[str(sample.platform)], content)

    check()
