"""Write tests/golden/expected.json from tests/golden/cases.json with the exact implementation in tests/oracle.py.

To add a case: describe it in cases.json, run this, read what it says, commit both files.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
sys.path.insert(0, str(ROOT / "tests"))

import oracle  # noqa: E402


def values_of(case: dict[str, Any]) -> list[Fraction]:
    levels = len(case["levels"])
    default = ["0", "1"] if levels == 2 else [str(rank) for rank in range(1, levels + 1)]
    return [Fraction(value) for value in case.get("values", default)]


def expected(case: dict[str, Any]) -> dict[str, dict[str, Any]]:
    reviews = [(case["levels"].index(rating), shares) for rating, shares in case["reviews"]]
    results = {name: method(reviews, values_of(case)) for name, method in oracle.METHODS.items()}
    return {name: {"status": result.status, "score": result.score} for name, result in results.items()}


def main() -> None:
    cases = json.loads((GOLDEN / "cases.json").read_text(encoding="utf-8"))
    content = {case["name"]: expected(case) for case in cases}
    (GOLDEN / "expected.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{len(content)} cases")


if __name__ == "__main__":
    main()
