"""JSON files -> dicts and lists, or an error that says where the file is broken. JSON lines become a list."""

import json
from pathlib import Path
from typing import Any

from surpeer.errors import Problem, ReviewProblems, quoted
from surpeer.io.strict_json import UnusableJson, loads, what_is_wrong
from surpeer.io.table import decode, unusable

NEEDS_EXPORT = "export it again; a file that was cut off ends in the middle"


def read_json(path: Path, data: bytes) -> Any:
    """The document of a JSON file, or the list of the documents on its lines."""
    text = decode(path, data)
    try:
        return loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return _lines(path, text)
        place = f"line {error.lineno}, character {error.colno}"
        near = quoted(text[max(0, error.pos - 20) : error.pos + 20])
        raise unusable(
            path, f"JSON that breaks at {place} ({error.msg}), near {near}", "whole JSON", NEEDS_EXPORT
        ) from None
    except UnusableJson as error:
        raise unusable(path, str(error), "an export of a platform") from None


def _lines(path: Path, text: str) -> list[Any]:
    documents, problems = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            documents.append(loads(line))
        except ValueError as error:
            expected = "one JSON document, or one on each line"
            remedy = NEEDS_EXPORT if isinstance(error, json.JSONDecodeError) else ""
            problems.append(Problem(number, None, what_is_wrong(error), expected, remedy))
    if problems:
        raise ReviewProblems(str(path), problems)
    return documents
