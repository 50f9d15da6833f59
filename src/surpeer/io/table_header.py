"""What the header of a table asks of its rows and of its names: rows of its width, and names that differ."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from surpeer.errors import Problem, counted, quoted

FIRST_ROW = 2  # as a spreadsheet counts: the header is row 1

Fold = Callable[[str], str]


def twin_problems(names: Iterable[str], once: Iterable[str], fold: Fold = str) -> list[Problem]:
    """A problem for each of the columns `once` that is there twice. Names are the same if they are when folded."""
    times = Counter(map(fold, names))
    return [
        Problem(None, None, f"{times[fold(name)]} columns {name}", "every column once", "rename or delete the others")
        for name in once
        if times[fold(name)] > 1
    ]


def distinct_names(names: Sequence[str], fold: Fold = str) -> list[str]:
    """The names, with the number of the column behind each that is empty or there twice.

    >>> distinct_names(["paper", "note", "", "note"])
    ['paper', 'note (column 2)', '(column 3)', 'note (column 4)']
    """
    times = Counter(map(fold, names))
    return [
        name if name and times[fold(name)] == 1 else f"{name} (column {at})".strip()
        for at, name in enumerate(names, start=1)
    ]


def ragged_row(number: int, row: Sequence[str], cells: int, width: int, is_text: bool) -> Problem:
    """The problem of a row that has more or fewer cells than the header.

    cells : how many it has, which may be fewer than are in `row`: empty ones at the end may not count
    is_text : whether the table is a text file, in which separators may have made two cells out of one
    """
    found = f"{counted(cells, 'cell')} (it begins {quoted(','.join(row[:2]))})"
    too_many = "remove the extra cells" + (", or put quotes around text with separators in it" if is_text else "")
    return Problem(number, None, found, f"{width} as in the header", too_many if cells > width else "complete the row")
