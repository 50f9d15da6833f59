"""Which reviews of an export count, by rules that are the same for all platforms; every one left out is counted.

drafts                 left out
withdrawn papers       left out
rounds                 all count, or those that the user names
no rating              left out
the same reviewer      the review that was submitted last counts, where the export says when; else it is an error,
twice on one paper     which the table's own check reports
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from surpeer.errors import UnknownName, counted
from surpeer.io.review_form.export import Export

Cell = TypeVar("Cell")

NO_ROUND = "unnamed"
"""The name of the round of reviews that have none, where others have one."""


def select_reviews(export: Export, rounds: Sequence[str] = ()) -> Export:
    """The reviews that count, before anything is known of their answers, with notes on the others."""
    kept = list(range(len(export.paper)))
    notes = []
    if export.draft is not None:
        drafts = [at for at in kept if export.draft[at]]
        if drafts:
            notes.append(f"{counted(len(drafts), 'draft')} left out")
            kept = [at for at in kept if not export.draft[at]]
    if export.withdrawn is not None:
        gone = [at for at in kept if export.withdrawn[at]]
        if gone:
            papers = counted(len({export.paper[at] for at in gone}), "withdrawn paper")
            notes.append(f"{counted(len(gone), 'review')} of {papers} left out")
            kept = [at for at in kept if not export.withdrawn[at]]
    kept, round_notes = _of_rounds(export, kept, rounds)
    return replace(rows_of(export, kept), notes=(*export.notes, *notes, *round_notes))


def latest_only(export: Export, rated: Sequence[bool]) -> tuple[Export, list[int]]:
    """The reviews that have a rating, of those by one reviewer on one paper the last where it is known which that is;
    and their positions.

    rated : (n,) whether the review has a rating
    """
    kept = [at for at, has_rating in enumerate(rated) if has_rating]
    notes = []
    if len(kept) < len(rated):
        notes.append(f"{counted(len(rated) - len(kept), 'review')} without a rating left out")
    if export.reviewer is not None and export.submitted is not None:
        last = _last_of_each(export, kept)
        if len(last) < len(kept):
            earlier = counted(len(kept) - len(last), "earlier review")
            notes.append(f"{earlier} by a reviewer who reviewed the same paper again left out: the last one counts")
        kept = last
    return replace(rows_of(export, kept), notes=(*export.notes, *notes)), kept


def rows_of(export: Export, rows: Sequence[int]) -> Export:
    """These reviews of the export."""
    if len(rows) == len(export.paper):
        return export
    return replace(
        export,
        paper=[export.paper[at] for at in rows],
        place=[export.place[at] for at in rows],
        fields=tuple(replace(field, cells=[field.cells[at] for at in rows]) for field in export.fields),
        reviewer=_cells(export.reviewer, rows),
        name=_cells(export.name, rows),
        round=_cells(export.round, rows),
        submitted=_cells(export.submitted, rows),
        draft=_cells(export.draft, rows),
        withdrawn=_cells(export.withdrawn, rows),
        track=_cells(export.track, rows),
        title=_cells(export.title, rows),
    )


def _cells(column: list[Cell] | None, rows: Sequence[int]) -> list[Cell] | None:
    return None if column is None else [column[at] for at in rows]


def _of_rounds(export: Export, kept: list[int], rounds: Sequence[str]) -> tuple[list[int], list[str]]:
    names = [(export.round[at] if export.round is not None else None) or NO_ROUND for at in kept]
    sizes = Counter(names)
    if not rounds:
        if len(sizes) < 2:
            return kept, []
        listed = ", ".join(f"{name}: {counted(size, 'review')}" for name, size in sorted(sizes.items()))
        return kept, [f"{len(sizes)} rounds, all of which count ({listed}); --round chooses"]
    by_folded = {name.casefold(): name for name in sizes}
    for name in rounds:
        if name.casefold() not in by_folded:
            raise UnknownName("round", name, sorted(sizes))
    wanted = {by_folded[name.casefold()] for name in rounds}
    chosen = [at for at, name in zip(kept, names, strict=True) if name in wanted]
    left_out = counted(len(kept) - len(chosen), "review")
    return chosen, [f"{left_out} of other rounds left out"] if len(chosen) < len(kept) else []


def _last_of_each(export: Export, kept: list[int]) -> list[int]:
    """Without the reviews that a later one by the same reviewer on the same paper replaces."""
    reviewer, submitted = export.reviewer or [], export.submitted or []
    groups: dict[tuple[str, str], list[int]] = {}
    for at in kept:
        author = reviewer[at]
        if author is not None:
            groups.setdefault((export.paper[at], author), []).append(at)
    replaced = {at for group in groups.values() if len(group) > 1 for at in _replaced(group, submitted)}
    return [at for at in kept if at not in replaced]


def _replaced(group: list[int], submitted: Sequence[float | None]) -> list[int]:
    """All but the last, if it is known for all when they were submitted and one is later than all others."""
    times = [submitted[at] for at in group]
    known = [time for time in times if time is not None]
    if len(known) < len(times) or known.count(max(known)) > 1:
        return []
    return [at for at, time in zip(group, known, strict=True) if time < max(known)]
