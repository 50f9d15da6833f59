"""`surpeer serve` as a user starts it: how one gets in, what it refuses, and how it ends."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from web.demo_server import Browser, chair_of, ranking_of
from web.kept_database import environment, surpeer
from web.reviewer_browser import HIDDEN, Answer, ReviewerBrowser
from web.running import RunningServer
from web.waiting import PATIENCE, eventually

PASSWORD = "correct horse battery staple"
NOT_KILLED = 25.0
"""Seconds that are plenty for a server to end; workers that do not listen are killed after 30."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with a new folder."""
    with RunningServer.started(tmp_path_factory.mktemp("serve") / "data") as running:
        yield running


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A demonstration. It ends in its last test."""
    folder = tmp_path_factory.mktemp("demo")
    with RunningServer.started(folder / "unused", options=("--demo",)) as running:
        yield running


def answer_of(port: int, path: str, fields: dict[str, str] | None = None) -> Answer:
    """What a new browser gets; a form is fetched before it is sent."""
    browser = ReviewerBrowser(port)
    try:
        answer = browser.request("GET", path)
        if fields is not None:
            hidden = {name.decode(): value.decode() for name, value in HIDDEN.findall(answer.body)}
            token = {"csrfmiddlewaretoken": hidden["csrfmiddlewaretoken"]} if hidden else {}
            answer = browser.request("POST", path, {**token, **fields})
        while answer.location.startswith("/"):
            answer = browser.request("GET", answer.location)
        return answer
    finally:
        browser.close()


def children(pid: int) -> dict[int, str]:
    """The processes that this one started, by number, with their command lines."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:  # it has ended meanwhile
            continue
        if int(parent) == pid and state != "Z":
            found[int(folder.name)] = command
    return found


def workers(running: RunningServer) -> set[int]:
    return {pid for pid, command in children(running.process.pid).items() if "background" not in command}


def background(running: RunningServer) -> set[int]:
    return children(running.process.pid).keys() - workers(running)


def test_the_printed_link_makes_the_first_chair_once(server: RunningServer) -> None:
    lines = server.text.splitlines()
    assert lines[0] == f"surpeer is running at {server.url}"
    assert lines[1].startswith(f"Create the first chair with this link, which works once: {server.url}/join/")
    mail = server.data / "mail"
    assert lines[2] == f"Data: the embedded database, files in {server.data}; mails are put into {mail}, not sent."
    assert lines[3:] == ["Stop it with Ctrl-C."]
    link = urlsplit(server.link("/join/")).path
    made = answer_of(
        server.port, link, {"name": "Zoe", "email": "zoe@example.org", "password": PASSWORD, "again": PASSWORD}
    )
    assert (made.status, b"Welcome." in made.body) == (200, True)
    assert answer_of(server.port, link).status == 404


def test_files_of_pages_are_kept_for_ever_and_pages_never(server: RunningServer) -> None:
    with closing(HTTPConnection("127.0.0.1", server.port)) as connection:
        connection.request("GET", "/login/")
        page = connection.getresponse()
        body = page.read().decode()
        assert "no-store" in str(page.headers["Cache-Control"])
        files = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', body))
        assert files
        for path in files:
            connection.request("GET", path)
            file = connection.getresponse()
            file.read()
            assert file.status == 200
            assert re.search(r"\.[0-9a-f]{12}\.\w+$", path), f"{path} is not named after its content"
            assert file.headers["Cache-Control"] == "max-age=315360000, public, immutable"
            assert file.headers["X-Content-Type-Options"] == "nosniff"
            assert "Set-Cookie" not in file.headers
        for path in ("/static/../surpeer.sqlite3", "/static/%2e%2e/secret-key", "/secret-key", "/static/"):
            connection.request("GET", path)
            refused = connection.getresponse()
            refused.read()
            assert refused.status == 404, path


def test_another_host_is_refused_with_a_page(server: RunningServer) -> None:
    with closing(HTTPConnection("127.0.0.1", server.port)) as connection:
        connection.request("GET", "/login/", headers={"Host": "evil.example.org"})
        refused = connection.getresponse()
        assert (refused.status, b"evil" in refused.read()) == (400, False)


def test_a_port_that_is_in_use(server: RunningServer, tmp_path: Path) -> None:
    failed = surpeer("serve", "--port", server.port, "--data", tmp_path / "data")
    another = f"does surpeer run already? Another port: --port {server.port + 1}"
    expected = f"error: --port {server.port}: cannot be used on 127.0.0.1 (Address already in use); {another}\n"
    assert (failed.returncode, failed.stdout, failed.stderr) == (2, "", expected)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(("host", "url"), [("0.0.0.0", ""), ("::", "http://review.example.org")])
def test_other_machines_only_over_https(host: str, url: str, tmp_path: Path) -> None:
    failed = surpeer("serve", "--host", host, "--data", tmp_path / "data", SURPEER_URL=url)
    assert failed.returncode == 2
    assert failed.stderr.startswith(f"error: --host {host}: would be reached from other machines without encryption:")
    assert "set SURPEER_URL to the address that people use, such as https://review.example.org" in failed.stderr
    assert not (tmp_path / "data").exists()


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    code = "import sys; sys.modules['django'] = None; from surpeer.cli.main import main; main()"
    for words in (["serve"], ["backup", "b.zip"], ["restore", "b.zip"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words, "--data", str(tmp_path / "data")],
            env=environment(None), capture_output=True, encoding="utf-8", cwd=tmp_path,
        )  # fmt: skip
        expected = (
            "error: the application in the browser needs Django, which is not installed: "
            "pip install 'surpeer[web]', or use the other commands on files\n"
        )
        assert (done.returncode, done.stderr) == (2, expected)
    assert list(tmp_path.iterdir()) == []


def test_a_demonstration_can_be_looked_at(demo: RunningServer) -> None:
    found = re.search(r"as the chair: \S+/login/ with (\S+) and (\S+)", demo.text)
    assert found
    signed_in = answer_of(demo.port, "/login/", {"username": found[1], "password": found[2]})
    links = re.findall(r"as (.+), a reviewer: http://127\.0\.0\.1:\d+(/r/\S+)", demo.text)
    assert len(links) == 2
    papers = answer_of(demo.port, links[0][1])
    assert (signed_in.status, papers.status) == (200, 200)
    for name in ("A workshop that is collecting reviews", "A conference whose results are open"):
        assert name in signed_in.body.decode()
    assert "Everything you do here is gone when it stops." in demo.text
    assert not demo.data.exists()


def test_the_links_and_the_password_it_prints_get_one_in(demo: RunningServer) -> None:
    papers = Browser(demo).get(demo.link("/r/"))
    assert "My papers" in papers
    assert "Left to review" in papers
    chair = chair_of(demo)
    assert "reviews are missing" in chair.get("/venues/workshop/")
    ranking = ranking_of(chair, "conference")  # computed and shown with polars, which a careless fork would stop
    assert "Probability of acceptance" in ranking


def test_workers_and_the_background_process_come_back(demo: RunningServer) -> None:
    eventually(lambda: len(workers(demo)) == 2 and len(background(demo)) == 1)
    before, beside = workers(demo), background(demo)
    killed, ended = sorted(before)
    os.kill(killed, signal.SIGKILL)
    os.kill(ended, signal.SIGTERM)
    os.kill(*beside, signal.SIGKILL)
    eventually(lambda: len(workers(demo)) == 2 and not workers(demo) & before)
    eventually(lambda: len(background(demo) - beside) == 1)
    link = re.findall(r"(/r/\S+)", demo.text)[0]
    assert answer_of(demo.port, link).status == 200, "a worker that ended took the data with it"


def test_it_finishes_what_it_has_begun_and_leaves_nothing_behind(demo: RunningServer) -> None:
    folder = eventually(lambda: _folder_of(demo))
    assert folder.is_dir()
    everybody = children(demo.process.pid)
    head, body = _sign_in(demo.port)
    with closing(socket.create_connection(("127.0.0.1", demo.port), timeout=PATIENCE)) as request:
        request.sendall(head + body[:10])
        answers = request.makefile("rb")  # by lines: both answers may come in one piece
        assert answers.readline().startswith(b"HTTP/1.1 100"), "it has begun"
        assert answers.readline() == b"\r\n"
        demo.process.send_signal(signal.SIGTERM)
        eventually(lambda: not _listens(demo.port), "it lets others in, whom it will not answer")
        request.sendall(body[10:])
        assert answers.readline().startswith(b"HTTP/1.1 200")
        assert b"nobody@example.org" in answers.read(), "the form comes back with what was typed at its beginning"
    assert demo.process.wait(PATIENCE) == 0
    assert [pid for pid in everybody if Path(f"/proc/{pid}").exists()] == []
    assert not folder.exists()
    assert "Traceback" not in demo.text


def _folder_of(demo: RunningServer) -> Path | None:
    """Of the demonstration, once its background process is there: it is told where the data are."""
    for pid in background(demo):
        for setting in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
            if setting.startswith(b"SURPEER_DATA="):
                return Path(setting.decode().partition("=")[2])
    return None


def _sign_in(port: int) -> tuple[bytes, bytes]:
    """Head and body of a request that can be answered only once all of it is there: its token is in its body."""
    browser = ReviewerBrowser(port)
    form = browser.request("GET", "/login/")
    browser.close()
    token = dict(HIDDEN.findall(form.body))[b"csrfmiddlewaretoken"].decode()
    body = urlencode({"username": "nobody@example.org", "password": "x", "csrfmiddlewaretoken": token}).encode()
    head = (
        "POST /login/ HTTP/1.1",
        "Host: 127.0.0.1",
        f"Cookie: csrftoken={browser.cookies['csrftoken']}",
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
        "Expect: 100-continue",
        "\r\n",
    )
    return "\r\n".join(head).encode(), body


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_terminal_ends_it(number: signal.Signals, tmp_path: Path) -> None:
    with RunningServer.started(tmp_path / "data") as running:
        eventually(lambda: background(running))
        everybody = children(running.process.pid)
        os.killpg(running.process.pid, number)  # terminals tell the whole group
        assert running.process.wait(PATIENCE) == 0
        assert [pid for pid in everybody if Path(f"/proc/{pid}").exists()] == []
        assert running.text.splitlines()[-1] == "Stop it with Ctrl-C."


HELD_UP = """
import os, time
from gunicorn.workers.gthread import ThreadWorker

start = ThreadWorker.init_process

def held_up(self):
    while not os.path.exists({file!r}):
        time.sleep(0.05)
    start(self)

ThreadWorker.init_process = held_up
"""
IN_A_FINALIZER = """
import pathlib, sys, time

class Finalized:
    def __del__(self):
        pathlib.Path({file!r}).touch()
        time.sleep({patience})

class Finder:
    @staticmethod
    def find_spec(name, *_):
        if name == "surpeer.web.settings":
            Finalized()

if "surpeer.web.background" in sys.orig_argv:
    sys.meta_path.insert(0, Finder)
"""
GIVING_TO_A_THREAD = """
import pathlib, threading, time
from gunicorn.workers.gthread import ThreadWorker

start = ThreadWorker.init_process

def held_up(self):
    pathlib.Path({file!r}).touch()
    time.sleep({patience})

def init_process(self):
    threading.Thread.start = held_up
    start(self)

ThreadWorker.init_process = init_process
"""


def run_first(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every Python of a server runs this before anything else; the file that it is about."""
    file = tmp_path / "here"
    (tmp_path / "sitecustomize.py").write_text(code.format(file=str(file), patience=PATIENCE))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    return file


@pytest.fixture
def may_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Workers wait, before they know what to do on a signal, until this file is there."""
    return run_first(HELD_UP, tmp_path, monkeypatch)


def assert_ends_in_order(running: RunningServer, number: signal.Signals, may_start: Path) -> None:
    """The signal comes to all processes while workers start, and so does what the first process tells the others."""
    eventually(lambda: background(running))
    os.killpg(running.process.pid, number)
    eventually(lambda: not background(running))
    time.sleep(0.2)  # which was told before the workers
    may_start.touch()
    assert running.process.wait(NOT_KILLED) == 0
    assert running.text.splitlines()[-1] == "Stop it with Ctrl-C."


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
def test_a_terminal_ends_it_while_workers_start(number: signal.Signals, may_start: Path, tmp_path: Path) -> None:
    running = RunningServer.start(tmp_path / "data")
    try:
        eventually(lambda: len(workers(running)) == 2)
        assert_ends_in_order(running, number, may_start)
    finally:
        running.stop()


def test_it_ends_while_a_worker_is_replaced(may_start: Path, tmp_path: Path) -> None:
    may_start.touch()
    with RunningServer.started(tmp_path / "data") as running:
        eventually(lambda: len(workers(running)) == 2 and background(running))
        before = workers(running)
        may_start.unlink()
        os.kill(min(before), signal.SIGTERM)  # as after very many requests, when it ends by itself
        eventually(lambda: workers(running) - before)
        assert_ends_in_order(running, signal.SIGTERM, may_start)


def test_it_ends_wherever_the_background_process_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a finalizer, Python reports exceptions, such as that of a handler of signals, and goes on."""
    inside = run_first(IN_A_FINALIZER, tmp_path, monkeypatch)
    with RunningServer.started(tmp_path / "data") as running:
        eventually(inside.exists)
        os.killpg(running.process.pid, signal.SIGTERM)  # systemd tells all processes
        assert running.process.wait(PATIENCE) == 0
        assert running.text.splitlines()[-1] == "Stop it with Ctrl-C."


def test_a_terminal_ends_it_wherever_a_worker_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a request is given to a thread, a worker holds the locks of all threads."""
    inside = run_first(GIVING_TO_A_THREAD, tmp_path, monkeypatch)
    running = RunningServer.start(tmp_path / "data")
    try:
        eventually(lambda: _listens(running.port) and inside.exists())
        os.killpg(running.process.pid, signal.SIGINT)
        assert running.process.wait(PATIENCE) == 0
        assert running.text.splitlines()[-1] == "Stop it with Ctrl-C."
    finally:
        running.stop()
