"""Erasing the personal data of a reviewer without changing the ranking; `reviews.own_data` shows all of it."""

from functools import partial

from django.db import transaction
from django.utils import timezone

from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.venues.mail_files import delete_mails_to
from surpeer.web.venues.models import Reviewer


def erase(reviewer: Reviewer) -> None:
    """Erase who it was and what she wrote in words: name, address, links, drafts, comments, reasons for declining.

    Ratings and predictions stay, without a person, so that the ranking does not change. Papers that she had not
    reviewed are no longer hers. Mails to her that were put into files go, too.
    """
    with transaction.atomic():
        Draft.objects.filter(assignment__reviewer=reviewer).delete()
        Submission.objects.filter(assignment__reviewer=reviewer).update(comment="")
        reviewer.assignments.filter(submissions=None).delete()
        reviewer.assignments.update(declined_because="")
        reviewer.links.all().delete()
        reviewer.venue.uploads.all().delete()  # files that were looked at and not imported may name her
        transaction.on_commit(partial(delete_mails_to, reviewer.pk))
        reviewer.name = reviewer.email = ""
        reviewer.erased_at = timezone.now()
        reviewer.save(update_fields=["name", "email", "erased_at"])
