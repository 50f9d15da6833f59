"""A chart with its data: an SVG or PNG file, or a picture in a notebook. Nothing is loaded from the network.

Drawing needs vl-convert-python (the extra `report`), which brings Vega-Lite, a font (Liberation Sans) and a renderer
along: a machine without fonts or a browser draws the same. Text in an SVG stays text, in the fonts of whoever looks.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from surpeer.errors import InputError
from surpeer.io.extras import needs_extra
from surpeer.io.whole_file import write_whole_bytes
from surpeer.report.charts.limits import MANY_POINTS

VEGALITE = "6.4"
"""The version that draws, of those in vl-convert; the specs are for version 6."""
MIME = "application/vnd.vegalite.v6+json"
ZOOM = 2.0
LARGEST_ZOOM = 10.0
ENDINGS = (".svg", ".png", ".json")


@dataclass(frozen=True, repr=False)
class Picture:
    """A chart that is complete: its spec holds the data and the colours."""

    name: str
    """Of the chart."""
    title: str
    spec: dict[str, Any]
    """Vega-Lite, with everything in it."""

    def __repr__(self) -> str:
        return f'<Picture "{self.title}" ({self.name}): .save("{self.name}.svg") or ".png", .svg(), .png(), .spec>'

    def svg(self) -> str:
        """The picture as SVG; the same chart gives the same text."""
        return str(_renderer().vegalite_to_svg(self.spec, vl_version=VEGALITE, allowed_base_urls=[]))

    def png(self, zoom: float = ZOOM) -> bytes:
        """The picture as PNG; at zoom 1 a unit of the drawing is one pixel."""
        check_zoom(zoom)
        drawn = _renderer().vegalite_to_png(self.spec, vl_version=VEGALITE, scale=float(zoom), allowed_base_urls=[])
        return bytes(drawn)

    def save(self, path: str | Path, *, zoom: float = ZOOM) -> None:
        """Write the picture to a file, whole or not at all; its ending says how: .svg, .png or .json (the spec)."""
        kind = check_ending(Path(path))
        if kind == ".png":
            content = self.png(zoom)
        elif kind == ".svg":
            content = self.svg().encode()
        else:
            content = (json.dumps(self.spec, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "backslashreplace")
        write_whole_bytes(Path(path), content)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """For notebooks: live where the front end knows Vega-Lite, else an image; where nothing draws, text says so."""
        many = sum(map(len, self.spec["datasets"].values())) > MANY_POINTS
        try:
            image = {"image/png": self.png()} if many else {MIME: self.spec, "image/svg+xml": self.svg()}
        except InputError as error:
            return {**({} if many else {MIME: self.spec}), "text/plain": f"{self!r}\n{error}"}
        return {**image, "text/plain": repr(self)}


def png_of_svg(svg: str, zoom: float = ZOOM) -> bytes:
    """The picture that `Picture.svg` drew, as `Picture.png` would draw it."""
    return bytes(_renderer().svg_to_png(svg, scale=float(zoom)))


def check_ending(path: Path) -> str:
    """The ending of a picture's file, in lower case."""
    kind = path.suffix.lower()
    if kind not in ENDINGS:
        found = f'the ending "{path.suffix}"' if path.suffix else "no ending"
        raise InputError(
            f"{path}: found {found}, expected a picture's: .svg, .png, or .json for the chart's description"
        )
    return kind


def check_zoom(zoom: float) -> None:
    """A picture of no size, or of a size that fills the memory, is not drawn."""
    if not 0 < zoom <= LARGEST_ZOOM:
        raise InputError(f"zoom {zoom:g}: expected a number above 0, up to {LARGEST_ZOOM:g}")


def _renderer() -> ModuleType:
    with needs_extra(
        "vl_convert", "pictures need vl-convert-python", "report", "save the chart's description as .json"
    ):
        import vl_convert
    return vl_convert
