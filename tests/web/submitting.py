"""A review that was submitted, without the pages that a reviewer uses for it."""

from uuid import uuid4

from surpeer.web.reviews.models import Submission
from surpeer.web.venues.models import Assignment


def submitted(assignment: Assignment, rating: int = 1, comment: str = "", number: int = 1) -> Submission:
    """A version of the review of this assignment."""
    return Submission.objects.create(
        assignment=assignment, number=number, key=uuid4(), rating=rating, prediction=[5, 15], comment=comment
    )
