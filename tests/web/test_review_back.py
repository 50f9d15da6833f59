"""Returning to the form of a review: it holds all that was typed or all that is stored, never some of each."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browser_barriers import violations
from web.browser_watch import before_scripts
from web.filled_database import Reviewers, filled
from web.review_browser import Own, opened_by
from web.running import RunningServer

TESTS = 12  # at most: each has a reviewer of its own, and the last one is the stranger
NO_SCRIPT = {"java_script_enabled": False}
NARROW, WIDE = ({"viewport": {"width": width, "height": 800}} for width in (320, 1280))
TYPED = (["reject"], ["16", "4"], "typed since")
DRAFT = (["accept"], ["", "20"], "as saved")
_numbers = count()


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Reviewers]]:
    """A server, and the links of reviewers with their assignments."""
    data = tmp_path_factory.mktemp("back") / "data"
    with RunningServer.started(data) as running:
        yield running.url, filled(data, None, TESTS + 1, 1)


@pytest.fixture
def link(venue: tuple[str, Reviewers]) -> tuple[str, int]:
    """Her own, and the number of her only assignment."""
    path, assignments = venue[1][next(_numbers)]
    return path, assignments[0]


@pytest.fixture
def stranger(venue: tuple[str, Reviewers]) -> str:
    """The link of somebody else."""
    return venue[1][-1][0]


@pytest.fixture
def own(
    request: pytest.FixtureRequest, browser: Browser, venue: tuple[str, Reviewers], link: tuple[str, int]
) -> Iterator[Own]:
    options: dict[str, Any] = getattr(request, "param", {})
    with opened_by(browser, venue[0], *link, **options) as opened:
        yield opened


@pytest.fixture
def page(own: Own) -> Page:
    """The form with a draft in it that was saved."""
    opened = own.page()
    fill(opened, DRAFT)
    opened.get_by_role("button", name="Save draft").click()
    expect(opened.get_by_text("Draft saved. It counts only once you submit it.")).to_be_visible()
    return opened


def fill(page: Page, review: tuple[list[str], list[str], str]) -> None:
    (rating,), numbers, comment = review
    page.get_by_role("radio", name=rating).check()
    for field, number in zip(page.locator(".level input").all(), numbers, strict=True):
        field.fill(number)
    page.get_by_label("Comment to the chairs").fill(comment)


def form_of(page: Page) -> tuple[list[str], list[str], str]:
    """What stands in the form."""
    expect(page.locator("#review")).to_be_visible()
    chosen = [one.inner_text().strip() for one in page.locator(".choices label:has(:checked)").all()]
    numbers = [field.input_value() for field in page.locator(".level input").all()]
    return chosen, numbers, page.get_by_label("Comment to the chairs").input_value()


def in_another_tab(own: Own, address: str) -> None:
    tab = own.context.new_page()
    tab.goto(address)
    tab.close()


def sign_out_in_another_tab(own: Own) -> None:
    tab = own.context.new_page()
    tab.goto("/reviews/")
    tab.get_by_role("button", name="Sign out").click()
    expect(tab.get_by_text("You are signed out.")).to_be_visible()
    tab.close()


def submit_as_a_stranger(page: Page, own: Own, stranger: str) -> None:
    """Somebody else opened a link in the same browser while she typed."""
    in_another_tab(own, stranger)
    fill(page, TYPED)
    page.get_by_role("button", name="Submit the review").click()
    expect(page.get_by_role("heading", name="This is not among your papers here")).to_be_visible()


def is_stored(page: Page, own: Own) -> None:
    expect(page.get_by_role("heading", name="Your review is submitted")).to_be_visible()
    (version,) = own.stored["submissions"]
    assert (version["rating"], version["prediction"], version["comment"]) == ("reject", [16, 4], "typed since")


def test_back_after_a_refused_submission_all_is_as_typed(
    page: Page, own: Own, link: tuple[str, int], stranger: str
) -> None:
    submit_as_a_stranger(page, own, stranger)
    in_another_tab(own, link[0])
    page.go_back()
    assert form_of(page) == TYPED
    expect(page.locator("#left")).to_have_text("Adds up to 20")
    expect(page.locator("#draft-state")).to_contain_text("Draft saved")
    page.get_by_role("button", name="Submit the review").click()
    is_stored(page, own)


@pytest.mark.parametrize("own", [NO_SCRIPT], indirect=True)
def test_without_a_script_what_was_typed_is_sent_again(
    page: Page, own: Own, link: tuple[str, int], stranger: str
) -> None:
    submit_as_a_stranger(page, own, stranger)
    expect(page.get_by_label("Comment to the chairs")).to_have_value("typed since")
    in_another_tab(own, link[0])
    page.get_by_role("button", name="Send it again").click()
    is_stored(page, own)


@pytest.mark.parametrize("own", [NO_SCRIPT], indirect=True)
def test_without_a_script_back_shows_all_of_the_draft(page: Page) -> None:
    fill(page, TYPED)
    page.get_by_role("link", name="My papers").first.click()
    expect(page.get_by_role("heading", name="My papers")).to_be_visible()
    page.go_back()
    assert form_of(page) == DRAFT


@pytest.mark.parametrize(
    "own", [pytest.param(NARROW, id="narrow"), pytest.param(WIDE, id="wide", marks=pytest.mark.slow)], indirect=True
)
def test_signed_out_while_writing_what_was_typed_is_shown_and_sent_again(
    page: Page, own: Own, link: tuple[str, int]
) -> None:
    sign_out_in_another_tab(own)
    fill(page, TYPED)
    page.get_by_role("button", name="Submit the review").click()
    expect(page.get_by_role("heading", name="Open your personal link again")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("Comment to the chairs")).to_have_value("typed since")
    expect(page.get_by_text("reject: 16")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) == []
    in_another_tab(own, link[0])
    page.get_by_role("button", name="Send it again").click()
    is_stored(page, own)
    page.goto(own.address)
    assert form_of(page) == TYPED
    expect(page.get_by_text("is back in the form")).to_have_count(0)


def test_back_by_way_of_the_page_that_asks_for_the_link(page: Page, own: Own, link: tuple[str, int]) -> None:
    sign_out_in_another_tab(own)
    fill(page, TYPED)
    page.get_by_role("link", name="My papers").first.click()
    expect(page.get_by_role("heading", name="Open your personal link")).to_be_visible()
    in_another_tab(own, link[0])
    page.go_back()
    assert form_of(page) == TYPED
    expect(page.locator("#draft-state")).to_contain_text("Draft saved")
    page.reload()
    assert form_of(page) == TYPED
    assert own.stored["draft"]["comment"] == "typed since"


def test_what_comes_back_does_not_overwrite_what_is_typed_already(page: Page, own: Own, link: tuple[str, int]) -> None:
    sign_out_in_another_tab(own)
    fill(page, TYPED)
    page.goto("/link-needed/")
    in_another_tab(own, link[0])
    with before_scripts(page):
        page.goto(own.address, wait_until="commit")
        page.get_by_label("Comment to the chairs").fill("typed just now")
    expect(page.locator("#draft-state")).to_contain_text("Draft saved")
    assert form_of(page) == (*TYPED[:2], "typed just now")


def test_what_comes_back_does_not_overwrite_what_another_window_saved(
    page: Page, own: Own, link: tuple[str, int]
) -> None:
    sign_out_in_another_tab(own)
    fill(page, TYPED)
    page.goto("/link-needed/")
    in_another_tab(own, link[0])
    second = own.page()
    fill(second, (["accept"], ["1", "19"], "of the other window"))
    expect(second.locator("#draft-state")).to_contain_text("Draft saved")
    page.go_back()
    assert form_of(page) == TYPED
    page.get_by_role("button", name="Compare the two versions").click()
    expect(page.get_by_role("alert")).to_contain_text("of the other window")
    assert form_of(page) == TYPED
    page.get_by_role("link", name="Keep the stored version").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert form_of(page) == (["accept"], ["1", "19"], "of the other window")


def test_a_draft_that_was_discarded_does_not_come_back(page: Page) -> None:
    fill(page, TYPED)
    page.get_by_role("button", name="Discard the draft").click()
    page.get_by_role("button", name="Discard the draft").click()
    expect(page.get_by_text("The draft is discarded.")).to_be_visible()
    assert form_of(page) == ([], ["", ""], "")
    page.reload()
    assert form_of(page) == ([], ["", ""], "")


def test_numbers_for_another_question_do_not_come_back(page: Page, own: Own, link: tuple[str, int]) -> None:
    sign_out_in_another_tab(own)
    fill(page, TYPED)
    page.evaluate(
        """() => {
            const place = Object.keys(sessionStorage).find((name) => name.startsWith("typed /reviews/"));
            const kept = JSON.parse(sessionStorage.getItem(place));
            sessionStorage.setItem(place, JSON.stringify({ ...kept, question: "another" }));
        }"""
    )
    in_another_tab(own, link[0])
    page.goto(own.address)
    assert form_of(page) == (*DRAFT[:2], "typed since")
