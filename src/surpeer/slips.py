"""Mistakes by position: found for a whole column at once, and described one by one only where somebody reads of them.

A table of a hundred million rows in the wrong unit has as many mistakes; a message shows the first thousand.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from surpeer.core.shapes import IntArray
from surpeer.errors import Problem

MOST_DESCRIBED = 100_000
"""Of a table in memory: a million of them would take a minute and a gigabyte, and nobody reads so many."""


@dataclass(frozen=True, slots=True)
class Slips:
    """Mistakes of one kind."""

    at: IntArray
    """Positions of the rows, increasing; a row may be there twice."""
    describe: Callable[[int], Problem]
    """Describes the first of them for 0, and so on."""

    def __len__(self) -> int:
        return len(self.at)


def first_problems(slips: Sequence[Slips], most: int) -> list[Problem]:
    """So many problems of the first rows, in the order of rows and then of `slips`."""
    return in_order([some.describe(at) for some in slips for at in range(min(most, len(some)))])[:most]


def in_order(problems: Sequence[Problem]) -> list[Problem]:
    """By row, what is about the whole table first."""
    return sorted(problems, key=lambda problem: -1 if problem.row is None else problem.row)
