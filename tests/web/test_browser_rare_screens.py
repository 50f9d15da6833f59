"""Screens of reviewers and of results that one comes to seldom: nothing that keeps people out of them either."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browser_barriers import barriers, focus_order
from web.browser_chair import close_round, create_account, invite_observer, reopen_round, signed_in, venue_address
from web.browser_results import computed
from web.browser_watch import PHONE, Window, window
from web.running import RunningServer

RUNNING, OPEN = "/venues/workshop/", "/venues/conference/"
NARROW = {"width": 320, "height": 640}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """The demonstration."""
    with RunningServer.started(tmp_path_factory.mktemp("demo") / "data", options=("--demo",)) as running:
        yield running


@pytest.fixture
def person(browser: Browser, server: RunningServer) -> Iterator[Window]:
    with window(browser, server.url, impatient=True) as opened:
        yield opened
        assert opened.problems == []


@pytest.fixture(scope="module")
def cookies(browser: Browser, server: RunningServer) -> list[Any]:
    return signed_in(browser, server)


@pytest.fixture
def chair(person: Window, cookies: list[Any]) -> Page:
    """The chair's browser."""
    person.context.add_cookies(cookies)
    return person.page


@pytest.fixture
def ranked(chair: Page) -> Page:
    """The same, once the ranking of the second venue is there. Tests that do not need it come first meanwhile."""
    chair.goto(f"{OPEN}results/")
    expect(chair.get_by_role("heading", name="Ranking", exact=True)).to_be_visible()
    computed(chair)
    return chair


def test_a_draft_is_discarded_after_a_question(person: Window, server: RunningServer) -> None:
    page = person.page
    page.goto(server.link("/r/"))
    page.locator(".tasks a").first.click()
    discard = page.get_by_role("button", name="Discard the draft …")
    expect(discard).to_be_hidden()
    page.get_by_role("radio").first.check()
    expect(page.get_by_text("Draft saved")).to_be_visible()
    assert focus_order(page) == []
    discard.click()
    expect(page.get_by_role("heading", name="Discard this draft?")).to_be_visible()
    assert barriers(page) == []
    page.get_by_role("link", name="Keep it").click()
    expect(page.get_by_role("radio").first).to_be_checked()
    page.get_by_role("button", name="Discard the draft …").click()
    page.get_by_role("button", name="Discard the draft").click()
    expect(page.get_by_role("status").first).to_contain_text("The draft is discarded.")
    expect(page.get_by_role("radio").first).not_to_be_checked()
    assert barriers(page) == []
    assert person.refused == []


def test_what_is_left_to_place_does_not_cover_the_field_that_is_typed_into(
    browser: Browser, server: RunningServer
) -> None:
    with window(browser, server.url, **PHONE) as phone:
        page = phone.page
        page.goto(server.link("/r/"))
        page.locator(".tasks a").first.click()
        page.get_by_role("radio").last.check()
        expect(page.locator("#left")).to_be_visible()
        for field in page.get_by_role("spinbutton").all():
            page.evaluate("window.scrollTo(0, 0)")
            field.focus()
            top = page.locator(".total").evaluate("(line) => line.getBoundingClientRect().top")
            bottom = field.evaluate("(field) => field.getBoundingClientRect().bottom")
            assert bottom <= top
        assert phone.problems == []


def test_an_open_form_follows_the_round(chair: Page, browser: Browser, server: RunningServer) -> None:
    """It learns of it when it saves a draft: closed, and open again."""
    with window(browser, server.url) as writer:
        page = writer.page
        page.goto(re.findall(r"http://\S+/r/\S+", server.text)[0])
        page.locator(".tasks a").first.click()
        submit, state = page.get_by_role("button", name="Submit the review"), page.locator("#draft-state")
        expect(submit).to_be_enabled()
        chair.goto(RUNNING)
        close_round(chair)
        page.get_by_role("radio").first.check()
        expect(submit).to_be_disabled()
        expect(submit).to_have_accessible_description(
            "The round is closed: nothing can be submitted any more. What you typed is kept as a draft."
        )
        page.locator(".level input").first.press("Enter")  # which presses the first button of the form
        expect(state).to_contain_text("The round is closed")
        assert barriers(page) == []
        reopen_round(chair)
        page.get_by_role("radio").last.check()
        expect(state).to_contain_text("Draft saved")
        expect(submit).to_be_enabled()
        assert writer.problems == []


def test_whoever_is_on_a_link_stays_on_it_while_the_overview_is_kept_up_to_date(chair: Page) -> None:
    chair.goto(RUNNING)
    link = chair.locator("[data-progress-latest] a").nth(1)
    link.focus()
    old, address = link.element_handle(), link.get_attribute("href")
    chair.wait_for_function("(old) => !old.isConnected", arg=old)  # the rows are new ones
    assert chair.evaluate("document.activeElement.getAttribute('href')") == address


def test_an_excluded_review(ranked: Page, person: Window) -> None:
    ranked.locator(".ranked th a").first.click()
    ranked.get_by_text("Exclude this review …").first.click()
    assert barriers(ranked) == []
    ranked.get_by_label("Why shall this review not count?").first.fill("wrote about another paper")
    ranked.get_by_role("button", name="Exclude this review").first.click()
    excluded = ranked.locator("article.excluded")
    expect(excluded.get_by_text("wrote about another paper")).to_be_visible()
    computed(ranked)  # until then the page may load again at any moment
    assert barriers(ranked) == []
    excluded.get_by_role("button", name="Let this review count again").click()
    expect(ranked.get_by_text("Was excluded on")).to_be_visible()
    computed(ranked)
    assert barriers(ranked) == []
    assert person.refused == []


def test_a_page_that_somebody_leaves_is_not_loaded_again(ranked: Page) -> None:
    """Newer results would do that, and she would stay where she is."""
    ranked.clock.install()
    ranked.goto(f"{OPEN}results/")
    ranked.route("**/state.json", lambda route: route.fulfill(json={"version": "newer", "sentence": ""}))
    ranked.route("**/results/charts/", lambda route: route.fulfill(status=204))  # as if it took long
    ranked.get_by_role("link", name="Charts", exact=True).click()
    ranked.clock.run_for(30_000)
    expect(ranked.get_by_text("There are newer results.")).to_be_visible()


def test_opened_results_as_an_observer_sees_them(ranked: Page, browser: Browser, server: RunningServer) -> None:
    ranked.goto(OPEN)
    invite_observer(ranked, "otto@example.org")
    link = ranked.locator(".notice #copied").inner_text()
    with window(browser, server.url) as otto:
        create_account(otto.page, link, "Otto Observer", "otto@example.org")
        for path in ("results/", "results/discussion/", "results/charts/", "results/downloads/"):
            otto.page.goto(f"{OPEN}{path}")
            assert barriers(otto.page) == [], path
        otto.page.goto(f"{OPEN}results/")
        otto.page.locator(".ranked th a").first.click()
        expect(otto.page.get_by_role("heading", name="Its reviews")).to_be_visible()
        expect(otto.page.get_by_text("Exclude this review")).to_have_count(0)
        assert barriers(otto.page) == []
        assert (otto.refused, otto.problems) == ([], [])


def test_on_a_telephone_every_number_of_the_ranking_is_in_sight(ranked: Page) -> None:
    ranked.set_viewport_size(NARROW)
    for path in ("results/", "results/discussion/"):
        ranked.goto(f"{OPEN}{path}")
        region = ranked.locator(".scroll:has(.ranked)")
        assert region.evaluate("(box) => box.scrollWidth <= box.clientWidth"), path
        row = ranked.get_by_role("row").nth(1)
        expect(row.get_by_role("rowheader")).to_have_count(1)
        assert row.get_by_role("cell").count() >= 6
    assert ranked.get_by_role("columnheader").count() >= 7


def test_tables_of_reviewers_stack_on_a_phone_and_the_report_leads_back(ranked: Page) -> None:
    ranked.set_viewport_size({"width": 360, "height": 740})
    ranked.goto(f"{RUNNING}reviewers/")
    hidden = "(part) => part.scrollWidth - part.clientWidth"
    assert ranked.get_by_role("region", name="Reviewers").evaluate(hidden) == 0
    ranked.get_by_role("link", name="Bo Jansen").click()
    papers = ranked.get_by_role("region", name="Papers of the reviewer")
    assert papers.evaluate(hidden) == 0
    expect(papers.get_by_role("row").nth(1).get_by_role("rowheader")).to_have_count(
        1
    )  # still a table for screen readers
    assert barriers(ranked) == []
    ranked.goto(f"{OPEN}report/")
    ranked.get_by_role("link", name="Back to the results").click()
    expect(ranked.get_by_role("heading", name="Ranking", exact=True)).to_be_visible()


def test_no_review_and_so_no_results(chair: Page, person: Window, browser: Browser, server: RunningServer) -> None:
    """Neither before the first one is in, nor after the only one was excluded."""
    chair.goto("/venues/new/")
    chair.get_by_label("Name").fill("Nobody wrote")
    chair.get_by_label("Deadline").fill("2099-03-31T23:59")
    chair.get_by_role("button", name="Create the venue").last.click()
    chair.get_by_role("link", name="Results", exact=True).click()
    assert barriers(chair) == []
    chair.get_by_role("link", name="Open the results").click()
    expect(chair.get_by_text("No review has been submitted, so there are no results to open.")).to_be_visible()
    expect(chair.get_by_role("button", name="Open the results")).to_have_count(0)
    assert barriers(chair) == []
    assert person.refused == []
    with window(browser, server.url) as writer:
        give_the_only_review(writer.page, link_of_the_only_reviewer(chair))
        assert writer.problems == []
    chair.goto(f"{venue_address(chair)}results/open/")
    chair.get_by_role("button", name="Open the results").click()
    exclude_the_only_review(chair)
    chair.get_by_role("link", name="Ranking", exact=True).first.click()
    expect(chair.get_by_role("heading", name="There is no ranking yet")).to_be_visible()
    assert barriers(chair) == []


def link_of_the_only_reviewer(chair: Page) -> str:
    venue = venue_address(chair)
    chair.goto(f"{venue}papers/new/")
    chair.get_by_label("Id", exact=True).fill("P1")
    chair.get_by_label("Title").fill("Bees that count")
    chair.get_by_role("button", name="Save the paper").click()
    expect(chair.get_by_role("heading", name="Bees that count")).to_be_visible()
    chair.goto(f"{venue}reviewers/new/")
    chair.get_by_label("Name").fill("Ada Abel")
    chair.get_by_label("E-mail address").fill("ada@example.org")
    chair.get_by_role("button", name="Save").click()
    expect(chair.get_by_role("heading", name="Ada Abel")).to_be_visible()
    chair.get_by_label("Id of another paper").fill("P1")
    chair.get_by_role("button", name="Assign").click()
    expect(chair.get_by_role("link", name="Bees that count")).to_be_visible()
    chair.get_by_role("button", name="Make a link to copy").click()
    return chair.get_by_label("Link", exact=True).input_value()


def give_the_only_review(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("link", name="Bees that count").click()
    page.get_by_role("radio").first.check()
    page.get_by_role("spinbutton").first.fill("20")
    page.get_by_role("button", name="Submit the review").click()
    expect(page.get_by_role("heading", name="Your review is submitted")).to_be_visible()


def exclude_the_only_review(chair: Page) -> None:
    chair.get_by_role("link", name="Papers", exact=True).click()
    chair.get_by_role("link", name="Bees that count").click()
    chair.get_by_role("link", name="Its place in the results, and its reviews").click()
    at_once = "(form) => { form.elements.reason.value = 'about another paper'; form.requestSubmit(); }"
    chair.locator("form[action$='/exclude/']").evaluate(at_once)  # the page may load again at any moment
    expect(chair.locator("article.excluded").get_by_text("about another paper")).to_be_visible()


def test_closed_reviews_can_only_be_read(chair: Page, browser: Browser, server: RunningServer) -> None:
    """The last test of this file: it closes the round."""
    links = re.findall(r"http://\S+/r/\S+", server.text)
    with window(browser, server.url) as writer:
        writer.page.goto(links[0])
        writer.page.locator(".tasks a").first.click()
        writer.page.get_by_role("radio").first.check()
        expect(writer.page.get_by_text("Draft saved")).to_be_visible()
        chair.goto(RUNNING)
        close_round(chair)
        writer.page.goto("/reviews/")
        expect(writer.page.get_by_text("The round is closed")).to_be_visible()
        assert barriers(writer.page) == []
        states = {"Your draft": "Not reviewed", "What you submitted": "Submitted"}
        for inside, group in states.items():
            writer.page.goto("/reviews/")
            writer.page.locator(f"h2:has-text('{group}') + .tasks a").first.click()
            expect(writer.page.get_by_role("heading", name=inside)).to_be_visible()
            assert barriers(writer.page) == [], group
        assert writer.problems == []
