"""The settings that add a rating and its prediction to the review form of a HotCRP site.

Fields are known by their names, so that loading the file twice changes nothing, and no other field is touched.
"""

import html
import re
from collections.abc import Sequence
from typing import Any

from surpeer.errors import InputError, UnknownName
from surpeer.io.review_form.example_shares import example_shares
from surpeer.io.review_form.form import Option
from surpeer.scale import Scale, plain_number

RATING = "Overall merit"
SHARE = "Predicted % of"
DISTRIBUTION = "Prediction of other reviews"
EXPECTED = "Expected rating of other reviews"

ASKS = ("shares", "text", "expected")

STEP = 10  # per cent
MOST_SHARES = 20  # questions that one could still put on a form

LAST = 1_000_000  # new fields without an order come there

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_REMARKS = re.compile(r"(?:\s*\([^()]*\))+$")
LONGEST_LABEL = 60


def form_settings(scale: Scale, ask: str = "shares", *, rating: str = RATING) -> dict[str, Any]:
    """The settings for the rating on this scale and for what is asked about others' ratings.

    ask : `shares` is one dropdown for each level, `text` one line for all shares, `expected` a number
    rating : the name of the rating, which the site's form may have already
    """
    if ask not in ASKS:
        raise UnknownName("kind of question", ask, ASKS)
    if ask == "shares" and len(scale) > MOST_SHARES:
        raise InputError(
            f"{len(scale)} levels are {len(scale)} questions, expected at most {MOST_SHARES}; "
            "ask for all shares in one text, or for the expected rating"
        )
    choices = rating_choices(scale)
    fields = [_rating_field(rating, choices), *_PREDICTIONS[ask](scale, choices)]
    return {"reset": False, "rf": fields}


def rating_choices(scale: Scale) -> list[Option]:
    """The levels as HotCRP can show them, lowest first: letters that end in the best, else numbers from 1."""
    levels = list(scale.levels)
    symbols = [str(at) for at in range(1, len(levels) + 1)]
    if all(len(level) == 1 for level in levels) and "".join(reversed(levels)) in _LETTERS:
        symbols = levels
    names = list(map(_choice_name, scale.labels, levels, symbols))
    names[0], names[-1] = names[0] or "Lowest", names[-1] or "Highest"
    names = [name or f"Level {symbol}" for name, symbol in zip(names, symbols, strict=True)]
    return [Option(symbol, name) for symbol, name in zip(symbols, _distinct(names), strict=True)]


def _choice_name(label: str, level: str, symbol: str) -> str:
    """What a choice says beside its symbol: "2. 1" would be a riddle. '' if there is nothing to say."""
    name = label if label != symbol else level
    if name == symbol:
        return ""
    return f"Level {name}" if plain_number(name) is not None else name[:1].upper() + name[1:]


def _distinct(names: Sequence[str]) -> list[str]:
    """Names that differ, as HotCRP wants them: a second one of the same letters gets its number."""
    seen: set[str] = set()
    distinct = []
    for at, name in enumerate((" ".join(name.split()) for name in names), start=1):
        unique = name if name.casefold() not in seen else f"{name} ({at})"
        seen.add(unique.casefold())
        distinct.append(unique)
    return distinct


def _rating_field(name: str, choices: Sequence[Option]) -> dict[str, Any]:
    """Its visibility and place stay as they are on a form that has it."""
    return {"name": " ".join(name.split()), "type": "radio", "required": True, **_values(choices)}


def _values(choices: Sequence[Option]) -> dict[str, Any]:
    """All choices that there are; HotCRP lists letters from A, its best, and numbers from 1."""
    listed = choices if choices[0].symbol.isdigit() else choices[::-1]
    values = [
        {"symbol": int(choice.symbol) if choice.symbol.isdigit() else choice.symbol, "name": choice.label, "order": at}
        for at, choice in enumerate(listed, start=1)
    ]
    return {"values_reset": True, "values": values}


def _hidden(name: str, kind: str, place: int, description: str) -> dict[str, Any]:
    """A field that only administrators and the reviewer herself see."""
    return {
        "name": name,
        "type": kind,
        "order": LAST + place,
        "required": True,
        "visibility": "admin",
        "description": html.escape(description, quote=False),
    }


def _share_fields(scale: Scale, choices: Sequence[Option]) -> list[dict[str, Any]]:
    percents = [Option(str(at), f"{STEP * (at - 1)}%") for at in range(1, 100 // STEP + 2)]
    fields = []
    for place, choice in enumerate(choices, start=1):
        description = (
            f"Out of 100 other reviewers of this paper, how many would choose “{choice.symbol}. {choice.label}”? "
            f"Your {len(scale)} answers, one for each level, should add up to 100%. Only the chairs see them."
        )
        field = _hidden(share_name(choice), "dropdown", place, description)
        fields.append({**field, "scheme": "none", **_values(percents)})
    return fields


def share_name(choice: Option) -> str:
    """The name of the question for the share of one level: `Predicted % of 1 Reject`."""
    label = _REMARKS.sub("", choice.label)[:LONGEST_LABEL].strip()
    return f"{SHARE} {choice.symbol} {label}".strip()


def _text_field(scale: Scale, choices: Sequence[Option]) -> list[dict[str, Any]]:
    listed = ", ".join(f"“{choice.symbol}. {choice.label}”" for choice in choices)
    example = " ".join(map(str, example_shares(len(scale))))
    description = (
        f"Out of 100 other reviewers of this paper, how many would choose each of {listed}? "
        f"Please write {len(scale)} numbers in this order that add up to 100, such as “{example}”. "
        "Only the chairs see them."
    )
    return [_hidden(DISTRIBUTION, "text", 1, description)]


def expected_numbers(choices: Sequence[Option]) -> tuple[float, ...]:
    """What the choices count in an expected rating: their own numbers, which the reviewer sees; letters are counted."""
    if choices[0].symbol.isdigit():
        return tuple(float(choice.symbol) for choice in choices)
    return Scale([choice.symbol for choice in choices]).values


def _expected_field(_: Scale, choices: Sequence[Option]) -> list[dict[str, Any]]:
    numbers = expected_numbers(choices)
    listed = ", ".join(
        f"{number:g} = “{choice.symbol}. {choice.label}”" for number, choice in zip(numbers, choices, strict=True)
    )
    example = (numbers[-1] + numbers[-2]) / 2
    description = (
        "What rating will the other reviewers of this paper give on average? "
        f"Please write one number from {numbers[0]:g} to {numbers[-1]:g} ({listed}), such as “{example:g}”. "
        "Only the chairs see it."
    )
    return [_hidden(EXPECTED, "text", 1, description)]


_PREDICTIONS = {"shares": _share_fields, "text": _text_field, "expected": _expected_field}
