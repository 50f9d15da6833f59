"""Why a paper's calibrated place is not that of its mean rating: one sentence for each, to be read while hovering."""

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.errors import counted
from surpeer.report.number_text import decimal_text

# A push below these shares of the scale is none in words, and a slight one.
NONE, SLIGHT = 0.02, 0.08


def movement_sentences(
    mean: FloatArray,
    expected: FloatArray,
    push: FloatArray,
    moved: IntArray,
    spread: float,
    usual: FloatArray | None = None,
) -> list[str]:
    """All (N,), NaN where something is not known.

    moved : how many places up; spread : the distance from the lowest to the highest level
    usual : the mean rating of a typical paper of the same track; None or NaN where there is one track only
    """
    usual = np.full(len(mean), np.nan) if usual is None else usual
    among = usual - usual.mean() if len(usual) else usual
    rows = zip(mean.tolist(), expected.tolist(), push.tolist(), moved.tolist(), strict=True)
    tracks = zip(usual.tolist(), among.tolist(), strict=True)
    return [
        f"{_sentence(one, led, pushed, up, spread) if np.isfinite(led) else _ratings_alone(one, up, *track)}."
        for (one, led, pushed, up), track in zip(rows, tracks, strict=True)
    ]


def _ratings_alone(mean: float, up: int, usual: float, among: float) -> str:
    """Where predictions have no part.

    usual : the mean rating of a typical paper of its track; among : how far that is above those of all papers' tracks
    """
    if not np.isfinite(usual):
        return f"Its ratings alone decide (mean {decimal_text(mean)}){_ending(up)}"
    leading = None if decimal_text(among) == decimal_text(0.0) else (-1 if among > 0 else 1)
    compared = f"a typical paper of its track, which it is compared with, has {decimal_text(usual)}"
    return f"Its ratings alone decide: its mean is {decimal_text(mean)}, {compared}{_ending(up, leading)}"


def _sentence(mean: float, expected: float, push: float, up: int, spread: float) -> str:
    if not np.isfinite(push):
        return _compared(mean, expected, up)
    if abs(push) < NONE * spread:
        expecting = f"Reviewers expected this paper to be rated like one that nothing pushes ({decimal_text(expected)})"
        return f"{expecting}, so its mean rating of {decimal_text(mean)} counts in full{_ending(up)}"
    side = "high" if push > 0 else "low"
    side = f"a little {side}" if abs(push) < SLIGHT * spread else side
    expecting = (
        f"Reviewers expected this paper to be rated {side} whatever its quality "
        f"({decimal_text(expected)} on average, a paper that nothing pushes {decimal_text(expected - push)})"
    )
    counts = f"so its mean rating of {decimal_text(mean)} counts for {'less' if push > 0 else 'more'}"
    return f"{expecting}, {counts}{_ending(up, -1 if push > 0 else 1)}"


def _compared(mean: float, expected: float, up: int) -> str:
    """What it got beside what was expected, where nobody knows what is usual."""
    got, led = decimal_text(mean), decimal_text(expected)
    if got == led:
        return f"It got the mean rating that predictions led one to expect ({got}){_ending(up)}"
    more = mean > expected
    than = f"{got}, {'more' if more else 'less'} than the {led} that predictions led one to expect"
    return f"Its mean rating is {than}{_ending(up, 1 if more else -1)}"


def _ending(up: int, leading: int | None = None) -> str:
    """Where that puts the paper.

    leading : 1 where what was said so far leads up, -1 where it leads down, None where it leads nowhere. A paper that
        moved otherwise did so because others near it moved more.
    """
    if up == 0:
        return ": it stays where its mean puts it" if leading is None else ", but not enough to change its place"
    place = f"{counted(abs(up), 'place')} {'higher' if up > 0 else 'lower'} than by the mean"
    if leading is not None and up * leading > 0:
        return f": {place}"
    others = "fell behind it" if up > 0 else "moved past it"
    return f"; others near it {others}: {place}"
