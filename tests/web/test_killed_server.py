"""SIGKILL under load: what was answered with success is on disk, once and whole; nothing else is there by halves."""

import random
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from queue import Empty, Queue

import pytest

from web.filled_database import Reviewers, filled, stored_submissions
from web.postgresql import free_port
from web.reviewer_browser import ReviewerBrowser
from web.running import RunningServer
from web.waiting import eventually

KILLS = [
    pytest.param("sqlite", 4),  # which is killed with the server
    pytest.param("sqlite", 20, marks=pytest.mark.slow),
    pytest.param("postgresql", 20, marks=pytest.mark.slow),
]
AT_MOST = 5
"""Times as many kills until enough submissions were in flight: of a few kills, by chance most may have hit none."""
REVIEWERS, PAPERS_EACH = 200, 40
CLIENTS = 6
UNDER_LOAD = (0.0, 0.25)
"""Seconds from the moment when as many submissions as there are clients have succeeded to the kill, at random."""


@dataclass
class Load:
    """Reviewers who submit as fast as they can; a submission without an answer is sent again, with the same form."""

    port: int
    tasks: "Queue[tuple[str, int]]" = field(default_factory=Queue)
    unanswered: "Queue[tuple[str, int, dict[str, str]]]" = field(default_factory=Queue)
    confirmed: dict[str, tuple[int, int, list[int]]] = field(default_factory=dict)
    """key -> assignment, rating, prediction, of each submission that was answered with success."""
    strange: list[object] = field(default_factory=list)

    def run(self, stop: threading.Event) -> list[threading.Thread]:
        threads = [threading.Thread(target=self._work, args=(stop,)) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        return threads

    def _work(self, stop: threading.Event) -> None:
        browsers: dict[str, ReviewerBrowser] = {}
        while not stop.is_set():
            try:
                link, assignment, form = self.unanswered.get_nowait()
            except Empty:
                (link, assignment), form = self.tasks.get(), {}
            try:
                self._review(browsers, link, assignment, form)
            except (OSError, HTTPException):  # killed: the form, if there was one, is sent again to the next server
                self.unanswered.put((link, assignment, form)) if form else self.tasks.put((link, assignment))
                time.sleep(0.01)
        for browser in browsers.values():
            browser.close()

    def _review(self, browsers: dict[str, ReviewerBrowser], link: str, assignment: int, form: dict[str, str]) -> None:
        browser = browsers.setdefault(link, ReviewerBrowser(self.port))
        if "sessionid" not in browser.cookies:
            browser.open_link(link)
        fresh = browser.form(assignment) if not form else {}
        form.update(fresh or {"csrfmiddlewaretoken": browser.form(assignment)["csrfmiddlewaretoken"]})
        rating, prediction = assignment % 2, [assignment % 21, 20 - assignment % 21]
        answer = browser.send(assignment, form, rating, prediction)
        if answer.status == 302 and answer.location.endswith("/stored/"):
            self.confirmed[form["key"]] = (assignment, rating, prediction)
        else:
            self.strange.append((answer.status, answer.location, answer.body[:2000]))


@pytest.mark.parametrize(("database_url", "kills"), KILLS, indirect=["database_url"])
def test_nothing_that_was_confirmed_is_lost_when_the_server_is_killed(
    database_url: str | None, kills: int, tmp_path: Path
) -> None:
    data, port, rng = tmp_path / "data", free_port(), random.Random(7)
    load = Load(port)
    _queue(load, filled(data, database_url, REVIEWERS, PAPERS_EACH))
    killed = in_flight = 0
    while killed < kills or (in_flight < kills and killed < AT_MOST * kills):
        stop, before = threading.Event(), len(load.confirmed)
        server = RunningServer.start(data, database_url, port=port)
        server.wait_until_ready()
        threads = load.run(stop)
        _wait_for_successes(load, before + CLIENTS)
        time.sleep(rng.uniform(*UNDER_LOAD))
        server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        killed += 1
        in_flight += load.unanswered.qsize()
    assert load.strange == []
    assert in_flight >= kills, "the server was not under load when it was killed"
    _check(load, stored_submissions(data, database_url))


def _queue(load: Load, reviewers: Reviewers) -> None:
    for link, assignments in reviewers:
        for assignment in assignments:
            load.tasks.put((link, assignment))


def _wait_for_successes(load: Load, expected: int) -> None:
    eventually(lambda: len(load.confirmed) >= expected, load.strange)


def _check(load: Load, stored: list[dict[str, object]]) -> None:
    alone = [one for one in stored if one["logged_alone"]]
    assert alone == [], "the log has submissions that are not there"
    by_key = {str(one["key"]): one for one in stored}
    lost = [key for key in load.confirmed if key not in by_key]
    assert lost == [], f"{len(lost)} of {len(load.confirmed)} confirmed submissions were lost"
    for key, (assignment, rating, prediction) in load.confirmed.items():
        found = by_key[key]
        assert (found["assignment"], found["rating"], found["prediction"]) == (assignment, rating, prediction)
    assert {one["logged"] for one in stored} == {1}, "a submission without its entry in the log"
    assert len({one["assignment"] for one in stored}) == len(stored), "a retry made a second review"
