"""How fast reviews can be submitted: against a bare Django view that inserts one row, on the same server and database.

    python benchmarks/web_submit.py [--reviewers 5000] [--reviews 5] [--concurrent 200] [--postgresql]

Everybody opens a personal link; then, for one paper after the other, everybody fetches the form and submits it. Forms
and submissions are timed by themselves, over connections that are kept open. The bare view (web_bare.py) has no
middleware, no form and no session; both take turns, and the median of the turns counts.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from web.filled_database import filled, stored_submissions  # noqa: E402
from web.postgresql import PostgreSQL, free_port  # noqa: E402
from web.reviewer_browser import HIDDEN, KEEP  # noqa: E402
from web.running import RunningServer  # noqa: E402
from web_client import Connection, at_once, get, post  # noqa: E402

from surpeer.web.server import Options  # noqa: E402

TARGET = 0.5


class Person:
    """A reviewer between two requests."""

    def __init__(self, link: str, assignments: list[int]) -> None:
        self.link, self.assignments = link, assignments
        self.cookies: dict[str, str] = {}
        self.form: dict[str, str] = {}

    async def enter(self, connection: Connection) -> None:
        answer = await connection.ask(get(self.link, {}))
        assert answer.status == 302, answer
        self.cookies.update(answer.cookies())

    async def fetch(self, connection: Connection, place: int) -> None:
        answer = await connection.ask(get(f"/reviews/{self.assignments[place]}/", self.cookies))
        assert answer.status == 200, answer
        self.cookies.update(answer.cookies())
        found = {name.decode(): value.decode() for name, value in HIDDEN.findall(answer.body)}
        self.form = {name: value for name, value in found.items() if name in KEEP}

    async def submit(self, connection: Connection, place: int) -> None:
        given = {"rating": str(place % 2), "number_0": "5", "number_1": "15"}
        request = post(f"/reviews/{self.assignments[place]}/", self.cookies, urlencode({**self.form, **given}))
        answer = await connection.ask(request)
        assert answer.status == 302, answer
        assert b"/stored/" in answer.head, answer


async def insert(connection: Connection, number: int) -> None:
    answer = await connection.ask(
        post("/insert/", {}, urlencode({"paper": number, "rating": 1, "prediction": "[5, 15]"}))
    )
    assert answer.status == 200, answer


def start_bare(folder: Path, database_url: str | None, kept: ExitStack) -> int:
    """The bare view on a port of its own."""
    port = free_port()
    folder.mkdir()
    words = [
        sys.executable,
        str(HERE / "web_bare.py"),
        str(port),
        str(folder),
        *([database_url] if database_url else []),
    ]
    process = subprocess.Popen(words, start_new_session=True, env={**os.environ, "SURPEER_SECRET_KEY": "bare"})
    kept.callback(process.wait)
    kept.callback(process.terminate)
    RunningServer(process, folder, port, folder / "log", database_url, ()).wait_until_ready()
    return port


def measure(reviewers: int, reviews: int, concurrent: int, server: PostgreSQL | None) -> None:
    with ExitStack() as kept:
        folder = Path(kept.enter_context(tempfile.TemporaryDirectory()))
        urls = [server.new_database() if server else None for _ in range(2)]
        people = [Person(link, ids) for link, ids in filled(folder / "ours", urls[0], reviewers, reviews)]
        ours = kept.enter_context(RunningServer.started(folder / "ours", urls[0], ("--workers", str(Options.workers))))
        bare = start_bare(folder / "bare", urls[1], kept)
        errors: list[str] = []

        def timed(port: int, work: list[object], do: object) -> float:
            seconds, wrong = at_once(port, work, concurrent, do)  # type: ignore[arg-type]
            errors.extend(wrong)
            return len(work) / seconds

        print(f"{'PostgreSQL' if server else 'SQLite'}: {reviewers:,} reviewers x {reviews}, {concurrent} at once")
        links = timed(ours.port, list(people), lambda connection, person: person.enter(connection))
        rates: dict[str, list[float]] = {"forms": [], "ours": [], "bare": []}
        for place in range(reviews):
            rates["bare"].append(timed(bare, list(range(reviewers)), insert))
            rates["forms"].append(timed(ours.port, list(people), lambda on, one, at=place: one.fetch(on, at)))
            rates["ours"].append(timed(ours.port, list(people), lambda on, one, at=place: one.submit(on, at)))
        stored = stored_submissions(folder / "ours", urls[0])
        middle = {name: statistics.median(values) for name, values in rates.items()}
        ratio = middle["ours"] / middle["bare"]
        print(f"  links opened     {links:8,.0f} a second")
        print(f"  forms fetched    {middle['forms']:8,.0f} a second")
        print(f"  bare inserts     {middle['bare']:8,.0f} a second")
        print(f"  submissions      {middle['ours']:8,.0f} a second, {ratio:.2f} of bare (target: at least {TARGET})")
        print(f"  errors           {len(errors):8,}   submissions stored: {len(stored):,} of {reviewers * reviews:,}")
        for error in sorted(set(errors))[:5]:
            print(f"    {error}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reviewers", type=int, default=5000)
    parser.add_argument("--reviews", type=int, default=5)
    parser.add_argument("--concurrent", type=int, default=200)
    parser.add_argument("--postgresql", action="store_true", help="on a PostgreSQL server of its own instead of SQLite")
    options = parser.parse_args()
    begin = time.perf_counter()
    with ExitStack() as kept:
        server = kept.enter_context(PostgreSQL.started()) if options.postgresql else None
        measure(options.reviewers, options.reviews, options.concurrent, server)
    print(f"  {time.perf_counter() - begin:.0f} s in all")


if __name__ == "__main__":
    main()
