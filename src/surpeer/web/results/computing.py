"""From the reviews of a venue to a kept result: the library's own steps, and what the pages need of them."""

import logging
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from surpeer.decisions import Decisions, decide
from surpeer.errors import InputError, SurpeerError
from surpeer.pipeline import calibrate
from surpeer.ranking import Ranking
from surpeer.report.content import Report, report_of
from surpeer.report.document import document_of
from surpeer.typed_numbers import read_accept
from surpeer.web.results.file_making import result_files
from surpeer.web.results.models import Result, ResultFile
from surpeer.web.results.not_ranked import NotRanked, not_ranked, not_ranked_note
from surpeer.web.results.paper_table import paper_table
from surpeer.web.results.pictures import venue_pictures
from surpeer.web.results.reviews_table import reviews_of
from surpeer.web.results.stamp import Stamp, find_stamp
from surpeer.web.results.stored import packed, packed_json
from surpeer.web.results.summary import summary_of
from surpeer.web.venues.models import Venue

OUR_FAULT = (
    "The results could not be computed, because of an error in the program itself. Nothing is lost: all reviews are "
    "kept. Whoever runs this server finds the error in its log."
)
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Made:
    """What was made of the reviews."""

    results: Ranking | Decisions
    report: Report
    document: dict[str, Any]
    not_decided: str
    not_ranked: list[NotRanked]


def compute(venue: Venue) -> Result:
    """Compute the result of the reviews as they are now, and keep it: first the ranking, then the files made of it.

    Where the library refuses, its message is kept instead: the same reviews would be refused again.
    """
    stamp = find_stamp(venue)  # before the reviews are read: what comes in meanwhile makes it differ
    try:
        made = _make(venue)
        result = _keep(venue, stamp, **_fields(venue, made))
    except SurpeerError as error:
        return _keep(venue, stamp, problem=str(error))
    except Exception:
        logger.exception("the results of venue %s could not be computed", venue.slug)
        return _keep(venue, stamp, problem=OUR_FAULT)
    _keep_files(result, _all_files(venue, made))
    return result


def _make(venue: Venue) -> Made:
    left = not_ranked(venue)
    reviews = reviews_of(venue)
    ranking = calibrate(replace(reviews, notes=(*reviews.notes, not_ranked_note(left))) if left else reviews)
    results: Ranking | Decisions = ranking
    not_decided = ""
    try:
        results = decide(ranking, read_accept(venue.accept, "accept"))
    except InputError as error:
        not_decided = str(error)
    report = report_of(results, title=venue.name)
    return Made(results, report, document_of(report), not_decided, left)


def _fields(venue: Venue, made: Made) -> dict[str, Any]:
    return {
        "reviews": len(_source(made.results)),
        "summary": summary_of(made.results, made.report, made.not_decided, made.not_ranked),
        "document": packed_json(made.document),
        "table": paper_table(venue, made.results, made.document),
    }


def _source(results: Ranking | Decisions) -> Any:
    ranking = results if isinstance(results, Ranking) else results.ranking
    return ranking.scores.matrices.source


def _keep(venue: Venue, stamp: Stamp, **fields: Any) -> Result:
    """Replace the result and drop the files of the one before."""
    nothing: dict[str, Any] = {"reviews": 0, "summary": {}, "document": b"", "table": b"", "problem": ""}
    values = {
        **nothing,
        **fields,
        "stamp": stamp.text,
        "submissions": stamp.submissions,
        "computed_at": timezone.now(),
        "complete": "problem" in fields,
    }
    with transaction.atomic():
        result, _ = Result.objects.update_or_create(venue=venue, defaults=values)
        result.files.all().delete()
    return result


def _all_files(venue: Venue, made: Made) -> list[ResultFile]:
    """As far as they can be made: a ranking without charts is better than none."""
    files = []
    try:
        for name, content in result_files(made.results, made.report, made.document):
            files.append(ResultFile(name=name, content=packed(content)))
        for drawn in venue_pictures(made.document):
            files.append(ResultFile(name=drawn.name, content=packed(drawn.content), alt=drawn.alt))
    except Exception:
        logger.exception("some files of the results of venue %s could not be made", venue.slug)
    return files


@transaction.atomic
def _keep_files(result: Result, files: list[ResultFile]) -> None:
    for file in files:
        file.result = result
    ResultFile.objects.bulk_create(files, batch_size=10)
    result.complete = True
    result.save(update_fields=["complete"])
