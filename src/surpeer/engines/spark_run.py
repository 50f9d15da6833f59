"""`surpeer score --engine spark`: files of reviews that a cluster can read -> a result."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import polars as pl

from surpeer.columns import DISTRIBUTION
from surpeer.decisions import CERTAINTY
from surpeer.engines.decision_counts import DecisionCounts
from surpeer.engines.result_files import check_output, write_result_chunks
from surpeer.engines.spark import SparkRun
from surpeer.engines.spark_batches import collected
from surpeer.engines.spark_failures import spark_failures
from surpeer.engines.spark_files import ReadReviews, read_reviews, refuse_existing, write_folder
from surpeer.engines.spark_listing import is_address
from surpeer.engines.spark_session import spark_session
from surpeer.io.review_file import DEFAULT_UNIT
from surpeer.proposals import Proposal
from surpeer.scale import Scale
from surpeer.scores import DEFAULT_METHOD, find_method

BY_RANK = ("rank", "paper")


@dataclass(frozen=True)
class SparkOptions:
    """How files are read and papers scored; names as in `score_on_spark`."""

    scale: Scale | None = None
    values: tuple[float, ...] | None = None
    unit: str | None = None
    """By default `fraction`, or `auto` where predictions are in one cell."""
    normalise: bool = False
    drop_bad_predictions: bool = False
    method: str = DEFAULT_METHOD
    accept: int | float | Fraction | None = None
    certainty: float = CERTAINTY
    input_format: str | None = None
    """parquet, csv or jsonl, where endings do not say it."""
    master: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    """Of Spark."""


@dataclass(frozen=True)
class SparkResult:
    """What came of a run."""

    notes: tuple[str, ...]
    table: pl.DataFrame | None = None
    """The result, best papers first, where it was not to be written."""
    decisions: DecisionCounts | None = None
    """What the decisions come to, where some were asked for."""


def run_on_spark(
    path: str, output: str | None = None, kind: str | None = None, *, options: SparkOptions
) -> SparkResult:
    """Score the reviews of a file, a folder, a glob or an address.

    output : a file, which the driver writes whole; an address or a folder, which the executors write as parts of
        Parquet; None to get the table
    kind : of output: csv, json, parquet, or folder; without it an address or a name without an ending is a folder
    """
    find_method(options.method)
    kind = kind or kind_of(output)
    if output is not None and kind != "folder":
        check_output(Path(output), kind)
    with spark_session(options.master, options.settings) as session:
        if output is not None and kind == "folder":
            refuse_existing(session, output)
        reviews = read_reviews(session, path, options.input_format)
        run = _run(reviews, path, options)
        try:
            result = _result(run, output, kind, options)
            return replace(result, notes=(*reviews.notes, *result.notes))
        finally:
            run.release()


def kind_of(output: str | None) -> str:
    """What is written where nobody said so.

    >>> kind_of("s3a://bucket/ranking"), kind_of("ranking"), kind_of("ranking.csv")
    ('folder', 'folder', 'csv')
    """
    if output is None or is_address(output) or not Path(output).suffix:
        return "folder"
    return Path(output).suffix.lower().removeprefix(".")


def _run(reviews: ReadReviews, path: str, options: SparkOptions) -> SparkRun:
    unit = options.unit or ("auto" if DISTRIBUTION in reviews.names else DEFAULT_UNIT)
    reading = (unit, options.normalise, options.drop_bad_predictions)
    with spark_failures(path):
        return SparkRun.of(reviews.table, options.scale, options.values, reading, options.method, path, reviews.names)


def _result(run: SparkRun, output: str | None, kind: str, options: SparkOptions) -> SparkResult:
    with spark_failures():
        table = run.ranked() if options.accept is None else run.decided(options.accept, options.certainty)
        if output is not None and kind == "folder":
            write_folder(table.orderBy(*BY_RANK), output)
            counts = collected(table.groupBy("proposal").count()) if run.around is not None else None
            return SparkResult(tuple(run.notes()), decisions=_decisions(run, counts, options))
        whole = collected(table).sort(BY_RANK)
    counts = whole["proposal"].value_counts() if run.around is not None else None
    result = SparkResult(tuple(run.notes()), whole, _decisions(run, counts, options))
    if output is None:
        return result
    left = write_result_chunks([whole], Path(output), kind)
    return replace(result, notes=(*result.notes, *left), table=None)


def _decisions(run: SparkRun, counts: pl.DataFrame | None, options: SparkOptions) -> DecisionCounts | None:
    """How many papers have which proposal, from a table of proposals and numbers."""
    if run.around is None or counts is None:
        return None
    by_label = dict(counts.iter_rows())
    proposals = Counter({proposal: by_label.get(proposal.label, 0) for proposal in Proposal})
    return DecisionCounts(run.around.places, options.certainty, proposals.total(), proposals)
