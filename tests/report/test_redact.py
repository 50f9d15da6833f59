"""What an audience may not see is not in the file: the file itself is searched."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import Result
from venues import venue_decisions, venue_table

import surpeer as surpeer_library
from surpeer.report.audience import Audience
from surpeer.report.content import report_of
from surpeer.report.data_quality import DataQuality
from surpeer.report.document import document_of
from surpeer.report.origin import InputFile, Origin
from surpeer.report.predictions import PushStep
from surpeer.report.redact import LEAST, _merged, _without_folder, redact

ORIGIN = Origin(
    command=("surpeer", "report", "home/chair/secret-folder/in.csv", "--form=/etc/form.json", "--accept", "1/3", "-o", "x/r.html"),
    paths=("home/chair/secret-folder/in.csv", "/etc/form.json", "x/r.html"),
    inputs=(InputFile("home/chair/secret-folder/in.csv", "ab" * 32, 100),),
)  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The file that the command writes for each audience."""
    from typer.testing import CliRunner

    from surpeer.cli.commands import app

    monkeypatch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("secret-folder")
    venue_table().write_csv(folder / "secret-reviews.csv")
    texts = {}
    for audience in Audience:
        output = folder / f"{audience}.html"
        arguments = ["report", folder / "secret-reviews.csv", "--accept", "1/3", "--audience", audience, "-o", output]
        monkeypatch.setattr("sys.argv", ["surpeer", *map(str, arguments)])
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
        texts[audience] = output.read_text()
    monkeypatch.undo()
    return texts


def document_in(text: str) -> dict[str, Any]:
    found = re.search(r'<script[^>]* id="document"[^>]*>(.*?)</script>', text, re.DOTALL)
    assert found is not None
    document: dict[str, Any] = json.loads(found[1])
    return document


TABLE = venue_table()
PAPERS, TITLES = TABLE["paper"].unique().to_list(), TABLE["title"].unique().to_list()
REVIEWERS = TABLE["reviewer"].unique().to_list()


def test_the_chair_sees_everything(files: dict[str, str]) -> None:
    for name in (*PAPERS, *TITLES, *REVIEWERS):
        assert name in files["chair"]
    assert "secret-folder" in files["chair"]
    assert document_in(files["chair"])["reviews"]["rating"]


def test_the_committee_sees_papers_and_no_reviewer(files: dict[str, str]) -> None:
    text = files["committee"]
    for name in (*PAPERS, *TITLES):
        assert name in text
    for name in REVIEWERS:
        assert name not in text
    assert "@example.org" not in text
    assert not re.search(r"person\d", text)
    assert "secret-folder" not in text
    assert "secret-reviews.csv" in text
    document = document_in(text)
    assert document["reviews"] is None
    groups = [reviewers for paper in document["papers"]["predictions"] for _, reviewers, _ in paper]
    assert min(groups) == 2  # what a single reviewer predicted is hers
    everybody = [
        reviewers for paper in document_in(files["chair"])["papers"]["predictions"] for _, reviewers, _ in paper
    ]
    assert min(everybody) == 1


def test_the_public_sees_no_paper_no_reviewer_and_no_file(files: dict[str, str]) -> None:
    text = files["public"]
    for name in (*PAPERS, *TITLES, *REVIEWERS, "@example.org", "secret-"):
        assert name not in text
    assert not re.search(r"sub-\d", text)
    document = document_in(text)
    assert document["papers"] is None
    assert document["reviews"] is None
    assert document["contours"] is None
    assert document["made"]["command"] == (
        "surpeer report REVIEWS --audience public --method venue --accept 20 --certainty 80%"
    )
    assert document["made"]["inputs"] == []


def test_the_public_sees_no_number_of_a_single_paper(files: dict[str, str]) -> None:
    papers = document_in(files["chair"])["papers"]
    shown = set(re.findall(r"-?\d+\.\d{3,4}\b", json.dumps(document_in(files["public"]))))
    for column in ("score", "low", "high", "p_accept", "expected", "push"):  # `own` is about the same for all
        single = {str(number) for number in papers[column] if len(str(number).partition(".")[2]) == 4}
        assert len(single) > 20
        assert not single & shown, column


def test_no_group_that_the_public_sees_is_small(files: dict[str, str]) -> None:
    document = document_in(files["public"])
    assert "Tiny" not in document["tracks"]
    for group in document["predictions"]["groups"]:
        assert group["papers"] >= LEAST
    for step in document["predictions"]["pushes"]:
        assert step["papers"] >= LEAST
    for step in document["curve"]:
        assert step["last"] - step["first"] + 1 >= LEAST
    for step in document["predictions"]["calibration"]:
        assert step["papers"] >= LEAST
    for cell in document["spread"]:
        assert cell["papers"] >= LEAST
    assert document["decision"]["cut"] is None


def test_a_small_track_cannot_be_found_by_subtraction(files: dict[str, str]) -> None:
    groups = document_in(files["public"])["predictions"]["groups"]
    whole = next(group["papers"] for group in groups if group["name"] is None)
    rest = whole - sum(group["papers"] for group in groups if group["name"] is not None)
    assert rest == 0 or rest >= LEAST
    assert "Tiny" not in files["public"]


def test_notes_that_name_reviewers_stay_with_the_chair() -> None:
    from dataclasses import replace

    report = report_of(venue_decisions(), origin=ORIGIN)
    name = REVIEWERS[0]
    notes = [f"Two reviews by {name} were dropped.", "Skipped 2 empty rows."]
    noted = replace(report, quality=DataQuality(report.quality.rows, notes))
    for_committee = redact(noted, Audience.COMMITTEE).quality.notes
    assert for_committee == ["Skipped 2 empty rows.", "1 more in the chair's report, because they may name reviewers."]
    assert redact(noted, Audience.CHAIR).quality.notes == notes
    assert name not in json.dumps(document_of(redact(noted, Audience.PUBLIC)))


@pytest.mark.parametrize(
    ("reviewer", "note"), [("R2", "Kept the later review by R2."), ("Ann O'Hara", "Ann O'Hara twice")]
)
def test_short_and_odd_names_are_found(reviewer: str, note: str) -> None:
    from dataclasses import replace

    report = report_of(venue_decisions())
    assert report.reviews is not None
    named = replace(
        report, reviews=replace(report.reviews, reviewer=[reviewer]), quality=DataQuality([], [note, "R22 is a room."])
    )
    assert redact(named, Audience.COMMITTEE).quality.notes[0] == "R22 is a room."


def test_commands_lose_their_folders() -> None:
    report = redact(report_of(venue_decisions(), origin=ORIGIN), Audience.COMMITTEE)
    assert report.origin.command_line == "surpeer report in.csv --form=form.json --accept 1/3 -o r.html"
    assert [one.path for one in report.origin.inputs] == ["in.csv"]


def test_small_steps_are_joined_until_they_are_large_enough() -> None:
    steps = [PushStep("A", at / 10, (at + 1) / 10, papers) for at, papers in enumerate([1, 2, 3, 7, 1])]
    lonely = [PushStep("B", 0.0, 0.1, 4)]
    assert _merged([*steps, *lonely]) == [PushStep("A", 0.0, 3 / 10, 6), PushStep("A", 3 / 10, 5 / 10, 8)]


def test_a_venue_of_four_papers_has_nothing_for_the_public() -> None:
    report = redact(report_of(venue_decisions(papers=4, tiny=0)), Audience.PUBLIC)
    assert report.curve == []
    assert report.spread == []
    assert report.predictions.groups == []


def test_unknown_audience(surpeer: Callable[..., Result], tmp_path: Path) -> None:
    venue_table().write_csv(tmp_path / "r.csv")
    result = surpeer("report", tmp_path / "r.csv", "--audience", "press", "-o", tmp_path / "x.html")
    assert result.exit_code == 2
    assert 'unknown audience "press"; known: chair, committee, public' in result.stderr
    assert not (tmp_path / "x.html").exists()


def test_a_step_of_predictions_of_few_papers_is_not_for_the_public() -> None:
    """Only the first paper's reviewers predict 95 %: what came of it is that paper's."""
    table = venue_table(papers=30, levels=2, tiny=0).with_columns(
        p_1=pl.when(pl.col("paper") == "sub-000-q").then(0.05).otherwise(pl.col("p_1").clip(0.2, 0.8)),
    )
    table = table.with_columns(p_2=1 - pl.col("p_1"))
    report = report_of(surpeer_library.calibrate(surpeer_library.Reviews.from_table(table)))
    steps = {round(step.said, 2): step.papers for step in report.predictions.calibration}
    assert steps[0.95] == 1
    shown = {round(step.said, 2) for step in redact(report, Audience.PUBLIC).predictions.calibration}
    assert shown == {said for said, papers in steps.items() if papers >= LEAST}
    assert 0.95 not in shown


def test_what_predictions_were_worth_is_not_shown_of_few_papers() -> None:
    """Only one paper of a track has predictions: how good they were is that paper's number."""
    table = venue_table(tiny=0).with_columns(
        [
            pl.when((pl.col("track") == "Theory") & (pl.col("paper") != "sub-000-q"))
            .then(None)
            .otherwise(pl.col(name))
            .alias(name)
            for name in (f"p_{level}" for level in range(1, 6))
        ]
    )
    public = redact(report_of(surpeer_library.calibrate(surpeer_library.Reviews.from_table(table))), Audience.PUBLIC)
    groups = {group.name: group.quality for group in public.predictions.groups}
    assert groups[None].papers == 31
    assert groups["Theory"].papers == 0
    assert groups["Systems"].papers == 0  # else the one paper would be the difference
    verdicts = {group.name: group.verdict for group in public.predictions.groups}
    assert verdicts["Theory"] == "Too few papers have predictions to say more of them here."


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("a//b/./in.csv", "in.csv"),
        ("--form=a//b/in.csv", "--form=in.csv"),
        ("-oa/b//in.csv", "-oin.csv"),
        ("1/3", "1/3"),
        ("--title=A/B", "--title=A/B"),
    ],
)
def test_paths_are_found_however_they_were_typed(word: str, expected: str) -> None:
    assert _without_folder(word, ("a/b/in.csv",)) == expected
