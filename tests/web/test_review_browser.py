"""The review form in a real browser: rating first, numbers that follow, drafts, keyboard, phone, no script."""

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
from web.waiting import eventually

TESTS = 24  # at most: each has a reviewer of its own
_numbers = count()


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Reviewers]]:
    """A server, and the links of reviewers with their assignments."""
    data = tmp_path_factory.mktemp("review") / "data"
    with RunningServer.started(data) as running:
        yield running.url, filled(data, None, TESTS, 3)


@pytest.fixture
def own(request: pytest.FixtureRequest, browser: Browser, venue: tuple[str, Reviewers]) -> Iterator[Own]:
    """The browser of a reviewer who has done nothing yet; a parameter gives it options."""
    server, reviewers = venue
    link, assignments = reviewers[next(_numbers)]
    options: dict[str, Any] = getattr(request, "param", {})
    with opened_by(browser, server, link, assignments[0], **options) as opened:
        yield opened


@pytest.fixture
def page(own: Own) -> Page:
    return own.page()


def counts(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator(".level input").all()]


def test_the_prediction_is_asked_for_after_the_rating(page: Page) -> None:
    expect(page.get_by_text("Choose your rating first")).to_be_visible()
    expect(page.locator("#prediction")).to_be_hidden()
    assert [text[:2] for text in page.locator("form h2:visible").all_inner_texts()] == ["1.", "2.", "3."]
    page.get_by_role("radio", name="accept").check()
    expect(page.get_by_role("group", name="Imagine 20 other reviewers of this paper")).to_be_visible()
    assert [text[:2] for text in page.locator("form h2:visible").all_inner_texts()] == ["1.", "2.", "3."]
    assert counts(page) == ["", ""]
    expect(page.locator("#left")).to_have_text("20 left to place")


def test_numbers_bars_and_what_is_left_follow_each_other(page: Page) -> None:
    page.get_by_role("radio", name="accept").check()
    left = page.locator("#left")
    page.get_by_role("spinbutton", name="accept").fill("17")
    expect(left).to_have_text("3 left to place")
    assert page.locator(".bar rect").nth(1).get_attribute("width") == "85"
    for _ in range(5):
        page.get_by_role("button", name="One more for reject").click()
    expect(left).to_have_text("2 too many")
    assert counts(page) == ["5", "17"]
    page.get_by_role("button", name="One fewer for accept").click(click_count=2)
    expect(left).to_have_text("Adds up to 20")
    expect(page.get_by_role("button", name="Scale to 20")).to_be_disabled()


@pytest.mark.parametrize("odd", ["-3", "2.5", "1e9"])
def test_what_is_no_whole_number_is_named_at_once(page: Page, odd: str) -> None:
    page.get_by_role("radio", name="accept").check()
    left = page.locator("#left")
    page.get_by_role("spinbutton", name="reject").fill(odd)
    expect(left).to_have_text(f"reject “{odd}”: not a whole number")
    page.get_by_role("spinbutton", name="accept").fill("20")
    expect(left).to_have_text(f"reject “{odd}”: not a whole number")
    expect(left).to_have_class("left over")
    page.get_by_role("spinbutton", name="accept").fill("0.5")
    expect(left).to_have_text(f"reject “{odd}”, accept “0.5”: not whole numbers")
    expect(page.get_by_role("button", name="Scale to 20")).to_be_disabled()
    page.get_by_role("spinbutton", name="reject").fill("")
    page.get_by_role("spinbutton", name="accept").fill("20")
    expect(left).to_have_text("Adds up to 20")
    expect(left).to_have_class("left fits")


def test_scaling_says_what_it_did_and_is_undone(page: Page) -> None:
    page.get_by_role("radio", name="accept").check()
    page.get_by_role("spinbutton", name="reject").fill("10")
    page.get_by_role("spinbutton", name="accept").fill("15")
    page.get_by_role("button", name="Scale to 20").click()
    assert counts(page) == ["8", "12"]
    expect(page.get_by_text("Scaled from 25 to 20: reject 10 → 8, accept 15 → 12.")).to_be_visible()
    page.get_by_role("button", name="Undo the scaling").click()
    assert counts(page) == ["10", "15"]
    expect(page.locator("#left")).to_have_text("5 too many")


def test_by_the_keyboard_alone(page: Page, own: Own) -> None:
    page.locator("body").press("Tab")
    for _ in range(30):
        if page.evaluate("document.activeElement.name") == "rating":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("4")
    page.keyboard.press("Tab")
    page.keyboard.type("15")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your review is submitted")).to_be_visible()
    (version,) = own.stored["submissions"]
    assert (version["rating"], version["prediction"]) == ("accept", [4, 16])


def test_a_draft_is_saved_while_typing_and_is_there_again(page: Page, own: Own) -> None:
    page.get_by_label("Comment to the chairs").fill("so far")
    expect(page.locator("#draft-state")).to_contain_text("Draft saved")
    page.reload()
    expect(page.get_by_label("Comment to the chairs")).to_have_value("so far")
    assert own.stored["draft"]["comment"] == "so far"


@pytest.mark.parametrize("begun_with", ["a rating", "a number", "a comment"])
def test_a_draft_is_saved_of_what_is_there_before_the_scripts(own: Own, begun_with: str) -> None:
    page = own.context.new_page()
    with before_scripts(page):
        page.goto(own.address, wait_until="commit")
        if begun_with == "a rating":
            page.get_by_role("radio", name="accept").check()
        elif begun_with == "a number":
            page.get_by_role("spinbutton", name="accept").fill("17")
        else:
            page.get_by_label("Comment to the chairs").fill("in haste")
    expect(page.locator("#draft-state")).to_contain_text("Draft saved")
    expected = {"a rating": ("1", "", ""), "a number": ("", "17", ""), "a comment": ("", "", "in haste")}
    draft = own.stored["draft"]
    assert (draft["rating"], draft["numbers"][1], draft["comment"]) == expected[begun_with]
    if begun_with == "a number":
        expect(page.locator("#left")).to_have_text("3 left to place")
        expect(page.locator(".bar rect").nth(1)).to_have_attribute("width", "85")
        expect(page.get_by_role("button", name="Scale to 20")).to_be_enabled()


def test_what_a_browser_shows_in_its_own_way_was_not_typed(page: Page, own: Own) -> None:
    """Or else a draft would be saved of every form that is looked at."""
    page.get_by_role("radio", name="accept").check()
    page.get_by_role("spinbutton", name="accept").evaluate("(field) => { field.type = 'text'; field.value = 'many'; }")
    page.get_by_label("Comment to the chairs").fill("\n\nlines \r\n & more\r")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Draft saved. It counts only once you submit it.")).to_be_visible()
    assert own.stored["draft"]["numbers"] == ["", "many"]
    expect(page.get_by_role("spinbutton", name="accept")).to_have_value("")
    page.reload()
    assert page.evaluate("surpeerTyped.touched().length") == 0


def test_a_draft_is_saved_on_leaving(page: Page, own: Own) -> None:
    page.get_by_label("Comment to the chairs").fill("left at once")
    page.get_by_role("navigation").or_(page.get_by_role("banner")).get_by_role("link", name="My papers").click()
    expect(page.get_by_role("heading", name="My papers")).to_be_visible()
    # what a page sends on leaving may arrive after the next page was asked for
    eventually(lambda: any(paper["draft"] for paper in own.papers))
    page.goto(own.address)
    expect(page.get_by_label("Comment to the chairs")).to_have_value("left at once")


def test_a_draft_waits_for_the_connection(page: Page, own: Own) -> None:
    own.context.set_offline(True)
    page.get_by_label("Comment to the chairs").fill("on a train")
    expect(page.locator("#draft-state")).to_contain_text("No connection")
    page.get_by_role("button", name="Submit the review").click()
    expect(page.locator("#draft-state")).to_contain_text("nothing was sent")
    own.context.set_offline(False)
    expect(page.locator("#draft-state")).to_contain_text("Draft saved")
    assert own.stored["draft"]["comment"] == "on a train"


def test_two_windows_are_compared(page: Page, own: Own) -> None:
    second = own.page()
    page.get_by_label("Comment to the chairs").fill("first window")
    expect(page.locator("#draft-state")).to_contain_text("Draft saved")
    second.get_by_label("Comment to the chairs").fill("second window")
    compare = second.get_by_role("button", name="Compare the two versions")
    expect(compare).to_be_visible()
    compare.click()
    conflict = second.get_by_role("alert")
    expect(conflict).to_be_focused()
    expect(conflict).to_contain_text("first window")
    expect(second.get_by_label("Comment to the chairs")).to_have_value("second window")
    assert second.locator("form#review").get_attribute("data-draft") is None  # nothing is saved before she chose
    second.get_by_role("button", name="Save draft").click()
    expect(second.get_by_text("Draft saved. It counts only once you submit it.")).to_be_visible()
    assert own.stored["draft"]["comment"] == "second window"


def test_a_window_that_is_behind_compares_before_it_submits(page: Page, own: Own) -> None:
    second = own.page()
    page.get_by_label("Comment to the chairs").fill("first window")
    expect(page.locator("#draft-state")).to_contain_text("Draft saved")
    second.get_by_role("radio", name="accept").check()
    second.get_by_role("spinbutton", name="accept").fill("20")
    expect(second.get_by_text("What you type here is no longer saved.")).to_be_visible()
    second.get_by_role("button", name="Submit the review").click()
    expect(second.get_by_role("alert")).to_contain_text("first window")
    assert own.stored["submissions"] == []
    second.get_by_role("button", name="Submit what is in this window").click()
    expect(second.get_by_role("heading", name="Your review is submitted")).to_be_visible()


def test_what_was_wrong_goes_as_soon_as_it_is_right(page: Page) -> None:
    page.get_by_role("spinbutton", name="accept", include_hidden=True).evaluate("field => { field.value = '14'; }")
    page.get_by_role("button", name="Submit the review").click()
    problems = page.locator("#problems")
    expect(problems.get_by_role("listitem")).to_have_count(2)
    wrong = page.get_by_text("The numbers add up to 14, expected 20: 6 left to place.")
    expect(wrong).to_have_count(2)
    page.get_by_role("spinbutton", name="accept").fill("15")
    expect(wrong).to_have_count(2)
    page.get_by_role("spinbutton", name="reject").fill("5")
    expect(wrong).to_have_count(0)
    expect(problems).to_contain_text("One thing is missing or wrong")
    assert page.locator("#prediction").get_attribute("aria-describedby") == "prediction-hint"
    page.get_by_role("radio", name="accept").check()
    expect(page.get_by_text("Choose a rating.")).to_have_count(0)
    expect(problems).to_have_text(
        "Nothing was submitted yet What was missing or wrong is right now: submit the review."
    )
    assert page.locator("[aria-invalid]").count() == 0


def test_what_was_wrong_goes_even_if_it_was_right_before_the_scripts_came(page: Page) -> None:
    page.get_by_role("radio", name="accept").check()
    with before_scripts(page):
        page.get_by_role("button", name="Submit the review").click()
        expect(page.locator("#problems")).to_contain_text("One thing is missing or wrong")
        page.get_by_role("spinbutton", name="accept").fill("20")
    expect(page.locator("#problems")).to_contain_text("What was missing or wrong is right now: submit the review.")
    expect(page.get_by_role("spinbutton", name="accept")).to_be_focused()


def test_a_double_click_is_one_review(page: Page, own: Own) -> None:
    page.get_by_role("radio", name="accept").check()
    page.get_by_role("spinbutton", name="accept").fill("20")
    page.get_by_role("button", name="Submit the review").dblclick()
    expect(page.get_by_role("heading", name="Your review is submitted")).to_be_visible()
    assert len(own.stored["submissions"]) == 1


def test_the_back_button_shows_what_was_stored(page: Page, own: Own) -> None:
    page.get_by_role("radio", name="accept").check()
    page.get_by_role("spinbutton", name="accept").fill("20")
    page.get_by_role("button", name="Submit the review").click()
    expect(page.get_by_role("heading", name="Your review is submitted")).to_be_visible()
    page.go_back()
    page.get_by_role("radio", name="reject").check()
    page.get_by_role("button", name="Submit").last.click()
    expect(page.get_by_role("heading", name="Your review is submitted")).to_be_visible()
    versions = [(version["number"], version["rating"]) for version in own.stored["submissions"]]
    assert versions == [(1, "accept"), (2, "reject")]


@pytest.mark.parametrize("own", [{"java_script_enabled": False}], indirect=True)
def test_without_a_script_the_server_checks_and_the_summary_has_the_focus(page: Page, own: Own) -> None:
    expect(page.locator(".step").first).to_be_hidden()
    page.get_by_role("spinbutton", name="accept").fill("17")
    page.get_by_role("button", name="Submit the review").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Choose a rating.")
    expect(alert).to_contain_text("The numbers add up to 17, expected 20: 3 left to place.")
    expect(alert).to_be_focused()
    expect(page.get_by_role("spinbutton", name="accept")).to_have_value("17")
    page.get_by_role("radio", name="accept").check()
    page.get_by_role("button", name="Scale to 20").click()
    expect(page.get_by_role("spinbutton", name="accept")).to_have_value("20")
    page.get_by_role("button", name="Submit the review").click()
    expect(page.get_by_role("heading", name="Your review is submitted")).to_be_visible()
    assert own.stored["submissions"][0]["prediction"] == [0, 20]


NARROW, WIDE = ({"viewport": {"width": width, "height": 800}} for width in (320, 1200))


@pytest.mark.parametrize(
    "own", [pytest.param(NARROW, id="narrow"), pytest.param(WIDE, id="wide", marks=pytest.mark.slow)], indirect=True
)  # test_browser_barriers.py looks at most of them on a wide screen
def test_pages_fit_and_have_no_known_barriers(own: Own) -> None:
    page = own.context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    for path in ("/reviews/", own.address, f"{own.address}decline/"):
        page.goto(path)
        _check(page)
    page.goto(own.address)
    page.get_by_role("radio", name="accept").check()
    _check(page)
    page.get_by_role("button", name="Submit the review").click()
    expect(page.get_by_role("alert")).to_be_focused()
    _check(page)
    page.get_by_role("spinbutton", name="accept").fill("20")
    page.get_by_role("button", name="Submit the review").click()
    expect(page.get_by_role("heading", name="Your review is submitted")).to_be_visible()
    _check(page)
    assert [text for text in problems if "422" not in text] == []  # nothing that the content policy refuses


def _check(page: Page) -> None:
    """No scrolling sideways, and nothing that axe objects to."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url
    assert violations(page) == [], page.url
