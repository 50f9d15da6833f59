"""The files that are made of a result, by the library's writers: what `surpeer score` and `decide` write, too."""

import io
import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from surpeer.decisions import Decisions, ranking_of
from surpeer.io.results import WRITERS
from surpeer.io.results_workbook import write_workbook
from surpeer.io.reviews_table import WRITERS as REVIEWS_WRITERS
from surpeer.ranking import Ranking
from surpeer.report.audience import Audience
from surpeer.report.content import Report
from surpeer.report.document import document_of
from surpeer.report.page import page_of
from surpeer.report.redact import redact
from surpeer.scale import Scale

REVIEWS, SCALE = "reviews.csv", "scale.json"


def result_files(results: Ranking | Decisions, report: Report, document: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Names and contents. document : of the report, as the chair sees it"""
    ranking = ranking_of(results)
    yield from _tables("ranking", ranking)
    if isinstance(results, Decisions):
        yield from _tables("decisions", results)
    source = ranking.scores.matrices.source
    yield REVIEWS, _written(lambda stream: REVIEWS_WRITERS[".csv"](source, stream))
    yield SCALE, scale_text(source.scale).encode()
    for audience in Audience:
        shown = document if audience == report.audience else document_of(redact(report, audience))
        page = page_of(shown)
        yield report_name(audience), page.encode("utf-8", "backslashreplace")


def report_name(audience: Audience) -> str:
    """Of the page of the report for this audience."""
    return f"report-{audience.value}.html"


def scale_text(scale: Scale) -> str:
    """The file that `--scale` takes."""
    return json.dumps({"levels": scale.levels, "values": scale.values}, ensure_ascii=False, indent=1) + "\n"


def _tables(name: str, results: Ranking | Decisions) -> Iterator[tuple[str, bytes]]:
    yield f"{name}.csv", _written(lambda stream: WRITERS["csv"](results, stream))
    yield f"{name}.json", _written(lambda stream: WRITERS["json"](results, stream))
    yield f"{name}.xlsx", _written(lambda stream: write_workbook(results, stream))


def _written(write: Callable[[BinaryIO], None]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()
