"""Every page of the application: nothing that axe objects to, nothing that scrolls sideways, a focus in order."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from surpeer.web.accounts import limits
from web import browser_files as files
from web.browser_barriers import barriers, focus_order
from web.browser_chair import create_account, invite_observer, look_at_file, signed_in
from web.browser_results import computed
from web.browser_watch import Window, before_scripts, window
from web.running import RunningServer

RUNNING, OPEN = "/venues/workshop/", "/venues/conference/"
"""The two venues of the demonstration: one that collects reviews, and one whose results are open."""

PUBLIC = ("/", "/login/", "/password/reset/", "/password/reset/sent/", "/password/reset/complete/")
REFUSED = ("/nothing/", "/link-needed/", "/r/wrong/", "/join/wrong/", "/password/reset/x/y/")
CHAIR = (
    *("/venues/", "/venues/new/", "/account/", RUNNING),
    *(f"{RUNNING}{page}/" for page in ("papers", "reviewers", "people", "settings", "log")),
    *(f"{RUNNING}{page}/" for page in ("import/papers", "invite", "close", "results", "results/open")),
    *(f"{OPEN}{page}" for page in ("", "results/", "results/discussion/", "results/charts/", "results/downloads/")),
)
LIKE_THOSE = (
    *("/account/password/", f"{OPEN}reopen/", f"{OPEN}results/?find=no+such+paper"),
    *(f"{RUNNING}{page}/" for page in ("papers/new", "reviewers/new", "remind")),
    *(f"{RUNNING}import/{kind}/" for kind in ("reviewers", "assignments")),
)
"""Pages of chairs that are made as others of them are."""
OBSERVER = (
    *("/venues/", "/venues/new/", RUNNING),
    *(f"{RUNNING}{page}/" for page in ("papers", "reviewers", "people", "settings", "log", "close", "results")),
)
MANY_FIELDS = """() => {
  const form = document.querySelector("main form");
  for (let at = 0; at < 2001; at += 1) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: `x${at}` }));
}"""
WALKED = (RUNNING, f"{RUNNING}settings/", f"{RUNNING}reviewers/", f"{OPEN}results/", f"{OPEN}results/discussion/")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demonstration has its own folder, and in that its mails."""
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[RunningServer]:
    """The demonstration."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        with RunningServer.started(folder / "data", options=("--demo",)) as running:
            yield running


@pytest.fixture
def person(browser: Browser, server: RunningServer) -> Iterator[Window]:
    with window(browser, server.url) as opened:
        yield opened


@pytest.fixture(scope="module")
def cookies(browser: Browser, server: RunningServer) -> list[Any]:
    return signed_in(browser, server)


@pytest.fixture
def chair(person: Window, cookies: list[Any]) -> Page:
    """The chair's browser."""
    person.context.add_cookies(cookies)
    return person.page


def wait_for_results(chair: Page) -> None:
    """Until they are there, their pages may load again at any moment."""
    chair.goto(f"{OPEN}results/")
    expect(chair.get_by_role("heading", name="Ranking", exact=True)).to_be_visible()
    computed(chair)


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


def test_a_request_that_is_too_large(person: Window) -> None:
    page = person.page
    page.goto("/login/")
    page.get_by_label("E-mail address").fill("nobody@example.org")
    page.get_by_label("Password").fill("wrong")
    page.evaluate(MANY_FIELDS)
    assert after(page, page.get_by_role("button", name="Sign in").click) == {}
    expect(page.get_by_role("heading", name="This cannot be read")).to_be_visible()
    assert [status for status, _ in person.refused] == [400]
    assert person.problems == []


def test_a_link_to_a_new_password_and_one_question_for_it_too_many(
    person: Window, server: RunningServer, folder: Path
) -> None:
    page = person.page
    page.goto("/password/reset/")
    page.get_by_label("E-mail address").fill("chair@example.org")
    page.get_by_role("button", name="Write the mail").click()
    expect(page.get_by_role("heading", name="The mail was not sent")).to_be_visible()
    mails = (path.read_text() for path in folder.glob("surpeer-demo-*/mail/*.eml"))
    link = next(found[0] for mail in mails if (found := re.search(r"http://\S+/password/reset/\S+", mail)))
    assert after(page, lambda: page.goto(link)) == {}
    expect(page.get_by_role("heading", name="Choose a new password")).to_be_visible()
    page.goto("/password/reset/")
    token = page.locator("[name=csrfmiddlewaretoken]").first.get_attribute("value")
    for _ in range(limits.MOST):
        page.request.post("/password/reset/", form={"csrfmiddlewaretoken": str(token), "email": "x@example.org"})
    page.get_by_label("E-mail address").fill("x@example.org")
    assert after(page, page.get_by_role("button", name="Write the mail").click) == {}
    expect(page.get_by_role("heading", name="Please wait")).to_be_visible()
    assert [status for status, _ in person.refused] == [429]
    assert person.problems == []


def test_pages_that_show_a_secret_once(chair: Page, person: Window) -> None:
    chair.goto("/account/")
    chair.get_by_label("What it is for").fill("a script")
    assert after(chair, chair.get_by_role("button", name="Make a token").click) == {}
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])
    chair.get_by_role("button", name="Copy").click()
    expect(chair.get_by_text("Copied.")).to_be_visible()
    assert chair.evaluate("navigator.clipboard.readText()") == chair.locator(".notice #copied").inner_text()
    chair.goto(RUNNING)
    invite_observer(chair, "otto@example.org")
    link = chair.locator(".notice #copied").inner_text()
    assert after(chair, lambda: chair.goto(link)) == {}
    expect(chair.get_by_role("button", name="Accept with this account")).to_be_visible()
    assert person.problems == []


def test_the_list_of_scales_and_the_rows_agree_while_one_types(chair: Page) -> None:
    chair.goto("/venues/new/")
    scales, labels = chair.get_by_label("Common scales"), chair.get_by_label("Label of level")
    expect(scales).to_have_value("five-grades")
    expect(chair.get_by_role("button", name="Use this scale")).to_be_hidden()
    scales.select_option("four-grades")
    expect(labels).to_have_count(4)
    assert [one.input_value() for one in labels.all()] == ["reject", "weak reject", "weak accept", "accept"]
    assert chair.get_by_label("Value of level 4").input_value() == "2"
    chair.get_by_label("Label of level 1").fill("no")
    expect(scales).to_have_value("")
    scales.select_option("six-grades")
    expect(labels).to_have_count(6)
    scales.select_option("")  # back to what she had typed
    assert [one.input_value() for one in labels.all()] == ["no", "weak reject", "weak accept", "accept"]
    chair.get_by_label("Label of level 1").fill("reject")
    expect(scales).to_have_value("four-grades")
    chair.get_by_role("button", name="Remove level 1").click()
    expect(scales).to_have_value("")


def test_what_is_chosen_before_the_scripts_came_counts(
    browser: Browser, server: RunningServer, cookies: list[Any]
) -> None:
    context = browser.new_context(base_url=server.url, timezone_id="Europe/Madrid")
    context.add_cookies(cookies)
    page = context.new_page()
    with before_scripts(page):
        page.goto("/venues/new/", wait_until="commit")
        page.get_by_label("Name").fill("In haste")
        page.get_by_label("Common scales").select_option("four-grades")
    expect(page.get_by_label("Label of level")).to_have_count(4)
    expect(page.get_by_label("Common scales")).to_have_value("four-grades")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Madrid")
    context.close()


def test_the_page_of_our_own_errors(person: Window) -> None:
    template = Path(__file__).parents[2] / "src/surpeer/web/templates/500.html"
    person.page.set_content(template.read_text(encoding="utf-8"))
    assert barriers(person.page) == []


@pytest.mark.parametrize(
    "paths", [CHAIR, pytest.param(LIKE_THOSE, marks=pytest.mark.slow)], ids=["all kinds", "others"]
)
def test_pages_of_chairs(chair: Page, person: Window, paths: tuple[str, ...]) -> None:
    wait_for_results(chair)
    assert on_pages(chair, paths) == {}
    assert person.refused == []
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

    paper, reviewer = "Hedgehogs", "Ada Abel"
    wait_for_results(chair)
    chair.goto(RUNNING)
    found = after(
        chair,
        lambda: look_at_file(chair, "papers", wrong),
        lambda: look_at_file(chair, "papers", right),
        follow(f"{RUNNING}papers/", paper),
        follow(f"{RUNNING}papers/", paper, "Edit the paper"),
        follow(f"{RUNNING}reviewers/", reviewer),
        follow(f"{RUNNING}reviewers/", reviewer, "Edit name and address"),
        follow(f"{RUNNING}reviewers/", reviewer, "Erase personal data"),
        follow(f"{RUNNING}reviewers/", reviewer, "Make a link to copy"),
        follow(f"{RUNNING}reviewers/", reviewer, "Revoke all links"),
        follow(f"{RUNNING}papers/new/", "Save the paper"),
        follow(f"{RUNNING}invite/", "Send"),
        follow(f"{OPEN}results/", "P01"),
        follow("/account/", "Save the name"),
    )
    assert found == {}
    assert person.problems == []


@pytest.mark.slow  # those of chairs with less on them
def test_pages_of_observers(chair: Page, browser: Browser, server: RunningServer) -> None:
    chair.goto(RUNNING)
    invite_observer(chair, "olga@example.org")
    link = chair.locator(".notice #copied").inner_text()
    assert barriers(chair) == []
    with window(browser, server.url) as olga:
        olga.page.goto(link)
        assert barriers(olga.page) == []
        create_account(olga.page, link, "Olga Observer", "olga@example.org")
        assert on_pages(olga.page, OBSERVER) == {}
        assert [status for status, _ in olga.refused] == [403, 403]
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
    wait_for_results(chair)
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
    expect(page.get_by_role("button", name="Discard the draft …")).to_be_visible()  # once it is saved
    assert focus_order(page) == []


def test_the_first_stop_skips_to_the_content(chair: Page) -> None:
    chair.goto(RUNNING)
    chair.keyboard.press("Tab")
    expect(chair.get_by_role("link", name="Skip to the content")).to_be_focused()
    chair.keyboard.press("Enter")
    chair.keyboard.press("Tab")
    assert chair.evaluate("document.activeElement.closest('main') !== null")
