"""Report -> one JSON document: the only thing about reviews that a page is made of.

Columns instead of rows, shares as whole thousandths, other numbers to four places: 20,000 papers stay small.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.core.status import Status
from surpeer.proposals import Proposal, Reason
from surpeer.ranking import FLAGS
from surpeer.report.columns import INTERVAL, PaperColumns
from surpeer.report.content import Contours, Cut, Report, SingleReviews
from surpeer.report.origin import Origin
from surpeer.report.predictions import Group, PredictionsContent, PushStep

FORMAT = 1
PLACES = 4


def document_of(report: Report) -> dict[str, Any]:
    """The document of a report; what the audience may not see is null or empty."""
    return {
        "format": FORMAT,
        "title": report.title,
        "audience": report.audience.value,
        "headline": report.headline,
        "scale": {"labels": list(report.scale.different_labels), "values": list(report.scale.values)},
        "caveats": report.caveats,
        "method": {
            "name": report.method.name,
            "title": report.method.title,
            "has_errors": report.method.gives_errors,
            "uses_predictions": report.method.uses_predictions,
            "followed": report.followed,
        },
        "decision": _decision(report.cut),
        "tracks": report.tracks,
        "words": _words(),
        "papers": None if report.papers is None else _papers(report.papers, report.tracks),
        "interval": INTERVAL,
        "reviews": None if report.reviews is None else _reviews(report.reviews),
        "contours": None if report.contours is None else contour_rows(report.contours),
        "curve": [_named(step) for step in report.curve],
        "spread": [_named(cell) for cell in report.spread],
        "predictions": _predictions(report.predictions),
        "quality": {"rows": [list(row) for row in report.quality.rows], "notes": report.quality.notes},
        "made": _made(report.origin),
    }


def _decision(cut: Cut | None) -> dict[str, Any] | None:
    if cut is None:
        return None
    counts = dict(zip((kind.label for kind in Proposal), cut.counts, strict=True))
    return {
        "places": cut.places,
        "certainty": cut.certainty,
        **counts,
        "open": cut.open,
        "cut": _number(cut.score),
    }


def _words() -> dict[str, Any]:
    return {
        "flags": [list(pair) for pair in FLAGS.items()],
        "statuses": [[status.label, status.meaning] for status in Status],
        "proposals": [kind.label for kind in Proposal],
        "reasons": [[reason.label, reason.meaning] for reason in Reason],
    }


def _papers(papers: PaperColumns, tracks: list[str]) -> dict[str, Any]:
    number = {name: at for at, name in enumerate(tracks)}
    return {
        "id": papers.id,
        "title": papers.title,
        "track": None if papers.track is None else [number[name] for name in papers.track],
        "rank": papers.rank.tolist(),
        "reviews": papers.reviews.tolist(),
        "mean": _numbers(papers.mean),
        "mean_rank": papers.mean_rank.tolist(),
        "mean_rank_last": papers.mean_rank_last.tolist(),
        "moved": papers.moved.tolist(),
        "score": _numbers(papers.score),
        "low": _numbers(papers.low),
        "high": _numbers(papers.high),
        "p_accept": _numbers(papers.p_accept),
        "proposal": _codes(papers.proposal),
        "reason": _codes(papers.reason),
        "status": papers.status.tolist(),
        "flags": papers.flags.tolist(),
        "expected": _numbers(papers.expected),
        "push": _numbers(papers.push),
        "clearly_better_than": _codes(papers.better_than),
        "clearly_worse_than": _codes(papers.worse_than),
        "why": papers.why,
        "story": papers.story,
        "counts": papers.counts.tolist(),
        "prior": _share_rows(papers.prior),
        "predictions": _by_rating(papers),
        "if_higher": papers.if_higher,
        "if_lower": papers.if_lower,
    }


def _by_rating(papers: PaperColumns) -> list[list[list[Any]]]:
    result: list[list[list[Any]]] = [[] for _ in range(len(papers))]
    rows, levels = np.nonzero(papers.predicted)
    shares = _share_rows(papers.predictions[rows, levels])
    number = papers.predicted[rows, levels].tolist()
    for row, level, count, said in zip(rows.tolist(), levels.tolist(), number, shares, strict=True):
        result[row].append([level, count, said])
    return result


def _reviews(reviews: SingleReviews) -> dict[str, Any]:
    return {
        "start": reviews.start.tolist(),
        "reviewer": reviews.reviewer,
        "rating": reviews.rating.tolist(),
        "prediction": _share_rows(reviews.prediction),
        "expected": _numbers(reviews.expected),
    }


def contour_rows(contours: Contours) -> dict[str, Any]:
    """The lines as points in thousandths."""
    lines = {
        votes: [[thousandths(point) for point in line] for line in lines] for votes, lines in contours.lines.items()
    }
    return {"scores": list(contours.scores), "lines": lines}


def _predictions(predictions: PredictionsContent) -> dict[str, Any]:
    return {
        "groups": [_group(group) for group in predictions.groups],
        "calibration": [_named(step) for step in predictions.calibration],
        "pushes": [_push(step) for step in predictions.pushes],
    }


def _group(group: Group) -> dict[str, Any]:
    quality = group.quality
    return {
        "name": group.name,
        "papers": group.papers,
        "reviews": group.reviews,
        "predictions": group.predictions,
        "judged": quality.judged,
        "miss": _number(quality.miss),
        "average_miss": _number(quality.average_miss),
        "skill": _number(quality.skill),
        "skill_error": _number(quality.skill_error),
        "verdict": group.verdict,
        "influence": group.influence,
        "own": _number(group.own),
        "push_spread": _number(group.push_spread),
    }


def _push(step: PushStep) -> dict[str, Any]:
    return {"track": step.track, "from": _number(step.low), "to": _number(step.high), "papers": step.papers}


def _made(origin: Origin) -> dict[str, Any]:
    return {
        "program": origin.program,
        "versions": [list(pair) for pair in origin.versions],
        "command": origin.command_line,
        "inputs": [[one.path, f"sha256 {one.sha256}", f"{one.size:,} bytes"] for one in origin.inputs],
        "date": origin.date,
    }


def _named(row: NamedTuple) -> dict[str, Any]:
    return {name: _number(value) for name, value in row._asdict().items()}


def _number(value: float) -> float | int | None:
    if isinstance(value, int):
        return value
    return round(value, PLACES) + 0.0 if np.isfinite(value) else None  # so that there is no -0.0


def _numbers(column: FloatArray | None) -> list[float | None] | None:
    """Rounded; None where it is no finite number."""
    if column is None:
        return None
    rounded = (np.round(column, PLACES) + 0.0).tolist()  # so that there is no -0.0
    if np.isfinite(column).all():
        return rounded  # type: ignore[no-any-return]
    return [value if known else None for value, known in zip(rounded, np.isfinite(column).tolist(), strict=True)]


def _codes(column: IntArray | None) -> list[int] | None:
    return None if column is None else column.tolist()


def _share_rows(rows: FloatArray) -> list[list[int | None] | None]:
    """Shares in thousandths, row by row; None for a share, or a whole row, that is not given."""
    known = ~np.isnan(rows)
    whole = np.rint(np.where(known, rows, 0.0) * 1000).astype(np.int64).tolist()
    given = known.sum(axis=1)
    return [
        row if count == len(row) else (_partial(row, said) if count else None)
        for row, said, count in zip(whole, known, given, strict=True)
    ]


def _partial(row: list[int], given: Iterable[bool]) -> list[int | None]:
    return [share if known else None for share, known in zip(row, given, strict=True)]


def thousandths(shares: FloatArray) -> list[int]:
    """Shares as the document has them."""
    return np.rint(shares * 1000).astype(np.int64).tolist()  # type: ignore[no-any-return]
