"""Everything that is stored about one reviewer, for herself or for the chair whom she asks for it."""

from typing import Any

from surpeer.web.audit.models import Entry
from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.venues.models import Assignment, PersonalLink, Reviewer


def everything_about(reviewer: Reviewer) -> dict[str, Any]:
    """Plain values for JSON; a handful of queries however many papers there are. Secrets of links are not stored, so
    they are not here either."""
    assignments = reviewer.assignments.select_related("paper", "draft").order_by("paper__key")
    prefetched = assignments.prefetch_related("submissions", "exclusions")
    labels = reviewer.venue.labels
    return {
        "reviewer": {
            "name": reviewer.name,
            "email": reviewer.email,
            "invited_at": reviewer.invited_at,
            "reminded_at": reviewer.reminded_at,
        },
        "venue": reviewer.venue.name,
        "rating_scale": labels,
        "personal_links": [_link(link) for link in reviewer.links.order_by("pk")],
        "papers": [_paper(assignment, labels) for assignment in prefetched],
        "log": list(
            Entry.objects.filter(reviewer=reviewer.pk).order_by("pk").values("at", "action", "about", "details")
        ),
    }


def _link(link: PersonalLink) -> dict[str, Any]:
    times = ("created_at", "expires_at", "revoked_at", "used_at")
    return {name: getattr(link, name) for name in times}


def _paper(assignment: Assignment, labels: list[str]) -> dict[str, Any]:
    draft: Draft | None = getattr(assignment, "draft", None)
    versions = sorted(assignment.submissions.all(), key=lambda version: version.number)
    return {
        "paper": assignment.paper.key,
        "title": assignment.paper.title,
        "declined_at": assignment.declined_at,
        "declined_because": assignment.declined_because,
        "draft": None if draft is None else {"saved_at": draft.saved_at, **draft.fields},
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
