"""Every tool by name: a function from reviews to scores."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from other_tools import averages, crowd_kit, peer_predictions, reviewer_effects
from surpeer.core.shapes import BoolArray, FloatArray
from surpeer.matrices import build_matrices
from surpeer.reviews import Reviews
from surpeer.scores import score


class Scored(NamedTuple):
    """(N,) each. Where a score is not defined, the mean rating decides."""

    value: FloatArray
    defined: BoolArray


class Tool(NamedTuple):
    """One way to rank papers."""

    name: str
    function: Callable[[Reviews], Scored | None]
    """None where the tool cannot be used on such reviews."""
    is_slow: bool = False
    most_papers: int = 10**9
    """More take too long to be measured again and again."""


BASELINE = "mean rating"
SLOW = ("LSC, monotone",)


def ours(name: str, reviews: Reviews) -> Scored:
    """A method of surpeer."""
    scores = score(build_matrices(reviews), name)
    return Scored(scores.value, scores.defined)


def everywhere(function: Callable[[Reviews], FloatArray | None], reviews: Reviews) -> Scored | None:
    """A tool that gives all papers a score, or none."""
    value = function(reviews)
    return None if value is None else Scored(value, np.ones(len(value), dtype=np.bool_))


def tools() -> list[Tool]:
    """Those that are installed."""
    always = {
        BASELINE: averages.mean_rating,
        "HotCRP counts": averages.hotcrp_counts,
        "z-scores": reviewer_effects.z_scores,
        "additive effects": reviewer_effects.additive_effects,
        "shrunken effects": reviewer_effects.shrunken_effects,
        "LSC, linear": reviewer_effects.linear_calibration,
        "LSC, monotone": reviewer_effects.monotone_calibration,
        "minimal pivoting": peer_predictions.minimal_pivoting,
        "metaggR": peer_predictions.knowledge_weighted,
    }
    found = [Tool(name, partial(everywhere, function), name in SLOW) for name, function in always.items()]
    if crowd_kit.is_installed():
        found += [
            Tool(f"crowd-kit {name}", partial(everywhere, partial(crowd_kit.expected_label, name)), True, papers)
            for name, papers in crowd_kit.MOST_PAPERS.items()
        ]
    return found + [Tool(f"surpeer {name}", partial(ours, name)) for name in ("sp", "surprisal", "venue")]
