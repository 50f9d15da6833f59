"""Reviews of any size in files -> every problem of them: `surpeer validate` for tables larger than memory."""

from dataclasses import dataclass, replace
from pathlib import Path

from surpeer.engines.counting_run import CountingRun
from surpeer.engines.made_rows import CountedRows
from surpeer.engines.opening import opened_reviews, read_errors
from surpeer.engines.progress import SILENT, Progress
from surpeer.io.first_look import ReadingOptions
from surpeer.scale import Scale


@dataclass(frozen=True)
class FilesChecked:
    """How files without problems were understood."""

    scale: Scale
    reviews: int
    papers: int
    predictions: int
    """Complete ones."""
    partial: int
    """Predictions that leave levels empty, and expected ratings."""
    tracks: int | None
    """None where no paper has one."""
    notes: tuple[str, ...]


def check_files(
    reviews: str | Path,
    options: ReadingOptions | None = None,
    *,
    memory: int | None = None,
    temp: str | Path | None = None,
    progress: Progress = SILENT,
) -> FilesChecked:
    """Check reviews in files, which may be larger than memory, and say how they were understood.

    reviews, memory, temp : as in `score_files`; options : how the table is to be read

    Raises ReviewProblems with every problem, those of single reviews and those of papers.
    """
    with opened_reviews(
        reviews, options or ReadingOptions(), CountedRows(), memory=memory, temp=temp, progress=progress
    ) as (reading, work):
        reading.checker = replace(reading.checker, counts_forecasts=True)
        run = CountingRun(reading, work, memory=memory)
        with read_errors():
            run.count()
        return FilesChecked(
            scale=reading.checker.scale,
            reviews=run.reviews,
            papers=run.papers,
            predictions=run.forecasts.complete,
            partial=run.forecasts.partial,
            tracks=None if run.tracks is None else run.tracks.number,
            notes=run.notes(),
        )
