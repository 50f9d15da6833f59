"""Discarding a draft: asked first, without JavaScript, and never what another window saved."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from surpeer.web.reviews.discarding import GONE, KEPT
from surpeer.web.reviews.drafts import current_draft, discard_draft, is_discarded, save_draft
from surpeer.web.reviews.models import Draft
from surpeer.web.reviews.own_data import everything_about
from surpeer.web.reviews.submitting import submit
from surpeer.web.reviews.typed import Typed
from surpeer.web.reviews.window import Window
from web.people import People, browser_of

HIDDEN = re.compile(r'<input type="hidden" name="(key|based_on|draft|turn)" value="([^"]*)"')


@pytest.fixture
def browser(people: People) -> Client:
    return browser_of(people.reviewer)


def sent(**changes: object) -> dict[str, object]:
    start = {"action": "discard", "key": uuid4(), "based_on": 0, "draft": 0, "turn": 0}
    return {**start, "rating": "", "number_0": "3", "comment": "half a thought", **changes}


def answer_of(page: str) -> dict[str, object]:
    """What the form of the question sends."""
    return {**dict(HIDDEN.findall(page)), "action": "discard-now"}


def test_the_button_is_there_once_there_is_a_draft(people: People, browser: Client) -> None:
    address = f"/reviews/{people.assignments[0].pk}/"
    button = '<button class="link" name="action" value="discard" id="discard" formnovalidate{}>'
    assert button.format(" hidden") in browser.get(address).content.decode()
    save_draft(people.assignments[0], Typed(comment="a"), Window(uuid4()))
    assert button.format("") in browser.get(address).content.decode()


def test_a_draft_is_discarded_after_a_question(people: People, browser: Client) -> None:
    task = people.assignments[0]
    address = f"/reviews/{task.pk}/"
    question = browser.post(address, sent())
    text = question.content.decode()
    assert question.status_code == 200
    assert "Discard this draft?" in text
    assert "half a thought" in text
    assert "stays and counts" not in text
    assert current_draft(task, 0) is not None  # until she says yes
    done = browser.post(address, answer_of(text), follow=True)
    assert done.redirect_chain == [(address, 302)]
    assert GONE in done.content.decode()
    assert "half a thought" not in done.content.decode()
    assert current_draft(task, 0) is None
    assert "half a thought" not in str(Draft.objects.get().fields)


def test_saying_no_loses_nothing_of_what_was_typed(people: People, browser: Client) -> None:
    task, key = people.assignments[0], uuid4()
    save_draft(task, Typed(comment="half"), Window(key, turn=1))
    browser.post(f"/reviews/{task.pk}/", sent(key=key, turn=2))
    assert browser.get(f"/reviews/{task.pk}/").context["form"]["comment"].value() == "half a thought"


def test_what_was_submitted_stays(people: People, browser: Client) -> None:
    task = people.assignments[0]
    submit(task, 1, [5, 15], "submitted", uuid4(), 0)
    text = browser.post(f"/reviews/{task.pk}/", sent(based_on=1)).content.decode()
    assert "Version 1, which you submitted on" in text
    assert "stays and counts" in text
    browser.post(f"/reviews/{task.pk}/", answer_of(text))
    assert browser.get(f"/reviews/{task.pk}/").context["form"]["comment"].value() == "submitted"
    assert task.submissions.count() == 1


def test_what_another_window_saved_before_the_question_is_shown(people: People, browser: Client) -> None:
    task = people.assignments[0]
    save_draft(task, Typed(comment="of another window"), Window(uuid4(), turn=1))
    page = browser.post(f"/reviews/{task.pk}/", sent())
    assert page.status_code == 409
    assert "This review was changed in another window" in page.content.decode()
    assert Draft.objects.get().fields["comment"] == "of another window"


def test_what_another_window_saved_after_the_question_stays(people: People, browser: Client) -> None:
    task = people.assignments[0]
    text = browser.post(f"/reviews/{task.pk}/", sent()).content.decode()
    known = Draft.objects.get().number
    save_draft(task, Typed(comment="of another window"), Window(uuid4(), draft=known, turn=1))
    done = browser.post(f"/reviews/{task.pk}/", answer_of(text), follow=True)
    assert KEPT in done.content.decode()
    assert done.context["form"]["comment"].value() == "of another window"


def test_a_version_submitted_after_the_question_keeps_everything(people: People, browser: Client) -> None:
    task = people.assignments[0]
    text = browser.post(f"/reviews/{task.pk}/", sent()).content.decode()
    submit(task, 1, [5, 15], "submitted", uuid4(), 0)
    done = browser.post(f"/reviews/{task.pk}/", answer_of(text), follow=True)
    assert KEPT in done.content.decode()
    assert done.context["form"]["comment"].value() == "submitted"


def test_an_old_window_does_not_take_a_later_draft_for_the_one_it_knows(people: People) -> None:
    task, old = people.assignments[0], uuid4()
    first = save_draft(task, Typed(comment="first"), Window(uuid4(), turn=1)).draft
    assert first is not None
    assert not discard_draft(task, Window(uuid4(), draft=first.number)).conflict
    assert not save_draft(task, Typed(comment="second"), Window(uuid4(), turn=1)).conflict
    assert save_draft(task, Typed(comment="old"), Window(old, draft=first.number, turn=1)).conflict
    assert Draft.objects.get().fields["comment"] == "second"


def test_a_save_that_arrives_after_the_discarding_brings_nothing_back(people: People) -> None:
    task, key = people.assignments[0], uuid4()
    save_draft(task, Typed(comment="typed"), Window(key, turn=2))
    discard_draft(task, Window(key, turn=2))
    late = save_draft(task, Typed(comment="late"), Window(key, turn=1))
    assert (late.conflict, current_draft(task, 0)) == (False, None)
    save_draft(task, Typed(comment="begun again"), Window(key, turn=2))  # after the back button
    found = current_draft(task, 0)
    assert found is not None
    assert found.fields["comment"] == "begun again"


def test_discarding_nothing_is_no_error(people: People, browser: Client) -> None:
    assert discard_draft(people.assignments[0], Window(uuid4())).draft is None
    text = browser.post(f"/reviews/{people.assignments[0].pk}/", sent()).content.decode()
    for _ in range(2):
        assert browser.post(f"/reviews/{people.assignments[0].pk}/", answer_of(text)).status_code == 302


def test_a_discarded_draft_is_nowhere_to_be_seen(people: People, browser: Client) -> None:
    task, key = people.assignments[0], uuid4()
    save_draft(task, Typed(comment="typed"), Window(key, turn=1))
    assert '<span class="badge warn">draft</span>' in browser.get("/reviews/").content.decode()
    discard_draft(task, Window(key, turn=1))
    assert is_discarded(Draft.objects.get())
    assert '<span class="badge warn">draft</span>' not in browser.get("/reviews/").content.decode()
    assert [paper["draft"] for paper in everything_about(people.reviewer)["papers"]] == [None, None, None]


def test_a_comment_too_long_to_be_kept_can_be_discarded_all_the_same(people: People, browser: Client) -> None:
    page = browser.post(f"/reviews/{people.assignments[0].pk}/", sent(comment="x" * 20_001))
    assert page.status_code == 200
    assert Draft.objects.count() == 0
