"""`surpeer report`: files, notes, errors."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT
from typer.testing import Result

import surpeer as library
from surpeer.report import page

WORKSHOP = ROOT / "examples" / "workshop.csv"


def test_writes_one_file_and_says_so(surpeer: Callable[..., Result], tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    result = surpeer("report", WORKSHOP, "--accept", "25%", "-o", output, "--title", "Workshop <2026>")
    assert result.exit_code == 0
    assert result.stdout == (
        f"{output}: a report on 12 papers, 5 of them to discuss; "
        "for the chair: everything, reviewers and single reviews included\n"
    )
    assert list(tmp_path.iterdir()) == [output]
    text = output.read_text()
    assert "<title>Workshop &lt;2026&gt;" in text
    assert "Workshop <2026>" not in text


def test_the_file_asks_for_nothing_from_elsewhere(surpeer: Callable[..., Result], tmp_path: Path) -> None:
    output = tmp_path / "r.html"
    surpeer("report", WORKSHOP, "-o", output)
    text = output.read_text()
    markup = re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.DOTALL)
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', markup)
    assert "@import" not in text
    assert not re.findall(r"url\((?!#|[\"']?data:)", "".join(re.findall(r"<style.*?</style>", text, re.DOTALL)))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert "unsafe-eval" not in policy[1]
    assert re.search(r"script-src( 'sha256-[^']+'){2};", policy[1])  # its own two scripts and no other


def test_the_same_reviews_give_the_same_file(
    surpeer: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    texts = []
    for _ in range(2):
        surpeer("report", WORKSHOP, "--accept", "3", "-o", tmp_path / "r.html")
        texts.append((tmp_path / "r.html").read_bytes())
    assert texts[0] == texts[1]
    assert b'"date":"2023-11-14"' in texts[0]


def test_without_accept_there_is_no_cut(surpeer: Callable[..., Result], tmp_path: Path) -> None:
    result = surpeer("report", WORKSHOP, "-o", tmp_path / "r.html")
    assert result.exit_code == 0
    assert (
        "note: no cut and no proposals, because --accept does not say how many papers can be accepted" in result.stderr
    )
    assert '"decision":null' in (tmp_path / "r.html").read_text()


def test_library_twin(tmp_path: Path) -> None:
    ranking = library.calibrate(library.read_reviews(WORKSHOP))
    library.write_report(library.decide(ranking, 3), tmp_path / "r.html", audience="committee", title="W")
    text = (tmp_path / "r.html").read_text()
    assert '"audience":"committee"' in text
    assert '"reviews":null' in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "r.pdf"], "r.pdf: a report is a web page; end the name in .html, as in --output report.html"),
        (["-o", "no/such/r.html"], "no/such/r.html: cannot be written: there is no folder"),
        (["--accept", "0"], "--accept 0: expected at least one paper"),
        (["--accept", "12"], "accept 12 of 12 papers: expected from 1 to 11"),
        (["--certainty", "1"], "--certainty 1: expected a probability from 0.5 to below 1"),
        (["--accept", "3", "--method", "mean"], "the method mean gives no standard errors"),
        (["--audience", "everyone"], 'unknown audience "everyone"; known: chair, committee, public'),
        (["--method", "median"], 'unknown method "median"; did you mean "mean"?'),
    ],
)
def test_errors_write_nothing(
    surpeer: Callable[..., Result],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = surpeer("report", WORKSHOP, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_reviews_are_not_overwritten(surpeer: Callable[..., Result], write: Callable[..., Path]) -> None:
    path = write("reviews.html", WORKSHOP.read_text())
    result = surpeer("report", path, "-o", path)
    assert result.exit_code == 2
    assert "this is the file of reviews itself; write the report to another file" in result.stderr
    assert path.read_text() == WORKSHOP.read_text()


def test_without_the_extra(surpeer: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    result = surpeer("report", WORKSHOP, "-o", tmp_path / "r.html")
    assert result.exit_code == 2
    assert "a report needs Jinja2" in result.stderr
    assert "surpeer[report]" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "<!--<script>", "\u2028\u2029", "\ud800"])
def test_texts_cannot_leave_their_script(text: str) -> None:
    written = page.in_script({"title": text})
    assert "<" not in written
    assert "\u2028" not in written
    assert written.encode()


def test_names_that_are_no_text(surpeer: Callable[..., Result], tmp_path: Path) -> None:
    """What a shell passes on from an old file system is no valid text, and is shown as it is escaped."""
    result = surpeer("report", WORKSHOP, "--title", "Caf\udce9", "-o", tmp_path / "r.html")
    assert result.exit_code == 0
    assert "Caf\\udce9" in (tmp_path / "r.html").read_text()


@pytest.mark.parametrize("stated", ["soon", "99999999999999999"])
def test_a_date_that_is_none(
    surpeer: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stated: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", stated)
    result = surpeer("report", WORKSHOP, "-o", tmp_path / "r.html")
    assert result.exit_code == 2
    assert f'SOURCE_DATE_EPOCH is "{stated}", expected seconds since 1970, or nothing' in result.stderr
