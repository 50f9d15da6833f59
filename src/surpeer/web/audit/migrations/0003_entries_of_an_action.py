"""Entries by venue and action: whether results are current is asked every second, and the log has every submission."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0002_append_only"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["venue", "action"], name="entries_of_an_action"),
        ),
    ]
