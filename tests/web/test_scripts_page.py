"""docs/how-to/scripts.md: what it tells its reader to type does what it says, on a server with filled venues."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "docs"))

from pages import blocks, listed_commands  # noqa: E402

from web.demo_server import chair_of, ranking_of  # noqa: E402
from web.running import RunningServer  # noqa: E402

PAGE = (ROOT / "docs" / "how-to" / "scripts.md").read_text()
ADDRESS, VENUE = "https://review.example.org", "spring-workshop"  # of the page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """The demonstration with a ranking, and the token of its chair where scripts look for it."""
    folder = tmp_path_factory.mktemp("scripts")
    with (
        RunningServer.started(folder / "unused", options=("--demo",)) as running,
        pytest.MonkeyPatch.context() as patch,
    ):
        chair = chair_of(running)
        page = chair.post("/account/", "/account/tokens/new/", name="a script", days="1")
        token = re.search(r"<code[^>]*>([\w-]+)</code>", page)
        assert token, page
        patch.setenv("SURPEER_TOKEN", token[1])
        ranking_of(chair, "conference")
        yield running


def typed(kind: str, server: RunningServer, venue: str) -> list[str]:
    """The blocks of the page, for this server and one of its venues."""
    found = [block.text for block in blocks(PAGE) if block.kind == kind and "server" in block.rest]
    return [text.replace(ADDRESS, server.url).replace(VENUE, venue) for text in found]


def commands(server: RunningServer) -> list[str]:
    lines = (block for block in blocks(PAGE) if block.kind == "sh" and "server" in block.rest)
    found = [command.line for block in lines for command in listed_commands(block)]
    return [line.replace(ADDRESS, server.url).replace(VENUE, "workshop") for line in found]


def test_the_commands_with_curl(server: RunningServer) -> None:
    said = []
    for line in commands(server):
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, env=os.environ)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        said.append(done.stdout)
    venues, progress, tried, imported = said
    assert '"slug": "workshop"' in venues
    assert "of 117 reviews are in" in progress
    assert '"dry_run": true, "new": 1' in tried
    assert imported in PAGE


def test_the_script_in_python(server: RunningServer, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    for text in typed("python", server, "conference"):
        exec(text, names)
    invited, late, *ranked, last = capsys.readouterr().out.splitlines()
    assert invited == "0 sent, 1 filed; []"
    assert late == "P1 Ada Adams "
    assert [line.split()[0] for line in ranked] == ["1", "2", "3"]
    assert re.fullmatch(r"True [1-9]\d* to discuss", last)
    made = names["call"]("GET", "/venues/autumn-workshop")
    assert [level["label"] for level in made["levels"]] == ["reject", "weak", "accept"]
    assert made["deadline"].startswith("2099-10-31T22:59:00")


def test_the_script_says_why_it_was_refused(server: RunningServer) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    exec(typed("python", server, "workshop")[0], names)
    with pytest.raises(SystemExit, match="The results are not open"):
        names["call"]("GET", "/venues/workshop/results/papers")
