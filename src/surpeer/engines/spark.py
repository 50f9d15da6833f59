"""Reviews in a Spark DataFrame -> scores, ranks and decisions in a Spark DataFrame: the same as in memory.

    rows -> checks -> whole numbers -> sums by paper -> scores -> ranks -> a result
          executors,                   one shuffle      executors   kinds of papers to the driver and back
          counts to the driver

For the venue method a sample of the sums also goes to the driver, which learns from it and sends back what it learned.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import polars as pl

from surpeer.checked_rows import RowChecker
from surpeer.columns import PAPER, RATING, TITLE, TRACK, find_layout
from surpeer.deciding import AtTheCut
from surpeer.decisions import CERTAINTY, check_certainty, methods_with_errors, places_of
from surpeer.engines.finishing import Finishing
from surpeer.engines.public_table import public_chunk
from surpeer.engines.rows import check_levels
from surpeer.engines.spark_batches import Named, broadcast, collected_named, map_batches
from surpeer.engines.spark_checking import Checked, check_all
from surpeer.engines.spark_deciding import decide_on_spark
from surpeer.engines.spark_failures import spark_failures
from surpeer.engines.spark_notes import notes_of_run
from surpeer.engines.spark_ranking import RankedOnSpark, rank_on_spark, ranked_schema
from surpeer.engines.spark_sums import (
    Sizes,
    has_numbers,
    learn_on_spark,
    sizes_of_tracks,
    sum_on_spark,
    track_problems,
)
from surpeer.errors import InputError, Problem, ReviewProblems, ScaleError, UnknownName, quoted
from surpeer.prediction_units import UNITS
from surpeer.ranking_notes import tie_notes
from surpeer.rating_cells import different_ratings
from surpeer.scale import MOST_LEVELS, Scale
from surpeer.scores import DEFAULT_METHOD, find_method
from surpeer.scores.method import Learned

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

DECIDED_IN_WORDS = {
    "p_accept": pl.Float64(),
    "p_better_than_cut": pl.Float64(),
    "proposal": pl.String(),
    "reason": pl.String(),
}

MOST_RATINGS = 10 * MOST_LEVELS
"""Different ratings that are looked at to find out what the levels are."""


def score_on_spark(
    reviews: "DataFrame",
    scale: Scale | None = None,
    *,
    method: str = DEFAULT_METHOD,
    values: tuple[float, ...] | None = None,
    unit: str = "fraction",
    normalise: bool = False,
    drop_bad_predictions: bool = False,
    rank: bool = True,
    accept: int | float | Fraction | None = None,
    certainty: float = CERTAINTY,
    notes: list[str] | None = None,
) -> "DataFrame":
    """Score and rank the papers of a Spark DataFrame of reviews (surpeer.columns says which columns it has).

    scale, values, unit, normalise, drop_bad_predictions : as in Reviews.from_table
    method : how papers are scored
    rank : without ranks no two papers need be compared, and nothing but the venue method asks for more than one pass
    accept, certainty : also propose what to accept, to discuss and to reject, as `decide` does
    notes : filled with what a user should know about the reviews and the ranking

    The columns are those of Ranking.table, or with `accept` of Decisions.table; rows come in no particular order.
    All rows are checked at once: ReviewProblems has everything that is wrong. What is computed on the way is kept on
    the executors, in memory or on disk, until the session ends or `spark.catalog.clearCache()` is called.
    """
    require_dataframe(reviews)
    with spark_failures():
        reading = (unit, normalise, drop_bad_predictions)
        run = SparkRun.of(reviews, scale, values, reading, method, "the DataFrame")
        table = run.decided(accept, certainty) if accept is not None else run.ranked() if rank else run.unranked()
    if notes is not None:
        notes += run.notes()
    return table


@dataclass
class SparkRun:
    """One run over a DataFrame. Everything is computed when it is first asked for."""

    checked: Checked
    method: str
    sums: "DataFrame"
    sizes: Sizes | None = None
    learned: Learned | None = None
    ranking: RankedOnSpark | None = None
    around: AtTheCut | None = None
    """What is next to the cut."""
    kept: list[Any] = field(default_factory=list)
    """Tables that executors keep."""

    @classmethod
    def of(
        cls,
        reviews: "DataFrame",
        scale: Scale | None,
        values: tuple[float, ...] | None,
        reading: tuple[str, bool, bool],
        method: str,
        source: str,
        names: tuple[str, ...] = (),
    ) -> "SparkRun":
        """Check all rows, add them up, and learn what the method learns.

        reading : unit, normalise and drop_bad_predictions; source : how errors name the reviews; names : of all
        columns that there were, where the table has only those that are read
        """
        rule = find_method(method)
        checker = checker_of(reviews, scale, values, reading, source, names)
        check_levels(checker.scale)
        checked = check_all(reviews, checker, rule.learning is not None, source)
        run = cls(checked, method, sum_on_spark(checked))
        form = checked.form
        if rule.learning is not None or form.track:
            run.keep(run.sums)
            if form.track:
                checked.findings.add_problems(track_problems(run.sums))
                checked.findings.raise_if_any()
            run.sizes = sizes_of_tracks(run.sums, form)
            run.learned = learn_on_spark(run.sums, form, checker.scale, method, run.sizes)
        return run

    def keep(self, table: "DataFrame") -> None:
        """Keep a table that is used more than once. What is lost with an executor is computed again, the same."""
        table.persist()
        self.kept.append(table)

    def release(self) -> None:
        """Let go of what is kept, if there still is somebody who keeps it."""
        with contextlib.suppress(Exception):
            for table in self.kept:
                table.unpersist()

    @property
    def scored_schema(self) -> pl.Schema:
        form = self.checked.form
        errors = ["standard_error", "own_share"] if find_method(self.method).gives_errors else []
        return pl.Schema(
            {
                PAPER: pl.Int64 if has_numbers(self.checked.rows, PAPER) else pl.String,
                **({TITLE: pl.String} if form.title else {}),
                **({TRACK: pl.String} if form.track else {}),
                "reviews": pl.Int64,
                "mean": pl.Float64,
                "score": pl.Float64,
                **dict.fromkeys(errors, pl.Float64),
                "status": pl.Int8,
                "flags": pl.Int16,
            }
        )

    def scored(self) -> "DataFrame":
        """Every paper with its score."""
        finishing = Finishing(self.checked.form, self.checked.checker.scale, self.method, self.learned)
        return map_batches(Named.of(self.sums), _Finish(broadcast(self.sums, finishing)), self.scored_schema)

    def ranked_codes(self) -> RankedOnSpark:
        """Every paper with its rank."""
        if self.ranking is None:
            scored = self.scored()
            self.keep(scored)
            self.ranking = rank_on_spark(scored, self.scored_schema)
        return self.ranking

    def unranked(self) -> "DataFrame":
        return self._public(self.scored(), {})

    def ranked(self) -> "DataFrame":
        return self._public(self.ranked_codes().table, {"rank": pl.Int64})

    def decided(self, accept: int | float | Fraction, certainty: float) -> "DataFrame":
        """Every paper with its rank and what is proposed for it."""
        check_certainty(certainty)
        check_errors(self.method)
        ranking = self.ranked_codes()
        places = places_of(accept, ranking.papers)
        codes = ranked_schema(self.scored_schema)
        table, self.around = decide_on_spark(ranking, codes, places, certainty)
        hidden = ("own_share", "status", "flags")
        shown = [(name, kind) for name, kind in codes.items() if name not in hidden]
        schema = pl.Schema([*shown, *DECIDED_IN_WORDS.items(), ("flags", pl.List(pl.String))])
        return map_batches(Named.of(table), _publish, schema)

    def _public(self, table: "DataFrame", first: dict[str, Any]) -> "DataFrame":
        words = {"status": pl.String, "flags": pl.List(pl.String)}
        schema = pl.Schema({**first, **self.scored_schema, **words})
        return map_batches(Named.of(table), _publish, schema)

    def notes(self) -> list[str]:
        """What a user should know."""
        notes = notes_of_run(self.checked, self.method, self.learned, self.sizes, self.ranking)
        if self.around is not None and self.around.tied_rank is not None and self.ranking is not None:
            notes += tie_notes(self.ranking.papers_at(self.around.tied_rank), self.around.tied_rank)
        return notes


class _Finish:
    """Scores batches of sums, on an executor."""

    def __init__(self, finishing: Any) -> None:
        self.finishing = finishing

    def __call__(self, frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        return (self.finishing.value(frame) for frame in frames if len(frame))


def _publish(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    return map(public_chunk, frames)


def checker_of(
    reviews: "DataFrame",
    scale: Scale | None,
    values: tuple[float, ...] | None,
    reading: tuple[str, bool, bool],
    source: str,
    names: tuple[str, ...] = (),
) -> RowChecker:
    """How the rows are to be read, or ReviewProblems with what keeps us from telling."""
    unit, normalise, drop_bad_predictions = reading
    if unit not in UNITS:
        raise UnknownName("unit", unit, UNITS)
    if scale is not None and not isinstance(scale, Scale):
        raise ScaleError(f"found {scale!r} as the scale, expected a Scale; Scale.preset and read_scale make one")
    names = names or tuple(reviews.columns)
    layout, problems = find_layout(names, scale, lambda: _ratings(reviews))
    if layout is None:
        raise ReviewProblems(source, problems)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        found = f"two columns {', '.join(map(quoted, twice))}"
        raise ReviewProblems(source, [Problem(None, None, found, "one of each name", "rename or drop one of the two")])
    if values is not None:
        layout = replace(layout, scale=layout.scale.with_values(values))
    return RowChecker(layout, unit, normalise, drop_bad_predictions, columns=names)


def _ratings(reviews: "DataFrame") -> list[str]:
    if RATING not in reviews.columns:
        return []
    column = Named.of(reviews, [RATING])
    return different_ratings(collected_named(replace(column, table=column.table.distinct()), MOST_RATINGS))


def check_errors(method: str) -> None:
    """An error that says which methods give standard errors, where this one gives none."""
    known = methods_with_errors()
    if method not in known:
        raise InputError(
            f"the method {method} gives no standard errors, so no probability is known; methods that do: "
            f"{', '.join(known)}"
        )


def require_dataframe(table: Any) -> None:
    """Say what was expected where something else than a Spark DataFrame is given."""
    if not hasattr(table, "mapInArrow"):
        raise InputError(f"found a {type(table).__name__}, expected a Spark DataFrame")
    if type(table).__module__.startswith("pyspark.sql.connect"):
        raise InputError("found a DataFrame of Spark Connect, expected one of a session that runs in this process")
