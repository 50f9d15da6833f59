"""The personal data of a reviewer: all of it in one document, and erased without changing the ranking."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.venues.models import Assignment, Reviewer

LEFT_OUT = (
    "Ratings, predictions and comments are left out: chairs may not see them. The reviewer's own export has them."
)


def data_of(reviewer: Reviewer, *, with_reviews: bool) -> dict[str, Any]:
    """Everything that is stored of a reviewer, ready for JSON.

    with_reviews : whether what she wrote may be in it (for herself always, for chairs once the results are open)
    """
    assignments = reviewer.assignments.select_related("paper").prefetch_related("submissions").order_by("paper__key")
    drafts = {draft.assignment_id: draft for draft in Draft.objects.filter(assignment__reviewer=reviewer)}
    content: dict[str, Any] = {
        "venue": reviewer.venue.name,
        "reviewer": reviewer.pk,
        "name": reviewer.name,
        "email": reviewer.email,
        "invited_at": reviewer.invited_at,
        "reminded_at": reviewer.reminded_at,
        "erased_at": reviewer.erased_at,
        "links": list(reviewer.links.order_by("pk").values("created_at", "expires_at", "revoked_at", "used_at")),
        "papers": [_assignment(one, drafts.get(one.pk), with_reviews) for one in assignments],
    }
    return content if with_reviews else {**content, "left_out": LEFT_OUT}


def _assignment(one: Assignment, draft: Draft | None, with_reviews: bool) -> dict[str, Any]:
    versions = sorted(one.submissions.all(), key=lambda version: version.number)
    labels = one.paper.venue.labels if with_reviews else []
    content: dict[str, Any] = {
        "paper": one.paper.key,
        "declined_at": one.declined_at,
        "declined_because": one.declined_because,
        "submissions": [_submission(version, labels, with_reviews) for version in versions],
    }
    if with_reviews and draft is not None:
        content["draft"] = {"saved_at": draft.saved_at, "fields": draft.fields}
    return content


def _submission(version: Submission, labels: list[str], with_reviews: bool) -> dict[str, Any]:
    when = {"number": version.number, "submitted_at": version.submitted_at}
    if not with_reviews:
        return when
    rating = labels[version.rating] if version.rating < len(labels) else version.rating
    return {**when, "rating": rating, "prediction": version.prediction, "comment": version.comment}


def erase(reviewer: Reviewer) -> None:
    """Erase who it was and what she wrote in words: name, address, links, drafts, comments, reasons for declining.

    Ratings and predictions stay, without a person, so that the ranking does not change. Papers that she had not
    reviewed are no longer hers.
    """
    with transaction.atomic():
        Draft.objects.filter(assignment__reviewer=reviewer).delete()
        Submission.objects.filter(assignment__reviewer=reviewer).update(comment="")
        reviewer.assignments.filter(submissions=None).delete()
        reviewer.assignments.update(declined_because="")
        reviewer.links.all().delete()
        reviewer.venue.uploads.all().delete()  # files that were looked at and not imported may name her
        reviewer.name = reviewer.email = ""
        reviewer.erased_at = timezone.now()
        reviewer.save(update_fields=["name", "email", "erased_at"])
