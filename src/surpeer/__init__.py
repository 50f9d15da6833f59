"""Peer-review scores that are fair without any history.

The names below are the public interface; each is loaded when it is first used, so that `import surpeer` costs nothing
and `surpeer.core` does not load what it does not need.
"""

from importlib import import_module

TYPE_CHECKING = False
"""As in typing, which takes as long to load as Python itself to start, and commands cannot be stopped well so early."""
if TYPE_CHECKING:
    from surpeer import core as core
    from surpeer import experiments as experiments
    from surpeer.core.status import Status as Status
    from surpeer.decisions import Decisions as Decisions
    from surpeer.decisions import decide as decide
    from surpeer.decisions import probability_better as probability_better
    from surpeer.engines.compiled import load_loops as load_loops
    from surpeer.engines.score_files import FilesResult as FilesResult
    from surpeer.engines.score_files import score_files as score_files
    from surpeer.engines.spark import score_on_spark as score_on_spark
    from surpeer.errors import ArrayError as ArrayError
    from surpeer.errors import InputError as InputError
    from surpeer.errors import Problem as Problem
    from surpeer.errors import ReviewProblems as ReviewProblems
    from surpeer.errors import ScaleError as ScaleError
    from surpeer.errors import SurpeerError as SurpeerError
    from surpeer.errors import UnknownName as UnknownName
    from surpeer.explanation import Explanation as Explanation
    from surpeer.explanation import explain as explain
    from surpeer.io.review_file import read_reviews as read_reviews
    from surpeer.io.scale_file import read_scale as read_scale
    from surpeer.matrices import Matrices as Matrices
    from surpeer.matrices import build_matrices as build_matrices
    from surpeer.pipeline import calibrate as calibrate
    from surpeer.proposals import Proposal as Proposal
    from surpeer.proposals import Reason as Reason
    from surpeer.ranking import Ranking as Ranking
    from surpeer.ranking import rank as rank
    from surpeer.report.origin import Origin as Origin
    from surpeer.report.picture import Picture as Picture
    from surpeer.report.write import write_report as write_report
    from surpeer.reviews import Reviews as Reviews
    from surpeer.scale import PRESETS as PRESETS
    from surpeer.scale import Scale as Scale
    from surpeer.scores import METHODS as METHODS
    from surpeer.scores import score as score
    from surpeer.scores.method import Score as Score
    from surpeer.scores.method import Scores as Scores
    from surpeer.scores.method import compare as compare

__version__ = "0.1.0"

_HOME = {
    "Status": "surpeer.core.status",
    "Decisions": "surpeer.decisions",
    "decide": "surpeer.decisions",
    "probability_better": "surpeer.decisions",
    "Proposal": "surpeer.proposals",
    "Reason": "surpeer.proposals",
    "load_loops": "surpeer.engines.compiled",
    "FilesResult": "surpeer.engines.score_files",
    "score_files": "surpeer.engines.score_files",
    "score_on_spark": "surpeer.engines.spark",
    "InputError": "surpeer.errors",
    "Problem": "surpeer.errors",
    "ReviewProblems": "surpeer.errors",
    "ScaleError": "surpeer.errors",
    "SurpeerError": "surpeer.errors",
    "ArrayError": "surpeer.errors",
    "UnknownName": "surpeer.errors",
    "Explanation": "surpeer.explanation",
    "explain": "surpeer.explanation",
    "read_scale": "surpeer.io.scale_file",
    "read_reviews": "surpeer.io.review_file",
    "Matrices": "surpeer.matrices",
    "build_matrices": "surpeer.matrices",
    "calibrate": "surpeer.pipeline",
    "Ranking": "surpeer.ranking",
    "rank": "surpeer.ranking",
    "Origin": "surpeer.report.origin",
    "Picture": "surpeer.report.picture",
    "write_report": "surpeer.report.write",
    "Reviews": "surpeer.reviews",
    "Scale": "surpeer.scale",
    "PRESETS": "surpeer.scale",
    "METHODS": "surpeer.scores",
    "score": "surpeer.scores",
    "Score": "surpeer.scores.method",
    "Scores": "surpeer.scores.method",
    "compare": "surpeer.scores.method",
}

_PACKAGES = ("core", "experiments")
"""The formulas and the paper's experiments: loaded when they are first used, like the names."""

__all__ = ["__version__", *_PACKAGES, *_HOME]  # noqa: PLE0604 (every entry is a string)


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return import_module(f"surpeer.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'surpeer' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
