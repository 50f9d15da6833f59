"""Every error surpeer raises on purpose.

    SurpeerError
    ├── InputError           something the user gave cannot be used (exit code 2 on the command line)
    │   ├── ReviewProblems   rows of a review table that cannot be used; carries one Problem per finding
    │   ├── ScaleError       levels, labels or values that do not make a rating scale
    │   └── UnknownName      a method, paper or preset that does not exist; names the ones that do
    └── ArrayError           an array handed to surpeer.core has the wrong shape or is no distribution

All of them are ValueErrors too, so that callers who know nothing of surpeer can catch them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches


class SurpeerError(ValueError):
    """Base of all errors raised on purpose."""


class InputError(SurpeerError):
    """Something the user gave cannot be used."""


class ScaleError(InputError):
    """Levels, labels or values that do not make a rating scale."""


class ArrayError(SurpeerError):
    """An array has the wrong shape, or is not the distribution it should be."""


class UnknownName(InputError):
    """A name that does not exist, with the names that do."""

    def __init__(self, kind: str, name: str, known: Iterable[str], advice: str = "") -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        parts = [f"unknown {kind} {quoted(name)}"]
        nearest = nearest_name(name, self.known)
        if nearest is not None:
            parts.append(f"did you mean {quoted(nearest)}?")
        if advice:
            parts.append(advice)
        elif self.known:
            parts.append(f"known: {', '.join(self.known)}")
        super().__init__("; ".join(parts))


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding in a review table.

    `row` counts as the source shows it: as a spreadsheet does for CSV (the header is row 1), from 1 for
    Parquet and JSON lines, from 0 for a table in memory. It is None when the finding is about the whole table.
    """

    row: int | None
    column: str | None
    found: str
    expected: str
    remedy: str = ""
    review: str = ""
    """What the platform that the table comes from calls the review of this row."""
    file: str = ""
    """The file that it is in, where a table is in several."""

    def __str__(self) -> str:
        named = f" (review {printable(self.review)})" if self.review else ""
        place = ", ".join(
            text
            for text in (
                printable(self.file),
                "" if self.row is None else f"row {self.row}{named}",
                "" if self.column is None else f"column {self.column}",
            )
            if text
        )
        sentence = f"found {self.found}, expected {self.expected}"
        if self.remedy:
            sentence += f"; {self.remedy}"
        return f"{place}: {sentence}" if place else sentence


class ReviewProblems(InputError):
    """A review table that cannot be used, with everything that is wrong with it; notes say how it was understood.

    total : how many problems there are, where not all are given
    """

    def __init__(self, source: str, problems: Sequence[Problem], notes: Sequence[str] = (), total: int = 0) -> None:
        self.source, self.problems, self.notes = source, tuple(problems), tuple(notes)
        self.total = max(total, len(self.problems))
        lines = [*map(str, self.problems)]
        if self.total > len(lines):
            lines.append(f"... and {self.total - len(lines):,} more")
        lines += [f"note: {note}" for note in self.notes]
        super().__init__("\n".join([self.head, *(f"  {line}" for line in lines)]))

    @property
    def head(self) -> str:
        """How many problems, and where."""
        return f"{self.source}: {counted(self.total, 'problem')}"


def quoted(value: object) -> str:
    """The value as a user typed it, between quotes, control characters shown and long text cut."""
    text = printable(str(value))
    return f'"{text[:60]}..."' if len(text) > 63 else f'"{text}"'


def printable(text: str) -> str:
    """Text without what would move a terminal's cursor or turn its writing round."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def printable_lines(text: str) -> str:
    """The same for text of several lines, which stay lines."""
    return "\n".join(printable(line) for line in text.split("\n"))


def listed(names: Iterable[str], most: int) -> str:
    """`a, b, c, ...`: at most so many names, and a sign that there are more."""
    every = list(names)
    return ", ".join(every[:most]) + (", ..." if len(every) > most else "")


def counted(number: int, noun: str) -> str:
    """`1 problem`, `2 problems`, `20,000 problems`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def nearest_name(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """The known name most like `name`, or None when nothing is so near."""
    by_folded: dict[str, str] = {}
    for candidate in known:
        by_folded.setdefault(candidate.strip().casefold(), candidate)
    matches = get_close_matches(name.strip().casefold(), by_folded, n=1, cutoff=likeness)
    return by_folded[matches[0]] if matches else None
