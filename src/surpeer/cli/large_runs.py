"""`surpeer score` and `surpeer decide` for more reviews than fit into memory, on this machine or on a cluster."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import polars as pl
import typer

from surpeer.cli.failure import print_notes
from surpeer.cli.help_text import LARGE
from surpeer.cli.number_text import read_size
from surpeer.cli.reviews_input import ReviewsInput
from surpeer.cli.stopping import too_late
from surpeer.cli.table_output import choose_format, refuse_to_overwrite
from surpeer.cli.typed_path import as_typed, is_address
from surpeer.errors import InputError, UnknownName

if TYPE_CHECKING:
    from surpeer.engines.run import LargeRun

ENGINES = ("polars", "duckdb", "spark")

# From this size on a table is not read into memory as a whole. Parquet is about a third of the same table as CSV.
LARGE_FILE = 64_000_000
LARGE_TEXT = 192_000_000

# From this size on that takes less time and memory, a million reviews or so. There is no need for it, so only where the
# result is the same: not on a screen, where a table of many papers would be refused.
QUICKER_FILE = 8_000_000
QUICKER_TEXT = 24_000_000

MOST_SHOWN = 10_000
"""Papers in a table for people."""

DEFAULT_UNIT = "fraction"

PARQUET = (".parquet", ".pq")
TABLES = (*PARQUET, ".csv", ".tsv", ".jsonl", ".ndjson")
PACKED = (".gz", ".zst")

Engine = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(ENGINES),
        help="What adds the reviews up: polars or duckdb on this machine, or Apache Spark, on a cluster too.  "
        "[default: polars]",
        show_default=False,
        rich_help_panel=LARGE,
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="The most memory that this command may take, such as 512MB: what does not fit is kept on disk until the "
        "end.  [default: most of what is free]",
        show_default=False,
        rich_help_panel=LARGE,
    ),
]
Temp = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Where that is kept.  [default: beside the result]",
        show_default=False,
        rich_help_panel=LARGE,
    ),
]
Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="With --engine spark: the cluster, such as spark://host:7077 or yarn.  [default: as Spark is configured, "
        "else this machine]",
        show_default=False,
        rich_help_panel=LARGE,
    ),
]


@dataclass(frozen=True, slots=True)
class LargeOptions:
    """What was typed about how large reviews are to be handled."""

    engine: str | None
    memory: str | None
    temp: Path | None
    master: str | None

    def check(self, reviews: ReviewsInput) -> None:
        """Raise for options that cannot be used, before anything is read."""
        if self.engine is not None and self.engine not in ENGINES:
            raise UnknownName("engine", self.engine, ENGINES)
        if is_address(reviews.file) and self.engine != "spark":
            raise InputError(f"{as_typed(reviews.file)}: Apache Spark reads such addresses; add --engine spark")
        if self.master is not None and self.engine != "spark":
            raise InputError("--master names a cluster of Apache Spark; add --engine spark")
        if self.engine == "spark" and (self.memory is not None or self.temp is not None):
            raise InputError("--memory and --temp are for engines on this machine; Spark is told in its own settings")

    def refuse_destination(self, to: str | None) -> None:
        """Raise for results that are made for a platform or a spreadsheet program."""
        if to is not None:
            raise InputError(
                f"--to {to}: found for reviews that are several files, packed or large; expected a result such as "
                "--output ranking.parquet or ranking.csv"
            )

    @property
    def given(self) -> bool:
        return (self.engine, self.memory, self.temp, self.master) != (None, None, None, None)


def done_as_large(
    reviews: ReviewsInput, large: LargeOptions, method: str, result: "LargeResult", to: str | None
) -> bool:
    """Score reviews in the way of large ones, if they have to go it or that takes less time; whether that was done.

    to : the platform or spreadsheet program that the result is made for, if any
    """
    if _is_large(reviews, large) or (to is None and _is_for_folder(reviews, result)):
        large.refuse_destination(to)
        run_large(reviews, large, method, result)
        return True
    return to is None and _is_done_quicker(reviews, method, result)


def _is_large(reviews: ReviewsInput, large: LargeOptions) -> bool:
    """Whether these reviews go the way of large ones: because somebody said so, or because they are several files, or
    packed, or large."""
    large.check(reviews)
    path = reviews.file
    if large.given or path.is_dir() or (not path.exists() and set(path.name) & set("*?[")):
        return True
    endings = [ending.lower() for ending in path.suffixes[-2:]]
    if not endings or not path.is_file():
        return False
    if endings[-1] in PACKED:
        return endings[0] in TABLES
    return _is_table_above(reviews, LARGE_FILE, LARGE_TEXT)


def _is_for_folder(reviews: ReviewsInput, result: "LargeResult") -> bool:
    """Whether the result is a folder of files, which only the way of large reviews writes. Of a small venue nobody
    wants that: somebody forgot an ending, and is told so."""
    return result.is_folder and _is_table_above(reviews, QUICKER_FILE, QUICKER_TEXT)


def _is_done_quicker(reviews: ReviewsInput, method: str, result: "LargeResult") -> bool:
    """Whether reviews that may be read whole were scored in the way of large ones, because that takes less time.

    Not where it finds something to say against them: whoever reads them whole knows more to say, and takes ids and
    scales that are too large there.
    """
    if not result.is_file_of_rows or not _is_table_above(reviews, QUICKER_FILE, QUICKER_TEXT):
        return False
    try:
        run_large(reviews, LargeOptions(None, None, None, None), method, result)
    except InputError:
        return False
    return True


def _is_table_above(reviews: ReviewsInput, parquet: int, text: int) -> bool:
    """Whether a file is a table in our own columns, and larger than this."""
    path, ending = reviews.file, reviews.file.suffix.lower()
    if ending not in TABLES or not path.is_file() or reviews.for_exports():
        return False
    return path.stat().st_size > (parquet if ending in PARQUET else text) and _is_ours(path)


def _is_ours(path: Path) -> bool:
    """Whether the first lines of a file have our own columns; exports of platforms are read whole."""
    from surpeer.io.tabular import is_our_table

    with path.open("rb") as stream:
        return is_our_table(path, stream.read(1_000_000))


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

    refused = reviews.for_exports()
    if refused:
        raise InputError(
            f"{', '.join(refused)}: found for reviews that are several files, packed or large; these have to be tables "
            "in surpeer's own columns (`surpeer convert` makes one)"
        )
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
    from surpeer.engines.memory import LEAST
    from surpeer.engines.result_files import check_output
    from surpeer.engines.score_files import large_run, result_chunks
    from surpeer.io.first_look import ReadingOptions

    scale, values = reviews.scale_and_values()
    options = ReadingOptions(scale, values, reviews.unit, reviews.normalise, reviews.drop_bad_predictions)
    memory = read_size("--memory", large.memory, LEAST) if large.memory is not None else None
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
        notes = (*_database_notes(large), *run.notes(), *_summary(run))
    print_notes(notes)
    if table is not None:
        _show(table, result.output)


def _database_notes(large: LargeOptions) -> list[str]:
    if large.engine != "duckdb" or large.memory is None:
        return []
    return ["with the engine duckdb --memory holds for DuckDB alone: the whole command takes more; polars keeps to it"]


def _summary(run: "LargeRun") -> list[str]:
    from surpeer.cli.decision_text import summary_text

    decisions = run.decisions
    if decisions is None:
        return []
    return [summary_text(decisions.proposals, decisions.places, run.papers, decisions.certainty)]


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
        unit=reviews.unit or DEFAULT_UNIT,
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
    print_notes(done.notes)
    if table is not None:
        _show(table, result.output)
