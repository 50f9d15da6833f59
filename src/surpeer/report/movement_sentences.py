"""Why a paper's calibrated place is not that of its mean rating: one sentence for each, to be read while hovering."""

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.errors import counted

# A push below these shares of the scale is none in words, and a slight one.
NONE, SLIGHT = 0.02, 0.08


def movement_sentences(
    mean: FloatArray,
    expected: FloatArray,
    push: FloatArray,
    moved: IntArray,
    spread: float,
) -> list[str]:
    """All (N,), NaN where something is not known.

    moved : how many places up; spread : the distance from the lowest to the highest level
    """
    rows = zip(mean.tolist(), expected.tolist(), push.tolist(), moved.tolist(), strict=True)
    return [f"{_sentence(one, led, pushed, up, spread)}." for one, led, pushed, up in rows]


def _sentence(mean: float, expected: float, push: float, up: int, spread: float) -> str:
    if not np.isfinite(expected):
        return f"Its ratings alone decide (mean {mean:.2f}): {_place(up)}"
    if not np.isfinite(push):
        return f"Predictions led one to expect {expected:.2f}, and it got {mean:.2f}: {_place(up)}"
    if abs(push) < NONE * spread:
        expecting = f"Reviewers expected this paper to be rated like one that nothing pushes ({expected:.2f})"
        return f"{expecting}, so its mean rating of {mean:.2f} is taken as it is: {_place(up)}"
    side = "high" if push > 0 else "low"
    side = f"a little {side}" if abs(push) < SLIGHT * spread else side
    expecting = (
        f"Reviewers expected this paper to be rated {side} whatever its quality "
        f"({expected:.2f} without what is their own rating; one that nothing pushes {expected - push:.2f})"
    )
    if up * push > 0:  # it moved against its own push, because others moved further
        return f"{expecting}, but others near it {'higher' if push > 0 else 'lower'} still: {_place(up)}"
    return f"{expecting}, so its mean rating of {mean:.2f} counts for {'less' if push > 0 else 'more'}: {_place(up)}"


def _place(up: int) -> str:
    if up == 0:
        return "it stays where its mean puts it"
    return f"{counted(abs(up), 'place')} {'higher' if up > 0 else 'lower'} than by the mean"
