"""What a chair does with the results, and what an observer sees of them."""

import csv
from pathlib import Path

from openpyxl import load_workbook
from playwright.sync_api import Locator, Page, expect

from web.browser_chair import venue_address

CHARTS = "[...document.querySelectorAll('.chart')].filter((chart) => chart.querySelector('svg, canvas')).length"


def open_results(page: Page) -> None:
    """What it means is said first; then they are there as soon as they are computed, without loading again."""
    page.get_by_role("link", name="Results", exact=True).click()
    page.get_by_role("link", name="Open the results").click()
    expect(page.get_by_text("cannot be taken back")).to_be_visible()
    page.get_by_role("button", name="Open the results").click()
    expect(page.get_by_role("heading", name="Ranking", exact=True)).to_be_visible()
    computed(page)


def computed(page: Page) -> None:
    """Wait until nothing is being computed or drawn any more."""
    expect(page.locator("#freshness .notice")).to_be_hidden()


def ranking(page: Page) -> dict[str, tuple[str, str]]:
    """Mean rating and proposal of each paper as the ranking shows them, the best first."""
    page.goto(f"{venue_address(page)}results/")
    rows = page.locator("tbody tr").all()
    return {_id(row): (_cell(row, "Mean rating"), _cell(row, "Proposal")) for row in rows}


def _id(row: Locator) -> str:
    return row.get_by_role("link").inner_text()


def _cell(row: Locator, title: str) -> str:
    """The cell of a row below a title."""
    titles = row.locator("xpath=ancestor::table").locator("thead th").all_inner_texts()
    return row.locator("th, td").nth(titles.index(title)).inner_text()


def open_paper(page: Page, key: str) -> None:
    """From the ranking."""
    page.goto(f"{venue_address(page)}results/")
    page.get_by_role("link", name=key, exact=True).click()
    expect(page.get_by_role("heading", name="Why it stands there")).to_be_visible()


def exclude_review(page: Page, key: str, who: str, reason: str) -> None:
    """Never without a reason, which everybody reads."""
    open_paper(page, key)
    review = page.get_by_role("article", name=who)
    review.get_by_text("Exclude this review …").click()
    review.get_by_label("Why shall this review not count?").fill(reason)
    review.get_by_role("button", name="Exclude this review").click()
    expect(page.get_by_role("status").first).to_contain_text("The review is excluded.")
    expect(page.get_by_role("article", name=who)).to_contain_text(reason)
    computed(page)


def downloaded(page: Page, name: str, folder: Path) -> Path:
    """A file of the page of downloads."""
    page.goto(f"{venue_address(page)}results/downloads/")
    with page.expect_download() as coming:
        page.get_by_role("link", name=name, exact=True).click()
    path = folder / name
    coming.value.save_as(path)
    return path


def proposals_in_csv(path: Path) -> dict[str, str]:
    """What a file proposes for each paper."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["paper"]: row["proposal"] for row in csv.DictReader(file)}


def proposals_in_workbook(path: Path) -> dict[str, str]:
    """The same of a workbook."""
    head, *rows = load_workbook(path, read_only=True).worksheets[0].iter_rows(values_only=True)
    return {str(row[head.index("paper")]): str(row[head.index("proposal")]) for row in rows}


def report_draws(page: Page) -> int:
    """Open the report and count its charts once they are drawn."""
    page.goto(f"{venue_address(page)}results/")
    page.get_by_role("link", name="Report", exact=True).click()
    page.wait_for_selector("html[data-ready]")
    page.wait_for_function(f"{CHARTS} > 0")
    drawn = int(page.evaluate(CHARTS))
    page.go_back()
    return drawn
