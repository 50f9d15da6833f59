"""`intervals`: one line per paper, from the best to the worst, with what is and what is not sure about its score."""

from surpeer.report.charts.facts import Facts
from surpeer.report.charts.parts import (
    SCORE,
    Spec,
    by_proposal,
    chart,
    cut_line,
    known,
    number,
    paper_texts,
    paper_tips,
    rows_by,
)

ROW = 20
"""Pixels of one paper."""
NAME = "datum.title && datum.title != datum.id ? datum.id + ' · ' + datum.title : datum.id"
AXIS = {"tickCount": 8, "format": ".2~f"}


def intervals(facts: Facts) -> Spec:
    """A dot at the score, a bar from low to high, the cut across; for up to some sixty papers."""
    return chart(
        "The ranking: each paper's score as a dot, with a bar that covers the true score with a probability "
        f"of {facts.interval_text}. Where two bars overlap much, the evidence does not separate the papers.",
        "papers",
        **rows_by("id", ROW),
        transform=[*paper_texts(facts), {"calculate": NAME, "as": "name"}],
        layer=[
            *([_bars(facts)] if facts.has_errors else []),
            _dots(facts),
            *([_chances(), _chances_heading()] if facts.decided else []),
            *cut_line("x", "score", SCORE),
        ],
    )


def _paper() -> Spec:
    """By id and title, as far as there is room: how much, the theme says, or the page that knows its own width."""
    axis = {"grid": True, "ticks": False, "domain": False, "labelPadding": 8}
    return {"field": "name", "type": "nominal", "sort": None, "title": None, "axis": axis}


def _bars(facts: Facts) -> Spec:
    return {
        "transform": [known("low"), known("high")],
        "mark": {"type": "rule", "strokeWidth": 3, "strokeOpacity": 0.55, "strokeCap": "round"},
        "encoding": {
            "y": _paper(),
            "x": number("low", SCORE, axis=AXIS),
            "x2": {"field": "high"},
            "tooltip": paper_tips(facts),
            **by_proposal(facts, shapes=False),
        },
    }


def _dots(facts: Facts) -> Spec:
    return {
        "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
        "encoding": {
            "y": _paper(),
            "x": number("score", SCORE, scale={"zero": False}, axis=AXIS),
            "tooltip": paper_tips(facts),
            **by_proposal(facts),
        },
    }


def _chances() -> Spec:
    """The probability of being among the best, at the right edge."""
    return {
        "transform": [known("p_accept")],
        "mark": {"type": "text", "style": "note", "align": "left", "dx": 8, "baseline": "middle"},
        "encoding": {
            "y": _paper(),
            "x": {"value": "width"},
            "text": {"field": "p_accept_text", "type": "nominal"},
        },
    }


def _chances_heading() -> Spec:
    words = {"type": "text", "style": "note", "text": "chance", "align": "left", "baseline": "bottom", "dx": 8}
    return {"data": {"values": [{}]}, "mark": words, "encoding": {"x": {"value": "width"}, "y": {"value": -2}}}
