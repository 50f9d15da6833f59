"""Formulas without a result in a sheet that was read: marked cell by cell, for those who list every problem."""

from collections.abc import Iterable

from surpeer.io.content import Sheet
from surpeer.io.id_cells import UncomputedText


def mark_uncomputed(sheet: Sheet, names: Iterable[str]) -> bool:
    """Put an `UncomputedText` into each of the cells (`B3`); False, where one is outside of what was read."""
    width = max(map(len, sheet.rows), default=0)
    places = [_place(name) for name in names]
    if any(row >= len(sheet.rows) or column >= width for row, column in places):
        return False
    for row, column in places:
        cells = sheet.rows[row]
        cells.extend([""] * (column + 1 - len(cells)))
        cells[column] = UncomputedText(UncomputedText.kind)
    return True


def _place(name: str) -> tuple[int, int]:
    """Row and column, from 0.

    >>> _place("A1"), _place("AB12")
    ((0, 0), (11, 27))
    """
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(name.removeprefix(letters)) - 1, column - 1
