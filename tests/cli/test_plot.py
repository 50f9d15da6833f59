"""`surpeer plot` as a chair calls it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT
from typer.testing import Result

from surpeer.report.charts import CHARTS

Run = Callable[..., Result]
Write = Callable[[str, str | bytes], Path]

EXAMPLE = ROOT / "examples" / "workshop.csv"
OF_ONE = ("ratings", "predictions", "contour")


@pytest.mark.parametrize("chart", [name for name in CHARTS if name != "spread"])
def test_every_chart_is_written(surpeer: Run, chart: str, tmp_path: Path) -> None:
    paper = ["--paper", "W03"] if chart in OF_ONE else []
    picture = tmp_path / f"{chart}.svg"
    result = surpeer("plot", chart, EXAMPLE, "--accept", "25%", "-o", picture, *paper)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{picture}: the chart {chart}. {CHARTS[chart].shows}\n"
    assert "note: levels taken from the p_ columns" in result.stderr
    assert picture.read_text(encoding="utf-8").startswith("<svg ")
    assert [path.name for path in tmp_path.iterdir()] == [picture.name]


def test_accept_and_certainty_decide(surpeer: Run, tmp_path: Path) -> None:
    specs = []
    for at, options in enumerate(([], ["--accept", 3], ["--accept", 3, "--certainty", "95%"])):
        path = tmp_path / f"{at}.json"
        assert surpeer("plot", "intervals", EXAMPLE, "-o", path, *options).exit_code == 0
        specs.append(json.loads(path.read_text(encoding="utf-8"))["datasets"])
    assert {row["proposal"] for row in specs[0]["papers"]} == {""}
    rejected = [sum(row["proposal"] == "reject" for row in one["papers"]) for one in specs[1:]]
    assert rejected[0] > rejected[1]
    assert [len(one["cut"]) for one in specs] == [0, 1, 1]


def test_png_and_themes(surpeer: Run, tmp_path: Path) -> None:
    for name, options in (("a.png", []), ("b.png", ["--zoom", 4]), ("c.svg", ["--theme", "dark"])):
        assert surpeer("plot", "curve", EXAMPLE, "-o", tmp_path / name, *options).exit_code == 0
    small, large = ((tmp_path / name).read_bytes() for name in ("a.png", "b.png"))
    assert small[:4] == large[:4] == b"\x89PNG"
    width = [int.from_bytes(png[16:20]) for png in (small, large)]
    assert width[1] == pytest.approx(2 * width[0], abs=2)
    assert 'fill="#14181d"' in (tmp_path / "c.svg").read_text(encoding="utf-8")


def test_another_method(surpeer: Run, tmp_path: Path) -> None:
    path = tmp_path / "mean.json"
    assert surpeer("plot", "moved", EXAMPLE, "-m", "mean", "-o", path).exit_code == 0
    rows = json.loads(path.read_text(encoding="utf-8"))["datasets"]["papers"]
    assert all(row["score"] == row["mean"] for row in rows)


def test_a_file_is_replaced(surpeer: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text("old picture")
    assert surpeer("plot", "moved", EXAMPLE, "-o", path).exit_code == 0
    assert "old picture" not in path.read_text(encoding="utf-8")


def test_help_lists_the_charts(surpeer: Run) -> None:
    text = " ".join(surpeer("plot", "--help").stdout.split())
    assert "surpeer plot [OPTIONS] CHART REVIEWS" in text.replace("root plot", "surpeer plot")
    for name, chart in CHARTS.items():
        assert f"{name} {chart.shows}" in text


FAILURES = [
    (["interval"], 'error: unknown chart "interval"; did you mean "intervals"?; known: intervals, curve, moved, spread'),
    (["ratings"], "error: the chart ratings shows one paper; name it: --paper ID"),
    (["moved", "--paper", "W03"], "error: the chart moved shows all papers, so it takes no paper; those of one paper are ratings"),
    (["ratings", "--paper", "W3"], 'error: unknown paper "W3"; did you mean "W03"?'),
    (["contour", "--paper", "W02"], "error: the chart contour has nothing to draw: it takes complete predictions by reviewers of both"),
    (["spread"], "error: the chart spread has nothing to draw: no 5 papers are alike"),
    (["moved", "--theme", "sepia"], 'error: unknown theme "sepia"; known: light, dark'),
    (["moved", "--zoom", "0"], "error: zoom 0: expected a number above 0, up to 10"),
    (["moved", "--zoom", "nan"], "error: zoom nan: expected a number above 0, up to 10"),
    (["moved", "--method", "meen"], 'error: unknown method "meen"; did you mean "mean"?'),
    (["moved", "--method", "mean", "--accept", "3"], "error: the method mean gives no standard errors"),
    (["moved", "--accept", "12"], "error: accept 12 of 12 papers: expected from 1 to 11"),
    (["moved", "--accept", "many"], "error: --accept many: expected a number of papers such as 12, or a share"),
    (["moved", "--certainty", "20%"], "error: --certainty 20%: expected a probability from 0.5 to below 1"),
    (["moved", "-o", "out.pdf"], 'error: out.pdf: found the ending ".pdf", expected a picture\'s: .svg, .png, or .json'),
    (["moved", "-o", "out"], "error: out: found no ending, expected a picture's"),
    (["moved", "-o", "none/out.svg"], "none/out.svg: cannot be written: there is no folder "),
    (["moved", "-o", EXAMPLE], "this is the file of reviews itself; write the picture to another file"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "message"), FAILURES)
def test_what_cannot_be_drawn(
    surpeer: Run, words: list[object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chart, *options = words
    output = [] if "-o" in options else ["-o", "out.svg"]
    before = EXAMPLE.read_bytes()
    result = surpeer("plot", chart, EXAMPLE, *options, *output)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert not list(tmp_path.iterdir())
    assert EXAMPLE.read_bytes() == before


def test_what_is_missing(surpeer: Run) -> None:
    for words, missing in (([], "CHART"), (["moved"], "REVIEWS"), (["moved", EXAMPLE], "--output")):
        result = surpeer("plot", *words)
        assert result.exit_code == 2
        assert f"Missing {'option' if missing == '--output' else 'argument'} '{missing}'" in result.stderr
        assert "Example: surpeer plot intervals reviews.csv --accept 25% -o intervals.svg" in result.stderr


def test_contour_is_for_two_levels(surpeer: Run, write: Write, tmp_path: Path) -> None:
    reviews = write("three.csv", "paper,rating,p_1,p_2,p_3\nA,1,0.5,0.3,0.2\nA,3,0.2,0.3,0.5\n")
    result = surpeer("plot", "contour", reviews, "--paper", "A", "-o", tmp_path / "a.svg")
    assert result.exit_code == 2
    assert (
        "error: the chart contour is for scales of two levels; found 3: 1, 2, 3; the chart predictions shows"
        in result.stderr
    )
    assert [path.name for path in tmp_path.iterdir()] == ["three.csv"]


def test_one_paper_and_odd_ids(surpeer: Run, write: Write, tmp_path: Path) -> None:
    reviews = write("one.csv", 'paper,rating,p_0,p_1\n"<b>&\'é",0,0.5,0.5\n"<b>&\'é",1,0.5,0.5\n')
    for chart in ("intervals", "curve", "moved"):
        assert surpeer("plot", chart, reviews, "-o", tmp_path / f"{chart}.svg").exit_code == 0
    assert surpeer("plot", "ratings", reviews, "--paper", "<b>&'é", "-o", tmp_path / "r.svg").exit_code == 0
    assert "&lt;b&gt;&amp;'é: Ratings" in (tmp_path / "r.svg").read_text(encoding="utf-8").replace("&#39;", "'")
