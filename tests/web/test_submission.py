"""Submitting a review: checked by the server, stored once, revised, never overwritten silently, never late."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from surpeer.web.audit.models import Entry
from surpeer.web.reviews import submitting
from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.reviews.storing import stored_at_once
from surpeer.web.reviews.submitting import Status, current_submissions, submit
from surpeer.web.venues.models import Assignment, Venue
from web.people import People, browser_of

Fields = dict[str, object]


@pytest.fixture
def browser(people: People) -> Client:
    return browser_of(people.reviewer)


def filled(**changes: object) -> Fields:
    """A whole form: 5 of 20 say reject, 15 accept."""
    whole = {"action": "submit", "key": uuid4(), "based_on": 0, "draft": 0, "turn": 0}
    return {**whole, "rating": 1, "number_0": 5, "number_1": 15, "comment": "sound", **changes}


def address(assignment: Assignment, page: str = "") -> str:
    return f"/reviews/{assignment.pk}/{page}"


def versions(assignment: Assignment) -> list[tuple[int, int, list[int], str]]:
    found = Submission.objects.filter(assignment=assignment).order_by("number")
    return [(one.number, one.rating, one.prediction, one.comment) for one in found]


def test_a_submission_is_stored_as_it_was_given_and_shown(people: People, browser: Client) -> None:
    task = people.assignments[0]
    answer = browser.post(address(task), filled(), follow=True)
    assert answer.redirect_chain == [(address(task, "stored/"), 302)]
    assert versions(task) == [(1, 1, [5, 15], "sound")]
    text = answer.content.decode()
    assert "Version 1 of your review" in text
    assert '<span class="text">reject</span>: 5' in text
    assert f'href="{address(people.assignments[1])}">Next paper: Paper 2' in text
    entry = Entry.objects.get(action="submitted a review")
    assert (entry.reviewer, entry.about, entry.details) == (people.reviewer.pk, "P1", {"number": 1})


def test_numbers_left_empty_are_0_where_the_others_add_up(people: People, browser: Client) -> None:
    browser.post(address(people.assignments[0]), filled(number_0="", number_1=20))
    assert versions(people.assignments[0]) == [(1, 1, [0, 20], "sound")]


@pytest.mark.parametrize(
    ("changes", "problems"),
    [
        ({"rating": ""}, ["Choose a rating."]),
        ({"rating": "2"}, ["Choose a rating: found number 2, which this venue does not have."]),
        ({"number_1": 12}, ["The numbers add up to 17, expected 20: 3 left to place."]),
        ({"number_1": 17}, ["The numbers add up to 22, expected 20: 2 too many."]),
        ({"number_0": "", "number_1": " "}, ["The prediction is empty: say what you expect of the other reviewers."]),
        (
            {"rating": "", "number_0": "2.5", "number_1": "-3"},
            [
                "Choose a rating.",
                "reject: found “2.5”, expected a whole number from 0 to 20.",
                "accept: found “-3”, expected a whole number from 0 to 20.",
            ],
        ),
        ({"comment": "x" * 20_001}, ["The comment has 20001 characters, at most 20000 are stored: shorten it."]),
        ({"key": "none"}, ["The form did not arrive complete."]),
        (
            {"key": "", "rating": "", "number_0": "", "number_1": "", "comment": "x" * 20_001},
            ["did not arrive complete", "Choose a rating.", "The prediction is empty", "The comment has 20001"],
        ),
    ],
)
def test_a_wrong_form_comes_back_as_it_was_filled(
    people: People, browser: Client, changes: Fields, problems: list[str]
) -> None:
    sent = filled(**changes)
    answer = browser.post(address(people.assignments[0]), sent)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert Submission.objects.count() == 0
    assert [problem for problem in problems if problem not in text] == []
    form = answer.context["form"]
    assert [str(field.value()) for field in form.numbers] == [str(sent["number_0"]), str(sent["number_1"])]
    assert (form["comment"].value(), str(form["rating"].value())) == (sent["comment"], str(sent["rating"]))
    assert 'id="problems" role="alert" tabindex="-1" autofocus' in text


def test_what_no_database_takes_is_left_out_and_shown_before_anything_is_stored(
    people: People, browser: Client
) -> None:
    answer = browser.post(address(people.assignments[0]), filled(comment="so\0und"))
    assert answer.status_code == 422
    assert "held characters that cannot be stored (NUL)" in answer.content.decode()
    assert answer.context["form"]["comment"].value() == "sound"
    assert Submission.objects.count() == 0


def test_lines_of_a_comment_end_with_one_character_and_count_as_one(people: People, browser: Client) -> None:
    browser.post(address(people.assignments[0]), filled(comment="\r\n" + "ab\r\n" * 6_666 + " "))
    assert versions(people.assignments[0]) == [(1, 1, [5, 15], ("ab\n" * 6_666).strip())]


@pytest.mark.parametrize(
    ("form", "fields", "stored"),
    [
        ("top", {"number_0": 70}, [70]),
        ("top", {"number_0": 0}, [0]),
        ("shares", {"number_0": 30, "number_1": 70}, [30, 70]),
    ],
)
def test_the_other_forms_of_prediction(
    people: People, browser: Client, form: str, fields: Fields, stored: list[int]
) -> None:
    people.venue.prediction_form = form
    people.venue.save()
    sent = {**filled(), "number_1": "", **fields}
    assert browser.post(address(people.assignments[0]), sent).status_code == 302
    assert versions(people.assignments[0]) == [(1, 1, stored, "sound")]
    page = browser.get(address(people.assignments[0], "stored/")).content.decode()
    assert f"</span>: {stored[-1]}%</li>" in page


def test_a_repeated_request_gets_the_same_answer_and_stores_nothing(people: People, browser: Client) -> None:
    task, sent = people.assignments[0], filled()
    answers = [browser.post(address(task), sent) for _ in range(3)]
    assert {(answer.status_code, answer.headers["Location"]) for answer in answers} == {(302, address(task, "stored/"))}
    assert len(versions(task)) == 1
    assert Entry.objects.filter(action="submitted a review").count() == 1


def test_a_repeated_request_succeeds_after_a_revision_and_after_the_closing(people: People, browser: Client) -> None:
    task, first = people.assignments[0], filled()
    browser.post(address(task), first)
    browser.post(address(task), filled(based_on=1, rating=0))
    people.venue.closed_at = timezone.now()
    people.venue.save()
    assert browser.post(address(task), first).status_code == 302
    assert [version[:2] for version in versions(task)] == [(1, 1), (2, 0)]


def test_a_form_changed_after_it_was_sent_is_no_repetition(people: People, browser: Client) -> None:
    task, key = people.assignments[0], uuid4()
    browser.post(address(task), filled(key=key))
    answer = browser.post(address(task), filled(key=key, rating=0))
    assert answer.status_code == 409
    assert "This review was changed in another window" in answer.content.decode()
    assert versions(task) == [(1, 1, [5, 15], "sound")]


def test_revising_keeps_every_version(people: People, browser: Client) -> None:
    task = people.assignments[0]
    browser.post(address(task), filled())
    page = browser.get(address(task))
    assert page.context["form"].window.based_on == 1
    assert [field.value() for field in page.context["form"].numbers] == ["5", "15"]
    browser.post(address(task), filled(based_on=1, rating=0, number_0=12, number_1=8, comment=""))
    assert versions(task) == [(1, 1, [5, 15], "sound"), (2, 0, [12, 8], "")]


def test_two_windows_do_not_overwrite_each_other(people: People, browser: Client) -> None:
    task = people.assignments[0]
    browser.post(address(task), filled(comment="from the first window"))
    answer = browser.post(address(task), filled(rating=0, number_0=12, number_1=8, comment="from the second"))
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Another version was submitted" in text
    assert text.index("from the first window") < text.index("from the second")
    form = answer.context["form"]
    assert [field.value() for field in form.numbers] == ["12", "8"]
    chosen = filled(rating=0, number_0=12, number_1=8, comment="chosen")
    browser.post(address(task), {**chosen, **form.window.fields})
    assert versions(task) == [(1, 1, [5, 15], "from the first window"), (2, 0, [12, 8], "chosen")]


def test_a_late_revision_leaves_what_was_submitted_and_says_so(people: People, browser: Client) -> None:
    task = people.assignments[0]
    browser.post(address(task), filled())
    type(people.venue).objects.update(closed_at=timezone.now())
    text = browser.post(address(task), filled(based_on=1, comment="too late")).content.decode()
    assert "It stays and counts." in text
    assert "You can change it" not in text
    assert "Submit the changed review" not in text


def test_a_window_that_was_told_of_another_compares_before_it_submits(people: People, browser: Client) -> None:
    task = people.assignments[0]
    browser.post(address(task, "draft/"), filled(comment="other window"))
    told = filled(comment="this window", overtaken="1")
    answer = browser.post(address(task), told)
    text = answer.content.decode()
    assert (answer.status_code, versions(task)) == (409, [])
    assert "Another draft was saved" in text
    assert text.index("other window") < text.index("this window")
    assert 'name="overtaken" value=""' in text  # the answer to this page is taken
    hidden = answer.context["form"].window.fields
    browser.post(address(task), filled(comment="this window", overtaken="", **hidden))
    assert versions(task) == [(1, 1, [5, 15], "this window")]


def test_a_window_that_was_told_remembers_it_over_a_wrong_form(people: People, browser: Client) -> None:
    answer = browser.post(address(people.assignments[0]), filled(number_0="", overtaken="1"))
    assert answer.status_code == 422
    assert 'name="overtaken" value="1"' in answer.content.decode()


def test_a_window_that_was_told_submits_where_the_other_draft_is_gone(people: People, browser: Client) -> None:
    task = people.assignments[0]
    browser.post(address(task), filled(overtaken="1"))
    assert len(versions(task)) == 1


@pytest.mark.parametrize("how", ["closed", "deadline"])
def test_a_late_submission_is_refused_and_what_was_typed_is_kept(people: People, browser: Client, how: str) -> None:
    task = people.assignments[0]
    changed = {"closed": {"closed_at": timezone.now()}, "deadline": {"deadline": timezone.now() - timedelta(seconds=1)}}
    type(people.venue).objects.filter(pk=people.venue.pk).update(**changed[how])
    answer = browser.post(address(task), filled(comment="too late"))
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "The round is closed: what you sent was not submitted. It is kept as a draft" in text
    assert "too late</textarea>" in text
    assert 'value="submit"' not in text
    assert "Submit the review" not in text
    assert Submission.objects.count() == 0
    assert Draft.objects.get().fields["comment"] == "too late"
    shown = browser.get(address(task)).content.decode()
    assert "You did not submit a review of this paper." in shown
    assert "It was not submitted and does not count." in shown
    assert "<textarea" not in shown


def test_a_scale_that_was_changed_meanwhile_is_not_rated_on(
    people: People, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(new: Submission) -> bool:
        levels = [{"label": "accept", "value": 0}, {"label": "reject", "value": 1}]
        Venue.objects.update(levels=levels)  # between the check of the form and the transaction
        return stored_at_once(new)

    monkeypatch.setattr(submitting, "stored_at_once", changed)
    answer = browser.post(address(people.assignments[0]), filled())
    assert answer.status_code == 409
    assert (
        "The chairs changed the scale, the question or who sees what while you were writing" in answer.content.decode()
    )
    assert versions(people.assignments[0]) == []


def test_a_declined_paper_takes_no_submission(people: People, browser: Client) -> None:
    task = people.assignments[0]
    browser.post(address(task, "decline/"), {"declined_because": "I know them"})
    answer = browser.post(address(task), filled())
    assert answer.status_code == 409
    assert "You declined this paper in another window" in answer.content.decode()
    assert Submission.objects.count() == 0


@pytest.mark.parametrize("page", ["", "draft/", "decline/", "take-back/"])
def test_papers_of_others_do_not_exist(people: People, browser: Client, page: str) -> None:
    theirs = Assignment.objects.filter(reviewer=people.second_reviewer).first()
    assert theirs is not None
    answer = browser.post(address(theirs, page), filled(declined_because="x"))
    assert answer.status_code == 404
    assert 'This browser came last by a link of <span class="text">Ada</span>' in answer.content.decode()
    assert (Submission.objects.count(), Draft.objects.count()) == (0, 0)


def test_a_page_of_another_venue_says_which_link_was_opened_last(people: People) -> None:
    answer = browser_of(people.other_reviewer).post(address(people.assignments[0]), filled(comment="long thoughts"))
    text = answer.content.decode()
    assert (answer.status_code, "Workshop" in text, "Paper 1" in text) == (404, False, False)
    assert 'came last by a link of <span class="text">Cleo</span>, reviewer of <span class="text">Elsewhere' in text
    assert "If the paper came with another personal link, open that link again, in another tab" in text
    assert "long thoughts</textarea>" in text
    assert Submission.objects.count() == 0


def test_a_key_of_somebody_else_stores_and_shows_nothing_of_theirs(people: People, browser: Client) -> None:
    key = uuid4()
    theirs = Assignment.objects.filter(reviewer=people.second_reviewer).first()
    assert theirs is not None
    browser_of(people.second_reviewer).post(address(theirs), filled(key=key, comment="secret"))
    answer = browser.post(address(people.assignments[0]), filled(key=key))
    assert answer.status_code == 409
    assert "secret" not in answer.content.decode()
    assert versions(people.assignments[0]) == []


def test_a_submission_costs_few_queries(
    people: People, browser: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    # the assignment; then in one transaction: the review, its draft, the log
    with django_assert_num_queries(1 + 1 + 3 + 1):  # with savepoint and release, which a test's transaction needs
        browser.post(address(people.assignments[0]), filled())


def test_the_draft_goes_with_the_submission(people: People, browser: Client) -> None:
    task, key = people.assignments[0], uuid4()
    browser.post(address(task, "draft/"), filled(key=key))
    assert Draft.objects.count() == 1
    browser.post(address(task), filled(key=key, draft=1))
    assert Draft.objects.count() == 0


def test_current_submissions_are_the_latest_of_papers_not_declined(people: People) -> None:
    first, second, third = people.assignments
    for assignment in (first, second):
        submit(assignment, 0, [20, 0], "", uuid4(), 0)
    submit(first, 1, [0, 20], "", uuid4(), 1)
    submit(third, 1, [0, 20], "", uuid4(), 0)
    third.declined_at = timezone.now()
    third.save()
    found = current_submissions(people.venue)
    assert [(one.assignment_id, one.number) for one in found] == [(second.pk, 1), (first.pk, 2)]
    assert not current_submissions(people.other_venue).exists()


def test_a_key_that_was_used_for_something_else_stores_nothing(people: People) -> None:
    task, key = people.assignments[0], UUID(int=1)
    submit(task, 1, [5, 15], "", key, 0)
    assert submit(task, 0, [15, 5], "", key, 1) is Status.CONFLICT
    assert versions(task) == [(1, 1, [5, 15], "")]
    assert Entry.objects.filter(action="submitted a review").count() == 1


def test_outcomes_of_submit(people: People) -> None:
    task, key = people.assignments[0], UUID(int=7)
    first = submit(task, 1, [5, 15], "", key, 0)
    assert (first, first.succeeded) == (Status.STORED, True)
    assert submit(task, 1, [5, 15], "", key, 0) is Status.REPEATED
    assert submit(task, 0, [5, 15], "", uuid4(), 0) is Status.CONFLICT
    assert submit(task, 0, [5, 15], "", uuid4(), 5) is Status.CONFLICT
