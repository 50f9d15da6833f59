"""What the pages say of a venue's result as a whole, in few words and numbers."""

from typing import Any

from surpeer.decisions import Decisions
from surpeer.errors import counted
from surpeer.proposals import Proposal
from surpeer.ranking import Ranking
from surpeer.report.content import Report
from surpeer.web.venues.models import Venue


def summary_of(venue: Venue, results: Ranking | Decisions, report: Report, not_decided: str) -> dict[str, Any]:
    """Kept as JSON with the result.

    not_decided : why there are no proposals; empty where there are some
    """
    without = venue.papers.count() - len(results)
    caveats = list(report.caveats)
    if without > 0:
        verb = "has" if without == 1 else "have"
        caveats.append(f"{counted(without, 'paper').capitalize()} {verb} no review that counts, and so no place here.")
    return {
        "headline": report.headline,
        "caveats": caveats,
        "notes": report.quality.notes,
        "data": [list(row) for row in report.quality.rows],
        "papers": len(results),
        "tracks": report.tracks,
        "levels": list(report.scale.different_labels),
        "not_decided": not_decided,
        "decision": None if report.cut is None else _decision(results),
    }


def _decision(results: Ranking | Decisions) -> dict[str, Any] | None:
    if not isinstance(results, Decisions):
        return None
    counts = {kind.label: results.count(kind) for kind in Proposal}
    return {"places": results.places, "certainty": results.certainty, **counts}
