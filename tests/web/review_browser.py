"""The browser of a reviewer, for the tests of the review form."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page


@dataclass(frozen=True)
class Own:
    """A browser in which a reviewer opened her link."""

    context: BrowserContext
    assignment: int

    @property
    def address(self) -> str:
        return f"/reviews/{self.assignment}/"

    def page(self) -> Page:
        """A new window with the review of her first paper."""
        opened = self.context.new_page()
        opened.goto(self.address)
        return opened

    @property
    def stored(self) -> dict[str, Any]:
        """What the server holds of that review."""
        return next(paper for paper in self.papers if paper["draft"] or paper["submissions"])

    @property
    def papers(self) -> list[dict[str, Any]]:
        """What it holds of all her papers."""
        return list(self.context.request.get("/reviews/my-data/").json()["papers"])


@contextmanager
def opened_by(browser: Browser, server: str, link: str, assignment: int, **options: Any) -> Iterator[Own]:
    """The browser of whoever has this link."""
    context = browser.new_context(base_url=server, locale="en-GB", timezone_id="UTC", **options)
    page = context.new_page()
    page.goto(link)
    assert page.url == f"{server}/reviews/"
    page.close()
    yield Own(context, assignment)
    context.close()
