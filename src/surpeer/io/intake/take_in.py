"""Export -> Reviews: the fields chosen, the reviews selected, the scale found, and notes on all of it."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from surpeer.columns import DISTRIBUTION, EXPECTED, PAPER, RATING, REVIEWER, SHARE_PREFIX, TITLE, TRACK
from surpeer.errors import InputError, Problem, ReviewProblems, counted, quoted
from surpeer.io.decimal_commas import comma_notes, with_points
from surpeer.io.intake.choice import Choice, choose
from surpeer.io.intake.levels import numbers_as_values
from surpeer.io.intake.named_after_levels import not_read_note
from surpeer.io.intake.pseudonyms import hide, numbered
from surpeer.io.intake.scales import find_scale, origin
from surpeer.io.intake.selection import latest_only, select_reviews
from surpeer.io.intake.settings import Intake
from surpeer.io.intake.shares import answers, are_percentages, from_positions, may_be_positions
from surpeer.io.review_form.export import Export, Field
from surpeer.reviews import Reviews
from surpeer.scale import Scale


def take_in(export: Export, intake: Intake, source: str, title: str) -> Reviews:
    """The reviews of an export. Raises ReviewProblems with every problem that they have."""
    if not export.paper:
        raise ReviewProblems(
            source, export.problems or [Problem(None, None, "no reviews", "at least one")], export.notes
        )
    selected = select_reviews(export, intake.rounds)
    if not selected.paper:
        found = "no reviews that count"
        raise ReviewProblems(source, [Problem(None, None, found, "at least one", "; ".join(selected.notes))])
    try:
        return _choose_and_read(selected, intake, source, title)
    except ReviewProblems:
        raise
    except InputError as error:  # which does not know the file
        raise InputError(f"{source}: {error}") from None


def _choose_and_read(selected: Export, intake: Intake, source: str, title: str) -> Reviews:
    choice = choose(selected, intake.wanted, intake.scale)
    if intake.scale is None:
        scale, said_by = find_scale(choice), origin(choice)
    else:
        scale, said_by = intake.scale if intake.values is not None else numbers_as_values(intake.scale), "as given"
    rated, rows = latest_only(selected, [level is not None for level in choice.levels.cells])
    if not rated.paper:
        raise ReviewProblems(
            source,
            [Problem(None, choice.rating.name, "no rating at all", "at least one", "--rating names another field")],
        )
    choice = choice.of_rows(rows, scale)
    if intake.values is not None:
        scale = scale.with_values(intake.values)
    size = f"{counted(len(rated.paper), 'review')} of {counted(len(set(rated.paper)), 'paper')}"
    head = [f"read as {title}, {rated.kind}: {size}", *rated.notes, *describe(choice, scale, said_by)]
    if choice.doubtful:
        head.append(not_read_note(choice.doubtful, rated.place))
    return _read(rated, choice, scale, intake, source, head)


def _read(export: Export, choice: Choice, scale: Scale, intake: Intake, source: str, head: Sequence[str]) -> Reviews:
    columns, share_notes = _prediction_columns(choice, intake.unit)
    ids, reviewer = _id_columns(export, intake)
    frame, commas = with_points(pl.DataFrame({**ids, RATING: choice.levels.cells, **columns}, strict=False))
    notes = (*head, *share_notes, *comma_notes(commas))
    percent = are_percentages(list(choice.shares.values()))
    try:
        reviews = Reviews.from_table(
            frame,
            scale,
            unit=intake.unit or ("percent" if percent else "auto"),
            normalise=intake.normalise,
            drop_bad_predictions=intake.drop_bad_predictions,
            source=source,
            rows=np.asarray(export.place),
        )
    except ReviewProblems as found:
        problems = [_as_exported(problem, export, choice) for problem in found.problems]
        everything = sorted([*export.problems, *problems], key=lambda problem: problem.row or 0)
        all_notes = (*notes, *_form_advice(choice, share_notes))
        raise ReviewProblems(source, everything, all_notes, len(export.problems) + found.total) from None
    if export.problems:
        raise ReviewProblems(source, export.problems, notes)
    read = (_in_their_words(note, scale, bool(choice.doubtful)) for note in reviews.notes)
    return replace(reviews, reviewer=reviewer, notes=(*notes, *read))


def _form_advice(choice: Choice, share_notes: list[str]) -> list[str]:
    """What to say when predictions that may be positions of choices cannot be read."""
    if not choice.from_one or share_notes or not choice.shares or any(one.options for one in choice.shares.values()):
        return []
    return ["predictions may be positions in a list of choices: give the form's settings with --form FILE"]


def describe(choice: Choice, scale: Scale, said_by: str) -> list[str]:
    """What was taken for what, in a line each; `said_by` is where the levels come from."""
    labelled = zip(scale.levels, scale.labels, strict=True)
    levels = ", ".join(level if label in ("", level) else f"{level} ({label})" for level, label in labelled)
    notes = [f"rating: {quoted(choice.rating.name)}; levels, lowest first: {levels} ({said_by})"]
    if choice.shares:
        listed = ", ".join(f"{quoted(one.name)} for {level}" for level, one in choice.shares.items())
        notes.append(f"predictions: {listed}")
    if choice.distribution is not None:
        notes.append(f"predictions: {quoted(choice.distribution.name)}, for {', '.join(scale.levels)} in this order")
    if choice.expected is not None:
        notes.append(f"expected rating: {quoted(choice.expected.name)}")
    if choice.unused:
        notes.append(f"not used, though it may be about predictions: {_names(choice.unused)}")
    if choice.rivals:
        notes.append(f"not used, though it may be a rating too (--rating chooses): {_names(choice.rivals)}")
    return notes


def _names(fields: Sequence[Field]) -> str:
    return ", ".join(quoted(one.name) for one in fields)


def _id_columns(export: Export, intake: Intake) -> tuple[dict[str, pl.Series], pl.Series | None]:
    """Papers, reviewers, tracks and titles, and the reviewers that the result is to have."""
    papers = pl.Series(PAPER, export.paper, dtype=pl.String)
    numbers = papers.cast(pl.Int64, strict=False)
    plain = not numbers.null_count() and (numbers.cast(pl.String) == papers).all()  # then 10 comes after 9
    columns = {PAPER: numbers if plain else papers}
    hidden = None
    if export.reviewer is not None:
        shown = hide(export.reviewer, intake.reviewers, intake.key)
        hidden = None if shown is None else pl.Series(REVIEWER, shown, dtype=pl.String)
        columns[REVIEWER] = hidden if hidden is not None else pl.Series(REVIEWER, numbered(export.reviewer))
    if export.track is not None:
        columns[TRACK] = pl.Series(TRACK, export.track, dtype=pl.String)
    if export.title is not None:
        columns[TITLE] = pl.Series(TITLE, export.title, dtype=pl.String)
    return columns, hidden


def _prediction_columns(choice: Choice, unit: str | None) -> tuple[dict[str, pl.Series], list[str]]:
    notes = []
    _check_options(list(choice.shares.values()))
    cells = [answers(one) for one in choice.shares.values()]
    from_one = choice.from_one and unit not in ("count", "fraction")
    if from_one and cells and not any(one.options for one in choice.shares.values()):
        positions = from_positions(cells)
        if positions is not None:
            cells, note = positions
            notes.append(note)
        elif unit is None and len(cells) < len(choice.levels.found) and may_be_positions(cells):
            raise InputError(_positions_or_percentages(choice))
    columns = {SHARE_PREFIX + level: one for level, one in zip(choice.shares, cells, strict=True)}
    if choice.distribution is not None:
        columns[DISTRIBUTION] = choice.distribution.cells
    if choice.expected is not None:
        columns[EXPECTED] = answers(choice.expected, required=False)
    return {name: pl.Series(name, column, dtype=pl.String) for name, column in columns.items()}, notes


def _positions_or_percentages(choice: Choice) -> str:
    return (
        f"the numbers of {_names(list(choice.shares.values()))} may be positions in a list of choices or percentages, "
        "and as not every level has a prediction their sums do not tell; give the form's settings (--form FILE), or "
        "--unit percent if they are percentages"
    )


def _check_options(fields: Sequence[Field]) -> None:
    """Raise where the form knows what some predictions stand for and not what others do."""
    unknown = [one for one in fields if not one.options]
    if unknown and len(unknown) < len(fields):
        known = _names([one for one in fields if one.options])
        raise InputError(
            f"the form has no question {_names(unknown)}, so that it is not known what the answers stand for "
            f"(it has {known}); give the form that the reviews were written with, or do without --form"
        )


def _as_exported(problem: Problem, export: Export, choice: Choice) -> Problem:
    """The problem with the names that the platform uses."""
    names = {SHARE_PREFIX + level: one.name for level, one in choice.shares.items()}
    names[RATING] = choice.rating.name
    if choice.distribution is not None:
        names[DISTRIBUTION] = choice.distribution.name
    if choice.expected is not None:
        names[EXPECTED] = choice.expected.name
    column = None if problem.column is None else _column(problem.column, names)
    at = bisect_left(export.place, problem.row) if problem.row is not None else len(export.place)
    review = export.name[at] if export.name is not None and at < len(export.place) else ""
    return replace(problem, column=column, review=review)


def _column(ours: str, names: dict[str, str]) -> str:
    """The fields that one of our columns, or several, stand for: `p_1 ... p_4`, `p_1, p_2`."""
    for between in (" ... ", ", "):
        parts = ours.split(between)
        if len(parts) > 1 and all(part in names for part in parts):
            return between.join(names[part] for part in parts)
    return names.get(ours, ours)


def _in_their_words(note: str, scale: Scale, doubtful: bool) -> str:
    """A note on our columns as one on reviewers and levels, which people know.

    doubtful : whether there are fields that may be predictions
    """
    if doubtful:
        note = note.replace("the table has no predictions", "no predictions were read")
    if note.startswith(f"no column {REVIEWER}:"):
        return note.replace(f"no column {REVIEWER}", "it is not said who wrote which review")
    if SHARE_PREFIX not in note:
        return note
    for level in sorted(scale.levels, key=len, reverse=True):
        note = note.replace(f" {SHARE_PREFIX}{level}", f" {level}")
    return note.replace("without a column", "without a prediction")
