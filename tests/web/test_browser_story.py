"""A venue from the first link to its decisions, in a real browser, on each database."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from web import browser_chair as chair
from web import browser_files as files
from web import browser_results as results
from web.browser_reviewers import Review, by_keyboard, by_touch, forgetting_three, without_script
from web.browser_watch import PHONE, Window, window
from web.running import RunningServer

TITLES = [row[1] for row in files.PAPERS[1:]]
ADA = [Review(TITLES[0], 3, (1, 3, 8, 8), "Ada thinks it is superb."), Review(TITLES[1], 1, (4, 10, 5, 1))]
ADA += [Review(TITLES[2], 2, (2, 6, 10, 2)), Review(TITLES[3], 0, (9, 8, 3, 0))]
BEN = [Review(TITLES[0], 3, (0, 2, 9, 9)), Review(TITLES[1], 0, (8, 8, 4, 0), "Ben has seen warmer roads.")]
BEN += [Review(TITLES[2], 2, (1, 5, 11, 3)), Review(TITLES[3], 1, (5, 9, 5, 1))]
CLEO = [Review(TITLES[0], 2, (2, 4, 9, 5)), Review(TITLES[1], 2, (3, 6, 9, 2))]
CLEO += [Review(TITLES[2], 3, (1, 4, 8, 7)), Review(TITLES[3], 0, (10, 7, 3, 0), "Cleo dislikes voles.")]
BEFORE = ("", "papers/", "reviewers/", "people/", "log/", "progress.json")
FORBIDDEN = ("Ada thinks", "Ben has seen", "Cleo dislikes")


class People:
    """Everybody's browsers."""

    def __init__(self, browser: Browser, server: str, stack: ExitStack) -> None:
        def opened(**options: object) -> Window:
            return stack.enter_context(window(browser, server, impatient=True, **options))

        self.chair, self.observer, self.ada = opened(), opened(color_scheme="dark"), opened()
        self.ben, self.cleo = opened(**PHONE), opened(java_script_enabled=False)

    @property
    def all(self) -> list[Window]:
        return [self.chair, self.observer, self.ada, self.ben, self.cleo]


@pytest.fixture
def people(browser: Browser, server: RunningServer) -> Iterator[People]:
    with ExitStack() as stack:
        yield People(browser, server.url, stack)


@pytest.mark.parametrize(
    "database_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)], indirect=True
)  # what the databases do differently is tested without a browser
def test_a_venue_from_the_first_link_to_its_decisions(server: RunningServer, people: People, tmp_path: Path) -> None:
    page = people.chair.page
    chair.create_account(page, server.link("/join/"), "Carla Chair", "carla@example.org")
    chair.create_venue(page)
    import_everything(page, tmp_path)
    chair.invite_reviewers(page, 4)
    chair.invite_observer(page, "olga@example.org")
    observer_joins(people.observer.page, server)
    slug = chair.venue_address(page)
    three_review(people, server)
    nothing_is_given_away(people, slug)
    chair.remind_the_late(page)
    chair.close_round(page)
    assert len(files.links_in_mails(server.data, "/r/")["dan@example.org"]) == 2

    results.open_results(page)
    first = results.ranking(page)
    assert list(first) == ["P1", "P3", "P2", "P4"]
    assert [first[key][0] for key in ("P1", "P2", "P3", "P4")] == ["3.33", "1.00", "2.67", "0.33"]
    look_around(page)
    results.exclude_review(page, "P2", "Ben Bauer", "He reviewed another paper.")
    assert results.ranking(page)["P2"][0] == "1.50"
    decisions_are_downloaded(page, tmp_path)
    assert results.report_draws(page) >= 3
    observer_reads(people.observer.page, slug)

    chair.reopen_round(page)
    cleo_revises(people.cleo.page)
    page.goto(f"{slug}results/")
    results.computed(page)
    assert results.ranking(page)["P4"][0] == "1.67"
    chair.close_round(page)
    nothing_went_wrong(people)


def import_everything(page: Page, folder: Path) -> None:
    """Each kind of file with a problem first, then right, then once more; as CSV and as a workbook."""
    papers = files.as_workbook(folder, "papers.xlsx", files.PAPERS)
    wrong = files.as_csv(folder, "wrong papers.csv", files.WRONG_PAPERS)
    chair.refused_file(page, "papers", wrong, "4 id an empty cell", '5 id "P1", as in row 2')
    chair.import_file(page, "papers", papers, 4)
    expect(page.get_by_role("link", name="Maps for <b>moles</b> & voles")).to_be_visible()
    chair.import_again(page, "papers", papers)
    reviewers = files.as_csv(folder, "reviewers.csv", files.REVIEWERS, delimiter=";")
    wrong = files.as_workbook(folder, "wrong reviewers.xlsx", files.WRONG_REVIEWERS)
    chair.refused_file(page, "reviewers", wrong, '3 email "ben at example.org" an e-mail address such as')
    chair.import_file(page, "reviewers", reviewers, 4)
    chair.import_again(page, "reviewers", reviewers)
    assignments = files.as_csv(folder, "assignments.csv", files.ASSIGNMENTS)
    wrong = files.as_csv(folder, "wrong assignments.csv", files.WRONG_ASSIGNMENTS)
    chair.refused_file(page, "assignments", wrong, '15 paper "P9"', '16 reviewer "dam@example.org"')
    chair.import_file(page, "assignments", assignments, 13)
    chair.import_again(page, "assignments", assignments)


def observer_joins(page: Page, server: RunningServer) -> None:
    """By the link in the mail; sees the venue and nothing to press."""
    (link,) = files.links_in_mails(server.data, "/join/")["olga@example.org"]
    chair.create_account(page, link, "Olga Observer", "olga@example.org")
    page.get_by_role("link", name=chair.NAME).click()
    expect(page.get_by_text("you are an observer and may read everything")).to_be_visible()
    for name in ("Overview", "Papers", "Reviewers", "People", "Settings", "Log"):
        page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
        expect(page.locator("main form[method=post], main .button")).to_have_count(0)


def three_review(people: People, server: RunningServer) -> None:
    """And the chair's overview counts them without being loaded again."""
    links = files.links_in_mails(server.data, "/r/")
    page = people.chair.page
    page.get_by_role("link", name="Overview").click()
    page.evaluate("window.neverLoadedAgain = true")
    done = page.locator("[data-progress=done]")
    expect(done).to_have_text("0")
    people.ada.page.goto(links["ada@example.org"][0])
    for review in ADA:
        by_keyboard(people.ada.page, review)
    expect(done).to_have_text("4")
    people.ben.page.goto(links["ben@example.org"][0])
    for review in BEN:
        by_touch(people.ben.page, review)
    people.cleo.page.goto(links["cleo@example.org"][0])
    forgetting_three(people.cleo.page, TITLES[0])
    for review in CLEO:
        without_script(people.cleo.page, review)
    expect(done).to_have_text("12")
    expect(
        page.locator("[data-progress-latest]").get_by_role("row", name="Cleo Cruz Maps for <b>moles</b> & voles P4")
    ).to_be_visible()
    assert page.evaluate("window.neverLoadedAgain") is True
    expect(people.cleo.page.get_by_text("4 of 4 reviewed")).to_be_visible()


def nothing_is_given_away(people: People, slug: str) -> None:
    """Neither ratings nor comments, to chairs and observers, before the results are opened."""
    for person in (people.chair, people.observer):
        for path in BEFORE:
            person.page.goto(f"{slug}{path}")
            text = person.page.locator("body").inner_text()
            assert [words for words in FORBIDDEN if words in text] == [], path
            assert text.count("superb") == (1 if path == "" else 0), path  # the scale of the venue, on its overview
        person.page.goto(f"{slug}results/")
        expect(person.page.get_by_role("heading", name="The results have not been opened")).to_be_visible()
    expect(people.observer.page.get_by_role("link", name="Open the results")).to_have_count(0)


def look_around(page: Page) -> None:
    """What is to be discussed, charts, and one paper with its reviews."""
    page.get_by_role("link", name="To discuss").click()
    expect(page.get_by_role("heading", name="Papers to discuss")).to_be_visible()
    page.get_by_role("link", name="Charts").click()
    for picture in page.locator("figure img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("(image) => image.naturalWidth") > 100
    results.open_paper(page, "P1")
    review = page.get_by_role("article", name="Ada Abel")
    expect(review).to_contain_text("superb")
    expect(review).to_contain_text("Ada thinks it is superb.")


def decisions_are_downloaded(page: Page, folder: Path) -> None:
    """As CSV and as a workbook: what the page shows."""
    shown = {key: proposal for key, (_, proposal) in results.ranking(page).items()}
    assert results.proposals_in_csv(results.downloaded(page, "decisions.csv", folder)) == shown
    assert results.proposals_in_workbook(results.downloaded(page, "decisions.xlsx", folder)) == shown


def observer_reads(page: Page, slug: str) -> None:
    """The results, and nothing to press."""
    page.goto(f"{slug}results/")
    page.get_by_role("link", name="P2", exact=True).click()
    expect(page.get_by_role("article", name="Ben Bauer")).to_contain_text("He reviewed another paper.")
    expect(page.locator("main form[method=post], main .button, main details")).to_have_count(0)


def cleo_revises(page: Page) -> None:
    """Without script, as before; the version before is kept."""
    page.goto("/reviews/")
    without_script(page, Review(TITLES[3], 3, (10, 7, 3, 0), "Cleo has met a vole."))


def nothing_went_wrong(people: People) -> None:
    """No error in a console, no other host, no answer that was not expected."""
    assert [person.problems for person in people.all] == [[]] * len(people.all)
    refused = [[status for status, _ in person.refused] for person in people.all]
    assert refused == [[], [], [], [], [422]]  # a form with three left to place
