"""Backup and restore: everything comes back, on either database, and goes on working."""

import json
import shutil
import stat
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from web.kept_database import called, started, surpeer
from web.postgresql import PostgreSQL
from web.reviewer_browser import ReviewerBrowser
from web.running import RunningServer

Rows = dict[str, list[dict[str, Any]]]
SAID = "2 venues, 10 papers, 7 reviewers, 27 reviews"


@dataclass(frozen=True)
class Kept:
    """A database with what is in it, and its backup."""

    data: Path
    url: str | None
    backup: Path
    rows: Rows
    secrets: dict[str, str]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """On the embedded database."""
    folder = tmp_path_factory.mktemp("original")
    secrets = called("fill", folder / "data", None)
    made = surpeer("backup", folder / "b.zip", "--data", folder / "data")
    assert (made.returncode, made.stdout, made.stderr) == (0, f"{folder / 'b.zip'}: {SAID}\n", "")
    return Kept(folder / "data", None, folder / "b.zip", called("rows", folder / "data", None), secrets)


@pytest.fixture(scope="module")
def moved(original: Kept, postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """The backup in PostgreSQL, and a backup of that."""
    folder, url = tmp_path_factory.mktemp("moved"), postgresql.new_database()
    done = surpeer("restore", original.backup, "--data", folder / "data", database_url=url)
    said = f"restored {SAID}; start it with `surpeer serve --data {folder / 'data'}`\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    surpeer("backup", folder / "b.zip", "--data", folder / "data", database_url=url)
    return Kept(folder / "data", url, folder / "b.zip", called("rows", folder / "data", url), original.secrets)


@pytest.fixture(scope="module")
def back(moved: Kept, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """The backup of PostgreSQL on the embedded database."""
    folder = tmp_path_factory.mktemp("back")
    assert surpeer("restore", moved.backup, "--data", folder / "data").returncode == 0
    return Kept(folder / "data", None, moved.backup, called("rows", folder / "data", None), moved.secrets)


@pytest.fixture(params=["moved", "back"])
def restored(request: pytest.FixtureRequest) -> Kept:
    """On each database."""
    found: Kept = request.getfixturevalue(request.param)
    return found


def test_there_is_something_in_every_table(original: Kept) -> None:
    assert [table for table, rows in original.rows.items() if not rows] == []


def test_every_row_comes_back_as_it_was_and_no_session(original: Kept, restored: Kept) -> None:
    expected = {**original.rows, "visits.Visit": []}  # sessions would let in whoever finds the backup
    for table, rows in expected.items():
        assert restored.rows[table] == rows, table


def test_both_databases_write_the_same_backup(original: Kept, moved: Kept) -> None:
    with zipfile.ZipFile(original.backup) as one, zipfile.ZipFile(moved.backup) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())
        for name in set(one.namelist()) - {"backup.json"}:
            assert [json.loads(line) for line in one.open(name)] == [json.loads(line) for line in other.open(name)]
        about = [json.loads(archive.read("backup.json")) for archive in (one, other)]
    times = [entry.pop("made_at") for entry in about]
    assert times[0] < times[1]
    assert about[0] == about[1]


def test_it_is_readable_for_its_owner_only_also_where_it_replaces_a_file(original: Kept, tmp_path: Path) -> None:
    file = tmp_path / "b.zip"
    file.write_bytes(b"an earlier one")
    file.chmod(0o644)
    made = surpeer("backup", file, "--data", original.data)
    assert (made.returncode, made.stdout) == (0, f"{file}: {SAID}; the file that was there is replaced\n")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, original.backup)] == [0o600, 0o600]
    assert list(tmp_path.iterdir()) == [file]


def test_files_of_the_data_are_readable_for_their_owner_only(original: Kept, back: Kept) -> None:
    for data in (original.data, back.data):
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        modes = {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in data.iterdir() if path.is_file()}
        assert set(modes.values()) == {"0o600"}, modes


def test_what_was_restored_goes_on(restored: Kept) -> None:
    before = restored.rows
    after = called("more", restored.data, restored.url)
    assert after["reviewer"] > int(restored.secrets["gone"]) > max(row["id"] for row in before["venues.Reviewer"])
    assert after["refused"] == ["the audit log is append-only"] * 2
    assert after["entries"] == len(before["audit.Entry"]) + 1


def test_an_old_personal_link_opens_the_restored_server(moved: Kept) -> None:
    with RunningServer.started(moved.data, moved.url) as server:
        browser = ReviewerBrowser(server.port)
        browser.open_link(moved.secrets["link"])
        answer = browser.request("GET", "/reviews/")
        assert browser.connection is not None
        browser.connection.close()
        assert answer.status == 200
        assert moved.secrets["title"] in answer.body.decode()
        assert "Create the first chair" not in server.text


def test_a_backup_while_others_write_shows_one_moment(database_url: str | None, original: Kept, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(original.data, data)
    if database_url:
        assert surpeer("restore", original.backup, "--data", data, database_url=database_url).returncode == 0
    writer = started("write", data, database_url)
    assert writer.stdout is not None
    try:
        first = max(int(writer.stdout.readline()) for _ in range(10))  # more than anybody else has written
        counts = [_written(tmp_path / f"{n}.zip", data, database_url) for n in range(2)]
        last = int(writer.stdout.readline())
    finally:
        writer.kill()
        writer.communicate()
    assert writer.returncode == -9, "the writer failed"
    assert first <= counts[0] < counts[1], "it wrote on meanwhile"
    assert last > first


def _written(path: Path, data: Path, database_url: str | None) -> int:
    """How many submissions of the writer are in a new backup, each with its entry in the log."""
    made = surpeer("backup", path, "--data", data, database_url=database_url)
    assert made.returncode == 0, made.stderr
    with zipfile.ZipFile(path) as archive:
        entries = [json.loads(line) for line in archive.open("audit.entry.jsonl")]
        submissions = [json.loads(line) for line in archive.open("reviews.submission.jsonl")]
    logged = [entry["details"]["number"] for entry in entries if entry["about"] == "written"]
    of = Counter(row["assignment_id"] for row in submissions).most_common(1)[0][0]
    numbers = [row["number"] for row in submissions if row["assignment_id"] == of]
    assert numbers == logged == list(range(1, len(logged) + 1))
    return len(logged)
