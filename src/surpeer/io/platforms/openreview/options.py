"""The answers that a question of an OpenReview form offers, lowest first. Forms list them in either order."""

from collections.abc import Sequence
from typing import Any

from surpeer.io.platforms.json_cells import cell
from surpeer.io.review_form.direction import best_is_first
from surpeer.io.review_form.form import Option
from surpeer.io.review_form.rating_text import split_label
from surpeer.scale import MOST_LEVELS, known_order, plain_number


def read_options(listed: Any) -> tuple[Option, ...]:
    """The options of an enum (API v2) or of a list of texts (v1); none where their order cannot be told.

    >>> [option.symbol for option in read_options([{"value": 2, "description": "2: Accept"}, {"value": 1}])]
    ['1', '2']
    >>> [option.symbol for option in read_options(["Accept (Oral)", "Accept (Poster)", "Reject"])]
    ['Reject', 'Accept (Poster)', 'Accept (Oral)']
    """
    if not isinstance(listed, list) or len(listed) > MOST_LEVELS:
        return ()
    pairs = [_option(entry) for entry in listed]
    options = [option for option in pairs if option is not None]
    if len(options) < 2 or len(options) < len(listed):
        return ()
    return _lowest_first(_with_numbers(options))


def _option(entry: Any) -> Option | None:
    """One entry of an enum: a value, or {"value": 4, "description": "4: Accept"}."""
    if isinstance(entry, dict):
        symbol, description = cell(entry.get("value")), cell(entry.get("description"))
    else:
        symbol, description = cell(entry), None
    if symbol is None:
        return None
    split = split_label(description or "")
    return Option(symbol, split.label if split.symbol == symbol else description or "")


def _with_numbers(options: Sequence[Option]) -> Sequence[Option]:
    """Texts such as "6: Marginally above" as a symbol and a label, if all begin with a number of their own."""
    split = [split_label(option.symbol) for option in options]
    numbers = {number.symbol for number in split if plain_number(number.symbol) is not None}
    if len(numbers) < len(options):
        return options
    return [Option(two.symbol, one.label or two.label) for one, two in zip(options, split, strict=True)]


def _lowest_first(options: Sequence[Option]) -> tuple[Option, ...]:
    symbols = [option.symbol for option in options]
    by_symbol = dict(zip(symbols, options, strict=True))
    if len(by_symbol) < len(options):
        return ()
    numbers = [plain_number(symbol) for symbol in symbols]
    if all(number is not None for number in numbers):
        return tuple(sorted(options, key=lambda option: plain_number(option.symbol) or 0.0))
    known = known_order(symbols)
    if known is not None:
        return tuple(by_symbol[symbol] for symbol in known)
    falls = best_is_first([": ".join(filter(None, (option.symbol, option.label))) for option in options])
    if falls is None:
        return ()
    return tuple(reversed(options)) if falls else tuple(options)
