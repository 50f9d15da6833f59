"""Reviewers with one name and several addresses: mostly one person, who would be asked twice."""

import re
from collections.abc import Mapping

from surpeer.errors import listed, quoted
from surpeer.web.venues.import_plan import Plan

MOST_SHOWN = 10


def same_name_warnings(plan: Plan, known: Mapping[str, str]) -> list[str]:
    """A warning on reviewers, new or with a new name, who are called like others. `known` has names by address."""
    told = {one.name: one.fields.get("name", "") for one in plan.new}
    told |= {one.name: one.changes["name"][1] for one in plan.changed if "name" in one.changes}
    by_name: dict[frozenset[str], list[str]] = {}
    for email, name in {**known, **told}.items():
        if words := words_of(name):
            by_name.setdefault(words, []).append(email)
    alike = {words: emails for words, emails in by_name.items() if len(emails) > 1 and told.keys() & emails}
    if not alike:
        return []
    shown = [f"{quoted({**known, **told}[emails[0]])} ({' and '.join(emails)})" for emails in alike.values()]
    different = "These reviewers are taken for different people, because their addresses differ"
    return [f"{different}, though they have the same name: {listed(shown, MOST_SHOWN)}"]


def words_of(name: str) -> frozenset[str]:
    """The words of a name, so that `Adams, Ada` is `Ada Adams`.

    >>> words_of("Adams, Ada") == words_of("ada adams"), words_of(" ")
    (True, frozenset())
    """
    return frozenset(re.findall(r"[^\W\d_]+", name.casefold()))
