"""One paper: why it stands where it stands, and its single reviews."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from surpeer.report.number_text import decimal_text, parts_text
from surpeer.web.results.forms import ExcludeForm
from surpeer.web.results.pictures import is_followed
from surpeer.web.results.pseudonyms import hides_reviewers, in_order_of_codes, review_code, shown_names
from surpeer.web.reviews.models import Exclusion, Submission
from surpeer.web.reviews.submitting import current_submissions
from surpeer.web.venues.models import Paper, PredictionForm, Venue

PARTS = (
    ("What its ratings say at face value", "compared with a typical paper of this venue, or of its track"),
    ("What the venue makes of that", "few reviews count for less, and what pushes all papers is taken off"),
    ("What its reviewers' predictions change", "ratings that were to be expected whatever its quality count for less"),
)
NOTHING = 1e-9
"""A part of a score that is only rounding."""


@dataclass(frozen=True)
class ShownReview:
    """A review as chairs and observers see it."""

    code: str
    who: str
    rating: str
    prediction: list[tuple[str, int]]
    """Level and number; a single one where only the highest level was asked for."""
    unit: str
    comment: str
    version: int | None
    """None where it could tell who wrote it: the log knows who revised."""
    submitted_at: datetime | None
    """Not told where it could tell who wrote it."""
    excluded: Exclusion | None
    lifted: list[Exclusion]
    form: ExcludeForm


def reviews_of_paper(venue: Venue, paper: Paper, refused: tuple[str, ExcludeForm] | None = None) -> list[ShownReview]:
    """The current version of each, excluded ones included.

    refused : the code of a review that could not be excluded, and the form with what was typed
    """
    return reviews_of_papers(venue, [paper], refused)[paper.pk]


def reviews_of_papers(
    venue: Venue, papers: Sequence[Paper], refused: tuple[str, ExcludeForm] | None = None
) -> dict[int, list[ShownReview]]:
    """The same for several papers, by their keys."""
    found = current_submissions(venue).filter(assignment__paper__in=papers).select_related("assignment__reviewer")
    by_paper: dict[int, list[Submission]] = {paper.pk: [] for paper in papers}
    for submission in found:
        by_paper[submission.assignment.paper_id].append(submission)
    exclusions = _exclusions(papers)
    return {pk: _shown(venue, of_paper, exclusions, refused) for pk, of_paper in by_paper.items()}


def _shown(
    venue: Venue,
    of_paper: Sequence[Submission],
    exclusions: Mapping[int, list[Exclusion]],
    refused: tuple[str, ExcludeForm] | None,
) -> list[ShownReview]:
    submissions = in_order_of_codes(of_paper)
    names = shown_names(venue, [one.assignment.reviewer for one in submissions])
    reviews = []
    for submission, who in zip(submissions, names, strict=True):
        code = review_code(submission.assignment_id)
        mine = exclusions.get(submission.assignment_id, [])
        reviews.append(
            ShownReview(
                code=code,
                who=who,
                rating=_label(venue, submission.rating),
                prediction=_numbers(venue, submission.prediction),
                unit="" if venue.prediction_form == PredictionForm.IMAGINED else "%",
                comment=submission.comment,
                version=None if hides_reviewers(venue) else submission.number,
                submitted_at=None if hides_reviewers(venue) else submission.submitted_at,
                excluded=next((one for one in mine if one.lifted_at is None), None),
                lifted=[one for one in mine if one.lifted_at is not None],
                form=refused[1] if refused and refused[0] == code else ExcludeForm(auto_id=f"{code}_%s"),
            )
        )
    return reviews


def levels_of_card(card: Mapping[str, Any], levels: Sequence[str]) -> list[dict[str, Any]]:
    """For each level how many reviewers gave it, and how many were to be expected to."""
    total = sum(card["counts"])
    prior = card.get("prior")
    return [
        {
            "label": label,
            "count": card["counts"][at],
            "expected": None if prior is None or prior[at] is None else decimal_text(prior[at] * total / 1000, 1),
        }
        for at, label in enumerate(levels)
    ]


def parts_of_card(card: Mapping[str, Any], score: float) -> list[dict[str, str]]:
    """The parts of the score, rounded so that they add up to it as it is shown."""
    if card["parts"] is None:
        return []
    unused = not is_followed(card) and abs(card["parts"][-1]) < NOTHING  # the last part is what predictions change
    used = len(PARTS) - unused
    numbers = parts_text(card["parts"][:used], score)
    return [
        {"name": name, "meaning": meaning, "number": number}
        for (name, meaning), number in zip(PARTS[:used], numbers, strict=True)
    ]


def what_if_of_card(card: Mapping[str, Any]) -> list[str]:
    """What one changed rating would do, in sentences."""
    return [sentence for sentence in (card.get("if_higher"), card.get("if_lower")) if sentence]


def _exclusions(papers: Sequence[Paper]) -> dict[int, list[Exclusion]]:
    by_assignment: dict[int, list[Exclusion]] = defaultdict(list)
    found = Exclusion.objects.filter(assignment__paper__in=papers).select_related("excluded_by", "lifted_by")
    for exclusion in found.order_by("pk"):
        by_assignment[exclusion.assignment_id].append(exclusion)
    return by_assignment


def _label(venue: Venue, rating: int) -> str:
    return venue.labels[rating] if rating < len(venue.labels) else "a level that the scale no longer has"


def _numbers(venue: Venue, prediction: Sequence[int]) -> list[tuple[str, int]]:
    labels = venue.labels[-1:] if venue.prediction_form == PredictionForm.TOP else venue.labels
    return list(zip(labels, prediction, strict=False)) if len(labels) == len(prediction) else []
