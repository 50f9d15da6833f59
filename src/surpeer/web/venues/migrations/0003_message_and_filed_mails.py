"""A message of the chairs for all mails, and which mails were put into files instead of being sent.

Of mails from before nobody knows which way they went; they count as sent, as they always did.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("venues", "0002_import_upload"),
    ]

    operations = [
        migrations.AddField(
            model_name="reviewer",
            name="invitation_filed",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="reviewer",
            name="reminder_filed",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="venue",
            name="mail_message",
            field=models.TextField(blank=True, max_length=5000, verbose_name="message in mails to reviewers"),
        ),
    ]
