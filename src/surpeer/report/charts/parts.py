"""Pieces of Vega-Lite that several charts share. Fields are named, never pasted into expressions."""

from collections.abc import Sequence
from typing import Any

from surpeer.report.charts.facts import Facts
from surpeer.report.charts.theme import PROPOSALS

Spec = dict[str, Any]
Title = str | list[str]
"""A list is one line each, for titles that would not fit on a telephone."""

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
MEAN, SCORE, PERCENT = "mean rating", "score", ".0%"
LABEL_LIMIT = 160
"""Pixels of a long id or title, which is cut with an ellipsis."""


def rows_by(field: str, step: int) -> Spec:
    """So many pixels of height for each different value of a field. Whoever fits the chart into a width of its own has
    to say how high it is, and finds the field here: Vega-Lite does not count rows and fit at once."""
    return {"height": {"step": step}, "usermeta": {"rows_by": field}}


def chart(description: str, data: str, **rest: Any) -> Spec:
    """A whole spec, as wide as what it stands in."""
    return {"$schema": SCHEMA, "description": description, "data": {"name": data}, "width": "container", **rest}


def number(field: str, title: Title | None, **rest: Any) -> Spec:
    """A channel that shows a number."""
    return {"field": field, "type": "quantitative", "title": title, **rest}


def share(field: str, title: Title, *, domain: Sequence[float] = (0, 1), **rest: Any) -> Spec:
    """A channel that shows a share, as a percentage."""
    return number(field, title, scale={"domain": list(domain)}, axis={"format": PERCENT, "tickCount": 5}, **rest)


def tip(field: str, title: str, form: str | None = None) -> Spec:
    """One line of what is shown on hovering."""
    kind = "nominal" if form is None else "quantitative"
    return {"field": field, "type": kind, "title": title, **({} if form is None else {"format": form})}


def percent_text(field: str, *, never_sure: bool = False) -> Spec:
    """The column `field`_text: a percentage in the words of the page (`percent` and `chanceText` in dom.js).

    never_sure : a probability, which is never quite 0 or 100%
    """
    value = f"clamp(datum.{field}, 0.001, 0.999)" if never_sure else f"datum.{field}"
    text = f"{value} > 0 && {value} < 0.005 ? '<1%' : {value} < 1 && {value} >= 0.995 ? '>99%' : format({value}, '.0%')"
    return {"calculate": f"isValid(datum.{field}) ? ({text}) : ''", "as": f"{field}_text"}


def paper_texts(facts: Facts) -> list[Spec]:
    """The columns that `paper_tips` needs beside the data."""
    between = "isValid(datum.low) ? format(datum.low, '.2f') + ' to ' + format(datum.high, '.2f') : ''"
    return [
        *([percent_text("p_accept", never_sure=True)] if facts.decided else []),
        *([{"calculate": between, "as": "between"}] if facts.has_errors else []),
    ]


def paper_tips(facts: Facts) -> list[Spec]:
    """What hovering over a paper says."""
    sure = [
        tip("between", f"{facts.interval_text} sure"),
        tip("clearly_better_than", "papers it is clearly better than", ",d"),
        tip("clearly_worse_than", "papers it is clearly worse than", ",d"),
    ]
    return [
        tip("id", "paper"),
        *([tip("title", "title")] if facts.titled else []),
        *([tip("track", "track")] if facts.tracks else []),
        tip("why", "why"),
        tip("rank", "rank", ",d"),
        tip("mean_rank", "rank by mean rating", ",d"),
        tip("mean", MEAN, ".2f"),
        tip("score", SCORE, ".2f"),
        *(sure if facts.has_errors else []),
        *([tip("p_accept_text", "chance"), tip("proposal", "proposal")] if facts.decided else []),
        tip("reviews", "reviews", ",d"),
    ]


def by_proposal(facts: Facts, *, shapes: bool = True) -> Spec:
    """Colour and shape by proposal, where there are proposals."""
    if not facts.decided:
        return {}
    scale = {"domain": list(PROPOSALS)}
    channel = {"field": "proposal", "type": "nominal", "title": None, "scale": scale}
    return {"color": channel, **({"shape": channel} if shapes else {})}


def cut_line(channel: str, field: str, axis_title: str) -> list[Spec]:
    """The cut across the chart, with its name at the edge; nothing where the dataset `cut` is empty."""
    place = number(field, axis_title)
    upright = channel == "x"
    edge = {"y": {"value": -2}} if upright else {"x": {"value": 0}}
    return [
        {
            "data": {"name": "cut"},
            "transform": [known(field)],
            "mark": {"type": "rule", "style": "cut"},
            "encoding": {channel: place, "tooltip": [tip(field, f"the cut: {axis_title}", ".2f")]},
        },
        {
            "data": {"name": "cut"},
            "transform": [known(field)],
            "mark": {
                "type": "text",
                "style": "cut-label",
                "text": "the cut",
                "align": "left",
                "baseline": "bottom",
                "dx": 4,
                "dy": 0 if upright else -3,
            },
            "encoding": {channel: place, **edge},
        },
    ]


def corner_words(words: str, *, left: bool, top: bool) -> Spec:
    """A few quiet words in a corner: what it means to be there."""
    return {
        "data": {"values": [{}]},
        "mark": {
            "type": "text",
            "style": "note",
            "text": words,
            "align": "left" if left else "right",
            "baseline": "top" if top else "bottom",
            "dx": 8 if left else -8,
            "dy": 8 if top else -8,
        },
        "encoding": {"x": {"value": 0 if left else "width"}, "y": {"value": 0 if top else "height"}},
    }


def known(field: str) -> Spec:
    """Leave out rows where this is not known."""
    return {"filter": {"field": field, "valid": True}}


def haloed(words: Spec) -> list[Spec]:
    """A layer of text with the ground around its letters, so that it can be read on points and lines."""
    return [{**words, "mark": {**words["mark"], "style": "halo", "aria": False}}, words]
