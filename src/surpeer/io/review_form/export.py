"""What every reader of a platform's export returns: one row for each review, whatever the file looked like.

Nothing is decided here. Which field is the rating and which are predictions (surpeer.io.intake.choice), and which
reviews count (surpeer.io.intake.selection), is found out later, in the same way for all platforms.
"""

from collections.abc import Callable
from dataclasses import dataclass

from surpeer.errors import Problem
from surpeer.io.content import Content
from surpeer.io.review_form.form import Form, Option


@dataclass(frozen=True, slots=True)
class Field:
    """One question of the review form: its names, and a cell for every review."""

    name: str
    """As people know it, without markup: `Overall merit`."""
    cells: list[str | None]
    """(n,) the answers as they were exported, spaces around them removed; None where there is none."""
    keywords: tuple[str, ...] = ()
    """Other names that the platform has for it: `OveMer`, `s01`."""
    options: tuple[Option, ...] = ()
    """The answers that there are, lowest first, where the form or the export says so."""


@dataclass(frozen=True, slots=True)
class Export:
    """The reviews of one file; lists are of length n, in the order of the file. There may be none at all: that is said
    where reviews are taken in."""

    kind: str
    """Which of the platform's exports this is, in the platform's own words: `Reviews (CSV)`."""
    paper: list[str]
    """Ids as people see them: the number of a submission, not an internal key. Never empty."""
    fields: tuple[Field, ...]
    place: list[int]
    """Where the review is: its row as a spreadsheet counts (the header is row 1), or its position from 1 in JSON."""
    reviewer: list[str | None] | None = None
    """Who wrote it, if the export says so; None for a review whose author is not known."""
    name: list[str] | None = None
    """What the platform calls the review (`3B`), for messages."""
    round: list[str | None] | None = None
    submitted: list[float | None] | None = None
    """When it was submitted or last changed, on any increasing scale: which of two is the later one."""
    draft: list[bool] | None = None
    """Whether it is a draft, or otherwise not submitted."""
    withdrawn: list[bool] | None = None
    """Whether its paper has been withdrawn or taken out of the review."""
    track: list[str | None] | None = None
    title: list[str | None] | None = None
    """Of the paper, where the export says it; not of the review, which may have one too."""
    rating: str | None = None
    """The name of the field that is the rating, where the format itself fixes it."""
    choices_from_one: bool = False
    """Whether a field of the form exports the position of the choice, from 1, instead of what the choice says."""
    notes: tuple[str, ...] = ()
    """What was left out or read in a special way, counted."""
    problems: tuple[Problem, ...] = ()
    """Rows or records that cannot be read. Reviews that have one are not among the rows."""


@dataclass(frozen=True, slots=True)
class Platform:
    """A platform whose exports we read."""

    name: str
    """As `--from` takes it."""
    title: str
    recognise: Callable[[Content], str | None]
    """Which of its exports the content is, in its own words; None if it is none of them. Looks at headers and at the
    first records only, and raises nothing whatever the content is."""
    read: Callable[[Content, Form | None], Export]
    """The reviews. Raises ReviewProblems when the content is none of its exports, or one that cannot be used."""
    files: str
    """Which of its files these are, for people."""
