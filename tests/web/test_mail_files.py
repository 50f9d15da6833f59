"""Mails that were put into files: they go with the person whom they name."""

from pathlib import Path

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from surpeer.web.venues.mail_files import HEADER, delete_mails_to
from surpeer.web.venues.models import Reviewer
from web.people import People


@pytest.fixture
def folder(tmp_path: Path, settings: object) -> Path:
    """Where mails land."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"  # type: ignore[attr-defined]
    settings.EMAIL_FILE_PATH = tmp_path / "mail"  # type: ignore[attr-defined]
    return tmp_path / "mail"


def texts(folder: Path) -> list[str]:
    return sorted(path.read_text() for path in folder.glob("*.log"))


def test_erasing_a_person_deletes_her_mails_and_nobody_elses(
    people: People, folder: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    chair, reviewer = people.browsers["chair"], people.reviewer
    Reviewer.objects.filter(pk=people.second_reviewer.pk).update(name=f"{HEADER}: {reviewer.pk}")  # of all names
    chair.post("/venues/workshop/invite/")
    Reviewer.objects.filter(pk=reviewer.pk).update(email="new@example.org")  # the mail went to the old one
    chair.post(f"/venues/workshop/reviewers/{reviewer.pk}/remind/")
    assert [text.count("Dear Ada") for text in texts(folder)].count(1) == 2
    assert len(texts(folder)) == 3
    with django_capture_on_commit_callbacks(execute=True):
        chair.post(f"/venues/workshop/reviewers/{reviewer.pk}/erase/")
    (left,) = texts(folder)
    assert "To: ben@example.org" in left


def test_removing_a_person_deletes_her_mails_too(
    people: People, folder: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    chair = people.browsers["chair"]
    chair.post("/venues/workshop/invite/")
    with django_capture_on_commit_callbacks(execute=True):
        chair.post(f"/venues/workshop/reviewers/{people.second_reviewer.pk}/remove/")
    (left,) = texts(folder)
    assert "To: ada@example.org" in left


def test_where_there_is_no_folder_there_is_nothing_to_delete(people: People, folder: Path) -> None:
    assert delete_mails_to(people.reviewer.pk) == 0


def test_mails_that_are_sent_have_no_number_in_them(people: People, settings: object, mailoutbox: list) -> None:  # type: ignore[type-arg]
    settings.EMAIL_HOST = "mail.example.org"  # type: ignore[attr-defined]
    people.browsers["chair"].post("/venues/workshop/invite/")
    assert [HEADER in message.message() for message in mailoutbox] == [False, False]
