"""`contour`: one paper on a scale of two levels, among the predictions that its reviewers could have made."""

from surpeer.report.charts.facts import Facts
from surpeer.report.charts.parts import LABEL_LIMIT, Spec, Title, chart, corner_words, haloed, percent_text, share, tip

LONGEST = 20
"""Letters of a level in a title."""


def contour(facts: Facts) -> Spec:
    """Lines of equal score by Lu and Kong's formula over what both sides predict, with the paper as a point."""
    low, high = (_cut_short(level) for level in (facts.levels[0], facts.levels[-1]))
    x, y = ([f"share of “{high}” predicted", f"by those who gave “{level}”"] for level in (low, high))
    return chart(
        "One paper with two rating levels. Its ratings are fixed; each line joins the predictions that would give the "
        "same score by Lu and Kong's formula. The less the reviewers expect the high rating, the higher the score. The "
        "diamond is the paper.",
        "contour",
        height=380,
        layer=[
            _diagonal(x, y),
            corner_words("below the diagonal predictions contradict each other", left=False, top=False),
            _lines(x, y),
            *haloed(_words(x, y)),
            _paper(x, y),
        ],
    )


def _place(x: Title, y: Title) -> Spec:
    return {"x": share("x", x), "y": share("y", y)}


def _lines(x: Title, y: Title) -> Spec:
    return {
        "mark": {"type": "line", "clip": True, "strokeWidth": 1.8},
        "encoding": {
            **_place(x, y),
            "detail": {"field": "line", "type": "nominal"},
            "order": {"field": "step", "type": "quantitative"},
            "strokeDash": {
                "condition": {"test": {"field": "score", "lt": 0}, "value": [5, 3]},
                "value": [1, 0],
            },
            "strokeWidth": {"condition": {"test": {"field": "score", "equal": 0}, "value": 3.5}, "value": 1.6},
            "tooltip": [tip("score", "Lu and Kong's score on this line", "+.2f")],
        },
    }


def _words(x: Title, y: Title) -> Spec:
    """The score of each line, where the lines are well apart: at a quarter of the way from the diagonal."""
    return {
        "transform": [
            {"calculate": "abs(datum.y - datum.x - 0.25)", "as": "off"},
            {"joinaggregate": [{"op": "min", "field": "off", "as": "least"}], "groupby": ["line"]},
            {"filter": "datum.off == datum.least"},
            {"calculate": "datum.score == 0 ? 'Lu and Kong 0' : format(datum.score, '+')", "as": "words"},
        ],
        "mark": {"type": "text", "style": "on-low", "dx": 8, "dy": 7, "align": "left"},
        "encoding": {**_place(x, y), "text": {"field": "words", "type": "nominal"}},
    }


def _diagonal(x: Title, y: Title) -> Spec:
    """Below it, those who gave the low rating expect the high one more than those who gave it."""
    ends = {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]}
    return {"data": ends, "mark": {"type": "line", "style": "reference"}, "encoding": _place(x, y)}


def _paper(x: Title, y: Title) -> Spec:
    """The paper itself, named."""
    named = {"type": "text", "align": "left", "dx": 11, "fontWeight": "bold", "limit": LABEL_LIMIT}
    return {
        "data": {"name": "point"},
        "transform": [percent_text("x"), percent_text("y")],
        "layer": [
            {"mark": {"type": "point", "style": "here", "shape": "diamond", "filled": True, "size": 180, "opacity": 1}},
            {"mark": named, "encoding": {"text": {"field": "id", "type": "nominal"}}},
        ],
        "encoding": {
            **_place(x, y),
            "tooltip": [tip("id", "paper"), tip("x_text", _in_one_line(x)), tip("y_text", _in_one_line(y))],
        },
    }


def _cut_short(level: str) -> str:
    return level if len(level) <= LONGEST else f"{level[:LONGEST]}…"


def _in_one_line(title: Title) -> str:
    return title if isinstance(title, str) else " ".join(title)
