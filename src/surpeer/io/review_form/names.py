"""What the name of a form's field says of it: is it a rating, a prediction, or something else?

Names are compared word by word. Platforms abbreviate them (`OveMer` for "Overall merit"), so the first three letters of
a word stand for it.
"""

import re
from collections.abc import Container, Iterable

from surpeer.io.review_form.vocabulary import VOCABULARY as _KNOWN

_JOINT = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W\d_]+|(?<![^\W_])-?\d+(?:\.\d+)?|\d+(?:\.\d+)?|%")
_ABBREVIATED = re.compile(r"Pre[A-Z0-9%][A-Za-z0-9%]*")
_SHARE_OF = re.compile(r"p ?[_(]", re.IGNORECASE)

_NOT_OVERALL = _KNOWN["of_the_reviewer"] + _KNOWN["aspects"]
_ALL_OVERALL = [
    word for kind in ("rating", "overall", "with_overall", "around_a_rating", "stages") for word in _KNOWN[kind]
]
_PEOPLE = "|".join(_KNOWN["people"])
_OUT_OF = re.compile(  # "of 20 other reviewers", "imagine 10 referees", "of 100, how many"
    rf"\b\d+ (?=(?:other |imagined |imaginary |more |typical )*(?:{_PEOPLE})\b)|\bof (?:the )?\d+,? (?=how many\b)",
    re.IGNORECASE,
)


def words(name: str) -> list[str]:
    """The words, numbers and per cent signs of a name in small letters.

    >>> words("Predicted % of 1 Reject"), words("Pre1Rej"), words("predicted_share_2")
    (['predicted', '%', 'of', '1', 'reject'], ['pre', '1', 'rej'], ['predicted', 'share', '2'])
    """
    apart = _JOINT.sub(" ", name.replace("_", " ").replace("−", "-"))
    return [word.casefold() for word in _WORD.findall(apart)]


def same_word(word: str, whole: str) -> bool:
    """Whether this word of a name is that word, or its first three letters or more, or its plural."""
    return word == whole or (len(word) >= 3 and whole.startswith(word)) or word == whole + "s"


def _any(parts: list[str], wholes: Iterable[str]) -> bool:
    return any(same_word(word, whole) for word in parts for whole in wholes)


def rating_tier(name: str) -> int | None:
    """How much like the name of an overall rating this is: 1 the most, 3 the least, None not at all.

    >>> rating_tier("Overall merit"), rating_tier("review_rating"), rating_tier("Confidence"), rating_tier("OveMer")
    (1, 2, None, 1)
    """
    parts = [word for word in words(name) if word != "pre" and not word.lstrip("-").replace(".", "").isdigit()]
    if not parts or is_prediction(name):
        return None
    overall, rating = _any(parts, _KNOWN["overall"]), _any(parts, _KNOWN["rating"])
    named = rating or _any(parts, _KNOWN["with_overall"]) or len(parts) == 1
    if overall and named and all(_any([word], _ALL_OVERALL) for word in parts):
        return 1
    if rating and all(_any([word], _KNOWN["rating"] + _KNOWN["around_a_rating"]) for word in parts):
        return 2
    return 3 if rating and not _any(parts, _NOT_OVERALL) else None


def is_prediction(name: str) -> bool:
    """Whether the name is one of a question about other reviewers.

    >>> is_prediction("Predicted % of 1 Reject"), is_prediction("Pre1Rej"), is_prediction("Presentation")
    (True, True, False)
    """
    parts = words(name)
    if _has_stem(parts, _KNOWN["predicting"]) or ("others" in parts and len(parts) > 1):
        return True
    people = any(word in _KNOWN["people"] for word in parts)
    if people and ("other" in parts or any(word in _KNOWN["amounts"] for word in parts)):
        return True
    return _ABBREVIATED.fullmatch(name) is not None or (_SHARE_OF.match(name) is not None and len(parts) > 1)


def _has_stem(parts: list[str], stems: list[str]) -> bool:
    return any(word.startswith(stem) for word in parts for stem in stems)


def is_abbreviated_prediction(name: str) -> bool:
    """Whether a name may be the abbreviation of one that begins with "Predicted"."""
    return _ABBREVIATED.fullmatch(name) is not None


def is_about_something_else(name: str) -> bool:
    """Whether a field is called after the reviewer or one aspect of the paper, so that it is not the overall rating."""
    return _any(words(name), _NOT_OVERALL)


def asks_for_shares(name: str) -> bool:
    """Whether the name of a prediction asks how many of other reviewers do something, so that it matters.

    >>> asks_for_shares("Predicted % of 1 Reject"), asks_for_shares("Predictive performance")
    (True, False)
    """
    parts = words(name)
    surely = ("predicted", "prediction", "predictions", "forecast", "forecasts", "guess", "guesses")
    return any(word in (*_KNOWN["asking_for_shares"], *surely) or word.isdigit() for word in parts)


def is_expected_rating(name: str) -> bool:
    """Whether the name asks for the rating that others are expected to give, as one number.

    >>> is_expected_rating("Expected rating of the other reviewers"), is_expected_rating("Expected impact")
    (True, False)
    """
    if not is_prediction(name) or _ABBREVIATED.fullmatch(name):  # "PreRat" may be a preliminary rating
        return False
    rest = [word for word in what_is_predicted(name) if not _any([word], _KNOWN["rating"] + _KNOWN["overall"])]
    return all(_has_stem([word], _KNOWN["average"]) for word in rest)


def is_another_aspect(name: str, rating: str, others: Iterable[str], of_levels: Container[str] = ()) -> bool:
    """Whether a prediction is one of another field than the rating: it has that field's name in it, or an aspect's.

    of_levels : words of the rating's own levels, which say nothing of that

    >>> is_another_aspect("Predicted novelty", "Overall merit", ["Novelty"])
    True
    """
    parts, of_rating = [word for word in words(name) if word not in of_levels], words(rating)
    named = {word for other in others for word in words(other)}
    # "1 No interest" is a level, unless there is a field that asks for interest
    numbered = any(word.isdigit() for word in words(name))
    if any(word in _NOT_OVERALL and word not in of_rating and (word in named or not numbered) for word in parts):
        return True
    fields = ({word for word in words(other) if word.isalpha() and not _says_prediction(word)} for other in others)
    return any(field and field <= set(parts) and not field <= set(of_rating) for field in fields)


def what_is_predicted(name: str) -> list[str]:
    """The words of a prediction's name that can name a level.

    >>> what_is_predicted("Predicted % of 1 Reject"), what_is_predicted("Of 100 other reviewers, how many choose 3?")
    (['1', 'reject'], ['3'])
    """
    parts = words(_OUT_OF.sub("", name))
    return [word for word in parts if not _says_prediction(word)]


def without_common_words(parts: list[str]) -> list[str]:
    """Words of a level's label as `what_is_predicted` leaves them."""
    return [word for word in parts if not _says_prediction(word)]


def _says_prediction(word: str) -> bool:
    return word in ("pre", *_KNOWN["about_predictions"]) or any(word.startswith(stem) for stem in _KNOWN["predicting"])


def folded(name: str) -> str:
    """A name for comparison: capitals, underscores and spaces do not count."""
    return " ".join(name.replace("_", " ").split()).casefold()
