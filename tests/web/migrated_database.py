"""Every migration on a database that has rows: forwards one by one, then backwards. In a process of its own.

python -m web.migrated_database     prints what was done, step by step, as JSON
"""

import json
import sys
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

Values = dict[str, dict[int, dict[str, Any]]]
TEXT = "Ünïcode 🦉"


def _migrate(app: str, name: str | None) -> Any:
    """Go to this migration; the models as they are then."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    return executor.migrate([(app, name)]).apps


def _plan() -> list[tuple[str, str]]:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    return [(one.app_label, one.name) for one, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def _add_rows(models: list[Any], number: int) -> None:
    """One more row in every table; each after those that it refers to."""
    waiting, made = {model._meta.label: model for model in models}, dict[str, Any]()
    while waiting:
        for label, model in list(waiting.items()):
            fields = [field for field in model._meta.concrete_fields if not field.primary_key]
            needed = {field.related_model._meta.label for field in fields if field.is_relation}
            if not needed & waiting.keys():
                made[label] = model._base_manager.create(**{one.attname: _value(one, number, made) for one in fields})
                del waiting[label]


def _value(field: Any, number: int, made: dict[str, Any]) -> Any:
    """Something that fits, and that no other row has."""
    if field.is_relation:
        return made[field.related_model._meta.label].pk
    kinds = {
        "BooleanField": True, "JSONField": [{"label": TEXT, "value": number}], "BinaryField": b"\0\xff" + bytes([number]),
        "UUIDField": uuid4(), "DateTimeField": datetime(2026, 1, 2, 3, 4, 5, 678901, UTC), "EmailField": f"a{number}@example.org",
        "URLField": f"https://example.org/{number}", "SlugField": f"slug-{number}",
    }  # fmt: skip
    kind = field.get_internal_type()
    if kind in kinds:
        return kinds[kind]
    if "Integer" in kind:
        return number
    return f"{number} {TEXT}"[: field.max_length]


def _ours(apps: Any) -> list[Any]:
    from surpeer.web.versions import APPS

    return [model for model in apps.get_models() if model._meta.app_label in APPS]


def _values(models: list[Any]) -> Values:
    return {
        model._meta.label: {
            row["pk"]: row
            for row in model._base_manager.values("pk", *(f.attname for f in model._meta.concrete_fields))
        }
        for model in models
    }


def _lost(before: Values, after: Values) -> list[str]:
    """Rows and values that are no longer there, of tables and columns that are."""
    lost = []
    for table in before.keys() & after.keys():
        for pk, row in before[table].items():
            now = after[table].get(pk)
            same = now is not None and all(_same(now[name], value) for name, value in row.items() if name in now)
            lost += [] if same else [f"{table} {pk}: {row} is now {now}"]
    return lost


def _same(one: Any, other: Any) -> bool:
    return bytes(one) == bytes(other) if isinstance(one, bytes | memoryview) else one == other


def walk() -> dict[str, Any]:
    """Forwards with more rows at every step, then backwards with all of them."""
    steps, lost, plan = [], [], _plan()
    before: Values = {}
    for number, (app, name) in enumerate(plan, start=1):
        models = _ours(_migrate(app, name))
        after = _values(models)
        lost += _lost(before, after)
        if app in {model._meta.app_label for model in models}:
            _add_rows(models, number)
        before = _values(models)
        steps.append(f"{app}.{name}")
    rows = {table: len(values) for table, values in before.items()}
    for at, (app, _) in reversed(list(enumerate(plan))):
        earlier = [name for other, name in plan[:at] if other == app]
        after = _values(_ours(_migrate(app, earlier[-1] if earlier else None)))
        lost += _lost({table: before[table] for table in after.keys() & before.keys()}, after)
    return {"steps": steps, "lost": lost, "rows": rows, "left": sorted(after)}


if __name__ == "__main__":
    from surpeer.web.deployment import Deployment
    from surpeer.web.setting_up import set_up

    set_up(Deployment.from_environment())
    json.dump(walk(), sys.stdout)
