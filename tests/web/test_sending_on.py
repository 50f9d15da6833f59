"""The script that goes on sending mails by itself, in a real browser: not against somebody who chose otherwise."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

SCRIPT = Path(__file__).parents[2] / "src/surpeer/web/static/surpeer/send-on.js"
PAGE = """<!doctype html><title>Sent: 100</title>
<form method="post" data-send-on><button>Go on with the 50 left</button> <a href="/reviewers/">Not now</a></form>"""
A_WHILE = 5_000


class Answers:
    """Of a server that shows the page, and answers all else by staying on it."""

    def __init__(self, page: Page) -> None:
        self.asked: list[str] = []
        page.route("**/*", self._answer)

    def _answer(self, route: Route) -> None:
        self.asked.append(f"{route.request.method} {route.request.url.removeprefix('http://surpeer.example')}")
        if self.asked == ["GET /invite/"]:
            route.fulfill(body=PAGE, content_type="text/html")
        else:
            route.fulfill(status=204)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page()
    opened.clock.install()
    yield opened
    opened.close()


@pytest.fixture
def answers(page: Page) -> Answers:
    """The page is there."""
    found = Answers(page)
    page.goto("http://surpeer.example/invite/")
    page.add_script_tag(path=SCRIPT)
    return found


def test_it_goes_on_by_itself(page: Page, answers: Answers) -> None:
    with page.expect_request("**/invite/"):
        page.clock.run_for(A_WHILE)
    page.evaluate("fetch('/last/')")
    assert answers.asked == ["GET /invite/", "POST /invite/", "GET /last/"]


@pytest.mark.parametrize(("pressed", "asked"), [("button", "POST /invite/"), ("a", "GET /reviewers/")])
def test_it_does_not_once_somebody_pressed_something(page: Page, answers: Answers, pressed: str, asked: str) -> None:
    with page.expect_request("**/*"):
        page.locator(pressed).click()
    page.clock.run_for(A_WHILE)
    page.evaluate("fetch('/last/')")
    assert answers.asked == ["GET /invite/", asked, "GET /last/"]
