"""Everything that can be downloaded of a venue once its results are open: what it is, and its content."""

import codecs
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from surpeer.report.audience import Audience
from surpeer.web.results.file_making import REVIEWS, SCALE, report_name
from surpeer.web.results.models import Result
from surpeer.web.results.row_downloads import exclusions_csv, not_ranked_csv, versions_csv
from surpeer.web.results.stored import file_of, unpacked
from surpeer.web.venues.models import Venue
from surpeer.web.zip_member import new_member

EVERYTHING = "everything.zip"
READ_ME = "README.txt"


@dataclass(frozen=True)
class Download:
    """A file by its name."""

    name: str
    meaning: str
    content_type: str
    parts: Callable[[Venue, Result | None], Iterator[bytes] | None]
    """The content in parts; None where there is none, because there is no ranking, or no decision."""


def _kept(name: str) -> Callable[[Venue, Result | None], Iterator[bytes] | None]:
    """A file that was made with the result."""

    def parts(venue: Venue, result: Result | None) -> Iterator[bytes] | None:
        content = None if result is None else file_of(result, name)
        return None if content is None else iter([content])

    return parts


def _as_it_is_now(of_venue: Callable[[Venue], Iterator[bytes]]) -> Callable[[Venue, Result | None], Iterator[bytes]]:
    """A file that is made of the database when it is asked for."""

    def parts(venue: Venue, result: Result | None) -> Iterator[bytes]:
        return of_venue(venue)

    return parts


CSV, JSON, HTML = "text/csv; charset=utf-8", "application/json", "text/html; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

KEPT = (
    ("decisions.csv", "What is proposed for each paper, with probabilities", CSV),
    ("decisions.xlsx", "The same as a workbook, with explanations", XLSX),
    ("decisions.json", "The same for programs", JSON),
    ("ranking.csv", "The ranking with scores and their errors", CSV),
    ("ranking.xlsx", "The same as a workbook, with explanations", XLSX),
    ("ranking.json", "The same for programs", JSON),
    (REVIEWS, "The reviews that were counted, as the command line reads them", CSV),
    (SCALE, "The rating scale, for the command line", JSON),
    (report_name(Audience.CHAIR), "The report for chairs: everything, single reviews included", HTML),
    (report_name(Audience.COMMITTEE), "The report for the committee: every paper, no reviewer", HTML),
    (report_name(Audience.PUBLIC), "The report for everybody: the venue as a whole, no single paper", HTML),
)
FROM_THE_DATABASE: tuple[tuple[str, str, Callable[[Venue], Iterator[bytes]]], ...] = (
    ("versions.csv", "Every version of every review, comments included", versions_csv),
    ("exclusions.csv", "Reviews that were excluded, and why", exclusions_csv),
    ("not-ranked.csv", "Papers that have no place in the ranking, and why", not_ranked_csv),
)
DOWNLOADS: dict[str, Download] = {
    one.name: one
    for one in (
        *(Download(name, meaning, kind, _kept(name)) for name, meaning, kind in KEPT),
        *(Download(name, meaning, CSV, _as_it_is_now(of_venue)) for name, meaning, of_venue in FROM_THE_DATABASE),
    )
}


def for_spreadsheets(name: str, parts: Iterable[bytes]) -> Iterator[bytes]:
    """The parts of a file; of a CSV file after a mark that says that it is UTF-8. Without it Excel on Windows shows
    other letters where accents are. Our own readers pass over it."""
    if name.endswith(".csv"):
        yield codecs.BOM_UTF8
    yield from parts


def everything(venue: Venue, result: Result | None) -> IO[bytes]:
    """All of them in one archive, in a temporary file that is gone when it is closed."""
    kept = [] if result is None else list(result.files.all())  # at once, so that all are of the same result
    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever sends it closes it
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        archive.writestr(READ_ME, read_me(venue))
        for one in kept:
            content = b"".join(for_spreadsheets(one.name, [unpacked(one.content)]))
            archive.writestr(f"charts/{one.name}" if one.alt else one.name, content)
        for name, _, of_venue in FROM_THE_DATABASE:
            with archive.open(new_member(name), "w", force_zip64=True) as member:
                member.writelines(for_spreadsheets(name, of_venue(venue)))
    file.seek(0)
    return file


def read_me(venue: Venue) -> str:
    """What is in the archive, and how to come to the same results without this server."""
    files = "\n".join(f"{one.name:22} {one.meaning}" for one in DOWNLOADS.values())
    return (
        f"{venue.name}\n\n{files}\n\nThe same ranking and decisions on any machine with surpeer:\n\n"
        f"    surpeer score {REVIEWS} --scale {SCALE}\n"
        f"    surpeer decide {REVIEWS} --scale {SCALE} --accept {venue.accept}\n"
    )
