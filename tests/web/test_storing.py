"""Storing a review in one go, on the server itself and on each database: once, whole, or not at all."""

import threading
from collections import Counter
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from web.filled_database import filled, set_of_venue, stored_submissions
from web.reviewer_browser import Answer, ReviewerBrowser
from web.running import RunningServer

AT_ONCE = 8
PAST = "2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    "database_url", [pytest.param("sqlite", marks=pytest.mark.slow), "postgresql"], indirect=True
)  # one writer at a time is the easier case
def test_a_review_is_stored_once_and_whole_or_not_at_all(database_url: str | None, tmp_path: Path) -> None:
    data = tmp_path / "data"
    people = filled(data, database_url, 4, 1)  # one server and one look at what is stored: starting takes most time
    with RunningServer.started(data, database_url) as server:
        keys, answers = at_once(server, *people[0])
        one_after_the_other(server, *people[1])
        refused(server, *people[2])
    everything = stored_submissions(data, database_url)
    assert [(one["assignment"], one["number"]) for one in everything] == [
        (people[0][1][0], 1),
        (people[1][1][0], 1),
        (people[1][1][0], 2),
    ]
    check_at_once(everything[0], keys, answers)
    found = [(one["number"], one["rating"], one["prediction"], one["logged"]) for one in everything[1:]]
    assert found == [(1, 1, [5, 15], 1), (2, 0, [15, 5], 1)]


def at_once(server: RunningServer, link: str, tasks: list[int]) -> tuple[list[str], list[tuple[str, Answer]]]:
    """Two windows, each sent four times in one moment: the keys of the two, and what each was answered."""
    browsers = [ReviewerBrowser(server.port) for _ in range(AT_ONCE)]
    forms = []
    for browser in browsers:
        browser.open_link(link)
        forms.append(browser.form(tasks[0]))
        browser.close()  # the server would, if the others took long
    barrier, answers = threading.Barrier(AT_ONCE), list[tuple[str, Answer]]()

    def send(place: int) -> None:
        key = forms[place % 2]["key"]
        with closing(browsers[place]) as browser:
            barrier.wait(60)
            answers.append((key, browser.send(tasks[0], {**forms[place], "key": key}, place % 2, [5, 15])))

    threads = [threading.Thread(target=send, args=(place,)) for place in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [forms[0]["key"], forms[1]["key"]], answers


def check_at_once(stored: dict[str, object], keys: list[str], answers: list[tuple[str, Answer]]) -> None:
    """One submission, and the other window is told."""
    assert (stored["number"], stored["logged"]) == (1, 1)
    assert stored["rating"] == keys.index(str(stored["key"]))
    told = Counter((key == stored["key"], answer.status) for key, answer in answers)
    assert told == {(True, 302): AT_ONCE // 2, (False, 409): AT_ONCE // 2}


def one_after_the_other(server: RunningServer, link: str, tasks: list[int]) -> None:
    """A revision follows; one that is behind or ahead does not."""
    with closing(ReviewerBrowser(server.port)) as browser:
        browser.open_link(link)
        form = browser.form(tasks[0])
        assert browser.send(tasks[0], form, 1, [5, 15]).status == 302
        assert browser.send(tasks[0], form, 1, [5, 15]).status == 302
        for based_on in ("0", "2"):
            wrong = {**form, "key": str(uuid4()), "based_on": based_on}
            assert browser.send(tasks[0], wrong, 0, [5, 15]).status == 409
        assert browser.send(tasks[0], browser.form(tasks[0]), 0, [15, 5]).status == 302


def refused(server: RunningServer, link: str, tasks: list[int]) -> None:
    """A venue that was changed or closed while the form was filled in: nothing is stored."""
    with closing(ReviewerBrowser(server.port)) as browser:
        browser.open_link(link)
        form = browser.form(tasks[0])
        for changes, status, said in [
            ({"imagined": 10}, 422, "accept: found “15”, expected a whole number from 0 to 10."),
            ({"imagined": 20, "deadline": PAST}, 409, "The round is closed: what you sent was not submitted."),
        ]:
            set_of_venue(server.data, server.database_url, **changes)
            browser.close()  # the server would, as this took long
            answer = browser.send(tasks[0], form, 1, [5, 15])
            assert answer.status == status
            assert said in answer.body.decode()
