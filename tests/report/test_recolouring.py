"""A chart in the colours of another theme is the chart that this theme draws."""

import numpy as np
import polars as pl
import pytest

from surpeer.decisions import Decisions, decide
from surpeer.demo import make_venue
from surpeer.pipeline import calibrate
from surpeer.report.charts import CHARTS
from surpeer.report.charts.theme import PALETTES
from surpeer.report.content import report_of
from surpeer.report.document import document_of
from surpeer.report.drawing import picture_of_document
from surpeer.report.picture import png_of_svg
from surpeer.report.recolouring import recoloured
from surpeer.reviews import Reviews

LIGHT, DARK = PALETTES["light"], PALETTES["dark"]
ODD_ID = '" fill="#0072b2" > &amp; <path stroke="#ffffff">'


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    table = make_venue(np.random.default_rng(3), 30).reviews
    paper = pl.col("paper").cast(pl.String)
    odd = pl.when(paper == paper.first()).then(pl.lit(ODD_ID)).otherwise(paper)
    return decide(calibrate(Reviews.from_table(table.with_columns(odd.alias("paper")))), 10)


@pytest.mark.parametrize("name", ["intervals", "curve", "moved", "calibration", "pushes"])
@pytest.mark.parametrize(("before", "after"), [("light", "dark"), ("dark", "light")])
def test_it_is_what_the_theme_draws(decisions: Decisions, name: str, before: str, after: str) -> None:
    document = document_of(report_of(decisions))
    first, second = (picture_of_document(document, CHARTS[name], None, theme) for theme in (before, after))
    assert recoloured(first.svg(), PALETTES[before], PALETTES[after]) == second.svg()


def test_mixed_colours_have_to_be_drawn_again() -> None:
    table = make_venue(np.random.default_rng(3), 60).reviews.with_row_index("track")
    tracks = table.with_columns(
        track=pl.when(pl.col("track") < len(table) // 2).then(pl.lit("a")).otherwise(pl.lit("b"))
    )
    whole = tracks.with_columns(pl.col("track").first().over("paper"))
    document = document_of(report_of(calibrate(Reviews.from_table(whole))))
    svg = picture_of_document(document, CHARTS["pushes"], None, "light").svg()
    assert "rgb(" in svg
    assert recoloured(svg, LIGHT, DARK) is None


@pytest.mark.parametrize(
    ("light", "dark"),
    [
        ('<g fill="none" stroke="transparent">', '<g fill="none" stroke="transparent">'),
        ('<g fill="#ffffff" stroke-width="2"/>', '<g fill="#14181d" stroke-width="2"/>'),
        ('<text fill="#1f2328"> fill="#1f2328"</text>', '<text fill="#e6e8eb"> fill="#1f2328"</text>'),
        ('<g aria-label="a fill=&quot;#ffffff&quot;"/>', '<g aria-label="a fill=&quot;#ffffff&quot;"/>'),
        ('<g fill="#fffffe"/>', None),
        ('<stop stop-color="rgb(1, 2, 3)"/>', None),
        ('<g fill="url(#gradient)"/>', None),
    ],
)
def test_only_the_colours_of_marks_change(light: str, dark: str | None) -> None:
    assert recoloured(light, LIGHT, DARK) == dark


def test_a_png_of_the_drawing_is_the_png_of_the_chart(decisions: Decisions) -> None:
    picture = decisions.plot("moved")
    assert png_of_svg(picture.svg()) == picture.png()
