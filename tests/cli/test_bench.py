"""`surpeer bench accuracy`."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner, Result

from surpeer.cli.bench import app
from surpeer.cli.failure import STOPPED
from surpeer.experiments.bench import grid
from surpeer.experiments.bench.studies import FILES
from surpeer.scores import METHODS

Bench = Callable[..., Result]

TINY = grid.Grid("tiny", (2,), ("3", "10"), ("dirichlet",), ("none",), ("truthful", "noisy"), {20: 2}, 2)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    """The command on a tiny grid, in this process."""
    monkeypatch.setattr(grid, "QUICK", TINY)

    def run(*arguments: object) -> Result:
        result = CliRunner().invoke(app, ["accuracy", "--quick", "--workers", "1", *(str(word) for word in arguments)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """Made-up votes in the form of the real ones."""
    folder, rng = tmp_path / "real", np.random.default_rng(1)
    folder.mkdir()
    for name, item in FILES.items():
        rows = [
            f"item {at},{int(rng.random() < 0.4 + 0.2 * (at % 2))},{rng.random():.2f},{at % 2}"
            for at in range(10)
            for _ in range(17)
        ]
        (folder / name).write_text("\n".join([f"{item},own,meta,actual", *rows]) + "\n")
    return folder


def test_everything_is_written(bench: Bench, tmp_path: Path, real: Path) -> None:
    out = tmp_path / "out"
    result = bench("--output", out, "--real", real)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    names = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    pictures = {"gap-to-oracle", "above-mean", "reliability", "real"}
    assert names == {
        "accuracy.csv", "reliability.csv", "real.csv", "summary.html",
        *(f"figures/{name}.{ending}" for name in pictures for ending in ("svg", "png")),
    }  # fmt: skip
    accuracy = pl.read_csv(out / "accuracy.csv")
    assert accuracy.height == 4 * (len(METHODS) + 1)
    assert accuracy["held_out"].sum() == accuracy.height // 2
    assert pl.read_csv(out / "real.csv").height == 3 * 4 * len(METHODS)
    lines = result.stdout.splitlines()
    assert lines[0] == "Points of pairwise accuracy below the best possible, on average, by kind of predictions:"
    assert lines[1].split() == ["method", "truthful", "noisy"]
    for line, method in zip(lines[2:], [*METHODS, "oracle"], strict=False):
        gaps = accuracy.filter(pl.col("method") == method).group_by("forecasts", maintain_order=True)
        expected = [f"{100 * gap:.2f}" for gap in gaps.agg(pl.col("below_oracle").mean())["below_oracle"]]
        assert line.split() == [method, *expected]
    assert lines[-1] == f"12 files are in {out}; begin with {out / 'summary.html'}"
    svg = b"".join(path.read_bytes() for path in out.glob("figures/*.svg"))
    assert b"http" not in re.sub(rb"http://(www\.w3\.org|purl\.org|creativecommons\.org)", b"", svg)


def test_the_seed_decides(bench: Bench, tmp_path: Path) -> None:
    made = {}
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        assert bench("-o", tmp_path / name, "--seed", seed, "--no-figures").exit_code == 0
        made[name] = {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
    assert set(made["a"]) == {"accuracy.csv", "reliability.csv", "summary.html"}
    assert made["a"] == made["b"]
    assert made["a"]["accuracy.csv"] != made["c"]["accuracy.csv"]
    assert pl.read_csv(io.BytesIO(made["a"]["accuracy.csv"])).height == 4 * (len(METHODS) + 1)


def test_other_files_of_the_folder_stay(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "accuracy.csv").write_text("old")
    assert bench("-o", tmp_path, "--no-figures").exit_code == 0
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (
        (tmp_path / "accuracy.csv").read_text().startswith("K,reviewers,prior,bias,forecasts,papers,held_out,method,")
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--real", "nowhere"],
            "error: nowhere: no such folder, expected a folder with study1a.csv, study2.csv, study4b.csv\n",
        ),
        (["--output", "taken"], "error: taken: found a file or a link to nothing, expected a folder to write to\n"),
    ],
)
def test_what_cannot_be_is_said_before_the_work(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken").write_text("mine")
    result = bench("--output", "out", "--no-figures", *arguments)
    assert (result.exit_code, result.stderr) == (2, message)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_malformed_study_is_named(bench: Bench, tmp_path: Path, real: Path) -> None:
    (real / "study2.csv").write_text("qname,own,meta,actual\nx,3,0.5,1\n")
    result = bench("-o", tmp_path / "out", "--no-figures", "--real", real)
    assert result.exit_code == 2
    assert result.stderr == f'error: {real / "study2.csv"}: row 2, column own: found "3", expected 0 or 1\n'
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("option", "value"), [("--seed", "-1"), ("--workers", "0"), ("--seed", "x")])
def test_options_out_of_range(bench: Bench, tmp_path: Path, option: str, value: str) -> None:
    result = bench("-o", tmp_path / "out", option, value)
    assert result.exit_code == 2
    assert option in result.stderr
    assert not (tmp_path / "out").exists()


def test_stopped_by_the_user(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from surpeer.experiments.bench import benchmark

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(benchmark, "run_cell", stop)
    result = bench("-o", tmp_path / "out", "--no-figures")
    assert (result.exit_code, result.stderr) == (130, f"{STOPPED}\n")
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib(tmp_path: Path) -> None:
    script = "import sys; sys.modules['matplotlib'] = None\nfrom surpeer.cli.bench import app\napp()\n"
    refused = subprocess.run(
        [sys.executable, "-c", script, "accuracy", "--quick", "-o", "out"],
        capture_output=True, text=True, cwd=tmp_path, env=os.environ,
    )  # fmt: skip
    assert refused.returncode == 2
    assert refused.stderr == (
        "error: pictures need matplotlib, which is not installed: pip install 'surpeer[figures]', "
        "or leave them out with --no-figures\n"
    )
    assert not (tmp_path / "out").exists()
