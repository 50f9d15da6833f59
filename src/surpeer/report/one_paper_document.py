"""The part of the report's document that is about one paper, for charts that are drawn without a report."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from surpeer.core.contour_lines import score_line
from surpeer.core.shapes import FloatArray
from surpeer.explanation import Explanation
from surpeer.report.columns import INTERVAL
from surpeer.report.content import CONTOUR_SCORES

POINTS = 60


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    """As surpeer.report.document has it, with this paper only and what its charts need."""
    counts, predicted = explanation.counts.tolist(), explanation.predicted.tolist()
    predictions = [
        [level, reviewers, _thousandths(explanation.P[level])] for level, reviewers in enumerate(predicted) if reviewers
    ]
    return {
        "scale": {"labels": list(explanation.scale.labels), "values": list(explanation.scale.values)},
        "method": {"name": explanation.method, "has_errors": explanation.score.standard_error is not None},
        "interval": INTERVAL,
        "decision": None,
        "papers": {
            "id": [str(explanation.score.paper)],
            "counts": [counts],
            "prior": [_prior(explanation)],
            "predictions": [predictions],
        },
    }


def contours_of(document: Mapping[str, Any], row: int) -> dict[str, Any] | None:
    """Lines of equal score for the ratings of one paper; None where a side made no prediction."""
    papers = document["papers"]
    counts = papers["counts"][row]
    if len(counts) != 2 or len(papers["predictions"][row]) != 2:
        return None
    accepts, reviews = counts[1], sum(counts)
    lines = [[_thousandths(point) for point in score_line(accepts / reviews, s, POINTS)] for s in CONTOUR_SCORES]
    return {"scores": list(CONTOUR_SCORES), "lines": {f"{accepts}/{reviews}": lines}}


def _prior(explanation: Explanation) -> list[int] | None:
    """The share of each rating that was to be expected whatever the paper's quality."""
    if explanation.method == "mean":
        return None
    shares = explanation.q if explanation.venue is None else explanation.venue.expected_shares
    return None if np.isnan(shares).any() else _thousandths(shares)


def _thousandths(shares: FloatArray) -> list[int]:
    return np.rint(shares * 1000).astype(np.int64).tolist()  # type: ignore[no-any-return]
