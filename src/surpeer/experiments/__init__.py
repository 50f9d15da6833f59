"""The paper's experiments: exact where that is possible, sampled beside it, and planning with the same engine.

    accuracy, accuracies     how often two random papers are put in the right order, exactly
    error_probability        the same for two papers of known quality: what the paper's Theorem 2 bounds
    sample_accuracy, ...     by sampling: any number of levels, any noise matrix, any way to predict
    ties_on_curve            the noise levels at which two vote counts tie and an accuracy curve jumps
    plan_exactly, ...        how many reviewers a venue needs

`surpeer.experiments.reproduction` is the whole of the paper in one run.
"""

from surpeer.experiments.comparing import METHODS
from surpeer.experiments.exact import accuracies, accuracy, error_probability
from surpeer.experiments.forecasts import Conservative, FalseConsensus, LogNoise
from surpeer.experiments.monte_carlo import Estimate, sample_accuracies, sample_accuracy
from surpeer.experiments.planning import PaperKind, Plan, plan_by_sampling, plan_exactly
from surpeer.experiments.state_priors import Dirichlet, FiniteStates
from surpeer.experiments.ties import Tie, ties_on_curve

__all__ = [
    "METHODS",
    "Conservative",
    "Dirichlet",
    "Estimate",
    "FalseConsensus",
    "FiniteStates",
    "LogNoise",
    "PaperKind",
    "Plan",
    "Tie",
    "accuracies",
    "accuracy",
    "error_probability",
    "plan_by_sampling",
    "plan_exactly",
    "sample_accuracies",
    "sample_accuracy",
    "ties_on_curve",
]
