"""Which fields of an export are the rating and the predictions?

The rating is found first (surpeer.io.intake.rating_choice). Predictions are the fields whose names ask about other
reviewers:

    shares         one field for each level: its name has the level's number, letter or label
    distribution   one field with the shares of all levels in one text
    expected       one field with the rating expected of others

Where an export has several of these, the first kind that is complete is used, and a note names the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from surpeer.distribution_cells import count_numbers
from surpeer.errors import InputError, UnknownName, quoted
from surpeer.io.intake.by_content import alike_fields, holds_whole_distributions
from surpeer.io.intake.level_names import in_usual_order, level_named, level_of_words, number_named
from surpeer.io.intake.levels import Levels, read_levels
from surpeer.io.intake.named_after_levels import may_be_shares, shares_by_level, with_predicted_levels
from surpeer.io.intake.rating_choice import find_field, find_rating
from surpeer.io.review_form.column_map import Wanted
from surpeer.io.review_form.export import Export, Field
from surpeer.io.review_form.names import (
    asks_for_shares,
    folded,
    is_abbreviated_prediction,
    is_about_something_else,
    is_another_aspect,
    is_expected_rating,
    is_prediction,
    words,
)
from surpeer.scale import Scale, plain_number

MANY = 1000  # answers, which tell as well as all of them what a field holds
LONGEST_PREDICTION = 300  # characters; a field whose answers are longer holds texts

SEVERAL = 3  # abbreviations such as PreQua; one or two may be of anything

NO_PREDICTIONS = "none"
"""What a user names to have predictions ignored."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The fields that are used."""

    rating: Field
    levels: Levels
    shares: dict[str, Field]
    """The predicted share of each level that has a field, by the level's symbol."""
    distribution: Field | None
    expected: Field | None
    unused: tuple[Field, ...]
    """Other predictions, which are not read."""
    doubtful: tuple[Field, ...]
    """Fields that may be predictions, where nothing is read as one."""
    rivals: tuple[Field, ...]
    """Other fields that are called like a rating, though less so."""
    from_one: bool
    """Whether answers are positions of choices, as in the export."""

    def of_rows(self, rows: Sequence[int], scale: Scale) -> "Choice":
        """The same fields with some of the reviews, on a scale that is now known."""

        def taken(one: Field) -> Field:
            return replace(one, cells=[one.cells[at] for at in rows])

        rating = taken(self.rating)
        return replace(
            self,
            rating=rating,
            levels=read_levels(rating, scale) or self.levels,
            shares={level: taken(one) for level, one in self.shares.items()},
            distribution=None if self.distribution is None else taken(self.distribution),
            expected=None if self.expected is None else taken(self.expected),
            doubtful=tuple(map(taken, self.doubtful)),
        )


def choose(export: Export, wanted: Wanted, scale: Scale | None) -> Choice:
    """The rating and the predictions among the fields of an export, as the user said or as their names say."""
    rating, levels, rivals = find_rating(export, wanted.rating, scale)
    levels = with_predicted_levels(levels, rating, export.fields) if scale is None else levels
    candidates = [one for one in export.fields if one is not rating and is_prediction(one.name) and _has_numbers(one)]
    if wanted.predictions == (NO_PREDICTIONS,):
        return Choice(rating, levels, {}, None, None, tuple(candidates), (), rivals, export.choices_from_one)
    if wanted.predictions or wanted.shares or wanted.expected:
        shares, distribution, expected = _as_wanted(export, wanted, levels)
    else:
        shares, distribution, expected = _found(export, rating, levels, candidates)
    shares = dict(sorted(shares.items(), key=lambda pair: _rank(pair[0], levels)))
    used = {id(one) for one in (*shares.values(), distribution, expected)}
    doubtful: tuple[Field, ...] = ()
    if not (shares or distribution or expected):
        named = {id(rating), *map(id, candidates)}
        doubtful = may_be_shares([one for one in export.fields if id(one) not in named], levels)
    unused = tuple(one for one in candidates if id(one) not in used)
    return Choice(rating, levels, shares, distribution, expected, unused, doubtful, rivals, export.choices_from_one)


Predictions = tuple[dict[str, Field], Field | None, Field | None]
"""The field of each level's share, the one with distributions, the one with expected ratings."""


def _found(export: Export, rating: Field, levels: Levels, candidates: list[Field]) -> Predictions:
    """The predictions by their names, or else by their answers. Raises where some would be lost."""
    about = _predictions_of(candidates, rating, levels, export.fields)
    shares, distribution, expected = _by_names(about, levels)
    lost = _not_used(about, shares)
    if not shares and distribution is None and expected is None:
        aspects = [one for one in export.fields if is_about_something_else(one.name)]
        unknown = _predictions_of([one for one in export.fields if one is not rating], rating, levels, aspects)
        shares, distribution = _by_content(unknown, levels, export)
    if lost and expected is None and distribution is None and len(shares) < len(levels.found):
        raise InputError(_not_placed(lost, levels))
    return shares, distribution, expected


def _not_used(candidates: Sequence[Field], shares: dict[str, Field]) -> list[Field]:
    """The fields that must not be overlooked: they ask for shares, or are several abbreviations of "Predicted ..."."""
    used = {id(one) for one in shares.values()}
    others = [one for one in candidates if id(one) not in used]
    abbreviated = [one for one in others if is_abbreviated_prediction(one.name)]
    asking = [one for one in others if asks_for_shares(one.name)]
    return asking or (abbreviated if len(abbreviated) >= SEVERAL else [])


def _by_names(candidates: Sequence[Field], levels: Levels) -> Predictions:
    """The predictions among these fields, as their names and answers say."""
    shares = _shares(candidates, levels)
    distribution = _only([one for one in candidates if _holds_distributions(one)], "a distribution")
    expected = _only([one for one in candidates if _is_expected(one, shares)], "an expected rating")
    if distribution is not None and len(shares) < len(levels.found):
        return {}, distribution, None
    if not shares and expected is not None:
        return _single(expected, levels, None)
    return shares, None, expected if len(shares) == 1 else None


def _by_content(fields: Sequence[Field], levels: Levels, export: Export) -> tuple[dict[str, Field], Field | None]:
    """Shares or a distribution that only their numbers betray. Raises where it is not clear which level is which."""
    group = alike_fields(fields, export.choices_from_one)
    by_level = shares_by_level(fields, levels, export.choices_from_one)
    if len(by_level) > (0 if group is None else len(group[0])):
        return by_level, None
    if group is not None:
        placed = [level_of_words(rest, levels) for rest in group[1]]
        placed = in_usual_order(group[1], levels) if None in placed else placed
        if None in placed or len(set(placed)) < len(placed):
            raise InputError(_not_placed(group[0], levels))
        return {str(level): one for level, one in zip(placed, group[0], strict=True)}, None
    size = len(levels.found)
    return {}, _only([one for one in fields if size > 1 and holds_whole_distributions(one, size)], "a distribution")


def _not_placed(fields: Sequence[Field], levels: Levels) -> str:
    """The message for fields that ask about other reviewers and do not say which level they are about."""
    names = ", ".join(quoted(one.name) for one in fields)
    symbols = ", ".join(option.symbol for option in levels.found)
    return (
        f"found fields that may be predictions, but not of which of the levels {symbols}: {names}; name them with "
        f"--prediction, once for each level, lowest first, or do without: --prediction {NO_PREDICTIONS}"
    )


def _predictions_of(candidates: list[Field], rating: Field, levels: Levels, fields: Sequence[Field]) -> list[Field]:
    """Without the predictions of other fields than the rating."""
    of_levels = {word for option in levels.found for word in words(f"{option.symbol} {option.label}")}
    others = [one.name for one in fields if one is not rating and not is_prediction(one.name)]
    others = [name for name in others if not set(words(name)) <= of_levels]
    return [one for one in candidates if not is_another_aspect(one.name, rating.name, others, of_levels)]


def _has_numbers(one: Field) -> bool:
    """Whether most of the answers have a digit in them, as predictions do."""
    given = [cell for cell in one.cells if cell is not None]
    return sum(len(cell) <= LONGEST_PREDICTION and any(map(str.isdigit, cell)) for cell in given) * 2 > len(given)


def _shares(candidates: Sequence[Field], levels: Levels) -> dict[str, Field]:
    """The fields that predict a level, by the level's symbol."""
    options = levels.found
    found: dict[str, Field] = {}
    for one in candidates:
        if _holds_distributions(one):
            continue
        level = level_named(one, options)
        if level is None and levels.are_numbers and not levels.from_form:
            level = number_named(one)
        if level is None:
            continue
        if level in found:
            names = f"{quoted(found[level].name)}, {quoted(one.name)}"
            raise InputError(
                f"found two fields that predict level {quoted(level)}: {names}; "
                "say which are meant with --prediction, once for each level, lowest first"
            )
        found[level] = one
    return found


def _rank(level: str, levels: Levels) -> float:
    """Where a level stands among others; one that nobody gave can only be a number."""
    symbols = [option.symbol for option in levels.found]
    if levels.are_numbers and not levels.from_form:
        return plain_number(level) or 0.0
    return symbols.index(level)


def _holds_distributions(one: Field) -> bool:
    """Whether most answers, of the first many, are several numbers."""
    given = list(islice((cell for cell in one.cells if cell is not None), MANY))
    return sum(count_numbers(cell) > 1 and not _is_decimal(cell) for cell in given) * 2 > len(given)


def _is_decimal(cell: str) -> bool:
    """Whether a cell is one number with a decimal comma, rather than two shares: 2,5 but not 30,70."""
    parts = cell.strip().split(",")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        return False
    return sum(map(int, parts)) not in (1, *range(90, 111))


def _is_expected(one: Field, shares: dict[str, Field]) -> bool:
    """Whether most answers are single numbers under a name that asks for the rating that others give."""
    if any(one is other for other in shares.values()) or not is_expected_rating(one.name):
        return False
    given = [cell for cell in one.cells if cell is not None]
    return sum(plain_number(cell.strip().replace(",", ".")) is not None for cell in given) * 2 > len(given)


def _only(found: list[Field], what: str) -> Field | None:
    if len(found) > 1:
        names = ", ".join(quoted(one.name) for one in found)
        which = "say which with --prediction"
        raise InputError(f"found {len(found)} fields that may be {what}, expected one; {which}: {names}")
    return found[0] if found else None


def _as_wanted(export: Export, wanted: Wanted, levels: Levels) -> Predictions:
    """Shares, distribution and expected rating as the user named them."""
    expected = find_field(export.fields, wanted.expected, "the expected rating") if wanted.expected else None
    shares = {
        _level(level, levels): find_field(export.fields, name, f"the prediction of level {quoted(level)}")
        for level, name in wanted.shares.items()
    }
    named = [find_field(export.fields, name, "a prediction") for name in wanted.predictions]
    if not named:
        return shares, None, expected
    if len(named) == 1:
        return _single(named[0], levels, expected)
    by_name = [level_named(one, levels.found) for one in named]
    if None not in by_name and len(set(by_name)) == len(named):
        return {str(level): one for level, one in zip(by_name, named, strict=True)}, None, expected
    if len(named) != len(levels.found):
        found = ", ".join(option.symbol for option in levels.found)
        raise InputError(
            f"found {len(named)} prediction fields for the levels {found}, expected one for each, lowest first, "
            "or names that have the level in them; --levels names the levels"
        )
    return {option.symbol: one for option, one in zip(levels.found, named, strict=True)}, None, expected


def _level(name: str, levels: Levels) -> str:
    """The level that the user calls so, by its symbol or its label; one that is not known is a new one."""
    by_name = {folded(option.label): option.symbol for option in levels.found if option.label}
    by_name |= {folded(option.symbol): option.symbol for option in levels.found}
    is_new = folded(name) not in by_name
    if is_new and (levels.from_form or not levels.are_numbers or plain_number(name) is None):
        raise UnknownName("level in the column map's predictions", name, [option.symbol for option in levels.found])
    return by_name.get(folded(name), name)


def _single(one: Field, levels: Levels, expected: Field | None) -> Predictions:
    """What a single prediction is: a distribution, the share of the level in its name, of two levels that are words the
    share of the higher one, or else an expected rating."""
    if _holds_distributions(one):
        return {}, one, expected
    level = level_named(one, levels.found)
    if level is None and len(levels.found) == 2 and levels.ordered and not levels.are_numbers:
        level = levels.found[-1].symbol
    return ({}, None, one) if level is None else ({level: one}, None, expected)
