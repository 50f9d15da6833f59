"""The log of a made-up venue: what its people would have done, in that order, by the one function that writes it."""

from surpeer.web.accounts.models import User
from surpeer.web.audit.log import Action, record
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.models import Assignment, Venue


def write_log(venue: Venue, chair: User) -> None:
    """Made, filled, invited, reviewed, and, where that is so, closed and opened."""
    assigned = Assignment.objects.filter(paper__venue=venue).count()
    submissions = Submission.objects.filter(assignment__paper__venue=venue).order_by("pk")
    _set_up(venue, chair, assigned)
    _reviewed(venue, list(submissions.select_related("assignment__paper", "assignment__reviewer")))
    if venue.closed_at is not None:
        record(chair, Action.CLOSED, venue)
    if venue.is_open:
        reviews = submissions.count()
        record(chair, Action.OPENED_RESULTS, venue, reviews=reviews, missing=assigned - reviews)


def _set_up(venue: Venue, chair: User, assigned: int) -> None:
    """What the chair did before anybody reviewed."""
    record(chair, Action.CREATED_VENUE, venue, made_up="for this demonstration")
    sizes = {"papers": venue.papers.count(), "reviewers": venue.reviewers.count(), "assignments": assigned}
    for kind, number in sizes.items():
        record(chair, Action.IMPORTED, venue, kind, new=number, changed=0)
    for reviewer in venue.reviewers.filter(invited_at__isnull=False).order_by("pk"):
        record(chair, Action.INVITED, venue, about=str(reviewer.pk))


def _reviewed(venue: Venue, submissions: list[Submission]) -> None:
    """What reviewers did: each opened her link before her first review."""
    inside = set()
    for submission in submissions:
        reviewer = submission.assignment.reviewer
        if reviewer.pk not in inside:
            inside.add(reviewer.pk)
            record(reviewer, Action.OPENED_LINK, venue)
        about = submission.assignment.paper.key
        record(reviewer, Action.SUBMITTED, venue, about=about, number=submission.number)
