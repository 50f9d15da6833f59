"""`ratings`, `predictions`: one paper's ratings, and what its reviewers predicted of each other."""

from surpeer.report.charts.facts import Facts
from surpeer.report.charts.parts import LABEL_LIMIT, Spec, chart, known, number, percent_text, rows_by, share, tip

ROW = 40
PREDICTED = ["what reviewers predicted:", "the share of the others who give this rating"]
WHO = "'gave ' + datum.given + ': ' + datum.reviewers + (datum.reviewers == 1 ? ' reviewer' : ' reviewers')"
ROOM = 60
"""Letters that fit side by side below the chart, all levels together."""


def ratings(facts: Facts) -> Spec:
    """Bars for the ratings that came in, a tick where their share was to be expected whatever the quality, if that is
    known of anything in the venue."""
    if not facts.followed:
        return _ratings_alone(facts)
    return chart(
        "One paper: the share of its reviewers who gave each rating as bars, and the share that was to be expected "
        "whatever its quality as a line across each.",
        "levels",
        height=220,
        transform=[percent_text("share"), percent_text("prior")],
        layer=[_bars(facts), _ticks(facts)],
    )


def _ratings_alone(facts: Facts) -> Spec:
    """Nothing was to be expected, so no legend need tell it from what was given."""
    bars = _bars(facts)
    encoding = {name: part for name, part in bars["encoding"].items() if name != "color"}
    tips = [one for one in _tips() if one["field"] != "prior_text"]
    return chart(
        "One paper: the share of its reviewers who gave each rating.",
        "levels",
        height=220,
        transform=[percent_text("share")],
        mark=bars["mark"],
        encoding={**encoding, "tooltip": tips},
    )


def _level(facts: Facts) -> Spec:
    slanted = sum(map(len, facts.levels)) > ROOM
    axis = {"labelLimit": LABEL_LIMIT, "labelAngle": -35 if slanted else 0, "labelOverlap": False}
    return {
        "field": "level",
        "type": "ordinal",
        "sort": {"field": "position", "op": "min"},
        "title": "rating",
        "axis": axis,
    }


def _tips() -> list[Spec]:
    return [
        tip("level", "rating"),
        tip("share_text", "reviewers who gave it"),
        tip("prior_text", "to be expected"),
    ]


GIVEN, EXPECTED = "ratings given", "to be expected whatever the quality"


def _kind() -> Spec:
    """What a bar and a tick are, for the legend."""
    return {
        "field": "kind",
        "type": "nominal",
        "title": None,
        "scale": {"domain": [GIVEN, EXPECTED], "range": "ordinal"},
        "legend": {"symbolType": "square"},
    }


def _called(kind: str) -> Spec:
    return {"calculate": f"'{kind}'", "as": "kind"}


def _bars(facts: Facts) -> Spec:
    return {
        "transform": [_called(GIVEN)],
        "mark": {"type": "bar", "width": {"band": 0.7}},
        "encoding": {
            "x": _level(facts),
            "y": share("share", "share of reviewers"),
            "tooltip": _tips(),
            "color": _kind(),
        },
    }


def _ticks(facts: Facts) -> Spec:
    return {
        "transform": [known("prior"), _called(EXPECTED)],
        "mark": {"type": "tick", "thickness": 4, "opacity": 1, "width": {"band": 0.9}},
        "encoding": {
            "x": _level(facts),
            "y": share("prior", "share of reviewers"),
            "tooltip": _tips(),
            "color": _kind(),
        },
    }


def predictions(facts: Facts) -> Spec:
    """A row for each rating that was given: what those who gave it predicted of the others."""
    return chart(
        "One paper: what its reviewers predicted of each other. Each row is the reviewers who gave one rating; each "
        "cell is the share of the others who, they predicted, would give the rating below. Outlined is their own "
        "rating.",
        "predictions",
        **rows_by("given", ROW),
        transform=[{"calculate": WHO, "as": "who"}, percent_text("share")],
        layer=[_cells(facts), _own(facts), *(_shares(facts))],
    )


def _cell(facts: Facts) -> Spec:
    across = {**_level(facts), "title": PREDICTED}
    rows = {
        "field": "who",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"labelLimit": 240, "ticks": False, "domain": False, "labelPadding": 8},
    }
    return {"x": {**across, "axis": {**across["axis"], "ticks": False, "domain": False}}, "y": rows}


def _cells(facts: Facts) -> Spec:
    return {
        "mark": {"type": "rect"},
        "encoding": {
            **_cell(facts),
            "color": number("share", "share", scale={"domain": [0, 1]}, legend=None),
            "tooltip": [
                tip("given", "those who gave"),
                tip("reviewers", "reviewers", ",d"),
                tip("level", "predicted for"),
                tip("share_text", "share of the others"),
            ],
        },
    }


def _own(facts: Facts) -> Spec:
    return {
        "transform": [{"filter": "datum.given === datum.level"}],
        "mark": {"type": "rect", "style": "outline", "filled": False, "aria": False},
        "encoding": _cell(facts),
    }


def _shares(facts: Facts) -> list[Spec]:
    """The numbers, in the ink that can be read on the cell."""
    size = 13 if len(facts.levels) <= 7 else 11
    return [
        {
            "transform": [{"filter": condition}],
            "mark": {"type": "text", "style": style, "fontSize": size, "aria": False},
            "encoding": {**_cell(facts), "text": {"field": "share_text", "type": "nominal"}},
        }
        for style, condition in (("on-low", "datum.share < 0.5"), ("on-high", "datum.share >= 0.5"))
    ]
