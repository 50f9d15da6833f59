"""Pages that are written from the code say what the code says."""

import re
from pathlib import Path

import pytest
import working_folder
import write_cli_reference
import write_examples
import write_python_reference
from conftest import ROOT

import surpeer
from surpeer.core.status import Status
from surpeer.proposals import Reason
from surpeer.ranking import FLAGS
from surpeer.scale import PRESETS

REFERENCE = ROOT / "docs" / "reference"


@pytest.mark.parametrize(("name", "content"), write_examples.files().items(), ids=list(write_examples.files()))
def test_examples_are_what_the_tool_writes(name: str, content: str) -> None:
    assert (write_examples.FOLDER / name).read_text() == content, "run tools/write_examples.py"


def test_command_line_reference_is_what_the_commands_say() -> None:
    assert write_cli_reference.PAGE.read_text() == write_cli_reference.page(), "run tools/write_cli_reference.py"


def test_every_command_is_in_the_command_line_reference() -> None:
    commands = list(write_cli_reference.commands())
    assert {"score", "decide", "bench accuracy"} <= set(commands)
    assert re.findall(r"^## surpeer (.+)$", write_cli_reference.PAGE.read_text(), re.MULTILINE) == commands


@pytest.mark.parametrize("page", write_python_reference.PAGES, ids=lambda page: page.file)
def test_python_reference_is_what_the_docstrings_say(page: write_python_reference.Page) -> None:
    written = (REFERENCE / page.file).read_text()
    assert written == write_python_reference.write_page(page), "run tools/write_python_reference.py"


@pytest.mark.parametrize("page", write_python_reference.PAGES, ids=lambda page: page.file)
def test_every_public_name_has_a_heading_and_a_text(page: write_python_reference.Page) -> None:
    text = write_python_reference.write_page(page)
    headings = re.findall(r"^### (.+)$", text, re.MULTILINE)
    described = {name for names in page.groups.values() for name in names if "." in name}
    public = write_python_reference.public_names(page.module)
    assert sorted(headings) == sorted([*public, *(name.rpartition(".")[2] for name in described)])
    for name in public:
        if callable(thing := getattr(page.module, name)):
            assert (thing.__doc__ or "").strip(), name
    assert "\n## More" not in text or page.module is not surpeer, "put new names under a heading"


def test_what_a_value_hands_on_says_what_it_is() -> None:
    python = (REFERENCE / "python.md").read_text()
    assert "- `value` (`FloatArray`): (N,) NaN where undefined and infinite where the status says so." in python
    assert "- `papers` (`pl.Series`): (N,) ids, sorted, each once." in python
    assert "- `scores[paper]` (`Score`): The score of the paper with this id." in python
    assert "- `problems` (`Sequence[Problem]`)" in python
    assert "- `binary`: reject, accept" in python


@pytest.mark.parametrize("page", write_python_reference.PAGES, ids=lambda page: page.file)
def test_signatures_are_as_wide_as_a_page_of_the_site_shows(page: write_python_reference.Page) -> None:
    blocks = re.findall(r"^```text\n(.*?)^```", write_python_reference.write_page(page), re.MULTILINE | re.DOTALL)
    assert blocks
    assert [line for block in blocks for line in block.splitlines() if len(line) > 88] == []


def test_statuses_flags_and_presets_are_documented() -> None:
    page = (REFERENCE / "statuses-and-flags.md").read_text()
    assert re.findall(r"^\| `(\w+)` \| ", page, re.MULTILINE) == [status.label for status in Status] + list(FLAGS)
    for flag, meaning in FLAGS.items():
        assert f"| `{flag}` | {meaning} |" in page
    decide = (ROOT / "docs" / "how-to" / "decide.md").read_text()
    assert all(f"| `{reason.label}` | " in decide for reason in Reason)
    files = (REFERENCE / "files.md").read_text()
    assert all(f"`{name}`" in files for name in PRESETS)


def test_the_example_of_the_readme_is_short_and_true(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    [block] = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    working_folder.fill(tmp_path, "README.md")
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "README.md", "exec"), {})
    assert len(block.strip().splitlines()) <= 10
    [said] = re.findall(r"# (0\.\d\d): W03 is probably better$", block, re.MULTILINE)
    assert f"{float(capsys.readouterr().out.split()[-1]):.2f}" == said
