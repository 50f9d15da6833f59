"""The prediction of a review: how it is asked for, and whether the numbers given can be one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from surpeer.web.venues.models import PredictionForm, Venue

WHOLE_NUMBER = re.compile(r"[0-9]{1,6}")
LONGEST_SHOWN = 20


class PredictionProblems(ValueError):
    """Numbers that cannot be a prediction. `problems` maps the place of a number (0 for the first; None for all of
    them together) to what is wrong with it."""

    def __init__(self, problems: Mapping[int | None, str]) -> None:
        self.problems = dict(problems)
        super().__init__(" ".join(problems.values()))


@dataclass(frozen=True)
class Question:
    """How one venue asks for a prediction."""

    text: str
    hint: str
    labels: tuple[str, ...]
    """One for each number, the lowest level first."""
    whole: int
    adds_up: bool
    """Whether the numbers have to add up to `whole`; a single one only may not be larger."""
    unit: str
    """What stands behind each number: nothing, or a per cent sign."""


def question_of(venue: Venue) -> Question:
    """The question that the reviewers of this venue answer."""
    labels, whole = tuple(venue.labels), venue.whole
    if venue.prediction_form == PredictionForm.TOP:
        text = f"How many per cent of the other reviewers of this paper would give “{labels[-1]}”, the highest rating?"
        return Question(text, "A whole number from 0 to 100.", labels[-1:], whole, adds_up=False, unit="%")
    if venue.prediction_form == PredictionForm.SHARES:
        text = "How many per cent of the other reviewers of this paper would give each rating?"
        return Question(text, "Whole numbers that add up to 100.", labels, whole, adds_up=True, unit="%")
    text = f"Imagine {whole} other reviewers of this paper: how many would give each rating?"
    return Question(text, f"Whole numbers that add up to {whole}.", labels, whole, adds_up=True, unit="")


def checked_prediction(venue: Venue, texts: Sequence[str]) -> list[int]:
    """The numbers of a prediction, the lowest level first, from what was typed; `PredictionProblems` names all faults.

    Where the numbers that were given add up to the whole, those left empty are 0: they can be nothing else.
    """
    question = question_of(venue)
    if len(texts) != len(question.labels):
        found = f"Found {len(texts)} numbers, expected {len(question.labels)}, one for each level."
        raise PredictionProblems({None: found})
    problems: dict[int | None, str] = {}
    numbers = []
    for place, text in enumerate(texts):
        number = whole_number(text)
        if number is None or number > question.whole:
            problems[place] = _not_a_number(text, question.labels[place], question.whole)
        numbers.append(number or 0)
    if not problems and (amiss := _amiss_together(question, texts, numbers)):
        problems[None] = amiss
    if problems:
        raise PredictionProblems(problems)
    return numbers


def whole_number(text: str) -> int | None:
    """What was typed as a whole number: 0 for nothing, None for anything else."""
    stripped = text.strip()
    if not stripped:
        return 0
    return int(stripped) if WHOLE_NUMBER.fullmatch(stripped) else None


def left_to_place(question: Question, texts: Sequence[str]) -> str:
    """`3 left to place`, `2 too many`, or that it fits."""
    left = question.whole - sum(whole_number(text) or 0 for text in texts)
    if left == 0:
        return f"Adds up to {question.whole}{question.unit}"
    return f"{left}{question.unit} left to place" if left > 0 else f"{-left}{question.unit} too many"


def _not_a_number(text: str, label: str, whole: int) -> str:
    shown = text.strip()
    shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
    return f"{label}: found “{shown}”, expected a whole number from 0 to {whole}."


def _amiss_together(question: Question, texts: Sequence[str], numbers: Sequence[int]) -> str | None:
    """What is wrong with numbers each of which is fine."""
    if not any(text.strip() for text in texts):
        nothing = "The prediction is empty: say what you expect of the other reviewers."
        return f"{nothing} {question.hint}"
    if not question.adds_up or sum(numbers) == question.whole:
        return None
    total = f"The numbers add up to {sum(numbers)}{question.unit}, expected {question.whole}{question.unit}"
    return f"{total}: {left_to_place(question, texts)}."
