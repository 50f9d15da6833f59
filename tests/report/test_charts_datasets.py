"""The rows that charts draw, from a document of the report."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_document import sample_document

from surpeer.errors import InputError, UnknownName
from surpeer.report.charts.datasets import OF_ALL, OF_ONE, rows_of
from surpeer.report.charts.facts import facts_of


@pytest.fixture
def document() -> dict[str, Any]:
    return sample_document(4, tracks=("Theory", "Systems"))


def test_papers(document: dict[str, Any]) -> None:
    rows = rows_of(document, "papers")
    assert [row["id"] for row in rows] == ["W01", "W02", "W03", "W04"]
    assert [row["track"] for row in rows] == ["Theory", "Systems", "Theory", "Systems"]
    assert [row["proposal"] for row in rows] == ["accept", "discuss", "reject", "reject"]
    assert rows[1]["score"] == document["papers"]["score"][1]
    assert set(rows[0]) == {"id", "title", "track", "rank", "reviews", "mean", "mean_rank", "score", "low", "high", "p_accept", "proposal", "clearly_better_than", "clearly_worse_than", "why"}  # fmt: skip


def test_columns_that_do_not_apply_are_null(document: dict[str, Any]) -> None:
    absent = ("low", "high", "p_accept", "clearly_better_than", "title", "track", "proposal")
    document["papers"].update(dict.fromkeys(absent))
    row = rows_of(document, "papers")[0]
    assert [row[name] for name in absent] == [None] * 4 + [""] * 3
    document["papers"]["title"] = [None, "B", None, "D"]
    assert [row["title"] for row in rows_of(document, "papers")] == ["", "B", "", "D"]


def test_cut(document: dict[str, Any]) -> None:
    document["decision"] = {"places": 3, "cut": 0.25}
    assert rows_of(document, "cut") == [{"score": 0.25, "rank": 3.5}]
    document["decision"] = None
    assert rows_of(document, "cut") == []


def test_one_paper(document: dict[str, Any]) -> None:
    document["papers"]["counts"][1] = [1, 4]
    document["papers"]["prior"][1] = [250, 750]
    document["papers"]["predictions"][1] = [[0, 1, [600, 400]], [1, 3, [125, 875]]]
    assert rows_of(document, "levels", "W02") == [
        {"level": "reject", "position": 0, "share": 0.2, "prior": 0.25},
        {"level": "accept", "position": 1, "share": 0.8, "prior": 0.75},
    ]
    assert rows_of(document, "predictions", "W02") == [
        {"given": "reject", "reviewers": 1, "level": "reject", "position": 0, "share": 0.6},
        {"given": "reject", "reviewers": 1, "level": "accept", "position": 1, "share": 0.4},
        {"given": "accept", "reviewers": 3, "level": "reject", "position": 0, "share": 0.125},
        {"given": "accept", "reviewers": 3, "level": "accept", "position": 1, "share": 0.875},
    ]
    assert rows_of(document, "point", "W02") == [{"x": 0.4, "y": 0.875, "id": "W02"}]
    document["contours"] = {"scores": [-1, 1], "lines": {"4/5": [[[1000, 1000]], [[0, 1000], [800, 800]]]}}
    assert rows_of(document, "contour", "W02") == [
        {"score": -1, "line": 0, "step": 0, "x": 1.0, "y": 1.0},
        {"score": 1, "line": 1, "step": 0, "x": 0.0, "y": 1.0},
        {"score": 1, "line": 1, "step": 1, "x": 0.8, "y": 0.8},
    ]


def test_what_one_paper_does_not_have(document: dict[str, Any]) -> None:
    document["papers"]["prior"][0] = None
    document["papers"]["predictions"][0] = [[1, 3, [125, 875]]]
    assert [row["prior"] for row in rows_of(document, "levels", "W01")] == [None, None]
    assert rows_of(document, "point", "W01") == []
    document["papers"]["prior"], document["contours"] = None, None
    assert [row["prior"] for row in rows_of(document, "levels", "W02")] == [None, None]
    assert rows_of(document, "contour", "W02") == []
    document["papers"]["predictions"][0] = []
    assert rows_of(document, "predictions", "W01") == []


@given(papers=st.integers(1, 30), levels=st.integers(2, 9), at=st.integers(0, 29))
def test_shares_of_a_paper_add_up(papers: int, levels: int, at: int) -> None:
    made = sample_document(papers, levels=levels)
    rows = rows_of(made, "levels", made["papers"]["id"][at % papers])
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert [row["position"] for row in rows] == list(range(levels))
    mean = sum(row["share"] * value for row, value in zip(rows, made["scale"]["values"], strict=True))
    assert mean == pytest.approx(made["papers"]["mean"][at % papers], abs=1e-4)


def test_unknown_names(document: dict[str, Any]) -> None:
    with pytest.raises(UnknownName, match='unknown dataset "paper"; did you mean "papers"?'):
        rows_of(document, "paper")
    with pytest.raises(UnknownName, match='unknown paper "W3"; did you mean "W03"?'):
        rows_of(document, "levels", "W3")
    with pytest.raises(UnknownName, match='unknown paper "something else"; the 4 papers begin with W01, W02, W03, W04'):
        rows_of(document, "levels", "something else")
    with pytest.raises(InputError, match="this chart is about one paper; say which"):
        rows_of(document, "levels")


def test_the_public_sees_no_paper(document: dict[str, Any]) -> None:
    document["papers"] = None
    for name in ("papers", *OF_ONE):
        with pytest.raises(InputError, match="for readers who may not see single papers"):
            rows_of(document, name, "W01")
    for name in ("curve", "spread", "calibration", "pushes"):
        assert rows_of(document, name)
    assert facts_of(document).papers == 4


def test_rows_are_copies(document: dict[str, Any]) -> None:
    for name in OF_ALL:
        for row in rows_of(document, name):
            row.clear()
    assert all(document["curve"])
    assert all(document["spread"])
