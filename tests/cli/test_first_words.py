"""What a first-time user meets: titles instead of ids, a report that is there already, and the words of an explanation."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import Result

from surpeer import calibrate, explain, read_reviews
from surpeer.cli.explanation_text import explanation_text
from surpeer.demo import CHEAP_SIGNALS, make_venue, mean_rank_by_signal
from surpeer.reviews import Reviews

Run = Callable[..., Result]
Write = Callable[[str, str | bytes], Path]

TITLED = """paper,title,reviewer,rating,p_reject,p_accept
1,Sparse Things,a,accept,0.3,0.7
1,Sparse Things,b,reject,0.4,0.6
2,Sparse Bees,a,accept,0.2,0.8
2,Sparse Bees,b,accept,0.5,0.5
3,,a,reject,0.5,0.5
"""


@pytest.mark.parametrize("typed", ["Sparse Things", "sparse things", "Sparse Thing", "sparse t"])
@pytest.mark.parametrize("command", ["explain", "compare"])
def test_a_title_instead_of_an_id(surpeer: Run, write: Write, command: str, typed: str) -> None:
    result = surpeer(command, write("r.csv", TITLED), typed, *(["2"] if command == "compare" else []))
    assert result.exit_code == 2
    assert result.stderr == f'error: unknown paper "{typed}"; paper "1" has the title "Sparse Things": give its id, 1\n'


@pytest.mark.parametrize("typed", ["Sparse", "Something else", ""])
def test_no_title_is_guessed(surpeer: Run, write: Write, typed: str) -> None:
    result = surpeer("explain", write("r.csv", TITLED), typed)
    assert result.exit_code == 2
    assert result.stderr.startswith(f'error: unknown paper "{typed}"; the 3 papers begin with 1, 2, 3')


def test_an_id_that_is_a_title_too_is_an_id(surpeer: Run, write: Write) -> None:
    result = surpeer("explain", write("r.csv", TITLED.replace("Sparse Bees", "1")), "1")
    assert result.stdout.startswith("1 has rank ")


def test_a_report_that_was_there_is_said_to_be_replaced(surpeer: Run, write: Write, tmp_path: Path) -> None:
    path, output = write("r.csv", TITLED), tmp_path / "report.html"
    first = surpeer("report", path, "--output", output)
    assert first.stdout.startswith(f"{output}: a report on 3 papers")
    assert surpeer("report", path, "--output", output).stdout == first.stdout.replace(
        f"{output}:", f"{output} (replaced):"
    )


def test_a_spreadsheet_is_named(surpeer: Run, write: Write, tmp_path: Path) -> None:
    output = tmp_path / "d.xlsx"
    result = surpeer("decide", write("r.csv", TITLED), "--accept", "1", "--output", output)
    assert result.stderr.splitlines()[-1] == f"note: wrote {output}, a spreadsheet"


def sentence_of(ranking: Any, paper: str) -> str:
    lines = explanation_text(explain(ranking, paper)).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("4. What moved its score"))
    return lines[at + 1].strip()


def test_the_steps_in_a_sentence() -> None:
    root = Path(__file__).resolve().parents[2]
    ranking = calibrate(read_reviews(root / "examples" / "workshop.csv"))
    assert sentence_of(ranking, "W07") == (
        "By its ratings alone it would be better than a typical paper; its reviewers expected more of it, which lowers "
        "the score."
    )
    without = {
        "paper": ["A", "A", "B", "B", "C", "C"],
        "rating": ["accept", "accept", "reject", "reject", "accept", "reject"],
    }
    ranking = calibrate(Reviews.from_table(without))
    hardly = "what reviewers predicted changes hardly anything."
    assert sentence_of(ranking, "A") == f"By its ratings alone it would be better than a typical paper; {hardly}"
    assert sentence_of(ranking, "B") == f"By its ratings alone it would be worse than a typical paper; {hardly}"
    assert sentence_of(ranking, "C") == f"By its ratings alone it would be about as good as a typical paper; {hardly}"


def test_the_mean_rank_of_each_cheap_signal() -> None:
    """Ranks that tie are shared, so that their mean over all papers is that of 1 ... N."""
    venue = make_venue(np.random.default_rng(3), 40)
    for method in ("mean", "venue"):
        found = mean_rank_by_signal(calibrate(Reviews.from_table(venue.reviews), method), venue.truth)
        by_signal = dict(found.iter_rows())
        assert set(by_signal) == {name for name, *_ in CHEAP_SIGNALS}
        sizes = {name: venue.truth["cheap_signal"].to_list().count(name) for name in by_signal}
        assert sum(by_signal[name] * sizes[name] for name in by_signal) == pytest.approx(40 * 41 / 2)
