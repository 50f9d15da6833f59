"""Migrations: none is missing, and each takes a filled database along, forwards and backwards."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from surpeer.web.versions import APPS
from web.kept_database import environment


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    assert MigrationLoader(connection).detect_conflicts() == {}


def test_a_backup_knows_all_of_our_apps() -> None:
    ours = {model._meta.app_label for model in apps.get_models() if model.__module__.startswith("surpeer.")}
    assert ours == {*APPS, "visits"}  # no backup holds sessions: they would let its finder in


def test_rows_live_through_every_migration(database_url: str | None, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "web.migrated_database"],
        env=environment(database_url, SURPEER_DATA=str(tmp_path / "data")),
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["lost"] == []
    ours = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations if app in APPS}
    assert ours <= set(found["steps"])
    assert set(found["rows"]) == {model._meta.label for app in APPS for model in apps.get_app_config(app).get_models()}
    assert min(found["rows"].values()) >= 1
    assert found["left"] == []
