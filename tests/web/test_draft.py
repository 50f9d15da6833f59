"""Drafts: kept as typed, by script and by button; two windows do not overwrite each other."""

from datetime import datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from surpeer.web.reviews.drafts import save_draft
from surpeer.web.reviews.models import Draft
from surpeer.web.reviews.submitting import submit
from surpeer.web.reviews.typed import Typed
from surpeer.web.reviews.window import Window
from web.people import People, browser_of


@pytest.fixture
def browser(people: People) -> Client:
    return browser_of(people.reviewer)


def half(**changes: object) -> dict[str, object]:
    """A form half filled, with what no one could submit."""
    start = {"action": "draft", "key": uuid4(), "based_on": 0, "draft": 0, "turn": 0}
    return {**start, "rating": "", "number_0": "3", "number_1": "many", "comment": "to be written", **changes}


def stored(people: People) -> dict[str, object]:
    return dict(Draft.objects.get(assignment=people.assignments[0]).fields)


def test_the_script_saves_what_was_typed_and_gets_the_number(people: People, browser: Client) -> None:
    task, sent = people.assignments[0], half()
    answers = [browser.post(f"/reviews/{task.pk}/draft/", {**sent, "turn": turn}) for turn in (1, 2)]
    assert [(answer.status_code, answer.json()["draft"]) for answer in answers] == [(200, 1), (200, 2)]
    assert stored(people)["numbers"] == ["3", "many"]
    form = browser.get(f"/reviews/{task.pk}/").context["form"]
    assert [field.value() for field in form.numbers] == ["3", "many"]
    assert (form["comment"].value(), form.window.draft) == ("to be written", 2)


def test_the_script_shows_the_time_at_the_venue(people: People, browser: Client) -> None:
    type(people.venue).objects.update(time_zone="Asia/Kolkata")
    answer = browser.post(f"/reviews/{people.assignments[0].pk}/draft/", half()).json()
    there = datetime.fromisoformat(answer["saved_at"]).astimezone(ZoneInfo("Asia/Kolkata"))
    assert answer["text"] == f"Draft saved {there.day} {there:%b, %H:%M}"


def test_after_the_closing_a_draft_is_kept_and_nothing_else_is_promised(people: People, browser: Client) -> None:
    task = people.assignments[0]
    type(people.venue).objects.update(closed_at=timezone.now())
    closed = "The round is closed: nothing can be submitted any more. What you typed is kept as a draft."
    assert browser.post(f"/reviews/{task.pk}/draft/", half()).json()["text"] == closed
    page = browser.post(f"/reviews/{task.pk}/", half(draft=1), follow=True).content.decode()
    assert closed in page
    assert "It counts only once you submit it." not in page
    scaled = browser.post(f"/reviews/{task.pk}/", half(action="scale", number_1="7")).content.decode()
    assert "The round is closed: nothing can be submitted any more.</p>" in scaled
    assert 'value="submit"' not in scaled


def test_the_button_saves_and_says_so(people: People, browser: Client) -> None:
    task = people.assignments[0]
    page = browser.post(f"/reviews/{task.pk}/", half(), follow=True)
    assert page.redirect_chain == [(f"/reviews/{task.pk}/", 302)]
    text = page.content.decode()
    assert "Draft saved. It counts only once you submit it." in text
    assert "Below is your draft of" in text
    assert "to be written</textarea>" in text


def test_a_window_behind_another_is_told_and_overwrites_nothing(people: People, browser: Client) -> None:
    task = people.assignments[0]
    browser.post(f"/reviews/{task.pk}/draft/", half(comment="first window"))
    answer = browser.post(f"/reviews/{task.pk}/draft/", half(comment="second window"))
    assert answer.status_code == 409
    assert answer.json()["problem"].startswith("This review was changed in another window.")
    assert stored(people)["comment"] == "first window"
    page = browser.post(f"/reviews/{task.pk}/", half(comment="second window"))
    text = page.content.decode()
    assert page.status_code == 409
    assert "Another draft was saved" in text
    assert text.index("first window") < text.index("second window")
    hidden = page.context["form"].window.fields
    browser.post(f"/reviews/{task.pk}/", half(comment="second window", **hidden))
    assert stored(people)["comment"] == "second window"


def test_a_window_goes_on_where_its_own_answers_were_lost(people: People) -> None:
    task, key = people.assignments[0], uuid4()
    for turn in (1, 2, 3):
        assert not save_draft(task, Typed(comment=f"{turn}"), Window(key, draft=0, turn=turn)).conflict
    assert stored(people)["comment"] == "3"


def test_a_save_that_arrives_late_changes_nothing(people: People) -> None:
    task, key = people.assignments[0], uuid4()
    save_draft(task, Typed(comment="newer"), Window(key, turn=2))
    late = save_draft(task, Typed(comment="older"), Window(key, turn=1))
    assert (late.conflict, stored(people)["comment"]) == (False, "newer")


def test_a_draft_started_before_a_submission_is_not_saved_over_it(people: People, browser: Client) -> None:
    task = people.assignments[0]
    submit(task, 1, [5, 15], "submitted", uuid4(), 0)
    answer = browser.post(f"/reviews/{task.pk}/draft/", half())
    assert (answer.status_code, Draft.objects.count()) == (409, 0)


def test_a_draft_of_an_older_version_gives_way(people: People, browser: Client) -> None:
    task = people.assignments[0]
    submit(task, 1, [5, 15], "submitted", uuid4(), 0)
    Draft.objects.create(assignment=task, fields={**Typed(comment="old").as_draft, "based_on": 0})
    assert browser.get(f"/reviews/{task.pk}/").context["form"]["comment"].value() == "submitted"
    assert not save_draft(task, Typed(comment="new"), Window(uuid4(), based_on=1)).conflict
    assert stored(people)["comment"] == "new"


def test_a_draft_is_never_submitted_by_itself_and_says_so(people: People, browser: Client) -> None:
    task = people.assignments[0]
    browser.post(f"/reviews/{task.pk}/draft/", half())
    assert task.submissions.count() == 0
    text = browser.get("/reviews/").content.decode()
    assert "0 of 3 reviewed" in text
    assert '<span class="badge warn">draft</span>' in text


def test_characters_no_database_takes_are_left_out(people: People, browser: Client) -> None:
    browser.post(f"/reviews/{people.assignments[0].pk}/draft/", half(comment="a\0b"))
    assert stored(people)["comment"] == "ab"


def test_a_comment_too_long_is_refused_and_comes_back(people: People, browser: Client) -> None:
    task, long = people.assignments[0], "x" * 20_001
    answer = browser.post(f"/reviews/{task.pk}/draft/", half(comment=long))
    assert (answer.status_code, answer.json()["problem"]) == (
        422,
        "Draft not saved: the comment is longer than 20,000 characters.",
    )
    page = browser.post(f"/reviews/{task.pk}/", half(comment=long))
    assert (page.status_code, page.context["form"]["comment"].value(), Draft.objects.count()) == (422, long, 0)
