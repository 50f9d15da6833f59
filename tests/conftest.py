import gc
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from typer.testing import CliRunner, Result

from surpeer.cli.commands import app

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "experiments"))
sys.path.insert(0, str(ROOT / "tests" / "report"))
sys.path.insert(0, str(ROOT / "tools"))

from at_length import AT_LENGTH  # noqa: E402

pytest_plugins = ["report_in_browser"]

LONG = (
    "test_spark",
    "test_browser_",
    "test_killed_server",
    "test_same_answer",
    "test_report_",
    "test_review_b",
    "test_serve",
    "test_storing",
    "test_backup",
    "test_reproduction",
    "test_large_runs_stopped",
)
"""How the names of the files begin that take longest."""

# Tests do not measure time: a busy machine is no failure.
settings.register_profile("untimed", deadline=None)
settings.register_profile(AT_LENGTH, deadline=None)
settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("markexpr") == "slow":
        settings.load_profile(AT_LENGTH)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With several workers, a file is the work of one, so that what it prepares is made once; and all files that need
    Apache Spark are the work of one, so that it starts once."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "Spark" if "/test_spark" in nodeid else nodeid.split("::", 1)[0]

    return ByFile(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Nothing of what is imported and listed here is garbage; to look for it again and again takes two seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several workers, long files are begun first: one that is begun last keeps one worker busy alone.

    Those that use Django's database, which come first of all, stay there: it refuses to work beside a running browser.
    """
    if hasattr(config, "workerinput"):
        web = ROOT / "tests" / "web"
        start = next((at for at, item in enumerate(items) if web not in item.path.parents), len(items))
        items[start:] = sorted(items[start:], key=lambda item: not item.path.name.startswith(LONG))


@pytest.fixture(scope="session", autouse=True)
def _temporary_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """In a folder of this worker alone: a run whose result is no file tells of what killed runs left beside its own."""
    tmp_path_factory.getbasetemp()  # stays where it is
    own = tempfile.TemporaryDirectory(prefix="surpeer-", ignore_cleanup_errors=True)
    with own as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        yield


@pytest.fixture
def surpeer() -> Callable[..., Result]:
    """The command line, in this process: call it with arguments, look at exit_code, stdout and stderr."""

    def run(*arguments: object) -> Result:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file into a fresh folder."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


@pytest.fixture
def shared_data() -> Path:
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data sets are not part of the repository")
    return folder
