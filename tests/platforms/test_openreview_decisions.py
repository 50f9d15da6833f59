"""What goes back to OpenReview."""

import csv
import io
import json
from typing import Any

import numpy as np
import polars as pl
import pytest

from surpeer import Reviews, rank, score
from surpeer.decisions import Decisions, decide
from surpeer.errors import InputError
from surpeer.io.platforms.openreview.decisions import write_decisions_csv, write_decisions_json
from surpeer.matrices import build_matrices
from surpeer.proposals import Proposal
from surpeer.ranking import Ranking

VENUE = "Example.org/2026/Conference"


def ranking(papers: list[Any]) -> Ranking:
    """Two reviews for each paper, the first papers the best."""
    columns: dict[str, list[Any]] = {"paper": [], "rating": [], "p_0": [], "p_1": []}
    for at, paper in enumerate(papers):
        for who in range(3):
            columns["paper"].append(paper)
            columns["rating"].append(int(at < len(papers) // 2 or who == 2))
            columns["p_0"].append(0.5 + 0.01 * who)
            columns["p_1"].append(0.5 - 0.01 * who)
    return rank(score(build_matrices(Reviews.from_table(columns)), "venue"))


def decisions(papers: list[Any], discuss: int = 1) -> Decisions:
    """Clear proposals but for some papers."""
    found = decide(ranking(papers), 0.5)
    proposal = np.where(np.arange(len(papers)) < found.places, Proposal.ACCEPT, Proposal.REJECT).astype(np.int64)
    proposal[:discuss] = Proposal.DISCUSS
    return Decisions(
        found.ranking, found.places, found.certainty, found.probability, found.better_than_cut, proposal, found.reason
    )


def as_csv(results: Any, **options: str) -> str:
    stream = io.BytesIO()
    write_decisions_csv(results, stream, **options)
    return stream.getvalue().decode()


def as_json(results: Any, **options: str) -> Any:
    stream = io.BytesIO()
    write_decisions_json(results, stream, **options)
    return json.loads(stream.getvalue())


def test_the_csv_is_what_the_upload_takes() -> None:
    results = decisions([12, 3, 7, 101])
    discussed = results.table["paper"][0]
    text = as_csv(results)
    rows = list(csv.reader(io.StringIO(text)))
    assert text.endswith("\n")
    assert not text.startswith("\ufeff")
    assert all(len(row) == 3 and row[2] == "" for row in rows)
    assert [int(row[0]) for row in rows] == sorted({12, 3, 7, 101} - {discussed})
    expected = dict(zip(results.table["paper"].cast(pl.String), results.table["proposal"], strict=True))
    assert {row[0]: row[1].lower() for row in rows} == {k: v for k, v in expected.items() if v != "discuss"}


def test_decisions_are_called_as_the_venue_calls_them() -> None:
    text = as_csv(decisions(["1", "2", "3", "4"]), accept="Accept (Poster), main", reject=" Decline ")
    words = {row[1] for row in csv.reader(io.StringIO(text))}
    assert words == {"Accept (Poster), main", "Decline"}


def test_the_json_has_every_paper_and_the_edits_that_post_decisions() -> None:
    results = decisions([12, 3, 7, 101])
    document = as_json(results, venue=f"{VENUE}/", accept="Accept (Oral)")
    assert {key: document[key] for key in ("venue", "accept", "discuss", "reject")} == {
        "venue": VENUE,
        "accept": 1,
        "discuss": 1,
        "reject": 2,
    }
    papers = {paper["number"]: paper for paper in document["papers"]}
    assert list(papers) == [3, 7, 12, 101]
    for row in results.table.iter_rows(named=True):
        paper = papers[row["paper"]]
        assert paper["proposal"] == row["proposal"]
        assert paper["rank"] == row["rank"]
        assert paper["p_accept"] == row["p_accept"]
        if row["proposal"] == "discuss":
            assert paper["decision"] is None
            assert paper["edit"] is None
            continue
        assert paper["edit"] == {
            "invitation": f"{VENUE}/Submission{row['paper']}/-/Decision",
            "signatures": [f"{VENUE}/Program_Chairs"],
            "note": {
                "content": {
                    "title": {"value": "Paper Decision"},
                    "decision": {"value": paper["decision"]},
                    "comment": {"value": ""},
                }
            },
        }
    assert all(paper["edit"] is None for paper in as_json(results)["papers"])
    assert as_json(results)["venue"] is None
    with pytest.raises(InputError, match='found "My Conf", expected the id of a venue'):
        as_json(results, venue="My Conf")


def test_a_ranking_is_no_decision() -> None:
    for write in (as_csv, as_json):
        with pytest.raises(
            InputError, match="OpenReview takes decisions: say how many papers can be accepted, as in --accept 25%"
        ):
            write(ranking([1, 2, 3]))


def test_papers_must_be_numbers() -> None:
    with pytest.raises(InputError) as caught:
        as_csv(decisions(["1", "wjBTde6Lgz", "-3", "2.0", "0", "01", "x" * 100]))
    assert str(caught.value).startswith("6 papers are no numbers of submissions, which OpenReview wants: ")
    with pytest.raises(InputError, match='1 paper is no number of a submission, which OpenReview wants: "A"'):
        as_json(decisions(["1", "A", "3"]))


@pytest.mark.parametrize("word", ["", " ", "=1+1", "@x", "＝1+1", "－1", "a\nb"])
def test_decisions_that_no_venue_has_are_refused(word: str) -> None:
    with pytest.raises(InputError, match='expected one of the venue\'s, such as "Accept"'):
        as_csv(decisions([1, 2, 3]), accept=word)


def test_one_word_for_both_is_refused() -> None:
    with pytest.raises(InputError, match='found "Accept" for accepted and for rejected papers, expected two decisions'):
        as_csv(decisions([1, 2, 3]), reject="Accept")


def test_nothing_to_post_is_said() -> None:
    results = decisions([1, 2, 3], discuss=3)
    with pytest.raises(InputError, match="all papers are to be discussed, so there is no decision to write"):
        as_csv(results)
    assert as_json(results)["discuss"] == 3


def test_the_client_reads_the_csv_and_posts_what_the_json_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """openreview-py's own reader of the upload, with a client that only listens."""
    pytest.importorskip("openreview", reason="the extra openreview is not installed")
    from openreview.venue import Venue

    results = decisions([2, 1, 3, 4])
    posted: list[dict[str, Any]] = []

    class Listening:
        baseurl = "http://127.0.0.1"

        def get_group(self, name: str) -> Any:
            return type("Group", (), {"content": {}})()

        def post_note_edit(self, invitation: str, signatures: list[str], note: Any) -> None:
            posted.append({"invitation": invitation, "signatures": signatures, "note": note.to_json()})

    venue = Venue.__new__(Venue)
    venue.client, venue.venue_id, venue.id, venue.request_form_id = Listening(), VENUE, VENUE, None
    venue.submission_stage = type("Stage", (), {"name": "Submission"})()
    paper = type("Paper", (), {"details": None})
    monkeypatch.setattr(venue, "get_submissions", lambda details: [_numbered(paper, number) for number in (1, 2, 3, 4)])
    monkeypatch.setattr(venue, "get_program_chairs_id", lambda: f"{VENUE}/Program_Chairs")
    _, errors = venue.post_decisions(as_csv(results).encode())
    assert errors == {}
    edits = [paper["edit"] for paper in as_json(results, venue=VENUE)["papers"] if paper["edit"]]
    assert sorted(posted, key=lambda edit: edit["invitation"]) == edits


def _numbered(paper: type, number: int) -> Any:
    found = paper()
    found.number = number
    return found
