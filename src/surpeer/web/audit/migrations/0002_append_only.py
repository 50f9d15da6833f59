"""The database itself refuses to change or delete entries of the log."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

MESSAGE = "the audit log is append-only"

SQLITE = [
    f"CREATE TRIGGER audit_entry_no_{what.lower()} BEFORE {what} ON audit_entry "
    f"BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"
    for what in ("UPDATE", "DELETE")
]
POSTGRESQL = [
    f"""CREATE FUNCTION audit_entry_refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '{MESSAGE}'; END $$""",
    """CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_refuse()""",
]


def guard(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add the triggers of this database."""
    for statement in POSTGRESQL if schema_editor.connection.vendor == "postgresql" else SQLITE:
        schema_editor.execute(statement, params=None)


def unguard(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take them away again."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION audit_entry_refuse() CASCADE", params=None)
        return
    for what in ("update", "delete"):
        schema_editor.execute(f"DROP TRIGGER audit_entry_no_{what}", params=None)


class Migration(migrations.Migration):
    """Triggers, in the language of the database."""

    dependencies = [("audit", "0001_initial")]
    operations = [migrations.RunPython(guard, unguard)]
