"""Reports in a real browser. Without one these tests are skipped, except in CI, where that is a failure."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

import surpeer
from surpeer.report.audience import Audience
from surpeer.report.content import report_of
from surpeer.report.document import document_of
from surpeer.report.page import page_of
from surpeer.report.redact import redact

WORKSHOP = Path(__file__).resolve().parents[2] / "examples" / "workshop.csv"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is Chromium without what draws windows: a page opens in half the time."""


def _absent(what: str) -> NoReturn:
    message = f"{what} is not installed: the report cannot be looked at in a browser (Debian: apt install chromium)"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        _absent("Chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _absent("Playwright")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


def has_text(locator: Any, text: str) -> bool:
    """Whether this is the text of an element, now or soon; if not, what was found is in the error."""
    from playwright.sync_api import expect

    expect(locator).to_have_text(text)
    return True


def has_count(locator: Any, count: int) -> bool:
    """Whether there are so many elements, now or soon."""
    from playwright.sync_api import expect

    expect(locator).to_have_count(count)
    return True


def card_is(page: Any, paper: str) -> bool:
    """Whether the card of this paper is open, now or soon."""
    return has_text(page.locator("#card[open] #card-title"), paper)


@dataclass
class Opened:
    """A report in the browser, and what went wrong or was asked for while it was open."""

    page: Any
    address: str
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture
def open_report(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Open a document as a page: open_report(document, "#ranking", color_scheme="dark"); `first` is a script."""
    contexts = []

    def opened(
        document: dict[str, Any], fragment: str = "", *, script: bool = True, first: str = "", **options: Any
    ) -> Opened:
        file = tmp_path / "report.html"
        file.write_text(page_of(document), encoding="utf-8")
        contexts.append(browser.new_context(java_script_enabled=script, accept_downloads=True, **options))
        page = contexts[-1].new_page()
        page.add_init_script(first)
        report = Opened(page, file.as_uri())
        page.on("pageerror", lambda problem: report.errors.append(str(problem)))
        page.on("console", lambda line: report.errors.append(line.text) if line.type in ("error", "warning") else None)
        page.on("request", lambda request: report.requests.append(request.url))
        page.goto(file.as_uri() + fragment)
        if script and not report.errors:
            page.wait_for_selector("html[data-ready]")
        assert report.errors == []
        return report

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def decisions() -> surpeer.Decisions:
    return surpeer.decide(surpeer.calibrate(surpeer.read_reviews(WORKSHOP)), 3)


@pytest.fixture
def document(decisions: surpeer.Decisions) -> Callable[..., dict[str, Any]]:
    """The document of the bundled example, with titles and two tracks, for an audience."""

    def made(audience: str = "chair") -> dict[str, Any]:
        result = document_of(redact(report_of(decisions, title="Workshop 2026"), Audience(audience)))
        if result["papers"]:
            count = len(result["papers"]["id"])
            result["papers"]["title"] = [f"An example, part {at + 1}" for at in range(count)]
            result["papers"]["track"] = [at % 2 for at in range(count)]
            result["tracks"] = ["Logic", "Systems"]
        return result

    return made


@pytest.fixture
def many(document: Callable[..., dict[str, Any]]) -> Callable[[int], dict[str, Any]]:
    """The same papers again and again, with ids P1, P2, ... in the order of rank."""

    def made(count: int) -> dict[str, Any]:
        result = document("committee")
        papers, once = result["papers"], len(result["papers"]["id"])
        for name, column in papers.items():
            papers[name] = None if column is None else [column[at * once // count] for at in range(count)]
        papers["id"] = [f"P{at + 1}" for at in range(count)]
        papers["title"] = [f"Paper number {at + 1}" for at in range(count)]
        papers["rank"] = papers["mean_rank"] = list(range(1, count + 1))
        result["decision"]["places"] = count // 4
        return result

    return made
