"""Spark finds what `calibrate` finds in memory: ranks, status and flags exactly, scores to 1e-12."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from at_length import in_both, is_slow_run
from spark_local import needs_spark, spark
from spark_reviews import assert_same, collected, invented, on_spark, scale_of

from surpeer.decisions import decide
from surpeer.demo import make_venue
from surpeer.engines.spark import score_on_spark
from surpeer.errors import InputError, ReviewProblems, UnknownName
from surpeer.pipeline import calibrate
from surpeer.reviews import Reviews
from surpeer.scale import Scale
from surpeer.scores import METHODS

__all__ = ["spark"]
pytestmark = needs_spark


def in_memory(frame: pl.DataFrame, scale: Scale | None, method: str, **reading: Any) -> pl.DataFrame:
    return calibrate(Reviews.from_table(frame, scale, **reading), method).table


WITHOUT_RANKS = ("mean", "sp", "surprisal_phi", "linear_bayes")
"""Methods that differ from surprisal in nothing but the score of a paper: in the suite, their papers are not ranked."""


@pytest.mark.parametrize(
    "method", [pytest.param(name, marks=pytest.mark.slow if name in WITHOUT_RANKS else []) for name in METHODS]
)
def test_every_method_on_two_levels_in_whole_percents(spark: Any, method: str) -> None:
    frame = invented(2, ids="whole numbers")
    expected = in_memory(frame, scale_of(2), method, unit="percent")
    if method == "surprisal":  # with whole percents the determinant is often exactly zero
        assert (expected["status"] == "incoherent").sum() > 10
    found = collected(score_on_spark(on_spark(spark, frame), scale_of(2), method=method, unit="percent"))
    assert_same(found, expected)


@pytest.mark.parametrize("method", ["venue", pytest.param("surprisal", marks=pytest.mark.slow)])
def test_four_levels_and_ids_that_are_text(spark: Any, method: str) -> None:
    frame = invented(4, reviews=900, papers=60, ids="text")
    expected = in_memory(frame, scale_of(4), method, unit="percent")
    found = collected(score_on_spark(on_spark(spark, frame, 5), scale_of(4), method=method, unit="percent"))
    assert_same(found, expected)


def test_a_venue_whose_predictions_are_followed(spark: Any) -> None:
    frame = make_venue(np.random.default_rng(5), 300).reviews
    notes: list[str] = []
    expected = in_memory(frame, Scale(["reject", "accept"]), "venue")
    found = score_on_spark(on_spark(spark, frame, 2), Scale(["reject", "accept"]), notes=notes)
    assert_same(collected(found), expected)
    assert any(note.startswith("predictions are followed") for note in notes)


@in_both
def test_partitions_and_the_order_of_rows_change_nothing_at_all(spark: Any) -> None:
    frame = invented(3, seed=3).with_columns((pl.col("^p_.*$") / 300).name.keep())  # thirds: no decimals
    frame = frame.with_columns(p_L0=1 - pl.col("p_L1") - pl.col("p_L2"))
    expected = in_memory(frame, scale_of(3), "surprisal")
    rng = np.random.default_rng(1)
    orders = {1: frame.sort("paper"), 7: frame[rng.permutation(len(frame))]}
    if is_slow_run():
        orders[2] = frame.reverse()
    results = [
        collected(score_on_spark(on_spark(spark, rows, partitions), scale_of(3), method="surprisal"))
        for partitions, rows in orders.items()
    ]
    assert_same(results[0], expected)
    assert all(result.equals(results[0]) for result in results)


def test_incomplete_predictions_tracks_and_titles(spark: Any) -> None:
    frame = invented(4, seed=4, ids="text")
    rng = np.random.default_rng(2)
    for level in range(4):
        frame = frame.with_columns(
            pl.when(pl.Series(rng.random(len(frame)) < 0.7)).then(pl.col(f"p_L{level}")).alias(f"p_L{level}")
        )
    number = pl.col("paper").str.len_chars() + pl.col("paper").rank("dense")
    frame = frame.with_columns(
        pl.when(number % 3 == 0).then(pl.lit(" theory ")).when(number % 3 == 1).then(pl.lit("practice")).alias("track"),
        title=pl.when(number % 2 == 0).then("On " + pl.col("paper")),
    )
    reading = {"unit": "percent", "drop_bad_predictions": True}
    expected = in_memory(frame, scale_of(4), "venue", **reading)
    assert set(expected["track"]) == {"theory", "practice", "(none)"}
    notes: list[str] = []
    found = score_on_spark(
        on_spark(spark, frame, 4), scale_of(4), unit="percent", drop_bad_predictions=True, notes=notes
    )
    assert_same(collected(found), expected)
    assert any("predictions leave some levels empty: the method venue uses" in note for note in notes)
    assert "one ranking of all 3 tracks, as if they were equally good on average" in notes


def test_shares_in_a_list_and_expected_ratings(spark: Any) -> None:
    frame = invented(3, seed=5).with_columns(pl.col("^p_.*$") / 100)
    listed = frame.select("paper", "rating", distribution=pl.concat_list(pl.col("^p_.*$")))
    expected = in_memory(listed, scale_of(3), "sp")
    assert_same(collected(score_on_spark(on_spark(spark, listed), scale_of(3), method="sp")), expected)


def test_expected_ratings_alone(spark: Any) -> None:
    """Without any complete prediction, and then without any prediction at all."""
    frame = invented(3, seed=6)
    scale = scale_of(3).with_values((1, 2, 3))
    expected_only = frame.select("paper", "rating", expected=1 + (pl.col("p_L1") + 2 * pl.col("p_L2")) / 100)
    expected = in_memory(expected_only, scale, "venue")
    assert_same(collected(score_on_spark(on_spark(spark, expected_only), scale)), expected)
    ratings_only = frame.select("paper", "rating", track=pl.lit(None, dtype=pl.String))
    expected = in_memory(ratings_only, scale, "venue")
    assert_same(collected(score_on_spark(on_spark(spark, ratings_only), scale)), expected)


def test_levels_with_dots_and_columns_that_differ_in_capitals(spark: Any) -> None:
    frame = invented(2, seed=7).rename({"p_L0": "p_1.5", "p_L1": "p_2.5"})
    frame = frame.with_columns(pl.col("rating").replace({"L0": "1.5", "L1": "2.5"}), Paper=pl.lit("not read"))
    expected = in_memory(frame, None, "surprisal", unit="percent")
    notes: list[str] = []
    found = score_on_spark(on_spark(spark, frame), method="surprisal", unit="percent", notes=notes)
    assert_same(collected(found), expected)
    assert "levels taken from the p_ columns, lowest first: 1.5, 2.5" in notes


@pytest.mark.parametrize("method", ["surprisal", *WITHOUT_RANKS])
def test_without_ranks(spark: Any, method: str) -> None:
    frame = invented(2)
    expected = in_memory(frame, scale_of(2), method, unit="percent").drop("rank").sort("paper")
    without = expected.with_columns(pl.col("flags").list.set_difference(["tie", "cycle"]))
    table = score_on_spark(on_spark(spark, frame), scale_of(2), method=method, unit="percent", rank=False)
    found = collected(table)
    assert_same(found.with_columns(pl.col("flags").list.sort()), without.with_columns(pl.col("flags").list.sort()))


@pytest.mark.parametrize("accept", [20, 0.5])
def test_decisions(spark: Any, accept: int | float) -> None:
    """The cut goes between two papers, and through a tie."""
    frame = invented(2, seed=8, papers=60, ids="text")
    decisions = decide(calibrate(Reviews.from_table(frame, scale_of(2), unit="percent")), accept, certainty=0.6)
    assert (decisions.tied_at_cut > 0) == (accept == 0.5)
    notes: list[str] = []
    found = score_on_spark(
        on_spark(spark, frame), scale_of(2), unit="percent", accept=accept, certainty=0.6, notes=notes
    )
    assert_same(collected(found), decisions.table)
    assert any("the cut goes through a tie" in note for note in notes) == (accept == 0.5)


def test_decisions_that_cannot_be_made(spark: Any) -> None:
    frame = on_spark(spark, invented(2, papers=5, reviews=20), 1)
    with pytest.raises(InputError, match="the method mean gives no standard errors.*methods that do: venue"):
        score_on_spark(frame, scale_of(2), method="mean", unit="percent", accept=2)
    with pytest.raises(InputError, match="certainty 0.2: expected a probability from 0.5"):
        score_on_spark(frame, scale_of(2), unit="percent", accept=2, certainty=0.2)
    with pytest.raises(InputError, match="accept 5 of 5 papers: expected from 1 to 4"):
        score_on_spark(frame, scale_of(2), unit="percent", accept=5)


def test_all_problems_at_once(spark: Any) -> None:
    frame = pl.DataFrame(
        {
            "paper": ["A", "A", "", "B", "C"],
            "rating": ["yes", "no", "yes", "maybe", "yes"],
            "p_no": [0.2, 0.3, 0.4, 0.5, 1.7],
            "p_yes": [0.8, 0.7, 0.6, 0.5, 0.2],
            "reviewer": ["r", "r", "", None, "q"],
        }
    )
    with pytest.raises(ReviewProblems) as caught:
        score_on_spark(on_spark(spark, frame, 2), Scale(["no", "yes"]))
    said = [str(problem) for problem in caught.value.problems]
    assert len(said) == caught.value.total == 4
    assert 'column rating: found "maybe" in a review of paper "B", expected one of no, yes' in "\n".join(said)
    assert any(text.startswith('column paper: found an empty cell in a review of paper "", expected') for text in said)
    assert any(text.startswith("column p_no") and 'of paper "C", expected' in text for text in said)
    assert 'column reviewer: found 2 reviews of paper "A" by "r", expected one review by each reviewer' in "\n".join(
        said
    )


def test_a_paper_in_two_tracks(spark: Any) -> None:
    frame = invented(2).with_columns(track=pl.lit("one"))
    paper = frame["paper"][0]
    frame[0, "track"] = "two"
    said = (
        f'column track: found both "one" and "two" for paper "{paper}", expected one track for all reviews of a paper'
    )
    with pytest.raises(ReviewProblems, match=said):
        score_on_spark(on_spark(spark, frame), scale_of(2), unit="percent")


def test_the_unit_is_that_of_all_rows_and_not_of_the_first(spark: Any) -> None:
    signed = invented(2).with_columns(pl.format("{}%", pl.col("^p_.*$")))
    none = signed.head(1200).with_columns(pl.lit(None, dtype=pl.String).alias(name) for name in ("p_L0", "p_L1"))
    frame = pl.concat([none, none, none, signed])
    expected = in_memory(frame, scale_of(2), "venue")
    notes: list[str] = []
    assert_same(collected(score_on_spark(on_spark(spark, frame, 1), scale_of(2), notes=notes)), expected)
    assert "predictions have % signs and are read as percentages" in notes


def test_what_cannot_be_scored_at_all(spark: Any) -> None:
    frame = on_spark(spark, invented(2), 1)
    with pytest.raises(ReviewProblems, match="found no reviews, expected at least one row"):
        score_on_spark(frame.limit(0), scale_of(2))
    with pytest.raises(ReviewProblems, match='expected a column rating; rename "ratings" to rating'):
        score_on_spark(frame.withColumnRenamed("rating", "ratings"), scale_of(2))
    with pytest.raises(ReviewProblems, match='found two columns "rating", expected one of each name'):
        score_on_spark(frame.select("*", frame["rating"]), scale_of(2))
    with pytest.raises(UnknownName, match="unknown method"):
        score_on_spark(frame, scale_of(2), method="median")
    with pytest.raises(UnknownName, match="unknown unit"):
        score_on_spark(frame, scale_of(2), unit="percents")
    with pytest.raises(InputError, match="found a DataFrame, expected a Spark DataFrame"):
        score_on_spark(invented(2))  # type: ignore[arg-type]
