"""What can be downloaded, and that it gives the same results elsewhere."""

import base64
import csv
import hashlib
import io
import json
import re
import uuid
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.http import HttpResponseBase
from django.test import Client
from openpyxl import load_workbook
from typer.testing import Result as CommandResult

from surpeer.web.audit.models import Entry
from surpeer.web.results.computing import compute
from surpeer.web.results.download_views import report_policy
from surpeer.web.results.downloads import DOWNLOADS
from surpeer.web.results.stored import papers_of
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.models import Blindness, Paper
from web.filled_venue import add_review, excluded, open_and_filled, opened, without_pictures
from web.people import People, browser_of

MARK = b"\xef\xbb\xbf"
"""By which Excel knows that a CSV file is UTF-8."""
BASE = "/venues/workshop/download/"
FOUR = [
    {"label": "clear reject", "value": -3},
    {"label": "no", "value": -1},
    {"label": "yes, if", "value": 1},
    {"label": "clear accept", "value": 2},
]


@pytest.fixture
def chair(people: People, monkeypatch: pytest.MonkeyPatch) -> Client:
    without_pictures(monkeypatch)
    return browser_of(people.chair)


def content(response: HttpResponseBase) -> bytes:
    return b"".join(response) if response.streaming else response.content  # type: ignore[arg-type, attr-defined]


def rows(client: Client, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content(client.get(BASE + name)).decode("utf-8-sig"))))


def test_ranking_and_decisions_in_every_format(people: People, chair: Client) -> None:
    open_and_filled(people, 10)
    expected = papers_of(compute(people.venue))
    assert [row["paper"] for row in rows(chair, "decisions.csv")] == expected["paper"].to_list()
    assert [row["proposal"] for row in rows(chair, "decisions.csv")] == expected["proposal"].to_list()
    decisions = json.loads(content(chair.get(f"{BASE}decisions.json")))
    assert [row["p_accept"] for row in decisions] == expected["p_accept"].to_list()
    assert [row["rank"] for row in json.loads(content(chair.get(f"{BASE}ranking.json")))] == expected["rank"].to_list()
    book = load_workbook(io.BytesIO(content(chair.get(f"{BASE}decisions.xlsx"))))
    assert [cell.value for cell in book["Papers"]["B"][1:]] == expected["paper"].to_list()


def test_a_download_has_a_safe_name_and_is_logged(people: People, chair: Client) -> None:
    open_and_filled(people, 3)
    stamp = compute(people.venue).stamp
    response = chair.get(f"{BASE}decisions.csv")
    assert response.headers["Content-Disposition"] == 'attachment; filename="workshop-decisions.csv"'
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store, private"
    entry = Entry.objects.get(action="exported")
    assert (entry.user, entry.about, entry.details) == (people.chair.pk, "decisions.csv", {"stamp": stamp})
    assert chair.get(f"{BASE}nothing.csv").status_code == 404
    assert chair.get(f"{BASE}..%2Fsecret").status_code == 404
    assert chair.head(f"{BASE}ranking.csv").status_code == 200
    assert Entry.objects.filter(action="exported").count() == 1


def test_without_decisions_there_is_no_file_of_them(people: People, chair: Client) -> None:
    people.venue.accept = "all of them"
    open_and_filled(people, 3)
    compute(people.venue)
    response = chair.get(f"{BASE}decisions.csv")
    assert response.status_code == 409
    assert not Entry.objects.filter(action="exported").exists()
    assert b"decisions.csv" not in chair.get("/venues/workshop/results/downloads/").content


@pytest.mark.parametrize("levels", [None, FOUR])
def test_the_command_line_reads_the_reviews_back_to_the_same_ranking(
    people: People,
    chair: Client,
    tmp_path: Path,
    surpeer: Callable[..., CommandResult],
    levels: list[dict[str, object]] | None,
) -> None:
    papers = open_and_filled(people, 14, tracks=("a", "b"))
    if levels is not None:
        people.venue.levels = levels
        people.venue.save()
        for at, paper in enumerate(papers):
            for place, assignment in enumerate(paper.assignments.all()):
                shares = [2 + at % 4, 5, 7 + place, 6 - place - at % 4 + (place + at) % 1]
                assert sum(shares) == 20
                assignment.submissions.update(rating=(at + place) % 4, prediction=shares)
    excluded(people, papers[0].assignments.all()[0])
    compute(people.venue)
    for name in ("reviews.csv", "scale.json"):
        (tmp_path / name).write_bytes(content(chair.get(BASE + name)))
    options = [tmp_path / "reviews.csv", "--scale", tmp_path / "scale.json"]
    assert surpeer("score", *options, "-o", tmp_path / "ranking.csv").exit_code == 0
    assert surpeer("decide", *options, "--accept", "25%", "-o", tmp_path / "decisions.csv").exit_code == 0
    for name in ("ranking.csv", "decisions.csv"):
        assert MARK + (tmp_path / name).read_bytes() == content(chair.get(BASE + name))


def test_texts_that_are_formulas_are_made_harmless(people: People, chair: Client) -> None:
    opened(people.venue)
    Paper.objects.filter(pk=people.papers[0].pk).update(title="=cmd()", key="@SUM(A1)")
    add_review(people.assignments[0], 1, [5, 15], comment="=1+1")
    add_review(people.assignments[1], 1, [5, 15], comment="-7")
    excluded(people, people.assignments[1], reason="+1+1")
    compute(people.venue)
    assert [row["paper"] for row in rows(chair, "ranking.csv")] == ["'@SUM(A1)"]
    versions = rows(chair, "versions.csv")
    assert [(row["title"], row["comment"]) for row in versions] == [("'=cmd()", "'=1+1"), ("Paper 2", "-7")]
    assert [row["reason"] for row in rows(chair, "exclusions.csv")] == ["'+1+1"]


def test_every_version_is_there(people: People, chair: Client) -> None:
    opened(people.venue)
    add_review(people.assignments[0], 0, [15, 5], comment="no, and\n“why”, too")
    add_review(people.assignments[0], 1, [8, 12], number=2)
    add_review(people.assignments[1], 1, [8, 12])
    excluded(people, people.assignments[1])
    compute(people.venue)
    first, second, third = rows(chair, "versions.csv")
    assert (first["version"], first["is_current"], first["rating"], first["prediction"]) == (
        "1",
        "false",
        "reject",
        "15 5",
    )
    assert first["comment"] == "no, and\n“why”, too"
    assert (first["reviewer"], first["reviewer_name"]) == (f"R{people.reviewer.pk}", "Ada")
    assert (second["version"], second["is_current"], second["rating"]) == ("2", "true", "accept")
    assert (third["paper"], third["is_excluded"]) == ("P2", "true")
    exclusion = rows(chair, "exclusions.csv")[0]
    assert (exclusion["paper"], exclusion["excluded_by"], exclusion["lifted_at"]) == ("P2", "Chair", "")


def test_no_file_tells_who_rated_where_chairs_may_not_know(people: People, chair: Client) -> None:
    people.venue.blindness = Blindness.TRIPLE
    open_and_filled(people, 3)
    compute(people.venue)
    archive = zipfile.ZipFile(io.BytesIO(content(chair.get(f"{BASE}everything.zip"))))
    for name in archive.namelist():
        assert b"@example.org" not in archive.read(name)
        assert re.search(rb"\bR\d+\b", archive.read(name)) is None or name.endswith((".html", ".xlsx"))
    assert {(row["submitted_at"], row["version"]) for row in rows(chair, "versions.csv")} == {("", "")}


def test_earlier_versions_do_not_tell_who_revised_where_chairs_may_not_know(people: People, chair: Client) -> None:
    people.venue.blindness = Blindness.TRIPLE
    open_and_filled(people, 3)
    current = Submission.objects.order_by("pk").last()
    assert current is not None
    Submission.objects.create(
        assignment=current.assignment, number=current.number + 1, key=uuid.uuid4(), rating=0, prediction=[20, 0]
    )
    compute(people.venue)
    assert {(row["is_current"], row["version"]) for row in rows(chair, "versions.csv")} == {("true", "")}
    page = chair.get(f"/venues/workshop/results/papers/{current.assignment.paper_id}/").content.decode()
    assert "version 2" not in page.lower()


def test_everything_is_in_the_archive(people: People) -> None:
    open_and_filled(people, 4)
    compute(people.venue)
    response = browser_of(people.observer).get(f"{BASE}everything.zip")
    assert response.headers["Content-Disposition"] == 'attachment; filename="workshop-everything.zip"'
    archive = zipfile.ZipFile(io.BytesIO(content(response)))
    assert archive.testzip() is None
    names = set(archive.namelist())
    assert {*DOWNLOADS, "README.txt", "charts/curve-light.svg"} <= names
    assert "surpeer decide reviews.csv --scale scale.json --accept 25%" in archive.read("README.txt").decode()
    assert archive.read("report-public.html").startswith(b"<!doctype html>")
    assert [entry.about for entry in Entry.objects.filter(action="exported")] == ["everything.zip"]


def test_tables_say_that_they_are_utf_8_once_and_nothing_else_does(people: People, chair: Client) -> None:
    open_and_filled(people, 4)
    Paper.objects.filter(pk=people.papers[0].pk).update(title="Über Émile")
    compute(people.venue)
    archive = zipfile.ZipFile(io.BytesIO(content(chair.get(f"{BASE}everything.zip"))))
    for name in DOWNLOADS:
        alone = content(chair.get(BASE + name))
        assert (alone.startswith(MARK), alone.count(MARK)) == (name.endswith(".csv"), int(name.endswith(".csv"))), name
        assert archive.read(name) == alone, name


def test_files_of_the_archive_have_the_time_of_the_export(people: People, chair: Client) -> None:
    open_and_filled(people, 4)
    compute(people.venue)
    begin = datetime.now().replace(microsecond=0) - timedelta(seconds=2)  # zips count in steps of two seconds
    archive = zipfile.ZipFile(io.BytesIO(content(chair.get(f"{BASE}everything.zip"))))
    times = {info.filename: datetime(*info.date_time) for info in archive.infolist()}
    assert {"versions.csv", "exclusions.csv", "ranking.csv"} < set(times)
    assert {name: at for name, at in times.items() if not begin <= at <= datetime.now()} == {}
    assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_DEFLATED}


def test_the_archive_can_be_had_before_there_is_a_result(people: People, chair: Client) -> None:
    opened(people.venue)
    add_review(people.assignments[0], 1, [5, 15])
    archive = zipfile.ZipFile(io.BytesIO(content(chair.get(f"{BASE}everything.zip"))))
    assert set(archive.namelist()) == {"README.txt", "versions.csv", "exclusions.csv", "not-ranked.csv"}


def test_the_report_runs_its_own_scripts_and_nothing_else(people: People, chair: Client) -> None:
    open_and_filled(people, 4)
    compute(people.venue)
    response = chair.get("/venues/workshop/report/")
    policy = response.headers["Content-Security-Policy"]
    scripts = re.findall(r'<script type="module">(.*?)</script>', response.content.decode(), re.S)
    allowed = {f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts}
    assert len(allowed) == 2
    assert set(re.search(r"script-src ([^;]+);", policy)[1].split()) == allowed  # type: ignore[index]
    assert policy.startswith("default-src 'none'; ")
    assert policy.endswith("; frame-ancestors 'none'")


@pytest.mark.parametrize(("audience", "sees_papers"), [("chair", True), ("committee", True), ("public", False)])
def test_reports_show_what_their_audience_may_see(
    people: People, chair: Client, audience: str, sees_papers: bool
) -> None:
    open_and_filled(people, 6)
    compute(people.venue)
    shown = chair.get(f"/venues/workshop/report/?audience={audience}").content
    downloaded = content(chair.get(f"{BASE}report-{audience}.html"))
    back = '\n  <a href="/venues/workshop/results/">‹ Back to the results</a>'.encode()
    assert (shown.count(back), downloaded.count(back)) == (1, 0)
    assert shown.replace(back, b"") == downloaded
    assert (b"Study 3" in downloaded) == sees_papers
    assert (re.search(rb'"R\d+"', downloaded) is not None) == (audience == "chair")
    assert chair.get("/venues/workshop/report/?audience=press").status_code == 404


def test_a_report_without_a_policy_is_not_shown() -> None:
    with pytest.raises(ValueError, match="the report has no security policy"):
        report_policy(b"<!doctype html>")
