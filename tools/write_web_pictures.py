"""Take the pictures of the application for the documentation. Needs Chromium and the extra `web`.

    python tools/write_web_pictures.py

A server with a made-up workshop is started for it, and gone afterwards.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import web_pictures_venue as workshop
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "_static" / "web"
WIDE, PHONE = (
    {"width": 1200, "height": 900},
    {"width": 390, "height": 1800},
)  # so long that nothing sticks to its lower edge
COLOURS = 128
MARGIN = 8
PATIENCE = 120  # seconds, and more than enough


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="surpeer-pictures-") as folder:
        data = Path(folder)
        link = _filled(data)  # before Playwright, in whose presence Django refuses to work
        FOLDER.mkdir(parents=True, exist_ok=True)
        with _serving(data) as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            _of_reviewers(browser, server, link)
            _of_chairs(browser, server, workshop.problem_file(data))
            browser.close()


def _of_reviewers(browser: Browser, server: str, link: str) -> None:
    page = _page(browser, server)
    page.goto(link)
    _save(page, "my-papers.png", ".tasks")
    page.get_by_role("link", name="Night song").click()
    _fill_review(page)
    _save(page, "review.png", "footer")
    page.close()  # two windows with one review would be told of each other
    phone = _page(browser, server, PHONE)
    phone.goto(link)
    phone.get_by_role("link", name="Night song").click()
    _fill_review(phone)
    _save(phone, "review-phone.png", ".total", first="#rating")


def _fill_review(page: Page) -> None:
    """A rating, and a prediction with three left to place."""
    page.get_by_role("radio", name="accept", exact=True).check()
    for label, number in zip(workshop.LEVELS, ("2", "5", "8", "2"), strict=True):
        page.get_by_role("spinbutton", name=label, exact=True).fill(number)
    expect(page.locator("#left")).to_have_text("3 left to place")
    page.evaluate("document.activeElement.blur()")


def _of_chairs(browser: Browser, server: str, wrong: Path) -> None:
    page = _page(browser, server)
    page.goto("/login/")
    page.get_by_label("E-mail address").fill(workshop.CHAIR)
    page.get_by_label("Password").fill(workshop.PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.goto("/venues/running/")
    _save(page, "overview.png", "footer")
    page.goto("/venues/running/import/assignments/")
    page.get_by_label("File").set_input_files(wrong)
    page.get_by_role("button", name="Look at the file").click()
    _save(page, "import-problems.png", "table")
    page.goto("/venues/results/results/")
    expect(page.get_by_role("heading", name="Ranking", exact=True)).to_be_visible(timeout=PATIENCE * 1000)
    expect(page.locator("#freshness .notice")).to_be_hidden(timeout=PATIENCE * 1000)
    _save(page, "ranking.png", "tbody tr:nth-child(9)")
    page.get_by_role("link", name=workshop.EXPLAINED).click()
    _save(page, "paper.png", "figure >> nth=0")


def _page(browser: Browser, server: str, size: dict[str, int] = WIDE) -> Page:
    context = browser.new_context(base_url=server, viewport=size, locale="en-GB", timezone_id="UTC")  # type: ignore[arg-type]
    return context.new_page()


def _save(page: Page, name: str, last: str, first: str = "header") -> None:
    """A page from the first of these elements to the last."""
    for picture in page.locator("figure img").all():
        picture.scroll_into_view_if_needed()
        page.wait_for_function("(image) => image.complete", arg=picture.element_handle())
    page.evaluate("window.scrollTo(0, 0)")
    top = page.locator(first).first.bounding_box()
    bottom = page.locator(last).last.bounding_box()
    assert top is not None
    assert bottom is not None
    height = bottom["y"] + bottom["height"] + MARGIN - top["y"]
    clip = {"x": 0, "y": top["y"], "width": page.evaluate("innerWidth"), "height": height}
    _write(name, page.screenshot(full_page=True, clip=clip))  # type: ignore[arg-type]


def _write(name: str, png: bytes) -> None:
    """With as many colours as such a page has: a quarter of the size."""
    picture = Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    picture.save(FOLDER / name, optimize=True)
    (FOLDER / name).chmod(0o644)  # the application makes files for its owner alone


def _filled(data: Path) -> str:
    """A database in this folder; returns the path of a personal link."""
    os.environ["SURPEER_DATA"] = str(data)
    for name in ("DATABASE_URL", "SURPEER_URL", "SURPEER_SECRET_KEY", "EMAIL_HOST"):
        os.environ.pop(name, None)
    from surpeer.web.deployment import Deployment
    from surpeer.web.server import prepare

    prepare(Deployment.from_environment())
    link = workshop.fill()
    from django.db import connections

    connections.close_all()
    return link


@contextmanager
def _serving(data: Path) -> Iterator[str]:
    """The server on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "surpeer", "serve", "--data", str(data), "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _wait(f"http://127.0.0.1:{port}/health/")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def _wait(address: str) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


if __name__ == "__main__":
    main()
