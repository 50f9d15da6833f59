"""Reviews -> a table in our own columns, so that an export can be kept, looked at and handed on."""

from collections.abc import Callable
from typing import BinaryIO

import polars as pl

from surpeer.columns import EXPECTED, PAPER, RATING, REVIEWER, SHARE_PREFIX, TITLE, TRACK
from surpeer.io.formulas import without_formulas
from surpeer.reviews import Reviews


def reviews_table(reviews: Reviews) -> pl.DataFrame:
    """One row for each review: paper, title, reviewer, rating, p_<level> as fractions, expected, track."""
    columns: dict[str, pl.Series] = {PAPER: reviews.papers.gather(reviews.paper)}
    if reviews.title is not None:
        columns[TITLE] = reviews.title.gather(reviews.paper)
    if reviews.reviewer is not None:
        columns[REVIEWER] = reviews.reviewer
    columns[RATING] = pl.Series(reviews.scale.levels).gather(reviews.rating)
    if reviews.has_forecast.any():
        for at, level in enumerate(reviews.scale.levels):
            columns[SHARE_PREFIX + level] = pl.Series(reviews.predictions[:, at]).fill_nan(None)
    if reviews.expected is not None:
        columns[EXPECTED] = pl.Series(reviews.expected).fill_nan(None)
    if reviews.track is not None:
        columns[TRACK] = reviews.track.gather(reviews.paper)
    return pl.DataFrame(columns)


def _write_csv(reviews: Reviews, stream: BinaryIO) -> None:
    without_formulas(reviews_table(reviews)).write_csv(stream)


def _write_json_lines(reviews: Reviews, stream: BinaryIO) -> None:
    reviews_table(reviews).write_ndjson(stream)


def _write_parquet(reviews: Reviews, stream: BinaryIO) -> None:
    reviews_table(reviews).write_parquet(stream)


WRITERS: dict[str, Callable[[Reviews, BinaryIO], None]] = {
    ".csv": _write_csv,
    ".jsonl": _write_json_lines,
    ".parquet": _write_parquet,
}
"""By the ending of the file."""
