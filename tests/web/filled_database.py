"""Fill the database of a server with reviewers who have links and papers, and read back what it holds.

    python -m web.filled_database fill REVIEWERS PAPERS_EACH     prints [[path of the link, [assignments]], ...] as JSON
    python -m web.filled_database submissions                    prints every submission and how often it was logged
    python -m web.filled_database venue VALUES                   sets something about the venue, given as JSON

In processes of their own, because the settings of Django name one database for the whole of a process.
"""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from web.running import environment

Reviewers = list[tuple[str, list[int]]]


def filled(data: Path, database_url: str | None, reviewers: int, papers_each: int) -> Reviewers:
    """Fill the database of this folder or address."""
    return [(path, ids) for path, ids in _called(data, database_url, "fill", str(reviewers), str(papers_each))]


def stored_submissions(data: Path, database_url: str | None) -> list[dict[str, Any]]:
    """Every submission that the database holds."""
    return list(_called(data, database_url, "submissions"))


def set_of_venue(data: Path, database_url: str | None, **values: object) -> None:
    """Change the venue behind the back of whoever is filling in a form."""
    _called(data, database_url, "venue", json.dumps(values))


def _called(data: Path, database_url: str | None, *words: str) -> Any:
    known = environment(database_url, SURPEER_DATA=str(data), PYTHONPATH=str(Path(__file__).parent.parent))
    command = [sys.executable, "-m", "web.filled_database", *words]
    return json.loads(subprocess.run(command, env=known, check=True, capture_output=True).stdout)


def _fill(reviewers: int, papers_each: int) -> list[list[Any]]:
    from django.utils import timezone

    from surpeer.web.accounts.secret_links import hash_of, new_secret
    from surpeer.web.venues.models import Assignment, Paper, PersonalLink, Reviewer
    from web.people import make_user, make_venue

    venue = make_venue("load", make_user("chair@example.org"))
    papers = Paper.objects.bulk_create(Paper(venue=venue, key=f"P{n}", title=f"Paper {n}") for n in range(reviewers))
    people = Reviewer.objects.bulk_create(
        Reviewer(venue=venue, email=f"r{n}@example.org", name=f"Reviewer {n}") for n in range(reviewers)
    )
    secrets = [new_secret() for _ in people]
    PersonalLink.objects.bulk_create(
        PersonalLink(reviewer=person, hash=hash_of(secret), expires_at=timezone.now() + timedelta(days=1))
        for person, secret in zip(people, secrets, strict=True)
    )
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(paper=papers[(n + step) % reviewers], reviewer=person)
            for n, person in enumerate(people)
            for step in range(papers_each)
        ],
        batch_size=5000,
    )
    ids = [assignment.pk for assignment in assignments]
    return [[f"/r/{secret}/", ids[n * papers_each : (n + 1) * papers_each]] for n, secret in enumerate(secrets)]


def _set(values: dict[str, object]) -> int:
    from surpeer.web.venues.models import Venue

    return Venue.objects.update(**values)


def _submissions() -> list[dict[str, Any]]:
    from surpeer.web.audit.log import Action
    from surpeer.web.audit.models import Entry
    from surpeer.web.reviews.models import Submission

    logged: dict[tuple[int | None, str, int], int] = {}
    for entry in Entry.objects.filter(action=Action.SUBMITTED.value):
        what = (entry.reviewer, entry.about, int(entry.details["number"]))
        logged[what] = logged.get(what, 0) + 1
    return [
        {
            "assignment": one.assignment_id,
            "number": one.number,
            "key": str(one.key),
            "rating": one.rating,
            "prediction": one.prediction,
            "logged": logged.pop((one.assignment.reviewer_id, one.assignment.paper.key, one.number), 0),
            "logged_alone": 0,
        }
        for one in Submission.objects.select_related("assignment__paper").order_by("pk")
    ] + [{"logged_alone": count, "entry": str(what)} for what, count in logged.items()]


if __name__ == "__main__":
    from django.core.management import call_command

    from surpeer.web.deployment import Deployment
    from surpeer.web.setting_up import set_up

    set_up(Deployment.from_environment())
    if sys.argv[1] == "fill":
        call_command("migrate", verbosity=0, interactive=False)
        print(json.dumps(_fill(int(sys.argv[2]), int(sys.argv[3]))))
    elif sys.argv[1] == "venue":
        print(_set(json.loads(sys.argv[2])))
    else:
        print(json.dumps(_submissions()))
