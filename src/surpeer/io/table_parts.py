"""What the readers of large files return: some rows of a file, and where in the file they are."""

from dataclasses import dataclass

import polars as pl

from surpeer.errors import Problem


@dataclass(frozen=True, slots=True)
class TablePart:
    """Rows of a file as text or numbers; a row that cannot be read is empty and has a problem."""

    frame: pl.DataFrame
    first_row: int
    done: int
    """Bytes of the file that have been read by then."""
    problems: tuple[Problem, ...] = ()
    commas: int = 0
    """Numbers with a decimal comma."""
    short_ids: bool = False
    """Whether ids are text, and all of them whole numbers as one writes them: then they are those numbers here."""
