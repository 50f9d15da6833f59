"""The application in tests: settings of its own, people with their browsers, and real servers on both databases."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import django
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

os.environ["SURPEER_DATA"] = tempfile.mkdtemp(prefix="surpeer-test-")
os.environ["SURPEER_SECRET_KEY"] = "only-for-tests-" + "0123456789" * 5
os.environ["DJANGO_SETTINGS_MODULE"] = "surpeer.web.settings"
for name in ("DATABASE_URL", "SURPEER_URL", "EMAIL_HOST"):
    os.environ.pop(name, None)
(Path(os.environ["SURPEER_DATA"]) / "static").mkdir()
django.setup()

from django.conf import settings  # noqa: E402

from web.people import People  # noqa: E402
from web.postgresql import PostgreSQL  # noqa: E402
from web.running import RunningServer  # noqa: E402
from web.waiting import PATIENCE  # noqa: E402

settings.STORAGES = {
    **settings.STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="module", autouse=True)
def _nobody_stands_back(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The process that computes results does, and on a machine that is busy with tests it would hardly get a turn."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "sitecustomize.py").write_text("import os\nos.nice = lambda _: 0\n")  # run by every Python at its start
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        yield


@pytest.fixture
def people(db: None) -> People:
    """A venue with a chair, an observer, two reviewers and three papers, and another venue with people of its own."""
    return People.make()


@pytest.fixture(scope="session")
def browser(browser: "Browser") -> "Browser":
    """The one of all tests, with patience: here, servers have to answer first."""
    from playwright.sync_api import expect  # without a browser these tests are skipped

    expect.set_options(timeout=1000 * PATIENCE)
    return browser


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server of our own, on a socket in a temporary folder; skipped where PostgreSQL is not installed."""
    with PostgreSQL.started() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str | None:
    """None for the embedded database, and the address of an empty PostgreSQL database."""
    if request.param == "sqlite":
        return None
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new_database()


@pytest.fixture
def server(database_url: str | None, tmp_path: Path) -> Iterator[RunningServer]:
    """`surpeer serve` itself on a free port, on each database."""
    with RunningServer.started(tmp_path / "data", database_url) as running:
        yield running
