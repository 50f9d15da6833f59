"""`surpeer score` for folders, patterns, packed files, and with options for large reviews."""

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

Run = Callable[..., Result]

ENGINES = ("polars", "duckdb")


def reviews(rows: int = 60) -> pl.DataFrame:
    """Twelve papers, five reviews of each."""
    number = pl.int_range(rows, eager=True)
    return pl.DataFrame(
        {
            "paper": number % 12,
            "reviewer": pl.select(pl.format("R{}", number)).to_series(),
            "rating": pl.Series(number * 7 % 5 > 1).cast(pl.Int8).cast(pl.String).replace({"0": "no", "1": "yes"}),
            "p_no": (number * 3 % 11) / 20,
            "p_yes": (20 - number * 3 % 11) / 20,
        }
    )


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    """A folder of three CSV files."""
    folder = tmp_path / "votes"
    folder.mkdir()
    for at in range(3):
        reviews()[20 * at : 20 * at + 20].write_csv(folder / f"part-{at}.csv")
    return folder


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    """The same in a folder of Parquet files."""
    folder = tmp_path / "parquet"
    folder.mkdir()
    for at in range(3):
        reviews()[20 * at : 20 * at + 20].write_parquet(folder / f"part-{at}.parquet")
    return folder


def everything_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def csv_of(result: Result) -> pl.DataFrame:
    assert result.exit_code == 0, result.stderr
    return pl.read_csv(io.StringIO(result.stdout), infer_schema=False)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_folder_a_pattern_and_packed_files_give_what_one_file_gives(
    surpeer: Run, tmp_path: Path, votes: Path, engine: str
) -> None:
    whole = tmp_path / "whole.csv"
    reviews().write_csv(whole)
    expected = surpeer("score", whole)
    for file in votes.iterdir():
        (tmp_path / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
    (tmp_path / "whole.csv.gz").write_bytes(gzip.compress(whole.read_bytes()))
    for source in (votes, f"{votes}/*.csv", f"{tmp_path}/part-?.csv.gz", tmp_path / "whole.csv.gz", whole):
        found = surpeer("score", source, "--engine", engine)
        assert csv_of(found).equals(csv_of(expected), null_equal=True), source
        notes = [note for note in found.stderr.splitlines() if "files read as one table" not in note]
        assert notes == expected.stderr.splitlines()


def test_every_format(surpeer: Run, tmp_path: Path, votes: Path) -> None:
    expected = csv_of(surpeer("score", votes))
    for name in ("out.csv", "out.json", "out.parquet", "out"):
        result = surpeer("score", votes, "--output", tmp_path / name)
        assert (result.exit_code, result.stdout) == (0, ""), result.stderr
    papers = expected["paper"].to_list()
    assert pl.read_csv(tmp_path / "out.csv", infer_schema=False).equals(expected, null_equal=True)
    assert [str(row["paper"]) for row in json.loads((tmp_path / "out.json").read_text())] == papers
    assert pl.read_parquet(tmp_path / "out.parquet")["paper"].cast(pl.String).to_list() == papers
    assert everything_in(tmp_path / "out") == ["part-00000.parquet"]
    assert pl.read_parquet(tmp_path / "out")["paper"].cast(pl.String).to_list() == papers
    assert [str(row["paper"]) for row in json.loads(surpeer("score", votes, "--format", "json").stdout)] == papers
    table = surpeer("score", votes, "--format", "table")
    assert table.stdout.splitlines()[0].split()[:3] == ["rank", "paper", "reviews"]
    assert surpeer("score", votes, "-o", tmp_path / "out.txt").exit_code == 0
    assert (tmp_path / "out.txt").read_text() == table.stdout


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("command", [["score"], ["decide", "--accept", "3"]])
def test_files_for_which_the_way_of_large_ones_is_quicker(
    surpeer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, command: list[str]
) -> None:
    """They take it where the result is a file of rows, which is the same; a result for people is made as ever."""
    path = tmp_path / f"whole.{kind}"
    reviews().write_csv(path) if kind == "csv" else reviews().write_parquet(path)
    taken: list[str] = []
    module = import_module("surpeer.cli.large_runs")
    real = module.run_large
    monkeypatch.setattr(module, "run_large", lambda *how: (taken.append(how[3].output.suffix), real(*how))[1])

    def written(name: str) -> bytes:
        result = surpeer(*command, path, "-o", tmp_path / name)
        assert result.exit_code == 0, result.stderr
        return (tmp_path / name).read_bytes() + result.stderr.encode()

    names = ("o.csv", "o.json", "o.txt", "o.xlsx")
    before = [written(name) for name in names]
    unknown = surpeer(*command, path, "-o", tmp_path / "folder")
    assert unknown.exit_code == 2
    assert "folder: the ending says no format that is known" in unknown.stderr
    assert taken == []
    monkeypatch.setattr("surpeer.cli.large_runs.QUICKER_TEXT", 100)
    monkeypatch.setattr("surpeer.cli.large_runs.QUICKER_FILE", 100)
    assert [written(name) for name in names][:3] == before[:3]
    assert taken == [".csv", ".json"]
    assert surpeer(*command, path, "-o", tmp_path / "folder").exit_code == 0
    assert everything_in(tmp_path / "folder") == ["part-00000.parquet"]
    written("o.parquet")
    found, expected = (pl.read_parquet(tmp_path / name) for name in ("folder/part-00000.parquet", "o.parquet"))
    assert found.equals(expected, null_equal=True)


@pytest.mark.parametrize("trouble", ["ids", "levels", "problems"])
def test_where_the_quicker_way_cannot_be_taken_nothing_is_different(
    surpeer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    """Ids of more than 63 bits, fine scales, and problems of rows beside those of papers, which are told at once."""
    path, out, how = tmp_path / "whole.parquet", tmp_path / "out.csv", []
    frame = reviews()
    if trouble == "ids":
        frame = frame.with_columns(pl.col("paper").cast(pl.UInt64) + 2**63)
    elif trouble == "levels":
        number = pl.int_range(len(frame), eager=True)
        frame = frame.select("paper", "reviewer", rating=number % 31 + 1, expected=(number * 7 % 31 + 1).cast(float))
        how = ["--levels", "1..31"]
    else:
        frame = pl.concat([frame.with_columns(p_no=pl.col("p_no") + 1), frame.head(2)])
    frame.write_parquet(path)

    def outcome() -> tuple[int, str, bytes]:
        result = surpeer("score", path, *how, "-o", out)
        return result.exit_code, result.stderr, out.read_bytes() if out.exists() else b""

    expected = outcome()
    assert expected[0] == (2 if trouble == "problems" else 0)
    out.unlink(missing_ok=True)
    tried: list[object] = []
    module = import_module("surpeer.cli.large_runs")
    real = module.run_large
    monkeypatch.setattr(module, "run_large", lambda *how: (tried.append(how), real(*how))[1])
    monkeypatch.setattr(module, "QUICKER_FILE", 100)
    assert outcome() == expected
    assert tried
    assert everything_in(tmp_path) == sorted({"whole.parquet", *([] if trouble == "problems" else ["out.csv"])})


def test_a_folder_of_results_replaces_an_earlier_one_and_nothing_else(
    surpeer: Run, tmp_path: Path, votes: Path
) -> None:
    out = tmp_path / "out"
    assert surpeer("score", votes, "-o", out).exit_code == 0
    assert surpeer("score", votes, "-o", out).exit_code == 0
    (out / "mine.txt").write_text("kept")
    result = surpeer("score", votes, "-o", out)
    assert result.exit_code == 2
    assert "found mine.txt in this folder, expected no such folder, or one with parts of an earlier" in result.stderr
    assert (out / "mine.txt").read_text() == "kept"


REFUSED = [
    (["{votes}", "--master", "local[2]"], "--master names a cluster of Apache Spark; add --engine spark"),
    (["s3a://bucket/votes"], "s3a://bucket/votes: Apache Spark reads such addresses; add --engine spark"),
    (["hdfs://host/v", "--engine", "duckdb"], "hdfs://host/v: Apache Spark reads such addresses; add --engine spark"),
    (["{votes}", "--engine", "spark", "--memory", "1GB"], "--memory and --temp are for engines on this machine"),
    (
        ["{votes}", "--to", "xlsx", "-o", "{tmp}/o.xlsx"],
        "--to xlsx: found for reviews that are several files, packed or",
    ),
    (["{votes}", "-o", "{tmp}/out.xlsx"], "--to xlsx: found for reviews that are several files, packed or large"),
    (["{votes}", "--columns", "c.toml"], "--columns: found for reviews that are several files, packed or large"),
    (["{votes}", "--from", "hotcrp", "--round", "R1"], "--from, --round: found for reviews that are several files"),
    (["{votes}", "--memory", "10MB"], "--memory 10MB: expected at least 384MB, which surpeer itself needs"),
    (["{votes}", "--memory", "lots"], "--memory lots: expected a size such as 512MB or 4GB"),
    (["{votes}", "--memory", "-1GB"], "--memory -1GB: expected a size such as 512MB or 4GB"),
    (["{votes}", "--engine", "duckbd"], 'unknown engine "duckbd"; did you mean "duckdb"?'),
    (["{votes}", "--method", "venu"], 'unknown method "venu"'),
    (["{votes}", "--temp", "{tmp}/nowhere"], "nowhere: found no such folder, expected one for temporary files"),
    (["{votes}", "-o", "{tmp}/nowhere/out.csv"], "out.csv: cannot be written: there is no folder"),
    (["{votes}", "-o", "{tmp}/out.doc"], "out.doc: the ending says no format that is known"),
    (["{votes}", "--unit", "permille"], 'unknown unit "permille"'),
    (["{votes}", "--levels", "1..3", "--scale", "likert"], "found both --levels and --scale, expected one of them"),
    (["{tmp}/*.csv"], "*.csv: no file fits the pattern; check the folder that you are in, and the ending"),
    (["{tmp}/empty"], "found 0 files and no table among them, expected Parquet, CSV or JSON lines"),
    (["{tmp}/nothing.csv.gz"], "nothing.csv.gz: there is no such file; check its name"),
    (["{votes}", "-o", "{votes}/out.csv"], "out.csv: this is inside the folder of reviews; write the result to"),
    (["{votes}", "-o", "{votes}"], "this is the"),
    (["{votes}/*.csv", "-o", "{votes}/part-1.csv"], "would take this for reviews; give the result another name"),
    (["{votes}/part-1.csv", "--engine", "polars", "-o", "{votes}/part-1.csv"], "this is the file of reviews itself"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED, ids=[message[:40] for _, message in REFUSED])
def test_what_cannot_be_done_is_said_and_leaves_nothing(
    surpeer: Run, tmp_path: Path, votes: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "empty").mkdir()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    names = everything_in(tmp_path)
    filled = [argument.format(votes=votes, tmp=tmp_path, out=tmp_path / "out") for argument in arguments]
    result = surpeer("score", *filled)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert everything_in(tmp_path) == names
    assert {path: path.read_bytes() for path in before} == before


def damaged(folder: Path, what: str) -> str:
    """Make one thing wrong in the last file; what is said of it."""
    file = folder / "part-2.parquet"
    frame = pl.read_parquet(file)
    match what:
        case "truncated":
            file.write_bytes(file.read_bytes()[:-100])
            return "part-2.parquet: found a damaged Parquet file"
        case "empty file":
            file.write_bytes(b"")
            return "part-2.parquet: found a damaged Parquet file"
        case "damaged pages":
            data = bytearray(file.read_bytes())
            data[4:400] = bytes(396)
            file.write_bytes(data)
            return "part-2.parquet: found a damaged Parquet file"
        case "rating":
            frame[4, "rating"] = "maybe"
            found = 'part-2.parquet, row 5, column rating: found "maybe", expected one of no, yes'
        case "prediction":
            frame[6, "p_no"] = 0.9
            found = "part-2.parquet, row 7, c"
        case "blank id":
            frame = frame.with_columns(pl.col("paper").cast(pl.Int64)).with_columns(
                pl.when(pl.int_range(pl.len()) != 2).then("paper")
            )
            found = "part-2.parquet, row 3, column paper: found an empty cell, expected the id of a paper"
        case "text ids":
            frame = frame.with_columns(pl.format("P{}", "paper").alias("paper"))
            found = "found ids that are whole numbers in part-0.parquet and text in part-2.parquet, expected the same"
        case "columns":
            frame = frame.drop("p_yes")
            found = "found columns that differ: no p_yes, expected those of part-0.parquet"
        case "twice":
            frame = pl.concat([frame, pl.read_parquet(folder / "part-0.parquet")[3:4], frame[7:8]])
            found = (
                'row 21, column reviewer: found a second review of paper "3" by "R3" '
                "(the first is in row 4 of part-0.parquet), expected one review by each reviewer"
            )
        case _:
            raise ValueError(what)
    frame.write_parquet(file)
    return found


@pytest.mark.parametrize("engine", [*ENGINES, "buckets"])
@pytest.mark.parametrize(
    "what",
    ["truncated", "empty file", "damaged pages", "rating", "prediction", "blank id", "text ids", "columns", "twice"],
)
def test_problems_are_named_with_their_file_and_row(
    surpeer: Run, tmp_path: Path, parquet: Path, what: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = damaged(parquet, what)
    (tmp_path / "out.parquet").write_bytes(b"before")
    names = everything_in(tmp_path)
    if engine == "buckets":
        monkeypatch.setattr("surpeer.engines.summing_run.reviews_fit", lambda *_: False)
        monkeypatch.setattr("surpeer.engines.bucket_sizes.ROWS_AT_ONCE", 5)
        monkeypatch.setattr("surpeer.engines.reading.ROWS_AT_ONCE", 7)
    chosen = engine if engine in ENGINES else "polars"
    result = surpeer("score", parquet, "--engine", chosen, "-o", tmp_path / "out.parquet")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert ("2 problems" in result.stderr) == (what == "twice")
    assert everything_in(tmp_path) == names
    assert (tmp_path / "out.parquet").read_bytes() == b"before"


@pytest.mark.parametrize("engine", ENGINES)
def test_two_tracks_of_one_paper(surpeer: Run, votes: Path, engine: str) -> None:
    for file in votes.iterdir():
        frame = pl.read_csv(file, infer_schema=False).with_columns(track=pl.lit("A"))
        if file.name == "part-2.csv":
            frame[3, "track"], frame[4, "track"] = "B", ""
        frame.write_csv(file)
    result = surpeer("score", votes, "--engine", engine)
    assert result.exit_code == 2
    assert (
        'part-2.csv, row 5, column track: found "B" for paper "7", which has "A" in row 9 of part-0.csv, expected one '
        "track for all" in result.stderr
    )
    assert 'part-2.csv, row 6, column track: found an empty cell for paper "8", which has "A" in row' in result.stderr


def test_an_engine_that_is_not_installed(
    surpeer: Run, tmp_path: Path, votes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    names = everything_in(tmp_path)
    result = surpeer("score", votes, "--engine", "duckdb", "-o", tmp_path / "out.csv")
    assert result.exit_code == 2
    assert (
        result.stderr == "error: the engine duckdb is not installed; install it with: pip install 'surpeer[duckdb]'\n"
    )
    assert everything_in(tmp_path) == names


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="the system refuses nothing to root")
def test_folders_and_files_without_permission(surpeer: Run, tmp_path: Path, votes: Path) -> None:
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o500)
    result = surpeer("score", votes, "-o", shut / "out.csv")
    assert (result.exit_code, "no permission in" in result.stderr) == (2, True)
    result = surpeer("score", votes, "--temp", shut, "-o", tmp_path / "out.csv")
    assert (result.exit_code, "temporary files cannot be written here" in result.stderr) == (2, True)
    (votes / "part-1.csv").chmod(0)
    result = surpeer("score", votes)
    assert (result.exit_code, "part-1.csv" in result.stderr) == (2, True)


def test_too_many_papers_for_a_table(surpeer: Run, votes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surpeer.cli.large_runs.MOST_SHOWN", 11)
    result = surpeer("score", votes, "--format", "table")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "found more than 11 papers, too many for a table to read; write them to a file" in result.stderr


@pytest.mark.parametrize("engine", ENGINES)
def test_temporary_files_are_where_they_should_be_and_gone_in_the_end(
    surpeer: Run, tmp_path: Path, votes: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    temp, seen = tmp_path / "temp", []
    temp.mkdir()
    monkeypatch.setattr("surpeer.engines.summing_run.reviews_fit", lambda *_: False)
    from surpeer.engines import run

    ranked = run.LargeRun.ranked
    monkeypatch.setattr(run.LargeRun, "ranked", lambda self: (seen.append(everything_in(temp)), ranked(self))[1])
    result = surpeer("score", votes, "--engine", engine, "--temp", temp, "-o", tmp_path / "out.csv")
    assert result.exit_code == 0
    assert len(seen[0]) >= 1
    assert seen[0][0].startswith(".out.csv.")
    assert everything_in(temp) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "temp", "votes"]


def test_hidden_files_of_other_programs_are_not_read(surpeer: Run, votes: Path) -> None:
    before = surpeer("score", votes)
    (votes / "_SUCCESS").write_text("")
    (votes / ".part-0.csv.crc").write_bytes(b"\0crc")
    (votes / "readme.md").write_text("# votes")
    shutil.copytree(votes, votes / "_temporary")
    after = surpeer("score", votes)
    assert after.stdout == before.stdout
    assert "note: 1 file not read: readme.md" in after.stderr


BEGINNING = """
import os, sys, types
commands = types.ModuleType("surpeer.cli.commands")
commands.app = lambda: print(os.environ.get("_RJEM_MALLOC_CONF"), "polars" in sys.modules)
sys.modules["surpeer.cli.commands"] = commands
from surpeer.cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("words", "before", "told"),
    [
        (["score", "votes", "--memory", "512MB"], None, "dirty_decay_ms:100,muzzy_decay_ms:0"),
        (["score", "votes", "--memory=1GB"], None, "dirty_decay_ms:100,muzzy_decay_ms:0"),
        (
            ["score", "votes", "--memory", "512MB"],
            "dirty_decay_ms:500,muzzy_decay_ms:1000",
            "dirty_decay_ms:500,muzzy_decay_ms:1000,dirty_decay_ms:100,muzzy_decay_ms:0",
        ),
        (["score", "votes"], None, None),
    ],
)
def test_polars_is_told_to_keep_little_before_it_is_loaded(
    words: list[str], before: str | None, told: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is started from a program that has polars loaded, whose settings it inherits."""
    monkeypatch.delenv("_RJEM_MALLOC_CONF", raising=False)
    if before is not None:
        monkeypatch.setenv("_RJEM_MALLOC_CONF", before)
    command = [sys.executable, "-c", BEGINNING, *words]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"{told} False\n"
