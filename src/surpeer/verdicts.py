"""The words of verdicts, whose order everybody knows: from strong reject to strong accept.

Capitals, hyphens and underscores make no other word: `Strong-Reject` is the verdict `strong reject`.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from surpeer.scale import known_order

VERDICTS = (
    "strong reject", "reject", "weak reject", "borderline reject", "borderline",
    "borderline accept", "weak accept", "accept", "strong accept",
)  # fmt: skip
"""Lowest first; each stands as far from the end as its opposite from the beginning."""

_SAME = {"strongly": "strong", "weakly": "weak"}
_FIRM = 2  # one of the first so many is in every whole scale: strong reject, reject


def verdict(name: str) -> str | None:
    """The verdict that a level, a rating or a column is called after.

    >>> verdict("Strong-Reject"), verdict("weakly  accept"), verdict("maybe")
    ('strong reject', 'weak accept', None)
    """
    parts = re.split(r"[\s_\-\u2010-\u2014]+", name.strip().casefold())
    text = " ".join(_SAME.get(part, part) for part in parts)
    return text if text in VERDICTS else None


def usual_order(names: Iterable[str]) -> tuple[str, ...] | None:
    """These names, lowest first, if everybody knows the order; else None.

    >>> usual_order(["Accept", "Borderline", "Strong reject"])
    ('Strong reject', 'Borderline', 'Accept')
    """
    every = list(names)
    by_verdict = {meant: name for name in every if (meant := verdict(name)) is not None}
    if len(by_verdict) < max(2, len(every)):
        return known_order(every)
    return tuple(by_verdict[meant] for meant in VERDICTS if meant in by_verdict)


def is_whole(names: Iterable[str]) -> bool:
    """Whether these are all the levels of a usual scale: verdicts, each with its opposite.

    >>> is_whole(["reject", "borderline", "accept"]), is_whole(["reject", "borderline", "weak accept"])
    (True, False)
    """
    every = list(names)
    ranks = {VERDICTS.index(meant) for name in every if (meant := verdict(name)) is not None}
    opposite = {len(VERDICTS) - 1 - rank for rank in ranks}
    return len(ranks) == len(every) and ranks == opposite and min(ranks, default=_FIRM) < _FIRM


def whole_order(names: Iterable[str]) -> tuple[str, ...] | None:
    """These names, lowest first, if they are all the levels of a scale that everybody knows; else None."""
    every = list(names)
    return usual_order(every) if is_whole(every) else known_order(every)


def smallest_whole(names: Iterable[str]) -> tuple[str, ...]:
    """The usual scale with the fewest levels that has all these verdicts among its own.

    >>> smallest_whole(["borderline", "strong accept", "accept"])
    ('strong reject', 'reject', 'borderline', 'accept', 'strong accept')
    """
    ranks = {VERDICTS.index(meant) for name in names if (meant := verdict(name)) is not None}
    ranks |= {len(VERDICTS) - 1 - rank for rank in ranks}
    if min(ranks, default=_FIRM) >= _FIRM:
        ranks |= {VERDICTS.index("reject"), VERDICTS.index("accept")}
    return tuple(VERDICTS[rank] for rank in sorted(ranks))


def upside_down(levels: Sequence[str]) -> tuple[str, str] | None:
    """The first two neighbours among the levels that are verdicts, lower first, if they stand the wrong way round."""
    known = [(VERDICTS.index(meant), level) for level in levels if (meant := verdict(level)) is not None]
    for (rank, level), (next_rank, next_level) in pairwise(known):
        if next_rank < rank:
            return next_level, level
    return None
