"""The first sentences of `surpeer explain`, its rows, and the words below tables."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT
from typer.testing import Result

from surpeer import calibrate, read_reviews
from surpeer.cli.table_legend import flag_words, legend, ranking_legend
from surpeer.core.status import Status
from surpeer.ranking import FLAGS

Run = Callable[..., Result]
Write = Callable[[str, str | bytes], Path]

EXAMPLE = ROOT / "examples" / "workshop.csv"
HEADER = "paper,rating,p_reject,p_accept\n"
PREDICTED = "its reviewers' predictions led one to expect whatever its quality."


@pytest.mark.parametrize(
    ("paper", "answer"),
    [
        ("W07", [
            "W07 has rank 7 of 12 by its score of -0.30 (standard error 0.96: the evidence is thin).",
            f"Its mean rating is 0.5, lower than the 0.743 that {PREDICTED}",
        ]),
        ("W03", [
            "W03 has rank 1 of 12 by its score of 0.61 (standard error 0.89: the evidence is thin).",
            f"Its mean rating is 0.5, higher than the 0.242 that {PREDICTED}",
        ]),
    ],
)  # fmt: skip
def test_the_answer_comes_first(surpeer: Run, paper: str, answer: list[str]) -> None:
    assert surpeer("explain", EXAMPLE, paper).stdout.splitlines()[:3] == [*answer, ""]


def test_a_paper_that_nobody_made_a_prediction_for(surpeer: Run, write: Write) -> None:
    path = write("more.csv", EXAMPLE.read_text() + "W13,R1,accept,,\nW13,R2,reject,,\n")
    text = surpeer("explain", path, "W13").stdout
    assert " than the " in text.splitlines()[1]
    assert "that predictions for other papers led one to expect whatever its quality." in text.splitlines()[1]
    assert "2. What they predicted: no review has a complete prediction\n" in text


def test_predictions_that_are_not_followed(surpeer: Run, write: Write) -> None:
    path = write("two.csv", HEADER + "A,accept,0.3,0.7\nA,reject,0.6,0.4\nB,accept,0.2,0.8\nB,accept,,\n")
    lines = surpeer("explain", path, "A").stdout.splitlines()
    assert lines[1] == "Its mean rating is 0.5, that of a typical paper 0.7; predictions had no part in the score."


def test_rows_say_whose_predictions_they_are(surpeer: Run) -> None:
    text = surpeer("explain", EXAMPLE, "W03").stdout
    assert "   average of the 2 who gave reject   77.5%   22.5%\n" in text
    assert "   average of the 3 who gave accept  71.67%  28.33%\n   1 review without a complete prediction\n" in text
    assert "   the one who gave accept              75%     25%\n" in surpeer("explain", EXAMPLE, "W06").stdout


def test_partial_predictions_are_counted(surpeer: Run, write: Write) -> None:
    path = write("one.csv", "paper,rating,p_3\nA,3,0.5\nA,1,\nB,2,0.3\n")
    text = surpeer("explain", path, "A", "--levels", "1..3").stdout
    assert "2. What they predicted: no review has a complete prediction; 1 review said part of one\n" in text


def test_the_mean_is_explained_without_predictions(surpeer: Run) -> None:
    text = surpeer("explain", EXAMPLE, "W07", "--method", "mean").stdout
    assert text.splitlines()[1] == "Its mean rating is 0.5; nothing else counts."
    assert "predicted" not in text


def test_notation_is_in_brackets_and_only_for_other_methods(surpeer: Run) -> None:
    text = surpeer("explain", EXAMPLE, "W07", "--method", "surprisal").stdout
    for symbol in ("[phi]", "[v]", "[E_v phi]", "[P]", "[q]", "[E_q phi]", "[U = diag(q) P]", "[det U]"):
        assert symbol in text
        assert symbol not in surpeer("explain", EXAMPLE, "W07").stdout


def test_a_flag_has_its_meaning_near(surpeer: Run) -> None:
    for command in (("score", EXAMPLE), ("decide", EXAMPLE, "--accept", 3)):
        text = surpeer(*command, "--format", "table").stdout
        for flag in ("incoherent_forecasts", "missing_predictions"):
            assert f"\n{flag:<20}  {FLAGS[flag]}\n" in text
        assert "one_review" not in text
    compared = surpeer("compare", EXAMPLE, "W03", "W06").stdout
    assert f"\nmissing_predictions   {FLAGS['missing_predictions']}\n" in compared


def test_legends() -> None:
    assert legend({}) == ""
    assert legend({"a": "first", "long": "second"}) == "\na     first\nlong  second\n"
    assert list(flag_words(["one_review", "tie"])) == ["tie", "one_review"]
    by_surprisal = ranking_legend(calibrate(read_reviews(EXAMPLE), "surprisal"))
    assert f"\nplus_infinity         {Status.PLUS_INFINITY.meaning}\n" in by_surprisal
    assert "\nscore " not in by_surprisal
    assert ranking_legend(calibrate(read_reviews(EXAMPLE))).startswith(
        "\nscore                 what papers are ranked by"
    )
