"""The pages that people read, and the code blocks in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from conftest import ROOT
from markdown_it import MarkdownIt
from markdown_it.token import Token

SHOWN = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if ".ipynb_checkpoints" not in path.parts),
    *sorted((ROOT / "paper").glob("*.md")),
]
"""All pages."""
RUN = [page for page in SHOWN if page == ROOT / "README.md" or page.is_relative_to(ROOT / "docs")]
"""Pages whose code is run."""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """A fenced block, or one that is indented (which has no kind)."""

    line: int
    """Where it begins, from 1."""
    kind: str
    rest: tuple[str, ...]
    """The words after the kind: `error`, `notes`, a file name."""
    text: str


def tokens(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def blocks(text: str) -> Iterator[Block]:
    """Every code block of a page, also those inside lists and quotes."""
    for token in tokens(text):
        if token.type == "fence":
            kind, *rest = token.info.split() or [""]
            yield Block(token.map[0] + 1, kind, tuple(rest), token.content)
        elif token.type == "code_block":
            yield Block(token.map[0] + 1, "", (), token.content)


def inline_code(text: str) -> Iterator[tuple[int, str]]:
    """Line (of the paragraph) and content of everything in backticks, a line break in it being a space."""
    for token in tokens(text):
        for child in token.children or ():
            if child.type == "code_inline":
                yield token.map[0] + 1 if token.map else 0, child.content


@dataclass(frozen=True)
class Command:
    """What a reader types, and what is shown of the answer."""

    line: str
    shown: str


def typed_commands(block: Block) -> list[Command]:
    """The commands of a console block: `$ ` before each, a backslash at the end of a line continues it."""
    found: list[Command] = []
    continued = False
    for line in block.text.rstrip("\n").split("\n"):
        if continued:
            found[-1] = Command(found[-1].line + " " + line.strip(), "")
        elif line.startswith("$ "):
            found.append(Command(line[2:], ""))
        else:
            assert found, f"line {block.line}: expected a command after `$ `, found {line!r}"
            found[-1] = Command(found[-1].line, f"{found[-1].shown}{line}\n")
        continued = (continued or line.startswith("$ ")) and found[-1].line.endswith("\\")
        if continued:
            found[-1] = Command(found[-1].line.removesuffix("\\").rstrip(), "")
    return found


def listed_commands(block: Block) -> list[Command]:
    """The commands of a block `sh`: one per line, comments left out."""
    joined = block.text.replace("\\\n", " ")
    lines = (line.strip() for line in joined.split("\n"))
    return [Command(line, "") for line in lines if line and not line.startswith("#")]
