"""The review form of an OpenReview venue: JSON -> Form, and the JSON that adds our questions to it.

A form is an object of fields, {"rating": {"order": 3, "value": {"param": {"type": "integer", "enum": [...]}}}}. It
stands alone ("additional review form options"), or inside the invitation to review.
"""

import re
from typing import Any

from surpeer.errors import InputError, UnknownName, quoted
from surpeer.io.platforms.json_cells import place_in_order
from surpeer.io.platforms.openreview.options import read_options
from surpeer.io.platforms.plain_text import plain_name
from surpeer.io.review_form.example_shares import example_shares
from surpeer.io.review_form.form import Form, Option, Question
from surpeer.io.review_form.names import is_prediction
from surpeer.scale import Scale, plain_number

LAST = float("inf")  # in the order of fields, for those that have no place
FIRST_ORDER = 11  # after the fields of OpenReview's own form

# Where the fields are: in an answer of the API, in the venue's invitation, in that of one paper, in one of API v1.
_WRAPPERS = (
    ("edit", "invitation", "edit", "note", "content"),
    ("edit", "note", "content"),
    ("note", "content"),
    ("reply", "content"),
    ("additional_review_form_options",),
)
_V1_OPTIONS = ("value-radio", "value-dropdown")
_FORMATS = (*_V1_OPTIONS, "value-regex", "value-checkbox", "values-checkbox", "values-dropdown", "value-dict")


def read_form(document: Any) -> Form | None:
    """The questions of a form, or None if the document is none of OpenReview's."""
    if isinstance(document, dict) and isinstance(document.get("invitations"), list):
        document = next(iter(document["invitations"]), None)
    fields = _fields_in(document)
    if fields is None:
        return None
    in_order = sorted(fields.items(), key=lambda item: place_in_order(item[1].get("order"), LAST))
    return Form(tuple(_question(name, field) for name, field in in_order))


def _fields_in(document: Any) -> dict[str, Any] | None:
    """The fields, wherever they are: only what has the shape of a field."""
    if not isinstance(document, dict):
        return None
    for path in (*_WRAPPERS, ()):
        inner: Any = document
        for key in path:
            inner = inner.get(key) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            fields = {str(name): field for name, field in inner.items() if _is_field(field)}
            if fields:
                return fields
    return None


def _is_field(field: Any) -> bool:
    if not isinstance(field, dict):
        return False
    value = field.get("value")
    return (isinstance(value, dict) and isinstance(value.get("param"), dict)) or any(key in field for key in _FORMATS)


def _question(name: str, field: dict[str, Any]) -> Question:
    value = field.get("value")
    param = value.get("param", {}) if isinstance(value, dict) else {}
    shown, *others = spellings(plain_name(name) or name)
    given = param.get("fieldName")
    keywords = [*others, *([plain_name(given)] if isinstance(given, str) else [])]
    return Question(
        shown, tuple(word for word in dict.fromkeys(keywords) if word and word != shown), _options(field, param)
    )


def spellings(name: str) -> list[str]:
    """A field's name, and how it reads to people. Of a prediction first the one with the sign or the point of a level,
    which a name cannot have.

    >>> spellings("overall_rating"), spellings("predicted_share_minus_2")
    (['overall_rating', 'overall rating'], ['predicted share -2', 'predicted_share_minus_2'])
    >>> spellings("predicted_share_4_5")
    ['predicted share 4.5', 'predicted_share_4_5']
    """
    spaced = " ".join(name.replace("_", " ").split())
    exact = re.sub(r"(\d) (\d+)$", r"\1.\2", re.sub(r"\bminus (\d)", r"-\1", spaced))
    found = [exact, name] if exact != spaced and is_prediction(name) else [name, spaced]
    return list(dict.fromkeys(found))


def _options(field: dict[str, Any], param: dict[str, Any]) -> tuple[Option, ...]:
    kind = param.get("type")
    if isinstance(kind, str) and kind.endswith("[]"):  # several answers may be chosen
        return ()
    return read_options(next((field[key] for key in _V1_OPTIONS if key in field), param.get("enum")))


def form_options(scale: Scale, ask: str, venue: str, *, area_chairs: bool = False) -> dict[str, Any]:
    """The JSON for "Additional review form options": the rating, and what others will rate.

    ask : `shares`, one number for every level; `text`, all of them in one line; `expected`, the average alone
    venue : the id of the venue, such as Conf.org/2026/Conference
    area_chairs : whether the area chairs of a paper, if the venue has some, see the predictions as well

    The program chairs and the reviewer herself see what she predicts; other reviewers and authors do not.
    """
    if ask not in QUESTIONS:
        raise UnknownName("question", ask, QUESTIONS)
    scale = _in_numbers(scale)
    readers = _readers(venue_id(venue), area_chairs)
    predictions = QUESTIONS[ask](scale)
    fields = {
        name: {"order": order, **field, "readers": readers}
        for order, (name, field) in enumerate(predictions.items(), start=FIRST_ORDER)
    }
    return {"rating": _rating(scale), **fields}


def venue_id(text: str) -> str:
    """The id of a venue as it was typed, if it can be one."""
    name = text.strip().strip("/")
    if not re.fullmatch(r"[^\s${}/]+(/[^\s${}/]+)*", name) or "/-/" in name:
        raise InputError(f"found {quoted(text)}, expected the id of a venue such as Conf.org/2026/Conference")
    return name


def _readers(venue: str, area_chairs: bool) -> list[str]:
    """Who sees a field. Where it is used, 5 levels up is the review that is posted, and 7 up what it was made from."""
    chairs = [f"{venue}/Program_Chairs"]
    if area_chairs:
        chairs.append(f"{venue}/Submission${{7/content/noteNumber/value}}/Area_Chairs")
    return [*chairs, "${5/signatures}"]


def _in_numbers(scale: Scale) -> Scale:
    """The scale with numbers for levels that are letters or words, which become labels: OpenReview averages numbers,
    and numbers say which level is the highest."""
    if all(plain_number(level) is not None for level in scale.levels):
        return scale
    return Scale([str(at) for at in range(1, len(scale) + 1)], (), scale.labels)


def _rating(scale: Scale) -> dict[str, Any]:
    """The rating itself, highest first, as OpenReview's own form has it."""
    numbers = [float(level) for level in scale.levels]
    whole = all(number.is_integer() for number in numbers)
    kind = "integer" if whole else "float"
    entries = [
        {"value": int(number) if whole else number, "description": _shown(level, label)}
        for number, level, label in zip(numbers, scale.levels, scale.labels, strict=True)
    ]
    return {"order": 3, "value": {"param": {"type": kind, "input": "radio", "enum": entries[::-1]}}}


def _shown(level: str, label: str) -> str:
    return level if label == level else f"{level}: {label}"


def _shares(scale: Scale) -> dict[str, Any]:
    """One question for every level."""
    names = [f"predicted_share_{_field_name(level)}" for level in scale.levels]
    return {
        name: {
            "description": f"Of 100 other reviewers of this paper, how many would choose "
            f'"{_shown(level, label)}"? The {len(scale)} numbers must sum to 100.',
            "value": {"param": {"type": "integer", "minimum": 0, "maximum": 100}},
        }
        for name, level, label in zip(names, scale.levels, scale.labels, strict=True)
    }


def _field_name(level: str) -> str:
    """A level as part of a field's name: small letters, digits and underscores. `spellings` reads it back."""
    signed = re.sub(r"^-(?=\d)", "minus ", level.strip())
    return re.sub(r"[^\w]+", "_", signed.casefold()).strip("_") or "level"


def _text(scale: Scale) -> dict[str, Any]:
    """One line for all levels."""
    levels = ", ".join(_shown(level, label) for level, label in zip(scale.levels, scale.labels, strict=True))
    example = ", ".join(map(str, example_shares(len(scale))))
    number = r"\d{1,3}(\.\d{1,2})?( ?%)?"
    return {
        "predicted_distribution": {
            "description": f"Of 100 other reviewers of this paper, how many would choose each rating? "
            f"{len(scale)} numbers that sum to 100, in this order: {levels}. For example: {example}",
            "value": {"param": {"type": "string", "regex": rf"^\s*{number}([\s,;/]+{number}){{{len(scale) - 1}}}\s*$"}},
        }
    }


def _expected(scale: Scale) -> dict[str, Any]:
    """The average alone."""
    low, high = scale.values[0], scale.values[-1]
    levels = zip(scale.levels, scale.values, strict=True)
    meaning = ", ".join(f"{level} = {value:g}" for level, value in levels if plain_number(level) != value)
    return {
        "expected_rating": {
            "description": f"What rating will the other reviewers of this paper give on average? "
            f"A number from {low:g} to {high:g}, such as {(low + high) / 2 + (high - low) / 20:g}."
            + (f" ({meaning})" if meaning else ""),
            "value": {"param": {"type": "float", "minimum": low, "maximum": high}},
        }
    }


QUESTIONS = {"shares": _shares, "text": _text, "expected": _expected}
