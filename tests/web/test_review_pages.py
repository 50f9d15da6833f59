"""What a reviewer sees besides submitting: her papers, the paper, declining, scaling without a script, her data."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from surpeer.web.audit.models import Entry
from surpeer.web.reviews.models import Draft
from surpeer.web.reviews.submitting import submit
from surpeer.web.venues.models import Assignment, Paper
from web.people import People, browser_of


@pytest.fixture
def browser(people: People) -> Client:
    return browser_of(people.reviewer)


def text_of(browser: Client, address: str) -> str:
    return browser.get(address).content.decode()


def test_my_papers_show_what_is_left_done_and_declined(people: People, browser: Client) -> None:
    first, second, _ = people.assignments
    submit(first, 1, [5, 15], "", uuid4(), 0)
    browser.post(f"/reviews/{second.pk}/decline/", {"declined_because": "I know the authors"})
    text_of(browser, "/reviews/")  # with the message that it was declined
    text = text_of(browser, "/reviews/")
    order = ["1 of 2 reviewed, 1 declined", "Left to review", "Paper 3", "Submitted", "Paper 1", "Declined", "Paper 2"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert "I know the authors" in text[places[-1] :]


def test_the_deadline_is_in_the_time_of_the_venue(people: People, browser: Client) -> None:
    people.venue.deadline, people.venue.time_zone = datetime(2030, 7, 1, 22, 30, tzinfo=UTC), "Europe/Berlin"
    people.venue.instructions = "Read <b>all</b> of it."
    people.venue.save()
    text = text_of(browser, "/reviews/")
    assert "Tuesday, 2 July 2030, 00:30</time> (Europe/Berlin)" in text
    assert "Read &lt;b&gt;all&lt;/b&gt; of it." in text


OPEN = '<details class="abstract" open><summary>Instructions of the chairs</summary>'


@pytest.mark.parametrize(("letters", "stays_open"), [(400, True), (401, False)])
def test_long_instructions_are_open_until_the_first_review_is_submitted(
    people: People, browser: Client, letters: int, stays_open: bool
) -> None:
    first, second, _ = people.assignments
    people.venue.instructions = "x" * letters
    people.venue.save()
    submit(Assignment.objects.get(reviewer=people.second_reviewer, paper=first.paper), 1, [5, 15], "", uuid4(), 0)
    assert OPEN in text_of(browser, f"/reviews/{first.pk}/")
    submit(first, 1, [5, 15], "", uuid4(), 0)
    seen = [OPEN in text_of(browser, f"/reviews/{task.pk}/") for task in (first, second)]
    assert seen == [stays_open, stays_open]
    assert ("Instructions of the chairs" in text_of(browser, f"/reviews/{second.pk}/")) is True


def test_whether_instructions_are_open_costs_a_query_only_where_it_is_not_plain(
    people: People, browser: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for instructions, queries in (("", 4), ("short", 4), ("x" * 401, 5)):  # session, assignment, version, draft
        people.venue.instructions = instructions
        people.venue.save()
        with django_assert_num_queries(queries):
            text_of(browser, f"/reviews/{people.assignments[0].pk}/")


@pytest.mark.parametrize("page", ["/reviews/", "/reviews/{}/"])
def test_addresses_in_instructions_are_links_and_the_rest_is_text(people: People, browser: Client, page: str) -> None:
    people.venue.instructions = (
        'See (https://example.org/guide?a=1&b="><b>), javascript:alert(1)\n\nand <a href=" rel="nofollow">this</a>.'
    )
    people.venue.save()
    text = text_of(browser, page.format(people.assignments[0].pk))
    new_tab = 'rel="noreferrer noopener" target="_blank"'
    assert f'<a href="https://example.org/guide?a=1&amp;b=" {new_tab}>https://example.org/guide?a=1&amp;b=</a>' in text
    assert "&quot;&gt;&lt;b&gt;), javascript:alert(1)</p>" in text
    assert "&lt;a href=&quot; rel=&quot;nofollow&quot;&gt;this&lt;/a&gt;.</p>" in text


def test_many_papers_are_shown_in_pages_and_by_few_queries(
    people: People, browser: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    papers = Paper.objects.bulk_create(Paper(venue=people.venue, key=f"Q{n:03}") for n in range(150))
    Assignment.objects.bulk_create(Assignment(paper=paper, reviewer=people.reviewer) for paper in papers)
    with django_assert_num_queries(5):  # session, reviewer, states, count, the page
        text = text_of(browser, "/reviews/")
    assert ("Page 1 of 2" in text, text.count('<li class="card">')) == (True, 100)
    assert text_of(browser, "/reviews/?page=2").count('<li class="card">') == 53


def test_nobody_has_papers_yet(people: People) -> None:
    people.other_reviewer.assignments.all().delete()
    assert "No paper is assigned to you yet." in text_of(browser_of(people.other_reviewer), "/reviews/")


@pytest.mark.parametrize(("blindness", "seen"), [("single", True), ("double", False), ("triple", False)])
def test_authors_are_shown_only_where_reviewers_may_know_them(
    people: People, browser: Client, blindness: str, seen: bool
) -> None:
    people.venue.blindness = blindness
    people.venue.save()
    assert ("Author 1" in text_of(browser, f"/reviews/{people.assignments[0].pk}/")) is seen


@pytest.mark.parametrize(("url", "shown"), [("https://example.org/1.pdf", True), ("javascript:alert(1)", False)])
def test_the_paper_is_linked_if_its_address_is_one(people: People, browser: Client, url: str, shown: bool) -> None:
    Paper.objects.filter(pk=people.papers[0].pk).update(url=url, abstract="We <i>show</i> it.")
    text = text_of(browser, f"/reviews/{people.assignments[0].pk}/")
    assert (f'href="{url}" rel="noreferrer noopener"' in text) is shown
    assert "We &lt;i&gt;show&lt;/i&gt; it." in text


@pytest.mark.parametrize(
    ("form", "question", "count"),
    [
        ("imagined", "Imagine 20 other reviewers of this paper: how many would give each rating?", 2),
        ("shares", "How many per cent of the other reviewers of this paper would give each rating?", 2),
        ("top", "How many per cent of the other reviewers of this paper would give “accept”, the highest rating?", 1),
    ],
)
def test_the_question_is_that_of_the_venue_and_starts_empty(
    people: People, browser: Client, form: str, question: str, count: int
) -> None:
    people.venue.prediction_form = form
    people.venue.save()
    page = browser.get(f"/reviews/{people.assignments[0].pk}/")
    assert question in page.content.decode()
    assert [field.value() for field in page.context["form"].numbers] == [None] * count
    assert page.context["form"]["rating"].value() == ""


def test_nothing_of_other_reviews_is_shown(people: People, browser: Client) -> None:
    theirs = Assignment.objects.get(reviewer=people.second_reviewer, paper=people.papers[0])
    submit(theirs, 1, [3, 17], "their comment", uuid4(), 0)
    for page in ("/reviews/", f"/reviews/{people.assignments[0].pk}/", "/reviews/my-data/"):
        text = text_of(browser, page)
        assert ("their comment" in text, "ben@example.org" in text) == (False, False)


def test_declining_needs_a_reason_and_can_be_taken_back(people: People, browser: Client) -> None:
    task = people.assignments[0]
    refused = browser.post(f"/reviews/{task.pk}/decline/", {"declined_because": " "})
    assert refused.status_code == 422
    assert "Say why, in a few words: the chairs have to find somebody else." in refused.content.decode()
    browser.post(f"/reviews/{task.pk}/decline/", {"declined_because": "no time"})
    task.refresh_from_db()
    assert (task.declined_because, task.declined_at is not None) == ("no time", True)
    assert "Review it after all" in text_of(browser, f"/reviews/{task.pk}/")
    assert browser.post(f"/reviews/{task.pk}/take-back/").headers["Location"] == f"/reviews/{task.pk}/"
    task.refresh_from_db()
    assert (task.declined_because, task.declined_at) == ("", None)
    logged = Entry.objects.filter(reviewer=people.reviewer.pk).order_by("pk").values_list("action", "about")
    assert list(logged) == [("declined a paper", "P1"), ("took back that a paper was declined", "P1")]


@pytest.mark.parametrize("page", ["decline", "take-back"])
def test_after_the_closing_nothing_is_declined_or_taken_back(people: People, browser: Client, page: str) -> None:
    task = people.assignments[0]
    people.venue.closed_at = timezone.now()
    people.venue.save()
    answer = browser.post(f"/reviews/{task.pk}/{page}/", {"declined_because": "no time"}, follow=True)
    assert "The round is closed: papers can no longer be declined or taken back." in answer.content.decode()
    task.refresh_from_db()
    assert task.declined_at is None


def test_after_the_closing_what_was_submitted_is_shown(people: People, browser: Client) -> None:
    task = people.assignments[0]
    submit(task, 1, [5, 15], "my words", uuid4(), 0)
    people.venue.closed_at = timezone.now()
    people.venue.save()
    text = text_of(browser, f"/reviews/{task.pk}/")
    assert "nothing can be submitted or changed any more" in text
    assert "What you submitted" in text
    assert "my words" in text
    assert 'name="rating"' not in text


def scaling(**changes: object) -> dict[str, object]:
    start = {"action": "scale", "key": uuid4(), "based_on": 0, "draft": 0, "turn": 0, "rating": 0, "comment": "c"}
    return {**start, "number_0": "10", "number_1": "15", **changes}


def test_scaling_without_a_script_says_what_it_did_and_is_undone(people: People, browser: Client) -> None:
    address, sent = f"/reviews/{people.assignments[0].pk}/", scaling()
    page = browser.post(address, sent)
    text = page.content.decode()
    assert [field.value() for field in page.context["form"].numbers] == ["8", "12"]
    assert "Scaled from 25 to 20:" in text
    assert '<span class="text">reject</span> 10 → 8, <span class="text">accept</span> 15 → 12.' in text
    assert page.context["form"].window.key == sent["key"]
    undone = browser.post(address, {**sent, "action": "unscale", "number_0": 8, "number_1": 12, "before": "10,15"})
    assert [field.value() for field in undone.context["form"].numbers] == ["10", "15"]
    assert undone.context["form"]["comment"].value() == "c"
    assert Draft.objects.count() == 0


@pytest.mark.parametrize("numbers", [("", ""), ("0", "0"), ("x", "5")])
def test_nothing_to_scale_is_said(people: People, browser: Client, numbers: tuple[str, str]) -> None:
    sent = scaling(number_0=numbers[0], number_1=numbers[1])
    page = browser.post(f"/reviews/{people.assignments[0].pk}/", sent)
    assert page.status_code == 422
    assert "Nothing was scaled: first give whole numbers" in page.content.decode()
    assert tuple(field.value() for field in page.context["form"].numbers) == numbers


@pytest.mark.parametrize("before", ["", "1", "1,2,3", "1,<b>", "a,b"])
def test_undoing_what_was_not_scaled_changes_nothing(people: People, browser: Client, before: str) -> None:
    page = browser.post(f"/reviews/{people.assignments[0].pk}/", scaling(action="unscale", before=before))
    assert [field.value() for field in page.context["form"].numbers] == ["10", "15"]


def test_my_data_is_everything(
    people: People, browser: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first, second, _ = people.assignments
    submit(first, 1, [5, 15], "one", uuid4(), 0)
    submit(first, 0, [15, 5], "two", uuid4(), 1)
    Draft.objects.create(assignment=second, fields={"comment": "half"})
    with django_assert_num_queries(7):  # reviewer, log; links, papers with drafts, versions, exclusions, log
        answer = browser.get("/reviews/my-data/")
    found = answer.json()
    assert answer.headers["Content-Disposition"] == 'attachment; filename="my-reviews-workshop.json"'
    assert found["reviewer"]["email"] == "ada@example.org"
    versions = [
        (one["number"], one["rating"], one["prediction"], one["comment"]) for one in found["papers"][0]["submissions"]
    ]
    assert versions == [(1, "accept", [5, 15], "one"), (2, "reject", [15, 5], "two")]
    assert found["papers"][1]["draft"]["comment"] == "half"
    assert [entry["action"] for entry in found["log"]] == ["submitted a review"] * 2 + ["exported personal data"]
    assert len(found["personal_links"]) == 1
    assert "hash" not in answer.content.decode()
