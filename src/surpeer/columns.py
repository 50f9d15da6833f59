"""The review table, defined once: which columns there are and what they mean.

    paper        id of the paper: text, or whole numbers
    reviewer     id of the reviewer (optional): only used to find the same review given twice
    rating       one of the scale's levels
    p_<level>    predicted share of the paper's other reviewers who give that level; a cell, and where the levels are
                 named by the user also a column, that is not there is a share that was not predicted
    prediction   instead of the p_ columns: the predicted share of the highest level, which with two levels says all
    distribution instead of both: the shares of all levels in one cell, the lowest first ("10 20 50 20", or a list)
    expected     the rating expected of another reviewer, as a number between the values of the scale (optional)
    track        what part of the venue the paper belongs to, the same in all its reviews (optional)
    title        of the paper, for people to know it by (optional); of several titles of one paper the first counts

Other columns are allowed and ignored.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from surpeer.errors import Problem, ScaleError, counted, nearest_name, printable, quoted
from surpeer.scale import MOST_LEVELS, Scale, known_pair, plain_number
from surpeer.verdicts import is_whole, smallest_whole, upside_down, usual_order, verdict

PAPER, REVIEWER, RATING, TRACK, TITLE = "paper", "reviewer", "rating", "track", "title"
PREDICTION, SHARE_PREFIX, EXPECTED, DISTRIBUTION = "prediction", "p_", "expected", "distribution"

LIKE = 0.85  # how like one of ours the name of an optional column is before it counts as a slip

FEW_WORDS = 12  # different ratings that can be levels to paste; more are something else

_OURS = (PAPER, REVIEWER, RATING, PREDICTION, DISTRIBUTION, EXPECTED, TRACK, TITLE)

NAME_THE_LEVELS = "name the levels, lowest first: --levels low,high, or --scale FILE (in Python: scale=Scale([...]))"


def name_the_levels(levels: Sequence[str]) -> str:
    """The advice to name the levels, with an order that can be pasted."""
    return f"name the levels, lowest first: --levels {levels_option(levels)} (in Python: scale=Scale([...]))"


def levels_option(levels: Sequence[str]) -> str:
    """Levels as one types them behind --levels, in quotes where one of them has a space.

    >>> levels_option(["reject", "accept"]), levels_option(["weak reject", "accept"])
    ('reject,accept', '"weak reject,accept"')
    """
    text = ",".join(levels)
    return text if all(re.fullmatch(r"[\w.+-]+", level) for level in levels) else f'"{printable(text)}"'


def is_ours(name: str) -> bool:
    """Whether a column of this name means something."""
    return name in _OURS or (name.startswith(SHARE_PREFIX) and name != SHARE_PREFIX)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which column of a table is what."""

    scale: Scale
    shares: tuple[str, ...]
    """The p_ columns that there are, in the order of the levels."""
    top_share: bool
    """Whether `prediction` holds the share of the highest level."""
    distribution: bool
    """Whether `distribution` holds the shares of all levels."""
    has_reviewer: bool
    has_expected: bool
    has_track: bool
    has_title: bool
    notes: tuple[str, ...]

    @property
    def has_shares(self) -> bool:
        """Whether there is a column for shares of levels."""
        return bool(self.shares) or self.top_share or self.distribution


def find_layout(
    names: Sequence[str], scale: Scale | None, ratings: Callable[[], list[str]]
) -> tuple[Layout | None, list[Problem]]:
    """What each column is, or everything that keeps us from telling. `ratings` lists the different ratings found."""
    shares = [name for name in names if name.startswith(SHARE_PREFIX) and name != SHARE_PREFIX]
    problems = _misspelt(names) or [_missing_column(name, names) for name in (PAPER, RATING) if name not in names]
    kinds = [name for name in (PREDICTION, DISTRIBUTION) if name in names] + ([", ".join(shares)] if shares else [])
    if len(kinds) > 1:
        found = f"both {' and '.join(kinds)}"
        problems.append(Problem(None, None, found, "one or the other", "leave one of them out of the table"))
    if problems:
        return None, problems
    if scale is None:
        scale, problems = _scale_from_columns(names, shares, ratings)
        if scale is None:
            return None, problems
        origin = f"the {SHARE_PREFIX} columns" if shares else "the ratings"
        notes = [f"levels taken from {origin}, lowest first: {', '.join(scale.levels)}"]
    else:
        problems = _share_problems(scale, shares)
        if problems:
            return None, problems
        notes = _share_notes(scale, shares, PREDICTION in names)
    columns = tuple(SHARE_PREFIX + level for level in scale.levels if SHARE_PREFIX + level in shares)
    notes += _optional_notes(names, bool(columns), scale)
    has = {f"has_{name}": name in names for name in (REVIEWER, EXPECTED, TRACK, TITLE)}
    return Layout(scale, columns, PREDICTION in names, DISTRIBUTION in names, notes=tuple(notes), **has), []


def _missing_column(name: str, names: Sequence[str]) -> Problem:
    nearest = nearest_name(name, names)
    remedy = f"rename {quoted(nearest)} to {name}" if nearest is not None else f"add a column {name}"
    found = "the columns " + ", ".join(quoted(other) for other in names[:12]) + (", ..." if len(names) > 12 else "")
    return Problem(None, None, found if names else "no columns", f"a column {name}", remedy)


def _misspelt(names: Sequence[str]) -> list[Problem]:
    """A problem for every column that has the name of one of ours but for capitals or spaces."""
    problems = []
    known = set(names)
    has_shares = any(name.startswith(SHARE_PREFIX) for name in names)
    for name in names:
        meant = name.strip()
        if meant.casefold() in _OURS:
            meant = meant.casefold()
        elif meant.startswith(SHARE_PREFIX) or (meant.casefold().startswith(SHARE_PREFIX) and not has_shares):
            meant = SHARE_PREFIX + meant[len(SHARE_PREFIX) :].strip()
        if meant != name and meant not in known and (meant in _OURS or meant.startswith(SHARE_PREFIX)):
            found = f"a column {quoted(name)}"
            problems.append(Problem(None, None, found, quoted(meant), "rename it: spaces and capitals count"))
    return problems


def _like(ours: str, names: Sequence[str]) -> str | None:
    """A column that is not ours but nearly has this name."""
    others = [name for name in names if name not in _OURS and not name.startswith(SHARE_PREFIX)]
    return nearest_name(ours, others, LIKE)


def reviewer_notes(names: Sequence[str]) -> list[str]:
    """A note where there are no ids of reviewers, or none that we can find."""
    if REVIEWER in names:
        return []
    return [f"no column {REVIEWER}{_not_read(REVIEWER, names)}: a review that is in the file twice would count twice"]


def _not_read(ours: str, names: Sequence[str]) -> str:
    similar = _like(ours, names)
    return f" ({quoted(similar)} is not read)" if similar is not None else ""


def _called_after_levels(names: Sequence[str], scale: Scale) -> list[str]:
    """The columns that are none of ours and have the name of a level, at most with a per cent sign."""
    levels = {level.casefold() for level in scale.levels}
    return [name for name in names if name not in _OURS and name.replace("%", "").strip().casefold() in levels]


def _optional_notes(names: Sequence[str], has_shares: bool, scale: Scale) -> list[str]:
    """What it means that columns which need not be there are not there."""
    notes = []
    for name in (EXPECTED, TRACK, TITLE):
        similar = _not_read(name, names)
        if name not in names and similar:
            notes.append(f"no column {name}{similar}")
    if not has_shares and not {PREDICTION, DISTRIBUTION, EXPECTED} & set(names):
        called = _called_after_levels(names, scale)
        if called:
            several = ", ".join(map(quoted, called))
            notes.append(
                f"not read, though called after levels: {several}; predictions are in columns {SHARE_PREFIX}<level>"
            )
        notes.append(
            f"the table has no predictions{_not_read(PREDICTION, names)}: the method venue ranks papers by their mean "
            "rating, drawn towards the mean of the venue where reviews are few; methods other than venue and mean need "
            "predictions"
        )
    return notes


def _scale_from_columns(
    names: Sequence[str], shares: Sequence[str], ratings: Callable[[], list[str]]
) -> tuple[Scale | None, list[Problem]]:
    if shares:
        return _scale_from_shares([name.removeprefix(SHARE_PREFIX) for name in shares])
    similar = _like(PREDICTION, names)
    found = ratings()
    known = known_pair(found) or (usual_order(found) if is_whole(found) else None)
    if known is not None and (PREDICTION in names or (similar is None and DISTRIBUTION not in names)):
        return Scale(known), []
    if PREDICTION in names:
        listed = ", ".join(quoted(rating) for rating in found[:5]) + (", ..." if len(found) > 5 else "")
        said = f"the ratings {listed}" if found else "no ratings"
        return None, [Problem(None, RATING, said, "two known levels", _name_these(found))]
    remedy = f"rename {quoted(similar)} to {PREDICTION}" if similar is not None else _name_these(found)
    found_none = f"no {SHARE_PREFIX}<level> columns to take the levels from"
    return None, [Problem(None, None, found_none, "the rating levels", remedy)]


def _name_these(ratings: Sequence[str]) -> str:
    """The advice to name the levels, with the ratings that were found if they are few words."""
    if not 2 <= len(ratings) <= FEW_WORDS or any(plain_number(rating) is not None for rating in ratings):
        return NAME_THE_LEVELS
    if all(verdict(rating) is not None for rating in ratings):
        return name_the_levels(smallest_whole(ratings))
    return f"{name_the_levels(ratings)}, in the right order"


def _scale_from_shares(levels: list[str]) -> tuple[Scale | None, list[Problem]]:
    numbers = [plain_number(level) for level in levels]
    if all(number is not None for number in numbers):
        levels = [level for _, level in sorted(zip(numbers, levels, strict=True), key=lambda pair: pair[0] or 0.0)]
    elif any(number is not None for number in numbers):
        found = f"{SHARE_PREFIX} columns for numbers and for names: {', '.join(levels)}"
        return None, [Problem(None, None, found, "one or the other", NAME_THE_LEVELS)]
    elif usual_order(levels) not in (None, tuple(levels)) or upside_down(levels):
        found = f"{SHARE_PREFIX} columns in the order {', '.join(levels)}"
        usual = usual_order(levels)
        remedy = NAME_THE_LEVELS if usual is None else name_the_levels(usual)
        return None, [Problem(None, None, found, "the lowest level first", remedy)]
    if not 2 <= len(levels) <= MOST_LEVELS:
        found, expected = counted(len(levels), f"{SHARE_PREFIX}<level> column"), f"between 2 and {MOST_LEVELS}"
        return None, [Problem(None, None, found, expected, "add the missing ones, or leave out what is no level")]
    try:
        return Scale(levels), []
    except ScaleError as error:
        return None, [Problem(None, None, f"{SHARE_PREFIX} columns for {', '.join(levels)}", "a scale", str(error))]


def _share_problems(scale: Scale, shares: Sequence[str]) -> list[Problem]:
    """What is wrong with the p_ columns of a table whose levels are known: no level has one, or one is misspelt."""
    given = [name.removeprefix(SHARE_PREFIX) for name in shares]
    spare = [level for level in given if level not in scale.levels]
    problems = []
    for level in scale.levels if spare else ():
        meant = None if level in given else _misspelt_level(level, spare)
        if meant is None and (level in given or len(spare) < len(given)):
            continue
        remedy = f"rename {quoted(SHARE_PREFIX + meant)}" if meant else "add the column, or correct the levels"
        found = "the columns " + ", ".join(shares)
        problems.append(Problem(None, None, found, f"a column {SHARE_PREFIX}{level} for level {quoted(level)}", remedy))
    return problems


def _misspelt_level(level: str, names: Sequence[str]) -> str | None:
    """The name that seems to be meant for this level, if any."""
    number = plain_number(level)
    same = next((name for name in names if number is not None and plain_number(name) == number), None)
    return same or nearest_name(level, names)


def _share_notes(scale: Scale, shares: Sequence[str], has_prediction: bool) -> list[str]:
    """How the prediction columns of a table whose levels are known were understood."""
    notes = []
    foreign = [name for name in shares if name.removeprefix(SHARE_PREFIX) not in scale.levels]
    if foreign:
        notes.append(f"ignored, because no level has that name: {', '.join(foreign)}")
    missing = [SHARE_PREFIX + level for level in scale.levels if shares and SHARE_PREFIX + level not in shares]
    if missing:
        listed = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        notes.append(f"{counted(len(missing), 'level')} without a column, read as left empty: {listed}")
    if has_prediction and not scale.is_binary:
        notes.append(f"{PREDICTION} is read as the share of the highest level, {scale.levels[-1]}")
    return notes
