"""How the main values look in a notebook, and how they are drawn: `plot()` and a table in HTML.

What draws them (surpeer.report) knows all of them, so it comes after them on the way of the data and they cannot import
it. It is named here as text and loaded when somebody looks, in the way in which pandas loads its plotting backends;
until then nothing is loaded, and whoever never looks needs nothing of it.
"""

from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

TABLES = "surpeer.report.notebook_html"
DRAWING = "surpeer.report.drawing"


class Drawing(Protocol):
    """A picture: surpeer.report.picture.Picture."""

    @property
    def spec(self) -> dict[str, Any]: ...

    def svg(self) -> str: ...

    def png(self, zoom: float = 2.0) -> bytes: ...

    def save(self, path: str | Path, *, zoom: float = 2.0) -> None: ...


class Shown:
    """A value that a notebook shows as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(import_module(TABLES).html_of(self))


class DrawnVenue(Shown):
    """A value about all papers, with charts."""

    __slots__ = ()

    def plot(self, chart: str | None = None, *, paper: object = None, theme: str = "light") -> Drawing:
        """A chart: shown by a notebook, written to a file by `.save("ranking.svg")`.

        chart : `intervals` (the default for up to 60 papers), `curve` (beyond), `moved`, `calibration`, `pushes`,
            `spread`; for one paper `ratings`, `predictions`, `contour`. `surpeer plot --help` says what each shows.
        paper : its id, for the charts of one paper
        theme : `light` or `dark`
        """
        return cast(Drawing, import_module(DRAWING).picture(self, chart, paper, theme=theme))


class DrawnPaper(Shown):
    """A value about one paper, with charts."""

    __slots__ = ()

    def plot(self, chart: str = "ratings", *, theme: str = "light") -> Drawing:
        """A chart of this paper: `ratings`, `predictions`, or `contour` on a scale of two levels."""
        return cast(Drawing, import_module(DRAWING).picture_of_explanation(self, chart, theme=theme))
