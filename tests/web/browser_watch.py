"""Somebody's browser, and everything in it that should not happen: errors, other hosts, requests that fail."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, Route

ON_PURPOSE = "net::ERR_ABORTED"  # a page that is left, or a file that is downloaded instead of shown
TOLD_TWICE = "Failed to load resource"  # what the console says of an answer that is in `refused`
SCRIPTS = "**/static/**/*.js"
IMPATIENT = """{
  const later = setTimeout;
  window.setTimeout = (what, pause, ...more) => later(what, pause >= 2000 ? pause / 10 : pause, ...more);
}"""
"""Pages ask every few seconds whether there is something new; so they ask ten times as often."""
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


@dataclass
class Window:
    """A browser of one person."""

    server: str
    context: BrowserContext
    page: Page
    problems: list[str] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)
    """Answers with a status of 400 or more: the status and the path."""

    def watch(self) -> None:
        self.context.on("console", self._console)
        self.context.on("weberror", lambda error: self.problems.append(f"error: {error.error}"))
        self.context.on("request", self._request)
        self.context.on("requestfailed", self._failed)
        self.context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith(TOLD_TWICE):
            self.problems.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.server}/", "data:", "blob:")):
            self.problems.append(f"another host: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != ON_PURPOSE:
            self.problems.append(f"failed: {request.url} {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.refused.append((response.status, urlsplit(response.url).path))


@contextmanager
def window(browser: Browser, server: str, *, impatient: bool = False, **options: Any) -> Iterator[Window]:
    """A new browser for somebody, with cookies of its own; impatient where a test would wait for what pages ask for."""
    context = browser.new_context(base_url=server, locale="en-GB", timezone_id="UTC", **options)
    if impatient:
        context.add_init_script(IMPATIENT)
    opened = Window(server, context, context.new_page())
    opened.watch()
    yield opened
    context.close()


@contextmanager
def before_scripts(page: Page) -> Iterator[None]:
    """Pages that are opened in here get their scripts only afterwards, as with a slow connection. Do not wait for them:
    open a page until "commit"."""
    held: list[Route] = []
    page.route(SCRIPTS, lambda route: held.append(route))
    yield
    for route in held:
        route.continue_()
    page.unroute(SCRIPTS)
