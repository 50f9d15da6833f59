"""A file is written whole or not at all."""

import os
import threading
from pathlib import Path
from typing import BinaryIO

import pytest

from surpeer import InputError
from surpeer.io.whole_file import write_whole, write_whole_bytes


def test_content_and_permissions(tmp_path: Path) -> None:
    path = tmp_path / "out"
    write_whole_bytes(path, b"one")
    assert path.read_bytes() == b"one"
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
    path.chmod(0o640)
    write_whole_bytes(path, b"two")
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt(), RuntimeError("bug")])
def test_a_failure_leaves_what_was_there(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")

    def half(stream: BinaryIO) -> None:
        stream.write(b"half")
        raise error

    expected = InputError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected, match="No space left on device" if isinstance(error, OSError) else None):
        write_whole(path, half)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found a folder, expected a file to write to"):
        write_whole_bytes(tmp_path, b"")
    with pytest.raises(InputError, match="cannot be written: there is no folder"):
        write_whole_bytes(tmp_path / "none" / "out", b"")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"before")
    link.symlink_to(target)
    write_whole_bytes(link, b"after")
    assert link.is_symlink()
    assert target.read_bytes() == b"after"


def test_a_read_only_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)  # as for anyone but the superuser
    with pytest.raises(InputError, match="cannot be written: it is read-only"):
        write_whole_bytes(path, b"after")
    assert path.read_bytes() == b"before"


def test_a_pipe_and_a_device_are_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_whole_bytes(pipe, b"through")
    reader.join()
    assert received == [b"through"]
    assert pipe.is_fifo()
    write_whole_bytes(Path("/dev/null"), b"gone")
    assert Path("/dev/null").is_char_device()


def test_a_name_as_long_as_names_can_be(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    write_whole_bytes(path, b"x")
    assert path.read_bytes() == b"x"
