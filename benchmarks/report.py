"""How long `surpeer report` takes and how large its file is, beside `surpeer decide` on the same reviews.

    python benchmarks/report.py [--papers 20000] [--levels 10] [--audience chair] [--chromium /usr/bin/chromium]

With Chromium and Playwright at hand it also opens the page and measures what a reader waits for: until the page is
ready, and for a search, a sort and a card; each next to the same browser opening an empty page.
"""

import argparse
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import polars as pl
from score_cli import run, seconds, write_venue

COMMAND = [sys.executable, "-m", "surpeer"]
MEBIBYTE = 2**20


# What a reader does, done inside the page: the time until the table shows it.
ACTIONS = {
    "a search": "const box = document.querySelector('input[type=search]'); box.value = 'P000123'; "
    "box.dispatchEvent(new Event('input', {bubbles: true}))",
    "a sort": "document.querySelector('table thead button').click()",
}


def with_titles_and_tracks(path: Path, tracks: int) -> None:
    """What the table of a large venue has besides: titles of usual length, and tracks."""
    number = pl.col("paper").str.slice(1).cast(pl.Int64)
    title = pl.format("On the limits of calibrated judgement in large venues, part {}", number)
    track = pl.format("Track {}", number % tracks)
    pl.read_csv(path).with_columns(title.alias("title"), track.alias("track")).write_csv(path)


def in_the_browser(page_file: Path, chromium: str) -> dict[str, float]:
    """Seconds until something can be seen."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        taken = {"an empty page": seconds(lambda: page.goto("about:blank"))}

        def open_report() -> None:
            page.goto(page_file.as_uri())
            page.wait_for_selector("html[data-ready]", timeout=120_000)

        taken["the report, ready"] = seconds(open_report)
        for what, action in ACTIONS.items():
            taken[what] = (
                page.evaluate(
                    f"() => {{ const start = performance.now(); {action}; return performance.now() - start; }}"
                )
                / 1000
            )
        browser.close()
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--levels", type=int, default=10)
    parser.add_argument("--tracks", type=int, default=6)
    parser.add_argument("--audience", default="chair")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reviews, table, page = (Path(folder, name) for name in ("reviews.csv", "decisions.csv", "report.html"))
        write_venue(reviews, 4 * arguments.papers, arguments.levels)
        with_titles_and_tracks(reviews, arguments.tracks)
        decide = seconds(lambda: run(*COMMAND, "decide", reviews, "--accept", "25%", "-o", table))
        options = ["--accept", "25%", "--audience", arguments.audience, "-o", page]
        report = seconds(lambda: run(*COMMAND, "report", reviews, *options))
        size = page.stat().st_size
        print(f"{arguments.papers:,} papers x 4 reviews x {arguments.levels} levels, for the {arguments.audience}")
        print(f"surpeer decide  {decide:6.1f} s")
        print(f"surpeer report  {report:6.1f} s  {report / decide:5.2f} times  {size / MEBIBYTE:.1f} MiB")
        if not arguments.chromium or find_spec("playwright") is None:
            print("(no Chromium or no Playwright here: the page was not opened)")
            return
        for what, taken in in_the_browser(page, arguments.chromium).items():
            print(f"  {what:18} {1000 * taken:8.0f} ms")


if __name__ == "__main__":
    main()
