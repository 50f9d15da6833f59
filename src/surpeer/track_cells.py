"""The column `track`: which part of the venue each paper belongs to."""

import numpy as np
import polars as pl

from surpeer.columns import TRACK
from surpeer.core.shapes import BoolArray, IntArray
from surpeer.errors import Problem, counted, quoted

NO_TRACK = "(none)"
"""The track of papers that have none, where others have one."""

LISTED = 5


def read_tracks(
    column: pl.Series, papers: pl.Series, paper: IntArray, rows: IntArray
) -> tuple[pl.Series | None, list[Problem], list[str]]:
    """(N,) track of every paper as text, a problem for every row at odds with its paper's others, and notes.

    column : (n,) cells, papers : (N,) ids, paper : (n,) index into them. Without a single track the result is None.
    """
    texts = _texts(column)
    if texts is None:
        found, remedy = f"tracks of type {column.dtype}", "convert the column, or rename it if it is something else"
        return None, [Problem(None, TRACK, found, "text or whole numbers", remedy)], []
    names = texts.drop_nulls().unique().sort()
    if not len(names):
        return None, [], []
    codes = texts.cast(pl.Enum(names)).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
    named = np.flatnonzero(codes >= 0)[::-1]  # the first row of a paper is written last, and stays
    first = np.full(len(papers), -1)
    first[paper[named]] = named
    of_paper = np.where(first >= 0, codes[first], -1)
    has_id = ~_is_blank(papers)[paper]
    problems = [
        _problem(int(rows[at]), texts[int(at)], papers[int(paper[at])], texts[other], int(rows[other]))
        for at in np.flatnonzero((codes != of_paper[paper]) & has_id)
        for other in [int(first[paper[at]])]
    ]
    tracks = pl.concat([names, pl.Series([NO_TRACK])]).gather(np.where(of_paper >= 0, of_paper, len(names)))
    return tracks.rename(TRACK), problems, _notes(tracks)


def _texts(column: pl.Series) -> pl.Series | None:
    """The tracks as text without spaces around it, null where there is none; None if they cannot be tracks."""
    if column.dtype.is_float():  # whole numbers beside empty cells are stored so
        numbers = column.fill_nan(None).cast(pl.Float64)
        column = numbers.cast(pl.Int64, strict=False)
        if column.null_count() > numbers.null_count() or not (column.cast(pl.Float64) == numbers).all():
            return None
    if not column.dtype.is_integer() and column.dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        return None
    texts = column.cast(pl.String).str.strip_chars()
    return pl.select(pl.when(texts != "").then(texts)).to_series()


def _is_blank(papers: pl.Series) -> BoolArray:
    """(N,) whether the id is none; that is reported elsewhere."""
    return (papers.cast(pl.String).str.strip_chars().fill_null("") == "").to_numpy()


def _problem(row: int, track: str | None, paper: object, first: str, first_row: int) -> Problem:
    found = "an empty cell" if track is None else quoted(track)
    other = f"{found} for paper {quoted(paper)}, which has {quoted(first)} in row {first_row}"
    remedy = "make them the same, or rename the column if it is something else"
    return Problem(row, TRACK, other, "one track for all reviews of a paper", remedy)


def _notes(tracks: pl.Series) -> list[str]:
    """How many papers each track has, the largest first."""
    sizes = sorted(tracks.value_counts(name="papers").rows(), key=lambda pair: (-pair[1], pair[0]))
    listed = ", ".join(f"{name}: {counted(size, 'paper')}" for name, size in sizes[:LISTED])
    notes = [f"{counted(len(sizes), 'track')}: {listed}" + (", ..." if len(sizes) > LISTED else "")]
    without = dict(sizes).get(NO_TRACK)
    if without:
        notes.append(f"{counted(without, 'paper')} without a track, taken as a track of their own")
    return notes
