"""Files of reviews, opened for a run on this machine: found, looked at, and with a folder for what goes to disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from surpeer.columns import SHARE_PREFIX
from surpeer.engines.disk_space import is_full
from surpeer.engines.made_rows import RowMaker
from surpeer.engines.memory import (
    ITSELF,
    LEAST,
    PER_SUM_OF_QUERY,
    keep_least,
    keep_little,
    least_memory,
    least_to_read,
    left_to_look,
    own_memory,
)
from surpeer.engines.progress import SILENT, Progress
from surpeer.engines.reading import Reading
from surpeer.engines.result_files import refuse_among_reviews
from surpeer.engines.rows import check_levels
from surpeer.engines.sums import number_of_sums, plain_form
from surpeer.engines.work_folder import WorkFolder, work_folder
from surpeer.errors import InputError
from surpeer.io.first_look import ReadingOptions, look_first
from surpeer.io.review_files import Held, ReviewFiles, find_review_files


class Opened(NamedTuple):
    """What a run begins with."""

    reading: Reading
    work: WorkFolder


@contextmanager
def opened_reviews(
    reviews: str | Path,
    options: ReadingOptions,
    maker: RowMaker,
    output: Path | None = None,
    *,
    memory: int | None = None,
    temp: str | Path | None = None,
    progress: Progress = SILENT,
    database: int = 0,
    learns_from: int = 0,
) -> Iterator[Opened]:
    """Open these files; what is kept on disk is gone when the block ends. Other arguments are those of `score_files`.

    maker : what is made of reviews; database : bytes of memory that it takes by itself, if there is one
    learns_from : papers, at most, that something will be learned from
    """
    if memory is not None and not isinstance(memory, int | float):
        raise InputError(f"found the memory {memory!r}, expected a number of bytes, such as 512_000_000")
    if memory is not None and memory < LEAST:
        raise InputError(f"found {memory:,} bytes of memory, expected at least {LEAST:,}, which surpeer itself needs")
    other_memory = max(0, (own_memory() or 0) - ITSELF)
    if memory is not None:
        keep_little()
    with work_folder(output, Path(temp) if temp is not None else None) as work:
        left = None if memory is None else memory - database
        files = find_review_files(reviews, None if left is None else left_to_look(left))
        if output is not None:
            _refuse_reviews_themselves(files, output)
            refuse_among_reviews(files.source, output)
        held = files.held_while_reading() if memory is not None else None
        if held is not None and (held.bytes or held.by_pages):
            keep_least()
        papers = min(files.most_rows, learns_from)
        _refuse_too_little(memory, database, held, _levels_by_names(files, options), papers)
        checker, _ = look_first(files, options)
        check_levels(checker.scale)
        _refuse_too_little(memory, database, held, len(checker.scale), papers)
        reading = Reading.within(files, checker, maker, progress, left, held.bytes if held else 0)
        reading.most_memory, reading.database, reading.other_memory = memory, database, other_memory
        yield Opened(reading, work)


def _levels_by_names(files: ReviewFiles, options: ReadingOptions) -> int:
    """As far as that can be told before anything is read."""
    if options.scale is not None:
        return len(options.scale)
    return max(2, sum(name.startswith(SHARE_PREFIX) for name in files.names))


def _refuse_too_little(memory: int | None, database: int, held: Held | None, levels: int, papers: int) -> None:
    """Say before anything is read that it would take more memory than was asked for; and how much all of it takes."""
    if database:
        database += PER_SUM_OF_QUERY * number_of_sums(plain_form(levels, moments=papers > 0))
    if memory is None or not held or not held.bytes or memory >= least_to_read(held.bytes, levels, database):
        return
    least = max(least_to_read(held.bytes, levels, database), least_memory(levels, papers, database=database))
    raise InputError(
        f"{held.path}: found groups of rows whose texts are in dictionaries or pages that take "
        f"{held.bytes // 1_000_000:,} MB as long as any row is read, so that {-(-least // 1_000_000):,} MB of memory "
        f"are needed, expected no more than the {memory // 1_000_000:,} MB that were allowed; write Parquet "
        f"{held.remedy}, or allow more"
    )


def _refuse_reviews_themselves(files: ReviewFiles, output: Path) -> None:
    """Results do not replace reviews."""
    result = Path(os.path.realpath(output))
    if any(Path(os.path.realpath(path)).is_relative_to(result) for path in files.paths):
        raise InputError(f"{output}: this is the file of reviews itself; write the result to another file")


@contextmanager
def read_errors() -> Iterator[None]:
    """Around reading: files that were there and can no longer be read are named, not taken for the result."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise
        which = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        raise InputError(
            f"{which}; a file that was there cannot be read any more; run the same command again"
        ) from None
