"""The made-up document of these tests has the keys of a real one, in every part."""

from typing import Any

from conftest import ROOT
from sample_document import sample_document

import surpeer
from surpeer.report.content import report_of
from surpeer.report.document import document_of


def keys(value: Any, path: str = "") -> set[str]:
    """Every key, with those that lead to it; of a list, those of its first element."""
    if isinstance(value, dict) and path != "contours.lines":  # whose keys are ratings
        return {found for name, one in value.items() for found in keys(one, f"{path}.{name}".lstrip("."))}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return keys(value[0], f"{path}[]")
    return {path}


def test_the_keys_are_those_of_a_report() -> None:
    ranking = surpeer.calibrate(surpeer.read_reviews(ROOT / "examples" / "workshop.csv"))
    real = document_of(report_of(surpeer.decide(ranking, 3)))
    real["spread"] = [{"mean": 0.5, "score": 0.1, "papers": 5}]  # which only the public has
    made = sample_document(12)
    assert keys(made) == keys(real)
    assert keys(sample_document(12, levels=5, tracks=("A", "B"))) - {"contours"} == {
        one for one in keys(real) if not one.startswith("contours")
    }
