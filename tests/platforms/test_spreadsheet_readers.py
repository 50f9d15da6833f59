"""Whatever stands in the cells, EasyChair's and CMT's readers give a whole Export or say what is wrong."""

import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st

from surpeer.errors import Problem, ReviewProblems
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.cmt import platform as cmt
from surpeer.io.platforms.easychair import platform as easychair
from surpeer.io.review_form.export import Export, Platform

HEADERS = {
    "easychair": [
        *("#", "submission #", "member #", "member name", "number", "version", "text", "scores", "total score"),
        *("reviewer first name", "reviewer email", "date", "time", "title", "decision", "deleted?", "track name", ""),
    ],
    "cmt": [
        *("Paper ID", "Paper Title", "Reviewer Name", "Reviewer Email", "Reviewer Number", "Created", "Last Modified"),
        *("Q1 (Overall)", "Q1 (Overall - Value)", "Q2 ()", "Q2 ( - Value)", "Q3 (a", "Meta-Reviewer Email", ""),
    ],
}
NEEDED = ["submission #", "scores", "number", "Paper ID", "Reviewer Email", "Q1 (Overall)"]
PLATFORMS = {"easychair": easychair.PLATFORM, "cmt": cmt.PLATFORM}
CELL = st.one_of(
    st.sampled_from(
        [
            *("", "1", "2", "-3", "yes", "withdrawn", "10%", "A: 1", "Overall evaluation: 2\nB: x", "(SUMMARY)\nfine"),
            *(
                "3/13/2021 6:21:39 PM -08:00",
                "99/99/9999",
                "2024-05-01",
                "10:00",
                "²",
                "٣",
                "9" * 5000,
                ": : 3",
                "((((",
            ),
        ]
    ),
    st.text(max_size=12),
)


@st.composite
def sheets(draw: st.DrawFn, names: list[str]) -> Sheet:
    header = draw(st.lists(st.sampled_from(names), max_size=12))
    if draw(st.integers(0, 3)):
        header = list(dict.fromkeys([*header, *NEEDED]))
    body = draw(st.lists(st.lists(CELL, max_size=13), max_size=6))
    above = draw(st.lists(st.lists(CELL, max_size=2), max_size=3))
    return Sheet([*above, header, *body], draw(st.sampled_from(["", "Main", "Reviews"])))


def check(export: Export) -> None:
    count = len(export.paper)
    lists = [export.place, export.reviewer, export.name, export.submitted, export.withdrawn, export.track]
    assert all(one is None or len(one) == count for one in lists)
    assert all(len(field.cells) == count for field in export.fields)
    assert all(export.paper)
    assert export.place == sorted(set(export.place))
    for field in export.fields:
        assert all(cell is None or (cell and cell == cell.strip()) for cell in field.cells)
    assert export.rating is None or export.rating in [field.name for field in export.fields]


@pytest.mark.parametrize("name", PLATFORMS)
@examples(250, derandomize=True)
@given(data=st.data())
def test_an_export_or_a_reason(name: str, data: st.DataObject) -> None:
    platform: Platform = PLATFORMS[name]
    content = Content("f", tuple(data.draw(st.lists(sheets(HEADERS[name]), max_size=3))))
    kind = platform.recognise(content)
    assert kind is None or isinstance(kind, str)
    problems: tuple[Problem, ...] = ()
    try:
        check(platform.read(content, None))
    except ReviewProblems as error:
        problems = error.problems
    assert all(problem.found and problem.expected for problem in problems)
