"""The errors for content that is no export of reviews."""

from typing import Any

from surpeer.errors import Problem, ReviewProblems, counted, listed, quoted
from surpeer.io.content import Content

# A form has a few dozen questions; many more are a sign of another kind of file, and would fill the memory.
MOST_FIELDS = 300
SHOWN = 12


def too_many_fields(source: str, number: int, noun: str) -> ReviewProblems:
    """The error for a file whose form is none."""
    remedy = "is this an export of reviews?"
    return ReviewProblems(
        source, [Problem(None, None, f"{counted(number, noun)}", f"a form of at most {MOST_FIELDS}", remedy)]
    )


def no_export(content: Content, expected: str, remedy: str) -> ReviewProblems:
    """The error for content that is none of a platform's exports."""
    return ReviewProblems(content.source, [Problem(None, None, _described(content), expected, remedy)])


def _described(content: Content) -> str:
    if content.sheets:
        names = [quoted(name) for name in content.sheets[0].header if name.strip()]
        return f"a table with the columns {listed(names, SHOWN)}" if names else "a table without a header"
    document = content.json
    if isinstance(document, list) and document and isinstance(document[0], dict):
        return f"a JSON list of objects with the keys {_keys(document[0])}"
    if isinstance(document, dict):
        return f"a JSON object with the keys {_keys(document)}"
    return "other JSON" if document is not None else "neither a table nor JSON"


def _keys(record: dict[str, Any]) -> str:
    return listed(map(quoted, record), SHOWN) or "(none)"
