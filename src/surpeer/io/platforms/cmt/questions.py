"""Columns of CMT's reviews -> questions. `Q1 (Overall Rating)` has what the answer says, and the column beside it,
`Q1 (Overall Rating - Value)`, the number that it counts; questions without numbers have the first one only.
"""

import re
from dataclasses import dataclass

from surpeer.io.platforms.sheet_columns import Cells, Columns

VALUE = re.compile(r"\s*-\s*Value$", re.IGNORECASE)
QUESTION = re.compile(r"(Q\d+)\s*\((.*)\)", re.DOTALL | re.IGNORECASE)
NUMBER_OR_SHARE = re.compile(r"[-+]?\d{1,6}([.,]\d{1,6})?\s*%?")


@dataclass(frozen=True, slots=True)
class Question:
    """One question of one sheet."""

    name: str
    """What it asks, without the number; of a column that is no question, its name."""
    keywords: tuple[str, ...]
    cells: Cells


def is_question(name: str) -> bool:
    """Whether a column is a question's, or the numbers of one."""
    return QUESTION.fullmatch(" ".join(name.split())) is not None


def read_questions(columns: Columns) -> list[Question]:
    """The questions in the order of the columns; numbers and words of one answer are put together."""
    values = {_stem(name): cells for name, cells in columns.cells.items() if _is_value(name)}
    labels = {name: cells for name, cells in columns.cells.items() if not _is_value(name)}
    questions = []
    for name, cells in labels.items():
        numbers = values.pop(_spaceless(name), None)
        questions.append(_question(name, cells if numbers is None else _together(numbers, cells)))
    lone = [
        _question(name, cells) for name, cells in columns.cells.items() if _is_value(name) and _stem(name) in values
    ]
    return _with_numbers_where_needed([*questions, *lone])


def _is_value(name: str) -> bool:
    match = QUESTION.fullmatch(name)
    return match is not None and VALUE.search(match[2]) is not None


def _stem(name: str) -> str:
    """The name of a value column as that of its question would be, for comparison."""
    match = QUESTION.fullmatch(name)
    return _spaceless(f"{match[1]} ({VALUE.sub('', match[2])})") if match is not None else _spaceless(name)


def _spaceless(name: str) -> str:
    return "".join(name.split()).casefold()


def _question(name: str, cells: Cells) -> Question:
    match = QUESTION.fullmatch(name)
    if match is None:
        return Question(name, (), cells)
    text = VALUE.sub("", match[2]).strip()
    return Question(text or match[1], (match[1], name), cells)


def _together(numbers: Cells, labels: Cells) -> Cells:
    """`5: Accept` from 5 and Accept. Where all answers are numbers or percentages in words too, they say all."""
    different = set(labels) - {None}
    if different and all(label is not None and NUMBER_OR_SHARE.fullmatch(label) for label in different):
        return labels
    known: dict[tuple[str | None, str | None], str | None] = {}
    for pair in set(zip(numbers, labels, strict=True)):
        number, label = pair
        begins = (
            bool(number and label) and re.match(rf"{re.escape(number or '')}(?!\d|[.,]\d)", label or "") is not None
        )
        known[pair] = f"{number}: {label}" if number and label and not begins else label or number
    return [known[pair] for pair in zip(numbers, labels, strict=True)]


def _with_numbers_where_needed(questions: list[Question]) -> list[Question]:
    """Two questions of one sheet that ask the same get their numbers behind it."""
    names = [question.name.casefold() for question in questions]
    return [
        Question(f"{question.name} ({question.keywords[0]})", question.keywords, question.cells)
        if names.count(name) > 1 and question.keywords
        else question
        for question, name in zip(questions, names, strict=True)
    ]
