"""Django, set up for a deployment: the first thing that every process of the application does."""

import os

import django

from surpeer.errors import InputError
from surpeer.web.deployment import DATA, DATABASE_URL, Deployment


def set_up(deployment: Deployment) -> None:
    """Make the folder and the key where there are none yet, and load the settings. Files that are made from here on can
    be read by their owner only."""
    os.umask(0o077)
    deployment.prepare()
    os.environ["DJANGO_SETTINGS_MODULE"] = "surpeer.web.settings"
    os.environ[DATA] = str(deployment.data)
    django.setup()
    _check_database(deployment)


def _check_database(deployment: Deployment) -> None:
    """Say at once that the database does not answer; its message tells why."""
    from django.db import DatabaseError, connection

    try:
        connection.ensure_connection()
    except DatabaseError as error:
        where = DATABASE_URL if deployment.database_url else connection.settings_dict["NAME"]
        raise InputError(f"{where}: the database cannot be used: {' '.join(str(error).split())}") from None
