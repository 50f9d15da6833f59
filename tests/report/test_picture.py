"""A chart with its data: files, notebooks, and what is said where something is missing."""

import json
import struct
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from sample_document import sample_document

from surpeer.errors import InputError
from surpeer.report.charts import CHARTS
from surpeer.report.charts.limits import MANY_POINTS
from surpeer.report.drawing import picture_of_document
from surpeer.report.picture import MIME, Picture


@pytest.fixture(scope="module")
def picture() -> Picture:
    return picture_of_document(sample_document(5), CHARTS["moved"], None, "light")


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_files_by_ending(picture: Picture, tmp_path: Path) -> None:
    for name in ("a.svg", "a.png", "a.JSON"):
        picture.save(tmp_path / name)
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert json.loads((tmp_path / "a.JSON").read_text(encoding="utf-8")) == picture.spec
    assert size_of((tmp_path / "a.png").read_bytes()) == size_of(picture.png())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.JSON", "a.png", "a.svg"]


def test_zoom(picture: Picture) -> None:
    small, large = size_of(picture.png(1)), size_of(picture.png(3))
    assert large == pytest.approx((3 * small[0], 3 * small[1]), abs=3)


@pytest.mark.parametrize("zoom", [0, -1, 10.5, float("inf"), float("nan")])
def test_a_size_that_cannot_be(picture: Picture, zoom: float, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"zoom \S+: expected a number above 0, up to 10"):
        picture.save(tmp_path / "a.png", zoom=zoom)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "found"), [("a.pdf", 'the ending ".pdf"'), ("a", "no ending"), ("a.svg.gz", 'the ending ".gz"')]
)
def test_other_endings(picture: Picture, name: str, found: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"found {found}, expected a picture's: .svg, .png, or .json"):
        picture.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_nothing_is_left_where_it_cannot_be_written(picture: Picture, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: there is no folder"):
        picture.save(tmp_path / "none" / "a.svg")
    assert not list(tmp_path.iterdir())


def test_the_same_chart_is_the_same_svg_with_text_as_text(picture: Picture) -> None:
    again = picture_of_document(sample_document(5), CHARTS["moved"], None, "light")
    svg = picture.svg()
    assert svg == again.svg()
    assert ">mean rating</text>" in svg
    assert ">Who moved?</text>" in svg
    assert "http" not in svg.replace("http://www.w3.org/", "")


def test_in_a_notebook(picture: Picture) -> None:
    bundle = picture._repr_mimebundle_(include=None, exclude=None)
    assert set(bundle) == {MIME, "image/svg+xml", "text/plain"}
    assert MIME == "application/vnd.vegalite.v6+json"
    assert bundle[MIME]["$schema"].endswith("vega-lite/v6.json")
    assert bundle[MIME]["datasets"]["papers"][0]["id"] == "W01"
    assert bundle["text/plain"] == '<Picture "Who moved?" (moved): .save("moved.svg") or ".png", .svg(), .png(), .spec>'


def test_many_points_are_an_image_in_a_notebook() -> None:
    crowd = picture_of_document(sample_document(MANY_POINTS + 1, levels=3), CHARTS["moved"], None, "light")
    bundle = crowd._repr_mimebundle_()
    assert set(bundle) == {"image/png", "text/plain"}
    assert size_of(bundle["image/png"])[0] > 1000


def test_without_the_library_that_draws(picture: Picture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(InputError) as found:
        picture.save(tmp_path / "a.svg")
    assert str(found.value) == (
        "pictures need vl-convert-python, which is not installed: pip install 'surpeer[report]', or save the chart's "
        "description as .json"
    )
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {MIME, "text/plain"}
    assert "pip install 'surpeer[report]'" in bundle["text/plain"]
    picture.save(tmp_path / "a.json")
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_the_bundled_version_is_there() -> None:
    import vl_convert

    from surpeer.report.picture import VEGALITE

    assert VEGALITE in vl_convert.get_vegalite_versions()


def test_themes_differ(picture: Picture) -> None:
    dark = picture_of_document(sample_document(5), CHARTS["moved"], None, "dark")
    grounds: list[Any] = [one.spec["background"] for one in (picture, dark)]
    assert grounds == ["#ffffff", "#14181d"]
    assert 'fill="#14181d"' in dark.svg()
