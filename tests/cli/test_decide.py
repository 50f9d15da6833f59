"""`surpeer decide` as a chair calls it."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from conftest import ROOT
from typer.testing import Result

from surpeer.matrices import Matrices
from surpeer.ranking import FLAGS
from surpeer.scores import METHODS, Method, Outcome

Run = Callable[..., Result]
Write = Callable[[str, str | bytes], Path]

EXAMPLE = ROOT / "examples" / "workshop.csv"
COLUMNS = ["rank", "paper", "reviews", "mean", "score", "standard_error", "p_accept", "p_better_than_cut", "proposal", "reason", "flags"]  # fmt: skip
HEADINGS = ["rank", "paper", "mean", "score", "error", "P(accept)", "proposal", "reason", "flags"]


@pytest.fixture
def four(write: Write) -> Path:
    """A is accepted by all four reviewers, B by three, C by two (with incoherent forecasts), D by none."""
    rows = ["paper,rating,p_reject,p_accept"]
    for paper, accepts in (("A", 4), ("B", 3), ("C", 2), ("D", 0)):
        for at in range(4):
            accepter = at < accepts
            high = "0.3,0.7" if accepter != (paper == "C") else "0.6,0.4"
            rows.append(f"{paper},{'accept' if accepter else 'reject'},{high}")
    return write("four.csv", "\n".join(rows) + "\n")


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> str:
    """A method whose score is the mean rating, known to 0.1."""

    def scores(matrices: Matrices) -> Outcome:
        papers = len(matrices.mean)
        return Outcome(matrices.mean, np.zeros(papers, dtype=np.int64), np.full(papers, 0.1))

    monkeypatch.setitem(METHODS, "sure", Method("sure", "The mean, and how sure", "made up", scores))
    return "sure"


def test_table_and_summary(surpeer: Run, four: Path, sure: str) -> None:
    result = surpeer("decide", four, "--accept", "50%", "--method", sure, "--format", "table")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split() == HEADINGS
    assert [line.split() for line in lines[1:5]] == [
        ["1", "A", "1.000", "1.0000", "0.1000", ">99.9%", "accept", "likely"],
        ["2", "B", "0.750", "0.7500", "0.1000", "96.1%", "accept", "likely"],
        ["3", "C", "0.500", "0.5000", "0.1000", "3.9%", "discuss", "incoherent_forecasts", "incoherent_forecasts"],
        ["4", "D", "0.000", "0.0000", "0.1000", "<0.1%", "reject", "likely"],
    ]
    assert lines[5:] == [
        "",
        "P(accept)             probability that the paper is truly one of the best 2",
        "likely                on this side of the cut with a probability of at least 80%",
        f"incoherent_forecasts  {FLAGS['incoherent_forecasts']}",
        "",
        "2 accept, 1 discuss, 1 reject; 2 places for 4 papers, 0 still open; certainty 80%",
    ]


def test_files_by_ending(surpeer: Run, four: Path, sure: str, tmp_path: Path) -> None:
    for name in ("out.csv", "out.json", "out.parquet", "out.txt"):
        result = surpeer("decide", four, "--accept", 2, "-m", sure, "-o", tmp_path / name)
        assert result.exit_code == 0, result.stderr
        assert result.stdout == ""
        said = "note: 2 accept, 1 discuss, 1 reject; 2 places for 4 papers" in result.stderr
        assert said == (name != "out.txt")  # there it is below the table
    frame = pl.read_parquet(tmp_path / "out.parquet")
    assert frame.columns == pl.read_csv(tmp_path / "out.csv").columns == COLUMNS
    assert frame["flags"].dtype == pl.List(pl.String)
    assert frame["p_accept"].sum() == pytest.approx(2, abs=1e-6)
    assert pl.read_csv(tmp_path / "out.csv")["p_accept"].to_list() == frame["p_accept"].to_list()
    rows = json.loads((tmp_path / "out.json").read_text())
    assert rows == frame.to_dicts()
    assert "P(accept)" in (tmp_path / "out.txt").read_text()


def test_csv_in_a_pipe(surpeer: Run, four: Path, sure: str) -> None:
    result = surpeer("decide", four, "--accept", "2", "-m", sure)
    assert result.stdout.splitlines()[0] == ",".join(COLUMNS)
    assert result.stdout.splitlines()[3].endswith(",discuss,incoherent_forecasts,incoherent_forecasts")


def test_what_is_not_known_is_null(surpeer: Run, four: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def scores(matrices: Matrices) -> Outcome:
        nan, inf = float("nan"), float("inf")
        return Outcome(np.array([inf, 1, nan, 0]), np.array([1, 0, 3, 0]), np.array([nan, 0.1, nan, 0.1]))

    monkeypatch.setitem(METHODS, "partly", Method("partly", "", "", scores))
    result = surpeer("decide", four, "--accept", 2, "-m", "partly", "--format", "json")
    rows = {row["paper"]: row for row in json.loads(result.stdout)}
    assert [rows[paper]["score"] for paper in "ABCD"] == [None, 1.0, None, 0.0]
    assert [rows[paper]["p_accept"] is None for paper in "ABCD"] == [True, False, True, False]
    assert [rows[paper]["reason"] for paper in "AC"] == ["no_score", "no_score"]
    assert "note: 1 of 4 papers without a partly score" in result.stderr


def test_a_tie_at_the_cut_and_too_many_accepts_are_said(surpeer: Run, write: Write, sure: str) -> None:
    rows = "".join(f"{paper},accept,0.3,0.7\n" for paper in "AB") + "C,reject,0.6,0.4\n"
    path = write("tied.csv", "paper,rating,p_reject,p_accept\n" + rows)
    result = surpeer("decide", path, "--accept", 1, "-m", sure, "--certainty", "50%")
    assert (
        "note: the cut goes through a tie: 2 papers share rank 1; their order in the table is that of their ids"
    ) in result.stderr
    sure_of_both = surpeer("decide", path, "--accept", 1, "-m", sure, "--certainty", "0.8")
    assert (
        "note: 0 accept, 2 discuss, 1 reject; 1 place for 3 papers, 1 still open; certainty 80%" in sure_of_both.stderr
    )


def test_never_more_accepts_than_places(surpeer: Run, write: Write, sure: str) -> None:
    """Three alike for two places have 2/3 each, which is 60 % certain for all three; the cut goes through them."""
    rows = "".join(f"{paper},accept,0.3,0.7\n" for paper in "ABC") + "D,reject,0.6,0.4\n"
    path = write("tied.csv", "paper,rating,p_reject,p_accept\n" + rows)
    result = surpeer("decide", path, "--accept", 2, "-m", sure, "--certainty", "60%")
    assert "note: 0 accept, 3 discuss, 1 reject; 2 places for 4 papers, 2 still open; certainty 60%" in result.stderr


def test_the_best_are_not_rejected_because_few_are_accepted(surpeer: Run, write: Write) -> None:
    """Forty papers that hardly differ, one place: no paper has a fifth of a chance, and somebody must get it."""
    rows = "".join(f"P{at:02d},{1 + (at + step) % 5}\n" for at in range(40) for step in (0, at % 3, 2))
    path = write("alike.csv", "paper,rating\n" + rows)
    result = surpeer("decide", path, "--levels", "1..5", "--accept", 1)
    table = pl.read_csv(result.stdout.encode())
    assert table["p_accept"].max() < 0.2
    above = table.filter(pl.col("rank") == 1)
    assert set(above["proposal"]) == {"discuss"}
    assert "0 accept" in result.stderr
    assert table.filter(pl.col("proposal") == "reject").height == table.height - above.height


def test_one_ranking_of_all_tracks_is_said(surpeer: Run, write: Write) -> None:
    text = "paper,track,rating,p_reject,p_accept\nA,X,accept,0.3,0.7\nB,X,reject,0.6,0.4\nC,Y,reject,0.6,0.4\n"
    said = "note: one ranking of all 2 tracks, as if they were equally good on average"
    both = surpeer("decide", write("two.csv", text), "--accept", 1)
    assert said in both.stderr
    assert both.stdout.startswith("rank,paper,track,reviews,")
    assert said not in surpeer("decide", write("one.csv", text.replace("Y", "X")), "--accept", 1).stderr


@pytest.mark.parametrize(
    ("accept", "places"), [("3", 3), ("25%", 3), ("0.25", 3), ("1/4", 3), (" 25 % ", 3), (".5", 6)]
)
def test_accept_as_number_or_share(surpeer: Run, sure: str, accept: str, places: int) -> None:
    result = surpeer("decide", EXAMPLE, "--accept", accept, "-m", sure)
    assert result.exit_code == 0, result.stderr
    assert f"; {places} places for 12 papers" in result.stderr


SHARE = "expected a share of more than 0% and less than 100%, or a number of papers such as 12"
EITHER = "expected a number of papers such as 12, or a share such as 25% or 0.25"
FAILURES = [
    (["--accept", "0"], "error: --accept 0: expected at least one paper"),
    (["--accept", "25"], "error: accept 25 of 12 papers: expected from 1 to 11, so that some are accepted and some are not"),
    (["--accept", "12"], "error: accept 12 of 12 papers: expected from 1 to 11"),
    (["--accept", "1%"], "error: accept 0.01 of 12 papers, which is 0: expected from 1 to 11"),
    (["--accept", "150%"], f"error: --accept 150%: {SHARE}"),
    (["--accept", "100%"], f"error: --accept 100%: {SHARE}"),
    (["--accept", "0%"], f"error: --accept 0%: {SHARE}"),
    (["--accept", "1.0"], f"error: --accept 1.0: {SHARE}"),
    (["--accept", "2.5"], f"error: --accept 2.5: {SHARE}"),
    (["--accept", "-3"], f"error: --accept -3: {SHARE}"),
    (["--accept", "9" * 30], SHARE),
    (["--accept", "abc"], f"error: --accept abc: {EITHER}"),
    (["--accept", ""], f"error: --accept : {EITHER}"),
    (["--accept", "0,25"], f"error: --accept 0,25: {EITHER}"),
    (["--accept", "nan"], f"error: --accept nan: {EITHER}"),
    (["--accept", "1/0"], f"error: --accept 1/0: {EITHER}"),
    (["--accept", "3", "--certainty", "40%"], "error: --certainty 40%: expected a probability from 0.5 to below 1, such as 0.8 or 80%"),
    (["--accept", "3", "--certainty", "80"], "error: --certainty 80: expected a probability from 0.5 to below 1"),
    (["--accept", "3", "--certainty", "sure"], "error: --certainty sure: expected a probability"),
    (["--accept", "3", "--method", "mean"], "error: the method mean gives no standard errors, so no probability is known; methods that do: venue"),
    (["--accept", "3", "--method", "meen"], 'error: unknown method "meen"; did you mean "mean"?'),
    (["--accept", "3", "--format", "xml"], 'error: unknown format "xml"; known: table, csv, json, parquet'),
    (["--accept", "3", "--output", "out.doc"], "error: out.doc: the ending says no format that is known; end it in one of .csv"),
    (["--accept", "3", "--output", EXAMPLE], "this is the file of reviews itself; write the decisions to another file"),
    (["--accept", "3", "--output", "none/out.csv"], "none/out.csv: cannot be written: there is no folder "),
    ([], "Missing option '--accept'"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "message"), FAILURES)
def test_what_cannot_be_decided(
    surpeer: Run, options: list[object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = surpeer("decide", EXAMPLE, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert not list(tmp_path.iterdir())


def test_one_paper_is_no_choice(surpeer: Run, write: Write) -> None:
    path = write("one.csv", "paper,rating,p_reject,p_accept\nA,accept,0.3,0.7\n")
    result = surpeer("decide", path, "--accept", "50%")
    assert result.exit_code == 2
    assert "error: found 1 paper, expected at least two to choose from" in result.stderr


def test_the_default_method_decides(surpeer: Run) -> None:
    result = surpeer("decide", EXAMPLE, "--accept", "25%")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 13
