"""The tables of a backup, as they were at given migrations, and their rows as JSON.

A backup is a zip: `backup.json` says what made it, which migrations its tables had, how many rows each has, and the
highest number that it ever gave to one (`backup_numbers`);
`<app>.<model>.jsonl` has the rows of a table, one JSON object a line. Values are written by Django's fields, not by the
database, so that both databases write the same.
"""

import json
from collections.abc import Iterator
from typing import IO, Any

from django.apps.registry import Apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader

from surpeer.web.versions import APPS

FORMAT = 1
ABOUT = "backup.json"
BATCH = 2000

Migrations = list[tuple[str, str]]


def applied_migrations() -> Migrations:
    """The last applied migrations of our apps."""
    loader = MigrationLoader(connection)
    applied = {key for key in loader.applied_migrations if key[0] in APPS}
    return sorted(key for key in applied if not any(child.key in applied for child in _children(loader, key)))


def _children(loader: MigrationLoader, key: tuple[str, str]) -> list[Any]:
    """Later migrations of the same app."""
    return [child for child in loader.graph.node_map[key].children if child.key[0] == key[0]]


def tables_at(migrations: Migrations) -> list[type[models.Model]]:
    """The models as they were, each after those that it refers to."""
    apps = MigrationLoader(connection).project_state([(app, name) for app, name in migrations]).apps
    waiting = [model for name in APPS for model in _models(apps, name)]
    ordered: list[type[models.Model]] = []
    while waiting:
        ready = [model for model in waiting if not _referred(model) & set(waiting) - {model}]
        ordered += ready
        waiting = [model for model in waiting if model not in ready]
    return ordered


def _models(apps: Apps, name: str) -> list[type[models.Model]]:
    return sorted(apps.get_app_config(name).get_models(), key=lambda model: str(model._meta.model_name))


def _referred(model: type[models.Model]) -> set[type[models.Model]]:
    return {field.related_model for field in model._meta.concrete_fields if isinstance(field.related_model, type)}


def write_rows(model: type[models.Model], file: IO[bytes]) -> int:
    """Write all rows of a table; returns how many."""
    count = 0
    for row in model._base_manager.order_by("pk").iterator(chunk_size=BATCH):
        values = {field.attname: _to_json(field, row) for field in model._meta.concrete_fields}
        file.write(
            json.dumps(values, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        )
        count += 1
    return count


def _to_json(field: "models.Field[Any, Any]", row: models.Model) -> Any:
    value = field.value_from_object(row)
    is_plain = value is None or isinstance(value, bool | int | float | str) or isinstance(field, models.JSONField)
    return value if is_plain else field.value_to_string(row)


def read_rows(model: type[models.Model], lines: IO[bytes]) -> Iterator[models.Model]:
    """The rows of a table, unsaved."""
    fields = model._meta.concrete_fields
    for line in lines:
        values = json.loads(line)
        yield model(**{field.attname: _from_json(field, values[field.attname]) for field in fields})


def _from_json(field: "models.Field[Any, Any]", value: Any) -> Any:
    if value is None or isinstance(field, models.JSONField):
        return value
    return (field.target_field if isinstance(field, models.ForeignKey) else field).to_python(value)
