"""Ranking or Decisions -> a report in a file. The command `surpeer report` is this function."""

from pathlib import Path

from surpeer.decisions import Decisions
from surpeer.errors import UnknownName
from surpeer.io.whole_file import write_whole_bytes
from surpeer.ranking import Ranking
from surpeer.report.audience import Audience
from surpeer.report.content import report_of
from surpeer.report.document import document_of
from surpeer.report.origin import Origin
from surpeer.report.page import page_of
from surpeer.report.redact import redact


def write_report(
    results: Ranking | Decisions,
    path: str | Path,
    *,
    audience: str = Audience.CHAIR,
    title: str = "",
    origin: Origin | None = None,
) -> None:
    """Write a report as one HTML file that opens anywhere and loads nothing.

    results : a ranking, or decisions, which also have a cut and proposals
    audience : `chair` (everything), `committee` (no reviewer) or `public` (no single paper); what it may not see is not
        in the file
    title : the name of the venue, for the head of the page
    origin : what made the report; without it the versions installed here
    """
    report = redact(report_of(results, title=title, origin=origin), read_audience(audience))
    write_whole_bytes(Path(path), page_of(document_of(report)).encode("utf-8", "backslashreplace"))


def read_audience(name: str) -> Audience:
    """The audience of this name."""
    try:
        return Audience(name)
    except ValueError:
        raise UnknownName("audience", str(name), [one.value for one in Audience]) from None
