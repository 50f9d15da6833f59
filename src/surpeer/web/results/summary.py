"""What the pages say of a venue's result as a whole, in few words and numbers."""

from typing import Any

from surpeer.decisions import Decisions
from surpeer.errors import counted
from surpeer.proposals import Proposal
from surpeer.ranking import Ranking
from surpeer.report.content import Report
from surpeer.web.results.not_ranked import MOST_NAMED, NotRanked


def summary_of(
    results: Ranking | Decisions, report: Report, not_decided: str, not_ranked: list[NotRanked]
) -> dict[str, Any]:
    """Kept as JSON with the result.

    not_decided : why there are no proposals; empty where there are some
    """
    without = len(not_ranked)
    caveats = list(report.caveats)
    if without:
        verb = "has" if without == 1 else "have"
        caveats.append(f"{counted(without, 'paper').capitalize()} {verb} no review that counts, and so no place here.")
    return {
        "headline": report.headline,
        "caveats": caveats,
        "notes": report.quality.notes,
        "data": [list(row) for row in report.quality.rows],
        "papers": len(results),
        "not_ranked": [{"pk": one.pk, "paper": one.paper, "why": one.why} for one in not_ranked[:MOST_NAMED]],
        "more_not_ranked": max(0, without - MOST_NAMED),
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
