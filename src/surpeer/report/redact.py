"""Report -> the report that an audience may see. What is not for them is not in it, rather than hidden.

                           chair   committee              public
papers, titles, scores      yes     yes                    no: steps and cells of at least five papers
ratings                     yes     yes                    no
predictions by rating       yes     of two or more         no
reviewers, single reviews   yes     no                     no
tracks                      yes     yes                    those of at least five papers
notes on the data           yes     those that name nobody counts only
command and files           yes     without folders        without files
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PureWindowsPath

import numpy as np

from surpeer.core.prediction_quality import PredictionQuality
from surpeer.errors import counted
from surpeer.probability_text import percent_text
from surpeer.report.audience import Audience
from surpeer.report.columns import PaperColumns
from surpeer.report.content import Report
from surpeer.report.data_quality import DataQuality
from surpeer.report.origin import PROGRAM, Origin
from surpeer.report.predictions import Group, PredictionsContent, PushStep
from surpeer.report.summary import ranking_curve, spread_cells

LEAST = 5
"""Papers in any group that the public sees."""
SMALL = "Scores are less certain, or less comparable between tracks, than they look."
"""Instead of caveats that tell how small a track is."""
PUBLIC_STEPS, PUBLIC_CELLS = 20, 12


def redact(report: Report, audience: Audience) -> Report:
    """The same report without what this audience may not see."""
    if audience == Audience.CHAIR:
        return report
    if audience == Audience.COMMITTEE:
        return replace(
            report,
            audience=audience,
            papers=None if report.papers is None else _without_single_predictions(report.papers),
            reviews=None,
            quality=_without_names(report),
            origin=_without_folders(report.origin),
        )
    return _for_the_public(report)


def _without_single_predictions(papers: PaperColumns) -> PaperColumns:
    """Predictions by rating only where several gave the rating: one would be somebody's."""
    return replace(papers, predicted=np.where(papers.predicted > 1, papers.predicted, 0))


def _for_the_public(report: Report) -> Report:
    papers = report.papers
    curve = [] if papers is None else ranking_curve(papers, PUBLIC_STEPS, LEAST)
    cells, hidden = ([], 0) if papers is None else spread_cells(papers, PUBLIC_CELLS, LEAST)
    large = _large(report.predictions.groups, lambda group: group.papers)
    left_out = [f"Not shown: {counted(hidden, 'paper')} in cells of fewer than {LEAST}."] if hidden else []
    return replace(
        report,
        audience=Audience.PUBLIC,
        caveats=[SMALL] if report.caveats else [],
        papers=None,
        reviews=None,
        contours=None,
        curve=curve,
        spread=cells,
        tracks=[name for name in report.tracks if name in large],
        cut=None if report.cut is None else replace(report.cut, score=float("nan")),
        predictions=_large_groups(report.predictions, large),
        quality=DataQuality(report.quality.rows, left_out),
        origin=_without_files(report),
    )


def _large(groups: list[Group], size: Callable[[Group], int]) -> set[str | None]:
    """The names of the groups that are large enough. What is left of the venue is nothing, or large enough as well:
    else it would be the difference."""
    tracks = sorted((group for group in groups if group.name is not None), key=size)
    shown = {group.name for group in tracks if size(group) >= LEAST}
    for group in tracks:
        rest = sum(size(one) for one in tracks if one.name not in shown)
        if rest == 0 or rest >= LEAST:
            break
        shown.discard(group.name)
    return shown | {group.name for group in groups if group.name is None and size(group) >= LEAST}


def _large_groups(predictions: PredictionsContent, large: set[str | None]) -> PredictionsContent:
    judged = _large(predictions.groups, lambda group: group.quality.papers)
    groups = [
        group if group.name in judged or not group.quality.papers else _not_judged(group)
        for group in predictions.groups
        if group.name in large
    ]
    steps = [step for step in predictions.calibration if step.papers >= LEAST]
    pushes = [step for step in predictions.pushes if step.track in large]
    return PredictionsContent(groups, steps, _merged(pushes))


def _not_judged(group: Group) -> Group:
    nothing = PredictionQuality(0, 0, *[float("nan")] * 4)
    return replace(group, quality=nothing, verdict="Too few papers have predictions to say more of them here.")


def _merged(pushes: list[PushStep]) -> list[PushStep]:
    """Steps of each track joined until each has enough papers."""
    result: list[PushStep] = []
    for name in dict.fromkeys(step.track for step in pushes):
        mine: list[PushStep] = []
        for step in (step for step in pushes if step.track == name):
            mine.append(_joined(mine.pop(), step) if mine and mine[-1].papers < LEAST else step)
        if len(mine) > 1 and mine[-1].papers < LEAST:
            last = mine.pop()
            mine[-1] = _joined(mine[-1], last)
        result += [step for step in mine if step.papers >= LEAST]
    return result


def _joined(one: PushStep, next_one: PushStep) -> PushStep:
    return PushStep(one.track, one.low, next_one.high, one.papers + next_one.papers)


def _without_names(report: Report) -> DataQuality:
    """The notes that name no reviewer, and how many do."""
    names = {name for name in (report.reviews.reviewer or ()) if name} if report.reviews is not None else set()
    kept = [note for note in report.quality.notes if not _words(note) & names and not _spelled_in(note, names)]
    dropped = len(report.quality.notes) - len(kept)
    rest = [f"{dropped:,} more in the chair's report, because they may name reviewers."] if dropped else []
    return DataQuality(report.quality.rows, [*kept, *rest])


def _words(note: str) -> set[str]:
    return set(re.findall(r"[\w@.+~-]+", note)) | set(re.findall(r"\w+", note))


def _spelled_in(note: str, names: set[str]) -> bool:
    """Whether a name of several words or with odd characters is in the note."""
    return any(name in note for name in names if not re.fullmatch(r"\w{1,3}", name))


def _without_folders(origin: Origin) -> Origin:
    return replace(
        origin,
        command=tuple(_without_folder(word, origin.paths) for word in origin.command),
        paths=tuple(map(_file_name, origin.paths)),
        inputs=tuple(replace(one, path=_file_name(one.path)) for one in origin.inputs),
    )


def _without_folder(word: str, paths: tuple[str, ...]) -> str:
    """`--form=a//b.json` and `-oa/b.json` become `--form=b.json` and `-ob.json`, if a/b.json is one of the paths."""
    option, sign, value = word.partition("=") if word.startswith("--") else (word[:2], "", word[2:])
    for before, path in (("", word), (option + sign, value)):
        if path and str(Path(path)) in paths:
            return before + _file_name(path)
    return word


def _file_name(path: str) -> str:
    return Path(PureWindowsPath(path).name).name or path


def _without_files(report: Report) -> Origin:
    """The command with what matters for the numbers, and no name of a file."""
    words = [PROGRAM, "report", "REVIEWS", "--audience", Audience.PUBLIC.value, "--method", report.method.name]
    if report.cut is not None:
        words += ["--accept", f"{report.cut.places}", "--certainty", percent_text(report.cut.certainty)]
    return replace(report.origin, command=tuple(words), paths=(), inputs=())
