"""A table of reviews -> Reviews: checked columns, or every problem of the table at once."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from surpeer.checked_rows import RowChecker, rows_with_content
from surpeer.columns import PAPER, REVIEWER, find_layout
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import InputError, Problem, ReviewProblems, ScaleError, UnknownName, counted, quoted
from surpeer.paper_cells import read_titles, read_tracks, spaces_notes
from surpeer.paper_ids import id_problems, plain_ids, twin_ids
from surpeer.prediction_units import UNITS
from surpeer.rating_cells import different_ratings
from surpeer.scale import Scale
from surpeer.showing import Shown
from surpeer.slips import MOST_DESCRIBED, Slips, first_problems, in_order


@dataclass(frozen=True, repr=False)
class Reviews(Shown):
    """Checked reviews as long columns; n reviews of N papers on a scale of K levels."""

    scale: Scale
    papers: pl.Series
    """(N,) ids, sorted, each once."""
    paper: IntArray
    """(n,) index into `papers`."""
    rating: IntArray
    """(n,) index into the scale's levels."""
    predictions: FloatArray
    """(n, K) predicted shares, NaN where none is given; a prediction is complete when its row has no NaN."""
    reviewer: pl.Series | None = None
    """(n,) ids, as given."""
    notes: tuple[str, ...] = ()
    """What a user should know about how the table was read."""
    expected: FloatArray | None = None
    """(n,) the rating expected of another reviewer, in the scale's values; NaN where none is given or where shares,
    which say more, make it idle: it is never there beside a complete prediction."""
    track: pl.Series | None = None
    """(N,) the part of the venue that each paper belongs to, as text, in the order of `papers`."""
    title: pl.Series | None = None
    """(N,) the title of each paper as it was written, in the order of `papers`; null where a paper has none."""

    def __len__(self) -> int:
        return len(self.rating)

    def __repr__(self) -> str:
        return f"<Reviews: {len(self):,} of {counted(len(self.papers), 'paper')} on {', '.join(self.scale.levels)}>"

    @cached_property
    def has_prediction(self) -> BoolArray:
        """(n,) whether the review has a complete prediction: a share for every level."""
        return np.asarray(~np.isnan(self.predictions.sum(axis=1)))

    @cached_property
    def has_forecast(self) -> BoolArray:
        """(n,) whether the review says anything of the others: a share for some level, or an expected rating."""
        some_share = np.asarray((~np.isnan(self.predictions)).any(axis=1))
        return some_share if self.expected is None else some_share | ~np.isnan(self.expected)

    @classmethod
    def from_table(
        cls,
        table: Any,
        scale: Scale | None = None,
        *,
        values: tuple[float, ...] | None = None,
        unit: str = "fraction",
        normalise: bool = False,
        drop_bad_predictions: bool = False,
        source: str = "table",
        first_row: int = 0,
        rows: IntArray | None = None,
    ) -> "Reviews":
        """Check a table of reviews (surpeer.columns says which columns it has).

        table : a polars, pandas or pyarrow table, or a mapping from column names to columns
        scale : the rating scale; without it the levels are taken from the p_ columns, one for each level
        values : other numbers for the levels than the scale's
        unit : how predictions are given: as a `fraction` of one, in `percent`, as a `count` of imagined reviewers, or
            `auto`: each row says so itself (surpeer.prediction_units)
        normalise : whether predictions that do not sum to the whole, but nearly, are scaled; a note counts them
        drop_bad_predictions : whether a prediction that cannot be used is left out, and counted in a note, instead of
            being a problem; the rating stays
        source, first_row : how problems name the table, and its first row
        rows : (n,) increasing numbers of the rows, where they are not one after the other

        Raises ReviewProblems with every problem that the table has.
        """
        if unit not in UNITS:
            raise UnknownName("unit", unit, UNITS)
        if scale is not None and not isinstance(scale, Scale):
            raise ScaleError(f"found {scale!r} as the scale, expected a Scale; Scale.preset and read_scale make one")
        frame = as_frame(table)
        layout, problems = find_layout(frame.columns, scale, lambda: different_ratings(frame))
        if layout is None:
            raise ReviewProblems(source, problems)
        if values is not None:
            layout = replace(layout, scale=layout.scale.with_values(values))
        numbers = np.arange(first_row, first_row + len(frame)) if rows is None else rows
        checker = RowChecker(layout, unit, normalise, drop_bad_predictions, columns=tuple(frame.columns))
        return _check(frame, checker, source, numbers)


def as_frame(table: Any) -> pl.DataFrame:
    """Any of the tables we take, as a polars frame."""
    if isinstance(table, pl.DataFrame):
        return table
    if isinstance(table, pl.LazyFrame):
        return table.collect()
    try:
        if isinstance(table, Mapping):
            return pl.DataFrame(dict(table), strict=False)
        if hasattr(table, "__arrow_c_stream__"):
            return pl.DataFrame(table)
    except ImportError:  # pandas offers its columns by way of pyarrow, which need not be there
        columns = table.to_dict(orient="list")
        return pl.DataFrame({name: [_none_for_nan(cell) for cell in cells] for name, cells in columns.items()})
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise InputError(f"the table cannot be read: {error}") from error
    raise InputError(
        f"found a {type(table).__name__}, expected a polars, pandas or pyarrow table or a mapping of columns; "
        "to read a file use surpeer.read_reviews"
    )


def _none_for_nan(cell: Any) -> Any:
    return None if cell != cell else cell


def _check(frame: pl.DataFrame, checker: RowChecker, source: str, numbers: IntArray) -> Reviews:
    numbered = not id_problems(frame[PAPER])
    with ThreadPoolExecutor(max_workers=1) as beside:  # numbering the papers takes as long as all the other checks
        numbering = beside.submit(_number_papers, frame)
        checked = checker.check_any_ids(frame, numbers)
        papers, paper = numbering.result() if numbered else (checked.paper, checked.rows)
    rows, ids = checked.rows, checked.paper
    if not len(rows):
        raise ReviewProblems(source, [Problem(None, None, "no reviews", "at least one row below the header")])
    repeated = _repeated_reviews(checked.reviewer, ids, rows) if checked.reviewer is not None else []
    track, other_tracks, track_notes = (
        read_tracks(checked.track, papers, paper, rows) if numbered and checked.track is not None else (None, [], [])
    )
    title, title_notes = (
        read_titles(checked.title, papers, paper) if numbered and checked.title is not None else (None, [])
    )
    slips = [*other_tracks, *repeated]
    total = checked.problem_count + sum(map(len, slips))
    if total:
        described = in_order([*checked.problems, *first_problems(slips, MOST_DESCRIBED)])[:MOST_DESCRIBED]
        raise ReviewProblems(source, described, checker.problem_notes(), total)
    return Reviews(
        scale=checker.scale,
        papers=papers,
        paper=paper,
        rating=checked.rating.astype(np.int64),
        predictions=checked.shares,
        reviewer=checked.reviewer,
        notes=(*checker.notes(checked.counts), *track_notes, *title_notes, *spaces_notes(twin_ids(papers).to_list())),
        expected=checked.expected,
        track=track,
        title=title,
    )


def _number_papers(frame: pl.DataFrame) -> tuple[pl.Series, IntArray]:
    """The different ids in order, and the position of each row's id among them."""
    ids, kept = plain_ids(frame[PAPER]), rows_with_content(frame)
    if kept is not None:
        ids = ids.gather(kept)
    papers = ids.unique().sort()
    numbered = pl.DataFrame({PAPER: papers, "index": np.arange(len(papers))})
    joined = ids.to_frame(PAPER).join(numbered, on=PAPER, how="left", maintain_order="left", nulls_equal=True)
    return papers, joined["index"].to_numpy()


def _repeated_reviews(reviewer: pl.Series, ids: pl.Series, rows: IntArray) -> list[Slips]:
    if reviewer.dtype == pl.String and (reviewer == "").any():
        reviewer = reviewer.replace("", None)
    given = reviewer.is_not_null() if reviewer.null_count() else None
    paper_hash, reviewer_hash = ids.hash(1), reviewer.hash(2)
    if given is not None:
        paper_hash, reviewer_hash = paper_hash.filter(given), reviewer_hash.filter(given)
    if (paper_hash ^ reviewer_hash).n_unique() == len(paper_hash):
        return []
    pairs = pl.DataFrame({"row": rows, PAPER: ids, REVIEWER: reviewer}).filter(pl.col(REVIEWER).is_not_null())
    first = pairs.with_columns(first=pl.col("row").min().over(PAPER, REVIEWER))
    again = first.filter(pl.col("row") != pl.col("first"))

    def describe(index: int) -> Problem:
        row = again.row(index, named=True)
        return Problem(
            row["row"],
            REVIEWER,
            f"a second review of paper {quoted(row[PAPER])} by {quoted(row[REVIEWER])} "
            f"(the first is in row {row['first']})",
            "one review by each reviewer",
            "keep one of the two",
        )

    return [Slips(np.searchsorted(rows, again["row"].to_numpy()), describe)] if len(again) else []
