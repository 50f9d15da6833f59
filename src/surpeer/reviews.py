"""A table of reviews -> Reviews: checked columns, or every problem of the table at once."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from surpeer.columns import EXPECTED, PAPER, REVIEWER, TITLE, TRACK, Layout, find_layout, reviewer_notes
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import InputError, Problem, ReviewProblems, ScaleError, UnknownName, counted, quoted
from surpeer.expected_cells import combine, read_expected, stand_for_others
from surpeer.paper_cells import read_titles, read_tracks
from surpeer.prediction_rows import read_predictions
from surpeer.prediction_units import UNITS
from surpeer.rating_cells import rating_texts, read_ratings
from surpeer.scale import Scale
from surpeer.showing import Shown
from surpeer.verdicts import upside_down, usual_order


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
        texts = rating_texts(frame)
        layout, problems = find_layout(frame.columns, scale, lambda: texts.unique().drop_nulls().sort().to_list())
        if layout is None:
            raise ReviewProblems(source, problems)
        if values is not None:
            layout = replace(layout, scale=layout.scale.with_values(values))
        numbers = np.arange(first_row, first_row + len(frame)) if rows is None else rows
        return _check(frame, texts, layout, _Reading(unit, normalise, drop_bad_predictions, source), numbers)


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


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a table is to be read."""

    unit: str
    normalise: bool
    drop_bad_predictions: bool
    source: str


def _check(frame: pl.DataFrame, texts: pl.Series, layout: Layout, reading: _Reading, rows: IntArray) -> Reviews:
    source = reading.source
    kept = _rows_with_content(frame)
    skipped = len(frame) - len(kept)
    if skipped:
        frame, texts, rows = frame[kept], texts.gather(kept), rows[kept]
    if not len(frame):
        raise ReviewProblems(source, [Problem(None, None, "no reviews", "at least one row below the header")])
    ids = frame[PAPER]
    with ThreadPoolExecutor(max_workers=1) as beside:  # numbering the papers takes as long as all the other checks
        numbering = beside.submit(_read_papers, ids, rows)
        ratings, rating_problems = read_ratings(texts, layout.scale, rows)
        predictions, prediction_problems, prediction_notes = read_predictions(
            frame, layout, reading.unit, rows, reading.normalise, reading.drop_bad_predictions
        )
        expected, expected_problems, expected_notes = (
            read_expected(frame[EXPECTED], layout.scale, rows) if layout.has_expected else (None, [], [])
        )
        repeated = _repeated_reviews(frame[REVIEWER], ids, rows) if layout.has_reviewer else []
        papers, paper, paper_problems = numbering.result()
    numbered = all(problem.row is not None for problem in paper_problems)
    track, track_problems, track_notes = (
        read_tracks(frame[TRACK], papers, paper, rows) if numbered and layout.has_track else (None, [], [])
    )
    title, title_problems, title_notes = (
        read_titles(frame[TITLE], papers, paper) if numbered and layout.has_title else (None, [], [])
    )
    of_cells = [*paper_problems, *rating_problems, *prediction_problems, *expected_problems]
    problems = [*of_cells, *track_problems, *title_problems, *repeated]
    if problems:
        in_order = sorted(problems, key=lambda problem: -1 if problem.row is None else problem.row)
        raise ReviewProblems(source, in_order, (*layout.notes, *_order_notes(layout.scale)))
    if expected is not None:
        expected, predictions, combined_notes = combine(expected, predictions, layout.scale)
        expected_notes += combined_notes
    return Reviews(
        scale=layout.scale,
        papers=papers,
        paper=paper,
        rating=ratings,
        predictions=predictions,
        reviewer=frame[REVIEWER] if layout.has_reviewer else None,
        notes=(
            *layout.notes,
            *([f"skipped {counted(skipped, 'empty row')}"] if skipped else []),
            *reviewer_notes(frame.columns),
            *_order_notes(layout.scale),
            *_value_notes(layout.scale),
            *prediction_notes,
            *expected_notes,
            *track_notes,
            *title_notes,
            *_similar_papers(papers),
        ),
        expected=expected,
        track=track,
        title=title,
    )


def _rows_with_content(frame: pl.DataFrame) -> IntArray:
    """Positions of the rows in which some cell is filled."""
    if not frame[PAPER].null_count():
        return np.arange(len(frame))
    return np.flatnonzero(frame.select(pl.any_horizontal(pl.all().is_not_null())).to_series().to_numpy())


def _read_papers(ids: pl.Series, rows: IntArray) -> tuple[pl.Series, IntArray, list[Problem]]:
    """The different ids in order, the position of each row's id among them, and a problem for every empty cell."""
    if not ids.dtype.is_integer() and ids.dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        found = f"ids of type {ids.dtype}"
        return ids, rows, [Problem(None, PAPER, found, "text or whole numbers", "convert the column to text")]
    if not ids.dtype.is_integer():
        ids = ids.cast(pl.String)
    papers = ids.unique().sort()
    blank = papers.is_null() if ids.dtype.is_integer() else papers.str.strip_chars().fill_null("") == ""
    numbered = pl.DataFrame({PAPER: papers, "index": np.arange(len(papers))})
    joined = ids.to_frame(PAPER).join(numbered, on=PAPER, how="left", maintain_order="left", nulls_equal=True)
    paper = joined["index"].to_numpy()
    problems = [
        Problem(int(rows[at]), PAPER, "an empty cell", "the id of a paper", "fill it in or delete the row")
        for at in (np.flatnonzero(blank.to_numpy()[paper]) if blank.any() else ())
    ]
    return papers, paper, problems


def _repeated_reviews(reviewer: pl.Series, ids: pl.Series, rows: IntArray) -> list[Problem]:
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
    return [
        Problem(
            row["row"],
            REVIEWER,
            f"a second review of paper {quoted(row[PAPER])} by {quoted(row[REVIEWER])} "
            f"(the first is in row {row['first']})",
            "one review by each reviewer",
            "keep one of the two",
        )
        for row in first.filter(pl.col("row") != pl.col("first")).iter_rows(named=True)
    ]


def _order_notes(scale: Scale) -> list[str]:
    """A note where levels that everybody knows are given in another order than the usual one."""
    usual, pair = usual_order(scale.levels), upside_down(scale.levels)
    given = f"levels as given, lowest first: {', '.join(scale.levels)}"
    if usual is not None and usual != scale.levels:
        return [f"{given}; usually it is {', '.join(usual)}"]
    return [] if pair is None else [f"{given}; usually {pair[0]} is lower than {pair[1]}"]


def _value_notes(scale: Scale) -> list[str]:
    """A note where levels are numbers but stand for others, so that nobody takes 1..5 for -2..2."""
    if not stand_for_others(scale):
        return []
    standing_for = ", ".join(f"{value:g}" for value in scale.values)
    return [f"the levels {', '.join(scale.levels)} stand for {standing_for}; --values gives other numbers"]


def _similar_papers(papers: pl.Series) -> list[str]:
    """A note on ids that differ in surrounding space only: two papers for us, one for the chair?"""
    if papers.dtype != pl.String:
        return []
    stripped = papers.str.strip_chars()
    if (stripped == papers).all() or stripped.n_unique() == len(papers):
        return []
    twins = papers.filter(stripped.is_duplicated())
    return [f"paper ids that differ only in spaces are different papers: {', '.join(map(repr, twins[:4]))}"]
