"""Cells as text: numbers as people write them, dates as ISO 8601 has them, strings without what Excel adds to them."""

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

from surpeer.io.id_cells import DateText, TimeText, TruthText

# Control characters, and the _ of what only looks like an escape. Excel writes no others so, and openpyxl has undone
# some of the latter: to undo more here would change what people wrote.
_ESCAPED = re.compile("_x(00[01][0-9A-Fa-f]|005[Ff])_")


def boolean_text(value: object) -> TruthText:
    """How truth is written."""
    return TruthText("yes" if value else "no")


@lru_cache(maxsize=1 << 16)
def number_text(number: float) -> str:
    """A number with the fifteen digits that a spreadsheet shows, without a trailing .0.

    >>> number_text(3.0), number_text(3.5), number_text(0.1 + 0.2), number_text(-0.0), number_text(1e15)
    ('3', '3.5', '0.3', '0', '1000000000000000')
    """
    if abs(number) < 1e16 and number == int(number):
        return str(int(number))
    return f"{number:.15g}"


def written_number(text: str) -> str:
    """The same for a number that a file has as text; what is no number stays as it is.

    >>> written_number("3.0"), written_number("0.30000000000000004"), written_number("about 3")
    ('3', '0.3', 'about 3')
    """
    if text.isdecimal() and text.isascii() and len(text) < 16 and not text.startswith("0"):
        return text
    try:
        return text.strip() if "_" in text else number_text(float(text))
    except ValueError:
        return text.strip()


def iso_text(moment: str) -> DateText:
    """A moment in ISO 8601 as short as it can be.

    >>> iso_text("2024-03-01T00:00:00.000"), iso_text("2024-03-01T10:30:00.000")
    ('2024-03-01', '2024-03-01T10:30:00')
    """
    short = moment.removesuffix("Z").removesuffix(".000")
    return DateText(short.removesuffix("T00:00:00"))


def plain_text(text: str) -> str:
    """A string without space around it, with line feeds at the ends of lines, and Excel's escapes undone.

    >>> plain_text(" two_x000D_\\nlines "), plain_text("_x0041_")
    ('two\\nlines', '_x0041_')
    """
    if "_x" in text:
        text = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.strip()


TEXT_OF: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "",
    str: plain_text,
    int: number_text,
    float: number_text,
    bool: boolean_text,
    datetime: lambda moment: iso_text(moment.isoformat(timespec="seconds")),
    date: lambda day: DateText(day.isoformat()),
    time: lambda moment: TimeText(moment.isoformat(timespec="seconds")),
    timedelta: lambda length: TimeText(number_text(length / timedelta(days=1))),
}
"""How the values of Python are written that libraries make of cells; lengths of time are numbers of days."""
