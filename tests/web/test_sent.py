"""What was typed is not lost where the link no longer counts, and nobody learns anything by sending a form."""

from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.venues.models import PersonalLink
from web.people import People, browser_of, make_link

LABELS = "reject\r\naccept"
AGAIN = '<button class="main">Send it again</button>'


def filled(**changes: object) -> dict[str, object]:
    """A whole form, as the browser sends it."""
    whole = {"action": "submit", "key": uuid4(), "based_on": 0, "draft": 0, "turn": 3, "labels": LABELS}
    return {**whole, "rating": 1, "number_0": 4, "number_1": 16, "comment": "\r\nlong\r\nthoughts", **changes}


@pytest.fixture
def locked_out(people: People) -> Client:
    """A reviewer's browser whose link was revoked while she was writing."""
    browser = browser_of(people.reviewer)
    PersonalLink.objects.update(revoked_at=timezone.now())
    return browser


def hidden_of(text: str) -> dict[str, str]:
    """The hidden fields of the form that is sent again."""
    parts = text[text.index("<h2>What you typed</h2>") :].split('<input type="hidden" name="')[1:]
    return {part.split('"', 1)[0]: part.split('value="', 1)[1].split('"', 1)[0] for part in parts}


def test_a_submission_comes_back_whole_with_what_to_do(people: People, locked_out: Client) -> None:
    sent = filled()
    answer = locked_out.post(f"/reviews/{people.assignments[0].pk}/", sent)
    text = answer.content.decode()
    assert answer.status_code == 403
    assert "What you sent was not stored: you are signed out in this browser, or the link" in text
    assert "Open the personal link in the latest mail you got, in another tab of this browser." in text
    assert '<dt>Rating</dt><dd class="text">accept</dd>' in text
    assert '<span class="text">reject</span>: 4</li><li><span class="text">accept</span>: 16</li>' in text
    assert 'name="comment" rows="8" readonly>\n\r\nlong\r\nthoughts</textarea>' in text
    assert ("Workshop" in text, "Paper 1" in text, "Ada" in text) == (False, False, False)
    assert (Submission.objects.count(), Draft.objects.count()) == (0, 0)


def test_sent_again_after_the_link_was_opened_it_is_stored(people: People, locked_out: Client) -> None:
    task = people.assignments[0]
    text = locked_out.post(f"/reviews/{task.pk}/", filled()).content.decode()
    assert f'<form method="post" action="/reviews/{task.pk}/"' in text
    assert AGAIN in text
    again = hidden_of(text)
    assert again.pop("csrfmiddlewaretoken")
    assert again.keys() == {"action", "key", "based_on", "draft", "turn", "labels", "rating", "number_0", "number_1"}
    _, secret = make_link(people.reviewer)
    locked_out.get(f"/r/{secret}/")
    answer = locked_out.post(f"/reviews/{task.pk}/", {**again, "comment": "\r\nlong\r\nthoughts"})
    assert answer.headers["Location"] == f"/reviews/{task.pk}/stored/"
    stored = Submission.objects.get()
    assert (stored.rating, stored.prediction, stored.comment) == (1, [4, 16], "long\nthoughts")


def test_the_link_of_another_reviewer_takes_nothing_away_either(people: People) -> None:
    task, sent = people.assignments[0], filled(rating=0)
    browser = browser_of(people.second_reviewer)
    answer = browser.post(f"/reviews/{task.pk}/", sent)
    text = answer.content.decode()
    assert answer.status_code == 404
    assert '<dt>Rating</dt><dd class="text">reject</dd>' in text
    assert "thoughts</textarea>" in text
    assert hidden_of(text)["key"] == str(sent["key"])
    _, secret = make_link(people.reviewer)
    browser.get(f"/r/{secret}/")
    assert browser.post(f"/reviews/{task.pk}/", sent).headers["Location"] == f"/reviews/{task.pk}/stored/"


def test_whoever_only_looks_is_told_of_the_link_and_sees_no_form(people: People) -> None:
    answer = browser_of(people.other_reviewer).get(f"/reviews/{people.assignments[0].pk}/")
    text = answer.content.decode()
    assert (answer.status_code, AGAIN in text, "Workshop" in text) == (404, False, False)
    assert "If the paper came with another personal link, open that link again.</p>" in text


@pytest.mark.parametrize("page", ["", "draft/"])
def test_a_draft_is_sent_again_to_the_page_with_the_form(people: People, locked_out: Client, page: str) -> None:
    task = people.assignments[0]
    sent = filled(action="draft", rating="", number_0="", number_1="", comment="half")
    text = locked_out.post(f"/reviews/{task.pk}/{page}", sent).content.decode()
    assert '<dt>Rating</dt><dd class="text">none</dd>' in text
    assert '<span class="text">reject</span>: –</li>' in text
    assert f'action="/reviews/{task.pk}/"' in text
    assert hidden_of(text)["action"] == "draft"


def test_why_a_paper_is_declined_comes_back_too(people: People, locked_out: Client) -> None:
    answer = locked_out.post(f"/reviews/{people.assignments[0].pk}/decline/", {"declined_because": "I know them"})
    text = answer.content.decode()
    assert (answer.status_code, "<dt>" in text) == (403, False)
    assert 'name="declined_because" rows="8" readonly>\nI know them</textarea>' in text
    assert f'action="/reviews/{people.assignments[0].pk}/decline/"' in text


@pytest.mark.parametrize(
    "sent", [{}, {"action": "draft", "key": "x", "rating": "", "number_0": "", "comment": " ", "labels": LABELS}]
)
def test_where_nothing_was_typed_there_is_nothing_to_show(
    people: People, locked_out: Client, sent: dict[str, str]
) -> None:
    answer = locked_out.post(f"/reviews/{people.assignments[0].pk}/", sent)
    assert answer.headers["Location"] == "/link-needed/"


@pytest.mark.parametrize(
    ("changes", "rating", "numbers"),
    [
        ({"labels": ""}, "level 2, counted from the first of the form", ["level 1: 4", "level 2: 16"]),
        ({"labels": "only"}, "level 2, counted from the first of the form", ["level 1: 4", "level 2: 16"]),
        ({"labels": "bad\nfair\ngood"}, "fair", ["fair: 4", "good: 16"]),
        ({"rating": "<b>"}, "&lt;b&gt;", ["reject: 4", "accept: 16"]),
        ({"labels": "<i>\n<b>", "number_0": "</dl>"}, "&lt;b&gt;", ["&lt;i&gt;: &lt;/dl&gt;", "&lt;b&gt;: 16"]),
    ],
)
def test_whatever_was_sent_is_shown_as_text(
    people: People, locked_out: Client, changes: dict[str, object], rating: str, numbers: list[str]
) -> None:
    text = locked_out.post(f"/reviews/{people.assignments[0].pk}/", filled(**changes)).content.decode()
    assert f'<dt>Rating</dt><dd class="text">{rating}</dd>' in text
    listed = text[text.index('<ul class="plain">') : text.index("</ul>")].split("<li>")[1:]
    assert [one.replace('<span class="text">', "").replace("</span>", "").strip()[:-5] for one in listed] == numbers


def test_the_only_number_of_a_venue_that_asks_for_one_is_that_of_the_highest_level(
    people: People, locked_out: Client
) -> None:
    sent = {name: value for name, value in filled(number_0=70).items() if name != "number_1"}
    text = locked_out.post(f"/reviews/{people.assignments[0].pk}/", sent).content.decode()
    assert '<ul class="plain"><li><span class="text">accept</span>: 70</li></ul>' in text


def test_markup_in_a_comment_and_in_hidden_fields_is_text(people: People, locked_out: Client) -> None:
    attack = '"></textarea><script>x</script>'
    sent = filled(comment=attack, key=attack, **{attack: attack})
    text = locked_out.post(f"/reviews/{people.assignments[0].pk}/", sent).content.decode()
    assert ("<script>" in text, '"></textarea>' in text) == (False, False)
    assert text.count("&lt;script&gt;x&lt;/script&gt;") == 4


def test_the_form_sends_the_names_of_its_levels(people: People) -> None:
    text = browser_of(people.reviewer).get(f"/reviews/{people.assignments[0].pk}/").content.decode()
    assert '<input type="hidden" name="labels" value="reject&#10;accept">' in text
