"""`surpeer score` and `surpeer explain` by their default method, as users call them."""

import json
import re
from collections.abc import Callable, Sequence
from io import StringIO
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from conftest import ROOT
from typer.testing import Result

Run = Callable[..., Result]
Write = Callable[[str, str | bytes], Path]

EXAMPLE = ROOT / "examples" / "workshop.csv"
COLUMNS = ["rank", "paper", "reviews", "mean", "score", "standard_error", "own_share", "status", "flags"]
TOO_FEW = (
    "note: predictions are not followed (too few papers have two predictions to compare): "
    "papers are ranked by their ratings alone"
)
NO_PREDICTIONS = (
    "note: the table has no predictions: the method venue ranks papers by their mean rating, drawn towards the mean of "
    "the venue where reviews are few; methods other than venue and mean need predictions"
)
FIVE = ("--levels", "1..5")


def table_of(result: Result) -> pl.DataFrame:
    assert result.exit_code == 0, result.stderr
    table = pl.read_csv(StringIO(result.stdout))
    assert [name for name in table.columns if name != "track"] == COLUMNS
    assert table["score"].is_finite().all()
    assert table["standard_error"].is_finite().all()
    assert table["own_share"].is_between(0, 1).all()
    assert set(table["status"]) == {"finite"}
    return table


def scores_of(result: Result) -> dict[str, float]:
    table = table_of(result)
    return dict(zip(table["paper"].cast(pl.String), table["score"], strict=True))


def csv_of(columns: dict[str, Sequence[object]]) -> bytes:
    return pl.DataFrame(columns, strict=False).write_csv().encode()


def test_every_paper_of_the_example_has_a_score(surpeer: Run) -> None:
    result = surpeer("score", EXAMPLE)
    table = table_of(result)
    assert table["rank"].to_list() == list(range(1, 13))
    assert table["score"].is_sorted(descending=True)
    assert sorted(table["paper"]) == [f"W{number:02d}" for number in range(1, 13)]
    assert result.stderr.splitlines() == [
        "note: levels taken from the p_ columns, lowest first: reject, accept",
        "note: predictions are followed in full",
        "note: only 12 papers to learn from: scores are less certain than their standard errors say",
    ]
    scores = scores_of(result)
    assert scores["W03"] > scores["W07"]  # as many accepts, but nobody expected those of W03
    assert scores["W05"] < scores["W08"]
    flags = dict(zip(table["paper"], table["flags"], strict=True))
    assert {paper: flag for paper, flag in flags.items() if flag} == {
        "W03": "missing_predictions",
        "W06": "incoherent_forecasts",
    }


def test_formats_agree(surpeer: Run, tmp_path: Path) -> None:
    table = table_of(surpeer("score", EXAMPLE))
    rows = json.loads(surpeer("score", EXAMPLE, "--format", "json").stdout)
    assert [list(row) for row in rows] == [COLUMNS] * 12
    assert surpeer("score", EXAMPLE, "--output", tmp_path / "out.parquet").exit_code == 0
    frame = pl.read_parquet(tmp_path / "out.parquet")
    assert frame.columns == COLUMNS
    for name in COLUMNS[:-1]:
        assert [row[name] for row in rows] == table[name].to_list() == frame[name].to_list()
    header, first, *_ = surpeer("score", EXAMPLE, "--format", "table").stdout.splitlines()
    assert header.split() == [*COLUMNS[:5], "error", "own", "flags"]  # no status: all scores are finite
    best = rows[0]
    numbers = [f"{best['mean']:.3f}", f"{best['score']:.4f}", f"{best['standard_error']:.4f}"]
    cells = ["1", best["paper"], str(best["reviews"]), *numbers, f"{best['own_share']:.0%}"]
    assert first.split() == [*cells, "missing_predictions"]


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_without_predictions_equal_panels_are_ranked_by_their_mean(surpeer: Run, write: Write, levels: int) -> None:
    """Every panel of three on this scale, some of them twice: ties are those of the mean."""
    panels = [*product(range(1, levels + 1), repeat=3)][: 40 * levels]
    papers = [f"P{at:03d}" for at in range(len(panels)) for _ in range(3)]
    path = write("ratings.csv", csv_of({"paper": papers, "rating": [rating for panel in panels for rating in panel]}))
    options = ("score", path, "--levels", f"1..{levels}")
    by_venue, by_mean = surpeer(*options), surpeer(*options, "--method", "mean")
    table = table_of(by_venue)
    expected = pl.read_csv(StringIO(by_mean.stdout))
    assert table.select("rank", "paper", "mean", "flags").equals(expected.select("rank", "paper", "mean", "flags"))
    assert table["rank"].n_unique() < len(table)
    assert set(table["own_share"]) == {0.0}
    assert NO_PREDICTIONS in by_venue.stderr.splitlines()
    assert TOO_FEW not in by_venue.stderr.splitlines()  # the note on the table has said it


def test_few_ratings_count_for_less(surpeer: Run, write: Write) -> None:
    """All papers are rated 1 by everybody, or 0 by everybody: the larger panel is further from the middle."""
    rows = "".join(
        f"{paper},{rating}\n" * n for paper, rating, n in [("A", 1, 6), ("B", 1, 2), ("C", 0, 2), ("D", 0, 6)]
    )
    result = surpeer("score", write("few.csv", "paper,rating\n" + rows), "--levels", "0,1")
    table = table_of(result)
    assert table["paper"].to_list() == ["A", "B", "C", "D"]
    assert table["score"].to_list() == pytest.approx([-score for score in reversed(table["score"].to_list())])
    errors = dict(zip(table["paper"], table["standard_error"], strict=True))
    assert errors["A"] < errors["B"]
    assert errors["A"] == pytest.approx(errors["D"])


@pytest.mark.parametrize("cells", ["accept,0.3,0.7", "reject,,"])
def test_one_paper(surpeer: Run, write: Write, cells: str) -> None:
    path = write("one.csv", f"paper,rating,p_reject,p_accept\nA,{cells}\nA,{cells}\nA,accept,0.4,0.6\n")
    result = surpeer("score", path)
    assert table_of(result).select("rank", "paper", "own_share").row(0) == (1, "A", 0.0)
    assert TOO_FEW in result.stderr.splitlines()
    assert "  = score" in surpeer("explain", path, "A").stdout


def test_papers_with_one_review_each(surpeer: Run, write: Write) -> None:
    rows = "".join(f"P{at:02d},{at % 5 + 1},{at % 7 / 10}\n" for at in range(20))
    result = surpeer("score", write("single.csv", "paper,rating,p_5\n" + rows), *FIVE)
    table = table_of(result)
    assert table["rank"].to_list() == [rank for rank in (1, 5, 9, 13, 17) for _ in range(4)]
    assert table["mean"].is_sorted(descending=True)
    assert table["own_share"].max() == 0.0
    assert TOO_FEW in result.stderr.splitlines()
    assert all("one_review" in flags for flags in table["flags"])


def test_each_track_is_a_venue_of_its_own(surpeer: Run, write: Write) -> None:
    theory = pl.read_csv(EXAMPLE)
    systems = theory.with_columns(paper="S" + pl.col("paper"), p_reject=pl.lit(None), p_accept=pl.lit(None))
    tracks = {"theory": theory, "systems": systems.filter(pl.col("paper") < "SW05")}
    alone = {
        name: scores_of(surpeer("score", write(f"{name}.csv", frame.write_csv()))) for name, frame in tracks.items()
    }
    both = pl.concat([frame.with_columns(track=pl.lit(name)) for name, frame in tracks.items()], how="vertical_relaxed")
    result = surpeer("score", write("both.csv", both.sample(fraction=1, shuffle=True, seed=1).write_csv()))
    assert [line for line in result.stderr.splitlines() if "predictions" in line] == [
        TOO_FEW.replace("predictions are", "predictions of track systems are"),
        "note: predictions of track theory are followed in full",
    ]
    assert "note: one ranking of all 2 tracks, as if they were equally good on average" in result.stderr
    assert set(pl.read_csv(result.stdout.encode())["track"]) == {"theory", "systems"}
    scores = scores_of(result)
    assert scores == pytest.approx({**alone["theory"], **alone["systems"]}, rel=1e-12, abs=1e-12)
    assert [*scores.values()] == sorted(scores.values(), reverse=True)
    text = surpeer("explain", write("both.csv", both.write_csv()), "SW01").stdout
    assert "   the predictions of track systems are not followed (too few papers have two predictions" in text
    assert "100% from the rest of track systems)" in text


def test_many_tracks_get_one_note(surpeer: Run, write: Write) -> None:
    theory = pl.read_csv(EXAMPLE)
    tracks = [theory.with_columns(paper=f"{name}-" + pl.col("paper"), track=pl.lit(name)) for name in "abcdef"]
    tracks[2] = tracks[2].with_columns(p_reject=pl.lit(None), p_accept=pl.lit(None))
    result = surpeer("score", write("six.csv", pl.concat(tracks, how="vertical_relaxed").write_csv()))
    assert [line for line in result.stderr.splitlines() if "predictions" in line] == [
        "note: predictions are followed in 5 of 6 tracks"
    ]


def five_levels() -> tuple[dict[str, list[object]], np.ndarray, np.ndarray]:
    """Reviews of 24 papers, half of them pushed up; the push of each; and how often each level was given."""
    rng = np.random.default_rng(5)
    pushed = np.repeat(np.arange(24) % 2, 4)
    rating = np.where(rng.random(96) < 0.4 * pushed, 5, rng.integers(1, 6, 96))
    columns: dict[str, list[object]] = {
        "paper": [f"P{at:02d}" for at in range(24) for _ in range(4)],
        "rating": rating.tolist(),
    }
    return columns, pushed, (np.bincount(rating - 1, minlength=5) + 0.5) / (96 + 2.5)


def test_the_share_of_one_level_is_enough(surpeer: Run, write: Write) -> None:
    """The rest is divided as ratings are at the venue, so that writing it out changes nothing."""
    columns, pushed, q = five_levels()
    top = 0.2 + 0.35 * pushed + 0.02 * (np.array(columns["rating"]) - 3)
    partial = surpeer("score", write("partial.csv", csv_of({**columns, "p_5": top.tolist()})), *FIVE)
    assert "note: 4 levels without a column, read as left empty: p_1, p_2, p_3, p_4" in partial.stderr
    assert "note: predictions are followed " in partial.stderr
    shares = (1 - top)[:, None] * q[:4] / q[:4].sum()
    written = {f"p_{at + 1}": shares[:, at].tolist() for at in range(4)}
    whole = surpeer("score", write("whole.csv", csv_of({**columns, **written, "p_5": top.tolist()})), *FIVE)
    assert scores_of(partial) == pytest.approx(scores_of(whole), abs=1e-6)
    without = surpeer("score", write("without.csv", csv_of(columns)), *FIVE)
    assert scores_of(partial) != pytest.approx(scores_of(without), abs=0.1)
    assert pl.read_csv(StringIO(partial.stdout))["own_share"].min() > 0.5


def test_the_expected_rating_is_enough(surpeer: Run, write: Write) -> None:
    """It tilts what ratings are at the venue, so that writing the tilted shares out changes nothing."""
    columns, pushed, q = five_levels()
    values = np.arange(1, 6)
    mean = q @ values
    expected = np.round(mean + 0.6 * (pushed - 0.5) + 0.05 * (np.array(columns["rating"]) - mean), 2)
    partial = surpeer("score", write("partial.csv", csv_of({**columns, "expected": expected.tolist()})), *FIVE)
    assert "note: expected is read as a rating between 1 and 5" in partial.stderr
    assert "note: predictions are followed " in partial.stderr
    slope = (expected - mean) / (q @ (values - mean) ** 2)
    shares = q * (1 + slope[:, None] * (values - mean))
    assert shares.min() > 0
    whole = write("whole.csv", csv_of({**columns, **{f"p_{at + 1}": shares[:, at].tolist() for at in range(5)}}))
    assert scores_of(partial) == pytest.approx(scores_of(surpeer("score", whole, *FIVE)), abs=1e-6)
    assert table_of(partial)["own_share"].min() > 0.5


def test_what_says_the_same_scores_the_same(surpeer: Run, write: Write) -> None:
    """All levels but one, the share of the higher of two, its expected rating: the same forecasts."""
    frame = pl.read_csv(EXAMPLE)
    outputs = [
        surpeer("score", write(f"{name}.csv", frame.select("paper", "rating", column).write_csv()), "--scale", "binary").stdout
        for name, column in {
            "high": pl.col("p_accept"),
            "low": pl.col("p_reject"),
            "top": pl.col("p_accept").alias("prediction"),
            "expected": pl.col("p_accept").alias("expected"),
        }.items()
    ]  # fmt: skip
    assert set(outputs) == {surpeer("score", EXAMPLE).stdout}


PART_NAMES = [
    "its ratings, at face value",
    "caution, because ratings are few and noisy",
    "  = by its ratings alone",
    "its predictions",
    "  = score",
]


@pytest.mark.parametrize("paper", [f"W{number:02d}" for number in range(1, 13)])
def test_explained_parts_add_up(surpeer: Run, paper: str) -> None:
    text = surpeer("explain", EXAMPLE, paper).stdout
    content = json.loads(surpeer("explain", EXAMPLE, paper, "--format", "json").stdout)
    row = table_of(surpeer("score", EXAMPLE)).row(by_predicate=pl.col("paper") == paper, named=True)
    assert sum(content["parts"].values()) == pytest.approx(content["score"], abs=1e-9)
    assert [content[name] for name in ("rank", "mean", "score", "standard_error", "own_share")] == [
        row[name] for name in ("rank", "mean", "score", "standard_error", "own_share")
    ]
    shown = [float(re.search(rf"   {re.escape(name)} +([+-]\d+\.\d{{2}})\n", text)[1]) for name in PART_NAMES]  # type: ignore[index]
    ratings, caution, alone, predictions, score = shown
    parts = content["parts"]
    assert [ratings, caution, predictions] == pytest.approx(
        [parts["own_ratings"], parts["venue"], parts["own_forecasts"]], abs=1e-2
    )
    assert score == pytest.approx(content["score"], abs=5.1e-3)
    assert (round(ratings + caution, 2), round(alone + predictions, 2)) == (alone, score)
    assert f"\nScore: {content['score']:z.2f}, standard error {content['standard_error']:.2f}\n" in text


def test_explained_forecasts(surpeer: Run) -> None:
    content = json.loads(surpeer("explain", EXAMPLE, "W07", "--format", "json").stdout)
    assert content["forecasts"] == {"weight": 1.0, "own_rating_share": 0.0, "caution": 1.0, "knowledge": 0.0}
    assert content["track"] is None
    text = surpeer("explain", EXAMPLE, "W07").stdout
    assert "   the predictions of this venue are followed in full\n" in text
    assert (
        f"   mean rating of a typical paper, which nothing pushes up or down: {content['typical_mean']:.4g}\n" in text
    )
    share = content["own_share"]
    said = f"({share:.0%} of that from its own reviewers' predictions, {1 - share:.0%} from the rest of this venue)"
    assert f"   mean rating to be expected of this paper: {content['expected_mean']:.4g}\n      {said}\n" in text
    pushed = json.loads(surpeer("explain", EXAMPLE, "W03", "--format", "json").stdout)
    assert pushed["expected_mean"] < content["mean"] < content["expected_mean"]
    assert pushed["parts"]["own_forecasts"] > 0 > content["parts"]["own_forecasts"]


def test_what_is_not_followed_moves_nothing(surpeer: Run, write: Write) -> None:
    path = write("two.csv", "paper,rating,p_reject,p_accept\nA,accept,0.3,0.7\nA,reject,0.6,0.4\nB,accept,0.2,0.8\n")
    content = json.loads(surpeer("explain", path, "A", "--format", "json").stdout)
    assert content["parts"]["own_forecasts"] == pytest.approx(0, abs=1e-12)
    assert content["own_share"] == 0
    assert content["expected_mean"] == pytest.approx(content["typical_mean"])
    assert "too few papers have two predictions to compare" in surpeer("explain", path, "A").stdout
