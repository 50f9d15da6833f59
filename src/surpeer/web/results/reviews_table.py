"""The rows of the database -> the table of surpeer.columns -> Reviews, checked by the library like any other table."""

import re
from collections.abc import Sequence
from typing import Any

import polars as pl
from django.db.models import QuerySet

from surpeer.columns import PAPER, PREDICTION, RATING, REVIEWER, SHARE_PREFIX, TITLE, TRACK
from surpeer.errors import InputError
from surpeer.reviews import Reviews
from surpeer.scale import Scale
from surpeer.web.results.pseudonyms import review_codes, reviewer_id
from surpeer.web.reviews.models import Exclusion, Submission
from surpeer.web.reviews.submitting import current_submissions
from surpeer.web.venues.models import PredictionForm, Venue
from surpeer.web.venues.scales import scale_of

SOURCE = "the reviews"
NO_REVIEWS = "No review counts yet. There will be a ranking once reviews have been submitted."
UNITS = {PredictionForm.IMAGINED: "count", PredictionForm.SHARES: "percent", PredictionForm.TOP: "percent"}
WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")

Row = tuple[int, int, int, int, Any]


def reviews_of(venue: Venue) -> Reviews:
    """The reviews that count, or an error that says why there are none or what is wrong with them."""
    scale = scale_of(venue)
    table = table_of(venue, scale)
    if not len(table):
        raise InputError(NO_REVIEWS)
    return Reviews.from_table(table, scale, unit=UNITS[PredictionForm(venue.prediction_form)], source=SOURCE)


def table_of(venue: Venue, scale: Scale) -> pl.DataFrame:
    """One row for each review that counts, predictions as they were given; by paper, and in an order of no meaning."""
    papers = {pk: (key, title, track) for pk, key, title, track in venue.papers.values_list("pk", "key", TITLE, TRACK)}
    rows = _counted_rows(venue)
    codes = dict(zip((row[0] for row in rows), review_codes(row[0] for row in rows), strict=True))
    rows.sort(key=lambda row: (papers[row[2]][0], codes[row[0]]))
    of_paper = [papers[paper] for _, _, paper, _, _ in rows]
    return pl.DataFrame(
        {
            PAPER: _ids([key for key, _, _ in of_paper]),
            REVIEWER: [reviewer_id(venue, assignment, reviewer) for assignment, reviewer, _, _, _ in rows],
            RATING: [scale.levels[rating] for _, _, _, rating, _ in rows],
            **_predictions(venue, scale, [prediction for *_, prediction in rows]),
            **_texts(TITLE, [title for _, title, _ in of_paper]),
            **_texts(TRACK, [track for _, _, track in of_paper]),
        }
    )


def counted_submissions(venue: Venue) -> "QuerySet[Submission]":
    """The current version of each review that is not excluded."""
    excluded = Exclusion.objects.filter(assignment__paper__venue=venue, lifted_at=None)
    return current_submissions(venue).exclude(assignment__in=excluded.values("assignment"))


def _counted_rows(venue: Venue) -> list[Row]:
    fields = ("assignment", "assignment__reviewer", "assignment__paper", "rating", "prediction")
    return list(counted_submissions(venue).order_by().values_list(*fields))


def _ids(keys: Sequence[str]) -> pl.Series:
    """Ids that are all whole numbers are numbers, as they are in a file: papers that tie are listed by their id."""
    if keys and all(WHOLE_NUMBER.fullmatch(key) for key in keys):
        return pl.Series(PAPER, [int(key) for key in keys], dtype=pl.Int64)
    return pl.Series(PAPER, keys, dtype=pl.String)


def _predictions(venue: Venue, scale: Scale, given: Sequence[Any]) -> dict[str, pl.Series]:
    """The columns of predictions. One that does not fit the venue's form, which was another then, is left empty."""
    top = venue.prediction_form == PredictionForm.TOP
    names = [PREDICTION] if top else [SHARE_PREFIX + level for level in scale.levels]
    nothing = [None] * len(names)
    fitting = [said if isinstance(said, list) and len(said) == len(names) else nothing for said in given]
    return {name: pl.Series([said[at] for said in fitting], dtype=pl.Float64) for at, name in enumerate(names)}


def _texts(name: str, texts: Sequence[str]) -> dict[str, pl.Series]:
    """A column that is left out where no paper has one."""
    return {name: pl.Series([text or None for text in texts], dtype=pl.String)} if any(texts) else {}
