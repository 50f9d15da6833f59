"""Three ways to give a review: by the keyboard alone, with a finger on a phone, and without JavaScript."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

MOST_STOPS = 60
WHOLE = 20


@dataclass(frozen=True)
class Review:
    """What somebody gives to one paper: the place of the rating on the scale, and a prediction for each level."""

    title: str
    rating: int
    prediction: tuple[int, ...]
    comment: str = ""


def tab_to(page: Page, goal: Locator) -> None:
    """Press the Tab key until something has the focus."""
    for _ in range(MOST_STOPS):
        if goal.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not reach {goal}")


def open_paper(page: Page, title: str) -> Locator:
    """The link to a paper on the page of one's papers."""
    return page.get_by_role("link", name=title, exact=True)


def submitted(page: Page, title: str) -> None:
    """The page says that it was stored."""
    expect(page.get_by_role("heading", name="Your review is submitted")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text(title)


def by_keyboard(page: Page, review: Review) -> None:
    """No mouse at all, from the list of papers to the page that says it was stored."""
    tab_to(page, open_paper(page, review.title))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("radio").first)
    page.keyboard.press("Space")
    for _ in range(review.rating):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio").nth(review.rating)).to_be_checked()
    for place, number in enumerate(review.prediction):
        tab_to(page, page.get_by_role("spinbutton").nth(place))
        page.keyboard.type(str(number))
    expect(page.locator("#left")).to_have_text(f"Adds up to {WHOLE}")
    tab_to(page, page.get_by_label("Comment to the chairs"))
    page.keyboard.type(review.comment)
    tab_to(page, page.get_by_role("button", name="Submit the review"))
    page.keyboard.press("Enter")
    submitted(page, review.title)
    tab_to(page, page.get_by_role("link", name="My papers").first)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="My papers")).to_be_visible()


def by_touch(page: Page, review: Review) -> None:
    """With a finger, and with the plus and minus buttons."""
    open_paper(page, review.title).tap()
    expect(page.locator("#prediction")).to_be_hidden()
    page.get_by_role("radio").nth(review.rating).tap()
    for place, number in enumerate(review.prediction):
        page.get_by_role("spinbutton").nth(place).fill(str(number))
    page.get_by_role("button", name="One more for").first.tap()
    expect(page.locator("#left")).to_have_text("1 too many")
    page.get_by_role("button", name="One fewer for").first.tap()
    expect(page.locator("#left")).to_have_text(f"Adds up to {WHOLE}")
    page.get_by_label("Comment to the chairs").fill(review.comment)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("button", name="Submit the review").tap()
    submitted(page, review.title)
    page.get_by_role("link", name="My papers").first.tap()


def without_script(page: Page, review: Review) -> None:
    """The server checks, and answers a wrong form with the form as it was filled."""
    open_paper(page, review.title).click()
    page.get_by_role("radio").nth(review.rating).check()
    numbers = page.get_by_role("spinbutton")
    for place, number in enumerate(review.prediction):
        numbers.nth(place).fill(str(number))
    page.get_by_label("Comment to the chairs").fill(review.comment)
    page.get_by_role("button", name="Submit the").click()
    submitted(page, review.title)
    page.get_by_role("link", name="My papers").first.click()


def forgetting_three(page: Page, title: str) -> None:
    """A form without script in which three reviewers are left to place: nothing is stored, nothing is lost."""
    open_paper(page, title).click()
    page.get_by_role("radio").nth(1).check()
    page.get_by_role("spinbutton").first.fill("17")
    page.get_by_label("Comment to the chairs").fill("Typed before the mistake.")
    page.get_by_role("button", name="Submit the review").click()
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("The numbers add up to 17, expected 20: 3 left to place.")
    expect(page.get_by_role("radio").nth(1)).to_be_checked()
    expect(page.get_by_role("spinbutton").first).to_have_value("17")
    expect(page.get_by_label("Comment to the chairs")).to_have_value("Typed before the mistake.")
    page.get_by_role("link", name="My papers").first.click()
