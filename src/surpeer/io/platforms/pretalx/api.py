"""Pretalx: what its API answers at `/api/events/<event>/reviews/`, in the present version and the one before.

One page `{count, next, previous, results}`, a list of pages, or a list of reviews. Questions and score categories are
numbers unless they were asked for with `?expand=answers.question,scores.category`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from surpeer.errors import Problem, counted
from surpeer.io.content import Content
from surpeer.io.platforms.fields import Answers, make_field
from surpeer.io.platforms.gathered import Gathered
from surpeer.io.platforms.json_cells import cell, first_of, found_value, in_one_language, moment, title_text
from surpeer.io.platforms.plain_text import number_text
from surpeer.io.review_form.export import Export
from surpeer.io.review_form.form import Form

KIND = "reviews (API)"
SCORE, TEXT, OVERRIDE = "Score", "Text", "Override vote"
KEYS = {"submission", "score", "answers"}
OUT_OF_REVIEW = {"withdrawn", "canceled", "draft"}
REVIEWER_KEYS = ("email", "code", "name")


def is_answer(document: object) -> bool:
    """Whether a JSON document is what the API answers, by its first review."""
    first = _first_record(document)
    return isinstance(first, dict) and first.keys() >= KEYS


def _first_record(document: object) -> object:
    first = next(iter(document), None) if isinstance(document, list) else document
    if isinstance(first, dict) and isinstance(first.get("results"), list):
        return next(iter(first["results"]), None)
    return first if isinstance(document, list) else None


@dataclass(slots=True)
class _Reviews(Gathered):
    """The reviews of the file."""

    categories: Answers = field(default_factory=lambda: Answers("category"))
    independent: set[str] = field(default_factory=set)
    """Keys of the categories that do not count for the score."""
    unnamed: int = 0
    """Scores that are given by a number of pretalx's own, which says nothing."""
    score: list[str | None] = field(default_factory=list)
    text: list[str | None] = field(default_factory=list)
    override: list[str | None] = field(default_factory=list)


def read(content: Content, form: Form | None) -> Export:
    """One row for each review; `place` counts them from 1 through all pages."""
    records, problems = _records(content.json)
    reviews = _Reviews(problems=problems)
    for place, record in enumerate(records, start=1):
        if isinstance(record, dict):
            _read_review(record, place, reviews)
        else:
            problems.append(Problem(place, None, found_value(record), "a review"))
    count = len(reviews.paper)
    score = make_field(SCORE, reviews.score, form, ["score"])
    categories = reviews.categories.fields(count, content.source, form)
    questions = reviews.answers.fields(count, content.source, form)
    override = [make_field(OVERRIDE, reviews.override, form, ["override_vote"])] if any(reviews.override) else []
    summed = [entry.name for key, entry in categories.items() if key not in reviews.independent]
    text = make_field(TEXT, reviews.text, form, ["text"])
    fields = (score, *categories.values(), *override, text, *questions.values())
    return reviews.export(KIND, fields, score.name, tuple(_notes(reviews, summed)))


def _records(document: object) -> tuple[list[object], list[Problem]]:
    """The reviews of all pages, and a problem for what is no page or is missing."""
    if isinstance(document, list) and not _is_page(next(iter(document), None)):
        return document, []
    records: list[object] = []
    problems: list[Problem] = []
    total = 0
    for number, page in enumerate(document if isinstance(document, list) else [document], start=1):
        if not _is_page(page):
            problems.append(Problem(None, f"page {number}", found_value(page), "a page with results"))
            continue
        records += page["results"]
        stated = page.get("count")
        total = max(total, stated if isinstance(stated, int) else 0)
    if total > len(records):
        found = f"{len(records):,} of {counted(total, 'review')}"
        problems.append(Problem(None, None, found, "all of them", "put all pages of the answer in one JSON list"))
    return records, problems


def _is_page(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("results"), list)


def _read_review(record: dict[str, Any], place: int, reviews: _Reviews) -> None:
    user, submission = record.get("user"), record.get("submission")
    about = submission if isinstance(submission, dict) else {"code": submission}
    paper = cell(about.get("code"))
    if paper is None:
        reviews.problems.append(Problem(place, "submission", "nothing", "the code of a proposal"))
        return
    at = reviews.add(
        paper,
        place,
        reviewer=first_of(user, REVIEWER_KEYS) if isinstance(user, dict) else cell(user),
        name=cell(record.get("id")),
        submitted=moment(record.get("updated") or record.get("created")),
        withdrawn=cell(about.get("state")) in OUT_OF_REVIEW,
        track=_named(about.get("track")),
        title=title_text(about.get("title")),
    )
    _read_answers(record, at, reviews)


def _read_answers(record: dict[str, Any], at: int, reviews: _Reviews) -> None:
    reviews.score.append(_number(record.get("score")))
    reviews.text.append(cell(record.get("text")))
    reviews.override.append(cell(record.get("override_vote")))
    for score in _list(record.get("scores")):
        _read_score(score, at, reviews)
    for answer in _list(record.get("answers")):
        if isinstance(answer, dict) and cell(answer.get("question")):
            _read_answer(answer, at, reviews)
        else:
            reviews.unreadable += 1


def _read_score(score: object, at: int, reviews: _Reviews) -> None:
    if not isinstance(score, dict):
        reviews.unnamed += 1
        return
    category = score.get("category")
    key = _key(category)
    reviews.categories.ask(key, _named(category) if isinstance(category, dict) else None)
    reviews.categories.put(at, key, _number(score.get("value")))
    if isinstance(category, dict) and category.get("is_independent") is True:
        reviews.independent.add(key)


def _read_answer(answer: dict[str, Any], at: int, reviews: _Reviews) -> None:
    question = answer.get("question")
    key = _key(question)
    text = in_one_language(question.get("question")) if isinstance(question, dict) else None
    reviews.answers.ask(key, text)
    options = [_named(option) for option in _list(answer.get("options")) if isinstance(option, dict)]
    reviews.answers.put(at, key, cell(answer.get("answer")) or cell(options))


def _key(thing: object) -> str:
    """How a question or category is told from others: its id."""
    return (cell(thing.get("id")) or _named(thing) if isinstance(thing, dict) else cell(thing)) or "without id"


def _named(thing: object) -> str | None:
    """The name of a category, track or option, expanded or not."""
    if isinstance(thing, dict) and thing.keys() & {"name", "answer", "id"}:
        return in_one_language(thing.get("name") or thing.get("answer"))
    return in_one_language(thing)


def _number(value: object) -> str | None:
    text = cell(value)
    return None if text is None else number_text(text)


def _list(value: object) -> list[Any]:
    """What should be a list; anything else as its only entry, so that it is counted as unreadable."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _notes(reviews: _Reviews, summed: list[str]) -> Iterator[str]:
    if len(summed) > 1:
        yield f"{SCORE} is pretalx's weighted sum of {', '.join(summed)}; --rating takes one of them instead"
    if reviews.unnamed:
        yield f"{counted(reviews.unnamed, 'score')} of categories given by a number of pretalx's own left out"
    if reviews.unreadable:
        yield f"{counted(reviews.unreadable, 'answer')} without a question left out"
