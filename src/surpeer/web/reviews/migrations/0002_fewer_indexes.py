"""Submissions had two indexes that begin with the assignment."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """One of them is that of a constraint, and stays."""

    dependencies = [("reviews", "0001_initial"), ("venues", "0001_initial")]
    operations = [
        migrations.AlterField(
            model_name="submission",
            name="assignment",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="submissions",
                to="venues.assignment",
            ),
        ),
    ]
