"""`curve`: the whole ranking in one line, however many papers there are."""

from surpeer.report.charts.facts import Facts
from surpeer.report.charts.parts import SCORE, Spec, chart, cut_line, known, number, tip
from surpeer.report.charts.theme import PROPOSALS

RANK = "rank (1 is the best)"
STRIP = 12
"""Pixels of the band that shows proposals."""
FEW = 60
"""Up to so many steps each is a dot as well."""


def curve(facts: Facts) -> Spec:
    """Rank to score, with the band from low to high, the proposals along the top, and the cut."""
    return chart(
        "The whole ranking from the best to the worst: the score falls with the rank; the band covers the "
        f"true score with a probability of {facts.interval_text}. Where the line is flat compared with the band, "
        "neighbouring papers cannot be told apart.",
        "curve",
        height=320,
        transform=[{"calculate": "(datum.first + datum.last) / 2", "as": "rank"}],
        layer=[
            *([_band(facts)] if facts.has_errors else []),
            _line(facts),
            *([_strip()] if facts.decided else []),
            *cut_line("x", "rank", RANK),
        ],
    )


def _tips(facts: Facts) -> list[Spec]:
    proposals = [tip(name, name, ",d") for name in PROPOSALS] if facts.decided else []
    limits = [tip("low", "low end", ".2f"), tip("high", "high end", ".2f")] if facts.has_errors else []
    return [
        tip("first", "from rank", ",d"),
        tip("last", "to rank", ",d"),
        tip("score", SCORE, ".2f"),
        *limits,
        *proposals,
    ]


def _rank() -> Spec:
    return number(
        "rank", RANK, scale={"zero": False, "nice": False}, axis={"format": ",d", "tickMinStep": 1, "tickCount": 10}
    )


def _band(facts: Facts) -> Spec:
    return {
        "transform": [known("low"), known("high")],
        "mark": {"type": "area", "opacity": 0.25, "line": False},
        "encoding": {"x": _rank(), "y": _score("low"), "y2": {"field": "high"}, "tooltip": _tips(facts)},
    }


def _score(field: str) -> Spec:
    return number(field, SCORE, scale={"zero": False})


def _line(facts: Facts) -> Spec:
    point = {"size": 45, "filled": True} if facts.steps <= FEW else False
    return {
        "transform": [known("score")],
        "mark": {"type": "line", "strokeWidth": 2.5, "point": point},
        "encoding": {"x": _rank(), "y": _score("score"), "tooltip": _tips(facts)},
    }


# Papers of the same step that come before those of this proposal.
_BEFORE = "datum.proposal == 'accept' ? 0 : datum.proposal == 'discuss' ? datum.accept : datum.accept + datum.discuss"


def _strip() -> Spec:
    """Along the top: which papers are to be accepted, discussed, rejected; inside a step, in this order."""
    return {
        "transform": [
            {"fold": list(PROPOSALS), "as": ["proposal", "papers"]},
            {"filter": "datum.papers > 0"},
            {"calculate": _BEFORE, "as": "before"},
            {"calculate": "datum.first - 0.5 + datum.before", "as": "from"},
            {"joinaggregate": [{"op": "max", "field": "last", "as": "all"}]},
            {"calculate": "min(datum.from + datum.papers + datum.all / 600, datum.all + 0.5)", "as": "to"},  # no gaps
        ],
        "mark": {"type": "rect", "aria": False},
        "encoding": {
            "x": number("from", RANK),
            "x2": {"field": "to"},
            "y": {"value": 0},
            "y2": {"value": STRIP},
            "color": {"field": "proposal", "type": "nominal", "title": None, "scale": {"domain": list(PROPOSALS)}},
            "tooltip": [
                tip("first", "from rank", ",d"),
                tip("last", "to rank", ",d"),
                tip("proposal", "proposal"),
                tip("papers", "papers", ",d"),
            ],
        },
    }
