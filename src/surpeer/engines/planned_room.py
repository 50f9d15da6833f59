"""Whether reviews take no more room than was planned for them.

How many there are is a guess where files are text, and how long their ids and titles are is known of the first only.
Where more come than there is room for, all are read again, with room for more: that happens with odd files only, and
costs no more than it took to read what had room.
"""

from collections.abc import Callable, Iterator

import polars as pl

MORE = 1.5
"""How many times as many reviews as were expected may come."""


class MoreReviews(Exception):
    """What was read has to be read again, with room for more."""

    def __init__(self, rows: int, width: int) -> None:
        """rows : that came; width : bytes of each"""
        super().__init__(rows, width)
        self.rows, self.width = rows, width


def within_room(frames: Iterator[pl.DataFrame], fit: Callable[[int, int], bool]) -> Iterator[pl.DataFrame]:
    """The same reviews. Raises MoreReviews as soon as there are more than fit.

    fit : whether there is room for so many of so many bytes each
    """
    rows = size = 0
    for frame in frames:
        rows += len(frame)
        size += int(frame.estimated_size())
        width = bytes_per_row(rows, size)
        if not fit(rows, width):
            raise MoreReviews(rows, width)
        yield frame


def bytes_per_row(rows: int, size: int) -> int:
    """Of so many rows that take so many bytes, rounded up."""
    return 1 + size // max(1, rows)
