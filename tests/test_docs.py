"""What README and docs show is what happens."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import write_cli_reference
import write_examples
from conftest import ROOT

import surpeer
from surpeer.core.status import Status
from surpeer.decisions import Reason
from surpeer.io.review_form.column_map import read_column_map
from surpeer.io.scale_file import read_scale
from surpeer.ranking import FLAGS
from surpeer.scale import PRESETS

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "paper").glob("*.md")),
]
SCRIPTS = Path(sys.executable).parent


def blocks(language: str) -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for number, block in enumerate(
            re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
        ):
            found.append((f"{page.relative_to(ROOT)} #{number + 1}", block))
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("place", "block"), blocks("console"), ids=[place for place, _ in blocks("console")])
def test_commands_print_what_is_shown(place: str, block: str, folder: Path) -> None:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        arguments = shlex.split(command)
        if arguments[0] == "surpeer":
            arguments[0] = str(SCRIPTS / "surpeer")
        finished = subprocess.run(arguments, cwd=folder, capture_output=True, text=True)
        assert finished.returncode == 0, (place, finished.stderr)
        assert finished.stdout.rstrip() == expected.rstrip(), place


@pytest.mark.parametrize(("place", "block"), blocks("python"), ids=[place for place, _ in blocks("python")])
@pytest.mark.usefixtures("folder")
def test_python_examples_run(place: str, block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, place, "exec"), {})
    if "README" in place:
        assert len(block.strip().splitlines()) <= 10
        assert "1.0\n" in capsys.readouterr().out


@pytest.mark.parametrize("language", ["toml", "json"])
def test_scale_files_are_scales_and_column_maps_are_column_maps(language: str, tmp_path: Path) -> None:
    for _, block in blocks(language):
        path = tmp_path / f"file.{language}"
        path.write_text(block)
        if "paper" in block:
            assert read_column_map(path).names_columns
        else:
            assert len(read_scale(str(path))) >= 2


@pytest.mark.parametrize(("name", "content"), write_examples.files().items(), ids=list(write_examples.files()))
def test_examples_are_what_the_tool_writes(name: str, content: str) -> None:
    assert (write_examples.FOLDER / name).read_text() == content, "run tools/write_examples.py"


def test_relative_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_command_line_reference_is_what_the_commands_say() -> None:
    assert write_cli_reference.PAGE.read_text() == write_cli_reference.page(), "run tools/write_cli_reference.py"


def test_statuses_flags_and_presets_are_documented() -> None:
    page = (ROOT / "docs" / "reference" / "statuses-and-flags.md").read_text()
    assert re.findall(r"^\| `(\w+)` \| ", page, re.MULTILINE) == [status.label for status in Status] + list(FLAGS)
    for flag, meaning in FLAGS.items():
        assert f"| `{flag}` | {meaning} |" in page
    decide = (ROOT / "docs" / "how-to" / "decide.md").read_text()
    assert all(f"| `{reason.label}` | " in decide for reason in Reason)
    files = (ROOT / "docs" / "reference" / "files.md").read_text()
    assert all(f"`{name}`" in files for name in PRESETS)


def test_public_names_are_documented_and_load() -> None:
    page = (ROOT / "docs" / "reference" / "python.md").read_text()
    for name in surpeer.__all__:
        assert getattr(surpeer, name) is not None
        if not name.startswith("_"):
            assert re.search(rf"\b{name}\b", page), name
    for name in surpeer.core.__all__:
        assert getattr(surpeer.core, name).__doc__
