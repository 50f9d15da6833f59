"""The part of the report's document that is about one paper, for charts that are drawn without a report."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from surpeer.explanation import Explanation
from surpeer.report.columns import INTERVAL
from surpeer.report.content import contours_of
from surpeer.report.document import contour_rows, thousandths
from surpeer.scores import find_method


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    """As surpeer.report.document has it, with this paper only and what its charts need."""
    counts, predicted = explanation.counts.tolist(), explanation.predicted.tolist()
    predictions = [
        [level, reviewers, thousandths(explanation.P[level])] for level, reviewers in enumerate(predicted) if reviewers
    ]
    return {
        "scale": {"labels": list(explanation.scale.different_labels), "values": list(explanation.scale.values)},
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


def contours_of_paper(document: Mapping[str, Any], row: int) -> dict[str, Any] | None:
    """Lines of equal score for the ratings of one paper; None where a side made no prediction."""
    papers = document["papers"]
    counts = papers["counts"][row]
    if len(counts) != 2 or len(papers["predictions"][row]) != 2:
        return None
    return contour_rows(contours_of([(counts[1], sum(counts))]))


def _prior(explanation: Explanation) -> list[int] | None:
    """The share of each rating that was to be expected whatever the paper's quality."""
    if not find_method(explanation.method).uses_predictions:
        return None
    shares = explanation.q if explanation.venue is None else explanation.venue.expected_shares
    return None if np.isnan(shares).any() else thousandths(shares)
