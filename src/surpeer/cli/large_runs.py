"""`surpeer score` and `surpeer decide` for more reviews than fit into memory, on this machine or on a cluster."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from surpeer.cli.failure import print_notes
from surpeer.cli.large_options import (
    LargeOptions,
    is_large,
    is_table_above,
    reading_options,
    refuse_options_of_exports,
)
from surpeer.cli.reviews_input import ReviewsInput
from surpeer.cli.stopping import too_late
from surpeer.cli.table_output import choose_format, refuse_to_overwrite
from surpeer.cli.typed_path import as_typed, is_address
from surpeer.errors import InputError

if TYPE_CHECKING:
    from surpeer.engines.decision_counts import DecisionCounts

# From this size on the way of large reviews takes less time and memory, a million reviews or so. There is no need for
# it, so only where the result is the same: not on a screen, where a table of many papers would be refused.
QUICKER_FILE = 8_000_000
QUICKER_TEXT = 24_000_000

MOST_SHOWN = 10_000
"""Papers in a table for people."""


def done_as_large(
    reviews: ReviewsInput, large: LargeOptions, method: str, result: "LargeResult", to: str | None
) -> bool:
    """Score reviews in the way of large ones, if they have to go it or that takes less time; whether that was done.

    to : the platform or spreadsheet program that the result is made for, if any
    """
    if is_large(reviews, large) or (to is None and _is_for_folder(reviews, result)):
        large.refuse_destination(to)
        run_large(reviews, large, method, result)
        return True
    return to is None and _is_done_quicker(reviews, method, result)


def _is_for_folder(reviews: ReviewsInput, result: "LargeResult") -> bool:
    """Whether the result is a folder of files, which only the way of large reviews writes. Of a small venue nobody
    wants that: somebody forgot an ending, and is told so."""
    return result.is_folder and is_table_above(reviews, QUICKER_FILE, QUICKER_TEXT)


def _is_done_quicker(reviews: ReviewsInput, method: str, result: "LargeResult") -> bool:
    """Whether reviews that may be read whole were scored in the way of large ones, because that takes less time.

    Not where it finds something to say against them: whoever reads them whole knows more to say, and takes ids and
    scales that are too large there.
    """
    if not result.is_file_of_rows or not is_table_above(reviews, QUICKER_FILE, QUICKER_TEXT):
        return False
    try:
        run_large(reviews, LargeOptions(), method, result)
    except InputError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class LargeResult:
    """What becomes of large reviews."""

    output: Path | None
    output_format: str | None
    accept: int | Fraction | None = None
    """How many papers are accepted; None for a ranking alone."""
    certainty: float = 0.8

    @property
    def is_file_of_rows(self) -> bool:
        """Whether it is one file, and not for people to read."""
        return self.output is not None and self.kind() in ("csv", "parquet", "json")

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of Parquet files on this machine."""
        return self.output is not None and not self.output.suffix and self.kind() == "folder"

    def kind(self) -> str:
        """The format of the result; a name without an ending is a folder of Parquet files."""
        if self.output is not None and is_address(self.output):
            return "folder"
        if self.output is not None and not self.output.suffix and self.output_format in (None, "parquet"):
            return "folder"
        return choose_format(self.output_format, self.output)


def run_large(reviews: ReviewsInput, large: LargeOptions, method: str, result: LargeResult) -> None:
    """Score reviews of any size and write what was asked for."""
    from surpeer.engines.result_files import refuse_among_reviews

    refuse_options_of_exports(reviews)
    refuse_to_overwrite(reviews.file, result.output, "result")
    if result.output is not None and not is_address(result.output):
        refuse_among_reviews(as_typed(reviews.file), result.output)
    kind = result.kind()
    if large.engine == "spark":
        _run_on_spark(reviews, large, method, result, kind)
    else:
        _run_here(reviews, large, method, result, kind)


def _run_here(reviews: ReviewsInput, large: LargeOptions, method: str, result: LargeResult, kind: str) -> None:
    from surpeer.cli.progress import row_progress
    from surpeer.engines.result_files import check_output
    from surpeer.engines.score_files import large_run, result_chunks

    options, memory = reading_options(reviews), large.bytes_of_memory()
    if result.output is not None and kind != "table":
        check_output(result.output, kind)
    with (
        row_progress() as progress,
        large_run(
            as_typed(reviews.file),
            options,
            method,
            result.output,
            engine=large.engine or "polars",
            memory=memory,
            temp=large.temp,
            progress=progress,
        ) as run,
    ):
        chunks = run.work.guarded(result_chunks(run, result.accept, result.certainty))
        table = _write(chunks, result, kind)
        notes = (*run.notes(), *_summary(run.decisions))
    print_notes(notes)
    if table is not None:
        _show(table, result.output)


def _summary(decisions: "DecisionCounts | None") -> list[str]:
    from surpeer.cli.decision_text import summary_text

    if decisions is None:
        return []
    return [summary_text(decisions.proposals, decisions.places, decisions.rows, decisions.certainty)]


def _write(chunks: Iterator[pl.DataFrame], result: LargeResult, kind: str) -> pl.DataFrame | None:
    """Write the result, or return it where it is to be shown."""
    from surpeer.engines.public_table import public_chunk
    from surpeer.engines.result_files import write_chunks_to, write_result_chunks

    if kind == "table":
        shown, papers = [], 0
        for chunk in chunks:
            shown.append(chunk)
            papers += len(chunk)
            if papers > MOST_SHOWN:
                raise InputError(
                    f"found more than {MOST_SHOWN:,} papers, too many for a table to read; write them to a file, as in "
                    "--output ranking.parquet"
                )
        return public_chunk(pl.concat(shown))
    if result.output is not None:
        write_result_chunks(chunks, result.output, kind, too_late)
    else:
        write_chunks_to(sys.stdout.buffer, chunks, kind)
    return None


def _show(table: pl.DataFrame, output: Path | None) -> None:
    """As a table for people."""
    from surpeer.cli.table_legend import table_legend
    from surpeer.cli.tables import result_text
    from surpeer.io.whole_file import write_whole_bytes

    joined = pl.when(pl.col("flags").list.len() > 0).then(pl.col("flags").list.join(" ")).alias("flags")
    text = result_text(table.with_columns(joined), output is None and sys.stdout.isatty()) + table_legend(table)
    if output is None:
        print(text, end="")
    else:
        write_whole_bytes(output, text.encode())


def _run_on_spark(reviews: ReviewsInput, large: LargeOptions, method: str, result: LargeResult, kind: str) -> None:
    from surpeer.engines.spark_run import SparkOptions, run_on_spark

    scale, values = reviews.scale_and_values()
    options = SparkOptions(
        scale=scale,
        values=values,
        unit=reviews.unit,
        normalise=reviews.normalise,
        drop_bad_predictions=reviews.drop_bad_predictions,
        method=method,
        accept=result.accept,
        certainty=result.certainty,
        master=large.master,
    )
    output = None if result.output is None or kind == "table" else as_typed(result.output)
    done = run_on_spark(as_typed(reviews.file), output, None if output is None else kind, options=options)
    table = None if done.table is None else _write(iter([done.table]), result, kind)
    print_notes((*done.notes, *_summary(done.decisions)))
    if table is not None:
        _show(table, result.output)
