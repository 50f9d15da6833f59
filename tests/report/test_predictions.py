"""What the report says of predictions in words, and its counts about the data."""

import numpy as np
import polars as pl
import pytest
from venues import venue_decisions, venue_table

import surpeer
from surpeer.core.prediction_quality import PredictionQuality
from surpeer.report.content import report_of
from surpeer.report.data_quality import data_quality
from surpeer.report.predictions import _histogram, _verdict


@pytest.mark.parametrize(
    ("skill", "error", "begins"),
    [
        (0.2, 0.05, "Predictions were better than always predicting the average: they missed "),
        (-0.2, 0.05, "Predictions were worse than always predicting the average: they missed "),
        (0.05, 0.05, "Whether predictions were better than always predicting the average is not certain: they missed "),
        (0.2, np.nan, "Whether predictions were better than always predicting the average is not certain: "),
        (np.nan, np.nan, "There is too little to judge the predictions by."),
    ],
)
def test_verdicts(skill: float, error: float, begins: str) -> None:
    assert _verdict(PredictionQuality(10, 10, 0.4, 0.5, skill, error), 10).startswith(begins)


def test_verdicts_on_nothing() -> None:
    quality = PredictionQuality(0, 0, np.nan, np.nan, np.nan, np.nan)
    assert _verdict(quality, 0) == "Nobody predicted anything."
    assert _verdict(quality, 3) == "There is too little to judge the predictions by."


@pytest.mark.parametrize(
    ("method", "influence"),
    [
        ("mean", "The method mean does not use predictions."),
        ("sp", "The method sp takes predictions as they are, whether they are good or not."),
        ("venue", "Predictions are followed with weight "),
    ],
)
def test_influence(method: str, influence: str) -> None:
    reviews = surpeer.Reviews.from_table(venue_table(levels=2, tiny=0).drop("track"))
    report = report_of(surpeer.calibrate(reviews, method))
    assert report.predictions.groups[0].influence.startswith(influence)
    assert report.followed == (method != "mean")


def test_caveats_are_in_the_head() -> None:
    small = report_of(venue_decisions(papers=10, tiny=0))
    assert small.caveats == [
        "Only 5 papers in a track to learn from: scores are less certain than their standard errors say.",
        "One ranking of all 2 tracks, as if they were equally good on average.",
    ]
    large = report_of(surpeer.calibrate(surpeer.Reviews.from_table(venue_table().drop("track"))))
    assert large.caveats == []


def test_pushes_are_counted_in_round_steps() -> None:
    steps = _histogram([("A", np.array([-0.31, 0.02, 0.05, np.nan])), ("B", np.array([0.02]))])
    assert sum(step.papers for step in steps) == 4
    width = steps[0].high - steps[0].low
    assert width == pytest.approx(0.05)
    for step in steps:
        assert step.high - step.low == pytest.approx(width)
        assert step.low / width == pytest.approx(round(step.low / width))
    assert _histogram([]) == []
    assert _histogram([(None, np.array([np.nan]))]) == []


def test_counts_about_the_data() -> None:
    table = venue_table(papers=12, tiny=0)
    row = pl.arange(0, pl.len())
    table = table.with_columns(
        **{f"p_{at}": pl.when(row < 4).then(None).otherwise(pl.col(f"p_{at}")) for at in (1, 2)},
        **{f"p_{at}": pl.when(row < 2).then(None).otherwise(pl.col(f"p_{at}")) for at in (3, 4, 5)},
    )
    found = dict(data_quality(surpeer.calibrate(surpeer.Reviews.from_table(table.head(45)))).rows)
    assert found == {
        "reviews": "45",
        "papers": "12",
        "reviews of a paper": "1 to 4, half of the papers have at most 4",
        "reviewers": found["reviewers"],
        "reviews with a complete prediction": "41",
        "reviews with a part of a prediction": "2",
        "reviews without a prediction": "2",
        "papers without any prediction": "0",
        "papers with a single review": "1",
        "papers whose predictions contradict each other": "0",
        "rating levels, lowest first": "1 (1), 2 (2), 3 (3), 4 (4), 5 (5)",
    }
    assert found["reviewers"] == str(table.head(45)["reviewer"].n_unique())
