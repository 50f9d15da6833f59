"""The folder in which the commands of a page are run: the examples, and files that the page says readers have."""

import json
import shutil
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "platforms"))
from platform_samples import SAMPLES

WORKSHOP = "examples/workshop.csv"
YOURS: dict[str, dict[str, str]] = {
    "README.md": {"reviews.csv": WORKSHOP},
    "docs/how-to/decide.md": {"reviews.csv": WORKSHOP},
    "docs/how-to/hotcrp.md": {
        "reviews.csv": "examples/hotcrp-reviews.csv",
        "settings.json": "examples/hotcrp-form.json",
    },
    "docs/how-to/prepare-reviews.md": {
        "reviews.csv": WORKSHOP,
        "ten.csv": "ten levels",
        "grades.csv": "four grades",
        "percent.csv": "percentages",
        "counts.csv": "counts",
        "highest.csv": "highest level",
        "expected.csv": "expected ratings",
    },
    "docs/how-to/spreadsheets.md": {
        "Reviews.xls": "cmt xml",
        "conference_data.xlsx": "easychair xlsx",
        "data_2026-05-01.xlsx": "easychair xlsx",
        "data_csv.zip": "easychair zip",
    },
}
"""By page: the files that it says are the reader's own, and what stands in for each here.

Any other file must be made by the page, or be an example: a command that needs another one fails.
"""
VENUE = "Conf.org/2026/Conference"  # of the pages
LEVELS = 10
PAPERS = 40


def fill(folder: Path, page: str) -> None:
    """Put everything there that the page may assume: the examples, and what readers bring along."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name, content in YOURS.get(page, {}).items():
        (folder / name).write_bytes(_content(content))


def _content(what: str) -> bytes:
    """A file that stands in for a reader's own: an example, a sample of a platform, or one of the tables below."""
    if what.startswith("examples/"):
        return (ROOT / what).read_bytes()
    if what == "easychair zip":
        archive = BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("review.csv", SAMPLES["easychair csv"].data)
        return archive.getvalue()
    return SAMPLES[what].data if what in SAMPLES else TABLES[what]().write_csv().encode()


def _workshop(change: Callable[[pl.Expr], pl.Expr]) -> pl.DataFrame:
    """The example with its predictions written in another way."""
    return pl.read_csv(ROOT / WORKSHOP).with_columns(change(pl.col(name)) for name in ("p_reject", "p_accept"))


def _four_grades() -> pl.DataFrame:
    grades = pl.read_csv(ROOT / "examples" / "questionnaire.csv", separator=";")
    names = ["paper", "reviewer", "rating", "p_reject", "p_weak reject", "p_weak accept", "p_accept"]
    grades.columns = names
    return grades.with_columns(pl.col("rating").str.to_lowercase(), *(pl.col(name) / 20 for name in names[3:]))


def ten_levels() -> pl.DataFrame:
    """Ratings from 1 to 10 and the shares that reviewers predict, in whole percents that sum to 1."""
    rng = np.random.default_rng(7)
    paper = np.repeat(np.arange(1, PAPERS + 1), 4)
    merit = rng.normal(5.5, 1.5, PAPERS)[paper - 1]
    rating = np.clip(np.rint(merit + rng.normal(0, 1.2, len(paper))), 1, LEVELS).astype(int)
    distance = np.abs(np.arange(1, LEVELS + 1) - (0.7 * merit + 0.3 * rating)[:, None])
    weight = np.exp(-(distance**2) / 4)
    shares = np.floor(100 * weight / weight.sum(axis=1, keepdims=True)).astype(int)
    shares[np.arange(len(paper)), rating - 1] += 100 - shares.sum(axis=1)
    columns = {f"p_{level}": shares[:, level - 1] / 100 for level in range(1, LEVELS + 1)}
    reviewer = [f"R{number}" for number in np.tile(np.arange(1, 5), PAPERS)]
    return pl.DataFrame({"paper": paper, "reviewer": reviewer, "rating": rating, **columns})


def expected_rating(ten: pl.DataFrame) -> pl.Series:
    return sum(
        (ten[f"p_{level}"] * level for level in range(1, LEVELS + 1)), start=pl.zeros(len(ten), eager=True)
    ).round(1)


TABLES: dict[str, Callable[[], pl.DataFrame]] = {
    "percentages": lambda: _workshop(lambda share: share * 100),
    "counts": lambda: _workshop(lambda share: (share * 20).round().cast(pl.Int64)),
    "four grades": _four_grades,
    "ten levels": ten_levels,
    "highest level": lambda: ten_levels().select("paper", "reviewer", "rating", "p_10"),
    "expected ratings": lambda: ten_levels().select(
        "paper", "reviewer", "rating", expected=expected_rating(ten_levels())
    ),
}


class Client:
    """What pages ask of openreview-py's client: the example's submissions, and a place for what is posted."""

    def __init__(self) -> None:
        self.posted: list[dict[str, object]] = []

    def get_all_notes(self, invitation: str, details: str) -> list[SimpleNamespace]:
        assert (invitation, details) == (f"{VENUE}/-/Submission", "directReplies")
        notes = json.loads((ROOT / "examples" / "openreview-notes.json").read_text())["notes"]
        return [SimpleNamespace(**note) for note in notes]

    def post_note_edit(self, **edit: object) -> None:
        assert edit["invitation"]
        self.posted.append(edit)
