"""Every way in which reviews in files are scored, made to happen with few reviews; and what must be the same in all."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
from at_length import is_slow_run
from polars.testing import assert_frame_equal

from surpeer import calibrate, decide
from surpeer.engines.score_files import FilesResult, score_files
from surpeer.io.review_file import read_reviews
from surpeer.ranking_notes import all_notes, ranking_notes

ENGINES = "surpeer.engines"

LIMIT = 600_000_000
"""Of memory; what is really there is what patches leave."""

ON_DISK = "buckets in slices, ranks on disk"

WAYS: dict[str, dict[str, Any]] = {
    "at once": {},
    "compiled": {
        f"{ENGINES}.compiled.ENOUGH": 0,
        f"{ENGINES}.compiled.Compiled.looked": False,
        f"{ENGINES}.compiled.Compiled.loops": None,
        f"{ENGINES}.divided.REVIEWS_OF_PART": 8,
        f"{ENGINES}.summing_run.reviews_of_table": lambda *_: 50,
    },
    "small batches": {f"{ENGINES}.reading.ROWS_AT_ONCE": 7},
    "buckets": {
        f"{ENGINES}.reading.ROWS_AT_ONCE": 50,
        f"{ENGINES}.summing_run.reviews_fit": lambda *_: False,
        f"{ENGINES}.bucket_sizes.how_many_buckets": lambda *_: 8,
    },
    ON_DISK: {
        f"{ENGINES}.reading.ROWS_AT_ONCE": 23,
        f"{ENGINES}.summing_run.reviews_fit": lambda *_: False,
        f"{ENGINES}.run.papers_fit": lambda *_: False,
        f"{ENGINES}.run.left_of": lambda limit: limit,
        f"{ENGINES}.bucket_sizes.how_many_buckets": lambda *_: 4,
        f"{ENGINES}.bucket_sizes.ROWS_AT_ONCE": 40,
        f"{ENGINES}.ranking_on_disk.ITSELF": LIMIT - 8_000,
        f"{ENGINES}.finishing.BLOCK": 3,
    },
    "duckdb": {
        f"{ENGINES}.reading.ROWS_AT_ONCE": 40,
        f"{ENGINES}.summing_run.reviews_fit": lambda *_: False,
        f"{ENGINES}.bucket_sizes.how_many_buckets": lambda *_: 4,
        f"{ENGINES}.bucket_sizes.ROWS_AT_ONCE": 60,
    },
    "duckdb at once": {},
}

APART = ("small batches", ON_DISK, "duckdb")
"""Ways that have little in common; the others have much in common with one of these."""

NUMBERS = ("score", "standard_error", "own_share", "p_accept", "p_better_than_cut")
"""Columns that need not be the same to the last digit."""

ABOUT_FILES = re.compile(r"\d+ files read as one table")


def ways() -> Iterable[str]:
    """What a test tries one after the other: in the suite a part of what it does in `make test-slow`."""
    return WAYS if is_slow_run() else APART


@contextmanager
def made_small(way: str) -> Iterator[None]:
    """In this block the way is taken however few reviews there are."""
    with ExitStack() as stack:
        for name, value in WAYS[way].items():
            stack.enter_context(patch(name, value))
        yield


def scored(way: str, reviews: str | Path, output: Path | None = None, **how: Any) -> FilesResult:
    """The result of one way."""
    with made_small(way):
        engine = "duckdb" if way.startswith("duckdb") else "polars"
        return score_files(reviews, output, engine=engine, memory=LIMIT, **how)


def in_memory(
    table: Path, method: str, accept: int | float | Fraction | None = None, **how: Any
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The result of the library for a file that is read whole, and all notes."""
    reviews = read_reviews(table, platform="surpeer", **how)
    ranking = calibrate(reviews, method)
    if accept is None:
        return ranking.table, (*reviews.notes, *ranking_notes(ranking))
    decisions = decide(ranking, accept)
    return decisions.table, tuple(all_notes(decisions))


def assert_same(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    """Columns, types, ranks, status and flags are the same, and numbers to 1e-12."""
    assert found.schema == expected.schema
    numbers = [name for name in NUMBERS if name in expected.columns]
    assert_frame_equal(found.drop(numbers), expected.drop(numbers), check_exact=True)
    for name in numbers:
        assert_frame_equal(found.select(name), expected.select(name), rel_tol=1e-12, abs_tol=1e-12)


def without_files(notes: tuple[str, ...]) -> list[str]:
    """Notes, but for that on the number of files."""
    return [note for note in notes if not ABOUT_FILES.fullmatch(note)]


Writer = Callable[[pl.DataFrame, Path], None]

WRITERS: dict[str, Writer] = {
    "parquet": lambda frame, path: frame.write_parquet(path, row_group_size=37),
    "csv": lambda frame, path: frame.write_csv(path),
    "jsonl": lambda frame, path: frame.write_ndjson(path),
}


def write_files(frame: pl.DataFrame, folder: Path, files: int, kind: str = "parquet") -> Path:
    """The rows in so many files of a new folder, the first of them with the first rows."""
    folder.mkdir()
    edges = np.linspace(0, len(frame), files + 1).astype(int)
    for number, (start, end) in enumerate(pairwise(edges.tolist())):
        WRITERS[kind](frame[start:end], folder / f"part-{number:03d}.{kind}")
    return folder
