"""`surpeer validate` for folders, patterns, packed files, and with options for large reviews."""

import gzip
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest
from test_large_runs import everything_in, reviews
from test_progress import Terminal
from typer.testing import Result

Run = Callable[..., Result]

FILES_READ = "files read as one table"


def written(frame: pl.DataFrame, path: Path) -> Path:
    """The table in a file; its ending says the format, and whether it is packed."""
    kinds = {".csv": frame.write_csv, ".jsonl": frame.write_ndjson}
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    elif path.suffix == ".gz":
        text = kinds[path.with_suffix("").suffix]()
        path.write_bytes(gzip.compress(text.encode()))
    else:
        kinds[path.suffix](path)
    return path


def with_tracks() -> pl.DataFrame:
    """With predictions that are there, in part, or not at all."""
    number = pl.int_range(pl.len())
    frame = reviews().with_columns(track=pl.when(pl.col("paper") % 4 > 0).then(pl.format("T{}", pl.col("paper") % 4)))
    frame = frame.with_columns(pl.when(number % 7 > 0).then("p_no").alias("p_no"))
    return frame.with_columns(pl.when(number % 14 > 0).then("p_yes").alias("p_yes"))


def same(found: Result, expected: Result, source: object, whole: object) -> None:
    """The output is the same to the letter but for the name, and the note on the number of files."""
    assert found.exit_code == expected.exit_code, found.stderr
    assert found.stdout == expected.stdout.replace(str(whole), str(source))
    notes = [note for note in found.stderr.splitlines() if FILES_READ not in note]
    assert notes == expected.stderr.splitlines()


@pytest.mark.parametrize("frame", [reviews(), with_tracks()], ids=["complete", "tracks and gaps"])
@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl", "csv.gz", "jsonl.gz"])
def test_a_folder_a_pattern_and_packed_files_say_what_one_file_says(
    surpeer: Run, tmp_path: Path, frame: pl.DataFrame, ending: str
) -> None:
    whole = written(frame, tmp_path / f"whole.{ending.removesuffix('.gz')}")
    expected = surpeer("validate", whole)
    assert (expected.exit_code, FILES_READ in expected.stderr) == (0, False)
    folder = tmp_path / "votes"
    folder.mkdir()
    for at in range(3):
        written(frame[20 * at : 20 * at + 20], folder / f"part-{at}.{ending}")
    for source in (folder, f"{folder}/part-?.{ending}"):
        found = surpeer("validate", source)
        same(found, expected, source, whole)
        assert f"note: 3 {FILES_READ}" in found.stderr.splitlines()
    packed = written(frame, tmp_path / f"again.{ending}")
    for source, options in ((packed, []), (whole, ["--memory", "512MB"]), (whole, ["--temp", tmp_path])):
        same(surpeer("validate", source, *options), expected, source, whole)


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_every_problem_is_on_standard_output(surpeer: Run, tmp_path: Path, kind: str) -> None:
    """As it is for a file that is read whole: problems of reviews, and those of papers."""
    frame = with_tracks()
    frame[4, "rating"], frame[17, "p_no"], frame[59, "track"] = "maybe", 3.0, "other"
    frame[40, "paper"], frame[40, "reviewer"], frame[40, "track"] = 3, "R3", "T3"
    whole = written(frame, tmp_path / f"whole.{kind}")
    expected = surpeer("validate", whole)
    assert (expected.exit_code, expected.stdout.splitlines()[0]) == (1, f"{whole}: 4 problems")
    same(surpeer("validate", whole, "--memory", "512MB"), expected, whole, whole)
    if kind != "parquet":
        packed = written(frame, tmp_path / f"whole.{kind}.gz")
        same(surpeer("validate", packed), expected, packed, whole)


def test_problems_are_named_with_their_file(surpeer: Run, tmp_path: Path) -> None:
    frame = reviews()
    frame[25, "rating"] = "maybe"
    folder = tmp_path / "votes"
    folder.mkdir()
    for at in range(3):
        written(frame[20 * at : 20 * at + 20], folder / f"part-{at}.csv")
    written(frame[:1], folder / "part-3.csv")
    found = surpeer("validate", folder)
    assert (found.exit_code, found.stderr) == (1, "")
    assert found.stdout.splitlines() == [
        f"{folder}: 2 problems",
        (
            '  part-1.csv, row 7, column rating: found "maybe", expected one of no, yes; correct it, or name all '
            "levels with --levels"
        ),
        (
            '  part-3.csv, row 2, column reviewer: found a second review of paper "0" by "R0" (the first is in row 2 of '
            "part-0.csv), expected one review by each reviewer; keep one of the two"
        ),
        "  note: levels taken from the p_ columns, lowest first: no, yes",
    ]
    (folder / "part-2.csv").write_text("paper,rating\nA,no\n")
    found = surpeer("validate", folder)
    assert found.exit_code == 1
    assert (
        "part-2.csv: found columns that differ: no reviewer, p_no, p_yes, expected those of part-0.csv" in found.stdout
    )


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_large_files_are_told_as_score_tells_them(
    surpeer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = written(reviews(), tmp_path / f"reviews.{kind}")
    expected = surpeer("validate", path)
    taken: list[object] = []
    module = import_module("surpeer.engines.check_files")
    real = module.check_files
    monkeypatch.setattr(module, "check_files", lambda *a, **how: (taken.append(a[0]), real(*a, **how))[1])
    same(surpeer("validate", path), expected, path, path)
    assert taken == []
    monkeypatch.setattr("surpeer.cli.large_options.LARGE_FILE", 100)
    monkeypatch.setattr("surpeer.cli.large_options.LARGE_TEXT", 100)
    same(surpeer("validate", path), expected, path, path)
    assert taken == [str(path)]


REFUSED = [
    (["s3a://bucket/votes"], "s3a://bucket/votes: Apache Spark reads such addresses; `surpeer score --engine spark`"),
    (["{votes}", "--columns", "c.toml"], "--columns: found for reviews that are several files, packed or large"),
    (["{votes}", "--memory", "10MB"], "--memory 10MB: expected at least 384MB, which surpeer itself needs"),
    (["{votes}", "--memory", "lots"], "--memory lots: expected a size such as 512MB or 4GB"),
    (["{votes}", "--temp", "{tmp}/nowhere"], "nowhere: found no such folder, expected one for temporary files"),
    (["{votes}", "--unit", "permille"], 'unknown unit "permille"'),
    (
        ["{votes}/fine.jsonl.gz", "--levels", "1..31"],
        "found 31 levels, expected at most 20 for reviews that are several files",
    ),
    (["{tmp}/*.csv"], "*.csv: no file fits the pattern; check the folder that you are in, and the ending"),
    (["{tmp}/nothing.csv.gz"], "nothing.csv.gz: there is no such file; check its name"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED, ids=[message[:30] for _, message in REFUSED])
def test_what_cannot_be_done_is_said(surpeer: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    folder = tmp_path / "votes"
    folder.mkdir()
    written(reviews(), folder / "part-0.csv")
    if "fine" in arguments[0]:
        written(
            pl.DataFrame({"paper": ["A", "A"], "rating": [1, 31], "expected": [2.0, 3.0]}), folder / "fine.jsonl.gz"
        )
    names = everything_in(tmp_path)
    result = surpeer("validate", *(argument.format(votes=folder, tmp=tmp_path) for argument in arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert everything_in(tmp_path) == names


def test_a_bar_shows_what_is_done(surpeer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, which the runner of tests is not."""
    path, stream = written(reviews(), tmp_path / "reviews.csv.gz"), Terminal()
    module = import_module("surpeer.cli.progress")
    real = module.row_progress

    def on_terminal() -> object:
        monkeypatch.setattr(sys, "stderr", stream)
        return real()

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(module, "row_progress", on_terminal)
    assert surpeer("validate", path).exit_code == 0
    assert "reading" in stream.getvalue()
    assert "counting papers" in stream.getvalue()


def test_temporary_files_are_where_they_were_asked_for(
    surpeer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, temp, seen = written(reviews(), tmp_path / "reviews.csv.gz"), tmp_path / "temp", []
    temp.mkdir()
    monkeypatch.setattr("surpeer.engines.summing_run.reviews_fit", lambda *_: False)
    module = import_module("surpeer.engines.counting_run")
    count = module.CountingRun._add
    monkeypatch.setattr(
        module.CountingRun, "_add", lambda self, sums: (seen.append(everything_in(temp)), count(self, sums))[1]
    )
    assert surpeer("validate", path, "--temp", temp).exit_code == 0
    assert any("rows-" in name for name in seen[0])
    assert everything_in(temp) == []
