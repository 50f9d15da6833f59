"""Columns that say something of the paper in every row of it: `track`, which must be the same in all, and `title`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from surpeer.columns import TITLE, TRACK
from surpeer.core.shapes import BoolArray, IntArray
from surpeer.errors import Problem, counted, listed, quoted
from surpeer.slips import Slips

NO_TRACK = "(none)"
"""The track of papers that have none, where others have one."""

LISTED, LISTED_TWINS = 5, 4


def read_tracks(
    texts: pl.Series, papers: pl.Series, paper: IntArray, rows: IntArray
) -> tuple[pl.Series | None, list[Slips], list[str]]:
    """(N,) track of every paper, a problem for every row at odds with its paper's others, and notes.

    texts : (n,) as of `track_texts`, papers : (N,) ids, paper : (n,) index into them. Without a single track the result
    is None.
    """
    names = texts.drop_nulls().unique().sort()
    if not len(names):
        return None, [], []
    codes = texts.cast(pl.Enum(names)).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
    first = _first_rows(codes >= 0, paper, len(papers))
    of_paper = np.where(first >= 0, codes[first], -1)
    has_id = ~_is_blank(papers)[paper]
    at_odds = np.flatnonzero((codes != of_paper[paper]) & has_id)

    def describe(index: int) -> Problem:
        at = int(at_odds[index])
        other = int(first[paper[at]])
        return other_track(int(rows[at]), texts[at], papers[int(paper[at])], texts[other], f"row {int(rows[other])}")

    tracks = pl.concat([names, pl.Series([NO_TRACK])]).gather(np.where(of_paper >= 0, of_paper, len(names)))
    return tracks.rename(TRACK), [Slips(at_odds, describe)] if len(at_odds) else [], _track_notes(tracks)


def read_titles(texts: pl.Series, papers: pl.Series, paper: IntArray) -> tuple[pl.Series | None, list[str]]:
    """(N,) title of every paper as it was written, null where it has none; and a note on papers that have several.

    A title decides nothing, so that two of one paper are no problem: the first counts. Arguments are those of tracks,
    texts as of `title_texts`.
    """
    first = _first_rows(texts.is_not_null().to_numpy(), paper, len(papers))
    if (first < 0).all():
        return None, []
    of_paper = texts.gather(np.maximum(first, 0))
    titles = pl.select(pl.when(pl.Series(first) >= 0).then(of_paper).alias(TITLE)).to_series()
    others = np.flatnonzero((texts != titles.gather(paper)).fill_null(value=False).to_numpy())
    several = papers.gather(np.unique(paper[others]))
    return titles, title_notes(several[: LISTED + 1].to_list(), len(several))


def track_texts(column: pl.Series) -> tuple[pl.Series | None, list[Problem]]:
    """(n,) tracks as text without spaces around it, null for an empty cell; or a problem of the column."""
    texts = _texts(column)
    return (None, [_wrong_type(column)]) if texts is None else (texts.str.strip_chars(), [])


def title_texts(column: pl.Series) -> tuple[pl.Series | None, list[Problem]]:
    """(n,) titles as text as it was written, null for an empty cell; or a problem of the column."""
    texts = _texts(column)
    return (None, [_wrong_type(column)]) if texts is None else (texts, [])


def _texts(column: pl.Series) -> pl.Series | None:
    """The cells as text, null where there is nothing but space; None if they cannot be names."""
    if column.dtype.is_float():  # whole numbers beside empty cells are stored so
        numbers = column.fill_nan(None).cast(pl.Float64)
        column = numbers.cast(pl.Int64, strict=False)
        if column.null_count() > numbers.null_count() or not (column.cast(pl.Float64) == numbers).all():
            return None
    if not column.dtype.is_integer() and column.dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        return None
    texts = column.cast(pl.String)
    return pl.select(pl.when(texts.str.strip_chars() != "").then(texts)).to_series()


def _first_rows(filled: BoolArray, paper: IntArray, papers: int) -> IntArray:
    """(N,) of each paper the first row that is filled: (n,); -1 where none is."""
    backwards = np.flatnonzero(filled)[::-1]  # the first row of a paper is written last, and stays
    first = np.full(papers, -1)
    first[paper[backwards]] = backwards
    return first


def _is_blank(papers: pl.Series) -> BoolArray:
    """(N,) whether the id is none; that is reported elsewhere."""
    return (papers.cast(pl.String).str.strip_chars().fill_null("") == "").to_numpy()


def _wrong_type(column: pl.Series) -> Problem:
    found, remedy = f"{column.name}s of type", "convert the column, or rename it if it is something else"
    return Problem(None, column.name, f"{found} {column.dtype}", "text or whole numbers", remedy)


def other_track(row: int, track: str | None, paper: object, first: str, where: str) -> Problem:
    """A review whose track is not that of the first review of its paper that has one, which is there."""
    found = "an empty cell" if track is None else quoted(track)
    other = f"{found} for paper {quoted(paper)}, which has {quoted(first)} in {where}"
    remedy = "make them the same, or rename the column if it is something else"
    return Problem(row, TRACK, other, "one track for all reviews of a paper", remedy)


def _track_notes(tracks: pl.Series) -> list[str]:
    return track_size_notes(dict(tracks.value_counts(name="papers").iter_rows()))


def track_size_notes(papers: Mapping[Any, int]) -> list[str]:
    """How many papers each track has, the largest first."""
    return notes_on_tracks(papers, len(papers), papers.get(NO_TRACK, 0))


def notes_on_tracks(largest: Mapping[Any, int], number: int, without: int) -> list[str]:
    """The same where only the largest are given, one more of them than are named, of so many.

    without : papers without a track
    """
    sizes = sorted(largest.items(), key=lambda pair: (-pair[1], pair[0]))
    named = listed((f"{name}: {counted(size, 'paper')}" for name, size in sizes), LISTED)
    notes = [f"{counted(number, 'track')}: {named}"]
    if without:
        notes.append(f"{counted(without, 'paper')} without a track, taken as a track of their own")
    return notes


def title_notes(papers: Sequence[object], number: int, which: str = "first in the file") -> list[str]:
    """A note on papers that have more than one title, so many of them, of which the first are given.

    which : of its titles a paper goes by
    """
    if not number:
        return []
    named = listed(map(quoted, papers), LISTED)
    return [f"{counted(number, 'paper')} with more than one title ({named}): the {which} is taken"]


def spaces_notes(twins: Sequence[object]) -> list[str]:
    """A note on ids that differ in surrounding space only: two papers for us, one for the chair?"""
    if not len(twins):
        return []
    named = ", ".join(map(repr, twins[:LISTED_TWINS]))
    return [f"paper ids that differ only in spaces are different papers: {named}"]
