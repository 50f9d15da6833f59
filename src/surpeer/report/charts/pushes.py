"""`pushes`: how strong the biases are that the predictions revealed."""

from surpeer.report.charts.facts import Facts
from surpeer.report.charts.parts import LABEL_LIMIT, PERCENT, Spec, chart, number, rows_by, tip

TITLE = ["push on ratings, in rating units", "← down · up →"]
AXIS = {"format": "+.2~f", "tickCount": 8, "labelExpr": "datum.value == 0 ? '0' : datum.label"}


def pushes(facts: Facts) -> Spec:
    """A histogram; with tracks one row for each, darker where there are more papers."""
    return chart(
        "How far something other than quality pushes the ratings of papers up or down, in the units of the rating: how "
        "many papers are pushed by how much." + (" Each row is a track." if len(facts.tracks) > 1 else ""),
        "pushes",
        **(_by_track() if len(facts.tracks) > 1 else {"height": 280, "layer": [_bars(), _nothing()]}),
    )


def _push() -> Spec:
    return {"x": number("from", TITLE, bin="binned", axis=AXIS), "x2": {"field": "to"}}


def _nothing() -> Spec:
    """Where nothing pushes."""
    return {
        "data": {"values": [{"from": 0}]},
        "mark": {"type": "rule", "style": "reference"},
        "encoding": {"x": number("from", TITLE, axis=AXIS)},
    }


def _bars() -> Spec:
    return {
        "mark": {"type": "bar", "binSpacing": 1},
        "encoding": {
            **_push(),
            "y": number("papers", "papers", axis={"format": ",d", "tickMinStep": 1}),
            "tooltip": _tips(),
        },
    }


def _by_track() -> Spec:
    rows = {
        "field": "track",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"labelLimit": LABEL_LIMIT, "ticks": False, "domain": False, "labelPadding": 8},
    }
    rects = {
        "transform": [
            {"filter": "isValid(datum.track)"},
            {"joinaggregate": [{"op": "sum", "field": "papers", "as": "all"}], "groupby": ["track"]},
            {"calculate": "datum.papers / datum.all", "as": "share"},
            {"filter": "datum.papers > 0"},
        ],
        "mark": {"type": "rect"},
        "encoding": {
            **_push(),
            "y": rows,
            "color": number("share", "share of its papers", legend={"format": PERCENT, "tickCount": 4}),
            "tooltip": [tip("track", "track"), *_tips()],
        },
    }
    return {**rows_by("track", 34), "layer": [rects, _nothing()]}


def _tips() -> list[Spec]:
    return [tip("from", "pushed from", "+.2f"), tip("to", "to", "+.2f"), tip("papers", "papers", ",d")]
