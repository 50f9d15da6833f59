"""Files of reviews, opened for a run on this machine: found, looked at, and with a folder for what goes to disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from surpeer.engines.disk_space import is_full
from surpeer.engines.made_rows import RowMaker
from surpeer.engines.memory import ITSELF, LEAST, keep_least, keep_little, least_to_read, own_memory
from surpeer.engines.progress import SILENT, Progress
from surpeer.engines.reading import Reading
from surpeer.engines.result_files import refuse_among_reviews
from surpeer.engines.rows import check_levels
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
    only_ours: bool = True,
) -> Iterator[Opened]:
    """Open these files; what is kept on disk is gone when the block ends. Other arguments are those of `score_files`.

    maker : what is made of reviews; only_ours : whether the memory is for all that the process does
    """
    if memory is not None and not isinstance(memory, int | float):
        raise InputError(f"found the memory {memory!r}, expected a number of bytes, such as 512_000_000")
    if memory is not None and memory < LEAST:
        raise InputError(f"found {memory:,} bytes of memory, expected at least {LEAST:,}, which surpeer itself needs")
    other_memory = max(0, (own_memory() or 0) - ITSELF)
    if memory is not None:
        keep_little()
    with work_folder(output, Path(temp) if temp is not None else None) as work:
        files = find_review_files(reviews)
        if output is not None:
            _refuse_reviews_themselves(files, output)
            refuse_among_reviews(files.source, output)
        most_memory = memory if only_ours else None
        held = files.held_while_reading() if most_memory is not None else None
        if held is not None and held.bytes:
            keep_least()
        _refuse_too_little(most_memory, held)
        checker, _ = look_first(files, options)
        check_levels(checker.scale)
        _refuse_too_little(most_memory, held, len(checker.scale))
        reading = Reading.within(files, checker, maker, progress, memory, held.bytes if held else 0)
        reading.most_memory, reading.other_memory = most_memory, other_memory
        yield Opened(reading, work)


def _refuse_too_little(memory: int | None, held: Held | None, levels: int = 2) -> None:
    """Say before anything is read that it would take more memory than was asked for."""
    if memory is None or not held or not held.bytes:
        return
    least, megabytes = least_to_read(held.bytes, levels), held.bytes // 1_000_000
    if memory < least:
        raise InputError(
            f"{held.path}: found groups of rows whose texts are in dictionaries or pages that take {megabytes:,} MB as "
            f"long as any row is read, so that {-(-least // 1_000_000):,} MB of memory are needed, expected no more "
            f"than the {memory // 1_000_000:,} MB that were allowed; write Parquet with smaller groups of rows "
            "(100,000 each), or allow more"
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
