"""How charts look, in one place: colours, shapes and fonts on light and on dark ground.

Colours are Okabe and Ito's, which colour-blind people can tell apart, lighter on dark ground. Whatever a colour says, a
shape, a dash or a number says as well, so that nothing is lost in black and white. A spec names no colour for what
differs between the themes; it takes the scales and the named styles of the theme's config.
"""

from dataclasses import dataclass
from typing import Any

from surpeer.errors import UnknownName
from surpeer.proposals import Proposal

Config = dict[str, Any]

FONT = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Arial, sans-serif"
PICTURE_FONT = "'Liberation Sans', Arial, Helvetica, sans-serif"
"""Of pictures, whose room for words is measured once and for all in Liberation Sans: first those of the same widths."""
PICTURE_PADDING = {"left": 30, "right": 12, "top": 8, "bottom": 8}
"""More at the left, where names of papers stand, for machines that have none of these fonts and show a wider one."""
PROPOSALS = tuple(kind.label for kind in Proposal)
"""In the order of the scales `category` and `symbol` of every theme."""
SHAPES = ("triangle-up", "circle", "square")


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme."""

    ground: str
    ink: str
    faint: str
    """Grid lines."""
    quiet: str
    """What is there for comparison: the cut, diagonals, expectations."""
    proposals: tuple[str, str, str]
    low: str
    """The two ends of what gets stronger with a number."""
    high: str

    @property
    def main(self) -> str:
        """The colour of what has no other."""
        return self.proposals[0]

    @property
    def second(self) -> str:
        return self.proposals[1]


PALETTES = {
    "light": Palette(
        ground="#ffffff",
        ink="#1f2328",
        faint="#e4e7eb",
        quiet="#57606a",
        proposals=("#0072b2", "#e69f00", "#8a8a8a"),
        low="#eaf3f9",
        high="#00507d",
    ),
    "dark": Palette(
        ground="#14181d",
        ink="#e6e8eb",
        faint="#2f363d",
        quiet="#a3abb4",
        proposals=("#4fa9dd", "#ffc94d", "#70767d"),
        low="#1d2a35",
        high="#8fd0f5",
    ),
}


def themes() -> dict[str, Config]:
    """Every theme by its name, as a page needs them."""
    return {name: theme(name) for name in PALETTES}


def theme(name: str) -> Config:
    """The Vega config of a theme, `light` or `dark`; the ground is left to what the chart stands on."""
    colours = palette(name)
    return {
        "background": "transparent",
        "font": FONT,
        "padding": 8,
        "view": {"stroke": None, "continuousHeight": 320, "continuousWidth": 640},
        "axis": {
            "labelColor": colours.ink,
            "titleColor": colours.ink,
            "gridColor": colours.faint,
            "domainColor": colours.quiet,
            "tickColor": colours.quiet,
            "labelFontSize": 12,
            "titleFontSize": 13,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "labelLimit": 200,
        },
        "legend": {
            "labelColor": colours.ink,
            "titleColor": colours.ink,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "symbolSize": 90,
            "symbolOpacity": 1,
            "labelLimit": 240,
            "columnPadding": 20,
            "orient": "top",
        },
        "title": {
            "color": colours.ink,
            "subtitleColor": colours.quiet,
            "fontSize": 16,
            "subtitleFontSize": 13,
            "anchor": "start",
            "offset": 10,
            "frame": "group",
        },
        "mark": {"color": colours.main},
        "rule": {"color": colours.main},
        "tick": {"color": colours.ink},
        "text": {"color": colours.ink, "fontSize": 12},
        "range": {
            "category": list(colours.proposals),
            "symbol": list(SHAPES),
            "ordinal": [colours.main, colours.ink],
            "heatmap": [colours.low, colours.high],
            "ramp": [colours.low, colours.high],
        },
        "style": _styles(colours),
    }


def picture_theme(name: str) -> Config:
    """The same for a picture that is drawn here and looked at elsewhere."""
    return {**theme(name), "font": PICTURE_FONT, "padding": PICTURE_PADDING}


def palette(name: str) -> Palette:
    """The colours of a theme."""
    if name not in PALETTES:
        raise UnknownName("theme", name, PALETTES)
    return PALETTES[name]


def _styles(colours: Palette) -> Config:
    """What a spec can call for by name."""
    return {
        "cut": {"color": colours.ink, "strokeDash": [6, 4], "strokeWidth": 1.5},
        "cut-label": {"color": colours.ink, "fontSize": 12, "fontStyle": "italic"},
        "reference": {"color": colours.quiet, "strokeDash": [3, 3], "strokeWidth": 1.5},
        "on-low": {"color": colours.ink, "fontSize": 12},
        "on-high": {"color": colours.ground, "fontSize": 12, "fontWeight": "bold"},
        "outline": {"color": colours.ink, "strokeWidth": 1.5},
        "halo": {"color": colours.ground, "stroke": colours.ground, "strokeWidth": 4, "strokeJoin": "round"},
        "note": {"color": colours.quiet, "fontSize": 12},
        "here": {"color": colours.second, "stroke": colours.ink, "strokeWidth": 1.5},
    }
