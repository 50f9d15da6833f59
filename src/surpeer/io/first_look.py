"""What has to be known of a large table before its rows can be checked one batch after the other."""

from dataclasses import dataclass, replace

import polars as pl

from surpeer.checked_rows import RowChecker
from surpeer.columns import DISTRIBUTION, PREDICTION, RATING, SHARE_PREFIX, find_layout
from surpeer.errors import ReviewProblems, UnknownName
from surpeer.findings import Findings
from surpeer.io.decimal_commas import comma_notes
from surpeer.io.review_file import DEFAULT_UNIT
from surpeer.io.review_files import Batch, ReviewFiles
from surpeer.io.text_blocks import BLOCK_BYTES
from surpeer.prediction_units import UNITS
from surpeer.rating_cells import different_ratings
from surpeer.scale import Scale

MOST_RATINGS = 10_000  # different ones that are looked at; no scale has so many levels
FEW_ROWS = 1 << 14  # of numbers, which tell all that there is to tell
MANY_SHARES = 1_000_000  # that are looked at otherwise


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How a table is to be read, as in `Reviews.from_table`."""

    scale: Scale | None = None
    values: tuple[float, ...] | None = None
    unit: str | None = None
    """By default `fraction`, or `auto` where predictions are in one cell."""
    normalise: bool = False
    drop_bad_predictions: bool = False


def look_first(files: ReviewFiles, options: ReadingOptions | None = None) -> tuple[RowChecker, tuple[str, ...]]:
    """How to check the rows of these files, and notes on the files.

    Columns and levels are told by the names of the columns; where they say nothing of the levels, by all ratings, for
    which this column is read. In which unit predictions are is told by the first batch.

    Raises ReviewProblems with everything that keeps us from telling.
    """
    options = options or ReadingOptions()
    unit = options.unit or ("auto" if DISTRIBUTION in files.names else DEFAULT_UNIT)
    if unit not in UNITS:
        raise UnknownName("unit", unit, UNITS)
    layout, problems = find_layout(files.names, options.scale, lambda: _all_ratings(files))
    if layout is None:
        raise ReviewProblems(files.source, problems)
    if options.values is not None:
        layout = replace(layout, scale=layout.scale.with_values(options.values))
    checker = RowChecker(layout, unit, options.normalise, options.drop_bad_predictions, columns=files.names)
    frame = _first_rows(files, FEW_ROWS) if unit != "auto" else None
    if frame is None or not _are_numbers(frame):
        frame = _first_rows(files, MANY_SHARES // len(layout.scale))  # the more rows, the surer the unit
    return checker if frame is None else checker.settle(frame), files.notes


def _first_rows(files: ReviewFiles, rows: int) -> pl.DataFrame | None:
    """The first rows that there are, at most so many."""
    batches = files.batches(rows_per_batch=rows, block_bytes=BLOCK_BYTES, most_bytes=BLOCK_BYTES)
    return next((batch.frame for batch in batches if len(batch.frame)), None)


def _are_numbers(frame: pl.DataFrame) -> bool:
    """Whether no sign in a text could say in which unit predictions are."""
    names = (name for name in frame.columns if name.startswith((SHARE_PREFIX, PREDICTION)))
    return all(frame[name].dtype.is_numeric() for name in names)


def add_batch(findings: Findings, batch: Batch) -> None:
    """Check a batch and take in what is found; for those who want nothing else of it."""
    findings.add(findings.checker.check(batch.frame, batch.rows), batch.file, batch.problems)


def all_notes(files: ReviewFiles, findings: Findings, commas: int = 0) -> tuple[str, ...]:
    """The notes on files, on how numbers are written, and on rows."""
    return (*files.notes, *comma_notes(commas), *findings.notes())


def _all_ratings(files: ReviewFiles) -> list[str]:
    ratings: set[str] = set()
    for batch in files.batches([RATING]):
        ratings |= set(different_ratings(batch.frame))
        if len(ratings) > MOST_RATINGS:
            break
    return sorted(ratings)
