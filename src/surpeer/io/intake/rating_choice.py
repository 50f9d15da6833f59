"""Which field of an export is the rating?

The one that the user or the format names; else the one whose name is most like that of an overall rating
(surpeer.io.review_form.names) among those whose answers are levels. Where two are equally good, the user is asked.
"""

from collections.abc import Sequence

from surpeer.errors import InputError, UnknownName, quoted
from surpeer.io.intake.levels import Levels, read_levels
from surpeer.io.review_form.export import Export, Field
from surpeer.io.review_form.names import folded, is_about_something_else, is_prediction, rating_tier
from surpeer.scale import Scale


def find_field(fields: Sequence[Field], name: str, what: str) -> Field:
    """The field that the user calls so, by its name or by what the platform calls it."""
    wanted = folded(name)
    found = [one for one in fields if folded(one.name) == wanted]
    found = found or [one for one in fields if wanted in map(folded, one.keywords)]
    if not found:
        raise UnknownName(f"field for {what}", name, [one.name for one in fields])
    if len(found) > 1:
        raise InputError(f"{len(found)} fields are called {quoted(name)}, expected one; rename the others in the file")
    return found[0]


def find_rating(export: Export, name: str | None, scale: Scale | None) -> tuple[Field, Levels, tuple[Field, ...]]:
    """The rating, its levels, and the other fields that are called like one.

    name : as the user calls it, if she said so; scale : the levels, if she named them
    """
    name = name or export.rating
    if name is not None:
        chosen = find_field(export.fields, name, "the rating")
        levels = read_levels(chosen, scale)
        if levels is None:
            raise InputError(_no_levels(chosen))
        return chosen, levels, ()
    usable = [
        (one, levels)
        for one in export.fields
        if not is_prediction(one.name) and (levels := read_levels(one, scale)) is not None and levels.mostly
    ]
    tiers = [(rating_tier(one.name), one, levels) for one, levels in usable]
    best = min((tier for tier, _, _ in tiers if tier is not None), default=None)
    if best is not None:
        candidates = [(one, levels) for tier, one, levels in tiers if tier == best]
    else:
        candidates = [(one, levels) for one, levels in usable if not is_about_something_else(one.name)]
    hidden = [one for one in export.fields if rating_tier(one.name) == 1 and _is_no_level(one, scale)]
    if hidden and best != 1:
        raise InputError(_other_answers(hidden[0], scale))
    if len(candidates) == 1:
        chosen, levels = candidates[0]
        return chosen, levels, tuple(one for tier, one, _ in tiers if tier is not None and one is not chosen)
    raise InputError(_not_one([one.name for one, _ in candidates], [one.name for one in export.fields]))


def _not_one(candidates: list[str], fields: list[str]) -> str:
    """The message for a form that has no rating, or several."""
    names = candidates or fields
    listed = ", ".join(quoted(name) for name in names[:20]) + (", ..." if len(names) > 20 else "")
    if candidates:
        how = f"say which is meant with --rating {quoted(names[0])} (or another of them)"
        return f"found {len(names)} fields that may be the rating: {listed}; {how}"
    how = "say which it is with --rating NAME, and name its levels with --levels"
    return f"found no field that looks like a rating; {how}; the fields are {listed or '(none)'}"


def _is_no_level(one: Field, scale: Scale | None) -> bool:
    """Whether a field has levels, by the form or as the user named them, and its answers are others."""
    levels = read_levels(one, scale) if one.options or scale is not None else None
    return levels is not None and not levels.mostly and any(cell is not None for cell in one.cells)


def _other_answers(one: Field, scale: Scale | None) -> str:
    example = next(cell for cell in one.cells if cell is not None)
    known = scale.levels if scale is not None else [option.symbol for option in one.options]
    said_by = "--levels names" if scale is not None else "the form has"
    return (
        f"the answers of {quoted(one.name)} are others than {said_by}: found {quoted(example)}, "
        f"expected {', '.join(known)}; correct the levels, or say with --rating which field is the rating"
    )


def _no_levels(chosen: Field) -> str:
    example = next((cell for cell in chosen.cells if cell is not None), None)
    found = "only empty cells" if example is None else f"answers such as {quoted(example)}"
    return f"the field {quoted(chosen.name)} cannot be the rating: found {found}, expected a few levels"
