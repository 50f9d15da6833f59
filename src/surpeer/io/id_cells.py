"""What a spreadsheet makes of ids: `1-3` becomes a date, `true` a truth value, a long number loses its last digits.

What was typed is lost then, and two ids may have become one. A cell that is no text and no number in a workbook keeps
a sign of it (`TypedText`) for those who need what was typed.
"""

import re
from typing import ClassVar, Self

from surpeer.errors import Problem, quoted

PAPER_ID, REVIEWER_ID = "the id of a paper", "the id or name of a reviewer"
TYPED_AGAIN = (
    "the spreadsheet made this of what was typed, as it makes a date of 1-3: format the column as text, "
    "then type the cell again"
)
COMPUTE_IT = "open the file in a spreadsheet program, which computes formulas, and save it"
FAILED_FORMULA = "a spreadsheet writes this where a formula fails: correct the formula, or type the content"
SHEET_ERRORS = frozenset(
    ("#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!", "#GETTING_DATA")
)
_ROUNDED = re.compile(r"[+-]?\d([.,]\d+)?E\+\d\d+", re.IGNORECASE)


class TypedText(str):
    """The text of a cell that is something else in its workbook."""

    __slots__ = ()
    kind: ClassVar[str]
    """What it is there."""

    def strip(self, _: str | None = None, /) -> Self:
        """Itself: there is no space around it."""
        return self


class DateText(TypedText):
    """A day, or a moment."""

    __slots__ = ()
    kind = "the date"


class TimeText(TypedText):
    """A time of day, or a length of time."""

    __slots__ = ()
    kind = "the time"


class TruthText(TypedText):
    """`yes` or `no`."""

    __slots__ = ()
    kind = "the truth value"


class UncomputedText(TypedText):
    """What a formula came to, which its workbook does not say."""

    __slots__ = ()
    kind = "a formula without a result"


def altered_id(row: int, column: str, cell: str, expected: str) -> Problem | None:
    """The problem of a cell that is no longer what was typed, where that matters; else None.

    >>> print(altered_id(2, "paper", DateText("2026-01-03"), "the id of a paper").found)
    the date 2026-01-03
    >>> altered_id(2, "paper", "2026-01-03", "the id of a paper")
    """
    if isinstance(cell, UncomputedText):
        return Problem(row, column, cell.kind, expected, COMPUTE_IT)
    if isinstance(cell, TypedText):
        shown = {"yes": "TRUE", "no": "FALSE"}.get(cell, str(cell))
        return Problem(row, column, f"{cell.kind} {shown}", expected, TYPED_AGAIN)
    if cell.startswith("#") and cell.upper() in SHEET_ERRORS:
        return Problem(row, column, quoted(cell), expected, FAILED_FORMULA)
    if cell[1:] and _ROUNDED.fullmatch(cell):
        return Problem(row, column, f"the rounded number {quoted(cell)}", expected, TYPED_AGAIN)
    return None
