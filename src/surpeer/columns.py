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

from surpeer.errors import Problem, ScaleError, counted, nearest_name, quoted
from surpeer.scale import MOST_LEVELS, Scale, known_order, known_pair, plain_number

PAPER, REVIEWER, RATING, PREDICTION, SHARE_PREFIX = "paper", "reviewer", "rating", "prediction", "p_"

LIKE = 0.85  # how like one of ours the name of an optional column is before it counts as a slip

_OURS = (PAPER, REVIEWER, RATING, PREDICTION)

NAME_THE_LEVELS = "name the levels, lowest first: --levels low,high, or --scale FILE (in Python: scale=Scale([...]))"


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
    shares = [name for name in names if name.startswith(SHARE_PREFIX) and name != SHARE_PREFIX]
    problems = _misspelt(names) or [_missing_column(name, names) for name in (PAPER, RATING) if name not in names]
    if PREDICTION in names and shares:
        found = f"both {PREDICTION} and {', '.join(shares)}"
        problems.append(Problem(None, None, found, "one or the other", "leave one of them out of the table"))
    if problems:
        return None, problems
    notes = []
    if scale is None:
        scale, problems = _scale_from_columns(names, shares, ratings)
        if scale is None:
            return None, problems
        origin = f"the {SHARE_PREFIX} columns" if shares else "the ratings"
        notes.append(f"levels taken from {origin}, lowest first: {', '.join(scale.levels)}")
    else:
        problems = _share_problems(scale, shares, PREDICTION in names)
        if problems:
            return None, problems
        foreign = [name for name in shares if name.removeprefix(SHARE_PREFIX) not in scale.levels]
        if foreign:
            notes.append(f"ignored, because no level has that name: {', '.join(foreign)}")
    if not shares and PREDICTION not in names:
        notes.append("the table has no predictions: only the mean can be computed for papers that are not unanimous")
    columns = tuple(SHARE_PREFIX + level for level in scale.levels) if shares else ()
    return Layout(scale, columns, PREDICTION in names, REVIEWER in names, tuple(notes)), []


def _missing_column(name: str, names: Sequence[str]) -> Problem:
    nearest = nearest_name(name, names)
    remedy = f"rename {quoted(nearest)} to {name}" if nearest is not None else f"add a column {name}"
    found = "the columns " + ", ".join(quoted(other) for other in names[:12]) + (", ..." if len(names) > 12 else "")
    return Problem(None, None, found if names else "no columns", f"a column {name}", remedy)


def _misspelt(names: Sequence[str]) -> list[Problem]:
    """A problem for every column that has the name of one of ours but for capitals or spaces."""
    problems = []
    has_shares = any(name.startswith(SHARE_PREFIX) for name in names)
    for name in names:
        meant = name.strip()
        if meant.casefold() in _OURS:
            meant = meant.casefold()
        elif meant.startswith(SHARE_PREFIX) or (meant.casefold().startswith(SHARE_PREFIX) and not has_shares):
            meant = SHARE_PREFIX + meant[len(SHARE_PREFIX) :].strip()
        if meant != name and meant not in names and (meant in _OURS or meant.startswith(SHARE_PREFIX)):
            found = f"a column {quoted(name)}"
            problems.append(Problem(None, None, found, quoted(meant), "rename it: spaces and capitals count"))
    return problems


def _like(ours: str, names: Sequence[str]) -> str | None:
    """A column that is not ours but nearly has this name."""
    return nearest_name(ours, [name for name in names if name not in _OURS], LIKE)


def reviewer_notes(names: Sequence[str]) -> list[str]:
    """A note where there are no ids of reviewers, or none that we can find."""
    if REVIEWER in names:
        return []
    similar = _like(REVIEWER, names)
    hint = f" ({quoted(similar)} is not read)" if similar is not None else ""
    return [f"no column {REVIEWER}{hint}: a review that was given twice cannot be found"]


def _scale_from_columns(
    names: Sequence[str], shares: Sequence[str], ratings: Callable[[], list[str]]
) -> tuple[Scale | None, list[Problem]]:
    if shares:
        return _scale_from_shares([name.removeprefix(SHARE_PREFIX) for name in shares])
    if PREDICTION in names:
        found = ratings()
        pair = known_pair(found)
        if pair is not None:
            return Scale(pair), []
        listed = ", ".join(quoted(rating) for rating in found[:5]) + (", ..." if len(found) > 5 else "")
        return None, [
            Problem(
                None, RATING, f"the ratings {listed}" if found else "no ratings", "two known levels", NAME_THE_LEVELS
            )
        ]
    similar = _like(PREDICTION, names)
    remedy = f"rename {quoted(similar)} to {PREDICTION}" if similar is not None else NAME_THE_LEVELS
    found_none = f"no {SHARE_PREFIX}<level> columns to take the levels from"
    return None, [Problem(None, None, found_none, "levels", remedy)]


def _scale_from_shares(levels: list[str]) -> tuple[Scale | None, list[Problem]]:
    numbers = [plain_number(level) for level in levels]
    if all(number is not None for number in numbers):
        levels = [level for _, level in sorted(zip(numbers, levels, strict=True), key=lambda pair: pair[0] or 0.0)]
    elif any(number is not None for number in numbers):
        found = f"{SHARE_PREFIX} columns for numbers and for names: {', '.join(levels)}"
        return None, [Problem(None, None, found, "one or the other", NAME_THE_LEVELS)]
    elif known_order(levels) not in (None, tuple(levels)):
        found = f"{SHARE_PREFIX} columns in the order {', '.join(levels)}"
        return None, [Problem(None, None, found, "the lowest level first", NAME_THE_LEVELS)]
    if not 2 <= len(levels) <= MOST_LEVELS:
        found, expected = counted(len(levels), f"{SHARE_PREFIX}<level> column"), f"between 2 and {MOST_LEVELS}"
        return None, [Problem(None, None, found, expected, "add the missing ones, or leave out what is no level")]
    try:
        return Scale(levels), []
    except ScaleError as error:
        return None, [Problem(None, None, f"{SHARE_PREFIX} columns for {', '.join(levels)}", "a scale", str(error))]


def _share_problems(scale: Scale, shares: Sequence[str], has_prediction: bool) -> list[Problem]:
    """What is wrong with the prediction columns of a table whose levels are known."""
    if has_prediction and not scale.is_binary:
        expected = f"{SHARE_PREFIX}<level> columns for {len(scale)} levels"
        return [Problem(None, PREDICTION, "a single prediction column", expected, "it is for two levels only")]
    missing = [level for level in scale.levels if shares and SHARE_PREFIX + level not in shares]
    spare = [name for name in shares if name.removeprefix(SHARE_PREFIX) not in scale.levels]
    problems = []
    for level in missing:
        nearest = nearest_name(SHARE_PREFIX + level, spare)
        remedy = f"rename {quoted(nearest)}" if nearest is not None else "add the column, or correct the levels"
        found = "the columns " + ", ".join(shares)
        problems.append(Problem(None, None, found, f"a column {SHARE_PREFIX}{level} for level {quoted(level)}", remedy))
    return problems
