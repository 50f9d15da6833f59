"""How long the chair's ranking page takes from the cached result, beside a bare Django view with as large a table.

    python benchmarks/web_ranking.py [--papers 20000] [--reviews 4] [--repeats 7]

Fills a venue in a temporary SQLite database, computes its results as the background process does, and asks for
the pages through Django's own request cycle, middleware and templates included. The bare view renders a hundred rows of
constants by the same engine of templates: what no page with a table of that size can be faster than.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from surpeer.web.venues.models import Venue

LEVELS = ("reject", "weak reject", "weak accept", "accept")
WHOLE = 20
BATCH = 2000
BARE = "bare/"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--reviews", type=int, default=4)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        print(f"{arguments.papers:,} papers x {arguments.reviews} reviews, best of {arguments.repeats}")
        venue, filling = timed(lambda: filled_venue(arguments.papers, arguments.reviews))
        print(f"  {'filling the database':42} {filling:8.2f} s")
        measure(venue, arguments.repeats)


def prepare(folder: str) -> None:
    """Django on a database of its own."""
    os.environ.update(
        SURPEER_DATA=folder, SURPEER_SECRET_KEY="benchmark" * 8, DJANGO_SETTINGS_MODULE="surpeer.web.settings"
    )
    os.environ.pop("DATABASE_URL", None)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)


def measure(venue: "Venue", repeats: int) -> None:
    """Compute twice, then ask for pages in turns."""
    from surpeer.web.results.stamp import _counted, find_stamp

    compute("computing for the first time", venue)
    revise_one_review(venue)
    compute("computing again after one new review", venue)
    for name, ready in (("has anything changed? first look", _counted.clear), ("has anything changed?", None)):
        print(f"  {name:42} {best(lambda: find_stamp(venue), repeats, ready) * 1000:8.1f} ms")
    get, bare = browser(venue)
    first = f"/venues/{venue.slug}/results/"
    paper = venue.papers.order_by("pk")[0].pk
    pages = {
        "a bare view with a table of 100 rows": bare,
        "the ranking page": lambda: get(first),
        "its last page, ordered by mean": lambda: get(f"{first}?sort=mean&page=200"),
        "a search": lambda: get(f"{first}?find=part+17"),
        "the discussion list": lambda: get(f"{first}discussion/"),
        "the page of a paper": lambda: get(f"{first}papers/{paper}/"),
        "the report": lambda: get(f"/venues/{venue.slug}/report/"),
    }
    for name, ask in pages.items():
        print(f"  {name:42} {best(ask, repeats) * 1000:8.1f} ms")


def compute(name: str, venue: "Venue") -> None:
    """As the background process does, and say when people could see the ranking, and when its files were there as well:
    seconds by the clock, and seconds of the processor."""
    from surpeer.web import background
    from surpeer.web.results import computing
    from surpeer.web.results.models import Result

    keep, shown = computing._keep, []

    def keep_and_look(*results: Any, **fields: Any) -> Result:
        kept = keep(*results, **fields)
        shown.append((time.perf_counter(), time.process_time()))
        return kept

    began = time.perf_counter(), time.process_time()
    computing._keep = keep_and_look
    background.look_once()
    computing._keep = keep
    ended = time.perf_counter(), time.process_time()
    result = Result.objects.get(venue=venue)
    if result.problem or not result.complete:
        raise SystemExit(result.problem or "some files are missing")
    print(f"  {name}")
    for what, (clock, processor) in (("ranking", shown[-1]), ("all charts and files", ended)):
        print(f"    {what:40} {clock - began[0]:8.2f} s, of the processor {processor - began[1]:.2f} s")


def revise_one_review(venue: "Venue") -> None:
    """A second version of one review comes in."""
    from uuid import uuid4

    from surpeer.web.reviews.models import Submission

    one = Submission.objects.filter(assignment__paper__venue=venue).order_by("pk")[0]
    Submission.objects.create(
        assignment=one.assignment, number=2, key=uuid4(), rating=len(LEVELS) - 1, prediction=one.prediction, comment=""
    )


def browser(venue: "Venue") -> tuple[Callable[[str], Any], Callable[[], Any]]:
    """Ask as the chair, and ask for the bare view."""
    from django.http import HttpRequest, HttpResponse
    from django.template import Context, Template
    from django.test import Client
    from django.urls import path

    from surpeer.web import urls

    template = Template(
        "<table>{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>{% endfor %}</table>"
    )
    rows = [[f"cell {row} {column}" for column in range(9)] for row in range(100)]

    def bare_view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(template.render(Context({"rows": rows})))

    urls.urlpatterns.append(path(BARE, bare_view))
    client = Client(headers={"host": "localhost"})
    client.force_login(venue.created_by)

    def get(address: str) -> Any:
        response = client.get(address)
        if response.status_code != 200:
            raise SystemExit(f"{address}: {response.status_code}")
        return response

    return get, lambda: get(f"/{BARE}")


def filled_venue(papers: int, reviews: int) -> "Venue":
    """A venue whose results were opened: every paper has that many reviews by people of a committee of a quarter of
    the papers' number."""
    from django.utils import timezone

    from surpeer.web.accounts.models import Role, User
    from surpeer.web.venues.models import Assignment, Membership, Paper, Reviewer, Venue

    chair = User.objects.create_user("chair@example.org", "a password that nobody types", name="Chair")
    levels = [{"label": label, "value": value} for value, label in enumerate(LEVELS, start=1)]
    now = timezone.now()
    venue = Venue.objects.create(
        slug="large", name="A large venue", levels=levels, deadline=now, created_by=chair, opened_at=now
    )
    Membership.objects.create(venue=venue, user=chair, role=Role.CHAIR)
    committee = Reviewer.objects.bulk_create(
        [
            Reviewer(venue=venue, name=f"Reviewer {n}", email=f"r{n}@example.org")
            for n in range(max(papers // 4, 2 * reviews))
        ],
        BATCH,
    )
    made = Paper.objects.bulk_create(
        [
            Paper(
                venue=venue,
                key=f"P{n:05}",
                title=f"On the limits of calibrated judgement, part {n}",
                track=f"Track {n % 6}",
            )
            for n in range(papers)
        ],
        BATCH,
    )
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(paper=paper, reviewer=committee[(n * reviews + place) % len(committee)])
            for n, paper in enumerate(made)
            for place in range(reviews)
        ],
        BATCH,
    )
    add_submissions(assignments, reviews)
    return venue


def add_submissions(assignments: list[Any], reviews: int) -> None:
    """Ratings by quality and by something that pushes them, which reviewers know of and predict; with the log."""
    from uuid import uuid4

    from surpeer.web.audit.log import Action
    from surpeer.web.audit.models import Entry
    from surpeer.web.reviews.models import Submission

    rng = np.random.default_rng(20)
    papers = len(assignments) // reviews
    quality, push = rng.normal(size=(2, papers)).repeat(reviews, axis=1)
    seen = quality + 0.7 * push + rng.normal(size=len(assignments))
    rating = np.digitize(seen, [-1.2, 0.0, 1.2])
    expected = np.digitize(
        (0.7 * push + 0.4 * seen)[:, None] + rng.normal(size=(len(assignments), WHOLE)), [-1.2, 0.0, 1.2]
    )
    counts = np.stack([(expected == level).sum(axis=1) for level in range(len(LEVELS))], axis=1)
    Submission.objects.bulk_create(
        [
            Submission(assignment=assignment, number=1, key=uuid4(), rating=given, prediction=prediction, comment="")
            for assignment, given, prediction in zip(assignments, rating.tolist(), counts.tolist(), strict=True)
        ],
        BATCH,
    )
    Entry.objects.bulk_create(
        [
            Entry(
                venue=one.paper.venue_id,
                reviewer=one.reviewer_id,
                action=Action.SUBMITTED.value,
                about=one.paper.key,
                details={"number": 1},
            )
            for one in assignments
        ],
        BATCH,
    )


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and seconds."""
    begin = time.perf_counter()
    result = call()
    return result, time.perf_counter() - begin


def best(call: Callable[[], Any], repeats: int, ready: Callable[[], None] | None = None) -> float:
    """Seconds of the fastest run after one to get warm. `ready` is called before each."""
    call()
    found = []
    for _ in range(repeats):
        if ready is not None:
            ready()
        found.append(timed(call)[1])
    return min(found)


if __name__ == "__main__":
    main()
