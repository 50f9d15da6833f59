"""A reader has every file that a page uses: it is an example, the page makes it, or the page says that it is hers.

That no other file is there is seen to by working_folder.py; here is what pages must say about those that are.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import working_folder
from conftest import ROOT
from pages import RUN, name_of, tokens

SAVED = ("csv", "toml", "json")


def unnamed_files(text: str) -> Iterator[str]:
    """Files that a block is saved as, without their names in the text since the block before: sites do not show them."""
    said = ""
    for token in tokens(text):
        if token.type == "inline":
            said += token.content + "\n"
        elif token.type == "fence":
            kind, *rest = token.info.split() or [""]
            yield from (name for name in rest[:1] if kind in SAVED and f"`{name}`" not in said)
            said = ""


def is_said_to_be_yours(name: str, text: str) -> bool:
    """Whether the section of the first block that has the file says `your` before it."""
    said = ""
    for token in tokens(text):
        if token.type == "heading_open":
            said = ""
        elif token.type == "inline":
            said += token.content + "\n"
        elif token.type == "fence" and re.search(rf"(?<![\w./-]){re.escape(name)}\b", token.content):
            return re.search(r"\byours?\b", said, re.IGNORECASE) is not None
    return False


@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_a_block_that_is_saved_has_its_name_before_it(page: Path) -> None:
    assert list(unnamed_files(page.read_text())) == []


@pytest.mark.parametrize("page", working_folder.YOURS)
def test_a_page_says_which_files_are_the_readers_own(page: str) -> None:
    text = (ROOT / page).read_text()
    assert [name for name in working_folder.YOURS[page] if not is_said_to_be_yours(name, text)] == []


def test_unnamed_files_are_found() -> None:
    saved = "```csv a.csv\npaper\n```\n"
    assert list(unnamed_files(f"Save this as `a.csv`:\n\n{saved}")) == []
    assert list(unnamed_files(f"A table:\n\n{saved}")) == ["a.csv"]
    assert list(unnamed_files(f"Save this as `a.csv`:\n\n{saved}\nAnd another:\n\n{saved}")) == ["a.csv"]
    assert list(unnamed_files("```console notes\n$ surpeer methods\n```\n")) == []


def test_files_of_the_reader_are_told_from_others() -> None:
    used = "```sh\nsurpeer score a.csv\n```\n"
    assert is_said_to_be_yours("a.csv", f"# A\n\n`a.csv` is your file:\n\n{used}")
    assert not is_said_to_be_yours("a.csv", f"# A\n\nThis file:\n\n{used}\nis your file\n")
    assert not is_said_to_be_yours("a.csv", f"# A\n\nYour file\n\n## B\n\n{used}")
    assert not is_said_to_be_yours("a.csv", "# A\n\nYour file\n\n```sh\nsurpeer score examples/a.csv\n```\n")


def test_only_examples_and_the_readers_own_files_are_there(tmp_path: Path) -> None:
    for number, (page, own) in enumerate({**working_folder.YOURS, "page.md": {}}.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        working_folder.fill(folder, page)
        assert {path.name for path in folder.iterdir()} == {"examples", *own}
