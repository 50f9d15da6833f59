"""Which level the name of a prediction is about: by its number, letter or label, or by an order that all know."""

import re
from collections.abc import Sequence

from surpeer.io.intake.levels import Levels
from surpeer.io.review_form.export import Field
from surpeer.io.review_form.form import Option
from surpeer.io.review_form.names import same_word, what_is_predicted, without_common_words, words
from surpeer.scale import known_order, plain_number


def level_named(one: Field, options: Sequence[Option]) -> str | None:
    """The level that the name of a prediction has in it, if it is one and only one."""
    rest = what_is_predicted(one.name)
    exact = [option.symbol for option in options if rest and rest in _names_of(option)]
    if len(exact) == 1:
        return exact[0]
    fitting = [option.symbol for option in options if _fits(rest, option)]
    fitting = fitting or [option.symbol for option in options if _has_symbol(one.name, rest, option.symbol)]
    return fitting[0] if len(fitting) == 1 else None


def _has_symbol(name: str, rest: list[str], symbol: str) -> bool:
    """Whether a number or a capital letter that is a level stands in the name, whatever words stand beside it: labels
    in names may be older or newer than those of the form."""
    if plain_number(symbol) is not None:
        return symbol.casefold() in rest
    return len(symbol) == 1 and symbol.isupper() and re.search(rf"\b{symbol}\b", name) is not None


def _fits(rest: list[str], option: Option) -> bool:
    """Whether the symbol is among these words and the others are, or abbreviate, words of the label."""
    symbol, label = words(option.symbol), words(option.label)
    if not symbol or any(word not in rest for word in symbol):
        return False
    others = [word for word in rest if word not in symbol]
    if not label:  # then "weak accept" is not the level "accept", but "1 rej" may be the level 1
        return not others or plain_number(option.symbol) is not None
    return not others or any(same_word(word, whole) for word in others for whole in label)


def _names_of(option: Option) -> list[list[str]]:
    symbol, label = words(option.symbol), words(option.label)
    short = without_common_words(label)
    return [name for name in (symbol, label, symbol + label, short, symbol + short) if name]


def number_named(one: Field) -> str | None:
    """The number in the name of a prediction, if it is one and only one."""
    numbers = [word for word in what_is_predicted(one.name) if plain_number(word) is not None]
    return numbers[0] if len(numbers) == 1 else None


def level_of_words(rest: list[str], levels: Levels) -> str | None:
    """The level that these words name, if it is one and only one."""
    short = without_common_words(rest)
    found = [option.symbol for option in levels.found if rest in _names_of(option) or short in _names_of(option)]
    if not found and levels.are_numbers and not levels.from_form and len(rest) == 1:
        return rest[0] if plain_number(rest[0]) is not None else None
    return found[0] if len(found) == 1 else None


def in_usual_order(names: Sequence[list[str]], levels: Levels) -> list[str | None]:
    """The levels that are numbers, for names whose order everybody knows: accept is higher than reject."""
    texts = [" ".join(without_common_words(name)) for name in names]
    order = known_order(texts)
    if order is None or len(order) != len(levels.found) or not (levels.are_numbers and levels.ordered):
        return [None] * len(names)
    by_text = {text: option.symbol for text, option in zip(order, levels.found, strict=True)}
    return [by_text.get(text) for text in texts]
