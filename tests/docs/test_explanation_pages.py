"""Pictures, figures and names on the pages that explain are those of the program."""

import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import write_explanation_pictures as pictures
from conftest import ROOT

from surpeer import ranking_notes

sys.path.insert(0, str(ROOT / "benchmarks"))
import broken_assumptions
import broken_venues
import what_to_ask

EXPLANATION = ROOT / "docs" / "explanation"
WHEN_NOT = EXPLANATION / "when-not-to-use.md"
ASKING = [ROOT / "docs" / "how-to" / name for name in ("scales.md", "no-predictions.md")]


@pytest.fixture(scope="module")
def drawn() -> dict[str, bytes]:
    return pictures.files()


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_pictures_are_what_the_tool_draws(name: str, drawn: dict[str, bytes]) -> None:
    assert (pictures.FOLDER / name).read_bytes() == drawn[name], "run tools/write_explanation_pictures.py"
    assert f"](figures/{name})" in (EXPLANATION / "cheap-signals.md").read_text()


def test_the_same_quality_has_the_same_score_through_every_push() -> None:
    papers = [pictures.pushed(signal, push=push) for signal in pictures.LOOKS for push in (0.0, 0.5, 0.9)]
    assert np.ptp([paper.score for paper in papers]) < 1e-12
    assert np.ptp([paper.got for paper in papers]) > 0.8


def test_the_pictured_venue_is_ranked_better_by_the_venue_score() -> None:
    accuracy = pictures.ranked_venue().accuracy
    assert "66 % of pairs" in (EXPLANATION / "cheap-signals.md").read_text()
    assert (round(accuracy["mean"], 2), round(accuracy["venue"], 2)) == (0.60, 0.66)


@pytest.mark.parametrize("page", ["proven-and-measured.md", "when-not-to-use.md"])
def test_tests_that_pages_name_exist(page: str) -> None:
    text = (EXPLANATION / page).read_text()
    placed = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert all(f"def {name}(" in (ROOT / path).read_text() for path, name in placed)
    everything = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    named = re.findall(r"`(test_\w+)`", text)
    assert placed or named
    assert [name for name in named if f"def {name}(" not in everything] == []


def test_sentences_of_notes_are_those_of_the_program() -> None:
    source = re.sub(r'"\s*\n\s*f?"', "", Path(ranking_notes.__file__).read_text())
    quoted = re.findall(r'note that predictions\s+"([^"]+)"|or that\s+"([^"]+)"', WHEN_NOT.read_text())
    sentences = [" ".join((one or other).split()) for one, other in quoted]
    assert len(sentences) == 3
    assert [sentence for sentence in sentences if sentence not in source] == []


def first_cells(page: Path, header: str) -> list[list[str]]:
    """The first column of every table of a page that has this header."""
    tables = re.findall(rf"^\| {re.escape(header)} \|.*\n\|[-|]+\n((?:\|.*\n)+)", page.read_text(), re.MULTILINE)
    return [[row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()] for table in tables]


def test_figures_are_there_for_every_case() -> None:
    cases = [case.words for case in broken_assumptions.CASES]
    assert first_cells(WHEN_NOT, "what is wrong") == [cases, cases]
    attacks = [words for words, _ in broken_assumptions.ATTACKS]
    assert first_cells(WHEN_NOT, "one reviewer pushes") == [attacks, attacks]
    questions = [words for words, _, _ in what_to_ask.QUESTIONS]
    assert [first_cells(page, "who is asked, and for what") for page in ASKING] == [[questions], [questions]]


@pytest.mark.slow
def test_figures_are_what_the_benchmark_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    text, printed = WHEN_NOT.read_text(), StringIO()
    monkeypatch.setattr(sys, "argv", ["benchmark"])
    with redirect_stdout(printed):
        broken_assumptions.main()
        what_to_ask.main()
    rows = [row for row in printed.getvalue().splitlines() if row.startswith("| ")]
    assert len(rows) > 60
    text += ASKING[0].read_text()
    assert [row for row in rows if row not in text] == []


@pytest.fixture
def venue() -> broken_venues.Drawn:
    return broken_venues.draw(np.random.default_rng(3), levels=5, papers=400, reviewers=4)


def test_venues_are_broken_as_they_say(venue: broken_venues.Drawn) -> None:
    rng = np.random.default_rng(4)
    assert np.isnan(broken_venues.nobody_predicts(rng, venue).told).all()
    assert np.isnan(broken_venues.some_predict(0.25)(rng, venue).told[:, 0]).mean() == pytest.approx(0.75, abs=0.04)
    known = broken_venues.known_to_be_better(rng, venue)
    assert known.quality[1::2].mean() - known.quality[::2].mean() > 0.5
    expected = known.told @ np.arange(5)
    assert expected[known.paper % 2 == 1].mean() > expected[known.paper % 2 == 0].mean()
    shares = broken_venues.knows_others(1.0)(rng, venue).told[:4]
    assert shares == pytest.approx(np.tile(np.bincount(venue.rating[:4], minlength=5) / 4, (4, 1)))
    copied = broken_venues.copies(1.0)(rng, venue).rating.reshape(-1, 4)
    assert (copied == copied[:, :1]).all()
    alike = broken_venues.pushed_alike(rng, venue)
    assert alike.rating.mean() > venue.rating.mean() + 0.3
    assert np.unique(broken_venues.own_rating(rng, venue).told.max(axis=1)).round(9).tolist() == [0.92]


@pytest.mark.parametrize("up", [True, False])
def test_one_reviewer_changes_her_own_review_only(venue: broken_venues.Drawn, up: bool) -> None:
    tried = broken_venues.one_tries(0.05, up=up, lies=True)(np.random.default_rng(5), venue)
    changed = np.flatnonzero((tried.told != venue.told).any(axis=1))
    assert changed.tolist() == list(range(0, 80, 4))
    assert (tried.rating[changed] == (4 if up else 0)).all()
    assert (tried.told[changed, 0 if up else 4] == 1).all()
    moved = broken_assumptions.place(tried, "venue", 20).above - broken_assumptions.place(venue, "venue", 20).above
    assert moved > 10 if up else moved < -10
