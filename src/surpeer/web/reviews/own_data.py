"""Everything that is stored about one reviewer, for herself or for the chair whom she asks for it."""

from typing import Any

from surpeer.web.audit.models import Entry
from surpeer.web.reviews.drafts import is_discarded
from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.venues.models import Assignment, PersonalLink, Reviewer

LEFT_OUT = "What the reviews say is left out: chairs may not see it. The reviewer's own export has it."


def everything_about(reviewer: Reviewer, *, with_reviews: bool = True) -> dict[str, Any]:
    """Plain values for JSON; a handful of queries however many papers there are. Secrets of links are not stored, so
    they are not here either.

    with_reviews : whether what she wrote may be in it: for herself always, for chairs once they may know it
    """
    assignments = reviewer.assignments.select_related("paper", "draft").order_by("paper__key")
    prefetched = assignments.prefetch_related("submissions", "exclusions")
    labels = reviewer.venue.labels
    return {
        **({} if with_reviews else {"left_out": LEFT_OUT}),
        "reviewer": {
            "number": reviewer.pk,
            "name": reviewer.name,
            "email": reviewer.email,
            "invited_at": reviewer.invited_at,
            "invitation_filed": reviewer.invitation_filed,
            "reminded_at": reviewer.reminded_at,
            "reminder_filed": reviewer.reminder_filed,
            "erased_at": reviewer.erased_at,
        },
        "venue": reviewer.venue.name,
        "rating_scale": labels,
        "personal_links": [_link(link) for link in reviewer.links.order_by("pk")],
        "papers": [_paper(assignment, labels, with_reviews) for assignment in prefetched],
        "log": list(
            Entry.objects.filter(reviewer=reviewer.pk).order_by("pk").values("at", "action", "about", "details")
        ),
    }


def _link(link: PersonalLink) -> dict[str, Any]:
    times = ("created_at", "expires_at", "revoked_at", "used_at")
    return {name: getattr(link, name) for name in times}


def _paper(assignment: Assignment, labels: list[str], with_reviews: bool) -> dict[str, Any]:
    versions = sorted(assignment.submissions.all(), key=lambda version: version.number)
    known = {
        "paper": assignment.paper.key,
        "title": assignment.paper.title,
        "declined_at": assignment.declined_at,
        "declined_because": assignment.declined_because,
    }
    if not with_reviews:
        when = [{"number": version.number, "submitted_at": version.submitted_at} for version in versions]
        return {**known, "submissions": when}
    draft: Draft | None = getattr(assignment, "draft", None)
    return {
        **known,
        "draft": None if draft is None or is_discarded(draft) else {"saved_at": draft.saved_at, **draft.fields},
        "submissions": [_version(version, labels) for version in versions],
        "exclusions": [
            {"reason": excluded.reason, "excluded_at": excluded.excluded_at, "lifted_at": excluded.lifted_at}
            for excluded in assignment.exclusions.all()
        ],
    }


def _version(version: Submission, labels: list[str]) -> dict[str, Any]:
    return {
        "number": version.number,
        "submitted_at": version.submitted_at,
        "rating": labels[version.rating] if version.rating < len(labels) else version.rating,
        "prediction": version.prediction,
        "comment": version.comment,
    }
