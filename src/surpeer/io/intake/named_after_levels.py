"""Columns that are called after a level, "% reject" or simply "Reject": predictions, if they hold numbers.

Nobody gives a column of numbers such a name for another purpose. A few cells that are no numbers are slips, which are
reported later. Where most cells are none, or not every level has a column, nothing is guessed, and a note says so.
"""

from collections.abc import Sequence
from dataclasses import replace

from surpeer.errors import listed, quoted
from surpeer.io.intake.by_content import is_mostly_shares, share, sum_to_a_whole
from surpeer.io.intake.level_names import level_of_words
from surpeer.io.intake.levels import Levels
from surpeer.io.review_form.export import Field
from surpeer.io.review_form.form import Option
from surpeer.io.review_form.names import is_prediction, what_is_predicted
from surpeer.verdicts import VERDICTS, is_whole, verdict

SHOWN = 8  # names of fields in a note


def with_predicted_levels(levels: Levels, rating: Field, fields: Sequence[Field]) -> Levels:
    """The levels with those that nobody gave but that columns are called after, where all are verdicts that everybody
    knows; then it is known which is the lowest."""
    known = {verdict(option.symbol): option for option in levels.found}
    if levels.from_form or None in known or not levels.found:
        return levels
    named = {verdict(_named(one)) for one in fields if one is not rating and is_mostly_shares(one)} - {None}
    if not named - known.keys() and (levels.ordered or not known.keys() <= named):
        return levels
    all_named = known.keys() <= named
    found = tuple(known.get(name) or Option(name) for name in VERDICTS if name in known or name in named)
    ordered = len(found) > 1 and (all_named or is_whole(option.symbol for option in found))
    return replace(levels, found=found, ordered=ordered)


def shares_by_level(fields: Sequence[Field], levels: Levels, from_one: bool) -> dict[str, Field]:
    """The fields that are called after levels, by the level: all levels, or some whose numbers sum to a whole."""
    found: dict[str, list[Field]] = {}
    for one in fields:
        level = level_of_words(what_is_predicted(one.name), levels) if is_mostly_shares(one) else None
        if level is not None:
            found.setdefault(level, []).append(one)
    if len(found) < 2 or any(len(same) > 1 for same in found.values()):
        return {}
    shares = {level: same[0] for level, same in found.items()}
    in_words = len(shares) == len(levels.found) and not levels.are_numbers
    return shares if in_words or sum_to_a_whole(list(shares.values()), from_one) else {}


def may_be_shares(fields: Sequence[Field], levels: Levels) -> tuple[Field, ...]:
    """The fields that are called like predictions, or after a level, and in which some cell is a number."""

    def is_called_so(one: Field) -> bool:
        return is_prediction(one.name) or level_of_words(what_is_predicted(one.name), levels) is not None

    given = ((one, [cell for cell in one.cells if cell is not None]) for one in fields if is_called_so(one))
    return tuple(one for one, cells in given if any(share(cell) is not None for cell in cells))


def not_read_note(fields: Sequence[Field], place: Sequence[int]) -> str:
    """The note on fields that may be predictions and are not read, with the first cell that is no number.

    place : (n,) the row of each review
    """
    names = listed([quoted(one.name) for one in fields], SHOWN)
    bad = [(at, cell, one) for one in fields for at, cell in enumerate(one.cells) if cell and share(cell) is None]
    at, cell, one = min(bad, key=lambda found: found[0]) if bad else (0, "", fields[0])
    first = (
        f"; the first cell that is no number is {quoted(cell)} in row {place[at]} of {quoted(one.name)}" if bad else ""
    )
    how = (
        "--prediction NAME, once for each level, lowest first, says that they are; --prediction none, that they are not"
    )
    return f"not read as predictions, though they may be: {names}{first}; {how}"


def _named(one: Field) -> str:
    """What a field is called after, without the words of predictions."""
    return " ".join(what_is_predicted(one.name))
