"""The review table, defined once: which columns there are and what they mean.

    paper        id of the paper: text, or whole numbers
    reviewer     id of the reviewer (optional): only used to find the same review given twice
    rating       one of the scale's levels
    p_<level>    predicted share of the paper's other reviewers who give that level, one column for every level;
                 a review without a prediction leaves all of them empty
    prediction   for two levels, instead of the p_ columns: the predicted share of the higher level

Other columns are allowed and ignored.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from surpeer.errors import Problem, nearest_name, quoted
from surpeer.scale import MOST_LEVELS, PRESETS, Scale

PAPER, REVIEWER, RATING, PREDICTION, SHARE_PREFIX = "paper", "reviewer", "rating", "prediction", "p_"

NAME_THE_LEVELS = "name the levels, lowest first, with --levels or a scale file (in Python: scale=Scale([...]))"


@dataclass(frozen=True, slots=True)
class Layout:
    """Which column of a table is what."""

    scale: Scale
    shares: tuple[str, ...]
    """The p_ columns in the order of the levels; empty when there are none."""
    top_share: bool
    """Whether `prediction` holds the share of the higher of two levels."""
    has_reviewer: bool
    notes: tuple[str, ...]


def find_layout(
    names: Sequence[str], scale: Scale | None, ratings: Callable[[], list[str]]
) -> tuple[Layout | None, list[Problem]]:
    """What each column is, or everything that keeps us from telling. `ratings` lists the different ratings found."""
    problems = [_missing_column(name, names) for name in (PAPER, RATING) if name not in names]
    shares = [name for name in names if name.startswith(SHARE_PREFIX) and name != SHARE_PREFIX]
    if PREDICTION in names and shares:
        found = f"both {PREDICTION} and {', '.join(shares)}"
        problems.append(Problem(None, None, found, "one or the other", "leave one of them out of the table"))
        return None, problems
    notes: list[str] = []
    if scale is None:
        scale, scale_problems = _scale_from_columns(shares, PREDICTION in names, ratings if not problems else list)
        problems += scale_problems
        if scale is not None and shares:
            notes.append(f"levels taken from the {SHARE_PREFIX} columns, lowest first: {', '.join(scale.levels)}")
    elif shares:
        problems += _share_problems(scale, shares)
        foreign = [name for name in shares if name.removeprefix(SHARE_PREFIX) not in scale.levels]
        if foreign and not problems:
            notes.append(f"ignored, because no level has that name: {', '.join(foreign)}")
    if PREDICTION in names and scale is not None and not scale.is_binary:
        expected = f"{SHARE_PREFIX}<level> columns for {len(scale)} levels"
        problems.append(Problem(None, PREDICTION, "a single prediction column", expected, "it is for two levels only"))
    if problems or scale is None:
        return None, problems
    if not shares and PREDICTION not in names:
        notes.append("the table has no predictions: only the mean can be computed for papers that are not unanimous")
    columns = tuple(SHARE_PREFIX + level for level in scale.levels) if shares else ()
    return Layout(scale, columns, PREDICTION in names, REVIEWER in names, tuple(notes)), []


def _missing_column(name: str, names: Sequence[str]) -> Problem:
    nearest = nearest_name(name, names)
    remedy = f"rename {quoted(nearest)} to {name}" if nearest is not None else f"add a column {name}"
    found = "the columns " + ", ".join(quoted(other) for other in names[:12]) + (", ..." if len(names) > 12 else "")
    return Problem(None, None, found if names else "no columns", f"a column {name}", remedy)


def _scale_from_columns(
    shares: Sequence[str], has_prediction: bool, ratings: Callable[[], list[str]]
) -> tuple[Scale | None, list[Problem]]:
    if shares:
        return _scale_from_shares([name.removeprefix(SHARE_PREFIX) for name in shares])
    if has_prediction:
        found = ratings()
        fitting = [preset for preset in PRESETS.values() if preset.is_binary and {*found} <= {*preset.levels}]
        if found and len(fitting) == 1:
            return fitting[0], []
        if not found:
            return None, []  # an empty or unreadable table has other problems
        listed = ", ".join(quoted(rating) for rating in found[:5]) + (", ..." if len(found) > 5 else "")
        return None, [Problem(None, RATING, f"the ratings {listed}", "two known levels", NAME_THE_LEVELS)]
    return None, [
        Problem(None, None, f"no {SHARE_PREFIX}<level> columns to take the levels from", "levels", NAME_THE_LEVELS)
    ]


def _scale_from_shares(levels: list[str]) -> tuple[Scale | None, list[Problem]]:
    numbers = [_number(level) for level in levels]
    if all(number is not None for number in numbers):
        levels = [level for _, level in sorted(zip(numbers, levels, strict=True), key=lambda pair: pair[0] or 0.0)]
    for preset in PRESETS.values():
        if {*levels} == {*preset.levels} and tuple(levels) != preset.levels:
            found = f"{SHARE_PREFIX} columns in the order {', '.join(levels)}"
            return None, [Problem(None, None, found, "the lowest level first", NAME_THE_LEVELS)]
    if not 2 <= len(levels) <= MOST_LEVELS:
        found, expected = f"{len(levels):,} {SHARE_PREFIX}<level> columns", f"between 2 and {MOST_LEVELS}"
        return None, [Problem(None, None, found, expected, "add the missing ones, or leave out what is no level")]
    return Scale(tuple(levels)), []


def _share_problems(scale: Scale, shares: Sequence[str]) -> list[Problem]:
    missing = [level for level in scale.levels if SHARE_PREFIX + level not in shares]
    spare = [name for name in shares if name.removeprefix(SHARE_PREFIX) not in scale.levels]
    problems = []
    for level in missing:
        nearest = nearest_name(SHARE_PREFIX + level, spare)
        remedy = f"rename {quoted(nearest)}" if nearest is not None else "add the column, or correct the levels"
        found = "the columns " + ", ".join(shares)
        problems.append(Problem(None, None, found, f"a column {SHARE_PREFIX}{level} for level {quoted(level)}", remedy))
    return problems


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
