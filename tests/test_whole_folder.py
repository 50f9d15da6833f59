"""The files of a folder are written all together or not at all."""

import os
from pathlib import Path

import pytest

from surpeer.errors import InputError
from surpeer.io import whole_folder
from surpeer.io.whole_folder import check_folder, write_whole_folder

FILES = {"a.txt": b"1", "sub/b.txt": b"2"}


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "new"
    write_whole_folder(folder, FILES)
    assert content(folder) == {"a.txt": b"1", os.path.join("sub", "b.txt"): b"2"}
    mask = os.umask(0)
    os.umask(mask)
    assert folder.stat().st_mode & 0o777 == 0o777 & ~mask
    assert [path.name for path in folder.parent.iterdir()] == ["new"]


def test_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / "a.txt").write_bytes(b"old")
    write_whole_folder(tmp_path, FILES)
    assert content(tmp_path) == {"mine": b"mine", "a.txt": b"1", os.path.join("sub", "b.txt"): b"2"}


@pytest.mark.parametrize("existing", [True, False])
def test_a_failure_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, existing: bool) -> None:
    folder = tmp_path / "deep" / "out"
    if existing:
        folder.mkdir(parents=True)
        (folder / "a.txt").write_bytes(b"old")
    before = content(tmp_path)
    written = []

    def full_disk(stream: int) -> None:
        written.append(stream)
        if len(written) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        write_whole_folder(folder, FILES)
    assert content(tmp_path) == before
    assert folder.parent.exists() == existing


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(InputError, match="a.txt: found a folder, expected a file to write to"):
        write_whole_folder(tmp_path, FILES)
    assert content(tmp_path) == {}


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "sub").write_bytes(b"mine")
    with pytest.raises(InputError, match="sub: found a file, expected a folder to write to"):
        write_whole_folder(tmp_path, FILES)
    assert content(tmp_path) == {"sub": b"mine"}


def test_places_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "link"):
        with pytest.raises(InputError, match="found a file or a link to nothing, expected a folder to write to"):
            check_folder(tmp_path / name)
    with pytest.raises(InputError, match="cannot be made: .*file is a file"):
        check_folder(tmp_path / "file" / "deeper" / "still")
    monkeypatch.setattr(whole_folder.os, "access", lambda *_: False)
    with pytest.raises(InputError, match="cannot be written: no permission in"):
        check_folder(tmp_path / "new")
