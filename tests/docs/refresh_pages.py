"""Rewrite what console blocks show to what the commands print now: python tests/docs/refresh_pages.py [PAGE ...]

Look at the difference before you keep it. Blocks with a line `...` stay as they are.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import working_folder
from conftest import ROOT
from pages import RUN, Block, blocks, listed_commands, name_of, typed_commands
from running import run
from test_code_blocks import CHECKS, reason_not_to_run


def refreshed(block: Block) -> str:
    """The block's text with what its commands print."""
    parts = []
    for command in typed_commands(block):
        ran = run(command.line)
        printed = (ran.terminal if block.rest else ran.stdout).rstrip()
        parts.append(f"$ {command.line}\n" + (f"{printed}\n" if printed else ""))
    return "".join(parts)


def refresh(page: Path) -> None:
    text, names = page.read_text(), {"__name__": "page"}
    for block in blocks(text):
        if block.kind == "console" and "\n...\n" not in block.text and "\\\n" not in block.text:
            text = text.replace(block.text, refreshed(block))
        elif block.kind == "sh":
            for command in listed_commands(block):
                if reason_not_to_run(command.line) is None:
                    run(command.line)
        elif block.kind in CHECKS:
            list(CHECKS[block.kind](block, names, name_of(page)))
    if text != page.read_text():
        page.write_text(text)
        print(f"refreshed {name_of(page)}")


def main() -> None:
    for page in [Path(name).resolve() for name in sys.argv[1:]] or RUN:
        with TemporaryDirectory() as folder:
            working_folder.fill(Path(folder), name_of(page))
            os.chdir(folder)
            refresh(page)
            os.chdir(ROOT)


if __name__ == "__main__":
    main()
