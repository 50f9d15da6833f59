"""Files that cannot be restored, and databases that cannot be restored into: said exactly, and nothing is written."""

import json
import re
import shutil
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from surpeer.errors import InputError
from surpeer.web.accounts.models import User
from surpeer.web.backup import back_up
from surpeer.web.deployment import KEY_FILE
from surpeer.web.restore import restore
from surpeer.web.unchanged_folder import DATABASE, unchanged_on_failure
from surpeer.web.versions import check_not_later
from web.kept_database import called, surpeer
from web.people import People

OTHER_COPY = "use another copy of the backup"
WROTE = "expected a file that `surpeer backup` wrote"
Change = Callable[[dict[str, bytes]], None]


@pytest.fixture
def backup(people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of the database of this test."""
    path = tmp_path / "b.zip"
    back_up(path)
    return path


def changed(path: Path, change: Change) -> Path:
    """Another backup with other content."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    other = path.with_name("changed.zip")
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return other


def about(**fields: object) -> Change:
    def change(files: dict[str, bytes]) -> None:
        files["backup.json"] = json.dumps({**json.loads(files["backup.json"]), **fields}).encode()

    return change


def refused(path: Path) -> str:
    """What is said of it, without its name. Nobody's account is touched."""
    before = list(User.objects.values_list())
    with pytest.raises(InputError) as found:
        restore(path)
    assert list(User.objects.values_list()) == before
    return str(found.value).removeprefix(f"{path}: ")


def test_what_is_no_backup(db: None, tmp_path: Path) -> None:
    text, other = tmp_path / "text.zip", tmp_path / "other.zip"
    text.write_text("not a zip")
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("readme.txt", "something else")
    assert refused(text) == f"found no backup (File is not a zip file), {WROTE}"
    assert refused(other) == f"found no backup.json that can be read, {WROTE}"
    assert refused(tmp_path / "none.zip") == "cannot be read: No such file or directory"
    assert refused(tmp_path) == "cannot be read: Is a directory"


@pytest.mark.parametrize("content", [b"no json", b"[]", b"{}", b'{"rows": 3}', b"\xff"])
def test_a_description_that_cannot_be_read(backup: Path, content: bytes) -> None:
    path = changed(backup, lambda files: files.update({"backup.json": content}))
    assert refused(path) == f"found no backup.json that can be read, {WROTE}"


@pytest.mark.parametrize(
    "change", [about(format=2), about(migrations=[["venues", "0099_from_the_future"]])], ids=["format", "migrations"]
)
def test_a_backup_of_a_later_version(backup: Path, change: Change) -> None:
    change = _both(change, about(made_by="surpeer 99.0"))
    expected = "was made by surpeer 99.0, a later version than this one; install that one, or a later one"
    assert refused(changed(backup, change)) == expected


def _both(*changes: Change) -> Change:
    def change(files: dict[str, bytes]) -> None:
        for one in changes:
            one(files)

    return change


def test_a_file_that_is_missing(backup: Path) -> None:
    path = changed(backup, lambda files: files.pop("venues.paper.jsonl") and None)
    assert refused(path) == f"is damaged: venues.paper.jsonl is missing; {OTHER_COPY}"


def test_bytes_that_were_changed_wherever_they_are(backup: Path) -> None:
    content = backup.read_bytes()
    with zipfile.ZipFile(backup) as archive:
        places = [
            (info.filename, info.header_offset + 30 + len(info.filename), info.compress_size)
            for info in archive.infolist()
        ]
    for name, start, size in places:
        at = start + size // 2
        damaged = backup.with_name("damaged.zip")
        damaged.write_bytes(content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :])
        if size > 2:
            assert refused(damaged) == f"is damaged at {name}; {OTHER_COPY}"


def test_files_in_it_have_the_time_at_which_they_were_written(backup: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        times = [datetime(*info.date_time) for info in archive.infolist()]
    assert datetime.now() - timedelta(minutes=5) < min(times) <= max(times) <= datetime.now()


def test_a_backup_that_was_cut_off(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[:-100])
    assert refused(backup) == f"found no backup (File is not a zip file), {WROTE}"


def test_a_database_that_somebody_uses(backup: Path) -> None:
    expected = (
        "the database has 3 accounts, and a backup is restored into an empty one only; "
        "name another folder with --data, or another database in DATABASE_URL"
    )
    assert refused(backup) == expected


@pytest.mark.parametrize("database_url", [pytest.param("sqlite", marks=pytest.mark.slow), "postgresql"], indirect=True)
def test_rows_that_make_no_sense_leave_an_empty_database_that_can_be_used(
    backup: Path, tmp_path: Path, database_url: str | None
) -> None:
    def broken(files: dict[str, bytes]) -> None:
        rows = files["venues.paper.jsonl"].splitlines()
        files["venues.paper.jsonl"] = b"\n".join([*rows[:-1], rows[-1].replace(b'"venue_id":', b'"venue":')])

    data = tmp_path / "data"
    failed = surpeer("restore", changed(backup, broken), "--data", data, database_url=database_url)
    message = f"{tmp_path / 'changed.zip'}: is damaged at venues.paper.jsonl ('venue_id'); {OTHER_COPY}"
    assert (failed.returncode, failed.stdout, failed.stderr) == (2, "", f"error: {message}\n")
    assert surpeer("restore", backup, "--data", data, database_url=database_url).returncode == 0
    assert [row["email"] for row in called("rows", data, database_url)["accounts.User"]] == [
        "chair@example.org",
        "other-chair@example.org",
        "observer@example.org",
    ]


def test_a_reference_to_nothing_is_found_where_it_is(backup: Path, tmp_path: Path, database_url: str | None) -> None:
    def astray(files: dict[str, bytes]) -> None:
        files["venues.paper.jsonl"] = re.sub(rb'"venue_id":\d+', b'"venue_id":777', files["venues.paper.jsonl"])

    failed = surpeer("restore", changed(backup, astray), "--data", tmp_path / "data", database_url=database_url)
    assert failed.returncode == 2
    assert f"{tmp_path / 'changed.zip'}: is damaged at venues.paper.jsonl (" in failed.stderr
    assert re.search("invalid foreign key.*777|violates foreign key constraint", failed.stderr)


def older_and_broken(files: dict[str, bytes]) -> None:
    """Of a version before the last one, and with a row that makes no sense in one of the last tables."""
    said = json.loads(files["backup.json"])
    migrations = {**dict(said["migrations"]), "venues": "0002_import_upload"}
    files["backup.json"] = json.dumps({**said, "migrations": list(migrations.items())}).encode()
    files["reviews.draft.jsonl"] += b"{}\n"


@pytest.mark.parametrize(
    ("database_url", "there"),
    [
        pytest.param("sqlite", False, id="sqlite-no tables"),
        pytest.param("sqlite", True, id="sqlite-empty tables", marks=pytest.mark.slow),
        pytest.param("postgresql", False, id="postgresql-no tables", marks=pytest.mark.slow),
        pytest.param("postgresql", True, id="postgresql-empty tables"),
    ],
    indirect=["database_url"],
)
def test_a_restore_that_fails_leaves_the_database_as_it_was(
    backup: Path, tmp_path: Path, database_url: str | None, there: bool
) -> None:
    data = tmp_path / "data"
    before = called("empty" if there else "schema", data, database_url) if there or database_url else None
    failed = surpeer("restore", changed(backup, older_and_broken), "--data", data, database_url=database_url)
    assert (failed.returncode, "is damaged at reviews.draft.jsonl ('id')" in failed.stderr) == (2, True), failed.stderr
    if before is None:
        assert not data.exists()
    else:
        assert called("schema", data, database_url) == before
        assert bool(before) == there
    assert surpeer("restore", backup, "--data", data, database_url=database_url).returncode == 0


def test_rows_that_are_too_few(backup: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fewer(files: dict[str, bytes]) -> None:
        files["venues.paper.jsonl"] = b"\n".join(files["venues.paper.jsonl"].splitlines()[:-1])

    failed = surpeer("restore", changed(backup, fewer), "--data", tmp_path / "data")
    expected = f"is damaged: venues.paper has 3 rows, expected 4; {OTHER_COPY}"
    assert (failed.returncode, failed.stderr) == (2, f"error: {tmp_path / 'changed.zip'}: {expected}\n")
    assert not (tmp_path / "data").exists()  # nor the database that was filled in part


def test_a_restore_that_fails_leaves_a_folder_as_it_was(tmp_path: Path) -> None:
    table, mine, deep = tmp_path / "reviews.csv", tmp_path / "mine", tmp_path / "not" / "there"
    table.write_text("paper,rating\n1,2\n")
    mine.mkdir()
    (mine / "notes.txt").write_text("keep")
    for data in (mine, deep):
        failed = surpeer("restore", table, "--data", data)
        assert (failed.returncode, "File is not a zip file" in failed.stderr) == (2, True)
    assert {path.name for path in tmp_path.rglob("*")} == {"reviews.csv", "mine", "notes.txt"}


def test_a_restore_that_fails_keeps_a_key_that_was_there(tmp_path: Path) -> None:
    key, database = tmp_path / KEY_FILE, tmp_path / DATABASE
    key.write_text("an earlier key")
    with pytest.raises(KeyboardInterrupt), unchanged_on_failure(tmp_path):
        database.write_text("half a database")
        raise KeyboardInterrupt
    assert (key.read_text(), database.exists()) == ("an earlier key", False)
    with unchanged_on_failure(tmp_path):
        database.write_text("a whole one")
    assert database.read_text() == "a whole one"


def test_there_is_nothing_to_back_up(tmp_path: Path, postgresql: object) -> None:
    data = tmp_path / "nowhere"
    failed = surpeer("backup", tmp_path / "b.zip", "--data", data)
    expected = f"error: {data}: has no data of surpeer; name its folder with --data, or set DATABASE_URL\n"
    assert (failed.returncode, failed.stderr, data.exists()) == (2, expected, False)
    url = postgresql.new_database()  # type: ignore[attr-defined]
    empty = surpeer("backup", tmp_path / "b.zip", "--data", data, database_url=url)
    expected = "error: the database has no tables of surpeer: there is nothing to back up\n"
    assert (empty.returncode, empty.stderr) == (2, expected)
    assert not (tmp_path / "b.zip").exists()


def test_a_backup_that_cannot_be_written(people: People, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none/b.zip: cannot be written: there is no folder"):
        back_up(tmp_path / "none" / "b.zip")
    earlier = tmp_path / "b.zip"
    earlier.write_text("an earlier backup")
    shutil.copy(earlier, tmp_path / "copy")
    with pytest.raises(RuntimeError, match="half-way"), pytest.MonkeyPatch.context() as patch:
        patch.setattr("surpeer.web.backup.last_numbers", _fail)
        back_up(earlier)
    assert earlier.read_text() == "an earlier backup"
    assert {path.name for path in tmp_path.iterdir()} == {"b.zip", "copy"}


def _fail(tables: object) -> None:
    raise RuntimeError("half-way")


def test_a_database_of_a_later_version_is_left_alone(people: People, tmp_path: Path) -> None:
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder.Migration.objects.create(app="venues", name="0099_from_the_future")
    expected = "the database was changed by a later version of surpeer (venues.0099_from_the_future); install that one"
    with pytest.raises(InputError) as found:
        check_not_later()
    assert str(found.value).startswith(expected)
    with pytest.raises(InputError):
        back_up(tmp_path / "b.zip")
