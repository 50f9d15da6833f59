"""The process that computes results."""

import logging
import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from surpeer.web import background
from surpeer.web.results import computing
from surpeer.web.results.models import Result
from surpeer.web.venues import import_uploads
from surpeer.web.venues.models import ImportUpload
from web.filled_venue import add_review, opened, without_pictures, without_reports
from web.people import People
from web.waiting import eventually


def test_it_computes_open_venues_that_have_changed(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    without_pictures(monkeypatch)
    without_reports(monkeypatch)
    add_review(people.assignments[0], 1, [5, 15])
    background.look_once()
    assert not Result.objects.exists()
    opened(people.venue)
    background.look_once()
    first = Result.objects.get()
    assert (first.reviews, first.complete) == (1, True)
    background.look_once()
    assert Result.objects.get().computed_at == first.computed_at
    add_review(people.assignments[1], 1, [5, 15])
    background.look_once()
    assert Result.objects.get().reviews == 2


def test_files_that_nobody_confirmed_are_gone_after_a_day_even_if_nobody_uploads_another(people: People) -> None:
    now = timezone.now()
    for hours in (23, 25):
        at = now - timedelta(hours=hours)
        ImportUpload.objects.create(
            venue=people.venue, user=people.chair, kind="papers", name=f"{hours}.csv", data=b"id", uploaded_at=at
        )
    background.tidy_up()
    assert ImportUpload.objects.get().name == "23.csv"


def test_tidying_up_that_fails_is_logged_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> int:
        raise MemoryError

    monkeypatch.setattr(import_uploads, "forget_old", broken)
    background.tidy_up()
    assert "deleting old uploads failed" in caplog.text


def test_a_result_whose_files_are_missing_is_made_again(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    without_pictures(monkeypatch)
    without_reports(monkeypatch)
    add_review(people.assignments[0], 1, [5, 15])
    opened(people.venue)
    background.look_once()
    Result.objects.update(complete=False)
    background.look_once()
    assert Result.objects.get().complete


def test_one_failing_venue_does_not_stop_the_others(
    people: People, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    without_pictures(monkeypatch)
    without_reports(monkeypatch)
    add_review(people.other_reviewer.assignments.get(), 1, [5, 15])
    opened(people.venue)
    opened(people.other_venue)
    whole = computing._make

    def broken(venue: object) -> object:
        if venue == people.venue:
            raise MemoryError
        return whole(venue)  # type: ignore[arg-type]

    monkeypatch.setattr(computing, "_make", broken)
    with caplog.at_level(logging.ERROR):
        background.look_once()
    assert people.venue.result.problem == computing.OUR_FAULT
    assert people.other_venue.result.reviews == 1
    assert "the results of venue workshop could not be computed" in caplog.text


def test_a_database_that_does_not_answer_is_logged_and_tried_again(
    people: People, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background, "_open_venues", lambda: 1 / 0)
    with caplog.at_level(logging.ERROR):
        background.look_once()
    assert "looking for venues to compute failed" in caplog.text


@pytest.fixture
def started(tmp_path: Path) -> subprocess.Popen[bytes]:
    """The process itself, with a shell between us, whose end it has to notice."""
    environment = {**os.environ, "SURPEER_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "surpeer.web.settings"}
    command = f"{sys.executable} -m surpeer.web.background $$ & echo $!; wait"
    return subprocess.Popen(["sh", "-c", command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


@pytest.mark.parametrize("how", ["the parent is gone", "SIGTERM"])
def test_it_ends_with_its_parent_and_by_a_signal(started: subprocess.Popen[bytes], how: str) -> None:
    assert started.stdout is not None
    number = int(started.stdout.readline())
    if how == "SIGTERM":
        eventually(lambda: b"surpeer.web.background" in Path(f"/proc/{number}/cmdline").read_bytes())
        os.kill(number, signal.SIGTERM)
    else:
        started.kill()
    eventually(lambda: not _runs(number))
    started.communicate()


def _runs(number: int) -> bool:
    try:
        return b") Z " not in Path(f"/proc/{number}/stat").read_bytes()
    except FileNotFoundError:
        return False
