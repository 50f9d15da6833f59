"""Which levels a rating has when nobody named them: from the form, from the predictions, or from the ratings."""

from collections import Counter
from itertools import islice

from surpeer.columns import levels_option
from surpeer.distribution_cells import count_numbers
from surpeer.errors import InputError, quoted
from surpeer.io.intake.choice import MANY, Choice
from surpeer.io.intake.levels import Levels, numbered_options
from surpeer.io.review_form.export import Field
from surpeer.io.review_form.form import Option
from surpeer.scale import Scale, plain_number
from surpeer.verdicts import smallest_whole, usual_order, verdict


def find_scale(choice: Choice) -> Scale:
    """The scale of the rating. Raises InputError where it cannot be known."""
    levels = choice.levels
    if not levels.ordered:
        raise InputError(_unordered(choice.rating, levels))
    if levels.from_form or not levels.are_numbers:
        return levels.scale()
    if len(choice.shares) > 1:
        return levels.scale(_with_shares(choice))
    if choice.distribution is not None:
        return levels.scale(_with_distribution(choice, choice.distribution))
    found = _and_predicted(levels, choice)
    if len(found) < 2:
        raise InputError(
            f"all ratings of {quoted(choice.rating.name)} are {found[0].symbol}, so the other levels are not known; "
            f"name them, lowest first: --levels {_example(found[0].symbol)}"
        )
    return levels.scale(found)


def _example(level: str) -> str:
    """Levels that have this one among them, as one may type them."""
    number = plain_number(level) or 0.0
    return next((f"{low}..{high}" for low, high in ((1, 5), (1, 10), (-3, 3)) if low <= number <= high), f"{level},...")


def origin(choice: Choice) -> str:
    """Where the levels come from, for a note."""
    if choice.levels.from_form:
        return "from the form"
    if not choice.levels.are_numbers:
        return "as they are usually ordered"
    if len(choice.shares) > 1:
        return "from the predictions"
    if choice.distribution is not None:
        return "as many as predictions have numbers; --levels names others"
    return "as found among the ratings; --levels names others"


def _unordered(rating: Field, levels: Levels) -> str:
    symbols = [option.symbol for option in levels.found]
    found = f"the ratings of {quoted(rating.name)} are {', '.join(map(quoted, symbols))}"
    how = f"name all levels, lowest first: --levels {levels_option(_proposed(symbols))}"
    form = "or give the form's settings if there is one (--form FILE)"
    if all(verdict(symbol) is not None for symbol in symbols):
        return f"{found}, and nothing says which others there are; {how}, if these are all; {form}"
    letters = all(len(symbol) == 1 for symbol in symbols)
    right = f"if {symbols[0]} is the best" if letters else "in the right order"
    return f"{found}, and nothing says which is the lowest; {how} {right}; {form}"


def _proposed(symbols: list[str]) -> tuple[str, ...]:
    """An order of the levels to begin with."""
    if all(verdict(symbol) is not None for symbol in symbols):
        spelt = {verdict(symbol): symbol for symbol in symbols}
        return tuple(spelt.get(name, name) for name in smallest_whole(symbols))
    known = usual_order([symbol for symbol in symbols if verdict(symbol) is not None]) or ()
    others = [symbol for symbol in symbols if symbol not in known]
    return (*known, *(reversed(others) if all(len(symbol) == 1 for symbol in symbols) else others))


def _and_predicted(levels: Levels, choice: Choice) -> list[Option]:
    """The levels that occur, and the one that is predicted if it does not."""
    symbols = {option.symbol for option in levels.found}
    extra = [Option(symbol) for symbol in choice.shares if symbol not in symbols]
    return sorted([*levels.found, *extra], key=lambda option: plain_number(option.symbol) or 0.0)


def _with_shares(choice: Choice) -> list[Option]:
    labels = {option.symbol: option.label for option in choice.levels.found}
    strange = [symbol for symbol in labels if symbol not in choice.shares]
    if strange:
        predicted = ", ".join(choice.shares)
        raise InputError(
            f"there are ratings {', '.join(strange)} in {quoted(choice.rating.name)} and predictions for {predicted} "
            "only; name all levels, lowest first, with --levels, or give the form's settings with --form FILE"
        )
    return [Option(symbol, labels.get(symbol, "")) for symbol in choice.shares]


def _with_distribution(choice: Choice, distribution: Field) -> tuple[Option, ...]:
    given = islice((cell for cell in distribution.cells if cell is not None), MANY)
    sizes = Counter(map(count_numbers, given))
    size = sizes.most_common(1)[0][0]
    fitting = numbered_options(size, choice.levels.found, choice.from_one) if size > 1 else []
    if len(fitting) != 1:
        found = ", ".join(option.symbol for option in choice.levels.found)
        several = " or ".join(f"{options[0].symbol} to {options[-1].symbol}" for options in fitting)
        may_be = f" (they may be {several})" if fitting else ""
        raise InputError(
            f"{quoted(distribution.name)} has {size} numbers in most reviews and the ratings found in "
            f"{quoted(choice.rating.name)} are {found}: name all levels{may_be}, lowest first, with --levels"
        )
    return fitting[0]
