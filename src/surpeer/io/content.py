"""A file before anybody knows what it means: sheets of cells, or a JSON document."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of cells as text, the header among them; '' is an empty cell, and a row may be shorter than others."""

    rows: list[list[str]]
    name: str = ""
    """Of a sheet of a workbook."""
    is_hidden: bool = False
    """Whether people who open the workbook do not see it."""

    @property
    def header(self) -> list[str]:
        """The first row, which in most formats holds the names of columns."""
        return self.rows[0] if self.rows else []


def seen_first(sheets: Iterable[Sheet]) -> list[Sheet]:
    """Sheets in their order, those that are hidden after those that people see: to choose one of them."""
    return sorted(sheets, key=lambda sheet: sheet.is_hidden)


@dataclass(frozen=True, slots=True)
class Content:
    """One file: its sheets (one for CSV, one or more for a workbook), or the JSON document that it is."""

    source: str
    """How errors name the file."""
    sheets: tuple[Sheet, ...] = ()
    json: Any = None
    """Dicts, lists, text, numbers, booleans and None; None for a file that is no JSON. JSON lines are a list."""
