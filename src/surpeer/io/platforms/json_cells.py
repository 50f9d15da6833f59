"""Values of JSON documents -> cells, dates and places in an order, whatever type they turn out to have."""

from collections.abc import Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from surpeer.errors import quoted

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def cell(value: object) -> str | None:
    """One value of a JSON document as text, None where nothing was answered.

    >>> cell(3.0), cell(True), cell("  "), cell(["a", None, 2])
    ('3', 'yes', None, 'a, 2')
    """
    if isinstance(value, list):
        parts = [_shown(part) if isinstance(part, list | dict) else cell(part) for part in value]
        return ", ".join(part for part in parts if part) or None
    if isinstance(value, dict):
        return _shown(value)
    if isinstance(value, str):
        text = value.strip()
        return None if not text or text.casefold() == "no entry" else text
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return None if value is None else str(value)


def _shown(value: list[Any] | dict[str, Any]) -> str:
    """What no answer looks like, for a message."""
    return ("[...]" if value else "[]") if isinstance(value, list) else ("{...}" if value else "{}")


def found_value(value: object) -> str:
    """A value that should have been something else, for a message."""
    text = cell(value)
    return "nothing" if text is None else quoted(text)


def in_one_language(value: object) -> str | None:
    """Text that may be given in several languages ({"en": ..., "de": ...}): in English if possible, else the first."""
    return cell(_translated(value) if isinstance(value, dict) else value)


def _translated(texts: dict[str, Any]) -> str | None:
    given = (texts.get("en"), *texts.values())
    return next((text for text in given if isinstance(text, str) and text.strip()), None)


def title_text(value: object) -> str | None:
    """The title of a paper, which may say anything, even "no entry"; None for what is no text.

    >>> title_text(" No entry "), title_text({"en": "Bees", "de": "Bienen"}), title_text(" "), title_text(["Bees"])
    ('No entry', 'Bees', None, None)
    """
    text = _translated(value) if isinstance(value, dict) else value
    return text.strip() or None if isinstance(text, str) else None


def moment(value: object) -> float | None:
    """Seconds since 1970 of a date as computers write it; None where there is none that can be read."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 1e15 and isfinite(value) else None
    if not isinstance(value, str):
        return None
    try:
        date = datetime.fromisoformat(value.strip())
        return ((date if date.tzinfo else date.replace(tzinfo=UTC)) - _EPOCH).total_seconds()
    except (ValueError, OverflowError):
        return None


def first_of(record: dict[str, Any], keys: Sequence[str]) -> str | None:
    """The first of these that says something."""
    return next(filter(None, (cell(record.get(key)) for key in keys)), None)


def place_in_order(value: object, otherwise: float) -> float:
    """The number by which entries of a form are sorted; `otherwise` where it is none."""
    return float(value) if isinstance(value, int | float) and abs(value) < 1e9 else otherwise
