"""Every chart of the registry: valid, drawable and harmless, whatever the venue."""

import json
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import altair
import pytest
import vl_convert
from sample_document import sample_document

from surpeer.errors import UnknownName
from surpeer.report.charts import CHARTS, facts_of, specs_of, theme, themes
from surpeer.report.charts.datasets import rows_of
from surpeer.report.charts.theme import PALETTES, PROPOSALS, SHAPES

TRACKS = ("Theory", "Systems", "A track whose name is much too long for the margin of any chart that one can draw")
DOCUMENTS = {
    "one paper": sample_document(1),
    "twelve papers": sample_document(12),
    "no decision, no errors": sample_document(12, decided=False, errors=False),
    "five levels and tracks": sample_document(60, levels=5, tracks=TRACKS),
    "ten levels": sample_document(40, levels=10),
    "many papers": sample_document(2_100, levels=3),
}
SCHEMA_CASES = ("twelve papers", "no decision, no errors", "five levels and tracks")
ODD_IDS = ["<script>alert(1)</script>", "'); datum.score = 9; //", "a.b[0]\\'\"", "line\nbreak", "{{x}} ${y}", "", "\u202eabc", "論文🙂", "x" * 500, "null", "%s & co"]  # fmt: skip


def complete(document: dict[str, Any], name: str, colours: str = "light", paper: str | None = None) -> dict[str, Any]:
    chart = CHARTS[name]
    paper = paper if paper is not None else _paper_on_both_sides(document)
    rows = {one: rows_of(document, one, paper) for one in chart.datasets}
    return {**chart.spec(facts_of(document)), "width": 500, "config": theme(colours), "datasets": rows}


def _paper_on_both_sides(document: dict[str, Any]) -> str:
    papers = document["papers"]
    mixed = [paper for paper, given in zip(papers["id"], papers["predictions"], strict=True) if len(given) > 1]
    return str((mixed or papers["id"])[0])


def cases() -> list[tuple[str, str]]:
    return [
        (venue, name)
        for venue, document in DOCUMENTS.items()
        for name in CHARTS
        if (name != "contour" or len(document["scale"]["labels"]) == 2)
        and (venue != "many papers" or name in ("moved", "curve"))  # the others do not grow with the venue
    ]


def texts(svg: str) -> list[str]:
    """Every text of a picture, as a reader sees it."""
    found = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(line.itertext()) for node in found for line in (list(node) or [node])]


def nodes(spec: object) -> Iterator[dict[str, Any]]:
    if isinstance(spec, dict):
        yield spec
        for value in spec.values():
            yield from nodes(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from nodes(value)


@pytest.mark.parametrize(("venue", "name"), cases())
def test_drawn_without_complaint(venue: str, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    for colours in PALETTES if venue == "twelve papers" else ["dark"]:
        spec = complete(DOCUMENTS[venue], name, colours)
        svg = vl_convert.vegalite_to_svg(spec, vl_version="6.4", show_warnings=True, allowed_base_urls=[])
        assert len(texts(svg)) > 3
        assert "NaN" not in svg
        assert "undefined" not in svg
    assert "WARN" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("venue", "name"),
    [
        pytest.param(
            *case, marks=[] if case[0] == "five levels and tracks" or case[1] == "contour" else pytest.mark.slow
        )
        for case in cases()
        if case[0] in SCHEMA_CASES
    ],
)
def test_valid_by_the_schema(venue: str, name: str) -> None:
    spec = complete(DOCUMENTS[venue], name)
    spec["datasets"] = {one: rows[:1] for one, rows in spec["datasets"].items()}  # checking rows takes long
    assert altair.Chart.from_dict(spec).description == spec["description"]


def test_the_schema_can_fail() -> None:
    spec = complete(DOCUMENTS["twelve papers"], "spread")
    with pytest.raises(Exception, match="sizes"):
        altair.Chart.from_dict({**spec, "encoding": {"sizes": {"field": "papers"}}})


@pytest.mark.parametrize("name", CHARTS)
def test_specs_hold_no_data_and_say_what_they_show(name: str) -> None:
    spec = specs_of(DOCUMENTS["twelve papers"])[name]
    assert spec["width"] == "container"
    assert spec["$schema"].endswith("/v6.json")
    assert len(spec["description"]) > 60
    assert spec["data"] == {"name": CHARTS[name].datasets[0]}
    named = {node["data"]["name"] for node in nodes(spec) if "name" in node.get("data", {})}
    assert named == set(CHARTS[name].datasets)
    assert not [node for node in nodes(spec) if "url" in node or "href" in node]
    assert not re.search(r"W\d\d", json.dumps(spec))


@pytest.mark.parametrize(("venue", "name"), cases())
def test_every_field_is_there(venue: str, name: str) -> None:
    """A misspelled field draws an empty chart and no error."""
    spec = complete(DOCUMENTS[venue], name)
    fields = {node["field"] for node in nodes({**spec, "datasets": None}) if "field" in node}
    made = {node["as"] for node in nodes(spec) if isinstance(node.get("as"), str)}
    folded = {one for node in nodes(spec) if isinstance(node.get("as"), list) for one in node["as"]}
    given = {field for rows in spec["datasets"].values() for row in rows for field in row}
    given |= {"score", "rank"} if "cut" in spec["datasets"] else set()  # which has no row without a decision
    assert fields <= given | made | folded


def test_ids_are_shown_and_nothing_more() -> None:
    document = sample_document(len(ODD_IDS))
    document["papers"]["id"] = ODD_IDS
    document["papers"]["title"] = [None, None, "", "", "a title", *ODD_IDS[5:9], "%s", None]
    svg = vl_convert.vegalite_to_svg(complete(document, "intervals"), allowed_base_urls=[])
    shown = texts(svg)
    assert {"<script>alert(1)</script>", "{{x}} ${y} · a title", "論文🙂", "null · %s"} <= set(shown)
    assert any(text.startswith("xxxxx") and text.endswith("…") and len(text) < 60 for text in shown)
    assert "<script" not in svg
    score = [row["score"] for row in rows_of(document, "papers")]
    assert len(re.findall(r'aria-roledescription="point"', svg)) == len(score)
    for name in ("ratings", "predictions", "contour", "moved"):
        drawn = vl_convert.vegalite_to_svg(complete(document, name, paper=ODD_IDS[3]), allowed_base_urls=[])
        assert ElementTree.fromstring(drawn).tag.endswith("svg")
        assert "<script" not in drawn


def test_levels_and_tracks_with_odd_names() -> None:
    document = sample_document(8, tracks=("'", '"]'))
    document["scale"]["labels"] = ["no' + 1 + '", "<b>yes</b>"]
    for name in ("ratings", "predictions", "contour"):
        shown = texts(vl_convert.vegalite_to_svg(complete(document, name)))
        assert any("<b>yes</b>" in text for text in shown)
    assert "'" in texts(vl_convert.vegalite_to_svg(complete(document, "pushes")))


def test_papers_without_a_score_have_no_mark() -> None:
    document = sample_document(12)
    for at in (2, 7):
        for column in ("score", "low", "high", "p_accept"):
            document["papers"][column][at] = None
    for name in ("intervals", "moved"):
        svg = vl_convert.vegalite_to_svg(complete(document, name))
        assert len(re.findall(r'aria-roledescription="point"', svg)) == 10


def test_proposals_have_a_legend_where_there_are_some() -> None:
    for name in ("intervals", "moved", "curve"):
        decided = texts(vl_convert.vegalite_to_svg(complete(DOCUMENTS["twelve papers"], name)))
        plain = texts(vl_convert.vegalite_to_svg(complete(DOCUMENTS["no decision, no errors"], name)))
        assert [text for text in decided if text in PROPOSALS] == list(PROPOSALS)
        assert "the cut" in decided
        assert not {*PROPOSALS, "the cut"} & set(plain)


def test_axes_say_what_they_are_in_words() -> None:
    document = DOCUMENTS["twelve papers"]
    words = {
        "intervals": {"score", "chance"},
        "curve": {"rank (1 is the best)", "score"},
        "moved": {"mean rating", "score"},
        "calibration": {"share that reviewers predicted", "share of ratings that came in"},
        "ratings": {"ratings given", "to be expected whatever the quality", "share of reviewers", "rating"},
        "predictions": {"the share of the others who give this rating"},
        "contour": {
            "share of “accept” predicted",
            "by those who gave “reject”",
            _paper_on_both_sides(document),
            "Lu and Kong 0",
            "+2",
        },
    }
    for name, expected in words.items():
        assert expected <= set(texts(vl_convert.vegalite_to_svg(complete(document, name))))


def test_the_paper_furthest_from_the_line_is_named() -> None:
    document = sample_document(12)
    papers = document["papers"]
    papers["mean"] = [1.0 - at / 12 for at in range(12)]
    papers["score"] = [1.0 - at / 12 for at in range(12)]
    papers["score"][5] += 2
    papers["score"][8] -= 2
    named = [
        text for text in texts(vl_convert.vegalite_to_svg(complete(document, "moved"))) if re.fullmatch(r"W\d\d", text)
    ]
    assert {"W06", "W09"} <= set(named)
    assert len(set(named)) <= 6  # three above, three below
    papers["mean"][6], papers["score"][6] = papers["mean"][5] + 0.01, papers["score"][5] + 0.01
    neighbours = texts(vl_convert.vegalite_to_svg(complete(document, "moved")))
    assert [text for text in neighbours if text in ("W06", "W07")] == ["W06"] * 2  # with its halo; W07 would meet it
    papers["score"] = list(papers["mean"])
    nobody = texts(vl_convert.vegalite_to_svg(complete(document, "moved")))
    assert not [text for text in nobody if re.fullmatch(r"W\d\d", text)]


def lightness(colour: str) -> float:
    """L* of CIELAB, which is what is left of a colour in black and white."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    y = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


@pytest.mark.parametrize("name", PALETTES)
def test_proposals_differ_in_black_and_white(name: str) -> None:
    palette = PALETTES[name]
    for one, other in combinations(palette.proposals, 2):
        assert abs(lightness(one) - lightness(other)) > 10
    for colour in (*palette.proposals, palette.ink, palette.quiet):
        assert abs(lightness(colour) - lightness(palette.ground)) > 25
    assert abs(lightness(palette.ink) - lightness(palette.ground)) > 80
    assert len(set(SHAPES)) == len(PROPOSALS)


def test_themes() -> None:
    assert themes() == {"light": theme("light"), "dark": theme("dark")}
    assert theme("light")["background"] == theme("dark")["background"] == "transparent"
    with pytest.raises(UnknownName, match='unknown theme "drak"; did you mean "dark"?'):
        theme("drak")
