"""How results call reviewers: by ids that are nobody's name, so that results hold nothing that has to be erased.

Where chairs may not know who gave which rating, every review has an id of its own: papers that share a reviewer would
give her away, because chairs know who was asked to review what. Nor may the order of reviews be that of assignments.
"""

from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from django.utils.crypto import salted_hmac

from surpeer.web.reviews.models import Submission
from surpeer.web.venues.models import Reviewer, Venue

LENGTH = 16


def review_code(assignment: int) -> str:
    """What addresses and files call a review: nobody can tell from it which assignment it belongs to."""
    return review_codes([assignment])[0]


def review_codes(assignments: Iterable[int]) -> list[str]:
    """The same for many: the key is made once."""
    keyed = salted_hmac("surpeer.web.results.review", "", algorithm="sha256")
    codes = []
    for assignment in assignments:
        one = keyed.copy()
        one.update(str(assignment).encode())
        codes.append(one.hexdigest()[:LENGTH])
    return codes


def reviewer_id(venue: Venue, assignment: int, reviewer: int) -> str:
    """What files and reports call whoever wrote a review."""
    return f"review-{review_code(assignment)}" if hides_reviewers(venue) else f"R{reviewer}"


def hides_reviewers(venue: Venue) -> bool:
    """Whether chairs may not know who gave which rating."""
    return venue.hides_reviewers


def in_order_of_codes(submissions: Iterable[Submission]) -> list[Submission]:
    """Reviews in an order that tells nothing, the versions of each one after the other."""
    return sorted(submissions, key=lambda one: (review_code(one.assignment_id), one.number))


def shown_names(venue: Venue, reviewers: Sequence[Reviewer]) -> list[str]:
    """What a page calls the reviewers of one paper: their names, or Reviewer A, Reviewer B, ..."""
    if not hides_reviewers(venue):
        return [str(reviewer) for reviewer in reviewers]
    return [f"Reviewer {_letters(number)}" for number in range(len(reviewers))]


def _letters(number: int) -> str:
    """A to Z, then AA, AB, ..."""
    rest, last = divmod(number, len(ascii_uppercase))
    return (_letters(rest - 1) if rest else "") + ascii_uppercase[last]
