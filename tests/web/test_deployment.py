"""What differs by deployment: addresses, hosts, keys, and Django's own check of a public one."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from surpeer.errors import InputError
from surpeer.web.deployment import Deployment, default_folder, mail_port
from web.kept_database import environment

PUBLIC = "https://review.example.org"


@pytest.fixture(autouse=True)
def _no_key_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SURPEER_SECRET_KEY")


def deployment(**variables: str) -> Deployment:
    return Deployment.from_environment({"HOME": "/home/zoe", **variables})


def settings_of(tmp_path: Path, *names: str, **variables: str) -> dict[str, object]:
    """Settings of a process with these variables."""
    code = (
        "import json, django; from django.conf import settings; django.setup(); "
        f"print(json.dumps({{name: getattr(settings, name) for name in {names!r}}}, default=str))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=_variables(tmp_path, variables), capture_output=True, check=True
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def _variables(tmp_path: Path, variables: dict[str, str]) -> dict[str, str]:
    (tmp_path / "static").mkdir(exist_ok=True)
    ours = {"DJANGO_SETTINGS_MODULE": "surpeer.web.settings", "SURPEER_DATA": str(tmp_path), **variables}
    return environment(None, **ours)


def test_a_public_deployment_passes_the_check_of_django(tmp_path: Path) -> None:
    Deployment(tmp_path, PUBLIC, None).prepare()
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "django", "check", "--deploy", "--fail-level", "WARNING"],
        env=_variables(tmp_path, {"SURPEER_URL": PUBLIC}),
        capture_output=True,
        encoding="utf-8",
    )
    found = (done.returncode, done.stdout, done.stderr)
    assert found == (0, "System check identified no issues (1 silenced).\n", "")


def test_what_a_public_address_changes(tmp_path: Path) -> None:
    names = (
        "DEBUG", "ALLOWED_HOSTS", "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE",
        "SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "CSRF_TRUSTED_ORIGINS", "SECURE_PROXY_SSL_HEADER",
    )  # fmt: skip
    public = settings_of(tmp_path, *names, SURPEER_URL=PUBLIC, SURPEER_SECRET_KEY="x")
    assert public == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["review.example.org", "127.0.0.1", "localhost", "[::1]"],
        "SECURE_SSL_REDIRECT": True,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_HSTS_SECONDS": 31536000,
        "SECURE_HSTS_INCLUDE_SUBDOMAINS": True,
        "CSRF_TRUSTED_ORIGINS": [PUBLIC],
        "SECURE_PROXY_SSL_HEADER": ["HTTP_X_FORWARDED_PROTO", "https"],
    }
    local = settings_of(tmp_path, *names, SURPEER_SECRET_KEY="x")
    assert local == {
        **dict.fromkeys(names, False),
        "ALLOWED_HOSTS": ["127.0.0.1", "localhost", "[::1]"],
        "SECURE_HSTS_SECONDS": 0,
        "CSRF_TRUSTED_ORIGINS": [],
        "SECURE_PROXY_SSL_HEADER": None,
    }


@pytest.mark.parametrize(
    "url",
    [
        "review.example.org",
        "ftp://review.example.org",
        "https://",
        "https://x.org/path",
        "https://x.org?q=1",
        "https:///x",
    ],
)
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(InputError) as found:
        deployment(SURPEER_URL=url)
    expected = "the address by which people reach the application, without a path, as in https://review.example.org"
    assert str(found.value) == f"SURPEER_URL: found {url!r}, expected {expected}"


def test_an_address_may_end_with_a_slash_and_have_a_port() -> None:
    assert deployment(SURPEER_URL=f" {PUBLIC}/ ").public_url == PUBLIC
    assert deployment(SURPEER_URL="https://x.org:8443").hosts[0] == "x.org"
    assert deployment(SURPEER_URL="http://x.org").https is False


def test_a_database_of_another_kind_and_no_password_in_the_message() -> None:
    with pytest.raises(InputError) as found:
        deployment(DATABASE_URL="mysql://zoe:secret@db/x")
    assert str(found.value).startswith("DATABASE_URL: found an address of another kind, expected that of a PostgreSQL")
    assert "secret" not in str(found.value)


def test_where_the_data_is() -> None:
    assert deployment().data == Path("/home/zoe/.local/share/surpeer")
    assert deployment(XDG_DATA_HOME="/x").data == Path("/x/surpeer")
    assert deployment(SURPEER_DATA="/srv/s").data == Path("/srv/s")
    assert default_folder({"HOME": "/h"}) == Path("/h/.local/share/surpeer")


def test_the_key_is_made_once_and_for_the_owner_only(tmp_path: Path) -> None:
    one = Deployment(tmp_path / "a" / "b", None, None)
    assert one.secret_key({}) == ""
    one.prepare()
    key = (one.data / "secret-key").read_text()
    one.prepare()
    assert (one.data / "secret-key").read_text() == key == one.secret_key({})
    assert len(key) >= 64
    assert stat.S_IMODE((one.data / "secret-key").stat().st_mode) == 0o600
    assert stat.S_IMODE(one.data.stat().st_mode) == 0o700
    assert one.secret_key({"SURPEER_SECRET_KEY": "given"}) == "given"


def test_the_permissions_of_a_folder_that_was_there_are_left_as_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o755)
    Deployment(data=folder, public_url=None, database_url=None).prepare()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file/data: cannot be used as the folder of the data: Not a directory"):
        Deployment(tmp_path / "file" / "data", None, None).prepare()


@pytest.mark.parametrize("port", ["smtp", "0", "65536", "-1", "٥٨٧"])
def test_a_port_of_the_mail_server_that_is_none(port: str) -> None:
    with pytest.raises(
        InputError, match=f"^EMAIL_PORT: found '{port}', expected the number of a port, such as 587 or 465$"
    ):
        mail_port({"EMAIL_PORT": port})


def test_the_port_of_the_mail_server() -> None:
    assert [mail_port(environment) for environment in ({}, {"EMAIL_PORT": " "}, {"EMAIL_PORT": "25"})] == [587, 587, 25]
