"""The tables, pictures and text of `surpeer reproduce`."""

import io
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from conftest import ROOT
from matplotlib.figure import Figure
from typer.testing import CliRunner, Result

from surpeer.cli.commands import app
from surpeer.cli.failure import STOPPED
from surpeer.experiments import METHODS, accuracy, figures
from surpeer.experiments.contours import contour_table
from surpeer.experiments.curves import accuracy_table
from surpeer.experiments.examples import example_table
from surpeer.experiments.figures import accuracy_figure
from surpeer.experiments.reproduction import PAGE, Reproduction
from surpeer.experiments.reproduction_text import reproduction_text
from surpeer.experiments.settings import BIASES, FULL, QUICK, Effort
from surpeer.experiments.statements import BEATS_MEAN, statement_table
from surpeer.experiments.theorems import theorem_table

Cli = Callable[..., Result]
FIGURES = {"accuracy-opposite", "accuracy-same", "sp-opposite", "sp-same", "contours", "states", "examples", "bounds"}


FEW_PAIRS = replace(FULL, pairs=QUICK.pairs, pairs_general=QUICK.pairs_general)
"""Everything that a full run has, but for the number of paper pairs that are sampled, which takes nearly all its time."""

FROM_SAMPLES = re.compile(
    r"(within |within 2 at |largest standard error is |\| general \| sampled, .* \| )[\d.]+"
    r"(?= standard errors of the exact one|% of the points|\.\n| \|\n)"
)
"""The four numbers of the page that come from samples, and what is before them."""


@pytest.fixture(
    scope="module", params=[FEW_PAIRS, pytest.param(FULL, marks=pytest.mark.slow)], ids=["few pairs", "full"]
)
def effort(request: pytest.FixtureRequest) -> Effort:
    chosen: Effort = request.param
    return chosen


@pytest.fixture(scope="module")
def full(effort: Effort) -> dict[str, bytes]:
    """All files of a full run but the pictures."""
    run = Reproduction(effort)
    made = {step.file: step.make() for step in run.steps()}
    assert b"![" not in made[PAGE]
    return made | {PAGE: reproduction_text(run.tables, FULL).encode()}


@pytest.fixture(scope="module")
def tables(full: dict[str, bytes]) -> dict[str, pl.DataFrame]:
    return {name: pl.read_csv(io.BytesIO(content)) for name, content in full.items() if name.endswith(".csv")}


def test_the_output_contract(tables: dict[str, pl.DataFrame]) -> None:
    table = tables["accuracy.csv"]
    assert table.columns == ["bias", "n", "prior", "lambda_a", "lambda_b", "method", "accuracy"]
    assert table.height == 2 * 2 * 3 * 3 * 100 * 5
    assert table.n_unique(table.columns[:-1]) == table.height
    assert set(table["bias"]) == {"opposite", "same"}
    assert set(table["prior"]) == {"0.5,0.5", "1,1", "3,3"}
    assert set(table["method"]) == {"mean", "surprisal", "sp", "sp_infinite", "oracle"}
    np.testing.assert_allclose(sorted(set(table["lambda_b"])), np.arange(100) / 100)
    assert sorted(set(table["lambda_a"])) == [0, 0.3, 0.6]


def test_every_number_is_the_functions(tables: dict[str, pl.DataFrame]) -> None:
    """At full precision: what is read back is the float that was computed."""
    for row in tables["accuracy.csv"].sample(300, seed=1).iter_rows(named=True):
        a, b = (float(number) for number in row["prior"].split(","))
        bias_a, bias_b = BIASES[row["bias"]]
        n = row["n"]
        found = accuracy(n, n, (a, b), row["lambda_a"], row["lambda_b"], bias_a, bias_b, row["method"])
        assert row["accuracy"] == pytest.approx(found, abs=2e-16)


def test_jumps_on_the_grid_are_in_the_curves(tables: dict[str, pl.DataFrame]) -> None:
    curve = ["bias", "n", "prior", "lambda_a", "method", "lambda_b"]
    joined = tables["jumps.csv"].join(tables["accuracy.csv"], on=curve)
    assert joined.height > 100
    assert (joined["at"] - joined["accuracy"]).abs().max() < 1e-14


def test_bounds_hold_and_say_something(tables: dict[str, pl.DataFrame]) -> None:
    bounds = tables["bounds.csv"]
    assert bounds["holds"].all()
    for theorem, levels in (("binary", {2}), ("general", {3, 4})):
        part = bounds.filter(pl.col("theorem") == theorem)
        assert set(part["levels"]) == levels
        useful = part.filter((pl.col("bound") < 1) & (pl.col("error") > 0.001))
        assert useful.height > 30
        assert (useful["error"] <= useful["bound"] + 4 * useful["standard_error"]).all()
    assert (bounds.filter(pl.col("theorem") == "binary")["standard_error"] == 0).all()


def test_a_bound_that_is_too_small_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from surpeer.experiments import bound_checks

    plain = bound_checks.error_bound_binary
    monkeypatch.setattr(bound_checks, "error_bound_binary", lambda *setting: plain(*setting) / 10)
    assert not bound_checks._binary_table()["holds"].all()


def test_a_sampled_error_above_its_bound_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from surpeer.experiments import bound_checks

    plain = bound_checks.error_bound_general
    monkeypatch.setattr(bound_checks, "error_bound_general", lambda *setting: plain(*setting) / 30)
    assert not bound_checks._general_table(QUICK, np.random.default_rng(1))["holds"].all()


def test_theorems_hold(tables: dict[str, pl.DataFrame]) -> None:
    table = tables["theorems.csv"]
    assert table["holds"].all()
    for words in ("Theorem 1: invariance", "Corollary 1", "Theorem 4: invariant to any", "1 / q - 1", "identified"):
        assert set(table.filter(pl.col("statement").str.contains(words, literal=True))["levels"]) == {2, 3, 4, 5}


def test_a_wrong_theorem_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the division, invariance and comparison fail and nothing else does."""
    from surpeer.core import surprisal

    monkeypatch.setattr(surprisal, "noise_scale", lambda U: np.ones(U.shape[:-2]))
    table = theorem_table(np.random.default_rng(1))
    failed = set(table.filter(~pl.col("holds"))["statement"])
    assert failed == {"Theorem 1: invariance", "Corollary 1: comparison through two noises"}


def test_examples_are_the_papers_but_for_the_misprint() -> None:
    table = example_table()
    wrong = table.filter(pl.col("agrees") == "no")
    assert wrong.select("place", "quantity").rows() == [("Appendix A, noisy", "P10"), ("Appendix A, noisy", "P11")]
    assert (table["agrees"] == "yes").sum() == 32


def test_contours_are_undefined_where_they_should_be() -> None:
    table = contour_table(QUICK)
    incoherent = (
        (pl.col("accepting_predict") <= pl.col("rejecting_predict"))
        | (pl.col("rejecting_predict") == 0)
        | (pl.col("accepting_predict") == 1)
    )
    assert table.filter(incoherent)["score"].is_null().all()
    assert set(table.filter(incoherent)["status"]) == {"incoherent"}
    defined = table.filter(~incoherent)
    assert set(defined["status"]) == {"finite"}
    row = defined.filter(
        (pl.col("accepts") == 2) & (pl.col("rejecting_predict") == 0.4) & (pl.col("accepting_predict") == 0.65)
    )
    q1 = 0.4 / 0.75
    assert row["score"].item() == pytest.approx((2 / 3 - q1) / (q1 * (1 - q1) * 0.25) ** 0.5)


def test_statements_are_read_from_the_curves() -> None:
    """A curve that is moved below the mean is counted, and is the worst point."""
    table = accuracy_table(QUICK)
    target = (
        (pl.col("bias") == "opposite") & (pl.col("n") == 5) & (pl.col("prior") == "1,1")
        & (pl.col("lambda_a") == 0.3) & (pl.col("lambda_b") == 0.4) & (pl.col("method") == "surprisal")
    )  # fmt: skip
    changed = table.with_columns(accuracy=pl.when(target).then(0.1).otherwise(pl.col("accuracy")))
    found = statement_table(changed, QUICK).filter(
        (pl.col("statement") == BEATS_MEAN) & (pl.col("part") == "opposite bias, n = 5")
    )
    assert found["against"].item() == 1
    assert found["worst_at"].item() == "opposite, n=5, Beta(1,1), lambda_a=0.3, lambda_b=0.4"


def test_the_reading_of_the_paper(tables: dict[str, pl.DataFrame]) -> None:
    totals = tables["statements.csv"].group_by("statement").agg(pl.col("points", "against").sum())
    against = {row["statement"]: (row["against"], row["points"]) for row in totals.to_dicts()}
    assert against == {
        "surprisal outperforms or equals the baseline in all cases": (54, 3600),
        "the same, with lambda_a taking all the levels of lambda_b": (4628, 120_000),
        "the advantage is larger under opposite bias": (0, 1800),
        "the advantage is larger with more reviewers": (27, 1800),
        "within one percentage point of SP (prior known)": (2167, 3600),
        "within one percentage point of SP (unanimous at infinity)": (71, 3600),
        "both papers biased towards reject: the same as both towards accept": (0, 9000),
        "no method is above the oracle": (0, 14_400),
    }
    large = tables["large_panels.csv"].pivot(on="method", index=["bias", "n"], values="accuracy")
    opposite, most = large.filter(pl.col("bias") == "opposite"), large.filter(pl.col("n") == 300)
    assert opposite["mean"].is_sorted(descending=True)  # "under opposite biases the mean even gets worse"
    assert (most["surprisal"] > most["sp"] + 0.01).all()


def test_the_page_in_the_repository_is_current(full: dict[str, bytes], effort: Effort) -> None:
    there, made = (ROOT / "paper" / PAGE).read_text(), full[PAGE].decode()
    if effort is not FULL:
        assert len(FROM_SAMPLES.findall(there)) == len(FROM_SAMPLES.findall(made)) == 4
        there, made = (" ".join(FROM_SAMPLES.sub(r"\1?", page).split()) for page in (there, made))
    assert there == made, "run `make page`"
    shown = set(re.findall(r"\(figures/([\w-]+)\.svg\)", full[PAGE].decode()))
    assert shown == FIGURES
    assert {path.stem for path in (ROOT / "paper" / "figures").iterdir()} == FIGURES


def test_sampled_points_are_on_every_curve(tables: dict[str, pl.DataFrame]) -> None:
    sampled = tables["sampled.csv"]
    assert sampled.select("bias", "n", "prior", "lambda_a", "method").n_unique() == 2 * 2 * 3 * 3 * 5
    assert sampled["errors_apart"].abs().max() < 5


def one_panel(accuracy: pl.DataFrame, jumps: pl.DataFrame, bias: str, methods: tuple[str, ...]) -> Figure:
    """A picture of curves with one panel instead of eighteen, which take long to draw."""
    panel = (pl.col("n") == 3) & (pl.col("prior") == "1,1") & (pl.col("lambda_a") == 0.3)
    return accuracy_figure(accuracy.filter(panel), jumps.filter(panel), bias, methods)


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The folder of a quick run, and what the command said."""
    folder = tmp_path_factory.mktemp("quick") / "made" / "here"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "accuracy_figure", one_panel)
        return folder, CliRunner().invoke(app, ["reproduce", "--output", str(folder), "--quick"])


def test_quick_run(quick: tuple[Path, Result]) -> None:
    folder, result = quick
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""  # no progress bar in a pipe
    assert "fails at" in result.stdout
    assert f"begin with {folder / PAGE}" in result.stdout
    names = {path.name for path in folder.iterdir()}
    assert {"accuracy.csv", "bounds.csv", "figures", PAGE} <= names
    assert not [name for name in names if name.startswith(".")]
    pictures = list((folder / "figures").iterdir())
    assert {path.stem for path in pictures} == FIGURES
    for path in pictures:
        head = path.read_bytes()[:200]
        assert head.startswith(b"\x89PNG") if path.suffix == ".png" else b"<?xml" in head
    assert b"http" not in re.sub(rb"http://(www\.w3\.org|purl\.org|creativecommons\.org)", b"", b"".join(
        path.read_bytes() for path in pictures if path.suffix == ".svg"
    ))  # fmt: skip
    assert "--quick" in (folder / PAGE).read_text()
    table = pl.read_csv(folder / "accuracy.csv")
    assert table.height == 2 * 2 * 3 * 3 * 10 * 5


def test_another_run_replaces_its_files_and_no_others(surpeer: Cli, tmp_path: Path, quick: tuple[Path, Result]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "accuracy.csv").write_text("old")
    assert surpeer("reproduce", "-o", tmp_path, "--quick", "--no-figures").exit_code == 0
    assert (tmp_path / "notes.txt").read_text() == "mine"
    made = (tmp_path / "accuracy.csv").read_bytes()
    assert made.startswith(b"bias,n,prior")
    assert made == (quick[0] / "accuracy.csv").read_bytes()
    assert not (tmp_path / "figures").exists()


def test_same_run_same_pictures() -> None:
    runs = []
    for _ in range(2):
        table = accuracy_table(QUICK)
        jumps = Reproduction(QUICK)._table_makers()["jumps"]()
        runs.append(figures.as_svg(one_panel(table, jumps, "same", ("mean", "surprisal"))))
    assert runs[0] == runs[1]


def test_pictures_show_the_tables(tables: dict[str, pl.DataFrame]) -> None:
    """The line of a curve goes through its points and is broken at its jumps; dots are the isolated values."""
    drawing = figures.accuracy_figure(tables["accuracy.csv"], tables["jumps.csv"], "opposite", ("mean", "surprisal"))
    mean_line, _, surprisal_line, dots = drawing.axes[0].lines  # n = 3, Beta(0.5,0.5), lambda_a = 0
    here = (
        (pl.col("bias") == "opposite") & (pl.col("n") == 3) & (pl.col("prior") == "0.5,0.5") & (pl.col("lambda_a") == 0)
    )
    curves = tables["accuracy.csv"].filter(here)
    np.testing.assert_array_equal(mean_line.get_ydata(), curves.filter(pl.col("method") == "mean")["accuracy"])
    y = np.asarray(surprisal_line.get_ydata())
    gap = int(np.flatnonzero(np.isnan(y))[0])
    (jump,) = tables["jumps.csv"].filter(here & (pl.col("method") == "surprisal")).to_dicts()
    assert (y[gap - 1], y[gap + 1], dots.get_ydata()[0]) == (jump["before"], jump["after"], jump["at"])
    assert len(y) == 100 - 1 + 3
    contours = figures.contour_figure(contour_table(QUICK))
    assert contours.axes[0].get_xlabel() == "share of accepts that rejecting reviewers predict"
    plan = pl.DataFrame({"n": [1, 2], "method": "mean", "accuracy": [0.6, 0.7], "standard_error": 0.0})
    (line, wanted) = figures.plan_figure(plan, 0.65, "a venue").axes[0].lines
    np.testing.assert_array_equal(line.get_ydata(), [0.6, 0.7])
    assert list(wanted.get_ydata()) == [0.65, 0.65]


def test_pictures_do_not_depend_on_the_users_style() -> None:
    import matplotlib as mpl

    plain = figures.as_svg(figures.contour_figure(contour_table(QUICK)))
    with mpl.rc_context(
        {"savefig.bbox": "tight", "svg.fonttype": "none", "font.size": 20, "savefig.transparent": True}
    ):
        assert figures.as_svg(figures.contour_figure(contour_table(QUICK))) == plain


@pytest.mark.parametrize("place", ["file", "below a file"])
def test_a_folder_that_cannot_be_is_said_before_the_work(surpeer: Cli, tmp_path: Path, place: str) -> None:
    file = tmp_path / "taken"
    file.write_text("mine")
    result = surpeer("reproduce", "--output", file if place == "file" else file / "sub", "--quick")
    assert result.exit_code == 2
    expected = "found a file or a link to nothing, expected a folder" if place == "file" else "taken is a file"
    assert expected in result.stderr
    assert file.read_text() == "mine"


def test_stopped_by_the_user(surpeer: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from surpeer.experiments import reproduction

    def stop(*_: object) -> pl.DataFrame:
        raise KeyboardInterrupt

    monkeypatch.setattr(reproduction, "sampled_table", stop)
    result = surpeer("reproduce", "-o", tmp_path / "out", "--quick", "--no-figures")
    assert result.exit_code == 130
    assert result.stderr == f"{STOPPED}\n"
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib(tmp_path: Path) -> None:
    """In one process for all: most of a command's time is its start."""
    script = (
        "import os, sys; sys.modules['matplotlib'] = None\n"
        "from surpeer.cli.main import main\n"
        "for line in sys.stdin:\n"
        "    sys.argv = ['surpeer', *line.split()]\n"
        "    try:\n        main()\n"
        "    except SystemExit as end:\n"
        "        print('ended with', end.code or 0, sorted(os.listdir()), file=sys.stderr)\n"
    )
    commands = (
        "reproduce --output out --quick",
        "reproduce --output out --quick --no-figures",
        "plan --accuracy 0.7 -o plan.svg",
        "plan --accuracy 0.7 -o plan.csv",
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], input="\n".join(commands), capture_output=True, text=True, cwd=tmp_path
    )
    assert ran.returncode == 0
    refused, *others = re.split("(?<=\\])\n", ran.stderr.strip())
    assert refused == (
        "error: pictures need matplotlib, which is not installed: pip install 'surpeer[figures]', "
        "or leave them out with --no-figures\nended with 2 []"
    )
    ends = [re.findall(r"^ended with (\d) \[(.*)\]$", other, re.MULTILINE) for other in others]
    assert ends == [[("0", "'out'")], [("2", "'out'")], [("0", "'out', 'plan.csv'")]]


def test_methods_are_the_contracts() -> None:
    assert METHODS == ("mean", "surprisal", "sp", "sp_infinite", "oracle")
