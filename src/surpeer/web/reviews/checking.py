"""Whether what came with the form of a review can be submitted: all the rules, and their sentences.

Nearly every submission keeps them, and thousands may come in the last hour: nothing is built for these but the values.
The form of Django (`forms`) shows what is wrong with the others.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from surpeer.web.reviews.models import Submission
from surpeer.web.reviews.prediction import PredictionProblems, checked_prediction
from surpeer.web.reviews.typed import Typed, number_names
from surpeer.web.reviews.window import whole_window
from surpeer.web.venues.models import Venue

LONGEST_COMMENT = Submission._meta.get_field("comment").max_length or 0

NO_RATING = "Choose a rating."
UNKNOWN_RATING = "Choose a rating: found number {}, which this venue does not have."
COMMENT_TOO_LONG = f"The comment has {{}} characters, at most {LONGEST_COMMENT} are stored: shorten it."
INCOMPLETE = "The form did not arrive complete. Copy what you typed, then load the page again."
NUL = "What you typed held characters that cannot be stored (NUL). They are left out now: look again, then submit."

Problem = tuple[str | None, str]
"""The name of a field, None for the whole form, and what is wrong with it."""


class ReviewProblems(ValueError):
    """A review that cannot be submitted, and all that is wrong with it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = problems
        super().__init__(" ".join(sentence for _, sentence in problems))


class Given(NamedTuple):
    """A review that can be submitted: what `submit` takes besides the assignment."""

    rating: int
    prediction: list[int]
    comment: str
    key: UUID
    based_on: int


def can_be_kept(typed: Typed) -> bool:
    """Whether a draft of it can be stored, right or wrong."""
    return len(typed.comment) <= LONGEST_COMMENT


def checked_review(venue: Venue, post: Mapping[str, Any]) -> Given:
    """What a browser sent; `ReviewProblems` names all that is wrong with it."""
    typed, window = Typed.from_post(venue, post), whole_window(post)
    comment, prediction = typed.comment.strip(), list[int]()
    problems: list[Problem] = [(None, INCOMPLETE)] if window is None else []
    if (rating := typed.level(venue)) is None:
        problems.append(("rating", UNKNOWN_RATING.format(typed.rating) if typed.rating else NO_RATING))
    try:
        prediction = checked_prediction(venue, typed.numbers)
    except PredictionProblems as found:
        names = number_names(venue)
        problems += [(None if place is None else names[place], wrong) for place, wrong in found.problems.items()]
    if len(comment) > LONGEST_COMMENT:
        problems.append(("comment", COMMENT_TOO_LONG.format(len(comment))))
    if any("\0" in str(text) for text in post.values()):
        problems.append((None, NUL))
    if problems or window is None or rating is None:
        raise ReviewProblems(problems)
    return Given(rating, prediction, comment, window.key, window.based_on)
