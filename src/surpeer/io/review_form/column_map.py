"""A file in which a user says what the columns of her table are: TOML or JSON.

paper = "Submission no."
reviewer = "E-mail"
rating = "Your verdict"
levels = ["reject", "accept"]

[predictions]
reject = "How many of 20 would reject?"
accept = "How many of 20 would accept?"
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from surpeer.errors import InputError, nearest_name, quoted
from surpeer.io import strict_json
from surpeer.scale import Scale

_TEXTS = ("paper", "reviewer", "rating", "expected", "track", "title", "round", "sheet")
_SCALE = ("levels", "values", "labels")
_KEYS = (*_TEXTS, "predictions", "header_row", *_SCALE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user said of fields; empty where nothing was said."""

    rating: str | None = None
    predictions: tuple[str, ...] = ()
    """One field for each level, lowest first; or a single one; or `none`."""
    shares: dict[str, str] = field(default_factory=dict)
    """The field of each level."""
    expected: str | None = None


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """Which column is what; None where the user did not say."""

    paper: str | None = None
    reviewer: str | None = None
    track: str | None = None
    title: str | None = None
    round: str | None = None
    sheet: str | None = None
    """The sheet of a workbook that has the reviews."""
    header_row: int | None = None
    """The row that has the names of columns, from 1."""
    wanted: Wanted = field(default_factory=Wanted)
    scale: Scale | None = None

    @property
    def names_columns(self) -> bool:
        """Whether more is said than which fields are the rating and the predictions, so that the file is a table."""
        return any((self.paper, self.reviewer, self.track, self.title, self.round, self.sheet, self.header_row))


def read_column_map(path: Path) -> ColumnMap:
    """The column map that a file holds."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = strict_json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # what tomllib, JSON and the UTF-8 decoder raise
        raise InputError(f"{path}: cannot be read as TOML (or JSON, if it ends in .json): {error}") from None
    if not isinstance(content, dict):
        raise InputError(f'{path}: expected names of columns, such as paper = "Submission"')
    problems = _problems(content)
    if problems:
        raise InputError(f"{path}: " + "; ".join(problems))
    return _from_mapping(content, path)


def _problems(content: dict[str, Any]) -> list[str]:
    problems = []
    for key in content:
        if key not in _KEYS:
            nearest = nearest_name(key, _KEYS)
            hint = f", did you mean {nearest}?" if nearest else ""
            problems.append(f"unknown key {quoted(key)}, expected {', '.join(_KEYS)}{hint}")
    problems += [
        f"{key} is {quoted(content[key])}, expected the name of a column"
        for key in _TEXTS
        if key in content and not (isinstance(content[key], str) and content[key].strip())
    ]
    header_row = content.get("header_row", 1)
    if not isinstance(header_row, int) or isinstance(header_row, bool) or not 1 <= header_row <= 1000:
        problems.append(f"header_row is {quoted(header_row)}, expected the number of a row, such as 1")
    predictions = content.get("predictions", [])
    names = list(predictions.values()) if isinstance(predictions, dict) else predictions
    if not isinstance(names, str) and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        problems.append("predictions: expected the name of a column, a list of names, or a table from levels to names")
    return problems


def _from_mapping(content: dict[str, Any], path: Path) -> ColumnMap:
    given = {key: content[key] for key in _SCALE if key in content}
    predictions = content.get("predictions", ())
    by_level = predictions if isinstance(predictions, dict) else {}
    listed = (predictions,) if isinstance(predictions, str) else () if by_level else tuple(predictions)
    return ColumnMap(
        **{key: content.get(key) for key in ("paper", "reviewer", "track", "title", "round", "sheet", "header_row")},
        wanted=Wanted(content.get("rating"), listed, dict(by_level), content.get("expected")),
        scale=Scale.from_mapping(given, str(path)) if given else None,
    )
