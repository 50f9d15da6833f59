"""Answers -> the fields of an Export, under the names that the review form gives them."""

from collections.abc import Sequence

from surpeer.io.platforms.plain_text import plain_name
from surpeer.io.platforms.refusals import MOST_FIELDS, too_many_fields
from surpeer.io.review_form.export import Field
from surpeer.io.review_form.form import Form


def make_field(
    name: str, cells: list[str | None], form: Form | None = None, keywords: Sequence[str | None] = ()
) -> Field:
    """A field under its name in the form if the form has it, else under the one that it has in the export."""
    others = [keyword for keyword in keywords if keyword]
    found = next(filter(None, map(form.find, [name, *others])), None) if form is not None else None
    known = dict.fromkeys([name, *others, *(found.keywords if found else ())])
    shown = found.name if found else name
    return Field(shown, cells, tuple(word for word in known if word != shown), found.options if found else ())


class Answers:
    """The answers to the questions of a form, gathered review by review; a question is known by a key."""

    def __init__(self, noun: str = "question") -> None:
        self.noun = noun
        self._names: dict[str, str] = {}
        self._cells: dict[str, dict[int, str | None]] = {}

    def ask(self, key: str, name: str | None) -> None:
        """Make a question known; the first name that it is given stays."""
        self._cells.setdefault(key, {})
        if name and key not in self._names and (shown := plain_name(name)):
            self._names[key] = shown

    def put(self, at: int, key: str, answer: str | None) -> None:
        """The answer of the review at this position."""
        self._cells.setdefault(key, {})[at] = answer

    def __contains__(self, key: str) -> bool:
        return key in self._cells

    def fields(self, count: int, source: str, form: Form | None = None) -> dict[str, Field]:
        """By their keys, the fields of so many reviews. Two questions of one name get their keys behind it."""
        if len(self._cells) > MOST_FIELDS:
            raise too_many_fields(source, len(self._cells), self.noun)
        fields: dict[str, Field] = {}
        seen: set[str] = set()
        for key, cells in self._cells.items():
            word = f"{self.noun} {key}"
            name = self._names.get(key, word)
            name = f"{name} ({word})" if name.casefold() in seen else name
            seen.add(name.casefold())
            fields[key] = make_field(name, [cells.get(at) for at in range(count)], form, [word])
        return fields
