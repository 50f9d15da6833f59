"""The short names that HotCRP makes of the names of review fields: `Overall merit` is `OveMer` in "Scores (CSV)".

A keyword is the first letters of the important words, as few as tell the field from all others. HotCRP also looks at
the fields of submissions, which we do not know, so that a keyword may differ from ours; `field_of_keyword` goes the
other way.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

# More than these no form has: HotCRP numbers its fields from 01 to 99, once for scores and once for texts.
MOST_FIELDS = 198
LONGEST_NAME = 120  # characters
MOST_TRIES = 8

_WORD = re.compile(r"(?:^_+)?[A-Za-z~?!]+|(?:[0-9]|\.[0-9])[0-9.]*")
_STOP_WORD = re.compile(
    r"an?|and|are|at|be|been|can|did|do|for|has|how|if|in|is|isnt|it|new|of|on|or|s|that|the|their|they|this|to|we|were"
    r"|what|which|with|you"
)
_PARENTHESES = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_BEFORE_DASH = re.compile(r"(.*?)(?:\s+-+\s|\s*[–—]|:\s)")
_FIRST_THREE = re.compile(r"([A-Z][a-z][a-z])[A-Za-z~!?]*")
_CAMEL_PARTS = re.compile(r"_*[A-Za-z~][a-z~?!]+|[A-Z]+(?![a-z])|[A-Za-z]|(?:[0-9]|\.[0-9])[0-9.]*")
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def search_keywords(names: Sequence[str]) -> list[str]:
    """The keyword of each field of a form; names as HotCRP has them, markup included. '' where there are too many.

    >>> search_keywords(["Overall merit", "Novelty", "Predicted % of 2 Weak reject", "Comments for PC"])
    ['OveMer', 'Nov', 'Pre2Wea', 'ComPC']
    """
    if len(names) > MOST_FIELDS:
        return [""] * len(names)
    plain = [_without_accents(name[:LONGEST_NAME]) for name in names]
    known = [_forms(name) for name in plain]
    keywords: list[str] = []
    for own, name in enumerate(plain):
        words = _telling_words(name, own, known)
        tries = list(_abbreviations(words))
        unique = next((keyword for parts, keyword in tries if keyword and _best(parts, known) == [own]), None)
        keywords.append(unique or _numbered(tries[-1][1] if tries else "", keywords))
    return keywords


def field_of_keyword(keyword: str, names: Sequence[str]) -> int | None:
    """The one field that this keyword can stand for, if it is one."""
    parts = [part.lower() for part in _CAMEL_PARTS.findall(keyword[:LONGEST_NAME])]
    found = _best(parts, [_forms(_without_accents(name[:LONGEST_NAME])) for name in names]) if parts else []
    return found[0] if len(found) == 1 else None


def _without_accents(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name)
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def _words(name: str) -> list[str]:
    return _WORD.findall(name)


def _forms(name: str) -> list[list[str]]:
    """The words of a name, and those without what is in parentheses, or of CamelCase."""
    forms = [name, _PARENTHESES.sub("", name)]
    if " " not in name:
        forms.append(_INNER_CAPITAL.sub(" ", name))
    return [_words(form.lower()) for form in dict.fromkeys(forms)]


def _telling_words(name: str, own: int, known: Sequence[list[list[str]]]) -> list[str]:
    """The words that are left when remarks and stop words go, as long as they are still of this field alone."""
    bare = _PARENTHESES.sub("", name).strip()
    if bare and bare != name and _best(_lowered(_words(bare)), known) == [own]:
        name = bare
    head = _BEFORE_DASH.match(name)
    if head and _best(_lowered(_words(head[1])), known) == [own]:
        name = head[1]
    words = _words(name)
    telling = [word for word in words if not _STOP_WORD.fullmatch(word.lower())]
    if len(words) > 2 and telling and _best(_lowered(telling), known) == [own]:
        words = telling
    if len(words) == 1:
        words = _INNER_CAPITAL.sub(" ", words[0]).split()
    return [word[0].upper() + word[1:] for word in words]


def _abbreviations(words: list[str]) -> Iterator[tuple[list[str], str]]:
    """Ever longer keywords, each with the beginnings of words that it is made of."""
    if len(words) == 1:
        short = words[0] if len(words[0]) < 6 else words[0][:3]
        yield from ((_lowered([word]), word) for word in (short, words[0]))
        return
    short_words = [_FIRST_THREE.sub(r"\1", word) for word in words]
    chosen = [short_words]
    if len(words) > 3:
        chosen = [short_words[:3], *(short_words[at : at + 4] for at in range(len(words) - 3))]
    for parts in [*chosen[: MOST_TRIES - 1], short_words]:
        yield _lowered(parts), "".join(parts)


def _numbered(keyword: str, taken: Sequence[str]) -> str:
    number = 1
    while f"{keyword}.{number}" in taken:
        number += 1
    return f"{keyword}.{number}"


def _lowered(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]


def _best(parts: Sequence[str], known: Sequence[list[list[str]]]) -> list[int]:
    """The fields that these beginnings of words fit best."""
    ranks = [max((_fit(parts, words) for words in forms), default=-1) for forms in known]
    highest = max(ranks, default=-1)
    return [at for at, rank in enumerate(ranks) if rank == highest] if highest >= 0 else []


def _fit(parts: Sequence[str], words: Sequence[str]) -> int:
    """How well the parts fit the words, in their order: 3 all in full, 2 all, 1 some in full, 0 some, -1 not at all."""
    if not parts:
        return -1
    at, skipped, full = 0, False, True
    for word in words:
        if at < len(parts) and _begins(word, parts[at]):
            full = full and word == parts[at]
            at += 1
        elif not _STOP_WORD.fullmatch(word):
            skipped = True
    if at < len(parts):
        return -1
    return (0 if skipped else 2) + full


def _begins(word: str, part: str) -> bool:
    """Numbers are never cut: 1 does not stand for 10."""
    return word == part if part[-1:].isdigit() else word.startswith(part)
