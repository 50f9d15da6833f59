"""Which column of a file is which of ours, by the names in its first row."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from surpeer.errors import Problem, counted, nearest_name, quoted
from surpeer.web.venues.import_cells import Column

LOOKED_THROUGH = 10  # rows in which a header may be that is not in the first


@dataclass(frozen=True)
class Places:
    """Where the columns are in the file; several places are joined."""

    at: dict[str, tuple[int, ...]]
    """By field."""
    problems: list[Problem]
    notes: list[str]


def folded(header: str) -> str:
    """A name of a column without capitals, spaces and marks.

    >>> folded(" Paper_ID"), folded("E-Mail:"), folded("Paper #"), folded("Reviewer #1")
    ('paperid', 'email', 'papernumber', 'reviewer1')
    """
    return "".join(re.findall(r"[^\W_]+", re.sub(r"#(?!\s*\d)", " number ", header.casefold())))


def other_names(column: Column) -> list[str]:
    """What a column may be called besides its title, for people."""
    names = [name for name in column.names if folded(name) != folded(column.title)]
    return names + [f"{' and '.join(part[0] for part in column.parts)} in two columns"] * bool(column.parts)


def fit(header: Sequence[str], columns: Sequence[Column]) -> tuple[bool, int]:
    """Whether a header has the columns that must be there, and how many it has in all."""
    names = list(map(folded, header))
    has = {column: bool(_candidates(names, column.names) or _parts(names, column)) for column in columns}
    return all(there for column, there in has.items() if column.required), sum(has.values())


def find_places(rows: Sequence[Sequence[str]], columns: Sequence[Column], looked_at: Collection[int] = ()) -> Places:
    """Which column of the file is which of ours; what is wrong with the header; what is read otherwise, or not.

    `looked_at` are columns that are none of ours, and are not passed over either.
    """
    header = rows[0] if rows else []
    problem = _elsewhere(rows, columns)
    if problem is not None:
        return Places({}, [problem], [])
    names = list(map(folded, header))
    found: dict[str, tuple[int, ...]] = {}
    problems = []
    for column in columns:
        taken = {at for places in found.values() for at in places}
        free = ["" if at in taken else name for at, name in enumerate(names)]
        places, problem = _places(header, free, column)
        if problem is not None:
            problems.append(problem)
        elif places:
            found[column.field] = places
    return Places(found, problems, [] if problems else _notes(header, found, columns, looked_at))


def _places(header: Sequence[str], names: Sequence[str], column: Column) -> tuple[tuple[int, ...], Problem | None]:
    """Where one of our columns is; nowhere, and perhaps a problem, if it is not there once."""
    found = _candidates(names, column.names)
    beside = _candidates([re.sub(r"\d+", "", name) for name in names], column.names)
    if column.has_own_rows and len(beside) > 1:
        return (), _own_rows(column, [header[at] for at in beside])
    if len(found) > 1:
        listed = " and ".join(quoted(header[at]) for at in found)
        return (), Problem(1, column.title, f"columns {listed}", "one of them", "rename or delete the others")
    parts = _parts(names, column)
    if found and names[found[0]] == "name" and len(parts) == 1 and parts[0] in _candidates(names, column.parts[0]):
        return (*parts, *found), None  # beside a column of first names, "name" has last names
    if not found and not parts and column.required:
        return (), _missing(column, header)
    return tuple(found) or parts, None


def _candidates(names: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """The columns of the file with the best of the wanted names that any has."""
    for name in map(folded, wanted):
        found = [at for at, other in enumerate(names) if other == name]
        if found:
            return found
    return []


def _parts(names: Sequence[str], column: Column) -> tuple[int, ...]:
    """The columns of the file that make one of ours together, as far as they are there."""
    return tuple(at for part in column.parts for at in _candidates(names, part)[:1])


def _notes(
    header: Sequence[str], found: dict[str, tuple[int, ...]], columns: Sequence[Column], looked_at: Collection[int]
) -> list[str]:
    """How columns with other names were understood, and which were not."""
    titles = {column.field: column.title for column in columns}
    read = [
        f"{' and '.join(quoted(header[at]) for at in places)}{' joined' if len(places) > 1 else ''} as {titles[field]}"
        for field, places in found.items()
        if [folded(header[at]) for at in places] != [folded(titles[field])]
    ]
    taken = {at for places in found.values() for at in places}
    free = {at: quoted(name) for at, name in enumerate(header) if name.strip() and at not in taken}
    unread = [name for at, name in free.items() if at not in looked_at]
    telling = [name for at, name in free.items() if at in looked_at]
    notes = [f"Read: {', '.join(read)}."] if read else []
    notes += [f"Looked at for rows that are no assignments: {', '.join(telling)}."] if telling else []
    return notes + ([f"Not read: {counted(len(unread), 'column')} ({', '.join(unread[:20])})."] if unread else [])


def _elsewhere(rows: Sequence[Sequence[str]], columns: Sequence[Column]) -> Problem | None:
    """The problem of a header that is not in the first row."""
    if rows and fit(rows[0], columns)[0]:
        return None
    others = enumerate(rows[1:LOOKED_THROUGH], start=2)
    number = next((number for number, row in others if fit(row, columns)[0]), None)
    if number is not None:
        expected = f"the names of the columns, which are in row {number}"
        return Problem(1, None, f"a first row with {_shown(rows[0])}", expected, "delete the rows above them")
    if not rows or not any(cell.strip() for cell in rows[0]):
        return Problem(1, None, "an empty first row", "the column names in it", "delete what is above the header")
    return None


def _own_rows(column: Column, names: Sequence[str]) -> Problem:
    listed = ", ".join(map(quoted, names[:12]))
    return Problem(
        1,
        column.title,
        f"columns {listed}",
        f"one column {column.title}, and one row for each paper and {column.title}",
        f"give each {column.title} a row of its own, with the id of the paper in each",
    )


def _missing(column: Column, header: Sequence[str]) -> Problem:
    near = nearest_name(column.title, [name for name in header if name.strip()])
    remedy = f"rename {quoted(near)} to {column.title}" if near else f"name the column {column.title} in the first row"
    return Problem(1, column.title, f"the columns {_shown(header)}", f"a column {column.title}", remedy)


def _shown(header: Sequence[str]) -> str:
    return ", ".join(quoted(name) for name in header[:12] if name.strip()) or "nothing in it"
