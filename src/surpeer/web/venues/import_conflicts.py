"""Assignments that should not be: rows of a table that say so, and reviewers who seem to be authors.

Nobody is kept from assigning an author who only has the name of a reviewer; the preview says whom to look at.
"""

import re
from collections.abc import Collection, Sequence

from surpeer.errors import Problem, listed, quoted
from surpeer.web.venues.import_cells import Column
from surpeer.web.venues.import_header import folded
from surpeer.web.venues.import_plan import New
from surpeer.web.venues.models import Venue
from surpeer.web.venues.same_names import words_of

NO = frozenset(("", "no", "n", "false", "0", "none", "-"))
ASKED = frozenset(("", "review", "pcreview", "primary", "secondary", "optional", "external", "meta", "metareview"))
"""What HotCRP calls assignments of reviews in a column `action`; in the same column it has conflicts and others."""
MAY_SAY = {"conflict": NO, "conflicts": NO, "conflictofinterest": NO, "coi": NO, "action": ASKED}
"""By the folded name of a column: what it may say of a row that is to be imported."""
MOST_SHOWN = 10


def telling_columns(header: Sequence[str], columns: Sequence[Column]) -> list[int]:
    """Where a table of assignments has columns that may say that a row is none; one of something else has no such."""
    if not any(column.has_own_rows for column in columns):
        return []
    return [at for at, name in enumerate(header) if folded(name) in MAY_SAY]


def refused_rows(rows: Sequence[Sequence[str]], columns: Sequence[Column]) -> dict[int, Problem]:
    """The rows of a table of assignments that are none, by their numbers."""
    telling = [(at, rows[0][at], MAY_SAY[folded(rows[0][at])]) for at in telling_columns(rows[0], columns)]
    remedy = "delete the row, or rename the column if it means something else"
    return {
        number: Problem(number, name, quoted(row[at]), "only rows of papers and those who shall review them", remedy)
        for at, name, harmless in telling
        for number, row in enumerate(rows[1:], start=2)
        if at < len(row) and row[at].strip().casefold() not in harmless
    }


def author_warnings(venue: Venue, new: Collection[New]) -> list[str]:
    """A warning on new assignments of somebody whose name or address stands among the authors of the paper."""
    if not new:
        return []
    authors = dict(venue.papers.exclude(authors="").values_list("pk", "authors"))
    reviewers = {pk: (name, email) for pk, name, email in venue.reviewers.values_list("pk", "name", "email")}
    found = [
        f"{one.fields['paper']} ({name or email})"
        for one in new
        for name, email in [reviewers[one.pks[1]]]
        if seems_author(name, email, authors.get(one.pks[0], ""))
    ]
    if not found:
        return []
    return [
        f"Look at these assignments, whose reviewer seems to be an author of the paper: {listed(found, MOST_SHOWN)}"
    ]


def seems_author(name: str, email: str, authors: str) -> bool:
    """Whether somebody's name or address stands among the authors of a paper."""
    text, words = authors.casefold(), words_of(name)
    if email and email in text:
        return True
    return all(word in text for word in words) and words in author_names(authors)


def author_names(authors: str) -> list[frozenset[str]]:
    """The names in a list of authors, each as its words, so that `Adams, Ada` is `Ada Adams`.

    >>> frozenset(("ada", "adams")) in author_names("Adams, Ada (MIT); Bell, B."), author_names("")
    (True, [])
    """
    plain = re.sub(r"\([^()]*\)|<[^<>]*>|\d", " ", authors)
    marks = r"[;\n]| and | & " if ";" in plain else r"[,\n]| and | & "
    return [words for part in (plain, *re.split(marks, plain)) if (words := words_of(part))]
