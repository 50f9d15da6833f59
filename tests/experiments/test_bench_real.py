"""Real votes with known truth: reading them, drawing panels, the area under the curve."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from surpeer.errors import InputError
from surpeer.experiments.bench import figures as drawing
from surpeer.experiments.bench.panels import (
    SIZES,
    PanelJob,
    _draw_rows,
    area_under_curve,
    panel_jobs,
    real_table,
    run_panels,
)
from surpeer.experiments.bench.real_text import real_section
from surpeer.experiments.bench.studies import FILES, Study, read_studies, read_study
from surpeer.scores import METHODS, score

Write = Callable[[str, str | bytes], Path]

GOOD = "state,subject,meta,own,actual\nB,1,0.6,0,1\nA,1,,1,0\nB,2,1,1,1\nA,2,0.25,0,0\n"


def made_up_study(items: int = 12, people: int = 20) -> Study:
    rng = np.random.default_rng(4)
    truth = np.arange(items) % 2 == 0
    item = np.repeat(np.arange(items), people)
    vote = (rng.random(len(item)) < np.where(truth[item], 0.65, 0.45)).astype(np.int64)
    return Study("made", item, vote, rng.uniform(0.3, 0.7, len(item)), truth)


def test_a_study_is_read(write: Write) -> None:
    study = read_study(write("study.csv", GOOD), "state")
    assert study.name == "study"
    assert study.item.tolist() == [0, 0, 1, 1]
    assert study.vote.tolist() == [1, 0, 0, 1]
    np.testing.assert_array_equal(study.forecast, [np.nan, 0.25, 0.6, 1])
    assert study.truth.tolist() == [False, True]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD.replace("own", "mine"), 'no column "own", expected state, own, meta, actual'),
        (GOOD.replace("state", "State"), 'no column "state", expected state, own, meta, actual'),
        (GOOD.replace("B,2,1,1,1", "B,2,1,2,1"), 'row 4, column own: found "2", expected 0 or 1'),
        (GOOD.replace("B,2,1,1,1", "B,2,1,,1"), "row 4, column own: found an empty cell, expected 0 or 1"),
        (GOOD.replace("0.25", "25"), 'row 5, column meta: found "25", expected a share from 0 to 1, or nothing'),
        (GOOD.replace("0.25", "nan"), 'row 5, column meta: found "nan", expected a share from 0 to 1, or nothing'),
        (GOOD.replace("0.25", "x"), 'row 5, column meta: found "x", expected a share from 0 to 1, or nothing'),
        (GOOD.replace("A,1,,1,0", "A,1,,1,yes"), 'row 3, column actual: found "yes", expected 0 or 1'),
        (GOOD.replace("B,1", " ,1"), "row 2, column state: found an empty cell, expected the name of an item"),
        (GOOD.replace("B,2,1,1,1", "B,2,1,1,0"), 'item "B" has both 0 and 1 in the column actual, expected one truth'),
        (GOOD.replace("1\n", "0\n"), "found 2 items with the truth 0 and none with 1, expected some of both, which"),
        ("state,own,meta,actual\nA,1,0.5,1\n", "found 1 item with the truth 1 and none with 0, expected some of both"),
        ("state,own,meta,actual\n", "found 0 items with the truth 0 and none with 1, expected some of both"),
        ("", "cannot be read as CSV: "),
        (b"state,own\n\xff\xfe,1\n", "cannot be read as CSV: "),
    ],
)
def test_files_that_cannot_be_used(write: Write, content: str | bytes, message: str) -> None:
    path = write("study.csv", content)
    with pytest.raises(InputError, match=re.escape(f"{path}: {message}")):
        read_study(path, "state")


def test_folders_that_cannot_be_used(write: Write, tmp_path: Path) -> None:
    listed = "study1a.csv, study2.csv, study4b.csv"
    file = write("study1a.csv", GOOD)
    with pytest.raises(InputError, match=re.escape(f"{file}: found a file, expected a folder with {listed}")):
        read_studies(file)
    nowhere = tmp_path / "nowhere"
    with pytest.raises(InputError, match=re.escape(f"{nowhere}: no such folder, expected a folder with {listed}")):
        read_studies(nowhere)
    with pytest.raises(InputError, match=re.escape(f"{tmp_path}: no study2.csv in it, expected the files {listed}")):
        read_studies(tmp_path)
    for name, item in FILES.items():
        write(name, GOOD.replace("state", item))
    assert [study.name for study in read_studies(tmp_path)] == ["study1a", "study2", "study4b"]


def test_panels_are_drawn_without_replacement_within_each_item() -> None:
    item = np.array([0, 0, 0, 0, 0, 1, 1, 2, 2, 2])
    seen = np.zeros(len(item))
    for seed in range(600):
        rows = _draw_rows(np.random.default_rng(seed), item, 2)
        assert len(set(rows.tolist())) == len(rows) == 6
        assert np.bincount(item[rows]).tolist() == [2, 2, 2]
        seen[rows] += 1
    np.testing.assert_allclose(seen / 600, [0.4] * 5 + [1] * 2 + [2 / 3] * 3, atol=0.07)
    assert len(_draw_rows(np.random.default_rng(1), item, 4)) == 4 + 2 + 3  # all, where there are fewer
    assert _draw_rows(np.random.default_rng(1), item, None).tolist() == list(range(10))


def test_the_area_under_the_curve_by_hand() -> None:
    study = Study(
        "made",
        np.array([0, 0, 1, 1, 2, 2, 3]),
        np.array([1, 1, 0, 1, 0, 1, 0]),
        np.full(7, 0.5),
        np.array([1, 1, 0, 0]) == 1,
    )
    from surpeer.experiments.bench.panels import _matrices

    scores = score(_matrices(study, np.arange(7)), "mean")  # true: 1, 1/2; false: 1/2, 0
    assert area_under_curve(scores, study.truth) == pytest.approx((1 + 1 + 0.5 + 1) / 4)


def test_a_run_of_panels() -> None:
    study = made_up_study()
    jobs = panel_jobs([study], 5)
    assert [(job.people, job.panels) for job in jobs] == [(None, 1), *((size, 5) for size in SIZES)]
    rows = run_panels(jobs[1], 3)
    found = real_table([*run_panels(jobs[0], 3), *rows])
    assert rows == run_panels(jobs[1], 3)
    assert rows != run_panels(jobs[1], 4)
    assert found["method"].to_list() == 2 * list(METHODS)
    assert found["people"].to_list() == len(METHODS) * ["all"] + len(METHODS) * ["4"]
    crowd, panels = found.filter(pl.col("people") == "all"), found.filter(pl.col("people") == "4")
    assert crowd["standard_error"].null_count() == len(METHODS)
    assert (panels["standard_error"] > 0).all()
    best = max(panels.filter(pl.col("method").is_in(["mean", "surprisal"]))["auc"])
    np.testing.assert_allclose(panels["above_rivals"], panels["auc"] - best, atol=1e-12)
    page = real_section(found, "sp")
    assert "made, all people" in page
    assert "mean of 5 random ones" in page
    assert drawing.as_png(drawing.real_figure(found)).startswith(b"\x89PNG")


def test_whole_panels_are_the_crowd() -> None:
    study = made_up_study(people=4)
    crowd, panels = (real_table(run_panels(PanelJob(study, people, 3), 1)) for people in (None, 4))
    np.testing.assert_allclose(crowd["auc"], panels["auc"])
    assert (panels["standard_error"] < 1e-12).all()


@pytest.mark.shared_data
def test_the_real_studies_are_read(shared_data: Path) -> None:
    studies = read_studies(shared_data / "prelec2017")
    assert [(study.name, len(study.truth), len(study.vote)) for study in studies] == [
        ("study1a", 50, 2544),
        ("study2", 80, 3119),
        ("study4b", 90, 1790),
    ]
    rows = real_table(run_panels(PanelJob(studies[0], None, 1), 1))
    assert rows.filter(pl.col("method") == "mean")["auc"].item() == pytest.approx(0.84135, abs=1e-4)
