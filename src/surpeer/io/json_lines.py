"""JSON lines: one object a line."""

import json
from pathlib import Path
from typing import Any

import polars as pl

from surpeer.columns import DISTRIBUTION, PAPER
from surpeer.errors import Problem, quoted
from surpeer.io.strict_json import loads, what_is_wrong
from surpeer.io.table import Table, decode

EXPECTED = "one JSON object a line"


def read_json_lines(path: Path, data: bytes) -> Table:
    """Numbers stay numbers and text stays text, and lists of numbers in `distribution` stay lists; a column that has
    several kinds is text."""
    records: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for number, line in enumerate(decode(path, data).split("\n"), start=1):
        record, found = _read_line(line)
        if found is not None:
            problems.append(Problem(number, None, found, EXPECTED))
        elif record and not _is_id(record.get(PAPER)):
            cell = json.dumps(record.pop(PAPER), ensure_ascii=False)
            problems.append(Problem(number, PAPER, cell, "text or a whole number"))
            record = {}
        records.append(record)
    while records and not records[-1]:
        records.pop()
    names = list(dict.fromkeys(name for record in records for name in record))
    frame = pl.DataFrame({name: _column(name, [record.get(name) for record in records]) for name in names})
    return Table(frame, first_row=1, problems=tuple(problems))


def _read_line(line: str) -> tuple[dict[str, Any], str | None]:
    """The object of one line, or what is wrong with it."""
    if not line.strip():
        return {}, None
    try:
        parsed = loads(line)
    except ValueError as error:
        return {}, what_is_wrong(error)
    return (parsed, None) if isinstance(parsed, dict) else ({}, quoted(line))


def _is_id(cell: object) -> bool:
    return cell is None or (isinstance(cell, str | int) and not isinstance(cell, bool))


def _column(name: str, cells: list[Any]) -> pl.Series:
    """Numbers or text; anything else, and a mixture, as text, so that each cell can be shown as it was written."""
    kinds = {type(cell) for cell in cells} - {type(None)}
    if name == DISTRIBUTION and kinds == {list} and all(map(_is_numbers, cells)):
        return pl.Series(name, cells, dtype=pl.List(pl.Float64), strict=False)
    if kinds <= {int, float} or kinds == {str}:
        try:
            return pl.Series(name, cells, strict=kinds != {int, float})
        except (TypeError, OverflowError, pl.exceptions.PolarsError):  # whole numbers too large for polars
            pass
    return pl.Series(name, [None if cell is None else _text(cell) for cell in cells], dtype=pl.String)


def _is_numbers(cell: list[Any] | None) -> bool:
    """Whether a list has numbers, or empty places, and nothing else."""
    return cell is None or all(type(number) in (int, float, type(None)) for number in cell)


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
