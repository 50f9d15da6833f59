"""The commands as users call them: output, messages, exit codes."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import polars as pl
import pytest
from conftest import ROOT
from typer.testing import Result

from surpeer import METHODS

Run = Callable[..., Result]
Write = Callable[[str, str | bytes], Path]

EXAMPLE = ROOT / "examples" / "workshop.csv"
COMMAND = [sys.executable, "-m", "surpeer"]
COLUMNS = ["rank", "paper", "reviews", "mean", "score", "status", "flags"]
VENUE_COLUMNS = [*COLUMNS[:5], "standard_error", "own_share", *COLUMNS[5:]]
BY_SURPRISAL = ("--method", "surprisal")
SMALL = "paper,rating,p_reject,p_accept\nA,accept,0.3,0.7\nA,reject,0.6,0.4\nB,accept,0.2,0.8\nC,accept,,\nC,reject,,\n"


@pytest.fixture
def small(write: Write) -> Path:
    return write("small.csv", SMALL)


def test_csv_in_a_pipe(surpeer: Run, small: Path) -> None:
    result = surpeer("score", small, *BY_SURPRISAL)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        ",".join(COLUMNS),
        "1,B,1,1.0,inf,plus_infinity,one_review",
        "2,A,2,0.5,-0.2635231383473652,finite,tie",
        "2,C,2,0.5,,no_predictions,tie;ranked_by_mean;missing_predictions",
    ]
    assert "note: levels taken from the p_ columns, lowest first: reject, accept" in result.stderr
    assert "note: 1 of 3 papers without a surprisal score: compared by the mean rating" in result.stderr


def test_json_has_no_number_that_is_not_finite(surpeer: Run, small: Path) -> None:
    rows = json.loads(surpeer("score", small, *BY_SURPRISAL, "--format", "json").stdout)
    assert [list(row) for row in rows] == [COLUMNS] * 3
    assert [row["score"] for row in rows] == [None, -0.2635231383473652, None]
    assert [row["status"] for row in rows] == ["plus_infinity", "finite", "no_predictions"]
    assert rows[2]["flags"] == ["tie", "ranked_by_mean", "missing_predictions"]


def test_parquet_and_table_and_ending_of_the_file(surpeer: Run, small: Path, tmp_path: Path) -> None:
    for name in ("out.csv", "out.json", "out.parquet", "out.pq", "out.txt"):
        result = surpeer("score", small, *BY_SURPRISAL, "--output", tmp_path / name)
        assert result.exit_code == 0, result.stderr
        assert result.stdout == ""
    frame = pl.read_parquet(tmp_path / "out.parquet")
    assert frame.columns == COLUMNS
    assert frame["score"].to_list() == [float("inf"), -0.2635231383473652, None]
    assert frame["flags"].dtype == pl.List(pl.String)
    assert pl.read_csv(tmp_path / "out.csv")["score"].to_list() == frame["score"].to_list()
    lines = (tmp_path / "out.txt").read_text().splitlines()
    assert lines[0].split() == COLUMNS
    assert lines[1].split() == ["1", "B", "1", "1.000", "+∞", "plus_infinity", "one_review"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["small.csv", "out.csv", "out.json", "out.parquet", "out.pq", "out.txt"]
    )


@pytest.mark.parametrize("method", METHODS)
def test_methods(surpeer: Run, method: str) -> None:
    scored = surpeer("score", EXAMPLE, "--method", method)
    assert scored.exit_code == 0
    header, *rows = scored.stdout.splitlines()
    assert header == ",".join(VENUE_COLUMNS if method == "venue" else COLUMNS)
    assert len(rows) == 12
    explained = surpeer("explain", EXAMPLE, "W05", "--method", method)
    assert explained.exit_code == 0
    if method == "venue":
        assert explained.stdout.startswith(
            "W05 has rank 9 of 12 by its score of -0.51 (standard error 0.87: the evidence"
        )
        assert not re.search(r"phi|det|\b[vPqU]\b", explained.stdout)
    else:
        assert f" of 12 by the method {method}: {METHODS[method].title}.\n" in explained.stdout
        assert f"\nScore ({method}): " in explained.stdout


def test_methods_are_listed_with_the_default(surpeer: Run) -> None:
    _header, *lines = surpeer("methods").stdout.splitlines()
    assert [line.split("  ")[0] for line in lines] == ["venue (default)", *list(METHODS)[1:]]
    for line, method in zip(lines, METHODS.values(), strict=True):
        assert method.title in line
        assert method.citation in line
    by_name = surpeer("score", EXAMPLE, "--method", "venue").stdout
    assert surpeer("score", EXAMPLE).stdout == by_name


def test_levels_values_scale_and_unit(surpeer: Run, write: Write) -> None:
    percent = write("percent.csv", "paper,rating,p_no,p_yes\nA,yes,30,70\nA,no,60,40\n")
    scale = write("scale.toml", 'levels = ["no", "yes"]\nvalues = [-1, 3]\n')
    outputs = {}
    for method in ("venue", "surprisal"):
        score = ("score", percent, "--unit", "percent", "--method", method)
        by_option = surpeer(*score, "--levels", "no,yes", "--values", "-1,3")
        by_file, by_columns = surpeer(*score, "--scale", scale), surpeer(*score, "--values=-1,3")
        assert by_option.stdout == by_file.stdout == by_columns.stdout
        outputs[method] = by_option.stdout.splitlines()[1]
    assert outputs["surprisal"].startswith("1,A,2,1.0,-1.054092553389")
    assert outputs["venue"].startswith("1,A,2,1.0,")


def test_four_grades_preset(surpeer: Run, write: Write) -> None:
    names = ["reject", "weak reject", "weak accept", "accept"]
    rows = [[0.55, 0.25, 0.15, 0.05], [0.25, 0.45, 0.15, 0.15], [0.15, 0.15, 0.45, 0.25], [0.05, 0.15, 0.25, 0.55]]
    text = "paper,rating," + ",".join(f"p_{name}" for name in names) + "\n"
    text += "".join(f"A,{name}," + ",".join(map(str, row)) + "\n" for name, row in zip(names, rows, strict=True))
    result = surpeer("score", write("four.csv", text), "--scale", "four-grades", *BY_SURPRISAL)
    assert result.stdout.splitlines()[1] == "1,A,4,0.0,0.0,finite,"


FAILURES = [
    (["score", "none.csv"], "error: none.csv: there is no such file"),
    (["score", EXAMPLE, "--method", "meen"], 'error: unknown method "meen"; did you mean "mean"?; known: venue, mean, surprisal, sp, surprisal_phi, linear_bayes'),
    (["score", EXAMPLE, "--format", "xml"], 'error: unknown format "xml"; known: table, csv, json, parquet'),
    (["score", EXAMPLE, "--unit", "pct"], 'error: unknown unit "pct"; did you mean "percent"?; known: fraction, percent, count'),
    (["score", EXAMPLE, "--levels", "reject"], "error: the rating scale cannot be used: found 1 level, expected between 2"),
    (["score", EXAMPLE, "--levels", "a,b", "--scale", "binary"], "error: found both --levels and --scale, expected one of them; leave the other out"),
    (["score", EXAMPLE, "--values", "1,x"], 'error: found "x" among the values, expected numbers such as 0,1'),
    (["score", EXAMPLE, "--scale", "nope"], 'error: unknown scale "nope"; known: binary'),
    (["score", EXAMPLE, "--output", "ranking.doc"], "error: ranking.doc: the ending says no format that is known; end it in one of .csv"),
    (["score", EXAMPLE, "--output", "none/ranking.csv"], "none/ranking.csv: cannot be written: there is no folder "),
    (["score", EXAMPLE, "--output", EXAMPLE], "this is the file of reviews itself; write the ranking to another file"),
    (["explain", EXAMPLE, "W99"], 'error: unknown paper "W99"; did you mean "W09"?'),
    (["explain", EXAMPLE, "nothing like it"], "the 12 papers begin with W01, W02, W03, W04, W05"),
    (["explain", EXAMPLE, "W01", "--format", "xml"], 'error: unknown format "xml"; known: text, json'),
    (["validate", "none.csv"], "error: none.csv: there is no such file"),
    (["score"], "Missing argument 'REVIEWS'"),
    (["score", EXAMPLE, "--nope"], "No such option"),
    (["nope"], "No such command"),
    (["demo", "--papers", "1"], "Invalid value"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), FAILURES)
def test_what_cannot_be_done_ends_with_two_and_says_why(
    surpeer: Run, arguments: list[object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = surpeer(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert not list(tmp_path.iterdir())


def test_bad_reviews_list_all_problems_and_leave_the_output_alone(surpeer: Run, write: Write) -> None:
    bad = write("bad.csv", SMALL + "D,acccept,0.5,0.6\nD,accept,7,0.5\n,reject,,\n")
    out = write("out.csv", "what was there before")
    result = surpeer("score", bad, "--output", out)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        f"error: {bad}: 4 problems",
        '  row 7, column rating: found "acccept", expected one of reject, accept; did you mean "accept"?',
        "  row 7, column p_reject, p_accept: found predictions that sum to 1.1, expected 1; correct them, or add --normalise, which scales what is up to 10% off",
        "  row 8, column p_reject: found 7, expected a fraction between 0 and 1; use --unit percent or --unit count if that is what predictions are",
        "  row 9, column paper: found an empty cell, expected the id of a paper; fill it in or delete the row",
        "note: levels taken from the p_ columns, lowest first: reject, accept",
    ]
    assert out.read_text() == "what was there before"


def test_validate_lists_everything_and_ends_with_one(surpeer: Run, write: Write) -> None:
    bad = write("bad.csv", "paper,rating,p_a,p_b\n" + "A,x,0.5,0.5\n" * 1500)
    listed = surpeer("validate", bad)
    assert listed.exit_code == 1
    head, *problems, note = listed.stdout.splitlines()
    assert head == f"{bad}: 1,500 problems"
    assert len(problems) == 1500
    assert note == "  note: levels taken from the p_ columns, lowest first: a, b"
    scored = surpeer("score", bad)
    assert len(scored.stderr.splitlines()) == 1003
    assert scored.stderr.splitlines()[-2:] == ["  ... `surpeer validate` lists all 1,500", note.strip()]


def test_where_not_all_problems_are_described_the_others_are_counted(
    surpeer: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("checked_rows", "reviews"):
        monkeypatch.setattr(f"surpeer.{module}.MOST_DESCRIBED", 1200)
    bad = write("bad.csv", "paper,rating,p_a,p_b\n" + "A,x,0.5,0.5\n" * 1500)
    scored = surpeer("score", bad).stderr.splitlines()
    assert (len(scored), scored[-2]) == (1003, "  ... and 500 more")
    listed = surpeer("validate", bad).stdout.splitlines()
    assert (len(listed), listed[0], listed[-2]) == (1203, f"{bad}: 1,500 problems", "  ... and 300 more")


def test_nothing_that_moves_a_terminal_is_printed(surpeer: Run, write: Write) -> None:
    """Escape codes and marks that turn writing round, in ids and in names of levels; and ids that look like emoji."""
    evil = "\x1b[31mX\u202e"
    path = write("evil.csv", f"paper,rating,p_{evil},p_b\n{evil},b,0.5,0.5\n:smile:,b,0.5,0.5\n[bold],b,0.5,0.5\n")
    outputs = [surpeer(*command) for command in (
        ("score", path, "--format", "table"), ("validate", path), ("explain", path, evil), ("explain", path, "zzzz"),
        ("validate", write("bad.csv", f"paper,rating,p_{evil},p_b\nA,{evil}x,0.5,0.5\n")),
    )]  # fmt: skip
    for output in outputs:
        assert "\x1b" not in output.stdout + output.stderr
        assert "\u202e" not in output.stdout + output.stderr
    assert ":smile:" in outputs[0].stdout
    assert "[bold]" in outputs[0].stdout


def test_validate_says_what_it_understood(surpeer: Run, small: Path) -> None:
    result = surpeer("validate", small)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{small}: no problems",
        "  5 reviews of 3 papers",
        "  3 predictions, 2 reviews without one",
        "  levels, lowest first, and the number each stands for: reject (0), accept (1)",
    ]


@pytest.mark.parametrize(
    ("reviews", "expected"),
    [
        ("A,accept,0.3,0.7\nA,reject,0.6,0.4\n", ["(mean rating - expected rating) / noise scale = (0.5 - ", "noise scales below"]),
        ("A,accept,0.4,0.6\nA,reject,0.6,0.4\n", ["Its mean rating, 0.5, is what the predictions led one to expect."]),
        ("A,accept,0.3,0.7\n", ["+∞   status: plus_infinity", "Everybody gave the higher rating", "one_review: has a single review"]),
        ("A,reject,0.3,0.7\n", ["-∞   status: minus_infinity", "Everybody gave the lower rating"]),
        ("A,accept,0.3,0.7\nA,reject,,\n", ["nobody who gave reject", "status: missing_signal", "P has an empty row"]),
        ("A,accept,0.3,0.7\nA,reject,0.3,0.7\n", ["[det U] = 0\n", "status: incoherent", "worth a discussion"]),
        ("A,accept,0.5,0.5\nA,reject,0.3,0.7\n", ["[det U] = -0.0", "status: incoherent"]),
        ("A,accept,,\nA,reject,,\n", ["status: no_predictions", "nothing to calibrate with"]),
    ],
)  # fmt: skip
def test_explain_every_status(surpeer: Run, write: Write, reviews: str, expected: list[str]) -> None:
    result = surpeer("explain", write("one.csv", "paper,rating,p_reject,p_accept\n" + reviews), "A", *BY_SURPRISAL)
    assert result.exit_code == 0
    for text in expected:
        assert text in result.stdout


def test_explain_json_has_the_quantities_of_the_paper(surpeer: Run) -> None:
    content = json.loads(surpeer("explain", EXAMPLE, "W07", *BY_SURPRISAL, "--format", "json").stdout)
    assert content["v"] == [0.5, 0.5]
    assert content["P"] == [[0.275, 0.725], [0.25, 0.75]]
    q1 = 0.725 / (0.725 + 0.25)
    assert content["q"] == pytest.approx([1 - q1, q1])
    assert content["determinant"] == pytest.approx(q1 * (1 - q1) * 0.025)
    assert content["score"] == pytest.approx((0.5 - q1) / content["determinant"] ** 0.5)
    undefined = json.loads(surpeer("explain", EXAMPLE, "W01", *BY_SURPRISAL, "--format", "json").stdout)
    assert undefined["score"] is None
    assert undefined["q"] == [None, None]


@pytest.mark.parametrize("method", ["surprisal_phi", "linear_bayes"])
@pytest.mark.parametrize(
    ("paper", "status", "wrong"),
    [("A", "missing_signal", "P has an empty row"), ("B", "incoherent", "predicted a level with exactly 0")],
)
def test_explain_gives_the_reason_of_the_method(
    surpeer: Run, write: Write, method: str, paper: str, status: str, wrong: str
) -> None:
    """An empty row of P is no obstacle to these methods, and nobody predicts 0 here."""
    rows = "A,3,0.1,0.3,0.6\nA,3,0.1,0.3,0.6\nB,1,0.2,0.3,0.5\nB,3,0.5,0.3,0.2\n"
    text = surpeer("explain", write("three.csv", "paper,rating,p_1,p_2,p_3\n" + rows), paper, "--method", method).stdout
    assert f"status: {status}" in text
    assert wrong not in text


def test_explain_says_when_no_prior_agrees(surpeer: Run, write: Write) -> None:
    path = write("three.csv", "paper,rating,p_1,p_2,p_3\nA,1,0.6,0.1,0.3\nA,2,0.3,0.5,0.2\nA,3,0.1,0.3,0.6\n")
    assert "not 1: no single prior agrees with these predictions" in surpeer("explain", path, "A", *BY_SURPRISAL).stdout


def test_demo_writes_a_venue_and_will_not_overwrite_another(surpeer: Run, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    first = surpeer("demo", "--output", folder, "--papers", 20)
    assert first.exit_code == 0
    assert re.search(r"in the right order \(tossing a coin: 50%\) +6\d\.\d% +6\d\.\d%\n", first.stdout)
    assert "a fair ranking all three would be at 10.5.\n" in first.stdout
    reviews = pl.read_csv(folder / "reviews.csv")
    assert reviews["paper"].n_unique() == 20
    assert pl.read_csv(folder / "truth.csv").columns == ["paper", "cheap_signal", "true_quality"]
    assert surpeer("demo", "--output", folder, "--papers", 20).stdout == first.stdout
    other = surpeer("demo", "--output", folder, "--papers", 20, "--seed", 2)
    assert other.exit_code == 2
    assert "reviews.csv exists and is different; choose another folder, as in --output demo2" in other.stderr
    assert pl.read_csv(folder / "reviews.csv").equals(reviews)
    assert surpeer("score", folder / "reviews.csv").exit_code == 0


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_percentages_decide_incoherence_in_any_order_of_rows(
    surpeer: Run, write: Write, order: tuple[int, ...]
) -> None:
    """Accepters predict 10, 20 and 30 % accepts, 20 on average, and so does the rejecter: P11 = P01."""
    rows = ["A,accept,90,10", "A,accept,80,20", "A,accept,70,30", "A,reject,80,20"]
    path = write("percent.csv", "paper,rating,p_reject,p_accept\n" + "\n".join(rows[at] for at in order))
    result = surpeer("score", path, "--unit", "percent", *BY_SURPRISAL)
    assert result.stdout.splitlines()[1] == "1,A,4,0.75,,incoherent,ranked_by_mean;incoherent_forecasts"
    above = write("above.csv", path.read_text().replace("70,30", "69.9,30.1"))
    assert ",finite," in surpeer("score", above, "--unit", "percent", *BY_SURPRISAL).stdout


def test_version_and_help(surpeer: Run) -> None:
    assert re.fullmatch(r"surpeer \d+\.\d+\.\d+\n", surpeer("--version").stdout)
    assert "score" in surpeer("--help").stdout


@pytest.mark.parametrize(
    ("method", "first_row"),
    [
        ("venue", r"1\s+B\s+1\s+1\.000\s+0\.\d{4}\s+0\.\d{4}\s+0%\s+one_review"),
        ("surprisal", r"1\s+B\s+1\s+1\.000\s+\+∞\s+plus_infinity"),
    ],
)
def test_table_on_a_terminal_and_colours_only_there(small: Path, method: str, first_row: str) -> None:
    reader, writer = pty.openpty()
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm-256color"}
    command = [*COMMAND, "score", str(small), "--method", method]
    subprocess.run(command, stdout=writer, stderr=subprocess.DEVNULL, env=environment, check=True)
    os.close(writer)
    text = os.read(reader, 65536).decode()
    os.close(reader)
    assert "\x1b[1m" in text
    assert re.search(first_row, text)


def test_a_reader_that_stops_early_is_no_error(write: Write) -> None:
    rows = "".join(f"P{number},accept,0.3,0.7\n" for number in range(50_000))
    path = write("many.csv", "paper,rating,p_reject,p_accept\n" + rows)
    head = subprocess.run(
        ["bash", "-c", f"{' '.join(COMMAND)} score {path} 2>errors | head -n 1; cat errors"],
        capture_output=True, text=True, cwd=path.parent, check=True,
    )  # fmt: skip
    assert head.stdout.splitlines()[0] == ",".join(VENUE_COLUMNS)
    assert "Traceback" not in head.stdout
    assert "Exception" not in head.stdout


@pytest.mark.parametrize("command", [["score", EXAMPLE], ["explain", EXAMPLE, "W01"], ["methods"]])
def test_a_full_disk_is_said(command: list[object]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, *map(str, command)], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert "error: standard output: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


ONE_AFTER_ANOTHER = """
import sys
from surpeer.cli.main import main
for path in sys.argv[1:]:
    sys.argv = ["surpeer", "score", path]
    try:
        main()
        code = None
    except SystemExit as stop:
        code = stop.code or 0
    print("exit code", code)
"""


def test_a_damaged_parquet_file_is_one_message(tmp_path: Path) -> None:
    """Whatever byte of the data pages is changed: scored, or exit code 2 and our own words."""
    path = tmp_path / "sound.parquet"
    pl.read_csv(EXAMPLE).write_parquet(path, compression="uncompressed")
    sound, damaged = path.read_bytes(), []
    for at in range(20, 400, 20):
        damaged.append(tmp_path / f"damaged-{at}.parquet")
        damaged[-1].write_bytes(sound[:at] + bytes([sound[at] ^ 0xFF]) + sound[at + 1 :])
    done = subprocess.run([sys.executable, "-c", ONE_AFTER_ANOTHER, *damaged], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    codes = [line for line in done.stdout.splitlines() if line.startswith("exit code ")]
    assert len(codes) == len(damaged)
    assert set(codes) <= {"exit code 0", "exit code 2"}
    assert "exit code 2" in codes
    assert len(re.findall("^error: ", done.stderr, re.MULTILINE)) == codes.count("exit code 2")
    assert "panicked" not in done.stderr
    assert "Traceback" not in done.stderr


def test_unicode_in_a_plain_locale(write: Write) -> None:
    path = write("unicode.csv", "paper,rating,p_reject,p_accept\n论文,accept,0.3,0.7\n")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for form in ("csv", "json", "table"):
        done = subprocess.run(
            [*COMMAND, "score", path, "--format", form], capture_output=True, env=environment, check=True
        )
        assert "论文" in done.stdout.decode()


def test_parquet_is_not_for_a_terminal(small: Path) -> None:
    reader, writer = pty.openpty()
    done = subprocess.run(
        [*COMMAND, "score", str(small), "--format", "parquet"], stdout=writer, stderr=subprocess.PIPE, text=True
    )
    os.close(writer)
    os.close(reader)
    assert done.returncode == 2
    assert "parquet cannot be shown on a terminal; give it a file" in done.stderr
