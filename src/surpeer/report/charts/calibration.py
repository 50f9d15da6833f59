"""`calibration`: were the reviewers' predictions any good?"""

from surpeer.report.charts.facts import Facts
from surpeer.report.charts.parts import Spec, chart, corner_words, known, number, percent_text, share, tip

SAID, CAME = "share that reviewers predicted", "share of ratings that came in"


def calibration(facts: Facts) -> Spec:  # noqa: ARG001 (every chart is made in the same way)
    """What was said against what came; good predictions are on the diagonal."""
    return chart(
        "What share of ratings reviewers predicted against the share that came in. Good predictions are on the "
        "diagonal; above it, ratings were more frequent than predicted, below it rarer. Bars reach two "
        "standard errors.",
        "calibration",
        height=360,
        transform=[percent_text("said"), percent_text("came")],
        layer=[
            _diagonal(),
            _errors(),
            _points(),
            corner_words("came more often than predicted", left=True, top=True),
            corner_words("came less often than predicted", left=False, top=False),
        ],
    )


def _place(field: str = "came") -> Spec:
    return {"x": share("said", SAID), "y": share(field, CAME)}


def _diagonal() -> Spec:
    ends = [{"said": 0, "came": 0}, {"said": 1, "came": 1}]
    return {"data": {"values": ends}, "mark": {"type": "line", "style": "reference"}, "encoding": _place()}


def _errors() -> Spec:
    return {
        "transform": [known("low"), known("high")],
        "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6},
        "encoding": {"x": share("said", SAID), "y": share("low", CAME), "y2": {"field": "high"}, "tooltip": _tips()},
    }


def _points() -> Spec:
    size = number(
        "shares",
        "shares that were predicted",
        scale={"range": [40, 500], "domainMin": 1},
        legend={"format": ",d", "tickCount": 3},
    )
    return {"mark": {"type": "circle", "opacity": 0.9}, "encoding": {**_place(), "size": size, "tooltip": _tips()}}


def _tips() -> list[Spec]:
    return [
        tip("said_text", "predicted"),
        tip("came_text", "came in"),
        tip("shares", "shares that were predicted", ",d"),
        tip("papers", "of papers", ",d"),
    ]
