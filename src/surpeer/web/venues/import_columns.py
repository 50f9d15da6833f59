"""Which columns an imported table may have, what else they may be called, and what a cell must be."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from surpeer.errors import Problem, quoted
from surpeer.web.accounts.mail_addresses import why_refused

_url = URLValidator(schemes=["http", "https"])
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|[\ud800-\udfff]")

SHEET_ERRORS = frozenset(
    ("#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!", "#GETTING_DATA")
)


@dataclass(frozen=True)
class Column:
    """A column of ours."""

    field: str
    """Of the model that it fills."""
    title: str
    names: tuple[str, ...]
    """What headers may call it, in lower case and without marks between words."""
    longest: int
    required: bool = False
    is_text: bool = False
    """Whether it may have several lines."""
    has_own_rows: bool = False
    """Whether several of them, such as the reviewers of a paper, stand in rows below each other."""
    check: Callable[[str], str | None] = lambda _: None
    """What was expected of a cell that is not that, else None."""

    def read(self, cell: str, row: int) -> tuple[str, Problem | None]:
        """The content of a cell, and what is wrong with it."""
        text = cell.strip() if self.is_text else " ".join(cell.split())
        return text, self._problem(text, row)

    def _problem(self, text: str, row: int) -> Problem | None:
        if not text:
            missing = Problem(row, self.title, "an empty cell", self.what, "fill it in, or delete the row")
            return missing if self.required else None
        if text.upper() in SHEET_ERRORS:
            remedy = "a spreadsheet writes this where a formula fails: correct the formula, or type the content"
            return Problem(row, self.title, quoted(text), self.what, remedy)
        if _CONTROL.search(text):
            return Problem(row, self.title, quoted(text), "text without control characters", "type the cell again")
        if len(text) > self.longest:
            found = f"{len(text):,} characters"
            return Problem(row, self.title, found, f"at most {self.longest:,}", "shorten the text")
        expected = self.check(text)
        return Problem(row, self.title, quoted(text), expected, "correct the cell") if expected else None

    @property
    def other_names(self) -> tuple[str, ...]:
        """The names that people use most besides ours."""
        return tuple(name for name in self.names if name != self.title)[:5]

    @property
    def what(self) -> str:
        """What a cell holds, in words."""
        return {"email": "an e-mail address", "key": "the id of a paper", "paper": "the id of a paper"}.get(
            self.field, f"the {self.title}"
        )


def _expected_url(text: str) -> str | None:
    try:
        _url(text)
    except ValidationError:
        return "an address that begins with https:// or http://"
    return None


EMAIL_NAMES = ("email", "e mail", "mail", "email address", "e mail address", "address")
PAPER_NAMES = ("id", "paper", "key", "paper id", "submission", "submission id", "number", "paper number", "entry")
PAPER_COLUMNS = (
    Column("key", "id", PAPER_NAMES, 200, required=True),
    Column("title", "title", ("title", "paper title", "name"), 1000),
    Column("authors", "authors", ("authors", "author", "author names", "applicants", "applicant"), 2000),
    Column("track", "track", ("track", "area", "category", "session"), 200),
    Column("url", "url", ("url", "link", "pdf", "web", "address"), 2000, check=_expected_url),
    Column("abstract", "abstract", ("abstract", "summary", "description"), 20_000, is_text=True),
)
REVIEWER_COLUMNS = (
    Column("email", "email", (*EMAIL_NAMES, "reviewer email"), 254, required=True, check=why_refused),
    Column("name", "name", ("name", "full name", "reviewer", "reviewer name", "juror"), 200),
)
ASSIGNMENT_COLUMNS = (
    Column("paper", "paper", PAPER_NAMES, 200, required=True),
    Column(
        "reviewer",
        "reviewer",
        ("reviewer email", *EMAIL_NAMES, "reviewer", "juror", "name"),
        254,
        required=True,
        has_own_rows=True,
    ),
)
COLUMNS = {"papers": PAPER_COLUMNS, "reviewers": REVIEWER_COLUMNS, "assignments": ASSIGNMENT_COLUMNS}


def folded(header: str) -> str:
    """A name of a column without capitals and marks.

    >>> folded(" Paper_ID"), folded("E-Mail:")
    ('paper id', 'e mail')
    """
    return " ".join(re.findall(r"[^\W_]+", header.casefold()))
