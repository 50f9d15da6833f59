"""`surpeer compare`: two papers side by side."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from scipy.special import ndtr
from typer.testing import Result

from surpeer.matrices import Matrices
from surpeer.scores import METHODS, Method, Outcome

Run = Callable[..., Result]
Write = Callable[[str, str | bytes], Path]

EXAMPLE = ROOT / "examples" / "workshop.csv"
SMALL = """paper,rating,p_reject,p_accept
A,accept,0.3,0.7
A,reject,0.6,0.4
B,accept,0.2,0.8
C,accept,,
C,reject,,
"""


@pytest.fixture
def small(write: Write) -> Path:
    return write("small.csv", SMALL)


def known(monkeypatch: pytest.MonkeyPatch, value: list[float], error: list[float]) -> str:
    """A method that gives papers A, B, C these scores."""
    status = np.where(np.isnan(value), 3, 0)

    def scores(matrices: Matrices) -> Outcome:
        return Outcome(np.array(value), status, np.array(error))

    monkeypatch.setitem(METHODS, "known", Method("known", "", "", scores))
    return "known"


def test_all_that_is_known_side_by_side(surpeer: Run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    method = known(monkeypatch, [0.0, 1.0, -1.0], [0.6, 0.8, 1.0])
    result = surpeer("compare", small, "A", "B", "--method", method)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == [
        "B is probably better than A.",
        "(by the method known)",
        "",
        "                       A                B",
        "rank                   2                1",
        "score                  0.0000 ± 0.6000  1.0000 ± 0.8000",
        "mean rating            0.500            1.000",
        "reviews                2                1",
        "predictions            2                1",
        "mean rating predicted  0.550            0.800",
        "mean minus predicted   -0.050           +0.200",
        "flags                  -                one_review",
        "",
        "one_review  has a single review",
        "",
        "Probability that A is better than B: 15.9%",
    ]
    assert "note: levels taken from the p_ columns" in result.stderr


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (0.0, "The reviews cannot tell them apart."),
        (0.2, "The reviews cannot tell them apart."),  # 57.9 %
        (0.3, "A is slightly more likely than not to be the better one."),  # 61.8 %
        (-0.6, "C is slightly more likely than not to be the better one."),  # 72.6 %
        (0.7, "A is probably better than C."),  # 75.8 %
        (1.3, "A is very probably better than C."),  # 90.3 %
        (-2.0, "C is almost certainly better than A."),  # 97.7 %
    ],
)
def test_how_sure_in_words(
    surpeer: Run, small: Path, monkeypatch: pytest.MonkeyPatch, ahead: float, words: str
) -> None:
    method = known(monkeypatch, [ahead, 0.0, 0.0], [0.6, 1.0, 0.8])
    result = surpeer("compare", small, "A", "C", "-m", method)
    assert result.stdout.splitlines()[0] == words
    content = json.loads(surpeer("compare", small, "A", "C", "-m", method, "--format", "json").stdout)
    assert content["p_a_better"] == pytest.approx(ndtr(ahead), abs=1e-12)
    assert content["verdict"] + "." == words


def test_json(surpeer: Run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    method = known(monkeypatch, [0.0, 1.0, -1.0], [0.6, 0.8, 1.0])
    content = json.loads(surpeer("compare", small, "C", "B", "-m", method, "-f", "json").stdout)
    assert list(content) == ["method", "verdict", "p_a_better", "pairwise_rule", "a", "b"]
    assert content["method"] == "known"
    assert content["pairwise_rule"] == 0.0
    assert content["a"] == {
        "paper": "C",
        "rank": 3,
        "score": -1.0,
        "status": "finite",
        "standard_error": 1.0,
        "own_share": None,
        "mean": 0.5,
        "reviews": 2,
        "forecasts": 0,
        "expected_by_forecasts": None,
        "flags": ["missing_predictions"],
    }


def test_a_method_without_standard_errors_has_the_rule_alone(surpeer: Run, small: Path) -> None:
    by_score = surpeer("compare", small, "A", "B", "--method", "surprisal").stdout
    assert by_score.splitlines()[0] == "B is ahead of A by the surprisal score."
    assert "score                  -0.2635 (finite)  +∞ (plus_infinity)" in by_score
    assert (
        by_score.splitlines()[-1]
        == "No probability: the method surprisal gives no standard errors; --method venue gives one"
    )
    tied = surpeer("compare", small, "A", "C", "--method", "surprisal").stdout
    assert tied.splitlines()[0] == "A and C tie by the mean rating (not both have a score)."
    assert "mean rating predicted  0.550             -" in tied
    content = json.loads(surpeer("compare", small, "A", "C", "-m", "surprisal", "-f", "json").stdout)
    assert (content["p_a_better"], content["pairwise_rule"], content["b"]["score"]) == (None, 0.5, None)


def test_a_paper_without_a_score(surpeer: Run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    method = known(monkeypatch, [0.0, float("nan"), -1.0], [0.6, float("nan"), 1.0])
    result = surpeer("compare", small, "A", "B", "-m", method)
    assert result.stdout.splitlines()[0] == "B is ahead of A by the mean rating (not both have a score)."
    assert result.stdout.splitlines()[-1] == 'No probability: paper "B" has no finite score (missing_signal)'
    content = json.loads(surpeer("compare", small, "A", "B", "-m", method, "-f", "json").stdout)
    assert (content["b"]["score"], content["b"]["standard_error"]) == (None, None)


def test_ids_that_are_numbers(surpeer: Run, write: Write) -> None:
    path = write("numbers.csv", "paper,rating,p_0,p_1\n1,1,0.3,0.7\n2,0,0.6,0.4\n")
    assert surpeer("compare", path, "1", "2").exit_code == 0


def test_an_expected_rating_counts_as_a_forecast(surpeer: Run, write: Write) -> None:
    """C gives no shares for its levels, but a rating that is expected: that is its forecast."""
    text = "paper,rating,p_1,p_2,p_3,expected\nA,1,0.5,0.25,0.25,\nA,2,,,,2.5\nB,3,,,,\nB,2,0.2,0.2,0.6,\n"
    content = json.loads(surpeer("compare", write("expected.csv", text), "A", "B", "-f", "json").stdout)
    assert content["a"]["expected_by_forecasts"] == pytest.approx((1.75 + 2.5) / 2)
    assert content["b"]["expected_by_forecasts"] == pytest.approx(2.4)
    assert (content["a"]["forecasts"], content["b"]["forecasts"]) == (2, 1)


FAILURES = [
    ([EXAMPLE, "W01", "W99"], 'error: unknown paper "W99"; did you mean "W09"?'),
    ([EXAMPLE, "nothing like it", "W01"], "the 12 papers begin with W01, W02"),
    ([EXAMPLE, "W01", "W01"], 'error: found paper "W01" twice, expected two different papers'),
    ([EXAMPLE, "W01", "W02", "--format", "xml"], 'error: unknown format "xml"; known: text, json'),
    ([EXAMPLE, "W01", "W02", "--method", "best"], 'error: unknown method "best"'),
    ([EXAMPLE, "W01"], "Missing argument 'B'"),
    (["none.csv", "W01", "W02"], "error: none.csv: there is no such file"),
]


@pytest.mark.parametrize(("arguments", "message"), FAILURES)
def test_what_cannot_be_compared(surpeer: Run, arguments: list[object], message: str) -> None:
    result = surpeer("compare", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_nothing_that_moves_a_terminal_is_printed(surpeer: Run, write: Write) -> None:
    evil = "\x1b[31mX\u202e"
    path = write("evil.csv", f"paper,rating,p_a,p_b\n{evil},b,0.5,0.5\nB,a,0.5,0.5\n")
    for command in (("compare", path, evil, "B"), ("decide", path, "--accept", 1, "--format", "table")):
        result = surpeer(*command)
        assert result.exit_code == 0, result.stderr
        assert "\x1b" not in result.stdout + result.stderr
        assert "\u202e" not in result.stdout + result.stderr
