"""Mails that were put into files: they go with the person whom they name."""

import email.policy
import re
from pathlib import Path

import pytest
from django.core.mail import EmailMessage, get_connection
from pytest_django import DjangoCaptureOnCommitCallbacks

from surpeer.web.venues.mail_files import HEADER, delete_mails_to
from surpeer.web.venues.models import Reviewer
from web.people import People


@pytest.fixture
def folder(tmp_path: Path, settings: object) -> Path:
    """Where mails land."""
    settings.EMAIL_BACKEND = "surpeer.web.mail_folder.EmailBackend"  # type: ignore[attr-defined]
    settings.EMAIL_FILE_PATH = tmp_path / "mail"  # type: ignore[attr-defined]
    return tmp_path / "mail"


def texts(folder: Path) -> list[str]:
    return sorted(path.read_text() for path in folder.glob("*.eml"))


def test_each_mail_is_a_file_that_mail_programs_open(folder: Path) -> None:
    mails = [
        EmailMessage(f"Über {number}", "Grüße\n" * number, to=["ada@example.org"], reply_to=["chair@example.org"])
        for number in (1, 2)
    ]
    with get_connection() as connection:
        assert connection.send_messages(mails) == 2
    read = [email.message_from_bytes(path.read_bytes(), policy=email.policy.default) for path in folder.iterdir()]
    assert sorted((str(one["Subject"]), one.get_content().replace("\r", "")) for one in read) == [
        ("Über 1", "Grüße\n"),
        ("Über 2", "Grüße\nGrüße\n"),
    ]
    assert {(str(one["To"]), str(one["Reply-To"]), str(one["X-Unsent"])) for one in read} == {
        ("ada@example.org", "chair@example.org", "1")
    }
    for path in folder.iterdir():
        assert re.fullmatch(r"ada-example-org-uber-[12]-\d{8}-\d{6}-[0-9a-f]{12}\.eml", path.name)
        lines = path.read_bytes().split(b"\n")[:-1]
        assert all(line.endswith(b"\r") and not line.endswith(b"\r\r") for line in lines)


def test_the_name_of_a_file_says_whom_it_is_for_and_what_it_is(people: People, folder: Path) -> None:
    chair = people.browsers["chair"]
    Reviewer.objects.filter(pk=people.reviewer.pk).update(name="Ada / ..\\ <b>Ådams</b>" + "x" * 60)
    Reviewer.objects.filter(pk=people.second_reviewer.pk).update(name="研究")
    chair.post("/venues/workshop/invite/")
    chair.post(f"/venues/workshop/reviewers/{people.second_reviewer.pk}/remind/")
    chair.post("/venues/workshop/people/invite/", {"email": "zoe@example.org", "role": "chair"})
    named = sorted(re.sub(r"-\d{8}-\d{6}-[0-9a-f]{12}\.eml$", "", path.name) for path in folder.iterdir())
    assert named == [
        "ada-badamsb" + "x" * 29 + "-invitation",
        "ben-example-org-invitation",
        "ben-example-org-reminder",
        "zoe-example-org-workshop-your-access",
    ]


def test_settings_without_a_mail_server_name_the_folder() -> None:
    from surpeer.web import settings as kept

    assert (kept.EMAIL_BACKEND, kept.EMAIL_FILE_PATH.name) == ("surpeer.web.mail_folder.EmailBackend", "mail")


def test_erasing_a_person_deletes_mails_that_an_earlier_version_filed(people: People, folder: Path) -> None:
    folder.mkdir()
    (folder / "20260101-120000-1.log").write_text(f"To: ada@example.org\n{HEADER}: {people.reviewer.pk}\n\nDear Ada\n")
    (folder / "20260101-120000-2.log").write_text(f"To: ben@example.org\n{HEADER}: {people.second_reviewer.pk}\n\n")
    assert delete_mails_to(people.reviewer.pk) == 1
    assert [path.name for path in folder.iterdir()] == ["20260101-120000-2.log"]


def test_erasing_a_person_deletes_her_her_mails_and_nobody_elses(
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
