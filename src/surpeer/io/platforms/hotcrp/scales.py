"""The answers of a HotCRP score field -> options, lowest first by what they mean.

HotCRP numbers choices from 1 upwards, higher being better, or letters them, A being the best. But it does not look at
what the choices say: `1. Strong accept ... 5. Reject` is a field too. So the choices themselves count where they show
the way (surpeer.io.review_form.direction). Letters that say nothing go by HotCRP's ids, if these rise or fall
throughout; else A is the best.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from surpeer.io.platforms.json_cells import cell, place_in_order
from surpeer.io.platforms.plain_text import plain_name
from surpeer.io.review_form.direction import best_is_first
from surpeer.io.review_form.form import Option
from surpeer.scale import plain_number

MOST_CHOICES = 200

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def options_of(entry: Mapping[str, Any]) -> tuple[Option, ...]:
    """The options of a score field in the settings, lowest first; () for a field that offers none."""
    values = entry.get("values", entry.get("options"))
    if not isinstance(values, list) or not 0 < len(values) <= MOST_CHOICES:
        return ()
    if all(isinstance(value, str) for value in values):
        return _stored(entry, values)
    choices = [value for value in values if isinstance(value, dict) and not value.get("delete")]
    choices.sort(key=lambda choice: place_in_order(choice.get("order"), 0.0))
    options = tuple(
        Option(cell(choice.get("symbol")) or str(at), plain_name(cell(choice.get("name")) or ""))
        for at, choice in enumerate(choices, start=1)
    )
    return options[::-1] if _falls(options, [choice.get("id") for choice in choices]) else options


def _stored(entry: Mapping[str, Any], labels: list[str]) -> tuple[Option, ...]:
    """A field as HotCRP's library has it: the labels, lowest first, and the letter that the best one has."""
    start = entry.get("start", entry.get("option_letter"))
    symbols = [str(at) for at in range(1, len(labels) + 1)]
    given = entry.get("symbols")
    if isinstance(given, list) and len(given) == len(labels):
        symbols = [cell(symbol) or "" for symbol in given]
    elif isinstance(start, str) and len(start) == 1 and start in _LETTERS[: len(_LETTERS) + 1 - len(labels)]:
        first = _LETTERS.index(start)
        symbols = list(_LETTERS[first : first + len(labels)])
        symbols = symbols[::-1] if entry.get("flip", True) else symbols
    return tuple(Option(symbol, plain_name(label)) for symbol, label in zip(symbols, labels, strict=True))


def _falls(options: Sequence[Option], ids: Sequence[object]) -> bool:
    """Whether options in the order of the form begin with the highest."""
    if not options:
        return False
    letters = all(len(option.symbol) == 1 and option.symbol in _LETTERS for option in options)
    ranks = letters and all(plain_number(option.label) is not None for option in options)  # A is 1, and the best
    first = None if ranks else best_is_first([option.label for option in options])
    if first is not None:
        return first
    if not letters:
        return False
    keys = [key for key in ids if isinstance(key, int)]
    return not (len(keys) == len(options) > 1 and _is_falling(keys[::-1]))


def _is_falling(numbers: Sequence[float]) -> bool:
    return all(one > next_one for one, next_one in pairwise(numbers))
