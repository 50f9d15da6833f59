"""Work folders go when their run ends, and those of killed runs when the next one begins."""

import errno
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from surpeer.engines import work_folder as module
from surpeer.engines.work_folder import work_folder
from surpeer.errors import InputError

OWNER = """
import sys
from pathlib import Path
from surpeer.engines.work_folder import work_folder
result, temp = (Path(name) if name else None for name in sys.argv[1:])
with work_folder(result, temp) as work:
    (work.path / "deep").mkdir()
    (work.path / "deep" / "rows").write_bytes(bytes(5000))
    print(work.path, flush=True)
    sys.stdin.read()
"""


@contextmanager
def owner(result: Path | None, temp: Path | None = None) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """Another run with the same result, which waits; and its folder."""
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(result or ""), str(temp or "")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield Path(process.stdout.readline().strip()), process
        process.kill()


def killed(*runs: tuple[Path | None, Path | None]) -> list[Path]:
    """The folders of runs that were killed, all at the same time; each has a result and a folder for temporary files."""
    with ExitStack() as stack:
        owners = [stack.enter_context(owner(*run)) for run in runs]
        for _, process in owners:
            process.kill()
            assert process.wait() == -signal.SIGKILL
    folders = sorted(path for path, _ in owners)
    assert all((path / "deep" / "rows").is_file() for path in folders)
    return folders


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_it_is_gone_after_an_error(tmp_path: Path, error: type[BaseException]) -> None:
    with pytest.raises(error), work_folder(tmp_path / "out.csv") as work:
        (work.path / "deep").mkdir()
        (work.path / "deep" / "file").write_bytes(b"x")
        raise error
    assert list(tmp_path.iterdir()) == []


def test_it_is_hidden_beside_the_result_and_gone_in_the_end(tmp_path: Path) -> None:
    with work_folder(tmp_path / "out.csv") as work:
        assert work.path.parent == tmp_path
        assert work.path.name.startswith(".out.csv.")
        assert work.path.stat().st_mode & 0o777 == 0o700
        assert work.notes == ()
        (work.path / "file").write_bytes(b"x")
    assert list(tmp_path.iterdir()) == []


def test_it_can_be_elsewhere(tmp_path: Path) -> None:
    temp, home = tmp_path / "temp", tmp_path / "home"
    temp.mkdir()
    home.mkdir()
    with work_folder(home / "out.csv", temp) as work:
        assert work.path.parent == temp
        assert list(home.iterdir()) == []
    assert list(temp.iterdir()) == []


def test_a_result_that_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    [left] = killed((None, tmp_path))
    with work_folder(None) as work:
        assert work.path.parent == tmp_path
        assert work.notes == (f"removed {left}, left behind by a run that was killed; 5.0 kB freed",)


def test_what_a_killed_run_left_is_removed_by_the_next_with_the_same_result(tmp_path: Path) -> None:
    result, link = tmp_path / "out.csv", tmp_path / "link.csv"
    result.write_bytes(b"")
    link.symlink_to(result)
    left = killed((result, None), (link, None))
    with work_folder(tmp_path / "other.csv") as other:
        assert other.notes == ()
    assert all(path.is_dir() for path in left)
    with work_folder(result) as work:
        assert work.notes == tuple(
            f"removed {path}, left behind by a run that was killed; 5.0 kB freed" for path in left
        )
    assert sorted(tmp_path.iterdir()) == [link, result]


@pytest.mark.parametrize("there", [True, False])
def test_a_result_that_a_killed_run_had_moved_away_is_put_back(tmp_path: Path, there: bool) -> None:
    result = tmp_path / "parts"
    [left] = killed((result, None))
    (left / "before").mkdir()
    (left / "before" / "part-00000.parquet").write_bytes(b"before")
    if there:
        result.mkdir()
    with work_folder(result) as work:
        assert len(work.notes) == 1
    assert os.listdir(tmp_path) == ["parts"]
    assert os.listdir(result) == ([] if there else ["part-00000.parquet"])


def test_leftovers_are_found_beside_the_result_and_where_the_user_said(tmp_path: Path) -> None:
    temp, home = tmp_path / "temp", tmp_path / "home"
    temp.mkdir()
    home.mkdir()
    left = killed((home / "out.csv", None), (home / "out.csv", temp))
    with work_folder(tmp_path / "out.csv", temp) as other:  # the same name in another folder
        assert other.notes == ()
    with work_folder(home / "out.csv", temp) as work:
        assert {note.split(",")[0] for note in work.notes} == {f"removed {path}" for path in left}
    assert [*temp.iterdir(), *home.iterdir()] == []


def test_a_run_that_lives_is_not_disturbed(tmp_path: Path) -> None:
    with owner(tmp_path / "out.csv") as (path, process):
        with work_folder(tmp_path / "out.csv") as work:
            assert work.notes == ()
            assert work.path != path
        assert (path / "deep" / "rows").stat().st_size == 5000
        process.communicate("")
        assert process.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_many_runs_at_once_keep_theirs(tmp_path: Path) -> None:
    problems: list[object] = []

    def run() -> None:
        for _ in range(40):
            with work_folder(tmp_path / "out.csv") as work:
                (work.path / "mine").write_bytes(b"x")
                problems.extend(work.notes)
                if (work.path / "mine").read_bytes() != b"x":
                    problems.append(work.path)

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert list(tmp_path.iterdir()) == []


def test_links_and_files_of_such_names_stay(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_bytes(b"x")
    [left] = killed((tmp_path / "out.csv", None))
    name = left.name[: -len(".work")]
    (tmp_path / f"{name}2.work").symlink_to(precious)
    (tmp_path / f"{name}3.work").write_bytes(b"mine")
    (tmp_path / f"{name}4.other").mkdir()
    (left / "deep" / "link").symlink_to(precious)
    with work_folder(tmp_path / "out.csv") as work:
        assert len(work.notes) == 1
    assert (precious / "file").read_bytes() == b"x"
    assert not left.exists()
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize("locks", [True, False])
def test_without_locks_nothing_of_others_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locks: bool
) -> None:
    [left] = killed((tmp_path / "out.csv", None))

    def no_locks(_handle: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    if locks:
        monkeypatch.setattr(module.fcntl, "flock", no_locks)  # a disk that has none
    else:
        monkeypatch.setattr(module, "fcntl", None)  # a system that has none
    with work_folder(tmp_path / "out.csv") as work:
        assert work.path.is_dir()
        assert work.notes == ()
    assert list(tmp_path.iterdir()) == [left]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    expected = f"{tmp_path / 'no'}: found no such folder, expected one for temporary files; make it, or name a folder on another disk with --temp FOLDER"
    with pytest.raises(InputError, match=f"^{re.escape(expected)}$"), work_folder(tmp_path / "x", tmp_path / "no"):
        pass


def test_a_folder_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "mkdir", refuse)  # as for anyone but the superuser
    expected = f"{tmp_path}: temporary files cannot be written here: Permission denied; name a folder on another disk with --temp FOLDER"
    with pytest.raises(InputError, match=f"^{re.escape(expected)}$"), work_folder(tmp_path / "x"):
        pass


def test_a_second_interruption_does_not_stop_the_tidying_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = module.shutil.rmtree, []

    def interrupted(path: Path, ignore_errors: bool) -> None:
        calls.append(path)
        if len(calls) == 1:
            raise KeyboardInterrupt
        real(path, ignore_errors)

    monkeypatch.setattr(module.shutil, "rmtree", interrupted)
    with pytest.raises(KeyboardInterrupt), work_folder(tmp_path / "out.csv"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_names_as_long_as_names_can_be_are_told_apart(tmp_path: Path) -> None:
    [left] = killed((tmp_path / ("n" * 254 + "1"), None))
    with work_folder(tmp_path / ("n" * 254 + "2")) as work:
        assert work.notes == ()
    assert left.is_dir()
