"""`moved`: mean rating against score, each paper a point; `spread`: the same for the public, in bins."""

from surpeer.report.charts.facts import Facts
from surpeer.report.charts.limits import MANY_POINTS
from surpeer.report.charts.parts import (
    LABEL_LIMIT,
    MEAN,
    SCORE,
    Spec,
    by_proposal,
    chart,
    corner_words,
    cut_line,
    haloed,
    known,
    number,
    paper_texts,
    paper_tips,
    tip,
)

HEIGHT = 400
AXIS = {"tickCount": 6, "format": ".2~f"}
NAMED_EACH = 3
"""So many of the papers furthest above and below the line are named."""
NAME_WIDTH, NAME_HEIGHT = 0.22, 0.06
"""What a name takes, as shares of the chart."""
NEAR = 0.03
"""A score so near the line, as a share of all scores, is as usual."""
WORDS = 30
"""Pixels at the top and at the bottom that are left to the words there."""
LINE_FROM = 3
"""Papers that it takes for a line through them."""
MARKS = ((200, 70, 0.9), (MANY_POINTS, 28, 0.6), (float("inf"), 9, 0.35))
"""Up to so many papers: the size of a point in square pixels, and its opacity."""


def moved(facts: Facts) -> Spec:
    """Who is placed higher or lower than the mean rating alone would."""
    return chart(
        "Mean rating against score, each paper a point. Points above the line have a better score than "
        "papers with their mean rating usually have, points below it a worse one. The furthest are named.",
        "papers",
        height=HEIGHT,
        transform=[known("score"), known("mean"), *paper_texts(facts)],
        layer=[
            _points(facts),
            *([_usual()] if facts.papers >= LINE_FROM else []),
            *(haloed(_names()) if facts.papers >= LINE_FROM else []),
            *cut_line("y", "score", SCORE),
            corner_words("↑ better than usual for its mean rating (dotted)", left=True, top=True),
            corner_words("↓ worse than usual", left=False, top=False),
        ],
    )


def spread(facts: Facts) -> Spec:  # noqa: ARG001 (every chart is made in the same way)
    """How many papers have about this mean rating and about this score."""
    return chart(
        "Mean rating against score. Each circle stands for a group of papers; its size says how many.",
        "spread",
        height=HEIGHT,
        mark={"type": "circle", "opacity": 0.7},
        encoding={
            "x": number("mean", MEAN, scale={"zero": False, "padding": 20}, axis=AXIS),
            "y": number("score", SCORE, scale={"zero": False, "padding": 20}, axis=AXIS),
            "size": number(
                "papers", "papers", scale={"range": [20, 900], "domainMin": 1}, legend={"format": ",d", "tickCount": 3}
            ),
            "tooltip": [tip("papers", "papers", ",d"), tip("mean", MEAN, ".2f"), tip("score", SCORE, ".2f")],
        },
    )


def _points(facts: Facts) -> Spec:
    size, opacity = next((size, opacity) for most, size, opacity in MARKS if facts.papers <= most)
    return {
        "mark": {
            "type": "point",
            "filled": True,
            "size": size,
            "opacity": opacity,
            "aria": facts.papers <= MARKS[0][0],
        },
        "encoding": {**_place(), "tooltip": paper_tips(facts), **by_proposal(facts)},
    }


def _place() -> Spec:
    return {
        "x": number("mean", MEAN, scale={"zero": False, "padding": 14}, axis=AXIS),
        "y": number("score", SCORE, scale={"zero": False, "padding": WORDS}, axis=AXIS),
    }


def _usual() -> Spec:
    """The straight line of scores by mean rating."""
    return {
        "transform": [{"regression": "score", "on": "mean"}],
        "mark": {"type": "line", "style": "reference"},
        "encoding": _place(),
    }


def _names() -> Spec:
    """The ids of those that are furthest above or below the line; of papers with one mean rating, at most one each."""
    furthest = {"sort": [{"field": "distance", "order": "descending"}]}
    return {
        "transform": [
            *_distance(),
            {"calculate": "datum.off > 0", "as": "above"},
            {"calculate": "abs(datum.off)", "as": "distance"},
            {"window": [{"op": "row_number", "as": "in_column"}], "groupby": ["mean", "above"], **furthest},
            {"filter": "datum.in_column == 1"},
            {"window": [{"op": "row_number", "as": "nth"}], "groupby": ["above"], **furthest},
            {"filter": f"datum.nth <= {NAMED_EACH}"},
            *_apart(),
            {"window": [{"op": "row_number", "as": "from_left"}], "groupby": ["above"], "sort": [{"field": "mean"}]},
        ],
        "mark": {"type": "text", "limit": LABEL_LIMIT, "aria": False, **_beside()},
        "encoding": {**_place(), "text": {"field": "id", "type": "nominal"}},
    }


def _apart() -> list[Spec]:
    """Of two papers so close that their names would meet, only the left one is named."""
    left = [{"op": "lag", "field": field, "as": f"left_{field}"} for field in ("mean", "score")]
    far = [
        f"abs(datum.{field} - datum.left_{field}) > {share} * (datum.{field}_max - datum.{field}_min)"
        for field, share in (("mean", NAME_WIDTH), ("score", NAME_HEIGHT))
    ]
    return [
        {"window": left, "sort": [{"field": "mean"}, {"field": "score"}]},
        {"filter": f"!isValid(datum.left_mean) || {' || '.join(far)}"},
    ]


def _beside() -> Spec:
    """Where a name stands: right of its point, every second one above or below it, so that neighbours do not meet."""
    every_second = "datum.from_left % 2 == 0"
    return {
        "align": {"expr": f"{every_second} ? 'center' : 'left'"},
        "dx": {"expr": f"{every_second} ? 0 : 9"},
        "dy": {"expr": f"{every_second} ? (datum.above ? -13 : 13) : 0"},
    }


def _distance() -> list[Spec]:
    """How far each score is above the line of `_usual`; rows are left out near it, and where there is no line."""
    wanted = [("mean", "middle"), ("min", "min"), ("max", "max")]
    return [
        {
            "joinaggregate": [
                {"op": op, "field": field, "as": f"{field}_{name}"}
                for field in ("mean", "score")
                for op, name in wanted
            ]
        },
        {"calculate": "datum.mean - datum.mean_middle", "as": "across"},
        {"calculate": "datum.score - datum.score_middle", "as": "up"},
        {"calculate": "datum.across * datum.up", "as": "both"},
        {"calculate": "datum.across * datum.across", "as": "square"},
        {"joinaggregate": [{"op": "sum", "field": field, "as": f"{field}_sum"} for field in ("both", "square")]},
        {"calculate": "datum.up - datum.across * datum.both_sum / datum.square_sum", "as": "off"},
        {"filter": f"isFinite(datum.off) && abs(datum.off) > {NEAR} * (datum.score_max - datum.score_min)"},
    ]
