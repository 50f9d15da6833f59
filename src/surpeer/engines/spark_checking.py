"""Checks of all rows of a Spark DataFrame: the same rules as everywhere, and everything that is wrong at once.

Each executor checks its rows and sends a few numbers and the first problems. A cluster knows no numbers of rows, so
problems name papers.
"""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from surpeer.checked_rows import CheckedRows, RowChecker, RowCounts
from surpeer.columns import DISTRIBUTION, EXPECTED, PAPER, PREDICTION, RATING, REVIEWER, TITLE, TRACK, Layout
from surpeer.engines.reading import Totals, with_named_tracks
from surpeer.engines.rows import Form, form_of
from surpeer.engines.spark_batches import Named, collected, collected_named, map_batches
from surpeer.engines.spark_unread import COMMAS, OTHER, UNREAD, problems_in
from surpeer.errors import Problem, ReviewProblems, quoted
from surpeer.findings import MOST, Findings
from surpeer.prediction_cells import prediction_columns
from surpeer.prediction_counts import PredictionCounts, Settled, unit_by_signs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FIRST_ROWS = 1000
"""From which the unit of predictions is guessed before all rows are looked at."""

SUMMARY = pl.Schema({"summary": pl.Binary})


@dataclass
class Looked:
    """What some rows say."""

    totals: Totals
    form: Form | None = None
    counts: RowCounts | None = None
    problems: list[Problem] = field(default_factory=list)
    problem_count: int = 0
    of_table: list[Problem] = field(default_factory=list)
    """Problems of whole columns, each once."""
    track: bool = False
    """Whether any row has a track."""
    title: bool = False
    unread: list[Problem] = field(default_factory=list)
    """Rows and files that could not be read."""
    commas: int = 0
    """Numbers with a decimal comma."""

    def add(self, checked: CheckedRows, ids: pl.Series, moments: bool) -> None:
        """Take in a batch; `ids` are its papers as they were before rows without content were left out."""
        self.counts = checked.counts if self.counts is None else self.counts + checked.counts
        self.problem_count += checked.problem_count
        of_rows = [problem for problem in checked.problems if problem.row is not None]
        self.problem_count -= len(checked.problems) - len(of_rows)
        self.of_table += [
            problem for problem in checked.problems if problem.row is None and problem not in self.of_table
        ]
        self.problems += [_named(problem, ids) for problem in of_rows[: MOST - len(self.problems)]]
        if checked.problems or not len(checked):
            return
        self.track |= _any_text(checked.track)
        self.title |= _any_text(checked.title)
        form = form_of(checked, moments=moments)
        self.form = form if self.form is None else self.form.merged(form)
        if moments:
            self.totals.add(with_named_tracks(checked))


def _any_text(column: pl.Series | None) -> bool:
    return column is not None and column.null_count() < len(column)


def _named(problem: Problem, ids: pl.Series) -> Problem:
    """The problem of a row, with the paper instead of a number that means nothing."""
    if problem.row is None:
        return problem
    paper = ids[problem.row]
    where = "in a review without a paper" if paper is None else f"in a review of paper {quoted(paper)}"
    return replace(problem, row=None, found=f"{problem.found} {where}")


@dataclass(frozen=True)
class Checked:
    """What the rows of a DataFrame are, now that all of them are known to be sound."""

    rows: Named
    """The columns that are read."""
    checker: RowChecker
    form: Form
    totals: Totals
    findings: Findings
    commas: int
    """Numbers with a decimal comma."""


def check_all(table: "DataFrame", checker: RowChecker, moments: bool, source: str) -> Checked:
    """Check every row, and raise ReviewProblems with everything that is wrong, or say what the rows are."""
    read = Named.of(table, columns_read(checker.layout))
    looked_at = Named.of(table, [*read.names, UNREAD, COMMAS]) if UNREAD in table.columns else read
    checker = checker.settle(_first_rows(read, checker))
    looked = _look(looked_at, checker, moments)
    raise_damage(looked.unread, source)
    settled = None if looked.counts is None else _settled_by_all(looked.counts.predictions)
    if settled != checker.settled:  # the first rows, which may be any on a cluster, were not like all the others
        checker = replace(checker, settled=settled)
        looked = _look(looked_at, checker, moments)
    if looked.counts is not None and looked.counts.skipped:
        _merge(looked, _look(_with_other_content(table, read), checker, moments))
    findings = Findings(checker, source)
    if looked.counts is not None:
        findings.add_counts(looked.counts)
    findings.unread_count = len(looked.unread)
    in_order = sorted(looked.unread, key=lambda problem: (problem.file, problem.row or 0))
    findings.add_problems([*looked.of_table, *in_order])
    findings.add_problems(looked.problems, total=looked.problem_count)
    findings.add_problems(repeated_reviews(read) if checker.layout.has_reviewer else [])
    findings.raise_if_any()
    layout = replace(checker.layout, has_track=looked.track, has_title=looked.title, has_reviewer=False)
    form = looked.form or Form(len(checker.scale), moments=moments)
    form = replace(form, track=looked.track, title=looked.title)
    return Checked(read, replace(checker, layout=layout), form, looked.totals, findings, looked.commas)


def raise_damage(unread: Sequence[Problem], source: str) -> None:
    """Raise for files that cannot be read: what others say does not matter then."""
    damage = [problem for problem in unread if problem.row is None]
    if damage:
        raise ReviewProblems(source, list(dict.fromkeys(damage)))


def _with_other_content(table: "DataFrame", read: Named) -> Named:
    """Rows that are empty as far as they are read, and have something in other columns. They are not read in the first
    place, so that columns that mean nothing to us need not be."""
    from pyspark.sql import functions as f

    every = Named.of(table)
    others = [name for name in table.columns if name not in (*read.names, UNREAD, COMMAS)]
    if not others:
        return Named(read.table.limit(0), read.names)
    is_empty = reduce(and_, (f.col(every.column(name)).isNull() for name in read.names))
    is_filled = reduce(or_, (f.col(every.column(name)).isNotNull() for name in others))
    columns = [every.column(name) for name in read.names]
    rows = every.table.where(is_empty & is_filled).select(*columns, f.lit("filled").alias(OTHER)).limit(MOST)
    return Named(rows, (*read.names, OTHER))


def columns_read(layout: Layout) -> list[str]:
    """The columns of a table that say something, in the order in which they are read."""
    optional = {
        REVIEWER: layout.has_reviewer,
        PREDICTION: layout.top_share,
        DISTRIBUTION: layout.distribution,
        EXPECTED: layout.has_expected,
        TRACK: layout.has_track,
        TITLE: layout.has_title,
    }
    return [PAPER, RATING, *(name for name, there in optional.items() if there), *layout.shares]


def _first_rows(rows: Named, checker: RowChecker) -> pl.DataFrame:
    """Rows that say in which unit predictions are; none where that is known without looking."""
    from pyspark.sql.types import StringType

    written = [rows.table.schema[rows.column(name)].dataType for name in prediction_columns(checker.layout)]
    if checker.unit == "auto" or any(isinstance(kind, StringType) for kind in written):
        return collected_named(rows, FIRST_ROWS)
    lists = {DISTRIBUTION: pl.List(pl.Float64)}
    return pl.DataFrame(schema={name: lists.get(name, pl.Int64()) for name in rows.names})


def _look(rows: Named, checker: RowChecker, moments: bool) -> Looked:
    levels = len(checker.scale)

    def look(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        part = Looked(Totals(levels))
        for every in frames:
            frame = every
            if UNREAD in every.columns:
                part.unread += problems_in(every[UNREAD])[: MOST - len(part.unread)]
                part.commas += int(every[COMMAS].sum())
                frame = every.drop(UNREAD, COMMAS)
            checked = checker.check(frame, np.arange(len(frame)), MOST)
            part.add(checked, frame[PAPER], moments)
        if part.counts is not None:
            yield pl.DataFrame({"summary": [pickle.dumps(part)]}, schema=SUMMARY)

    whole = Looked(Totals(levels))
    for (summary,) in collected(map_batches(rows, look, SUMMARY)).iter_rows():
        _merge(whole, pickle.loads(summary))  # noqa: S301
    return whole


def _merge(whole: Looked, part: Looked) -> None:
    if part.counts is not None:
        whole.counts = part.counts if whole.counts is None else whole.counts + part.counts
    if part.form is not None:
        whole.form = part.form if whole.form is None else whole.form.merged(part.form)
    whole.problem_count += part.problem_count
    whole.of_table += [problem for problem in part.of_table if problem not in whole.of_table]
    whole.unread += part.unread[: MOST - len(whole.unread)]
    whole.problems += part.problems[: MOST - len(whole.problems)]
    whole.commas += part.commas
    whole.track |= part.track
    whole.title |= part.title
    _add_totals(whole.totals, part.totals)


def _add_totals(whole: Totals, part: Totals) -> None:
    for name, counts in part.counts.items():
        whole.counts[name] = whole.counts.get(name, np.zeros(whole.levels, dtype=np.int64)) + counts
        longer, shorter = sorted((whole.sums.get(name, []), part.sums[name]), key=len, reverse=True)
        whole.sums[name] = [one + shorter[at] if at < len(shorter) else one for at, one in enumerate(longer)]


def _settled_by_all(counts: PredictionCounts) -> Settled:
    """The unit as all rows have it, where they can say so."""
    settled = counts.settled
    unit = unit_by_signs(counts.signed, counts.plain) if settled.asked == "fraction" else settled.unit
    usual = None if settled.usual is None else counts.sums.usual
    return replace(settled, unit=unit or settled.unit, usual=usual)


def repeated_reviews(rows: Named) -> list[Problem]:
    """A problem for every review that is there twice."""
    paper, reviewer = rows.column(PAPER), rows.column(REVIEWER)
    given = rows.table.where(f"{reviewer} is not null and cast({reviewer} as string) != '' and {paper} is not null")
    twice = given.groupBy(paper, reviewer).count().where("count > 1").orderBy(paper, reviewer).limit(MOST)
    return [
        Problem(
            None,
            REVIEWER,
            f"{times} reviews of paper {quoted(of)} by {quoted(by)}",
            "one review by each reviewer",
            "keep one of them",
        )
        for of, by, times in collected(twice).iter_rows()
    ]
