"""Tables straight from the database, written part by part: every version of every review, and the exclusions."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from typing import Any

import polars as pl

from surpeer.io.formulas import without_formulas
from surpeer.web.results.not_ranked import not_ranked
from surpeer.web.results.pseudonyms import hides_reviewers, in_order_of_codes, reviewer_id
from surpeer.web.reviews.models import Exclusion, Submission
from surpeer.web.reviews.submitting import current_submissions
from surpeer.web.venues.models import Venue

Record = dict[str, Any]
AT_A_TIME = 1000

VERSION_COLUMNS = (
    "paper",
    "title",
    "reviewer",
    "reviewer_name",
    "reviewer_email",
    "version",
    "is_current",
    "is_excluded",
    "rating",
    "prediction",
    "comment",
    "submitted_at",
)
EXCLUSION_COLUMNS = ("paper", "reviewer", "reason", "excluded_by", "excluded_at", "lifted_by", "lifted_at")
NOT_RANKED_COLUMNS = ("paper", "title", "track", "why")


def versions_csv(venue: Venue) -> Iterator[bytes]:
    """Every version of every review, in parts."""
    return _csv(VERSION_COLUMNS, _versions(venue))


def exclusions_csv(venue: Venue) -> Iterator[bytes]:
    """Every exclusion, those that were lifted as well."""
    return _csv(EXCLUSION_COLUMNS, _exclusions(venue))


def not_ranked_csv(venue: Venue) -> Iterator[bytes]:
    """Papers without a place in the ranking, and why."""
    records = ({name: value or None for name, value in asdict(one).items()} for one in not_ranked(venue))
    return _csv(NOT_RANKED_COLUMNS, records)


def _versions(venue: Venue) -> Iterator[Record]:
    current = set(current_submissions(venue).values_list("pk", flat=True))
    excluded = set(
        Exclusion.objects.filter(assignment__paper__venue=venue, lifted_at=None).values_list("assignment", flat=True)
    )
    found = (
        Submission.objects.filter(assignment__paper__venue=venue)
        .select_related("assignment__paper", "assignment__reviewer")
        .order_by("assignment__paper__key", "assignment__paper")
        .iterator(AT_A_TIME)
    )
    for _, versions in groupby(found, key=lambda one: one.assignment.paper_id):
        for version in in_order_of_codes(versions):
            if hides_reviewers(venue) and version.pk not in current:
                continue  # who revised is in the log: earlier versions could tell who wrote them
            known = {
                "is_current": version.pk in current,
                "is_excluded": version.assignment_id in excluded,
            }
            yield {**_version(venue, version), **known}


def _version(venue: Venue, version: Submission) -> Record:
    paper, reviewer = version.assignment.paper, version.assignment.reviewer
    hidden = hides_reviewers(venue)
    labels = venue.labels
    return {
        "paper": paper.key,
        "title": paper.title,
        "reviewer": reviewer_id(venue, version.assignment_id, reviewer.pk),
        "reviewer_name": None if hidden else reviewer.name,
        "reviewer_email": None if hidden else reviewer.email,
        "version": None if hidden else version.number,
        "rating": labels[version.rating] if version.rating < len(labels) else str(version.rating),
        "prediction": " ".join(str(number) for number in version.prediction),
        "comment": version.comment,
        "submitted_at": None if hidden else _time(version.submitted_at),
    }


def _exclusions(venue: Venue) -> Iterator[Record]:
    found = (
        Exclusion.objects.filter(assignment__paper__venue=venue)
        .select_related("assignment__paper", "excluded_by", "lifted_by")
        .order_by("pk")
    )
    for one in found.iterator(AT_A_TIME):
        yield {
            "paper": one.assignment.paper.key,
            "reviewer": reviewer_id(venue, one.assignment_id, one.assignment.reviewer_id),
            "reason": one.reason,
            "excluded_by": str(one.excluded_by),
            "excluded_at": _time(one.excluded_at),
            "lifted_by": None if one.lifted_by is None else str(one.lifted_by),
            "lifted_at": _time(one.lifted_at),
        }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="seconds")


def _csv(columns: Sequence[str], records: Iterator[Record]) -> Iterator[bytes]:
    """Parts of a CSV file; a text that a spreadsheet program would run as a formula has an apostrophe before it."""
    yield (",".join(columns) + "\n").encode()
    part: list[Record] = []
    for record in records:
        part.append(record)
        if len(part) == AT_A_TIME:
            yield _lines(columns, part)
            part = []
    if part:
        yield _lines(columns, part)


def _lines(columns: Sequence[str], part: list[Record]) -> bytes:
    table = pl.DataFrame({name: pl.Series(name, [record[name] for record in part]) for name in columns})
    return without_formulas(table).write_csv(include_header=False).encode()
