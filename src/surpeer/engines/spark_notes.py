"""What a user should know about a run on a cluster: the same sentences as in memory, without numbers of rows."""

import re

from surpeer.engines.spark_ranking import RankedOnSpark
from surpeer.engines.spark_sums import Sizes
from surpeer.findings import Findings
from surpeer.ranking_notes import order_notes, track_notes
from surpeer.scores.method import Learned, LearnedTrack


def notes_of_run(
    findings: Findings, method: str, learned: Learned | None, sizes: Sizes | None, ranking: RankedOnSpark | None
) -> list[str]:
    """Notes on the rows, on what was learned, and on the order."""
    notes = [re.sub(r", as asked: rows .*", ", as asked", note) for note in findings.notes()]
    if learned is not None and sizes is not None:
        notes += track_notes([LearnedTrack(name, sizes[name], model.trust) for name, model in learned.items()])
    if ranking is not None:
        notes += order_notes(method, ranking.papers, ranking.undefined, ranking.broken)
    return notes
