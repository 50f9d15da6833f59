"""Aggregation of labels by the package crowd-kit, where it is installed. Levels are labels without an order to it.

A paper's score is the expected value of its label under the probabilities that a method gives.
"""

import warnings
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from other_tools.reviewer_effects import who
from surpeer.core.shapes import FloatArray
from surpeer.reviews import Reviews

MOST_PAPERS = {"Wawa": 10**9, "DawidSkene": 10**9, "GLAD": 100}
"""Its methods that give probabilities, and how large a venue they are measured on."""


def is_installed() -> bool:
    return find_spec("crowdkit") is not None


def expected_label(name: str, reviews: Reviews) -> FloatArray:
    """By the class of this name in crowdkit.aggregation, with its own settings."""
    pandas, aggregation = import_module("pandas"), import_module("crowdkit.aggregation")
    labels = pandas.DataFrame({"task": reviews.paper, "worker": who(reviews)[0], "label": reviews.rating})
    aggregator = getattr(aggregation, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chances = aggregator().fit_predict_proba(labels).reindex(range(len(reviews.papers)))
    values = np.asarray(reviews.scale.values)[chances.columns.to_numpy(dtype=np.int64)]
    return np.asarray(chances.to_numpy() @ values)
