"""The cells of a rating field -> levels of a scale, and which levels there are.

Platforms write ratings as `4`, `4.0`, `6: Marginally above ...`, `3 good`, `A`, or in words. A number at the beginning
is the level; what follows is what it means to people.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from surpeer.errors import nearest_name
from surpeer.io.review_form.export import Field
from surpeer.io.review_form.form import Option
from surpeer.io.review_form.names import folded
from surpeer.io.review_form.rating_text import split_label
from surpeer.scale import MOST_LEVELS, Scale, plain_number
from surpeer.verdicts import VERDICTS, verdict, whole_order

LONGEST_LABEL = 300  # characters; what is longer is a comment
MOST_NAMES = 12  # levels in words; what has more different answers is no scale
MOST_WORDS = 8  # in the name of a level
LIKE = 0.85  # how like a verdict a word is that is a misspelt one
MOSTLY = 0.9  # of the answers are numbers where the levels are; the others are slips


@dataclass(frozen=True, slots=True)
class Levels:
    """What the cells of a rating field say."""

    cells: list[str | None]
    """(n,) the level of each cell, or the text of one that is none."""
    found: tuple[Option, ...]
    """The levels that occur, or that the form has; lowest first where `ordered`."""
    ordered: bool
    """Whether it is known which is lowest."""
    from_form: bool = False

    @property
    def are_numbers(self) -> bool:
        return all(plain_number(option.symbol) is not None for option in self.found)

    @property
    def mostly(self) -> bool:
        """Whether most answers are levels, and there are answers at all."""
        symbols = {option.symbol for option in self.found}
        given = [cell for cell in self.cells if cell is not None]
        return sum(cell in symbols for cell in given) * 2 > len(given)

    def scale(self, options: Sequence[Option] = ()) -> Scale:
        """The scale of these levels, or of others. A level that is a number stands for that number, unless the lowest
        level has the highest number ("1. Accept ... 4. Reject")."""
        chosen = tuple(options) or self.found
        labels = [option.label or option.symbol for option in chosen]
        return numbers_as_values(Scale([option.symbol for option in chosen], (), labels))


def numbers_as_values(scale: Scale) -> Scale:
    """The scale with levels that are numbers standing for themselves, unless the user said what they stand for."""
    numbers = [number for level in scale.levels if (number := plain_number(level)) is not None]
    said = scale.values != Scale(scale.levels).values
    rising = len(numbers) == len(scale) and numbers == sorted(numbers)
    return scale.with_values(numbers) if rising and not said else scale


def read_levels(field: Field, scale: Scale | None = None) -> Levels | None:
    """The levels of a field, or None if its cells are texts rather than ratings.

    scale : the levels that the user named, which then are the only ones
    """
    if scale is not None:
        return _match(field, tuple(_with_label(level, scale, field) for level in scale.levels), field.options)
    if field.options:
        return _match(field, field.options)
    return _find(field)


def _with_label(level: str, scale: Scale, field: Field) -> Option:
    """A level that the user named, with the label that it has in the form if she gave none."""
    label = scale.labels[scale.levels.index(level)]
    in_form = next((o.label for o in field.options if folded(o.symbol) == folded(level)), "")
    return Option(level, label if label != level else in_form)


def _match(field: Field, options: tuple[Option, ...], form: tuple[Option, ...] = ()) -> Levels:
    """Every cell as one of these levels, by symbol, by label, or by the number at its beginning.

    form : what the form offers, where the levels were named by somebody who may have named them by their labels
    """
    by_name: dict[str, str] = {}
    for option in reversed(options):  # the first one wins
        if option.label:
            by_name[folded(option.label)] = option.symbol
    for option in options:
        by_name[folded(f"{option.symbol} {option.label}")] = by_name[folded(option.symbol)] = option.symbol
    for option in form:
        meant = by_name.get(folded(option.symbol)) or by_name.get(folded(option.label))
        if meant is not None:
            by_name[folded(option.symbol)] = meant
            by_name.setdefault(folded(option.label), meant)  # a label may be another one's symbol
    by_number = {number: o.symbol for o in options if (number := plain_number(o.symbol)) is not None}
    by_verdict = {meant: o.symbol for o in options if (meant := verdict(o.symbol)) is not None}
    known: dict[str | None, str | None] = {None: None}
    for cell in field.cells:
        if cell is not None and cell not in known:
            meant = by_name.get(folded(cell)) or by_number.get(_number(cell)) or by_verdict.get(verdict(cell) or "")
            known[cell] = meant or cell
    return Levels(
        [known[cell] for cell in field.cells], options, ordered=True, from_form=not form or bool(field.options)
    )


def _number(cell: str) -> float:
    number = plain_number(split_label(cell).symbol)
    return float("nan") if number is None else number


def _find(field: Field) -> Levels | None:
    times = Counter(cell for cell in field.cells if cell is not None)
    if not times or len(times) > MOST_LEVELS * 4 or any(len(cell) > LONGEST_LABEL for cell in times):
        return None
    split = {cell: split_label(cell) for cell in times}
    numbered = {cell: option for cell, option in split.items() if plain_number(option.symbol) is not None}
    if sum(times[cell] for cell in numbered) >= MOSTLY * times.total():  # what is none is a slip, reported later
        found = sorted(_labelled(numbered.values()), key=lambda option: plain_number(option.symbol) or 0.0)
        cells = [None if cell is None else split[cell].symbol for cell in field.cells]
        return Levels(cells, tuple(found), ordered=True) if len(found) <= MOST_LEVELS else None
    return None if numbered else _in_words(field.cells, times)


def _labelled(options: Iterable[Option]) -> list[Option]:
    """Each level once, with the label that goes with it if there is just one."""
    labels: dict[str, set[str]] = {}
    for option in options:
        labels.setdefault(option.symbol, set()).update({option.label} - {""})
    return [Option(symbol, next(iter(names)) if len(names) == 1 else "") for symbol, names in labels.items()]


def _in_words(cells: list[str | None], times: Counter[str]) -> Levels | None:
    """Levels that are letters or words: ordered only if everybody knows the order. Capitals make no other level."""
    spelt: dict[str, str] = {}
    for name in sorted(times, key=lambda name: (-times[name], name)):
        spelt.setdefault(_word(name), name)
    if len(spelt) > MOST_NAMES or any(len(name.split()) > MOST_WORDS for name in spelt):
        return None
    slips = _slips(spelt, times)
    names = sorted(name for word, name in spelt.items() if word not in slips)
    order = whole_order(names) if len(names) > 1 else None
    found = tuple(Option(name) for name in (order or names))
    return Levels([None if cell is None else spelt[_word(cell)] for cell in cells], found, ordered=order is not None)


def _word(name: str) -> str:
    """A rating for comparison; `Strong-accept` is `strong accept`."""
    return verdict(name) or folded(name)


def _slips(spelt: dict[str, str], times: Counter[str]) -> set[str]:
    """The words among known verdicts that are misspelt ones, or few: what is none is reported later."""
    others = {word for word in spelt if verdict(word) is None}
    if len(spelt) - len(others) < 2:
        return set()
    few = sum(times[name] for name in times if _word(name) in others) <= (1 - MOSTLY) * times.total()
    return others if few else {word for word in others if nearest_name(word, VERDICTS, LIKE) is not None}


def numbered_options(count: int, found: Sequence[Option], from_one: bool) -> list[tuple[Option, ...]]:
    """The scales of so many levels that have the numbers which occur: these, or whole numbers from 1, from 0, or around
    0; where levels are known to be counted from 1, from there only."""
    if len(found) == count:
        return [tuple(found)]
    numbers = [plain_number(option.symbol) for option in found]
    labels = {option.symbol: option.label for option in found}
    half = (count - 1) // 2
    fitting = []
    for low in (1,) if from_one else (1, 0, *([-half] if count % 2 and half > 0 else [])):
        candidates = [str(low + step) for step in range(count)]
        if all(number is not None and str(int(number)) in candidates and number == int(number) for number in numbers):
            fitting.append(tuple(Option(symbol, labels.get(symbol, "")) for symbol in candidates))
    return fitting
