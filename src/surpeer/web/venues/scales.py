"""The rating scale of a venue, as the library knows scales."""

from typing import TypedDict

from surpeer.scale import Scale
from surpeer.web.venues.models import Venue


class Level(TypedDict):
    """A level as a venue keeps it."""

    label: str
    value: float


def scale_of(venue: Venue) -> Scale:
    """The library's scale: every level by its label, standing for its value."""
    return Scale([level["label"] for level in venue.levels], [level["value"] for level in venue.levels])


def levels_of(scale: Scale) -> list[Level]:
    """A scale of the library as a venue keeps it.

    >>> levels_of(Scale(["reject", "accept"]))
    [{'label': 'reject', 'value': 0.0}, {'label': 'accept', 'value': 1.0}]
    """
    return [{"label": label, "value": value} for label, value in zip(scale.levels, scale.values, strict=True)]


def in_one_line(levels: list[Level]) -> str:
    """A scale as people read it.

    >>> in_one_line([{"label": "reject", "value": 0}, {"label": "accept", "value": 1.5}])
    'reject (0), accept (1.5)'
    """
    return ", ".join(f"{level['label']} ({level['value']:g})" for level in levels)
