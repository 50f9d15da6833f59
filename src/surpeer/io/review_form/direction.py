"""Which end of a list of answers is the best, by what the answers say. Platforms list them in either order.

    numbers or percentages             the highest is the best
    reject or poor at one end,         the end that speaks for a paper
    accept or excellent at the other

A label with a negation ("not acceptable", "I would not reject it") says what a paper is not, which may be anything.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from surpeer.io.review_form.vocabulary import VOCABULARY
from surpeer.scale import plain_number

_ANSWER_NO = re.compile(r"\s*no\s*([,;:.!(–—-]|$)")  # "No", "No: reject it", but not "no flaws"


def _any_word(words: Iterable[str], beginnings: Iterable[str] = ()) -> re.Pattern[str]:
    parts = [*map(re.escape, words), *(rf"{re.escape(beginning)}\w*" for beginning in beginnings)]
    return re.compile(rf"\b({'|'.join(parts)})\b")


_FOR = _any_word(VOCABULARY["speaking_for"], VOCABULARY["speaking_for_beginnings"])
_AGAINST = _any_word(VOCABULARY["speaking_against"], VOCABULARY["speaking_against_beginnings"])
_NEGATION = re.compile(rf"{_any_word(VOCABULARY['negations']).pattern}|n['’]t\b")


def best_is_first(labels: Sequence[str]) -> bool | None:
    """Whether the first answer is the best one; False if the last one is, None if nothing shows which is.

    >>> best_is_first(["Strong accept", "Borderline", "Strong reject"]), best_is_first(["0%", "50%", "100%"])
    (True, False)
    >>> best_is_first(["acceptable", "not acceptable"]) is None
    True
    """
    if len(labels) < 2:
        return None
    numbers = [plain_number(label.strip().removesuffix("%").strip()) for label in labels]
    known = [number for number in numbers if number is not None]
    if len(known) == len(labels):
        return _best_number_is_first(known)
    first, last = leaning(labels[0]), leaning(labels[-1])
    return first > 0 if first * last < 0 else None


def _best_number_is_first(numbers: Sequence[float]) -> bool | None:
    if all(one < next_one for one, next_one in pairwise(numbers)):
        return False
    return True if all(one > next_one for one, next_one in pairwise(numbers)) else None


def leaning(label: str) -> int:
    """Whether a label speaks for a paper (1), against it (-1), or says neither, both, or what the paper is not (0).

    >>> leaning("Weak accept"), leaning("No"), leaning("Fair"), leaning("no reason to reject")
    (1, -1, 0, 0)
    """
    words = label.casefold()
    if _ANSWER_NO.match(words):
        return -1 if not _FOR.search(words) else 0
    if _NEGATION.search(words):
        return 0
    return int(bool(_FOR.search(words))) - int(bool(_AGAINST.search(words)))
