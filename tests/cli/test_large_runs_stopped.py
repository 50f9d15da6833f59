"""The real command on three million reviews, stopped at bad moments: no half-written result, nothing left behind."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of Unix")

ROWS = 3_000_000
LEAST = "384MB"
"""Too little for so many reviews: they are kept on disk."""

STOPPED = "stopped; no file was left half-written"


@pytest.fixture(scope="module")
def votes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large") / "votes"
    folder.mkdir()
    rng = np.random.default_rng(7)
    paper, rating, share = rng.integers(0, 400_000, ROWS), rng.integers(0, 2, ROWS), rng.integers(0, 101, ROWS)
    frame = pl.DataFrame({"paper": paper, "rating": rating, "p_0": share / 100, "p_1": (100 - share) / 100})
    for at in range(4):
        frame[at * ROWS // 4 : (at + 1) * ROWS // 4].write_parquet(folder / f"{at}.parquet")
    return folder


@pytest.fixture(scope="module")
def signed_votes(votes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with reviewers: without them there is so little to check that it fits into memory."""
    folder = tmp_path_factory.mktemp("large") / "votes"
    folder.mkdir()
    for file in votes.iterdir():
        pl.read_parquet(file).with_row_index("reviewer", int(file.stem) * ROWS).write_parquet(folder / file.name)
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """An earlier result."""
    path = tmp_path / "out.parquet"
    path.write_bytes(b"before")
    return path


def heed_signals() -> None:
    """A job in the background would ignore Ctrl-C, and one that was started by nohup that its terminal is gone."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def start(votes: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    return started("score", str(votes), "--method", "surprisal", "--memory", LEAST, "--output", str(out), *more)


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "surpeer", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    )


def work_folders(out: Path) -> list[Path]:
    return [path for path in out.parent.iterdir() if path.name.endswith(".work")]


def any_file(out: Path, pattern: str) -> bool:
    return any(True for folder in work_folders(out) for _ in folder.glob(pattern))


def any_content(out: Path, pattern: str) -> bool:
    found = (file for folder in work_folders(out) for file in folder.glob(pattern))
    return any(file.is_file() and file.stat().st_size for file in found)


MOMENTS: dict[str, Callable[[Path], bool]] = {
    "the work folder is there": lambda out: bool(work_folders(out)),
    "rows are on disk": lambda out: any_file(out, "rows-*/*-*"),
    "the result is being written": lambda out: any_content(out, "result") or any_content(out, "result/part-*"),
}


def wait_for(moment: str, process: subprocess.Popen[str], out: Path) -> None:
    until = time.monotonic() + 60
    while not MOMENTS[moment](out):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until, f"never: {moment}"
        time.sleep(0.002)


def names(out: Path) -> list[str]:
    return sorted(path.name for path in out.parent.iterdir())


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
@pytest.mark.parametrize("moment", MOMENTS)
def test_told_to_stop(votes: Path, out: Path, moment: str, name: str, code: int) -> None:
    if name == "SIGHUP" and moment != "rows are on disk":
        pytest.skip("the same as SIGTERM")
    process = start(votes, out)
    wait_for(moment, process, out)
    process.send_signal(getattr(signal, name))
    printed, said = process.communicate(timeout=60)
    assert (process.returncode, printed) == (code, ""), said
    assert said.splitlines()[-1].startswith(STOPPED)
    assert "run the same command again" in said
    assert "Traceback" not in said
    assert names(out) == ["out.parquet"]
    assert out.read_bytes() == b"before"


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize("moment", ["the work folder is there", "rows are on disk"])
def test_told_to_stop_while_reviews_are_checked(
    signed_votes: Path, tmp_path: Path, moment: str, name: str, code: int
) -> None:
    arguments = ["validate", str(signed_votes), "--memory", LEAST, "--temp", str(tmp_path)]
    process = started(*arguments)
    wait_for(moment, process, tmp_path / "no result")
    process.send_signal(getattr(signal, name))
    printed, said = process.communicate(timeout=60)
    assert (process.returncode, printed) == (code, ""), said
    assert said.splitlines()[-1].startswith(STOPPED)
    assert not [*tmp_path.iterdir()]


def test_checking_that_was_killed_is_tidied_up_after(signed_votes: Path, tmp_path: Path) -> None:
    arguments = ["validate", str(signed_votes), "--memory", LEAST, "--temp", str(tmp_path)]
    process = started(*arguments)
    wait_for("rows are on disk", process, tmp_path / "no result")
    process.kill()
    process.communicate()
    assert [*tmp_path.iterdir()]
    printed, said = started(*arguments).communicate(timeout=120)
    assert f"{ROWS:,} reviews of" in printed
    assert "left behind by a run that was killed" in said
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize("memory", [LEAST, "8GB"])
def test_told_to_stop_while_duckdb_is_at_work(votes: Path, out: Path, name: str, code: int, memory: str) -> None:
    """In buckets, and on all reviews at once."""
    process = start(votes, out, "--engine", "duckdb", "--memory", memory)
    wait_for("rows are on disk" if memory == LEAST else "the work folder is there", process, out)
    process.send_signal(getattr(signal, name))
    printed, said = process.communicate(timeout=60)
    assert (process.returncode, printed) == (code, ""), said
    assert said.startswith(STOPPED)
    assert "Traceback" not in said
    assert names(out) == ["out.parquet"]
    assert out.read_bytes() == b"before"


def test_ctrl_c_twice(votes: Path, out: Path) -> None:
    process = start(votes, out)
    wait_for("rows are on disk", process, out)
    for _ in range(3):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    _, said = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT)  # if one comes after the last word was said
    assert STOPPED in said
    assert names(out) == ["out.parquet"]


@pytest.mark.parametrize("kind", ["parquet", "folder"])
def test_killed_outright_and_run_again(votes: Path, tmp_path: Path, kind: str) -> None:
    """The one case in which something is left: the next run removes it, says so, and has the right result."""
    out = tmp_path / ("out.parquet" if kind == "parquet" else "out")
    earlier = out if kind == "parquet" else out / "part-00000.parquet"
    if kind == "folder":
        out.mkdir()
    earlier.write_bytes(b"before")
    for moment in MOMENTS if kind == "parquet" else ["the result is being written"]:
        process = start(votes, out)
        wait_for(moment, process, out)
        process.kill()
        process.communicate()
        assert earlier.read_bytes() == b"before", moment
        assert work_folders(out), moment
    process = start(votes, out)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    removed = [line for line in said.splitlines() if "left behind by a run that was killed" in line]
    assert removed, said
    assert names(out) == [out.name]
    result = pl.read_parquet(out)
    assert result["reviews"].sum() == ROWS
    assert result["rank"].is_sorted()


def test_nobody_reads_the_result_to_its_end(votes: Path, tmp_path: Path) -> None:
    """As in `surpeer score ... | head -1`."""
    arguments = ["score", str(votes), "--method", "surprisal", "--memory", LEAST, "--format", "csv"]
    command = [sys.executable, "-m", "surpeer", *arguments]
    there = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=there) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"rank,")
        assert [path.suffix for path in tmp_path.iterdir()] == [".work"]
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (141, b"")
    assert not [*tmp_path.iterdir()]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full disk is needed")
def test_notes_that_cannot_be_written_do_not_matter(tmp_path: Path) -> None:
    reviews, out = tmp_path / "reviews.csv", tmp_path / "out.csv"
    reviews.write_text("paper,rating,p_0,p_1\nA,0,0.5,0.5\nA,1,0.5,0.5\n")
    with open("/dev/full", "w") as full:
        for path, code in ((reviews, 0), (tmp_path / "none.csv", 2)):
            arguments = ["score", str(path), "--output", str(out)]
            done = subprocess.run([sys.executable, "-m", "surpeer", *arguments], stderr=full, check=False)
            assert done.returncode == code
    assert out.read_text().startswith("rank,")


def mounted(folder: Path, size: str) -> bool:
    """Whether a small disk of its own could be put there."""
    if os.getuid() or not shutil.which("mount"):
        return False
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 6 MB, less than the temporary files take."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if not mounted(folder, "6m"):
        pytest.skip("a small disk needs the rights to mount one")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_full_disk(votes: Path, small_disk: Path, out: Path, engine: str) -> None:
    """Beside the result; and with --temp, where the message names the other folder."""
    inside = small_disk / "out.parquet"
    inside.write_bytes(b"before")
    here, there = (inside, []), (out, ["--temp", str(small_disk)])  # DuckDB keeps so few reviews in memory
    for result, more in (here, there) if engine == "polars" else (here,):
        process = start(votes, result, "--engine", engine, *more)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 2, said
        assert str(small_disk) in said
        assert "too little space is left on this disk" in said or "needs about" in said
        assert "--temp FOLDER" in said or (result == inside and "write the result to another disk" in said)
        assert "Traceback" not in said
        assert [path.name for path in small_disk.iterdir()] == ["out.parquet"]
        assert result.read_bytes() == b"before"


def limit_files() -> None:
    """No file of this process can be larger than 4 MB."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, 4_000_000))


def test_a_result_that_may_not_become_so_large(votes: Path, out: Path) -> None:
    """A limit on the size of files, as a quota has it, that temporary files of buckets keep and the result does not."""
    arguments = ["score", str(votes), "--method", "surprisal", "--output", str(out.with_suffix(".csv"))]
    done = subprocess.run(
        [sys.executable, "-m", "surpeer", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=limit_files,
    )
    assert done.returncode == 2, done.stderr
    assert "too little space is left on this disk" in done.stderr
    assert "Traceback" not in done.stderr
    assert names(out) == ["out.parquet"]
