"""Every method against every golden case; a missing expectation fails."""

import json
from pathlib import Path
from typing import Any

import pytest
import regenerate_golden

from surpeer import METHODS, Reviews, Scale, build_matrices, score

FOLDER = Path(__file__).parent
CASES: list[dict[str, Any]] = json.loads((FOLDER / "cases.json").read_text())
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text())

# The paper's methods add up exactly. These subtract sums of floats: where what is left is a billionth of them, seven of
# sixteen digits are left.
IN_FLOATS, COVARIANCE_TOLERANCE = ("surprisal_phi", "linear_bayes"), 1e-6


def reviews_of(case: dict[str, Any]) -> Reviews:
    levels, rows = case["levels"], case["reviews"]
    columns: dict[str, list[Any]] = {"paper": ["A"] * len(rows), "rating": [rating for rating, _ in rows]}
    for at, level in enumerate(levels):
        columns[f"p_{level}"] = [None if shares is None else float(shares[at]) for _, shares in rows]
    return Reviews.from_table(columns, Scale(levels, [float(value) for value in case.get("values", ())]))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_method_gives_the_exact_result(case: dict[str, Any], method: str) -> None:
    expected = EXPECTED[case["name"]][method]
    result = score(build_matrices(reviews_of(case)), method)["A"]
    assert result.status.label == expected["status"]
    if expected["status"] == "finite":
        tolerance = COVARIANCE_TOLERANCE if (method in IN_FLOATS and "nearly singular" in case["name"]) else 1e-12
        assert result.value == pytest.approx(expected["score"], rel=tolerance, abs=1e-12)
    elif expected["status"] == "plus_infinity":
        assert result.value == float("inf")
    elif expected["status"] == "minus_infinity":
        assert result.value == float("-inf")
    else:
        assert result.value != result.value


def test_expected_results_are_those_of_the_exact_implementation() -> None:
    assert {case["name"]: regenerate_golden.expected(case) for case in CASES} == EXPECTED
