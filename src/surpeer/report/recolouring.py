"""A drawn chart on light ground -> the same chart on dark ground, without drawing it again, which can take seconds.

The themes differ in nothing but the colours of their palettes (`charts.theme`). A chart that mixes colours has to be
drawn again.
"""

import re

from surpeer.report.charts.theme import Palette

TAG = re.compile(r"<[^>]*>")
"""Texts, of papers as well, stand between tags; in them and in attributes these signs are escaped."""
COLOUR = re.compile(r' (fill|stroke|stop-color)="([^"]*)"')
NO_COLOURS = ("none", "transparent")


def recoloured(svg: str, before: Palette, after: Palette) -> str | None:
    """The picture in the colours of another theme; None where it has a colour that is not in its own palette."""
    new = {colour: colour for colour in NO_COLOURS} | dict(zip(_colours(before), _colours(after), strict=True))

    def in_tag(tag: re.Match[str]) -> str:
        return COLOUR.sub(lambda found: f' {found[1]}="{new[found[2]]}"', tag[0])

    try:
        return TAG.sub(in_tag, svg)
    except KeyError:
        return None


def _colours(palette: Palette) -> tuple[str, ...]:
    """Each different from the others, so that every one has its counterpart."""
    return (
        palette.ground,
        palette.ink,
        palette.faint,
        palette.quiet,
        *palette.proposals,
        palette.low,
        palette.high,
    )
