"""What EasyChair puts into one cell: all scores of a review, a line each; all its texts, with headings in capitals.

Overall evaluation: 2               (SUMMARY)
Reviewer's confidence: 4            The authors show ...
"""

from collections import Counter
from collections.abc import Iterable

SEPARATOR = ": "
SIGNS = "+-−"
LEAST_LETTERS = 4  # of a heading: fewer are an abbreviation at the beginning of a line
LONGEST_HEADING = 200
MOST_BRACKETS = 300  # at the beginnings of lines of one text, that are looked at
COMMON = 0.01  # the share of reviews that have a heading which is one of the form's, not somebody's own
TEXT = "text"

Answers = dict[str, str]


def read_scores(cell: str) -> Answers | None:
    """The scores by their labels; None if any line is no score.

    >>> read_scores("Overall evaluation: -2\\nReviewer's confidence: 4: (high)")
    {'Overall evaluation': '-2', "Reviewer's confidence": '4: (high)'}
    """
    scores: Answers = {}
    for line in cell.split("\n"):
        if line.strip():
            label, score = _split(line.strip())
            if not label or label in scores:
                return None
            scores[label] = score
    return scores


def _split(line: str) -> tuple[str, str]:
    """Label and score of a line: apart at the first colon that a number follows, or else at the first one."""
    if line.endswith(":"):
        return line[:-1].strip(), ""
    at = line.find(SEPARATOR)
    while at >= 0 and not line[at + 2 :].lstrip(" " + SIGNS)[:1].isdigit():
        at = line.find(SEPARATOR, at + 1)
    at = at if at >= 0 else line.find(SEPARATOR)
    return (line[:at].strip(), line[at + 2 :].strip()) if at > 0 else ("", "")


def read_texts(cells: Iterable[str | None]) -> list[Answers]:
    """The texts of each review by their headings; what stands under none is called `text`."""
    split = [_sections(cell) if cell else {} for cell in cells]
    times = Counter(heading for sections in split for heading in sections)
    common = {heading for heading, number in times.items() if number >= COMMON * len(split)}
    return [{heading: text for heading, text in sections.items() if heading in common} for sections in split]


def _sections(text: str) -> Answers:
    parts: dict[str, list[str]] = {}
    heading, begins = TEXT, 0
    at = 0 if text.startswith("(") else _next_bracket(text, 0)
    looked_at = 0
    while at >= 0 and looked_at < MOST_BRACKETS:
        found, behind = _heading(text, at)
        if found:
            parts.setdefault(heading, []).append(text[begins:at])
            heading, begins = found, behind
        at = _next_bracket(text, at)
        looked_at += 1
    parts.setdefault(heading, []).append(text[begins:])
    joined = {name: "\n".join(part.strip() for part in several) for name, several in parts.items()}
    return {name: part for name, part in joined.items() if part.strip()}


def _next_bracket(text: str, at: int) -> int:
    """Where a line begins with a bracket; -1 if none does."""
    found = text.find("\n(", at)
    return found + 1 if found >= 0 else -1


def _heading(text: str, start: int) -> tuple[str, int]:
    """The heading in brackets that begins here, and where it ends; '' if there is none.

    >>> _heading("(STRENGTHS (UP TO 3)) It is new.", 0), _heading("(I think so)", 0)
    (('Strengths (up to 3)', 21), ('', 0))
    """
    depth = 0
    for at, char in enumerate(text[start : start + LONGEST_HEADING], start=start):
        depth += (char == "(") - (char == ")")
        if not depth:
            inside = text[start + 1 : at].strip()
            is_heading = inside.isupper() and "\n" not in inside and sum(map(str.isalpha, inside)) >= LEAST_LETTERS
            return (inside.capitalize(), at + 1) if is_heading else ("", start)
    return "", start
