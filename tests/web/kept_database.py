"""Databases that are backed up and restored: commands in processes of their own, because settings name one database.

python -m web.kept_database fill     a row in every table; prints what is needed to get in
python -m web.kept_database rows     prints every row of every table
python -m web.kept_database more     adds rows, tries to change the log, prints what came of it
python -m web.kept_database schema   prints its tables with their columns, and which migrations made them
python -m web.kept_database empty    makes the tables, and leaves them empty
python -m web.kept_database write    adds a submission and its entry in the log, again and again, until it is ended
"""

import base64
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

from web import running

TESTS = Path(__file__).resolve().parent.parent


def environment(database_url: str | None, **more: str) -> dict[str, str]:
    """Nothing of ours but what is given, and the way to these modules."""
    return running.environment(database_url, PYTHONPATH=str(TESTS), **more)


def called(what: str, data: Path, database_url: str | None) -> Any:
    """What a command of this module prints."""
    return json.loads(subprocess.run(**_process(what, data, database_url), check=True, stdout=subprocess.PIPE).stdout)


def started(what: str, data: Path, database_url: str | None) -> "subprocess.Popen[bytes]":
    """The command as a process that runs on."""
    return subprocess.Popen(**_process(what, data, database_url), stdout=subprocess.PIPE)


def _process(what: str, data: Path, database_url: str | None) -> dict[str, Any]:
    command = [sys.executable, "-m", "web.kept_database", what]
    return {"args": command, "env": environment(database_url, SURPEER_DATA=str(data))}


def surpeer(*words: object, database_url: str | None = None, **more: str) -> "subprocess.CompletedProcess[str]":
    """The command line as a process."""
    command = [sys.executable, "-m", "surpeer", *map(str, words)]
    return subprocess.run(
        command, env=environment(database_url, **more), capture_output=True, encoding="utf-8", timeout=120
    )


def _fill() -> dict[str, str]:
    from django.conf import settings
    from django.test import RequestFactory

    from surpeer.web.accounts.limits import wrong
    from surpeer.web.accounts.models import WrongGuess
    from surpeer.web.audit.log import Action, record
    from surpeer.web.venues.models import Reviewer
    from web.access_world import MARKS, World

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    world = World.make()
    world.open_results()
    people = world.people
    people.venue.instructions = "Ünïcode 🦉, \u202eright to left\u202c, a line\nand another, \\ and “quotes”"
    people.venue.save()
    wrong("link", RequestFactory().get("/"))
    assert WrongGuess.objects.exists()
    gone = Reviewer.objects.create(venue=people.venue, email="gone@example.org")
    record(gone, Action.OPENED_LINK, people.venue)
    number = gone.pk
    gone.delete()
    return {"link": f"/r/{world.secrets['link']}/", "title": MARKS["title"], "gone": str(number)}


def _rows() -> dict[str, list[dict[str, Any]]]:
    from django.apps import apps

    ours = [model for model in apps.get_models() if model.__module__.startswith("surpeer.")]
    return {model._meta.label: list(model._base_manager.order_by("pk").values()) for model in ours}


def _schema() -> dict[str, list[str]]:
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        columns = {
            name: [one.name for one in connection.introspection.get_table_description(cursor, name)] for name in names
        }
    applied = sorted(".".join(key) for key in MigrationRecorder(connection).applied_migrations())
    return {**columns, "migrations": applied} if columns else {}


def _plain(value: object) -> str:
    return base64.b64encode(bytes(value)).decode() if isinstance(value, bytes | memoryview) else str(value)


def _more() -> dict[str, Any]:
    from django.db import DatabaseError, transaction

    from surpeer.web.audit.log import Action, record
    from surpeer.web.audit.models import Entry
    from surpeer.web.venues.models import Reviewer, Venue

    venue = Venue.objects.get(slug="workshop")
    reviewer = Reviewer.objects.create(venue=venue, email="new@example.org")
    record(reviewer, Action.OPENED_LINK, venue)
    refused = []
    for change in (lambda: Entry.objects.update(action="x"), lambda: Entry.objects.all().delete()):
        try:
            with transaction.atomic():
                change()
        except DatabaseError as error:
            refused.append(str(error).splitlines()[0])
    return {"reviewer": reviewer.pk, "refused": refused, "entries": Entry.objects.count()}


def _write() -> None:
    from django.db import transaction

    from surpeer.web.audit.log import Action, record
    from surpeer.web.reviews.models import Submission
    from surpeer.web.venues.models import Assignment

    assignment = Assignment.objects.filter(submissions=None).select_related("reviewer__venue").first()
    assert assignment is not None
    for number in range(1, 1_000_000):
        with transaction.atomic():
            submission = Submission(assignment=assignment, number=number, key=uuid4(), rating=0, prediction=[10, 10])
            submission.save()
            record(assignment.reviewer, Action.SUBMITTED, assignment.reviewer.venue, about="written", number=number)
        print(number, flush=True)
        time.sleep(0.001)


if __name__ == "__main__":
    from django.core.management import call_command

    from surpeer.web.deployment import Deployment
    from surpeer.web.setting_up import set_up

    set_up(Deployment.from_environment())
    if sys.argv[1] in ("fill", "empty"):
        call_command("migrate", verbosity=0, interactive=False)
    does = {"fill": _fill, "rows": _rows, "more": _more, "schema": _schema, "empty": _schema, "write": _write}
    print(json.dumps(does[sys.argv[1]](), default=_plain))
