"""Screens of reviewers and of results that one comes to seldom: nothing that keeps people out of them either."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browser_barriers import barriers, focus_order
from web.browser_chair import close_round, create_account, invite_observer, signed_in
from web.browser_results import COMPUTED, computed
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
    with window(browser, server.url) as opened:
        yield opened
        assert opened.problems == []


@pytest.fixture(scope="module")
def cookies(browser: Browser, server: RunningServer) -> list[Any]:
    return signed_in(browser, server)


@pytest.fixture
def chair(person: Window, cookies: list[Any]) -> Page:
    """The chair's browser, once the ranking of the second venue is there."""
    person.context.add_cookies(cookies)
    page = person.page
    page.goto(f"{OPEN}results/")
    expect(page.get_by_role("heading", name="Ranking", exact=True)).to_be_visible(timeout=COMPUTED)
    computed(page)
    return page


def test_no_ranking_yet(chair: Page, person: Window) -> None:
    chair.goto("/venues/new/")
    chair.get_by_label("Name").fill("Nobody wrote")
    chair.get_by_label("Deadline").fill("2099-03-31T23:59")
    chair.get_by_role("button", name="Create the venue").last.click()
    chair.get_by_role("link", name="Results", exact=True).click()
    assert barriers(chair) == []
    chair.get_by_role("link", name="Open the results").click()
    chair.get_by_role("button", name="Open the results").click()
    expect(chair.get_by_role("heading", name="There is no ranking yet")).to_be_visible(timeout=COMPUTED)
    assert barriers(chair) == []
    for page in ("Charts", "Report", "Downloads"):
        chair.get_by_role("navigation", name="Results").get_by_role("link", name=page).click()
        assert barriers(chair) == [], page
    assert person.refused == []


def test_an_excluded_review(chair: Page, person: Window) -> None:
    chair.locator(".ranked th a").first.click()
    chair.get_by_text("Exclude this review …").first.click()
    assert barriers(chair) == []
    chair.get_by_label("Why shall this review not count?").first.fill("wrote about another paper")
    chair.get_by_role("button", name="Exclude this review").first.click()
    excluded = chair.locator("article.excluded")
    expect(excluded.get_by_text("wrote about another paper")).to_be_visible()
    computed(chair)  # until then the page may load again at any moment
    assert barriers(chair) == []
    excluded.get_by_role("button", name="Let this review count again").click()
    expect(chair.get_by_text("Was excluded on")).to_be_visible()
    computed(chair)
    assert barriers(chair) == []
    assert person.refused == []


def test_opened_results_as_an_observer_sees_them(chair: Page, browser: Browser, server: RunningServer) -> None:
    chair.goto(OPEN)
    invite_observer(chair, "otto@example.org")
    link = chair.locator(".notice code").inner_text()
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


def test_on_a_telephone_every_number_of_the_ranking_is_in_sight(chair: Page) -> None:
    chair.set_viewport_size(NARROW)
    for path in ("results/", "results/discussion/"):
        chair.goto(f"{OPEN}{path}")
        region = chair.locator(".scroll:has(.ranked)")
        assert region.evaluate("(box) => box.scrollWidth <= box.clientWidth"), path
        row = chair.get_by_role("row").nth(1)
        expect(row.get_by_role("rowheader")).to_have_count(1)
        assert row.get_by_role("cell").count() >= 6
    assert chair.get_by_role("columnheader").count() >= 7


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
        for field in page.get_by_role("spinbutton").all():
            page.evaluate("window.scrollTo(0, 0)")
            field.focus()
            top = page.locator(".total").evaluate("(line) => line.getBoundingClientRect().top")
            bottom = field.evaluate("(field) => field.getBoundingClientRect().bottom")
            assert bottom <= top
        assert phone.problems == []


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
