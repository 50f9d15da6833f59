"""The document: what is in it, in which units, and that it is JSON whatever the venue."""

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from conftest import ROOT
from venues import venue_decisions, venue_table

import surpeer
from surpeer.core.status import Status
from surpeer.ranking import FLAGS
from surpeer.report.content import report_of
from surpeer.report.document import document_of


def document(results: object) -> dict[str, Any]:
    return document_of(report_of(results))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return document(venue_decisions())


def test_columns_are_as_long_as_the_ranking(found: dict[str, Any]) -> None:
    for name, column in found["papers"].items():
        assert column is not None, name
        assert len(column) == 60, name


def test_shares_are_thousandths(found: dict[str, Any]) -> None:
    tiny = found["tracks"].index("Tiny")  # too small for its predictions to be followed
    for row, track in zip(found["papers"]["prior"], found["papers"]["track"], strict=True):
        assert row is None if track == tiny else sum(row) == pytest.approx(1000, abs=3)
    for rows, counts in zip(found["papers"]["predictions"], found["papers"]["counts"], strict=True):
        for level, reviewers, shares in rows:
            assert counts[level] == reviewers
            assert sum(shares) == pytest.approx(1000, abs=3)
    assert all(sum(row) == pytest.approx(1000, abs=3) for row in found["reviews"]["prediction"])


def test_codes_lead_to_words(found: dict[str, Any]) -> None:
    words = found["words"]
    assert [name for name, _ in words["flags"]] == list(FLAGS)
    assert [name for name, _ in words["statuses"]] == [status.label for status in Status]
    decisions = venue_decisions()
    table = decisions.table
    for row, flags in enumerate(table["flags"].to_list()):
        bits = found["papers"]["flags"][row]
        assert [name for bit, (name, _) in enumerate(words["flags"]) if bits >> bit & 1] == flags
    assert [words["proposals"][code] for code in found["papers"]["proposal"]] == table["proposal"].to_list()
    assert [words["reasons"][code][0] for code in found["papers"]["reason"]] == table["reason"].to_list()
    assert [found["tracks"][code] for code in found["papers"]["track"]] == table["track"].to_list()


def test_decision_counts_add_up(found: dict[str, Any]) -> None:
    decision = found["decision"]
    assert decision["accept"] + decision["discuss"] + decision["reject"] == 60
    assert decision["places"] == 20
    assert decision["open"] == 20 - decision["accept"]
    score = found["papers"]["score"]
    assert decision["cut"] == pytest.approx((score[19] + score[20]) / 2, abs=1e-4)


def test_infinite_and_missing_scores_are_null() -> None:
    reviews = surpeer.read_reviews(ROOT / "examples" / "workshop.csv")
    ranking = surpeer.calibrate(reviews, "surprisal")
    found = document(ranking)
    value = ranking.scores.value[ranking.order]
    assert [number is None for number in found["papers"]["score"]] == (~np.isfinite(value)).tolist()
    assert found["papers"]["low"] is None
    text = json.dumps(found, allow_nan=False)
    assert "NaN" not in text
    assert "Infinity" not in text


def test_partial_predictions_have_gaps() -> None:
    table = venue_table().with_columns(pl.lit(None).cast(pl.Float64).alias("p_2"), p_3=pl.lit(None).cast(pl.Float64))
    found = document(surpeer.calibrate(surpeer.Reviews.from_table(table, surpeer.Scale.parse("1..5"))))
    first = found["reviews"]["prediction"][0]
    assert first[1] is None
    assert first[2] is None
    assert first[0] is not None


def test_expected_ratings_instead_of_shares() -> None:
    table = venue_table().select("paper", "reviewer", "rating", pl.lit(3.25).alias("expected"))
    found = document(surpeer.calibrate(surpeer.Reviews.from_table(table, surpeer.Scale.parse("1..5"))))
    assert found["reviews"]["expected"] == [3.25] * 240
    assert found["reviews"]["prediction"] == [None] * 240
    assert found["predictions"]["groups"][0]["judged"] == 240


def test_one_paper_and_whole_number_ids() -> None:
    table = {"paper": [7, 7], "rating": ["reject", "accept"], "p_reject": [0.5, 0.4], "p_accept": [0.5, 0.6]}
    found = document(surpeer.calibrate(surpeer.Reviews.from_table(table)))
    assert found["papers"]["id"] == ["7"]
    assert found["papers"]["clearly_better_than"] == [0]
    assert found["predictions"]["groups"][0]["skill"] is None
