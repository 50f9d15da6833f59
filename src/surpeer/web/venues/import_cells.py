"""What a cell of an imported table must be, whether a file or a script has it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from surpeer.errors import Problem, quoted
from surpeer.io.id_cells import PAPER_ID, altered_id

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|[\ud800-\udfff]")
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]|^[\u200e\u200f\u202a-\u202e]+|[\u200e\u200f\u202a-\u202e]+$")
"""Marks without width, which come along when text is copied: two ids may differ in nothing else."""
_WHAT = {
    "key": PAPER_ID,
    "paper": PAPER_ID,
    "email": "an e-mail address",
    "reviewer": "the e-mail address or name of a reviewer",
}
_MAILBOX = re.compile(r"([^<>]*)<\s*([^<>\s]+@[^<>\s]+)\s*>[\s;,]*")


@dataclass(frozen=True)
class Column:
    """A column of ours."""

    field: str
    """Of the model that it fills."""
    title: str
    names: tuple[str, ...]
    """What headers may call it, the best first; capitals, spaces and marks do not matter."""
    longest: int
    required: bool = False
    is_text: bool = False
    """Whether it may have several lines."""
    has_own_rows: bool = False
    """Whether several of them, such as the reviewers of a paper, stand in rows below each other."""
    parts: tuple[tuple[str, ...], ...] = ()
    """Names of the columns that make this one together, in the order in which their cells are joined."""
    name_goes_to: str | None = None
    """For an address: the field of the name before it (`Ada Adams <ada@example.org>`); '' where nobody needs it."""
    check: Callable[[str], str | None] = lambda _: None
    """What was expected of a cell that is not that, else None."""

    def read(self, cell: str, row: int) -> tuple[str, Problem | None]:
        """The content of a cell, and what is wrong with it."""
        altered = altered_id(row, self.title, cell.strip(), self.what)
        text = cell.strip() if self.is_text else " ".join(_UNSEEN.sub("", cell).split())
        return text, altered or self._problem(text, row)

    def _problem(self, text: str, row: int) -> Problem | None:
        if not text:
            missing = Problem(row, self.title, "an empty cell", self.what, "fill it in, or delete the row")
            return missing if self.required else None
        if _CONTROL.search(text):
            return Problem(row, self.title, quoted(text), "text without control characters", "type the cell again")
        if len(text) > self.longest:
            found = f"{len(text):,} characters"
            return Problem(row, self.title, found, f"at most {self.longest:,}", "shorten the text")
        expected = self.check(text)
        return Problem(row, self.title, quoted(text), expected, "correct the cell") if expected else None

    @property
    def what(self) -> str:
        """What a cell holds, in words."""
        return _WHAT.get(self.field, f"the {self.title}")


def split_mailbox(text: str) -> tuple[str, str]:
    """Name and address of `Ada Adams <ada@example.org>`; no name where it is written in another way.

    >>> split_mailbox('"Adams, Ada" <ada@example.org>'), split_mailbox("ada@example.org")
    (('Adams, Ada', 'ada@example.org'), ('', 'ada@example.org'))
    """
    match = _MAILBOX.fullmatch(text.strip())
    return ("", text) if match is None else (match[1].strip().strip("\"'").strip(), match[2])


@dataclass(frozen=True)
class Row:
    """What a row says, by field; a column that the file does not have, and a cell with a problem, is not there."""

    number: int
    cells: dict[str, str]
    is_sound: bool = True
    """Whether no cell has a problem. Other rows are compared with the rest, so that all is told at once."""


@dataclass
class ReadTable:
    """The rows as far as they can be read, and what is wrong with them."""

    rows: list[Row]
    problems: list[Problem]
    notes: list[str]
    split_addresses: int = 0
    """How many rows got a name from before the address."""

    def add(self, number: int, cells: Mapping[str, str], columns: Sequence[Column], *, is_sound: bool = True) -> None:
        """Add a row, given by field, and every problem that it has; not sound: some of it could not even be given."""
        texts = dict(cells)
        for column in columns:
            self._split_address(texts, column)
        read = {column.field: column.read(texts[column.field], number) for column in columns if column.field in texts}
        problems = [problem for _, problem in read.values() if problem is not None]
        self.problems.extend(problems)
        sound = {field: text for field, (text, problem) in read.items() if problem is None}
        self.rows.append(Row(number, sound, is_sound and not problems))

    def _split_address(self, texts: dict[str, str], column: Column) -> None:
        """Let an address have its cell for itself; a name before it counts where the row has no other."""
        if column.name_goes_to is None or "<" not in texts.get(column.field, ""):
            return
        name, texts[column.field] = split_mailbox(texts[column.field])
        if name and column.name_goes_to and not texts.get(column.name_goes_to, "").strip():
            texts[column.name_goes_to] = name
            self.split_addresses += 1
