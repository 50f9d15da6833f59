"""Every page of the application: nothing that axe objects to, nothing that scrolls sideways, a focus in order."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from web import browser_files as files
from web.browser_barriers import barriers, focus_order
from web.browser_chair import create_account, invite_observer, look_at_file
from web.browser_results import COMPUTED, computed
from web.browser_watch import Window, window
from web.running import RunningServer

RUNNING, OPEN = "/venues/workshop/", "/venues/conference/"
"""The two venues of the demonstration: one that collects reviews, and one whose results are open."""

PUBLIC = ("/", "/login/", "/password/reset/", "/password/reset/sent/", "/password/reset/complete/")
REFUSED = ("/nothing/", "/link-needed/", "/r/wrong/", "/join/wrong/", "/password/reset/x/y/")
CHAIR = (
    *("/venues/", "/venues/new/", "/account/", "/account/password/", RUNNING),
    *(f"{RUNNING}{page}/" for page in ("papers", "papers/new", "reviewers", "reviewers/new", "people", "settings")),
    *(f"{RUNNING}{page}/" for page in ("import/papers", "import/reviewers", "import/assignments", "invite", "remind")),
    *(f"{RUNNING}{page}/" for page in ("log", "close", "results", "results/open")),
    *(f"{OPEN}{page}" for page in ("", "reopen/", "results/", "results/?find=no+such+paper", "results/discussion/")),
    *(f"{OPEN}results/{page}/" for page in ("charts", "downloads")),
)
OBSERVER = (
    *("/venues/", "/venues/new/", RUNNING),
    *(f"{RUNNING}{page}/" for page in ("papers", "reviewers", "people", "settings", "log", "close", "results")),
)
WALKED = (RUNNING, f"{RUNNING}settings/", f"{RUNNING}reviewers/", f"{OPEN}results/", f"{OPEN}results/discussion/")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """The demonstration."""
    with RunningServer.started(tmp_path_factory.mktemp("demo") / "data", options=("--demo",)) as running:
        yield running


@pytest.fixture
def person(browser: Browser, server: RunningServer) -> Iterator[Window]:
    with window(browser, server.url) as opened:
        yield opened


@pytest.fixture
def chair(person: Window, server: RunningServer) -> Page:
    """The chair's browser."""
    email, password = re.search(r"with (\S+) and (\S+)", server.text).groups()  # type: ignore[union-attr]
    person.page.goto("/login/")
    person.page.get_by_label("E-mail address").fill(email)
    person.page.get_by_label("Password").fill(password)
    person.page.get_by_role("button", name="Sign in").click()
    expect(person.page.get_by_role("heading", name="Your venues")).to_be_visible()
    return person.page


def on_pages(page: Page, paths: tuple[str, ...]) -> dict[str, list[str]]:
    """What is wrong with which of these pages."""
    found = {}
    for path in paths:
        page.goto(path)
        found[path] = barriers(page)
    return {path: problems for path, problems in found.items() if problems}


def after(page: Page, *steps: Callable[[], object]) -> dict[str, list[str]]:
    """What is wrong with the pages that these steps lead to."""
    found = {}
    for step in steps:
        step()
        found[page.title()] = barriers(page)
    return {title: problems for title, problems in found.items() if problems}


def test_pages_for_everybody(person: Window) -> None:
    assert on_pages(person.page, PUBLIC + REFUSED) == {}
    assert [status for status, _ in person.refused] == [404, 403, 404, 404]
    assert person.problems == []


def test_refusals_of_forms(person: Window, server: RunningServer) -> None:
    page = person.page
    page.goto("/login/")
    page.get_by_label("E-mail address").fill("nobody@example.org")
    page.get_by_label("Password").fill("wrong")
    sign_in = page.get_by_role("button", name="Sign in")
    assert after(page, sign_in.click) == {}
    person.context.clear_cookies()
    page.get_by_label("Password").fill("wrong")
    assert after(page, sign_in.click) == {}
    expect(page.get_by_role("heading", name="The form has expired")).to_be_visible()
    assert person.problems == []


def test_the_page_of_our_own_errors(person: Window) -> None:
    template = Path(__file__).parents[2] / "src/surpeer/web/templates/500.html"
    person.page.set_content(template.read_text(encoding="utf-8"))
    assert barriers(person.page) == []


def test_pages_of_chairs(chair: Page, person: Window, tmp_path: Path) -> None:
    chair.goto(f"{OPEN}results/")
    expect(chair.get_by_role("heading", name="Ranking", exact=True)).to_be_visible(timeout=COMPUTED)
    computed(chair)
    assert on_pages(chair, CHAIR) == {}
    assert [one for one in person.refused if one != (409, f"{RUNNING}results/")] == []
    assert person.problems == []


def test_pages_of_chairs_that_one_comes_to_by_links_and_forms(chair: Page, person: Window, tmp_path: Path) -> None:
    wrong = files.as_csv(tmp_path, "wrong.csv", files.WRONG_PAPERS)
    right = files.as_csv(tmp_path, "right.csv", files.PAPERS)

    def follow(start: str, *names: str | re.Pattern[str]) -> Callable[[], None]:
        def steps() -> None:
            chair.goto(start)
            for name in names:
                chair.get_by_role("link", name=name).or_(chair.get_by_role("button", name=name)).first.click()

        return steps

    first = re.compile("^(Paper|Reviewer) 0?1( |$)")
    chair.goto(RUNNING)
    found = after(
        chair,
        lambda: look_at_file(chair, "papers", wrong),
        lambda: look_at_file(chair, "papers", right),
        follow(f"{RUNNING}papers/", first),
        follow(f"{RUNNING}papers/", first, "Edit the paper"),
        follow(f"{RUNNING}reviewers/", first),
        follow(f"{RUNNING}reviewers/", first, "Edit name and address"),
        follow(f"{RUNNING}reviewers/", first, "Erase personal data"),
        follow(f"{RUNNING}reviewers/", first, "Make a link to copy"),
        follow(f"{RUNNING}papers/new/", "Save the paper"),
        follow(f"{RUNNING}invite/", "Send"),
        follow(f"{OPEN}results/", "Paper 01"),
        follow("/account/", "Save the name"),
    )
    assert found == {}
    assert person.problems == []


def test_pages_of_observers(chair: Page, browser: Browser, server: RunningServer) -> None:
    chair.goto(RUNNING)
    invite_observer(chair, "olga@example.org")
    link = chair.locator(".notice code").inner_text()
    assert barriers(chair) == []
    with window(browser, server.url) as olga:
        olga.page.goto(link)
        assert barriers(olga.page) == []
        create_account(olga.page, link, "Olga Observer", "olga@example.org")
        assert on_pages(olga.page, OBSERVER) == {}
        assert [status for status, _ in olga.refused] == [403, 403, 409]
        assert olga.problems == []


def test_pages_of_reviewers(person: Window, server: RunningServer) -> None:
    page = person.page
    page.goto(server.link("/r/"))
    assert barriers(page) == []
    page.locator(".tasks a").first.click()
    review = page.url
    found = after(
        page,
        lambda: page.get_by_role("radio").first.check(),
        lambda: page.get_by_role("spinbutton").first.fill("25"),
        lambda: page.get_by_role("button", name="Scale to").click(),
        lambda: page.get_by_role("spinbutton").first.fill("3"),
        lambda: page.get_by_role("button", name="Submit the review").click(),
        lambda: page.goto(f"{review}decline/"),
    )
    assert found == {}
    assert [status for status, _ in person.refused] == [422]
    assert person.problems == []


def test_the_focus_walks_through_the_pages_of_chairs_in_their_order(chair: Page) -> None:
    found = {}
    for path in WALKED:
        chair.goto(path)
        found[path] = focus_order(chair)
    assert {path: problems for path, problems in found.items() if problems} == {}


def test_the_focus_walks_through_the_review_form_in_its_order(person: Window, server: RunningServer) -> None:
    page = person.page
    page.goto(server.link("/r/"))
    assert focus_order(page) == []
    page.locator(".tasks a").first.click()
    page.get_by_role("radio").first.check()
    assert focus_order(page) == []


def test_the_first_stop_skips_to_the_content(chair: Page) -> None:
    chair.goto(RUNNING)
    chair.keyboard.press("Tab")
    expect(chair.get_by_role("link", name="Skip to the content")).to_be_focused()
    chair.keyboard.press("Enter")
    chair.keyboard.press("Tab")
    assert chair.evaluate("document.activeElement.closest('main') !== null")
