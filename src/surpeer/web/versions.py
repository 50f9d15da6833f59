"""Whether this version of surpeer can use the tables of a database."""

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from surpeer.errors import InputError

APPS = ("accounts", "venues", "reviews", "results", "audit")


def known_migrations() -> set[tuple[str, str]]:
    """Every migration of our apps that this version of surpeer has."""
    return {key for key in MigrationLoader(connection).disk_migrations if key[0] in APPS}


def check_not_later() -> None:
    """An error where a later version has changed the tables: this one would not know what to do with them."""
    applied = {key for key in MigrationLoader(connection).applied_migrations if key[0] in APPS}
    unknown = sorted(applied - known_migrations())
    if unknown:
        raise InputError(
            f"the database was changed by a later version of surpeer ({unknown[0][0]}.{unknown[0][1]}); "
            "install that one, or a later one"
        )
