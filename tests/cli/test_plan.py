"""`surpeer plan`."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import Result

from surpeer.errors import ArrayError, UnknownName
from surpeer.experiments import Dirichlet, PaperKind, Plan, accuracy, plan_by_sampling, plan_exactly

Cli = Callable[..., Result]


def curve_of(path: Path) -> pl.DataFrame:
    return pl.read_csv(path) if path.suffix == ".csv" else pl.DataFrame(json.loads(path.read_text())["curve"])


def test_one_kind_of_noise_is_the_accuracy_itself(surpeer: Cli, tmp_path: Path) -> None:
    out = tmp_path / "plan.csv"
    result = surpeer(
        "plan",
        "--levels",
        2,
        "--prior",
        "2,3",
        "--noise",
        "0.3:up",
        "--accuracy",
        0.75,
        "-o",
        out,
        "--max-reviewers",
        30,
    )
    assert result.exit_code == 0, result.stderr
    curve = curve_of(out)
    for method in ("mean", "surprisal", "oracle"):
        by_size = [float(accuracy(n, n, (2, 3), 0.3, 0.3, (0, 1), (0, 1), method)) for n in range(1, 31)]
        of_method = curve.filter(pl.col("method") == method)
        np.testing.assert_allclose(of_method["accuracy"], by_size, atol=1e-14)
        needed = next(n for n, value in enumerate(by_size, 1) if value >= 0.75)
        line = next(line for line in result.stdout.splitlines() if line.startswith(f"{method} "))
        assert line.split()[-1] == str(needed)


def test_a_mixed_venue_is_the_average_over_pairs_of_kinds(surpeer: Cli, tmp_path: Path) -> None:
    out = tmp_path / "plan.json"
    arguments = ["--prior", "1,1", "--noise", "0@60%", "--noise", "0.5", "--accuracy", "0.7", "--max-reviewers", "4"]
    assert surpeer("plan", *arguments, "-o", out).exit_code == 0
    kinds = [(0.6, 0, (0.5, 0.5)), (0.2, 0.5, (0, 1)), (0.2, 0.5, (1, 0))]
    expected = sum(
        share_a * share_b * accuracy(3, 3, (1, 1), level_a, level_b, bias_a, bias_b)
        for share_a, level_a, bias_a in kinds
        for share_b, level_b, bias_b in kinds
    )
    found = curve_of(out).filter((pl.col("method") == "surprisal") & (pl.col("n") == 3))
    assert found["accuracy"].item() == pytest.approx(float(expected), abs=1e-14)
    whole = json.loads(out.read_text())
    assert (whole["accuracy"], whole["levels"], whole["prior"], whole["seed"]) == (0.7, 2, [1, 1], 1)
    assert whole["noise"][-1] == {"share": 0.2, "level": 0.5, "bias": [1, 0]}
    assert sum(kind["share"] for kind in whole["noise"]) == pytest.approx(1)


def test_more_levels_are_sampled(surpeer: Cli, tmp_path: Path) -> None:
    outs = [tmp_path / f"plan{run}.csv" for run in range(3)]
    for out, seed in zip(outs, (1, 1, 2), strict=True):
        result = surpeer(
            "plan", "--levels", 3, "--prior", "1,1,1", "--noise", "0.4", "--accuracy", 0.7, "--max-reviewers", 6,
            "--seed", seed, "-o", out,
        )  # fmt: skip
        assert result.exit_code == 0, result.stderr
        assert "Sampled; the standard error of an accuracy is at most 0.1%." in result.stdout
    assert outs[0].read_bytes() == outs[1].read_bytes() != outs[2].read_bytes()
    assert "oracle" not in set(curve_of(outs[0])["method"])


def test_sampling_and_exact_plan_agree() -> None:
    kinds = [PaperKind(0.5, 0.3, (0, 1)), PaperKind(0.5, 0.6, (1, 0))]
    exact = plan_exactly((1, 2), kinds, 0.7, [2, 5]).curve
    sampled = plan_by_sampling(np.random.default_rng(1), 100_000, Dirichlet.beta(1, 2), kinds, 0.7, [2, 5]).curve
    for row in sampled.iter_rows(named=True):
        true = exact.filter((pl.col("n") == row["n"]) & (pl.col("method") == row["method"]))["accuracy"].item()
        assert abs(row["accuracy"] - true) < 5 * row["standard_error"]


def test_pictures(surpeer: Cli, tmp_path: Path) -> None:
    for ending, head in ((".svg", b"<?xml"), (".png", b"\x89PNG")):
        out = tmp_path / f"plan{ending}"
        assert surpeer("plan", "--accuracy", 0.7, "--max-reviewers", 5, "-o", out).exit_code == 0
        assert out.read_bytes().startswith(head)


def test_an_accuracy_that_is_out_of_reach(surpeer: Cli) -> None:
    result = surpeer("plan", "--noise", "0.6", "--accuracy", 0.95, "--max-reviewers", 5)
    assert result.exit_code == 0
    assert result.stdout.count("more than 5 (accuracy 0.") == 4


def test_more_reviewers_can_be_worse(surpeer: Cli) -> None:
    """Ties of vote counts come and go with the number of reviewers."""
    options = ["--noise", "0.7", "--prior", "1,1", "--max-reviewers", 30]
    curve = plan_exactly((1, 1), [PaperKind(0.5, 0.7, (0, 1)), PaperKind(0.5, 0.7, (1, 0))], 0.6, [26, 27]).curve
    before, after = curve.filter(pl.col("method") == "surprisal")["accuracy"]
    result = surpeer("plan", *options, "--accuracy", (before + after) / 2)
    assert "surprisal misses it again with 27 reviewers: more is not always better." in result.stdout
    assert "again" not in surpeer("plan", *options, "--accuracy", 0.7).stdout


def test_an_accuracy_that_is_exactly_the_wanted_one(surpeer: Cli) -> None:
    """One reviewer, level 0.4: exactly 3/5, which floats miss by a bit."""
    result = surpeer("plan", "--accuracy", "0.6", "--noise", "0.4:up", "--max-reviewers", 2)
    line = next(line for line in result.stdout.splitlines() if line.startswith("mean "))
    assert line.split()[-1] == "1"


def test_values_matter_with_more_levels(surpeer: Cli, tmp_path: Path) -> None:
    outs = [tmp_path / name for name in ("plain.csv", "valued.csv")]
    options = ["plan", "--accuracy", "0.7", "--levels", 3, "--max-reviewers", 2, "--noise", "0.3"]
    surpeer(*options, "-o", outs[0])
    surpeer(*options, "--values", "0,1,100", "-o", outs[1])
    assert curve_of(outs[0])["accuracy"].to_list() != curve_of(outs[1])["accuracy"].to_list()


def test_a_plan_knows_its_methods() -> None:
    plan = plan_exactly((1, 1), [PaperKind(1, "1/3", ("1/2", "1/2"))], 0.6, [1])
    with pytest.raises(UnknownName, match='unknown method "suprisal"; did you mean "surprisal"?'):
        plan.needed("suprisal")
    rng = np.random.default_rng(1)
    sampled = plan_by_sampling(rng, 1000, Dirichlet.beta(1, 1), [PaperKind(1, "1/3", ("1/2", "1/2"))], 0.6, [1])
    assert sampled.methods == ["mean", "surprisal", "sp"]


def test_numbers_as_people_type_them(surpeer: Cli) -> None:
    one, other = (
        surpeer("plan", "--max-reviewers", 3, *options).stdout
        for options in (
            ["--accuracy", "80%", "--noise", "30%:20%,80%@1/4", "--noise", "0", "--prior", "1/2, 0.5"],
            ["--accuracy", "0.8", "--noise", "0.3:0.2,0.8@25%", "--noise", "0@75%", "--prior", ".5,50e-2"],
        )
    )
    assert one == other
    assert "probability 80%" in one
    words = "25% of papers with level 0.3 towards (0.2, 0.8); 75% of papers without noise"
    assert words in " ".join(one.split())


def test_many_levels_say_why_the_methods_hardly_differ(surpeer: Cli) -> None:
    result = surpeer("plan", "--accuracy", 0.6, "--levels", 10, "--max-reviewers", 6, "--noise", "20%:even")
    assert result.exit_code == 0, result.stderr
    words = " ".join(result.stdout.split())
    assert "all papers with level 0.2 towards no level in particular" in words
    assert "compared by their mean rating" in words
    line = next(line for line in result.stdout.splitlines() if line.startswith("mean "))
    assert "about" in line or line.split()[-1].isdigit()


def test_a_sampled_answer_has_a_range() -> None:
    rows = [(n, "mean", 0.6 + 0.01 * n, 0.011) for n in range(1, 10)]
    curve = pl.DataFrame(rows, schema=["n", "method", "accuracy", "standard_error"], orient="row")
    plan = Plan(curve, 0.65)
    assert (plan.needed("mean"), plan.needed_between("mean")) == (5, (3, 8))
    assert plan.falls_back("mean") == []
    dip = pl.concat([curve, curve[:1].with_columns(n=pl.lit(10, pl.Int64), standard_error=0.001)])
    assert Plan(dip, 0.65).falls_back("mean") == [10]
    assert Plan(curve, 0.7).needed_between("mean") == (8, None)


@pytest.mark.parametrize(
    ("kinds", "wanted", "message"),
    [
        ([], 0.7, r"the kinds of papers have the shares \[\], expected positive ones with a sum of 1"),
        ([PaperKind(0.5, 0.3, (0, 1))], 0.7, r"the shares \[0.5\], expected"),
        ([PaperKind(-1, 0.3, (0, 1)), PaperKind(2, 0.3, (0, 1))], 0.7, r"the shares \[-1.0, 2.0\], expected"),
        ([PaperKind(1, 0.3, (0, 1))], 80, "the wanted accuracy is 80, expected a probability from 0.5 to below 1"),
    ],
)
def test_wrong_plans_are_named(kinds: list[PaperKind], wanted: float, message: str) -> None:
    with pytest.raises(ArrayError, match=message):
        plan_exactly((1, 1), kinds, wanted, [3])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--accuracy", "0.4"],
            "--accuracy 0.4: expected a probability from 0.5 (a coin toss) to below 1, such as 0.8",
        ),
        (["--accuracy", "1"], "--accuracy 1: expected a probability"),
        (["--accuracy", "nan"], "--accuracy nan: expected a probability"),
        (["--accuracy", "0,8"], "--accuracy 0,8: expected a probability"),
        (["--accuracy", "80"], "--accuracy 80: expected a probability"),
        (["--prior", "1"], "--prior 1: expected 2 positive numbers (1e-09 to 1e+09), one for each level, such as 1,1"),
        (["--prior", "1,x"], "--prior 1,x: expected 2 positive numbers"),
        (["--prior", "0,1"], "--prior 0,1: expected 2 positive numbers"),
        (
            ["--levels", "3", "--prior", "1,1"],
            "--prior 1,1: expected 3 positive numbers (1e-09 to 1e+09), one for each level, such as 1,1,1",
        ),
        (["--noise", "1"], '--noise 1: found the level "1", expected a number from 0 to below 1'),
        (["--noise", "x:up"], '--noise x:up: found the level "x", expected a number from 0 to below 1'),
        (["--noise", "nan"], '--noise nan: found the level "nan", expected'),
        (
            ["--noise", "0.3:upp"],
            'found the bias "upp", expected both, up, down, even or 2 weights; did you mean "up"?',
        ),
        (["--noise", "0.3:0.5,0.6"], 'found the bias "0.5,0.6", expected 2 weights, lowest level first'),
        (["--noise", "0.3:1,0,0"], 'found the bias "1,0,0", expected 2 weights'),
        (["--noise", "0.3:2,-1"], 'found the bias "2,-1", expected 2 weights'),
        (["--noise", "0.3@x"], '--noise 0.3@x: found the share "x", expected one such as 0.4 or 40%'),
        (["--noise", "0.3@-1"], 'found the share "-1", expected one such as 0.4 or 40%'),
        (["--noise", "0.3@60%", "--noise", "0.1@60%"], "the shares of --noise add up to 120%, expected 100%"),
        (["--noise", "0.3@60%"], "add up to 60%, expected 100%; add --noise 0 for papers without noise"),
        (
            ["--noise", "0.3@100%", "--noise", "0.1"],
            "add up to 100%, which leaves nothing for --noise 0.1; give it a share",
        ),
        (["--values", "1,2,3"], "found 3 values for 2 levels"),
        (["--values", "2,1"], "the rating scale cannot be used"),
        (["--values", "1,nan"], "found a value that is not a number"),
        (["--prior", "1_0,1"], "--prior 1_0,1: expected 2 positive numbers"),
        (["--prior", "1/0,1"], "--prior 1/0,1: expected 2 positive numbers"),
        (["--prior", "1e308,1e308"], "--prior 1e308,1e308: expected 2 positive numbers (1e-09 to 1e+09)"),
        (["--prior", "1e400,1"], "--prior 1e400,1: expected 2 positive numbers (1e-09 to 1e+09)"),
        (["--prior", "1e308,1,1", "--levels", "3"], "--prior 1e308,1,1: expected 3 positive numbers (1e-09 to 1e+09)"),
        (["-o", "plan.txt"], 'plan.txt: found the ending ".txt", expected one of .svg, .png, .csv, .json'),
        (["-o", "no/such/plan.csv"], "cannot be written: there is no folder"),
    ],
)
def test_wrong_options_are_named(
    surpeer: Cli, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    accuracy_given = [] if "--accuracy" in arguments else ["--accuracy", "0.8"]
    result = surpeer("plan", "--max-reviewers", 2, *accuracy_given, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []
