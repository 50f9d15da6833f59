"""Charts as pictures, drawn by the library: those of the venue beforehand, those of a paper when somebody looks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from surpeer.errors import InputError
from surpeer.report.charts import CHARTS
from surpeer.report.charts.limits import MANY_POINTS
from surpeer.report.charts.theme import PALETTES
from surpeer.report.columns import INTERVAL
from surpeer.report.drawing import check_levels, find_chart, picture_of_document
from surpeer.report.picture import Picture, png_of_svg
from surpeer.report.recolouring import recoloured

OF_THE_VENUE = ("intervals", "curve", "moved", "calibration", "pushes")
OF_A_PAPER = tuple(chart.name for chart in CHARTS.values() if chart.of_one_paper)
THEMES = tuple(PALETTES)
A_POINT_EACH = "moved"
"""The chart with a point for each paper: with very many it is an image."""
NOTHING_EXPECTED = {"ratings": ("Ratings", "One paper: its ratings.")}
"""What charts are called, and what one sees on them, where nothing was to be expected."""
TYPES = {"svg": "image/svg+xml", "png": "image/png"}


@dataclass(frozen=True)
class Drawn:
    """A picture as a file."""

    name: str
    content: bytes
    alt: str


def venue_pictures(document: Mapping[str, Any]) -> Iterator[Drawn]:
    """Every chart that has something to show, on light and on dark ground."""
    many = len(document["papers"]["id"]) > MANY_POINTS
    for name in OF_THE_VENUE:
        ending = "png" if many and name == A_POINT_EACH else "svg"
        try:
            picture = picture_of_document(document, find_chart(name), None, THEMES[0], titled=False)
        except InputError:  # nothing to draw
            continue
        for theme, svg in _in_all_themes(document, name, picture.svg()):
            content = png_of_svg(svg) if ending == "png" else svg.encode()
            yield Drawn(f"{name}-{theme}.{ending}", content, picture.spec["description"])


def _in_all_themes(document: Mapping[str, Any], name: str, first: str) -> Iterator[tuple[str, str]]:
    """The names of the themes with the chart as SVG; `first` is that of the first theme."""
    yield THEMES[0], first
    for theme in THEMES[1:]:
        svg = recoloured(first, PALETTES[THEMES[0]], PALETTES[theme])
        yield theme, svg or picture_of_document(document, find_chart(name), None, theme, titled=False).svg()


def paper_picture(levels: list[str], row: Mapping[str, Any], chart: str, theme: str) -> Picture:
    """A chart of one paper, from its row in the table of papers; an InputError where there is nothing to draw."""
    card = row["card"]
    columns = {"id": [row["paper"]], **{name: [card[name]] for name in ("counts", "prior", "predictions")}}
    found = find_chart(chart)
    check_levels(found, tuple(levels))
    document = {
        "scale": {"labels": levels, "values": list(range(len(levels)))},
        "method": {"name": "venue", "has_errors": True, "followed": is_followed(card)},
        "interval": INTERVAL,
        "decision": None,
        "papers": columns,
    }
    return picture_of_document(document, found, row["paper"], theme, titled=False)


def is_followed(card: Mapping[str, Any]) -> bool:
    """Whether predictions say what was to be expected of the paper."""
    return any(share is not None for share in card.get("prior") or ())


def charts_of_paper(levels: list[str], row: Mapping[str, Any]) -> list[dict[str, str]]:
    """The charts that there are for a paper: name, title, and what one sees."""
    found = []
    for name in OF_A_PAPER:
        try:
            picture = paper_picture(levels, row, name, THEMES[0])
        except InputError:
            continue
        title, shows = CHARTS[name].title, CHARTS[name].shows
        if not is_followed(row["card"]):
            title, shows = NOTHING_EXPECTED.get(name, (title, shows))
        found.append({"name": name, "title": title, "shows": shows, "alt": picture.spec["description"]})
    return found
