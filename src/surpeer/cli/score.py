"""`surpeer score`: a file of reviews -> a ranking. The library twin is `surpeer.calibrate`."""

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from surpeer.cli.failure import exit_codes, print_notes
from surpeer.cli.options import Levels, MethodName, ReviewsFile, ScaleName, UnitName, Values, load_reviews
from surpeer.errors import InputError, UnknownName
from surpeer.io.results import WRITERS
from surpeer.io.whole_file import write_whole, write_whole_bytes
from surpeer.pipeline import calibrate
from surpeer.ranking import Ranking
from surpeer.scores import DEFAULT_METHOD, find_method

FORMATS = ("table", *WRITERS)


def command(
    reviews: ReviewsFile,
    method: MethodName = DEFAULT_METHOD,
    levels: Levels = None,
    values: Values = None,
    scale: ScaleName = None,
    unit: UnitName = "fraction",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here, whole or not at all.")
    ] = None,
    output_format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="|".join(FORMATS),
            help="Default: by the ending of FILE; else a table on a terminal and csv in a pipe.",
        ),
    ] = None,
) -> None:
    """Rank the papers of a file of reviews.

    Columns of REVIEWS: paper, reviewer (optional), rating, and p_<level> for every level, the predicted share of other
    reviewers who give that level. With two levels a single column `prediction` (of the higher level) will do.

    Example: surpeer score reviews.csv --levels reject,accept --unit percent -o ranking.csv
    """
    with exit_codes():
        find_method(method)
        kind = _format(output_format, output)
        if output is not None and _same_file(output, reviews):
            raise InputError(f"{output}: this is the file of reviews; write the ranking to another file")
        loaded = load_reviews(reviews, levels, values, scale, unit)
        ranking = calibrate(loaded, method)
        print_notes((*loaded.notes, *_ranking_notes(ranking)))
        _write(ranking, kind, output)


def _format(wanted: str | None, output: Path | None) -> str:
    if wanted is not None:
        if wanted not in FORMATS:
            raise UnknownName("format", wanted, FORMATS)
        return wanted
    if output is None:
        return "table" if sys.stdout.isatty() else "csv"
    by_ending = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".pq": "parquet", ".txt": "table"}
    if output.suffix.lower() not in by_ending:
        endings = ", ".join(by_ending)
        raise InputError(f"{output}: the ending says no format; end it in one of {endings}, or give --format")
    return by_ending[output.suffix.lower()]


def _same_file(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _ranking_notes(ranking: Ranking) -> list[str]:
    undefined = int((~ranking.scores.defined).sum())
    notes = []
    if undefined:
        notes.append(
            f"{undefined:,} of {len(ranking):,} papers have no {ranking.scores.method} score "
            "and are compared by their mean rating (see the status column)"
        )
    if ranking.broken:
        notes.append(
            f"comparisons by score and by mean contradict each other; the ranking breaks {ranking.broken:,} of them "
            "(papers flagged cycle)"
        )
    return notes


def _write(ranking: Ranking, kind: str, output: Path | None) -> None:
    if kind == "table":
        from surpeer.cli.tables import ranking_text

        text = ranking_text(ranking, for_terminal=output is None and sys.stdout.isatty())
        if output is None:
            print(text, end="")
        else:
            write_whole_bytes(output, text.encode())
        return
    if output is not None:
        write_whole(output, lambda stream: WRITERS[kind](ranking, stream))
        return
    if kind == "parquet" and sys.stdout.isatty():
        raise InputError("parquet is not for a terminal; give --output FILE or redirect to a file")
    buffer = io.BytesIO()
    WRITERS[kind](ranking, buffer)
    sys.stdout.buffer.write(buffer.getbuffer())
