"""The whole way of a chair on OpenReview: form, reviews, decisions."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openreview_samples import VENUE, submission, v2
from openreview_stub import PASSWORD, USER, Stub, serving
from typer.testing import Result

Run = Callable[..., Result]


def notes() -> list[dict[str, Any]]:
    """Thirty papers with three reviews each on four levels; the first ten are liked, and others think so too."""
    papers = []
    for number in range(1, 31):
        liked = number <= 10
        shares = [5, 10, 25, 60] if liked else [50, 30, 15, 5]
        reviews = [
            v2(
                number,
                by=f"Reviewer_{who}x",
                rating=f"{(4 if liked else 1) + (who == 2) * (-1 if liked else 1)}: words",
                confidence=3,
                **{f"predicted_share_{level}": share for level, share in enumerate(shares, start=1)},
            )
            for who in range(3)
        ]
        papers.append(submission(number, *reviews, v2(number, "Decision", "Program_Chairs", decision="Reject")))
    return papers


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "notes.json"
    path.write_text(json.dumps({"notes": notes(), "count": 30}))
    return path


def test_reviews_are_found_and_what_was_understood_is_said(surpeer: Run, file: Path) -> None:
    result = surpeer("score", file, "--format", "csv")
    assert result.exit_code == 0
    assert "note: read as OpenReview, submissions with replies (JSON)" in result.stderr
    assert "note: 30 notes that are no reviews left out (30 Decision)" in result.stderr
    assert '"predicted_share_4" for 4' in result.stderr
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(rows) == 30
    assert {row["paper"] for row in rows[:10]} == {str(number) for number in range(1, 11)}


def test_decisions_go_back_under_their_numbers(surpeer: Run, file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    options = ["--accept", "10", "--to", "openreview", "--venue", VENUE, "--accept-as", "Accept (Poster)"]
    result = surpeer("decide", file, *options, "-o", folder)
    assert result.exit_code == 0, result.stderr
    rows = list(csv.reader((folder / "decisions.csv").read_text().splitlines()))
    document = json.loads((folder / "decisions.json").read_text())
    clear = [paper for paper in document["papers"] if paper["decision"]]
    assert rows == [[str(paper["number"]), paper["decision"], ""] for paper in clear]
    assert len(rows) == document["accept"] + document["reject"] > 0
    assert {row[1] for row in rows} <= {"Accept (Poster)", "Reject"}
    result = surpeer("score", file, "--to", "openreview", "-o", tmp_path / "d.csv")
    assert result.exit_code == 2
    assert "say how many papers can be accepted, as in --accept 25%" in result.stderr


def test_the_form_that_is_written_reads_the_reviews_that_it_asks_for(surpeer: Run, file: Path, tmp_path: Path) -> None:
    form = tmp_path / "form.json"
    assert surpeer("form", "openreview", "--levels", "1..4", "--venue", VENUE, "-o", form).exit_code == 0
    result = surpeer("score", file, "--form", form, "--format", "csv")
    assert result.exit_code == 0
    assert "(from the form)" in result.stderr


def test_a_live_venue_is_read_as_its_file_is(surpeer: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openreview", reason="the extra openreview is not installed")
    with serving(Stub(notes(), page=7)) as stub:
        monkeypatch.delenv("OPENREVIEW_TOKEN", raising=False)
        monkeypatch.setenv("OPENREVIEW_API_BASEURL_V2", stub.url)
        monkeypatch.setenv("OPENREVIEW_USERNAME", USER)
        monkeypatch.setenv("OPENREVIEW_PASSWORD", PASSWORD)
        live = surpeer("score", f"openreview:{VENUE}", "--format", "csv")
        assert live.exit_code == 0, live.stderr
        assert live.stdout == surpeer("score", file, "--format", "csv").stdout
        monkeypatch.setenv("OPENREVIEW_PASSWORD", "wrong")
        refused = surpeer("score", f"openreview:{VENUE}")
    assert refused.exit_code == 2
    assert "cannot be read from OpenReview: Invalid username or password ***" in refused.stderr
