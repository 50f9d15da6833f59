"""Pretalx: the reviews that an organiser exports (CSV or JSON), and those that its API answers with."""

from surpeer.errors import Problem, ReviewProblems
from surpeer.io.content import Content
from surpeer.io.platforms.pretalx import api as pretalx_api
from surpeer.io.platforms.pretalx import tables as pretalx_tables
from surpeer.io.platforms.refusals import no_export
from surpeer.io.review_form.export import Export, Platform
from surpeer.io.review_form.form import Form

SESSIONS = "sessions"
WHAT_TO_EXPORT = (
    "in pretalx, with English as your language: Review, Export, tick at least Proposal ID, Score, Reviewer name "
    "and the questions that ask for predictions"
)


def recognise(content: Content) -> str | None:
    """By the names of columns or keys that pretalx has in English."""
    if pretalx_api.is_answer(content.json):
        return pretalx_api.KIND
    headers = pretalx_tables.headers(content)
    if any(map(pretalx_tables.is_reviews, headers)):
        return pretalx_tables.KIND
    return SESSIONS if any(map(pretalx_tables.is_sessions, headers)) else None


def read(content: Content, form: Form | None) -> Export:
    """One row for each review of any of the exports."""
    if pretalx_api.is_answer(content.json):
        return pretalx_api.read(content, form)
    headers = pretalx_tables.headers(content)
    if any(map(pretalx_tables.has_reviews, headers)):
        return pretalx_tables.read(content, form)
    if any(map(pretalx_tables.is_sessions, headers)):
        found = Problem(None, None, "a list of sessions with their mean scores", "single reviews", WHAT_TO_EXPORT)
        raise ReviewProblems(content.source, [found])
    raise no_export(content, "reviews of pretalx with Proposal ID and Score", WHAT_TO_EXPORT)


PLATFORM = Platform("pretalx", "pretalx", recognise, read, "review export (CSV or JSON), JSON of the API")
