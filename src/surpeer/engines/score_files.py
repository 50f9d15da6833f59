"""Reviews of any size in files -> a result: `surpeer score` and `surpeer decide` for tables larger than memory."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import polars as pl

from surpeer.columns import TITLE, TRACK
from surpeer.decisions import CERTAINTY
from surpeer.engines.duckdb_engine import check_installed
from surpeer.engines.made_rows import ScoredRows
from surpeer.engines.memory import DATABASE
from surpeer.engines.opening import opened_reviews, read_errors
from surpeer.engines.progress import SILENT, Progress
from surpeer.engines.public_table import public_chunk
from surpeer.engines.result_files import check_output, write_result_chunks
from surpeer.engines.rows import Form
from surpeer.engines.run import LargeRun
from surpeer.engines.sums import plain_form
from surpeer.errors import InputError, UnknownName
from surpeer.io.first_look import ReadingOptions
from surpeer.scale import Scale
from surpeer.scores import DEFAULT_METHOD, find_method

HERE = ("polars", "duckdb")
"""Engines on this machine."""


@dataclass(frozen=True)
class FilesResult:
    """What came of a run."""

    papers: int
    notes: tuple[str, ...]
    table: pl.DataFrame | None = None
    """As Ranking.table or Decisions.table, where the result was not written to a file."""


def score_files(
    reviews: str | Path,
    output: str | Path | None = None,
    *,
    scale: Scale | None = None,
    values: tuple[float, ...] | None = None,
    unit: str | None = None,
    normalise: bool = False,
    drop_bad_predictions: bool = False,
    method: str = DEFAULT_METHOD,
    accept: int | float | Fraction | None = None,
    certainty: float = CERTAINTY,
    engine: str = "polars",
    memory: int | None = None,
    temp: str | Path | None = None,
) -> FilesResult:
    """Score and rank the papers of reviews in files, which may be larger than memory.

    reviews : a file, a folder, or a pattern such as "votes/*.parquet", in our own columns (surpeer.columns)
    output : a file that ends in .csv, .json or .parquet, or a folder for Parquet files; without it a table is returned
    scale, values, unit, normalise, drop_bad_predictions : as in `read_reviews`
    method, accept, certainty : as in `calibrate` and `decide`; without `accept` there are no decisions
    engine : polars or duckdb
    memory : bytes that the whole process may take; what does not fit is kept on disk. Most of what is free by default
    temp : the folder where that is kept; beside the output by default

    The result does not depend on engine, memory, or the order of the rows. Raises ReviewProblems with every problem.
    """
    options = ReadingOptions(scale, values, unit, normalise, drop_bad_predictions)
    target = Path(output) if output is not None else None
    kind = kind_of(target)
    with large_run(reviews, options, method, target, engine=engine, memory=memory, temp=temp) as run:
        chunks = run.work.guarded(result_chunks(run, accept, certainty))
        if target is not None:
            check_output(target, kind)
            left = write_result_chunks(chunks, target, kind)
            return FilesResult(run.papers, (*left, *run.notes()))
        table = public_chunk(pl.concat(chunks))
        return FilesResult(run.papers, tuple(run.notes()), table)


def kind_of(output: Path | None) -> str:
    """The format of a result by its name; one without an ending is a folder."""
    if output is None or not output.suffix:
        return "folder"
    kind = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".pq": "parquet"}.get(output.suffix.lower())
    if kind is None:
        raise InputError(f"{output}: the ending says no format that is known; end it in .csv, .json or .parquet")
    return kind


@contextmanager
def large_run(
    reviews: str | Path,
    options: ReadingOptions,
    method: str = DEFAULT_METHOD,
    output: Path | None = None,
    *,
    engine: str = "polars",
    memory: int | None = None,
    temp: str | Path | None = None,
    progress: Progress = SILENT,
) -> Iterator[LargeRun]:
    """A run over files, of which scores, ranks and decisions can be asked; its files on disk are gone in the end."""
    rule = find_method(method)
    if engine not in HERE:
        raise UnknownName("engine", engine, HERE)
    maker = ScoredRows(moments=rule.learning is not None)
    if engine == "duckdb":
        check_installed()
    learns_from = 0 if rule.learning is None else rule.learning.most_papers
    with opened_reviews(
        reviews,
        options,
        maker,
        output,
        memory=memory,
        temp=temp,
        progress=progress,
        database=DATABASE if engine == "duckdb" else 0,
        learns_from=learns_from,
    ) as (reading, work):
        run = LargeRun(reading, work, engine, memory, method=method)
        layout, levels = reading.checker.layout, len(reading.checker.scale)
        run.check_memory(plain_form(levels, moments=maker.moments) if layout.has_shares else Form(levels))
        yield run


def result_chunks(
    run: LargeRun, accept: int | float | Fraction | None = None, certainty: float = CERTAINTY
) -> Iterator[pl.DataFrame]:
    """The ranking, or decisions, in chunks; without tracks, or titles, where no paper has one."""
    chunks: Iterable[pl.DataFrame] = run.ranked() if accept is None else run.decided(accept, certainty)
    with read_errors():
        for chunk in chunks:
            empty = [name for name, there in ((TRACK, run.has_tracks), (TITLE, run.titles)) if not there]
            yield chunk.drop(empty, strict=False)
