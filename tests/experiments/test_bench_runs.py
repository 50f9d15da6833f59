"""The accuracy benchmark: its grid, its runs, its targets and its page."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from surpeer.errors import SurpeerError, UnknownName
from surpeer.experiments.bench import FULL, QUICK, AccuracyBenchmark, Cell, Grid
from surpeer.experiments.bench import figures as drawing
from surpeer.experiments.bench.benchmark import PAGE
from surpeer.experiments.bench.cells import SCHEMA, accuracy_table, run_cell
from surpeer.experiments.bench.gaps import gap_table
from surpeer.experiments.bench.grid import generator
from surpeer.experiments.bench.heat_map import shade
from surpeer.experiments.bench.markup import Entry, table
from surpeer.experiments.bench.page import summary_page
from surpeer.experiments.bench.reliability import SCHEMA as RELIABILITY
from surpeer.experiments.bench.targets import Target, below_mean, by_chance, real_targets, simulated_targets
from surpeer.experiments.bench.workers import available_processors, run_jobs
from surpeer.scores import METHODS

TINY = Grid("tiny", (2, 5), ("3", "mixed"), ("ordered",), ("any",), ("truthful", "flat"), {12: 3, 30: 1}, 3)


def test_the_full_grid_is_the_agreed_one() -> None:
    cells = list(FULL.cells())
    assert len(cells) == len(set(cells)) == 3 * 5 * 2 * 4 * 6 * 3
    assert {cell.levels for cell in cells} == {2, 5, 10}
    assert {cell.reviewers for cell in cells} == {"3", "4", "6", "10", "mixed"}
    assert {cell.forecasts for cell in cells} == {"truthful", "noisy", "very noisy", "flat", "agree", "missing"}
    assert {cell.bias for cell in cells} == {"extreme", "any", "diffuse", "none"}
    assert {cell.papers for cell in cells} == {50, 500, 5000}
    held_out = [cell for cell in cells if cell.held_out]
    assert len(held_out) == len(cells) // 5 + len(cells) // 3 // 4 * 4 // 5
    assert all(cell.reviewers == "10" or (cell.levels, cell.bias) == (5, "any") for cell in held_out)
    assert set(QUICK.cells()) < set(cells)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reviewers": "5"}, 'unknown number of reviewers "5"; known: 3, 4, 6, 10, mixed'),
        ({"prior": "ordred"}, 'unknown prior "ordred"; did you mean "ordered"?; known: dirichlet, ordered'),
        ({"bias": "x"}, 'unknown bias "x"; known: extreme, any, diffuse, none'),
        ({"forecasts": "lazy"}, 'unknown kind of forecasts "lazy"; known: truthful, noisy, very noisy'),
    ],
)
def test_cells_that_cannot_be(change: dict[str, str], message: str) -> None:
    with pytest.raises(UnknownName, match=re.escape(message)):
        replace(Cell(5, "4", "ordered", "any", "flat", 50), **change)


def test_random_numbers_depend_on_seed_name_and_position_alone() -> None:
    first = generator(1, "a cell", 0).random(3)
    np.testing.assert_array_equal(first, generator(1, "a cell", 0).random(3))
    for other in (generator(2, "a cell", 0), generator(1, "b cell", 0), generator(1, "a cell", 1)):
        assert not np.array_equal(first, other.random(3))


def test_a_cell_by_every_method() -> None:
    cell = Cell(2, "6", "dirichlet", "extreme", "truthful", 200)
    result = run_cell(cell, 2, 1)
    found = accuracy_table([result])
    assert found.columns == list(SCHEMA)
    assert found["method"].to_list() == [*METHODS, "oracle"]
    rows = {row["method"]: row for row in found.iter_rows(named=True)}
    mean, oracle = rows["mean"], rows["oracle"]
    assert (mean["above_mean"], mean["above_mean_error"]) == (0, 0)
    assert (oracle["below_oracle"], oracle["below_oracle_error"]) == (0, 0)
    assert mean["accuracy"] < rows["surprisal"]["accuracy"] < oracle["accuracy"]
    for row in rows.values():
        assert row["above_mean"] == pytest.approx(row["accuracy"] - mean["accuracy"])
        assert row["below_oracle"] == pytest.approx(oracle["accuracy"] - row["accuracy"])
        assert 0.005 < row["standard_error"] < 0.03
        assert 0.25 < row["top_quarter"] < 0.9
        assert 0 < row["defined"] <= 1
    assert oracle["top_quarter"] > mean["top_quarter"]
    assert result.rows == run_cell(cell, 2, 1).rows
    assert result.rows != run_cell(cell, 2, 2).rows
    fewer = accuracy_table([run_cell(cell, 1, 1)])["accuracy"].to_numpy()
    assert not np.allclose(fewer, found["accuracy"].to_numpy())


def test_flat_forecasts_leave_the_papers_own_score_at_the_mean() -> None:
    """Everyone predicts the same, so the determinant is zero and every comparison falls back."""
    found = accuracy_table([run_cell(Cell(2, "4", "ordered", "extreme", "flat", 100), 1, 1)])
    surprisal = found.filter(pl.col("method") == "surprisal").row(0, named=True)
    assert surprisal["defined"] < 1
    assert surprisal["above_mean"] == 0


@pytest.fixture(scope="module")
def tiny() -> tuple[AccuracyBenchmark, dict[str, bytes]]:
    run = AccuracyBenchmark(TINY, 7)
    return run, run.run()


def test_a_run_makes_its_files(tiny: tuple[AccuracyBenchmark, dict[str, bytes]]) -> None:
    run, made = tiny
    assert list(made) == run.files == ["accuracy.csv", "reliability.csv", PAGE]
    accuracy = run.tables["accuracy"]
    assert accuracy.height == 2 * 2 * 2 * 2 * (len(METHODS) + 1)
    assert accuracy.n_unique(["K", "reviewers", "prior", "bias", "forecasts", "papers", "method"]) == accuracy.height
    assert accuracy.filter(pl.col("K") == 5)["held_out"].all()
    assert not accuracy.filter(pl.col("K") == 2)["held_out"].any()
    back = pl.read_csv(made["accuracy.csv"], schema=SCHEMA)
    assert back.equals(accuracy)
    assert pl.read_csv(made["reliability.csv"], schema=RELIABILITY).equals(run.tables["reliability"])


def test_the_number_of_workers_and_the_order_of_cells_change_nothing(
    tiny: tuple[AccuracyBenchmark, dict[str, bytes]],
) -> None:
    run, made = tiny
    again = AccuracyBenchmark(TINY, 7)
    words: list[str] = []
    assert again.run(2, words.append) == made
    assert len(words) == again.steps == 17
    turned = AccuracyBenchmark(replace(TINY, levels=(5, 2), forecasts=("flat", "truthful"), venues={30: 1, 12: 3}), 7)
    turned.run()
    order = ["K", "reviewers", "forecasts", "papers", "method"]
    assert turned.tables["accuracy"].sort(order).equals(run.tables["accuracy"].sort(order))
    assert AccuracyBenchmark(TINY, 8).run()["accuracy.csv"] != made["accuracy.csv"]


def test_stated_probabilities_are_counted(tiny: tuple[AccuracyBenchmark, dict[str, bytes]]) -> None:
    found = tiny[0].tables["reliability"]
    per_cell = 3 * (12 * 11 // 2) + 30 * 29 // 2
    for (_, _, method), part in found.group_by("K", "forecasts", "method"):
        assert method in METHODS
        assert part["pairs"].sum() == 2 * per_cell
        assert ((part["stated"] >= part["at_least"]) & (part["stated"] <= part["below"])).all()


class _Loads(HTMLParser):
    """Everything that a page would fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [f"{tag} {name}={value}" for name, value in attrs if name in ("src", "href", "srcset", "data")]
        if tag in ("script", "link", "iframe", "img", "object", "embed"):
            self.found.append(tag)
        if tag not in ("meta", "i") and tag not in ("br",):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "i":
            assert self.open.pop() == tag


def test_the_page_loads_nothing_and_is_closed(tiny: tuple[AccuracyBenchmark, dict[str, bytes]]) -> None:
    page = tiny[1][PAGE].decode()
    reader = _Loads()
    reader.feed(page)
    assert reader.found == []
    assert reader.open == []
    assert "http" not in page
    assert "url(" not in page
    assert "@import" not in page
    for words in (
        "tiny grid, seed 7",
        "held-out cells",
        "Not run. Ask the authors",
        "chance alone",
        "truthful forecasts",
    ):
        assert words in page
    for method in METHODS:
        assert f">{method}" in page


def made_up(rows: list[dict[str, object]]) -> pl.DataFrame:
    plain = {
        "K": 2, "reviewers": "3", "prior": "ordered", "bias": "none", "forecasts": "truthful", "papers": 50,
        "held_out": False, "method": "venue", "accuracy": 0.7, "standard_error": 0.01, "above_mean": 0.02,
        "above_mean_error": 0.005, "top_quarter": 0.5, "defined": 1.0, "below_oracle": 0.004, "below_oracle_error": 0.001,
    }  # fmt: skip
    return pl.DataFrame([{**plain, **row} for row in rows], schema=SCHEMA)


def test_targets_reached_and_missed() -> None:
    good = made_up([{}, {"forecasts": "noisy", "below_oracle": 0.013}, {"below_oracle": 0.01}])
    assert [target.reached for target in simulated_targets(good, "venue")] == [True] * 4
    bad = made_up(
        [
            {"below_oracle": 0.0202, "above_mean": -0.011, "below_oracle_error": 0.003},
            {"above_mean": -0.01},  # two errors exactly: not more
            {"forecasts": "noisy", "below_oracle": 0.0131},
            {"method": "mean", "above_mean": -0.5},
        ]
    )
    never, average, worst, noisy = simulated_targets(bad, "venue")
    assert not any(target.reached for target in (never, average, worst, noisy))
    assert never.found == (
        "1 of 3 cells, where chance alone would put 0.1 if both were equally good; worst -1.10 points"
    )
    assert (average.found, worst.found) == ("1.21 points", "2.02 points (standard error 0.30)")
    assert noisy.demand == "noisy forecasts: within 1.3 points of the oracle on average"
    assert [target.reached for target in simulated_targets(bad.clear(), "venue")] == [None] * 4
    assert below_mean(bad, "venue").select("above_mean", "errors").rows() == [(-0.011, pytest.approx(-2.2))]


def test_cells_without_any_difference_are_not_there_by_chance() -> None:
    cells = made_up([{"above_mean": 0.0, "above_mean_error": 0.0}] * 900 + [{}] * 100)
    assert by_chance(cells) == pytest.approx(100 * 0.02275013)
    assert below_mean(cells, "venue").is_empty()


def test_real_targets() -> None:
    assert [target.reached for target in real_targets(None, "venue")] == [None, None]

    def judge(above: list[float]) -> list[Target]:
        columns = {
            "study": "made",
            "method": "venue",
            "people": "4",
            "above_rivals": above,
            "above_rivals_error": 0.002,
        }
        crowd = {"study": "made", "method": "venue", "people": "all", "above_rivals": -0.3, "above_rivals_error": None}
        real = pl.concat(
            [pl.DataFrame(columns), pl.DataFrame(crowd, schema_overrides={"above_rivals_error": pl.Float64})]
        )
        return real_targets(real, "venue")

    assert [target.reached for target in judge([-0.005, 0.005])] == [True, True]
    everywhere, somewhere = judge([0.003, -0.0051])
    assert not everywhere.reached
    assert everywhere.found == "worst -0.51 points (standard error 0.20): made, 4 people"
    assert not somewhere.reached
    assert somewhere.found == "beyond 2 standard errors in 0 of 2"


def test_gaps_are_averages_and_worst_cells_in_points() -> None:
    cells = made_up([{}, {"below_oracle": 0.01, "above_mean": -0.01}, {"method": "sp", "below_oracle": 0.1}])
    found = gap_table(cells, "method")
    assert found.columns == ["method", "below_oracle", "worst_below_oracle", "above_mean", "worst_above_mean"]
    assert found.row(0) == ("venue", pytest.approx(0.7), pytest.approx(1), pytest.approx(0.5), pytest.approx(-1))


def test_the_page_shows_where_a_method_loses() -> None:
    cells = made_up([{"above_mean": -0.02, "bias": "extreme"}, {"above_mean": 0.0, "above_mean_error": 0.0}])
    with_others = pl.concat(
        [cells, cells.with_columns(method=pl.lit("mean")), cells.with_columns(method=pl.lit("oracle"))]
    )
    page = summary_page({"accuracy": with_others, "reliability": pl.DataFrame(schema=RELIABILITY)}, TINY, 1, "venue")
    assert page.count("NOT reached") == 1
    assert '<td class="below" title="-2.00 points, standard error 0.50">−4</td>' in page
    assert '<td class="level" title="+0.00 points, standard error 0.00">=</td>' in page
    assert "K=2, 3 reviewers, ordered, bias extreme, truthful" in page
    assert "No registered method states a standard error." in page
    assert [shade(errors) for errors in (-2.1, -2, 0, 2, 2.1, 10, 10.1)] == [
        "below", "level", "level", "level", "above", "above", "far",
    ]  # fmt: skip


def test_markup_is_escaped() -> None:
    made = table(["<a>"], [["<b>", Entry("<c>", "k", '"d"', 2.0)]], groups=[("<e>", 2)])
    assert "<a>" not in made
    assert '<td class="k" title="&quot;d&quot;">&lt;c&gt;<i style="width:100.0%"></i></td>' in made
    assert '<th scope="colgroup" colspan="2">&lt;e&gt;</th>' in made


def test_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= available_processors() <= (os.cpu_count() or 1)
    assert list(run_jobs(abs, [-1, 2], 1)) == [1, 2]
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("POLARS_MAX_THREADS", "3")
    assert list(run_jobs(os.getenv, ["OMP_NUM_THREADS", "POLARS_MAX_THREADS", "HOMELESS"], 2)) == ["1", "3", None]
    assert "OMP_NUM_THREADS" not in os.environ
    assert os.environ["POLARS_MAX_THREADS"] == "3"


def test_a_worker_that_is_ended_from_outside() -> None:
    with pytest.raises(SurpeerError, match="a worker process was ended from outside, perhaps for lack of memory; try"):
        list(run_jobs(os._exit, [1, 2], 2))


def test_pictures_show_the_tables(tiny: tuple[AccuracyBenchmark, dict[str, bytes]]) -> None:
    accuracy = tiny[0].tables["accuracy"]
    axes = drawing.gap_figure(accuracy).axes[0]
    here = accuracy.filter((pl.col("forecasts") == "truthful") & (pl.col("method") == next(iter(METHODS))))
    np.testing.assert_allclose(axes.lines[0].get_ydata(), 100 * here["below_oracle"].to_numpy())
    np.testing.assert_allclose(axes.lines[1].get_ydata(), 100 * here["below_oracle"].mean())
    line = drawing.above_mean_figure(accuracy, "sp").axes[0].lines[0]
    assert len(line.get_ydata()) == 8
    assert (np.diff(line.get_ydata()) >= 0).all()
    empty = pl.DataFrame(schema=RELIABILITY)
    assert drawing.as_svg(drawing.reliability_figure(empty)).startswith(b"<?xml")
    assert drawing.as_svg(drawing.gap_figure(accuracy)) == drawing.as_svg(drawing.gap_figure(accuracy))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are looked up in /proc")
def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    """Also when it is killed and cannot say so."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, sys, time\n"
        "from surpeer.experiments.bench.workers import run_jobs\n"
        "def job(folder):\n"
        "    open(os.path.join(folder, str(os.getpid())), 'w').close()\n"
        "    time.sleep(60)\n"
        "if __name__ == '__main__':\n"
        "    list(run_jobs(job, [sys.argv[1]] * 2, 2))\n"
    )
    seen = tmp_path / "seen"
    seen.mkdir()
    parent = subprocess.Popen([sys.executable, script, seen])
    try:
        assert _within(30, lambda: len(list(seen.iterdir())) == 2)
    finally:
        parent.kill()
        parent.wait()
    workers = [int(path.name) for path in seen.iterdir()]
    assert _within(10, lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


def _within(seconds: float, happened: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if happened():
            return True
        time.sleep(0.1)
    return False
