"""Sentences that differ in their numbers only, written once: thousands of papers then need a tenth of the room.

`Mean rating 4.25 from 4 reviews.` is kept as a pattern with gaps for its numbers, and as `0|4.25|4`: the number of the
pattern and what goes into the gaps. The page puts them together again (templates/papers.js); nothing is lost.
"""

import re
from collections.abc import Sequence
from typing import Any

NUMBER = re.compile(r"(\d[\d,.]*\d|\d)")
GAP = "\ue000"
"""Stands for a number in a pattern: a character that no text is allowed to have."""
SEPARATOR = "|"

Texts = Sequence[str | None]


def pack(texts: Texts) -> dict[str, Any] | list[str | None]:
    """Patterns and rows; the texts themselves where one of them has the character that stands for a gap."""
    if any(GAP in text for text in texts if text):
        return list(texts)
    patterns: dict[str, int] = {}
    rows: list[str | None] = []
    for text in texts:
        if text is None:
            rows.append(None)
            continue
        pieces = NUMBER.split(text)  # every second one is a number
        number = patterns.setdefault(GAP.join(pieces[::2]), len(patterns))
        rows.append(SEPARATOR.join([str(number), *pieces[1::2]]))
    return {"patterns": list(patterns), "rows": rows}


def unpack(packed: dict[str, Any] | list[str | None]) -> list[str | None]:
    """The texts again.

    >>> unpack(pack(["Rank 3 of 12.", None, "Rank 10 of 12."]))
    ['Rank 3 of 12.', None, 'Rank 10 of 12.']
    """
    if isinstance(packed, list):
        return packed
    return [None if row is None else _filled(packed["patterns"], row) for row in packed["rows"]]


def _filled(patterns: list[str], row: str) -> str:
    number, *gaps = row.split(SEPARATOR)
    pieces = patterns[int(number)].split(GAP)
    return "".join(piece + gap for piece, gap in zip(pieces, [*gaps, ""], strict=True))
