"""A document of the report, made up by code: any number of papers, levels and tracks, with or without a decision."""

from typing import Any

import numpy as np

SCORES = [-2, -1, -0.5, 0, 0.5, 1, 2]
PROPOSALS = ["accept", "discuss", "reject"]


def sample_document(
    papers: int = 12, *, levels: int = 2, tracks: tuple[str, ...] = (), decided: bool = True, errors: bool = True
) -> dict[str, Any]:
    """The same arguments give the same document."""
    rng = np.random.default_rng(papers)
    labels = ["reject", "accept"] if levels == 2 else [str(level + 1) for level in range(levels)]
    score = np.sort(rng.normal(0, 1, papers))[::-1].round(4)
    counts = [rng.multinomial(5, _chances(value, levels)).tolist() for value in score]
    mean = [round(float(np.dot(row, range(levels))) / 5, 4) for row in counts]
    places = max(1, papers // 4)
    proposal = [_proposal(at, places, papers) for at in range(papers)]
    push = (np.array(mean) * 0.2 - 0.1 - score * 0.1).round(4).tolist()
    return {
        "format": 1,
        "title": "Workshop on Examples",
        "audience": "chair",
        "headline": [f"{papers} papers were ranked."],
        "scale": {"labels": labels, "values": list(range(levels))},
        "caveats": [],
        "method": {
            "name": "venue",
            "title": "Venue score",
            "has_errors": errors,
            "uses_predictions": True,
            "followed": True,
        },
        "decision": _decision(places, score, proposal) if decided else None,
        "tracks": list(tracks),
        "words": {"flags": [], "statuses": [["finite", ""]], "proposals": PROPOSALS, "reasons": [["likely", ""]]},
        "papers": {
            "id": [f"W{at + 1:02d}" for at in range(papers)],
            "title": [f"On the matter of {at + 1} examples" for at in range(papers)],
            "track": [at % len(tracks) for at in range(papers)] if tracks else None,
            "rank": list(range(1, papers + 1)),
            "reviews": [5] * papers,
            "mean": mean,
            "mean_rank": [1 + sum(other > own for other in mean) if papers < 1000 else at + 1 for at, own in enumerate(mean)],
            "mean_rank_last": [sum(other >= own for other in mean) if papers < 1000 else at + 1 for at, own in enumerate(mean)],
            "moved": [0] * papers,
            "score": score.tolist(),
            "low": (score - 0.8).round(4).tolist() if errors else None,
            "high": (score + 0.8).round(4).tolist() if errors else None,
            "p_accept": np.linspace(0.97, 0.02, papers).round(4).tolist() if decided else None,
            "proposal": proposal if decided else None,
            "reason": [0] * papers if decided else None,
            "status": [0] * papers,
            "flags": [0] * papers,
            "expected": mean,
            "push": push,
            "clearly_better_than": [max(0, papers - 4 - at) for at in range(papers)] if errors else None,
            "clearly_worse_than": [max(0, at - 3) for at in range(papers)] if errors else None,
            "why": ["reviewers expected this paper to be rated high whatever its quality"] * papers,
            "story": ["A story."] * papers,
            "counts": counts,
            "prior": [_thousandths(np.full(levels, 1 / levels)) for _ in range(papers)],
            "predictions": [
                [[given, count, _thousandths(_chances(given - 1, levels))] for given, count in enumerate(row) if count]
                for row in counts
            ],
            "if_higher": ["It would be higher."] * papers,
            "if_lower": ["It would be lower."] * papers,
        },
        "interval": 0.8,
        "reviews": {
            "start": list(range(0, 5 * papers + 1, 5)),
            "reviewer": None,
            "rating": [level for row in counts for level, count in enumerate(row) for _ in range(count)],
            "prediction": [None] * (5 * papers),
            "expected": None,
        },
        "contours": _contours() if levels == 2 else None,
        "curve": _curve(score, proposal if decided else None, errors),
        "spread": [{"mean": 0.25 * at, "score": 0.4 * at - 1, "papers": 3 + at * at} for at in range(5)],
        "predictions": {
            "groups": [_group(papers)],
            "calibration": [
                {"said": said, "came": round(said**1.3, 4), "low": round(said**1.3 * 0.85, 4), "high": min(1.0, round(said**1.3 * 1.15, 4)), "shares": 20 + 30 * at, "papers": 4 + at}
                for at, said in enumerate((0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95))
            ],
            "pushes": [
                {"track": track, "from": round(0.1 * step, 4), "to": round(0.1 * (step + 1), 4), "papers": max(1, papers // (2 + abs(step + shift)))}
                for shift, track in enumerate(tracks or (None,))
                for step in range(-4, 5)
            ],
        },
        "quality": {"rows": [["papers", str(papers)]], "notes": []},
        "made": {"program": "surpeer", "versions": [["Python", "3"]], "command": "", "inputs": [], "date": "2026-01-31"},
    }  # fmt: skip


def _group(papers: int) -> dict[str, Any]:
    return {
        "name": None,
        "papers": papers,
        "reviews": 5 * papers,
        "predictions": 5 * papers,
        "judged": 5 * papers,
        "miss": 0.4,
        "average_miss": 0.5,
        "skill": 0.2,
        "skill_error": 0.05,
        "verdict": "They were good.",
        "influence": "They are followed.",
        "own": 0.9,
        "push_spread": 0.1,
    }


def _chances(value: float, levels: int) -> np.ndarray:
    weight = np.exp(float(value) * np.linspace(-1, 1, levels))
    return np.asarray(weight / weight.sum())


def _thousandths(shares: np.ndarray) -> list[int]:
    return [round(1000 * share) for share in shares.tolist()]


def _proposal(at: int, places: int, papers: int) -> int:
    if at < places * 0.6:
        return 0
    return 1 if at < places * 1.8 or papers == 1 else 2


def _decision(places: int, score: np.ndarray, proposal: list[int]) -> dict[str, Any]:
    cut = round(float(score[places - 1] + score[places]) / 2, 4) if len(score) > places else None
    counts = {name: proposal.count(code) for code, name in enumerate(PROPOSALS)}
    return {"places": places, "certainty": 0.8, **counts, "open": places - counts["accept"], "cut": cut}


def _contours() -> dict[str, Any]:
    from surpeer.core.contour_lines import score_line

    lines = {
        f"{accepts}/5": [(1000 * score_line(accepts / 5, score, 30)).round().astype(int).tolist() for score in SCORES]
        for accepts in range(6)
    }
    return {"scores": SCORES, "lines": lines}


def _curve(score: np.ndarray, proposal: list[int] | None, errors: bool) -> list[dict[str, Any]]:
    rows = []
    for at in np.array_split(np.arange(len(score)), min(200, len(score))):
        middle = round(float(score[at].mean()), 4)
        given = [0, 0, 0] if proposal is None else np.bincount([proposal[one] for one in at], minlength=3).tolist()
        ends = (middle - 0.8, middle + 0.8) if errors else (None, None)
        rows.append({"first": int(at[0]) + 1, "last": int(at[-1]) + 1, "score": middle, "low": ends[0], "high": ends[1], **dict(zip(PROPOSALS, given, strict=True))})  # fmt: skip
    return rows
