"""Sheets whose header is not in the first row: titles and empty rows may stand above it."""

from collections.abc import Callable

from surpeer.io.content import Sheet
from surpeer.io.platforms.sheet_columns import Columns, read_columns
from surpeer.io.review_form.names import folded

HIGHEST_ROWS = 20  # in which a header is looked for

Header = frozenset[str]
"""The names of columns, folded."""


def find_header(sheet: Sheet, is_header: Callable[[Header], bool]) -> int | None:
    """The position of the first row that is the header which is looked for."""
    for at, row in enumerate(sheet.rows[:HIGHEST_ROWS]):
        if is_header(frozenset(folded(name) for name in row if name)):
            return at
    return None


def read_below(sheet: Sheet, header: int, source: str, once: tuple[str, ...] = ()) -> Columns:
    """The columns of the sheet under the header in this position, with rows as the whole sheet counts them."""
    return read_columns(Sheet(sheet.rows[header:], sheet.name), source, once).lower(header)
