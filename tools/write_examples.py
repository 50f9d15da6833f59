"""Write the example exports: one made-up venue as HotCRP, OpenReview and a questionnaire would give it to a chair.

    python tools/write_examples.py

Sixteen papers, four levels, four reviewers each. Reviewers know the bias of each paper and predict by the model, in
tens.
"""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from surpeer.core.joint import joint_from_dirichlet, predictions_from_joint
from surpeer.core.noise import noise_matrix, noisy_joint, noisy_state
from surpeer.core.shapes import FloatArray
from surpeer.io.platforms.hotcrp.settings import form_settings
from surpeer.io.platforms.openreview.form import form_options
from surpeer.scale import Scale

FOLDER = Path(__file__).resolve().parent.parent / "examples"
SCALE = Scale(["1", "2", "3", "4"], labels=["Reject", "Weak reject", "Weak accept", "Accept"])
VENUE = "Example.org/2026/Workshop"
TOPICS = ("sheaves", "transformers", "compilers", "caches", "proofs", "robots")
SURNAMES = ("Abel", "Boole", "Curie", "Dirac", "Erdos", "Faraday", "Gauss", "Hopper", "Ito", "Jacobi")
PAPERS, PER_PAPER = 16, 4

Row = tuple[int, int, int, list[int]]
"""Paper, reviewer, rating, and predicted shares in per cent."""


def make_reviews(rng: np.random.Generator) -> list[Row]:
    prior = np.array([0.6, 0.6, 0.6, 0.6])
    towards = np.array([[0.1, 0.1, 0.2, 0.6], [0.6, 0.2, 0.1, 0.1], [0.25, 0.25, 0.25, 0.25]])
    rows: list[Row] = []
    for paper in range(1, PAPERS + 1):
        noise = noise_matrix(rng.choice([0.2, 0.5]), towards[paper % 3])
        seen = noisy_state(rng.dirichlet(prior), noise)
        forecast = predictions_from_joint(noisy_joint(joint_from_dirichlet(prior), noise))
        for reviewer in rng.choice(len(SURNAMES), size=PER_PAPER, replace=False):
            rating = int(rng.choice(4, p=seen))
            rows.append((paper, int(reviewer), rating + 1, in_tens(forecast[rating] + rng.uniform(0, 0.06, 4))))
    return rows


def in_tens(shares: FloatArray) -> list[int]:
    """Per cents in whole tens that sum to 100, as near to the shares as that can be."""
    tenths = shares / shares.sum() * 10
    result = np.floor(tenths).astype(int)
    result[np.argsort(result - tenths)[: 10 - result.sum()]] += 1
    return [int(share) * 10 for share in result]


def title(paper: int) -> str:
    return f"On {TOPICS[paper % len(TOPICS)]}, part {paper}"


def email(reviewer: int) -> str:
    return f"{SURNAMES[reviewer].lower()}@example.org"


def hotcrp_reviews(rows: list[Row]) -> str:
    """As Reviews (CSV): dropdowns export the position of the choice, and rows end at their last answer."""
    shares = [field["name"] for field in form_settings(SCALE)["rf"][1:]]
    header = [
        "paper",
        "title",
        "review",
        "reviewername",
        "email",
        "Overall merit",
        "Reviewer expertise",
        *shares,
        "Comments",
    ]
    lines: list[list[object]] = [header]
    for at, (paper, reviewer, rating, predicted) in enumerate(rows):
        name, letter = SURNAMES[reviewer], "ABCD"[at % PER_PAPER]
        comment = ["A clear paper,\nwith one doubt."] if at % 3 == 0 else []
        choices = [share // 10 + 1 for share in predicted]
        lines.append([paper, title(paper), f"{paper}{letter}", name, email(reviewer), rating, 2, *choices, *comment])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def openreview_notes(rows: list[Row]) -> dict[str, Any]:
    """Submissions with their reviews as replies."""
    submissions = []
    for paper in range(1, PAPERS + 1):
        at_paper = f"{VENUE}/Submission{paper}"
        replies = [
            {
                "id": f"review{paper}x{reviewer}",
                "forum": f"forum{paper}",
                "replyto": f"forum{paper}",
                "invitations": [f"{at_paper}/-/Official_Review", f"{VENUE}/-/Edit"],
                "signatures": [f"{at_paper}/Reviewer_{SURNAMES[reviewer][:4]}"],
                "content": {
                    "review": {"value": "A clear paper."},
                    "rating": {"value": rating},
                    "confidence": {"value": 3},
                    **{f"predicted_share_{level}": {"value": share} for level, share in enumerate(predicted, start=1)},
                },
            }
            for number, reviewer, rating, predicted in rows
            if number == paper
        ]
        submissions.append(
            {
                "id": f"forum{paper}",
                "forum": f"forum{paper}",
                "number": paper,
                "invitations": [f"{VENUE}/-/Submission"],
                "content": {"title": {"value": title(paper)}, "venueid": {"value": f"{VENUE}/Submission"}},
                "details": {"directReplies": replies},
            }
        )
    return {"notes": submissions, "count": len(submissions)}


def questionnaire(rows: list[Row]) -> str:
    """A table as people make them: columns of their own, counts of twenty imagined reviewers, semicolons."""
    levels = [f"Of 20 others, how many say {label}?" for label in SCALE.labels]
    lines: list[list[object]] = [["Submission no.", "E-mail", "Your verdict", *levels]]
    lines += [
        [paper, email(who), SCALE.labels[rating - 1], *(share // 5 for share in p)] for paper, who, rating, p in rows
    ]
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(lines)
    return text.getvalue()


COLUMNS = """\
# Which column of questionnaire.csv is what: surpeer score questionnaire.csv --columns columns.toml
paper = "Submission no."
reviewer = "E-mail"
rating = "Your verdict"
levels = ["Reject", "Weak reject", "Weak accept", "Accept"]

[predictions]
"Reject" = "Of 20 others, how many say Reject?"
"Weak reject" = "Of 20 others, how many say Weak reject?"
"Weak accept" = "Of 20 others, how many say Weak accept?"
"Accept" = "Of 20 others, how many say Accept?"
"""


def files() -> dict[str, str]:
    """The content of every example by its name."""
    rows = make_reviews(np.random.default_rng(10))
    return {
        "hotcrp-reviews.csv": hotcrp_reviews(rows),
        "hotcrp-form.json": json.dumps({"settings": form_settings(SCALE)}, indent=1, ensure_ascii=False) + "\n",
        "openreview-notes.json": json.dumps(openreview_notes(rows), indent=1) + "\n",
        "openreview-form.json": json.dumps(form_options(SCALE, "shares", VENUE), indent=1) + "\n",
        "questionnaire.csv": questionnaire(rows),
        "columns.toml": COLUMNS,
    }


if __name__ == "__main__":
    for name, content in files().items():
        (FOLDER / name).write_text(content, encoding="utf-8")
