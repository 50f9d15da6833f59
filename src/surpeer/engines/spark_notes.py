"""What a user should know about a run on a cluster: the same sentences as in memory, without numbers of rows."""

import re

from surpeer.engines.spark_checking import Checked
from surpeer.engines.spark_ranking import RankedOnSpark
from surpeer.engines.spark_sums import Sizes
from surpeer.io.decimal_commas import comma_notes
from surpeer.paper_cells import track_size_notes
from surpeer.ranking_notes import order_notes, track_notes
from surpeer.scores.method import Learned, LearnedTrack


def notes_of_run(
    checked: Checked, method: str, learned: Learned | None, sizes: Sizes | None, ranking: RankedOnSpark | None
) -> list[str]:
    """Notes on the rows, on what was learned, and on the order."""
    form = checked.form
    notes = comma_notes(checked.commas)
    notes += [re.sub(r", as asked: rows .*", ", as asked", note) for note in checked.findings.notes()]
    if form.track and sizes is not None:
        notes += track_size_notes(sizes)
    if learned is not None and sizes is not None and (len(sizes) > 1 or form.predictions or form.partial):
        notes += track_notes([LearnedTrack(name, sizes[name], model.trust) for name, model in learned.items()])
    if ranking is not None:
        notes += order_notes(method, ranking.papers, ranking.undefined, ranking.broken)
    return notes
