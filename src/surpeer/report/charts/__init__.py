"""Every chart of the report, by name: one Vega-Lite spec each, which names its datasets and holds no data.

The report's page fills in the rows with JavaScript, `surpeer plot` and notebooks fill them in with Python; both take
them from the same document, so that a chart is the same wherever it is seen.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from surpeer.report.charts.calibration import calibration
from surpeer.report.charts.contour import contour
from surpeer.report.charts.curve import curve
from surpeer.report.charts.datasets import PAPER_FIELDS
from surpeer.report.charts.facts import Facts, facts_of
from surpeer.report.charts.intervals import intervals
from surpeer.report.charts.limits import MANY_POINTS, MOST_ROWS
from surpeer.report.charts.moved import moved, spread
from surpeer.report.charts.one_paper import predictions, ratings
from surpeer.report.charts.parts import Spec
from surpeer.report.charts.pushes import pushes
from surpeer.report.charts.theme import theme, themes

__all__ = ["CHARTS", "Chart", "Facts", "Spec", "facts_of", "page_charts", "specs_of", "theme", "themes"]


@dataclass(frozen=True, slots=True)
class Chart:
    """A registered chart."""

    name: str
    title: str
    shows: str
    """One sentence: what one sees."""
    spec: Callable[[Facts], Spec]
    datasets: tuple[str, ...]
    """The first is what there must be rows of."""
    of_one_paper: bool = False


CHARTS: dict[str, Chart] = {
    chart.name: chart
    for chart in (
        Chart(
            "intervals",
            "How sure is each paper's place?",
            "Papers from the best to the worst, each with its score, how sure it is, and the cut.",
            intervals,
            ("papers", "cut"),
        ),
        Chart(
            "curve",
            "The whole ranking",
            "The score by rank, with how sure it is, and where papers are to be accepted, discussed, rejected.",
            curve,
            ("curve", "cut"),
        ),
        Chart(
            "moved",
            "Who moved?",
            "Mean rating against score, each paper a point.",
            moved,
            ("papers", "cut"),
        ),
        Chart(
            "spread",
            "Mean rating and score",
            "The same in groups of papers, so that no paper can be recognised.",
            spread,
            ("spread",),
        ),
        Chart(
            "calibration",
            "Were the predictions any good?",
            "The shares that reviewers predicted against the ratings that came in.",
            calibration,
            ("calibration",),
        ),
        Chart(
            "pushes",
            "How strong are the biases?",
            "How many papers had their ratings pushed up or down, and how far; by track if there are tracks.",
            pushes,
            ("pushes",),
        ),
        Chart(
            "ratings",
            "Ratings, and what was to be expected",
            "One paper: its ratings, and those to be expected whatever its quality.",
            ratings,
            ("levels",),
            of_one_paper=True,
        ),
        Chart(
            "predictions",
            "What reviewers predicted of each other",
            "One paper: the predictions of its reviewers, by the rating they gave.",
            predictions,
            ("predictions",),
            of_one_paper=True,
        ),
        Chart(
            "contour",
            "What other predictions would have meant",
            "One paper with two rating levels: Lu and Kong's score, had its reviewers predicted otherwise.",
            contour,
            ("contour", "point"),
            of_one_paper=True,
        ),
    )
}


def specs_of(document: Mapping[str, Any]) -> dict[str, Spec]:
    """The specs of all charts for a document of the report, by name."""
    facts = facts_of(document)
    return {name: chart.spec(facts) for name, chart in CHARTS.items()}


def page_charts(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the page's script needs to draw them: it has no number or name of its own that Python has, too."""
    return {
        "specs": specs_of(document),
        "themes": themes(),
        "paper_fields": PAPER_FIELDS,
        "most_rows": MOST_ROWS,
        "many_points": MANY_POINTS,
    }
