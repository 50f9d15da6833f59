"""Ids that are alike: which paper was meant by an id that no paper has (the same number first, and only then the same
letters), and which new papers may be old ones.
"""

import re
from collections.abc import Collection, Iterable

from surpeer.errors import listed, nearest_name, quoted

LIKENESS = 0.8
MOST_SHOWN = 10


class NearIds:
    """Ids of papers, looked up by what people make of them: `u 3` for `U03`, `17` for `P-017`."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = list(keys)
        self._by_form: dict[str, list[str]] | None = None

    def nearest(self, text: str) -> str | None:
        """The id that was probably meant; None where there is none, or more than one."""
        forms, number = self._forms(), _numbers(text)
        only_a_number = [key for key in forms.get(number, []) if _form(key) == number]  # other letters: another paper
        meant = forms.get(_form(text), []) or only_a_number
        return meant[0] if len(meant) == 1 else nearest_name(text, self.keys, LIKENESS)

    def _forms(self) -> dict[str, list[str]]:
        """Ids by their letters and numbers, and by their numbers alone; made once, where it is asked for at all."""
        if self._by_form is None:
            self._by_form = {}
            for key in self.keys:
                for form in {_form(key), _numbers(key)} - {""}:
                    self._by_form.setdefault(form, []).append(key)
        return self._by_form


def alike_warnings(new: Collection[str], known: Iterable[str]) -> list[str]:
    """A warning on new ids that another one, new or known, may have been meant by."""
    if not new:
        return []
    by_form = {_form(key): key for key in known}
    pairs = []
    for key in new:
        other = by_form.setdefault(_form(key) or key, key)
        if other != key:
            pairs.append(f"{quoted(key)} and {quoted(other)}")
    if not pairs:
        return []
    return [f"These ids are taken for different papers, though they are much alike: {listed(pairs, MOST_SHOWN)}"]


def _form(text: str) -> str:
    """Letters and numbers, without capitals, marks, leading zeros, and decimals that say nothing.

    >>> _form("U03") == _form("u-3"), _form("U03") == _form("U30"), _form("12.0")
    (True, False, '12')
    """
    text = text[:-2] if text.endswith(".0") and text[:-2].isdecimal() else text
    parts: list[str] = re.findall(r"\d+|[^\W\d_]+", text.casefold())
    return " ".join(part.lstrip("0") or "0" if part[0].isdigit() else part for part in parts)


def _numbers(text: str) -> str:
    """The numbers alone, in their order.

    >>> _numbers("U03"), _numbers("2027-P-017"), _numbers("draft")
    ('3', '2027 17', '')
    """
    return " ".join(number.lstrip("0") or "0" for number in re.findall(r"\d+", text))
