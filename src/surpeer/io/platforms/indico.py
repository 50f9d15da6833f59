"""Indico: `abstracts.json`, which the list of abstracts exports.

The file has the abstracts with their reviews, and the questions of the review form. It does not say which ratings
there are (the scale is a setting of the event). Whether a question counts for Indico's score tells the rating from the
predictions.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from surpeer.errors import Problem, ReviewProblems, counted
from surpeer.io.content import Content
from surpeer.io.platforms.fields import make_field
from surpeer.io.platforms.gathered import Gathered
from surpeer.io.platforms.json_cells import cell, first_of, found_value, moment, place_in_order, title_text
from surpeer.io.platforms.refusals import no_export
from surpeer.io.review_form.export import Export, Platform
from surpeer.io.review_form.form import Form

KIND = "abstracts.json"
ACTION, COMMENT = "Proposed action", "Comment"
OUT_OF_REVIEW = {"withdrawn", "merged", "duplicate"}
REVIEWER_KEYS = ("email", "identifier", "full_name", "id")
WHAT_TO_EXPORT = "in Indico: Call for abstracts, List of abstracts, Export, JSON"


def recognise(content: Content) -> str | None:
    """Whether the document has abstracts of Indico."""
    document = content.json
    if not isinstance(document, dict) or not isinstance(document.get("abstracts"), list):
        return None
    first = next(iter(document["abstracts"]), None)
    if isinstance(first, dict):
        return KIND if {"friendly_id", "reviews"} <= first.keys() else None
    return KIND if {"version", "questions"} <= document.keys() else None


@dataclass(slots=True)
class _Reviews(Gathered):
    """The reviews of the file."""

    scored: set[str] = field(default_factory=set)
    """Keys of the questions that count for the score."""
    knows_questions: bool = False
    deleted: int = 0
    """Answers to questions that are no longer in the form."""
    action: list[str | None] = field(default_factory=list)
    comment: list[str | None] = field(default_factory=list)


def read(content: Content, form: Form | None) -> Export:
    """One row for each review; `place` counts the reviews of the file from 1."""
    document = content.json
    if not isinstance(document, dict) or not isinstance(document.get("abstracts"), list):
        raise no_export(content, 'a JSON object with "abstracts"', WHAT_TO_EXPORT)
    reviews = _Reviews()
    _read_questions(document, reviews)
    for position, abstract in enumerate(document["abstracts"], start=1):
        _read_abstract(abstract, position, reviews)
    if not reviews.paper:
        raise ReviewProblems(content.source, reviews.problems or [_nothing(len(document["abstracts"]))])
    questions = reviews.answers.fields(len(reviews.paper), content.source, form)
    scored = [questions[key].name for key in questions if key in reviews.scored]
    fields = (
        *questions.values(),
        make_field(ACTION, reviews.action, form, ["proposed_action"]),
        make_field(COMMENT, reviews.comment, form, ["comment"]),
    )
    return reviews.export(KIND, fields, scored[0] if len(scored) == 1 else None, tuple(_notes(reviews)))


def _nothing(abstracts: int) -> Problem:
    found = f"{counted(abstracts, 'abstract')} without a review"
    return Problem(None, None, found, "at least one review", WHAT_TO_EXPORT)


def _notes(reviews: _Reviews) -> Iterator[str]:
    if reviews.deleted:
        yield f"{counted(reviews.deleted, 'answer')} to questions that were deleted from the form left out"
    if reviews.unreadable:
        yield f"{counted(reviews.unreadable, 'rating')} without a question left out"


def _read_questions(document: dict[str, Any], reviews: _Reviews) -> None:
    """The questions of the form in their order. Exports of 2017 and before have none."""
    questions = document.get("questions")
    if not isinstance(questions, list):
        return
    reviews.knows_questions = True
    known = [question for question in questions if isinstance(question, dict) and cell(question.get("id"))]
    for question in sorted(known, key=lambda question: place_in_order(question.get("position"), 0.0)):
        _ask(question, reviews)


def _ask(question: dict[str, Any], reviews: _Reviews) -> str:
    """Make a question known; its key."""
    key = cell(question.get("id")) or ""
    reviews.answers.ask(key, cell(question.get("title")))
    if question.get("no_score") is False:
        reviews.scored.add(key)
    return key


def _read_abstract(abstract: object, position: int, reviews: _Reviews) -> None:
    if not isinstance(abstract, dict):
        reviews.problems.append(_unreadable(position, found_value(abstract), "an abstract"))
        return
    given = abstract.get("reviews")
    if given is not None and not isinstance(given, list):
        reviews.problems.append(_unreadable(position, "reviews that are no list", "a list of reviews"))
        return
    paper = cell(abstract.get("friendly_id")) or cell(abstract.get("id"))
    if given and paper is None:
        reviews.problems.append(_unreadable(position, "no friendly_id and no id", "the number of the abstract"))
        return
    out = cell(abstract.get("state")) in OUT_OF_REVIEW
    track = _track(abstract)
    for review in given or ():
        if not isinstance(review, dict):
            reviews.problems.append(_unreadable(position, f"{found_value(review)} among the reviews", "a review"))
            continue
        user = review.get("user")
        at = reviews.add(
            paper or "",
            len(reviews.place) + 1,
            reviewer=first_of(user, REVIEWER_KEYS) if isinstance(user, dict) else cell(user),
            name=cell(review.get("id")),
            submitted=moment(review.get("modified_dt") or review.get("created_dt")),
            withdrawn=out,
            track=track,
            title=title_text(abstract.get("title")),
        )
        _read_review(review, at, reviews)


def _unreadable(position: int, found: str, expected: str) -> Problem:
    return Problem(None, "abstracts", f"{found} at number {position:,} of the list", expected)


def _track(abstract: dict[str, Any]) -> str | None:
    """The track of an abstract, if it is in no more than one."""
    for key in ("accepted_track", "reviewed_for_tracks", "submitted_for_tracks"):
        value = abstract.get(key)
        tracks = value if isinstance(value, list) else [value]
        names = {first_of(track, ("title", "code", "id")) for track in tracks if isinstance(track, dict)} - {None}
        if names:
            return names.pop() if len(names) == 1 else None
    return None


def _read_review(review: dict[str, Any], at: int, reviews: _Reviews) -> None:
    reviews.action.append(cell(review.get("proposed_action")))
    reviews.comment.append(cell(review.get("comment")))
    ratings = review.get("ratings")
    for rating in ratings if isinstance(ratings, list) else [] if ratings is None else [ratings]:
        if isinstance(rating, dict) and cell(rating.get("question")):
            _read_rating(rating, at, reviews)
        else:
            reviews.unreadable += 1


def _read_rating(rating: dict[str, Any], at: int, reviews: _Reviews) -> None:
    question, answer = rating.get("question"), cell(rating.get("value"))
    key = _ask(question, reviews) if isinstance(question, dict) else cell(question) or ""
    if reviews.knows_questions and key not in reviews.answers:
        reviews.deleted += answer is not None
    else:
        reviews.answers.put(at, key, answer)


PLATFORM = Platform("indico", "Indico", recognise, read, "abstracts.json")
