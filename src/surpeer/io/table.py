"""What every reader returns, and how it says that a file is not what it should be."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from surpeer.errors import Problem, ReviewProblems

NEEDS_CSV = "save the table as CSV (UTF-8)"


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file as text or numbers; a row that cannot be read is empty and has a problem."""

    frame: pl.DataFrame
    first_row: int
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


def unusable(path: Path, found: str, expected: str, remedy: str = "") -> ReviewProblems:
    """The error for a file that cannot be read at all."""
    return ReviewProblems(str(path), [Problem(None, None, found, expected, remedy)])


def decode(path: Path, data: bytes, lines_before: int = 0) -> str:
    """The text of a UTF-8 file, with or without a byte order mark; or of the part of it after so many lines."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1 + lines_before
        found = data[error.start : error.start + 1].hex()
        as_utf_8 = f"{NEEDS_CSV}, which Excel calls CSV UTF-8"
        raise unusable(path, f"byte 0x{found} in line {line}", "UTF-8 text", as_utf_8) from None
