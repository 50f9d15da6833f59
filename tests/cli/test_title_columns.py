"""Titles in what `score`, `decide` and `convert` write and show; and nothing of them where papers have none."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from conftest import ROOT
from typer.testing import Result

from surpeer import Decisions, Ranking, calibrate, decide, read_reviews
from surpeer.cli.decision_text import decisions_text
from surpeer.cli.tables import WIDEST_TITLE, ranking_text, title_text
from surpeer.io.results_workbook import write_workbook
from surpeer.io.workbook import read_workbook

Run = Callable[..., Result]
Write = Callable[[str, str | bytes], Path]

LONG = "Learning to rank papers from what their reviewers predict of one another"
TITLES = {"A": LONG, "B": '=HYPERLINK("https://example.org")', "C": None, "D": "Bell\a [bold]x[/bold] :smile:"}
BARE = ROOT / "examples" / "workshop.csv"


@pytest.fixture
def titled(write: Write) -> Path:
    """A is rated higher than B, B than C, C than D."""
    rows = []
    for paper, accepts in zip(TITLES, (4, 3, 2, 0), strict=True):
        for at in range(4):
            rating, share = ("accept", 0.7) if at < accepts else ("reject", 0.5)
            rows.append(
                {"paper": paper, "title": TITLES[paper], "rating": rating, "p_reject": 1 - share, "p_accept": share}
            )
    return write("titled.jsonl", "\n".join(map(json.dumps, rows)))


@pytest.fixture
def ranking(titled: Path) -> Ranking:
    return calibrate(read_reviews(titled))


@pytest.fixture
def decisions(ranking: Ranking) -> Decisions:
    return decide(ranking, 2)


@pytest.mark.parametrize("command", [("score",), ("decide", "--accept", "2")])
def test_files_of_results_have_titles_after_papers(
    surpeer: Run, titled: Path, tmp_path: Path, command: list[str]
) -> None:
    name, *options = command
    for ending in ("csv", "json", "parquet"):
        result = surpeer(name, titled, *options, "-o", tmp_path / f"out.{ending}")
        assert result.exit_code == 0, result.stderr
    written = pl.read_csv(tmp_path / "out.csv")
    assert written.columns[:4] == ["rank", "paper", "title", "reviews"]
    protected = TITLES | {"B": f"'{TITLES['B']}"}
    assert dict(written.select("paper", "title").iter_rows()) == protected
    records = json.loads((tmp_path / "out.json").read_text())
    assert {record["paper"]: record["title"] for record in records} == TITLES
    assert dict(pl.read_parquet(tmp_path / "out.parquet").select("paper", "title").iter_rows()) == TITLES


@pytest.mark.parametrize("command", [("score",), ("decide", "--accept", "2")])
@pytest.mark.parametrize("kind", ["csv", "json", "table"])
def test_without_titles_nothing_is_said_of_them(surpeer: Run, kind: str, command: list[str]) -> None:
    name, *options = command
    result = surpeer(name, BARE, *options, "--format", kind)
    assert result.exit_code == 0, result.stderr
    assert "title" not in result.stdout + result.stderr


def test_the_tables_show_the_beginning_of_a_title(ranking: Ranking, decisions: Decisions) -> None:
    for text in (ranking_text(ranking, False), decisions_text(decisions, False)):
        header, *lines = text.splitlines()[:5]
        assert header.split()[:3] == ["rank", "paper", "title"]
        start, end = header.index("title"), header.index("title") + WIDEST_TITLE
        shown = {line[6:start].strip(): line[start:end].strip() for line in lines}
        assert shown == {
            "A": "Learning to rank papers from what their…",
            "B": '=HYPERLINK("https://example.org")',
            "C": "",
            "D": "Bell\\x07 [bold]x[/bold] :smile:",
        }


@pytest.mark.parametrize(("width", "letters"), [(60, 13), (80, 21), (100, 39), (200, 39)])
def test_on_a_terminal_a_title_takes_one_line(
    ranking: Ranking, width: int, letters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    lines = ranking_text(ranking, True).splitlines()[1:5]
    assert [line.split()[:2] for line in lines] == [["1", "A"], ["2", "B"], ["3", "C"], ["4", "D"]]
    assert f"  {LONG[:letters]}…  " in lines[0]
    assert max(map(len, lines)) <= max(width, 80)


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        (None, ""),
        ("x" * WIDEST_TITLE, "x" * WIDEST_TITLE),
        ("x" * (WIDEST_TITLE + 1), "x" * (WIDEST_TITLE - 1) + "…"),
        ("x" * 1_000_000, "x" * (WIDEST_TITLE - 1) + "…"),
        ("two\nlines\x1b[2J", "two\\nlines\\x1b[2J"),
    ],
)
def test_a_title_on_the_screen(title: str | None, shown: str) -> None:
    assert title_text(title).plain == shown


def test_wide_letters_count_twice() -> None:
    shown = title_text("論" * WIDEST_TITLE)
    assert shown.cell_len == WIDEST_TITLE
    assert shown.plain.endswith("…")


def test_the_workbook_has_titles_as_texts(ranking: Ranking, decisions: Decisions) -> None:
    for results in (ranking, decisions):
        stream = io.BytesIO()
        write_workbook(results, stream)
        papers, explanations, about = read_workbook("results.xlsx", stream.getvalue())
        for sheet in (papers, explanations):
            header, *rows = sheet.rows
            assert header[:3] == ["rank", "paper", "title"]
            assert {row[1]: row[2] for row in rows} == {paper: title or "" for paper, title in TITLES.items()}
        assert explanations.rows[0][3:] == ["why it stands there"]
        assert ["title", "title of the paper, as the reviews have it"] in [row[:2] for row in about.rows]


def test_convert_keeps_titles(surpeer: Run, tmp_path: Path) -> None:
    export, output = ROOT / "examples" / "hotcrp-reviews.csv", tmp_path / "reviews.csv"
    result = surpeer(
        "convert", export, "--form", ROOT / "examples" / "hotcrp-form.json", "--reviewers", "drop", "-o", output
    )
    assert result.exit_code == 0, result.stderr
    assert pl.read_csv(output).columns == ["paper", "title", "rating", "p_1", "p_2", "p_3", "p_4"]
    of_export = dict(pl.read_csv(export, infer_schema=False).select("paper", "title").iter_rows())
    again = read_reviews(output)
    assert again.title is not None
    assert dict(zip(again.papers.to_list(), again.title.to_list(), strict=True)) == of_export


def test_convert_writes_no_column_without_titles(surpeer: Run, tmp_path: Path) -> None:
    result = surpeer("convert", BARE, "-o", tmp_path / "reviews.csv")
    assert result.exit_code == 0, result.stderr
    assert "title" not in (tmp_path / "reviews.csv").read_text()


def test_several_titles_of_a_paper_are_noted_once(surpeer: Run, write: Write) -> None:
    path = write(
        "x.csv", "paper,title,rating,p_reject,p_accept\n1,Ants,accept,.2,.8\n1,Bees,reject,.3,.7\n2,,accept,.3,.7\n"
    )
    for command in (["validate"], ["score", "--format", "csv"], ["decide", "--accept", "1", "--format", "csv"]):
        result = surpeer(command[0], path, *command[1:])
        assert result.exit_code == 0, result.stderr
        assert (
            result.stderr.count('note: 1 paper with more than one title ("1"): the first in the file is taken\n') == 1
        )
